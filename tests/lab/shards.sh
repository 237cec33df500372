#!/bin/sh
# shards.sh PROGRAM - the two-shard example of docs/arena.md: two halves of a schedule, played apart and joined, are
# the games that one run plays.
set -eu
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

arena() {
    "$program" arena othello --player 'pvs,depth=2' --player 'alphabeta,depth=3' --player 'random,seed=5' \
        --games 6 --random-plies 6 "$@" >/dev/null
}
fail() {
    echo "$*" >&2
    exit 1
}
# What a game is, without how long it took.
dump() {
    "$program" results moves --db "$1" --json |
        python3 -c 'import json, sys
for game in json.load(sys.stdin)["games"]:
    print(game["number"], game["first"], game["second"], game["margin"], game["ending"], game["start"],
          *(move["move"] for move in game["moves"]))'
}

arena --db whole.db
arena --db shard-1.db --shard 1/2
arena --db shard-2.db --shard 2/2
"$program" results merge joined.db shard-1.db shard-2.db | grep -q '^18 games from 2 files' || fail "not all games"
dump whole.db >whole.txt
dump joined.db >joined.txt
[ "$(wc -l <whole.txt)" -eq 18 ] || fail "the whole has $(wc -l <whole.txt) games"
cmp whole.txt joined.txt || fail "the shards are not the whole"
[ "$("$program" results --db whole.db | head -5)" = "$("$program" results --db joined.db | head -5)" ] ||
    fail "other standings"

[ ! -e joined.db-wal ] || fail "a file that was closed is not alone"

# Again adds nothing; going on plays nothing; more games go on from there.
"$program" results merge joined.db shard-1.db | grep -q '^0 games' || fail "a shard was added twice"
arena --db joined.db --resume
dump joined.db | cmp - whole.txt || fail "games were played again"
"$program" arena othello --player 'pvs,depth=2' --player 'alphabeta,depth=3' --player 'random,seed=5' --games 8 \
    --random-plies 6 --db joined.db --resume | grep -q '24 of 24 games, 6 of them now' || fail "no further games"

# What does not belong together stays apart.
expect() {
    wanted=$1
    shift
    if message=$("$@" 2>&1 >/dev/null); then
        fail "$* was accepted"
    fi
    case $message in
    *"$wanted"*) ;;
    *) fail "'$message' does not say '$wanted'" ;;
    esac
}
expect "already holds an arena" arena --db whole.db
expect "has seed: 1, not 2" arena --db whole.db --resume --seed 2
expect "player 1 of the arena in the file is 'pvs,depth=2'" "$program" arena othello --player 'pvs,depth=1' \
    --player 'alphabeta,depth=3' --player 'random,seed=5' --games 6 --random-plies 6 --db whole.db --resume
arena --db other.db --seed 2 --shard 1/9
expect "is another arena: its settings differ" "$program" results merge whole.db other.db
arena --db again.db --shard 1/9
expect "that were already played, differently" "$program" results merge whole.db again.db
echo garbage >garbage.db
expect "not a database" "$program" results --db garbage.db
expect "unable to open" "$program" results --db missing.db
expect "holds no results" "$program" results --db /dev/null

# One program at a time writes to a file.
"$program" arena othello --player 'pvs' --player 'pvs name=other' --tc 10s --games 2 --db busy.db >busy.txt &
busy=$!
until [ -s busy.db-wal ]; do
    kill -0 $busy || fail "the busy arena has ended"
    sleep 0.05
done
expect "another program is writing to busy.db" "$program" arena othello --player 'pvs' --player 'pvs name=other' \
    --tc 10s --games 2 --db busy.db --resume
kill -9 $busy
wait $busy || true

dump whole.db | cmp - whole.txt || fail "a refused merge changed the file"
echo "two shards make the whole"
