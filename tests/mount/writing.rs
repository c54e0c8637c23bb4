//! Edits, refusals, and what belongs to a handle.

use super::{Bench, toy};
use savefs::session::Commit;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};

fn code(result: std::io::Result<impl Sized>) -> Option<i32> {
    result.err().and_then(|error| error.raw_os_error())
}

#[test]
fn an_edit_is_on_disk_when_its_handle_is_closed_and_leaves_a_backup() {
    let Some(bench) = Bench::new() else { return };
    let old = bench.on_disk();
    bench.ok("echo 7 > mnt/hero/hp");
    assert_eq!(bench.stored("hero/hp"), "7");
    let new = bench.on_disk();
    let differ: Vec<usize> = (0..old.len()).filter(|at| old[*at] != new[*at]).collect();
    assert_eq!(differ, [6]);
    assert_eq!(
        fs::read(bench.save().with_file_name("save.bak")).unwrap(),
        old
    );
}

#[test]
fn a_value_is_refused_at_write_as_soon_as_it_cannot_become_legal() {
    let Some(bench) = Bench::new() else { return };
    let before = fs::metadata(bench.save()).unwrap();
    let mut file = OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(bench.at("hero/level"))
        .unwrap();
    file.write_all(b"1").unwrap();
    assert_eq!(code(file.write(b"9")), Some(libc::EINVAL));
    drop(file);
    assert_eq!(bench.get("hero/level"), "5");
    for script in [
        "echo 999 > mnt/hero/level",
        "echo abc > mnt/hero/level",
        "echo averyveryverylongname > mnt/hero/name",
    ] {
        assert!(bench.fails(script).contains("write error"), "{script}");
    }
    let after = fs::metadata(bench.save()).unwrap();
    assert_eq!(
        (before.ino(), before.mtime_nsec()),
        (after.ino(), after.mtime_nsec())
    );
    assert_eq!(bench.ok("cat mnt/hero/level mnt/hero/name"), "5\nConan");
    let errors = bench.errors();
    assert!(
        errors.contains("hero/level: \"999\": out of range (legal: 0..10)"),
        "{errors}"
    );
}

#[test]
fn a_coupling_is_refused_at_write_when_a_one_line_value_is_complete() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("echo > mnt/hero/name");
    assert_eq!(bench.get("hero/name"), "");
    let error = bench.fails("echo 1 > mnt/hero/visible");
    assert!(
        error.contains("write error: Device or resource busy"),
        "{error}"
    );
    assert!(bench.errors().contains("hero/visible: \"1\": has no name"));
    assert_eq!(
        code(fs::write(bench.at("hero/visible"), "1\n")),
        Some(libc::EBUSY)
    );
    bench.ok("echo x > mnt/hero/name; echo 1 > mnt/hero/visible");
    assert_eq!(bench.stored("hero/visible"), "1");
}

#[test]
fn it_is_checked_in_full_at_flush_and_at_fsync() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("echo > mnt/hero/name");
    let write = || {
        let mut file = OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(bench.at("hero/visible"))
            .unwrap();
        file.write_all(b"1").unwrap();
        file
    };
    assert_eq!(code(write().sync_all()), Some(libc::EBUSY));
    bench.fails("cp <(printf 1) mnt/hero/visible");
    assert_eq!(bench.get("hero/visible"), "0");
    bench.ok("echo x > mnt/hero/name");
    let file = write();
    file.sync_all().unwrap();
    assert_eq!(bench.stored("hero/visible"), "1");
}

#[test]
fn after_a_refusal_half_a_value_is_none() {
    let Some(bench) = Bench::new() else { return };
    bench.fails("echo 99 > x; dd if=x of=mnt/hero/level bs=1 status=none");
    assert_eq!(bench.get("hero/level"), "5");
    bench.ok("exec 3> mnt/hero/level; ! echo 99 >&3; echo 6 >&3; exec 3>&-");
    assert_eq!(bench.stored("hero/level"), "6");
    bench.fails("exec 3> mnt/hero/level; echo 7 >&3; echo 8 >&3");
    assert_eq!(bench.stored("hero/level"), "7");
}

#[test]
fn written_bytes_belong_to_the_open_handle_until_it_is_flushed() {
    let Some(bench) = Bench::new() else { return };
    bench.ok(
        "python3 - <<'X'
import os, threading
node = 'mnt/hero/name'
reader = open(node)
f = os.open(node, os.O_RDWR | os.O_TRUNC)
os.write(f, b'Sonja')
seen = []
t = threading.Thread(target=lambda: seen.extend([open(node).read(), os.stat(node).st_size, reader.read()]))
t.start(); t.join()
assert seen == ['Conan\\n', 6, 'Conan\\n'], seen
assert os.pread(f, 9, 0) == b'Sonja'
os.close(f)
assert open(node).read() == 'Sonja\\n' and os.stat(node).st_size == 6
X",
    );
}

