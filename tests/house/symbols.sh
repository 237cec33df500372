#!/bin/sh
# symbols.sh LIBRARY HEADER - the shared library exports exactly the functions that the header promises.
set -eu
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
promised=$(sed -n 's/^MP_API .*\(mp_[a-z_]*\)(.*/\1/p' "$2" | sort)
[ -n "$promised" ]
if [ "$exported" != "$promised" ]; then
    echo "exported by $1:" $exported
    echo "promised by $2:" $promised
    exit 1
fi
