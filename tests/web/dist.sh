#!/bin/sh
# dist.sh FOLDER - web/dist is what is built from the source; `make web` brings it up to date.
set -eu
cd "$1"
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
npx --no-install vite build --outDir "$fresh" --emptyOutDir --logLevel warn
if ! diff -rq dist "$fresh"; then
    echo "web/dist is not what its source gives: run \`make web\` and commit it"
    exit 1
fi
