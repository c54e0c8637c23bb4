//! Files that tools make beside a node, renames over and away, and nodes that are unlinked.

use super::{Bench, eventually, toy};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};

fn private(bench: &Bench, path: &str) -> fs::File {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o600);
    options.open(bench.at(path)).unwrap()
}

#[test]
fn a_scratch_file_is_an_ordinary_file_that_never_reaches_the_save() {
    let Some(bench) = Bench::new() else { return };
    let file = private(&bench, "hero/sedAbCdEf");
    file.write_all_at(b"anything \xff at all", 3).unwrap();
    file.set_len(5).unwrap();
    drop(file);
    assert_eq!(fs::read(bench.at("hero/sedAbCdEf")).unwrap(), b"\0\0\0an");
    bench.ok("cd mnt/hero; echo more >> sedAbCdEf; ln sedAbCdEf .x; mv .x .y; ln -s nowhere .#level; chmod 640 sedAbCdEf; chown 12:34 sedAbCdEf");
    let meta = fs::metadata(bench.at("hero/.y")).unwrap();
    assert_eq!(
        (
            meta.nlink(),
            meta.mode() & 0o777,
            meta.uid(),
            meta.gid(),
            meta.len()
        ),
        (2, 0o640, 12, 34, 10)
    );
    let names = bench.names("hero");
    assert!(
        [".#level", ".y", "sedAbCdEf"]
            .iter()
            .all(|n| names.contains(&n.to_string())),
        "{names:?}"
    );
    assert_eq!(
        fs::read(bench.at(".savefs/current")).unwrap(),
        bench.on_disk()
    );
    bench.ok("cd mnt/hero; exec 3< .y; rm .y sedAbCdEf; cat <&3 | wc -c | grep 10; rm .#level; fallocate -l 9 .z; stat -c %s .z; rm .z");
    assert_eq!(bench.names("hero").len(), 6);
    assert_eq!(bench.on_disk(), toy::bytes(&[("alpha", 1), ("Beta", 22)]));
}

#[test]
fn renaming_a_scratch_file_over_a_node_writes_that_node() {
    let Some(bench) = Bench::new() else { return };
    private(&bench, "hero/sedAbCdEf")
        .write_all(b"0x7\n")
        .unwrap();
    bench.ok("cat mnt/hero/level; mv mnt/hero/sedAbCdEf mnt/hero/level");
    assert_eq!(
        bench.ok("cat mnt/hero/level mnt/hero/mirror; stat -c %s mnt/hero/level"),
        "7\n7\n2"
    );
    assert_eq!(bench.stored("hero/level"), "7");
    assert_eq!(bench.names("hero").len(), 6);
    // And again, the number having moved.
    bench.ok("echo 6 > mnt/hero/level");
    private(&bench, "hero/sedAbCdEf").write_all(b"8").unwrap();
    bench.ok("mv mnt/hero/sedAbCdEf mnt/hero/level");
    assert_eq!(bench.stored("hero/level"), "8");
}

#[test]
fn a_refused_value_refuses_the_rename_and_leaves_both() {
    let Some(bench) = Bench::new() else { return };
    private(&bench, "hero/sedAbCdEf")
        .write_all(b"77\n")
        .unwrap();
    let refused = fs::rename(bench.at("hero/sedAbCdEf"), bench.at("hero/level")).unwrap_err();
    assert_eq!(refused.raw_os_error(), Some(libc::EINVAL));
    assert_eq!(bench.ok("cat mnt/hero/level mnt/hero/sedAbCdEf"), "5\n77");
}

#[test]
fn renames_with_flags() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let Some(bench) = Bench::new() else { return };
    private(&bench, "hero/.a").write_all(b"7\n").unwrap();
    let rename =
        |from: &str, to: &str, flags| renameat_with(CWD, bench.at(from), CWD, bench.at(to), flags);
    assert_eq!(
        rename("hero/.a", "hero/level", RenameFlags::NOREPLACE),
        Err(rustix::io::Errno::EXIST)
    );
    assert_eq!(
        rename("hero/.a", "hero/level", RenameFlags::EXCHANGE),
        Err(rustix::io::Errno::INVAL)
    );
    assert_eq!(bench.ok("cat mnt/hero/.a mnt/hero/level"), "7\n5");
    assert_eq!(rename("hero/.a", "hero/.b", RenameFlags::NOREPLACE), Ok(()));
    assert_eq!(bench.get("hero/.b"), "7");
}

