#!/bin/sh
# Measures what savefs promises to reach (see README) and prints it as a table. Takes a few minutes.
#   scripts/bench.sh [SAVE.ti]    by default the real save of SAVEFS_CORPUS, else a fixture
# Everything runs on one core (CORE, default 0). Compares with ffs where it can be installed (NO_FFS=1: without).
set -eu
cd "$(dirname "$0")/.."

say() { echo "bench: $*" >&2; }
need() { command -v "$1" >/dev/null || { say "$1 is missing"; exit 1; }; }
for tool in cargo taskset find ls grep tar cp mktemp; do need "$tool"; done
[ -e /dev/fuse ] || { say "there is no /dev/fuse, so nothing can be mounted"; exit 1; }
[ "$(id -u)" = 0 ] || need fusermount3
[ -d /dev/shm ] && [ -w /dev/shm ] || { say "/dev/shm is not there to be compared with"; exit 1; }

if [ $# -gt 0 ]; then save=$1
elif [ -n "${SAVEFS_CORPUS:-}" ]; then save=$SAVEFS_CORPUS/dreamfactory/M4P0FCL.ti
else save=fixtures/dreamfactory/WALKER.ti
fi
[ -f "$save" ] || { say "$save: no such save"; exit 1; }

say "building"
bench=$(cargo bench --no-run --bench numbers 2>&1 | sed -n 's/^ *Executable .*(\(.*\))$/\1/p')
[ -x "$bench" ] || { cargo bench --no-run --bench numbers; say "the benchmark was not built"; exit 1; }
mkdir -p target
ffs=$(realpath -m "${CARGO_TARGET_DIR:-target}")/ffs
if [ -z "${NO_FFS:-}" ] && [ ! -x "$ffs/bin/ffs" ]; then
    say "installing ffs, to compare with"
    cargo install --quiet --locked ffs --version 0.1.2 --root "$ffs" 2>"$ffs.log" ||
        say "without ffs: it cannot be built (it needs libfuse3-dev and pkg-config); see $ffs.log"
fi
[ -z "${NO_FFS:-}" ] && [ -x "$ffs/bin/ffs" ] && export SAVEFS_BENCH_FFS="$ffs/bin/ffs"

SAVEFS_BENCH_DISK=$(mktemp -d "$PWD/target/bench-XXXXXX")
SAVEFS_BENCH_MEMORY=$(mktemp -d /dev/shm/savefs-bench-XXXXXX)
export SAVEFS_BENCH_DISK SAVEFS_BENCH_MEMORY SAVEFS_BENCH_SAVE="$save"
clean() {
    # What an interrupted run has left mounted.
    awk '{print $2}' /proc/self/mounts | grep -e "^$SAVEFS_BENCH_DISK/" -e "^$SAVEFS_BENCH_MEMORY/" |
        while read -r at; do umount -l "$at" 2>/dev/null || fusermount3 -uz "$at" || true; done
    rm -rf "$SAVEFS_BENCH_DISK" "$SAVEFS_BENCH_MEMORY"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

core=${CORE:-0}
echo "$(basename "$save"), core $core of $(nproc), $(uname -sr), $(date +%F)"
echo
taskset -c "$core" "$bench"
