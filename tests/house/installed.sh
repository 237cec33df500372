#!/bin/sh
# installed.sh BUILD CMAKE CC - installs into a scratch folder, moves it, and builds the program in consumer/
# against it in both ways: with pkg-config, and with find_package; then writes a game with the installed program.
set -eu
build=$1 cmake=$2 cc=$3
consumer=$(dirname "$0")/consumer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/first" >/dev/null
prefix=$scratch/moved
mv "$scratch/first" "$prefix"

library=$(dirname "$(find "$prefix" -name libmanyply.so)")
for file in bin/manyply share/man/man1/manyply.1.gz share/doc/manyply/LICENSE include/manyply/manyply.h \
    share/bash-completion/completions/manyply share/zsh/site-functions/_manyply \
    share/fish/vendor_completions.d/manyply.fish; do
    [ -s "$prefix/$file" ] || { echo "$file was not installed"; exit 1; }
done

expect() {
    answer=$(LD_LIBRARY_PATH="$library" "$@")
    case $answer in
    [a-h][1-8]" 4") ;;
    *) echo "$* printed '$answer', expected a move and depth 4" && exit 1 ;;
    esac
}

export PKG_CONFIG_PATH="$library/pkgconfig"
# shellcheck disable=SC2046  # flags are meant to be split
"$cc" "$consumer/consumer.c" -o "$scratch/by_pkg_config" $(pkg-config --cflags --libs manyply)
expect "$scratch/by_pkg_config"

"$cmake" -S "$consumer" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >/dev/null
"$cmake" --build "$scratch/build" >/dev/null
expect "$scratch/build/consumer"

# A new game finds the header of the program that has written it.
(cd "$scratch" && "$prefix/bin/manyply" new-game stranger >/dev/null)
grep -q "^MANYPLY_INCLUDE ?= $prefix/include$" "$scratch/stranger/Makefile" || { echo "new-game did not find $prefix"; exit 1; }
PKG_CONFIG_PATH='' make -s -C "$scratch/stranger" CC="$cc"
"$prefix/bin/manyply" check "$scratch/stranger/stranger.so" --positions 2 | tail -1

"$prefix/bin/manyply" version