#[test]
fn two_writers_of_one_node_do_not_mix() {
    let Some(bench) = Bench::new() else { return };
    // In one other process: whenever a program is started here, the copies of our handles that it closes are flushed.
    bench.ok("python3 - <<'X'
import os
node = 'mnt/hero/name'
one, two = (os.open(node, os.O_WRONLY | os.O_TRUNC) for _ in range(2))
os.write(one, b'Anna'); os.write(two, b'Berta'); os.write(one, b'Anna')
os.close(two); assert open(node).read() == 'Berta\\n', open(node).read()
os.close(one); assert open(node).read() == 'AnnaAnna\\n', open(node).read()
X");
    assert_eq!(bench.stored("hero/name"), "AnnaAnna");
}

#[test]
fn what_changes_nothing_does_not_touch_the_disk() {
    let Some(bench) = Bench::new() else { return };
    let before = fs::metadata(bench.save()).unwrap();
    bench.ok(": > mnt/hero/level; truncate -s0 mnt/hero/name; truncate -s 1 mnt/hero/name; echo 5 > mnt/hero/level; \
        echo 0x5 > mnt/hero/level; cp mnt/blob.bin x; cp x mnt/blob.bin; touch mnt/hero/level; chmod 600 mnt/hero/level; \
        chown $(id -u):$(id -g) mnt/hero/level; exec 3<>mnt/hero/level; exec 3>&-");
    assert_eq!(bench.ok("cat mnt/hero/level mnt/hero/name"), "5\nConan");
    let after = fs::metadata(bench.save()).unwrap();
    assert_eq!(
        (before.ino(), before.mtime_nsec()),
        (after.ino(), after.mtime_nsec())
    );
    bench.fails("chown 4242 mnt/hero/level");
}

#[test]
fn several_flushes_of_the_same_bytes_are_one_edit() {
    let Some(bench) = Bench::new() else { return };
    bench
        .ok("exec 3> mnt/hero/level; echo 7 >&3; cat /dev/null >&3; cat /dev/null 4>&3; exec 3>&-");
    assert_eq!(bench.get("hero/level"), "7");
    assert_eq!(bench.session().versions().len(), 2);
}

#[test]
fn a_read_only_node_takes_what_it_holds_and_refuses_the_rest_at_write() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("echo 5 > mnt/hero/mirror; cp mnt/count x; cp x mnt/count; cp -r mnt/hero/. mnt/hero/ 2>/dev/null; cp -r mnt copy; cp -r copy/. mnt/");
    assert_eq!(bench.errors(), "");
    let error = bench.fails("echo 6 > mnt/hero/mirror");
    assert!(
        error.contains("write error: Operation not permitted"),
        "{error}"
    );
    bench.fails("echo 3 > mnt/count");
    assert_eq!(bench.on_disk(), toy::bytes(&[("alpha", 1), ("Beta", 22)]));
}

#[test]
fn bytes_go_where_they_are_written_and_appended_ones_to_the_end() {
    let Some(bench) = Bench::new() else { return };
    let blob = OpenOptions::new()
        .write(true)
        .open(bench.at("blob.bin"))
        .unwrap();
    blob.write_all_at(b"middle", 3000).unwrap();
    drop(blob);
    let bytes = fs::read(bench.at("blob.bin")).unwrap();
    assert_eq!((&bytes[3000..3006], bytes.len()), (&b"middle"[..], 6000));
    // The newline that ends the old value is a part of it, and two lines are no number.
    bench.fails("echo 1 > mnt/hero/hp; printf 23 >> mnt/hero/hp");
    assert_eq!(bench.get("hero/hp"), "1");
    bench.ok("python3 -c \"f=open('mnt/hero/name','a'); f.truncate(0); f.write('Al'); f.flush(); f.write('ine'); f.close()\"");
    assert_eq!(bench.stored("hero/name"), "Aline");
    let mut file = OpenOptions::new()
        .write(true)
        .open(bench.at("hero/hp"))
        .unwrap();
    file.set_len(0).unwrap();
    file.write_all(b"99\n").unwrap();
    file.set_len(3).unwrap();
    assert_eq!(file.metadata().unwrap().len(), 3);
    drop(file);
    assert_eq!(bench.stored("hero/hp"), "99");
}

