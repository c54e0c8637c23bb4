//! The control directory.

use super::{Bench, eventually, toy};
use savefs::session::Commit;
use std::fs;

#[test]
fn the_control_directory_tells_of_the_save() {
    let Some(bench) = Bench::new() else { return };
    assert_eq!(
        bench.ok("cat mnt/.savefs/format mnt/.savefs/state; ls mnt/.savefs"),
        "toy\nclean\ncontrol\ncurrent\nerrors\nfindings\nformat\noriginal\npath\npending.diff\nstate\nversions"
    );
    assert_eq!(
        bench.get(".savefs/path"),
        bench.save().canonicalize().unwrap().to_str().unwrap()
    );
    let old = bench.on_disk();
    bench.ok("echo 7 > mnt/hero/level");
    assert_eq!(fs::read(bench.at(".savefs/original")).unwrap(), old);
    assert_eq!(
        fs::read(bench.at(".savefs/current")).unwrap(),
        bench.on_disk()
    );
    assert_eq!(bench.ok("ls mnt/.savefs/versions; cat mnt/.savefs/versions/0/hero/mirror mnt/.savefs/versions/1/hero/mirror"), "0\n1\n5\n7");
    for script in [
        "echo 1 > mnt/.savefs/versions/0/hero/level",
        "rm mnt/.savefs/versions/0/hero/level",
        "rm mnt/.savefs/state",
        "touch mnt/.savefs/x",
        "mkdir mnt/.savefs/versions/9",
        "echo x > mnt/.savefs/state",
        "cat mnt/.savefs/versions/2",
        "rmdir mnt/.savefs",
    ] {
        bench.fails(script);
    }
}

#[test]
fn commands() {
    let Some(bench) = Bench::with(Commit::Manual) else {
        return;
    };
    bench.ok("echo 7 > mnt/hero/level; cat mnt/hero/level; echo discard > mnt/.savefs/control");
    assert_eq!(bench.ok("cat mnt/hero/level mnt/.savefs/state"), "5\nclean");
    bench.ok("echo 7 > mnt/hero/level; printf commit > mnt/.savefs/control");
    assert_eq!(bench.stored("hero/level"), "7");
    bench.ok("echo 8 > mnt/hero/level");
    assert!(
        bench
            .fails("echo undo > mnt/.savefs/control")
            .contains("busy")
    );
    assert!(
        bench
            .fails("echo reload > mnt/.savefs/control")
            .contains("busy")
    );
    bench.ok(
        "echo commit > mnt/.savefs/control; cat mnt/hero/level; echo undo > mnt/.savefs/control",
    );
    assert_eq!(
        (bench.stored("hero/level"), bench.get("hero/level")),
        ("7".into(), "7".into())
    );
    bench.ok("echo undo 0 > mnt/.savefs/control");
    assert_eq!(bench.on_disk(), toy::bytes(&[("alpha", 1), ("Beta", 22)]));
    assert!(
        bench
            .fails("echo frobnicate > mnt/.savefs/control")
            .contains("Invalid argument")
    );
    assert!(
        bench
            .errors()
            .contains("no such command (legal: commit, discard, reload, undo, undo N)")
    );
}

#[test]
fn what_another_program_writes_appears_by_itself() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("cat mnt/vars/* mnt/count; ls -l mnt/vars");
    fs::write(
        bench.save().with_file_name("new"),
        toy::bytes(&[("alpha", 111), ("zeta", 3)]),
    )
    .unwrap();
    fs::rename(bench.save().with_file_name("new"), bench.save()).unwrap();
    eventually(5, "the mount has reloaded", || {
        bench.get("vars/alpha") == "111"
    });
    eventually(5, "names that went are gone", || {
        !bench.at("vars/Beta").exists()
    });
    assert_eq!(
        bench.ok("cat mnt/vars/zeta mnt/count; stat -c %s mnt/vars/alpha mnt/count"),
        "3\n2 alpha zeta\n4\n13"
    );
}