#[test]
fn a_file_that_is_renamed_before_it_is_closed_writes_the_node_when_it_is() {
    let Some(bench) = Bench::new() else { return };
    let mut file = private(&bench, "hero/.new");
    file.write_all(b"7").unwrap();
    fs::rename(bench.at("hero/.new"), bench.at("hero/hp")).unwrap();
    assert_eq!(bench.stored("hero/hp"), "7");
    file.write_all(b"3\n").unwrap();
    drop(file);
    assert_eq!(bench.stored("hero/hp"), "73");
}

#[test]
fn a_node_that_is_renamed_away_on_the_way_to_rewriting_it_is_not_lost() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("mv mnt/hero/level mnt/hero/level~; ! test -e mnt/hero/level; cat mnt/hero/level~; echo 8 > mnt/hero/level; cat mnt/hero/level~ | grep 5; rm mnt/hero/level~");
    assert_eq!(bench.stored("hero/level"), "8");
    assert_eq!(bench.names("hero").len(), 6);
    bench.ok("mv mnt/hero/level mnt/hero/level.bak");
    eventually(8, "the node is back", || bench.at("hero/level").exists());
    assert_eq!(bench.ok("cat mnt/hero/level mnt/hero/level.bak"), "8\n8");
}

#[test]
fn an_unlinked_node_is_hidden_and_back_after_five_seconds_unless_it_is_written() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("rm mnt/hero/level mnt/hero/hp; ! cat mnt/hero/level 2>&1; ls mnt/hero | grep -c level | grep 0; echo 8 > mnt/hero/hp");
    assert_eq!(bench.stored("hero/hp"), "8");
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert!(!bench.at("hero/level").exists());
    eventually(4, "the node is back", || bench.at("hero/level").exists());
    assert_eq!(
        bench.ok("cat mnt/hero/level; ls mnt/hero | grep -c level"),
        "5\n1"
    );
    assert!(
        bench.errors().contains("hero/level: cannot be removed"),
        "{}",
        bench.errors()
    );
    assert!(!bench.errors().contains("hero/hp"));
}

#[test]
fn name_links() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("rm mnt/hero/strength; ln -s level mnt/hero/strength; ln -sf level mnt/hero/strength; readlink mnt/hero/strength");
    bench.fails("ln -sf hp mnt/hero/strength");
    bench.fails("rm mnt/hero/strength; ln -s hp mnt/hero/strength");
    bench.ok("ln -s level mnt/hero/strength");
    private(&bench, "hero/.new").write_all(b"9\n").unwrap();
    fs::rename(bench.at("hero/.new"), bench.at("hero/strength")).unwrap();
    assert_eq!(bench.stored("hero/level"), "9");
    eventually(3, "the name is a link again", || {
        fs::symlink_metadata(bench.at("hero/strength"))
            .unwrap()
            .is_symlink()
    });
    assert_eq!(bench.ok("cat mnt/hero/strength"), "9");
}

#[test]
fn scratch_files_have_a_bound() {
    let Some(bench) = Bench::new() else { return };
    let error = bench.fails("head -c 300000000 /dev/zero > mnt/hero/.big");
    assert!(error.contains("No space left on device"), "{error}");
    bench.ok("rm mnt/hero/.big; head -c 1000000 /dev/zero > mnt/hero/.big; stat -c %s mnt/hero/.big | grep 1000000");
}

#[test]
fn mapped_memory_of_a_node_and_of_a_scratch_file() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("printf 12345678 > mnt/hero/.m; python3 - <<'X'
import mmap, os
with open('mnt/blob.bin', 'rb') as f:
    assert mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)[5999] == 5999 % 251
with open('mnt/hero/.m', 'r+b') as f:
    m = mmap.mmap(f.fileno(), 0); m[2:4] = b'xx'; m.flush(); m.close()
assert open('mnt/hero/.m', 'rb').read() == b'12xx5678'
X");
}
