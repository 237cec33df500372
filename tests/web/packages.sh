#!/bin/sh
# packages.sh FOLDER - installs what package-lock.json names, unless it is there. Not by `npm ci`: it wants the packages for
# other systems in the lock file too, which a registry may not have.
set -eu
cd "$1"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save
