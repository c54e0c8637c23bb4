#!/usr/bin/env bash
# Runs a command that commits to a save, and lets every system call of the commit fail or be its last.
#
#   scripts/faults.sh SAVE COMMAND...      {} in COMMAND stands for a copy of SAVE
#   scripts/faults.sh game.sav savefs set {} path=value
#
# Whatever happens, the save must be the old one or the new one and its backup absent or the old one; success means the
# new one; a refusal means the old one (but for a directory that cannot be synced) and leaves no temporary file; after a
# kill the same command must succeed. Needs strace. Exit: 0 all held, 1 one did not, 2 usage.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command -v strace >/dev/null || { echo "faults: needs strace" >&2; exit 2; }

original=$(realpath "$1"); shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
place=$work/place
save=$place/$(basename "$original")
command=("${@//\{\}/$save}")
# A full disk, a broken one, missing rights, and an interruption, where each is possible.
declare -A errors=(
    [openat]="ENOSPC EIO EACCES EMFILE" [read]="EIO" [statx]="EIO" [fstat]="EIO" [flock]="EIO EINTR ENOLCK"
    [write]="ENOSPC EIO EDQUOT EINTR" [pwrite64]="ENOSPC EIO" [fsync]="EIO ENOSPC" [fdatasync]="EIO"
    [rename]="EIO ENOSPC EACCES" [renameat]="EIO ENOSPC" [renameat2]="EIO ENOSPC" [fchown]="EIO EPERM"
    [fchmod]="EIO EPERM" [flistxattr]="EIO ENOTSUP" [fgetxattr]="EIO" [fsetxattr]="ENOSPC EPERM"
    [fremovexattr]="EIO ENOTSUP" [utimensat]="EIO" [close]="EIO" [access]="EACCES EROFS" [faccessat]="EACCES EROFS"
    [fallocate]="ENOSPC EOPNOTSUPP" [ftruncate]="ENOSPC EIO" [getdents64]="EIO" [lseek]="EIO"
)
runs=0 old=0 new=0 bad=0

fresh() {
    rm -rf "$place"
    mkdir "$place"
    cp --preserve=all "$original" "$save"
}

leftovers() { find "$place" -name '.*.savefs-??????' | grep -c . || true; }

complain() {
    bad=$((bad + 1))
    echo "FAILED: $1: $2 (exit $status)"
    sed 's/^/    /' "$work/output"
}

# A run with one fault, and what holds after every kind of it: run LABEL INJECTION
run() {
    fresh
    status=0
    # The shell's own report of the kill goes nowhere.
    (strace -f -qq -o /dev/null -e "inject=$2" "${command[@]}" >"$work/output" 2>&1 </dev/null; exit $?) 2>/dev/null ||
        status=$?
    runs=$((runs + 1))
    if cmp -s "$save" "$original"; then
        old=$((old + 1)) is=old
    elif cmp -s "$save" "$work/new"; then
        new=$((new + 1)) is=new
    else
        is=torn
        complain "$1" "the save is neither the old nor the new one"
    fi
    if [ -e "$save.bak" ] && ! cmp -s "$save.bak" "$original"; then
        complain "$1" "the backup is not the old save"
    fi
    if [ $is = old ] && [ $status = 0 ]; then
        complain "$1" "success, but the save is the old one"
    fi
}

fail() { # CALL N ERROR
    local label="call $2 of $1 gives $3"
    run "$label" "$1:error=$3:when=$2"
    if [ $is = new ] && [ $status != 0 ] && [ "$1" != fsync ]; then
        complain "$label" "refused, but the save is the new one"
    fi
    if [ "$(leftovers)" != 0 ]; then
        complain "$label" "a temporary file stays"
    fi
}

kill_at() { # CALL N
    local label="killed at call $2 of $1"
    run "$label" "$1:signal=KILL:when=$2"
    status=0
    "${command[@]}" >"$work/output" 2>&1 </dev/null || status=$?
    if [ $status != 0 ] || ! cmp -s "$save" "$work/new"; then
        complain "$label" "the same command does not succeed afterwards"
    fi
}

fresh
strace -f -qq -s 4096 -o "$work/log" "${command[@]}" </dev/null
cp "$save" "$work/new"
if cmp -s "$work/new" "$original"; then
    echo "faults: the command does not change the save" >&2
    exit 2
fi
# The calls from the first that names the save on, each with its number among its like in its thread.
awk -v name="$save" '
    match($0, /^[0-9]+ +[a-z0-9_]+\(/) {
        split($0, word, /[ (]+/); call = word[2]; number = ++count[word[1], call]
        begun = begun || (call != "execve" && index($0, name))
        if (begun && call != "exit_group" && call != "exit" && call != "execve") print call, number
    }' "$work/log" | sort -u >"$work/calls"
while read -r call number; do
    kill_at "$call" "$number"
    for error in ${errors[$call]:-}; do fail "$call" "$number" "$error"; done
done <"$work/calls"
[ $runs -gt 0 ] || { echo "faults: no system call of the command names the save" >&2; exit 1; }
echo "$runs faults at $(wc -l <"$work/calls") system calls: $old times the old save, $new times the new one, $bad failed"
[ $bad = 0 ]
