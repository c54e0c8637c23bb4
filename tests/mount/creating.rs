//! Entries that the save takes and gives up.

use super::{Bench, eventually};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

#[test]
fn a_new_name_is_made_by_its_first_value() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("cat mnt/count; echo 5 > mnt/vars/new; cp mnt/vars/new mnt/vars/copy");
    assert_eq!(
        bench.ok("ls -U mnt/vars; cat mnt/vars/new mnt/vars/copy"),
        "alpha\nBeta\nnew\ncopy\n5\n5"
    );
    assert_eq!(bench.stored("count"), "4 alpha Beta new copy");
}

#[test]
fn a_first_value_that_is_refused_makes_nothing() {
    let Some(bench) = Bench::new() else { return };
    assert!(
        bench
            .fails("echo abc > mnt/vars/new")
            .contains("write error")
    );
    assert!(
        bench
            .fails("echo 1 > mnt/vars/muchtoolong")
            .contains("File name too long")
    );
    bench.ok(": > mnt/vars/empty; ! test -e mnt/vars/empty; ! test -e mnt/vars/new");
    assert_eq!(bench.names("vars"), ["Beta", "alpha"]);
    assert!(
        bench
            .errors()
            .contains("vars/empty: no value was written, so nothing was made")
    );
}

#[test]
fn what_has_a_rule_is_removed_and_renamed() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("cat mnt/vars/* >/dev/null; rm mnt/vars/alpha; ! test -e mnt/vars/alpha");
    eventually(3, "it is removed", || bench.stored("count") == "1 Beta");
    bench.ok("mv mnt/vars/Beta mnt/vars/gamma; cat mnt/vars/gamma; ! test -e mnt/vars/Beta");
    assert_eq!(bench.stored("count"), "1 gamma");
    assert_eq!(bench.stored("vars/gamma"), "22");
}

#[test]
fn a_tools_file_is_no_creation_even_where_there_are_creations() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("sed -i s/1/7/ mnt/vars/alpha; sed -i.bak s/7/8/ mnt/vars/alpha; perl -pi -e s/8/9/ mnt/vars/alpha");
    assert_eq!(bench.stored("count"), "2 alpha Beta");
    assert_eq!(
        bench.ok("ls mnt/vars; cat mnt/vars/alpha.bak"),
        "Beta\nalpha\nalpha.bak\n7"
    );
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options
        .open(bench.at("vars/tmpabc"))
        .unwrap()
        .write_all(b"44\n")
        .unwrap();
    assert_eq!(bench.stored("count"), "2 alpha Beta");
    fs::rename(bench.at("vars/tmpabc"), bench.at("vars/delta")).unwrap();
    assert_eq!(bench.stored("vars/delta"), "44");
    options
        .open(bench.at("vars/left"))
        .unwrap()
        .write_all(b"4\n")
        .unwrap();
    eventually(8, "the file that was left is reported", || {
        bench.errors().contains("vars/left: is a temporary file")
    });
}

#[test]
fn entries_that_move_show_their_own_values() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("for i in 1 2 3 4 5; do echo $i > mnt/vars/v$i; done; cat mnt/vars/* > /dev/null; stat mnt/vars/* > /dev/null");
    bench.ok("rm mnt/vars/v2 mnt/vars/alpha");
    eventually(3, "both are removed", || {
        bench.get("count") == "5 Beta v1 v3 v4 v5"
    });
    assert_eq!(
        bench.ok("cd mnt/vars; for f in *; do echo $f $(cat $f); done"),
        "Beta 22\nv1 1\nv3 3\nv4 4\nv5 5"
    );
}

#[test]
fn a_removal_waits_for_the_write_that_it_may_be_the_beginning_of() {
    let Some(mut bench) = Bench::new() else {
        return;
    };
    bench.fails("echo sixty > x; mv x mnt/vars/alpha");
    assert_eq!(bench.stored("vars/alpha"), "1");
    bench.ok("echo 60 > x; mv x mnt/vars/alpha; rm mnt/vars/Beta");
    bench.stop();
    assert_eq!(
        (bench.stored("vars/alpha"), bench.stored("count")),
        ("60".into(), "1 alpha".into())
    );
}