#[test]
fn a_mistyped_name_is_an_error_and_not_a_new_file() {
    let Some(bench) = Bench::new() else { return };
    for script in [
        "echo 5 > mnt/hero/levels",
        "cp save mnt/hero/levels",
        "mkdir mnt/hero/x",
        "mkdir mnt/vars/x",
        "ln -s level mnt/hero/other",
        "rmdir mnt/hero",
        "rm -r mnt/hero",
        "mv mnt/hero mnt/hera",
        "mkfifo mnt/hero/pipe",
        "echo 1 > mnt/hero/4913",
    ] {
        let error = bench.fails(script);
        assert!(
            error.contains("Operation not permitted"),
            "{script}: {error}"
        );
    }
    assert!(
        bench
            .errors()
            .contains("hero/levels: there is no levels here; did you mean level?")
    );
}

#[test]
fn calls_that_a_value_has_no_use_for_get_the_right_code() {
    let Some(bench) = Bench::new() else { return };
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(bench.at("hero/level"))
        .unwrap();
    use rustix::fs::{FallocateFlags, fallocate};
    assert_eq!(
        fallocate(&file, FallocateFlags::empty(), 0, 10),
        Err(rustix::io::Errno::OPNOTSUPP)
    );
    assert_eq!(
        rustix::fs::ioctl_getflags(&file),
        Err(rustix::io::Errno::NOTTY)
    );
    let tmp = OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_TMPFILE)
        .open(bench.at("hero"));
    assert_eq!(code(tmp), Some(libc::EOPNOTSUPP));
    let out = OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(bench.at("hero/hp"))
        .unwrap();
    let copied = rustix::fs::copy_file_range(&file, Some(&mut 0), &out, Some(&mut 0), 10);
    assert!(
        matches!(
            copied,
            Ok(2) | Err(rustix::io::Errno::XDEV | rustix::io::Errno::OPNOTSUPP)
        ),
        "{copied:?}"
    );
    bench.ok("flock mnt/hero/level true; cp --reflink=auto mnt/hero/level x; test -r mnt/hero/mirror -a ! -x mnt/hero/level");
    assert_eq!(
        fs::create_dir(bench.at("hero")).unwrap_err().kind(),
        ErrorKind::AlreadyExists
    );
}

#[test]
fn a_thousand_edits_from_eight_processes_lose_none() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("for p in 1 2 3 4 5 6 7 8; do (for i in $(seq 125); do echo $i > mnt/vars/v$p || exit 1; done) & done; \
        for j in $(jobs -p); do wait $j || exit 1; done");
    for p in 1..=8 {
        assert_eq!(bench.stored(&format!("vars/v{p}")), "125");
    }
    assert_eq!(bench.errors(), "");
}

#[test]
fn an_owed_commit_is_tried_again_at_the_next_write_and_its_error_is_that_writes() {
    let Some(bench) = Bench::new() else { return };
    let folder = File::open(bench.save().parent().unwrap()).unwrap();
    rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive).unwrap();
    bench.run("echo 7 > mnt/hero/level");
    assert_eq!(bench.get("hero/level"), "7");
    assert!(
        bench.get(".savefs/state").starts_with("pending: 1"),
        "{}",
        bench.get(".savefs/state")
    );
    let error = bench.fails("echo 8 > mnt/hero/hp");
    assert!(
        error.contains("write error: Device or resource busy"),
        "{error}"
    );
    rustix::fs::flock(&folder, rustix::fs::FlockOperation::Unlock).unwrap();
    bench.ok("echo 8 > mnt/hero/hp");
    assert_eq!(
        (bench.stored("hero/level"), bench.stored("hero/hp")),
        ("7".into(), "8".into())
    );
    assert_eq!(bench.get(".savefs/state"), "clean");
}

#[test]
fn a_hundred_fields_under_manual_commit_are_one_commit() {
    let Some(bench) = Bench::with(Commit::Manual) else {
        return;
    };
    let before = bench.on_disk();
    bench.ok("for i in $(seq 100); do echo $i > mnt/vars/v$i; done; echo 9 > mnt/hero/level");
    assert_eq!(bench.on_disk(), before);
    assert_eq!(bench.ok("cat mnt/vars/v77 mnt/hero/mirror"), "77\n9");
    let diff = bench.get(".savefs/pending.diff");
    assert!(
        diff.contains("hero/level: 5 -> 9") && diff.contains("vars/v3: - -> 3"),
        "{diff}"
    );
    bench.ok("echo commit > mnt/.savefs/control");
    assert_eq!(
        (bench.stored("vars/v100"), bench.stored("hero/mirror")),
        ("100".into(), "9".into())
    );
    assert_eq!(bench.session().versions().len(), 2);
}
