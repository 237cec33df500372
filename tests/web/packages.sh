#!/bin/sh
# packages.sh FOLDER - installs what package-lock.json names, unless it is there.
set -eu
cd "$1"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci
