#!/bin/sh
# Builds savefs and shows its main job on a copy of a fixture: mount, read, write, look at the file, unmount.
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --release
PATH="$PWD/target/release:$PATH"
work=$(mktemp -d)
cp fixtures/dreamfactory/GOTBONE.RTD "$work"
cd "$work"
trap 'savefs umount mnt 2>/dev/null || true; cd /; rm -rf "$work"' EXIT

run() {
    echo "\$ $*"
    sh -c "$*"
}
run savefs mount GOTBONE.RTD mnt
run cat mnt/globals/day
run cat mnt/globals/handitem
run 'echo 2 > mnt/globals/phase'
run cat mnt/globals/phase
run savefs get GOTBONE.RTD globals/phase
run 'cmp -l GOTBONE.RTD.bak GOTBONE.RTD || true'
run savefs check GOTBONE.RTD
run savefs umount mnt
