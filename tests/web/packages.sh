#!/bin/sh
# packages.sh FOLDER - installs what package-lock.json names, unless it is there, and runs nothing of it. Not by `npm ci`: it
# wants the packages for other systems in the lock file too, which a registry may not have. What it is for is checked here:
# all that is installed is in the lock file, with the same version and the same sum.
set -eu
cd "$1"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --ignore-scripts --no-audit --no-fund
node -e '
const read = name => JSON.parse(require("fs").readFileSync(name)).packages;
const locked = read("package-lock.json"), installed = Object.entries(read("node_modules/.package-lock.json"));
const strange = installed.filter(([path, is]) => !locked[path] || !is.integrity ||
    is.version !== locked[path].version || is.integrity !== locked[path].integrity);
for (const [path, is] of strange)
    console.error(`${path} is ${is.version} ${is.integrity}, which is not what package-lock.json names`);
process.exit(strange.length || !installed.length ? 1 : 0);'
