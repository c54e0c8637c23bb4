//! Other people's tools edit a node, and say so where they cannot.

use super::{Bench, toy};
use std::path::Path;

/// A tool's name and what it does to `$P`, whose value is 1: it becomes `$V`, which is legal or not.
const TOOLS: &[(&str, &str)] = &[
    ("bash", "echo $V > $P"),
    ("bash", "cat > $P <<< $V"),
    ("bash", "exec 3> $P; echo $V >&3; s=$?; exec 3>&-; exit $s"),
    ("dash", "dash -c 'echo $V > $P'"),
    ("zsh", "zsh -c 'echo $V > $P'"),
    ("cat", "echo $V | /bin/cat > $P"),
    ("tee", "echo $V | tee $P"),
    ("cp", "cp x $P"),
    ("cp", "cp -p x $P"),
    ("cp", "cp -a x $P"),
    ("cp", "cp --remove-destination x $P"),
    ("mv", "mv x $P"),
    ("install", "install x $P"),
    ("dd", "dd if=x of=$P status=none"),
    ("dd", "dd if=x of=$P bs=1 status=none"),
    ("dd", "dd if=x of=$P conv=fsync status=none"),
    ("ed", "printf 's/1/%s/\\nw\\nq\\n' $V | ed -s $P"),
    ("sed", "sed -i s/1/$V/ $P"),
    ("sed", "sed -i.bak s/1/$V/ $P; s=$?; rm -f $P.bak; exit $s"),
    ("perl", "perl -pi -e s/1/$V/ $P"),
    ("perl", "perl -pi.bak -e s/1/$V/ $P; s=$?; rm -f $P.bak; exit $s"),
    ("python3", "python3 -c 'import sys,pathlib; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])' $P $V"),
    ("python3", "python3 -c 'import sys; f=open(sys.argv[1],\"w\"); f.write(sys.argv[2]); f.close()' $P $V"),
    ("python3", "python3 -c 'import shutil,sys; shutil.copy(\"x\", sys.argv[1])' $P"),
    (
        "python3",
        "python3 -c 'import os,sys,tempfile
f=tempfile.NamedTemporaryFile(\"w\",dir=os.path.dirname(sys.argv[1]),delete=False); f.write(sys.argv[2]); f.close()
try: os.replace(f.name,sys.argv[1])
except OSError: os.unlink(f.name); raise' $P $V",
    ),
    ("vim", "vim -es -c %s/1/$V/ -c 'wq' $P < /dev/null"),
    ("vim", "vim -N -u NONE -es -c 'set backup undofile' -c %s/1/$V/ -c 'wq' $P < /dev/null; s=$?; rm -f $P~; (cd ${P%/*}; rm -f .[a-z]*.un~); exit $s"),
    ("sort", "sort -o $P x"),
    ("rsync", "rsync x $P"),
    ("rsync", "rsync --inplace x $P"),
    ("patch", "printf -- '--- a\\n+++ b\\n@@ -1 +1 @@\\n-1\\n+%s\\n' $V | patch -s $P; s=$?; rm -f $P.orig $P.rej; exit $s"),
    ("gawk", "gawk -i inplace -v v=$V '{ print v }' $P"),
    ("sponge", "echo $V | sponge $P"),
];

fn has(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(tool).exists())
}

#[test]
fn every_tool_edits_a_node_and_no_error_is_swallowed() {
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for (tool, script) in TOOLS {
        if !has(tool) {
            rows.push(format!("SKIPPED: {tool} is not installed"));
            continue;
        }
        let Some(bench) = Bench::new() else { return };
        let with =
            |value: &str| format!("export P=mnt/vars/alpha V={value}; echo $V > x; ({script})");
        let legal = bench.run(&with("77"));
        let stored = bench.stored("vars/alpha");
        let same = bench.on_disk() == toy::bytes(&[("alpha", 77), ("Beta", 22)]);
        let clean = bench.names("vars") == ["Beta", "alpha"];
        let first = legal.status.success() && stored == "77" && same && clean;
        bench.ok("echo 1 > mnt/vars/alpha");
        let illegal = bench.run(&with("sixty"));
        let failed = !illegal.status.success();
        let kept = bench.stored("vars/alpha") == "1"
            && bench.on_disk() == toy::bytes(&[("alpha", 1), ("Beta", 22)]);
        let row = format!(
            "{tool:8} legal {first} refused {failed} kept {kept}   {}",
            script.lines().next().unwrap()
        );
        if !(first && failed && kept) {
            wrong.push(format!(
                "{row}\n{legal:?}\n{:?}\n{illegal:?}",
                bench.names("vars")
            ));
        }
        rows.push(row);
    }
    println!("{}", rows.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
