#!/bin/sh
# hardened.sh FILE... - each program or library was linked with read-only tables (RELRO, all symbols bound at the start),
# with canaries on its stacks and with functions of libc that check sizes.
set -eu
fail() {
    echo "$*" >&2
    exit 1
}
[ $# -gt 0 ] || fail "no file was given"
for file in "$@"; do
    headers=$(readelf -W -l -d --dyn-syms "$file")
    echo "$headers" | grep -q 'GNU_RELRO' || fail "$file has no RELRO"
    echo "$headers" | grep -Eq '(BIND_NOW|FLAGS_1.*NOW)' || fail "$file binds its symbols late"
    echo "$headers" | grep -q 'UND __stack_chk_fail' || fail "$file has no canaries on its stacks"
    echo "$headers" | grep -Eq 'UND __[a-z]+_chk@' || fail "$file has no functions that check sizes"
done
echo "hardened: $*"
