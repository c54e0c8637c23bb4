//! DESIGN.md 3.8: the system calls that a value has little use for, each done or refused with the right code.

use super::{DUST, mounted, stored};
use crate::support::alone;
use rustix::fs::{
    AtFlags, CWD, FallocateFlags, FlockOperation, Mode, OFlags, StatxFlags, Timespec, Timestamps,
    XattrFlags,
};
use rustix::io::Errno;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

fn open(path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    rustix::fs::open(path, flags | OFlags::CLOEXEC, Mode::from_raw_mode(0o600))
}

#[test]
fn attributes_of_a_node_are_set_or_refused() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let node = mount.path().join("actors/Help/deg");
    let before = fs::read(&save).unwrap();
    for mode in [0o600, 0o777, 0] {
        fs::set_permissions(&node, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(fs::metadata(&node).unwrap().mode(), 0o100644);
    }
    let (uid, gid) = (
        fs::metadata(&node).unwrap().uid(),
        fs::metadata(&node).unwrap().gid(),
    );
    std::os::unix::fs::chown(&node, Some(uid), Some(gid)).unwrap();
    let other = std::os::unix::fs::chown(&node, Some(uid + 4242), None).unwrap_err();
    assert_eq!(other.raw_os_error(), Some(libc::EPERM));
    let time = Timespec {
        tv_sec: 1_000_000_000,
        tv_nsec: 5,
    };
    let times = Timestamps {
        last_access: time,
        last_modification: time,
    };
    rustix::fs::utimensat(CWD, &node, &times, AtFlags::empty()).unwrap();
    let meta = fs::metadata(&node).unwrap();
    assert_eq!((meta.mtime(), meta.mtime_nsec()), (1_000_000_000, 5));
    assert_eq!(fs::read(&save).unwrap(), before);
    // The next change counts again.
    fs::write(&node, "7\n").unwrap();
    assert!(fs::metadata(&node).unwrap().mtime() > 1_000_000_000);
}

#[test]
fn extended_attributes_are_set_or_refused() {
    let Some((_folder, _save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let node = mount.path().join("actors/Help/deg");
    let set = |name: &str| rustix::fs::setxattr(&node, name, b"x", XattrFlags::empty());
    for name in [
        "user.other",
        "user.savefs.range",
        "user.savefs.doc",
        "user.savefs.offset",
        "security.selinux",
        "trusted.x",
    ] {
        assert_eq!(set(name), Err(Errno::OPNOTSUPP), "{name}");
    }
    // An access list that says what the mode says: version 2, then tag, rights and nobody for owner, group and others.
    let entry = |tag: u8, rights: u8| [tag, 0, rights, 0, 255, 255, 255, 255];
    let list = [&[2, 0, 0, 0][..], &entry(1, 6), &entry(4, 4), &entry(32, 4)].concat();
    let access = rustix::fs::setxattr(&node, "system.posix_acl_access", &list, XattrFlags::empty());
    assert_eq!(access, Err(Errno::OPNOTSUPP));
    assert_eq!(
        rustix::fs::removexattr(&node, "user.other"),
        Err(Errno::OPNOTSUPP)
    );
    assert_eq!(
        rustix::fs::removexattr(&node, "user.savefs.type"),
        Err(Errno::PERM)
    );
    let variable = mount.path().join("globals/phase");
    assert_eq!(
        rustix::fs::setxattr(
            &variable,
            "user.savefs.type",
            b"pigeon",
            XattrFlags::empty()
        ),
        Err(Errno::INVAL)
    );
    rustix::fs::setxattr(
        &variable,
        "user.savefs.type",
        b"string",
        XattrFlags::empty(),
    )
    .unwrap();
    let mut buffer = [0; 32];
    let length = rustix::fs::getxattr(&variable, "user.savefs.type", &mut buffer).unwrap();
    assert_eq!(&buffer[..length], b"string");
    let too_small = rustix::fs::getxattr(&variable, "user.savefs.type", &mut [0; 2]);
    assert_eq!(too_small, Err(Errno::RANGE));
}

#[test]
fn statx_gives_what_there_is_and_claims_no_birth() {
    let Some((_folder, _save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let node = mount.path().join("actors/Help/deg");
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    let statx = rustix::fs::statx(CWD, &node, AtFlags::empty(), wanted).unwrap();
    assert_eq!(
        (statx.stx_size, statx.stx_nlink, statx.stx_mode),
        (4, 1, 0o100644)
    );
    assert!(StatxFlags::from_bits_retain(statx.stx_mask).contains(StatxFlags::BASIC_STATS));
    let born = StatxFlags::from_bits_retain(statx.stx_mask).contains(StatxFlags::BTIME);
    assert!(!born || statx.stx_btime.tv_sec > 0, "a birth in 1970");
}

#[test]
fn space_is_reserved_for_scratch_files_and_for_nothing_else() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let node = OpenOptions::new()
        .write(true)
        .open(mount.path().join("globals/phase"))
        .unwrap();
    for flags in [
        FallocateFlags::empty(),
        FallocateFlags::KEEP_SIZE,
        FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE,
        FallocateFlags::ZERO_RANGE,
    ] {
        assert_eq!(
            rustix::fs::fallocate(&node, flags, 0, 9),
            Err(Errno::OPNOTSUPP),
            "{flags:?}"
        );
    }
    drop(node);
    let scratch = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(mount.path().join("globals/.x"))
        .unwrap();
    rustix::fs::fallocate(&scratch, FallocateFlags::empty(), 0, 9).unwrap();
    assert_eq!(scratch.metadata().unwrap().len(), 9);
    rustix::fs::fallocate(&scratch, FallocateFlags::KEEP_SIZE, 0, 99).unwrap();
    assert_eq!(scratch.metadata().unwrap().len(), 9);
    assert_eq!(
        rustix::fs::fallocate(&scratch, FallocateFlags::ZERO_RANGE, 0, 4),
        Err(Errno::OPNOTSUPP)
    );
    assert_eq!(
        rustix::fs::fallocate(&scratch, FallocateFlags::empty(), 0, 1 << 40),
        Err(Errno::NOSPC)
    );
    assert_eq!(stored(&save, "globals/phase"), "0");
}

#[test]
fn a_file_without_a_name_is_refused_so_that_tools_make_one_with_a_name() {
    let Some((_folder, _save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    for directory in ["actors/Help", "globals", ""] {
        let made = open(
            &mount.path().join(directory),
            OFlags::TMPFILE | OFlags::RDWR,
        );
        assert_eq!(made.err(), Some(Errno::OPNOTSUPP), "{directory}");
    }
}

#[test]
fn locks_of_both_kinds_work_between_open_files() {
    let Some((_folder, _save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let node = mount.path().join("globals/phase");
    let open = || {
        OpenOptions::new()
            .read(true)
            .write(true)
            .open(&node)
            .unwrap()
    };
    let (one, two) = (open(), open());
    rustix::fs::flock(&one, FlockOperation::LockExclusive).unwrap();
    assert_eq!(
        rustix::fs::flock(&two, FlockOperation::NonBlockingLockExclusive),
        Err(Errno::AGAIN)
    );
    rustix::fs::flock(&one, FlockOperation::Unlock).unwrap();
    rustix::fs::flock(&two, FlockOperation::NonBlockingLockExclusive).unwrap();
    rustix::fs::flock(&two, FlockOperation::Unlock).unwrap();
    rustix::fs::fcntl_lock(&one, FlockOperation::LockExclusive).unwrap();
    // Locks of fcntl are a process's own: another one has to ask.
    let script = "import fcntl,sys
f=open(sys.argv[1],'r+')
try: fcntl.lockf(f, fcntl.LOCK_EX|fcntl.LOCK_NB); print('got it')
except BlockingIOError: print('locked')";
    let asked = || {
        let output = std::process::Command::new("python3")
            .args(["-c", script])
            .arg(&node)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(asked(), "locked\n");
    rustix::fs::fcntl_lock(&one, FlockOperation::Unlock).unwrap();
    assert_eq!(asked(), "got it\n");
}

#[test]
fn appended_bytes_go_to_the_end() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let at = |path: &str| mount.path().join(path);
    let mut file = OpenOptions::new()
        .append(true)
        .open(at("globals/handitem"))
        .unwrap();
    file.set_len(4).unwrap();
    file.write_all(b"yard").unwrap();
    file.write_all(b"s\n").unwrap();
    drop(file);
    assert_eq!(stored(&save, "globals/handitem"), "Boneyards");
    for text in ["one\n", "two\n"] {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(at("globals/.log"))
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }
    assert_eq!(fs::read(at("globals/.log")).unwrap(), b"one\ntwo\n");
}

#[test]
fn holes_are_not_claimed() {
    let Some((_folder, _save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    for path in ["palette", "actors/Help/deg"] {
        let file = File::open(mount.path().join(path)).unwrap();
        let size = file.metadata().unwrap().len();
        use rustix::fs::SeekFrom;
        assert_eq!(rustix::fs::seek(&file, SeekFrom::Data(1)), Ok(1), "{path}");
        assert_eq!(
            rustix::fs::seek(&file, SeekFrom::Hole(0)),
            Ok(size),
            "{path}"
        );
        assert_eq!(
            rustix::fs::seek(&file, SeekFrom::Data(size)),
            Err(Errno::NXIO),
            "{path}"
        );
        assert_eq!(
            rustix::fs::seek(&file, SeekFrom::Hole(size + 1)),
            Err(Errno::NXIO),
            "{path}"
        );
    }
}

/// The kernel may do it through reads and writes, or say that a program has to.
#[test]
fn copying_a_range_copies_it_or_is_refused() {
    let Some((folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let outside = folder.path().join("value");
    fs::write(&outside, "77\n").unwrap();
    let from = File::open(&outside).unwrap();
    let to = OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(mount.path().join("globals/phase"))
        .unwrap();
    let (mut at, mut there) = (0, 0);
    match rustix::fs::copy_file_range(&from, Some(&mut at), &to, Some(&mut there), 3) {
        Ok(3) => {}
        Err(Errno::XDEV | Errno::OPNOTSUPP) => drop((&to).write(b"77\n").unwrap()),
        other => panic!("{other:?}"),
    }
    drop(to);
    assert_eq!(stored(&save, "globals/phase"), "77");
    // Inside the mount, as `cp` does it.
    super::ok(
        &mount,
        "cp globals/phase globals/day; cp --reflink=auto globals/phase actors/Help/deg",
    );
    assert_eq!(
        [
            stored(&save, "globals/day"),
            stored(&save, "actors/Help/deg")
        ],
        ["77", "77"]
    );
}

/// A mapping's bytes arrive when it is synced or goes, like a late write.
#[test]
fn a_shared_mapping_writes_a_node() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let (status, out, errors) = mount.sh(
        "python3",
        "\
import mmap
f = open('globals/handitem', 'r+b')
m = mmap.mmap(f.fileno(), 0)
assert m[:] == b'Bone\\n', m[:]
m[0:4] = b'Rope'
m.flush()
m.close()
f.close()
",
    );
    assert_eq!((status, out.as_str(), errors.as_str()), (0, "", ""));
    assert_eq!(mount.read("globals/handitem"), "Rope\n");
    super::eventually(2, "it is on disk", || {
        stored(&save, "globals/handitem") == "Rope"
    });
}

#[test]
fn a_value_written_byte_by_byte_from_the_end_is_whole_at_the_flush() {
    alone(
        "sentences::calls::a_value_written_byte_by_byte_from_the_end_is_whole_at_the_flush",
        byte_by_byte,
    );
}
fn byte_by_byte() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let file = OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(mount.path().join("globals/day"))
        .unwrap();
    file.set_len(4).unwrap();
    for (at, byte) in [(3, b'\n'), (2, b'3'), (1, b'2'), (0, b'1')] {
        file.write_all_at(&[byte], at).unwrap();
    }
    drop(file);
    assert_eq!(stored(&save, "globals/day"), "123");
}

#[test]
fn special_files_and_directories_are_refused() {
    let Some((_folder, _save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let at = |path: &str| mount.path().join(path);
    for (script, words) in [
        ("mkfifo globals/.pipe", "not permitted"),
        ("mkdir globals/.d", "not permitted"),
        ("mv actors/Help actors/.old", "not permitted"),
        ("ln actors/Help/deg actors/Help/other", "not permitted"),
        ("ln -s deg actors/Help/other", "not permitted"),
        ("rmdir actors/Help/deg", "Not a directory"),
        ("cat actors/Help/deg/x", "Not a directory"),
        ("echo 1 > actors/Help", "directory"),
    ] {
        let (status, out, errors) = mount.sh("bash", script);
        assert!(
            status != 0 && errors.contains(words),
            "{script}: {status} {out}{errors}"
        );
    }
    let mut text = String::new();
    assert!(
        File::open(at("actors/Help"))
            .unwrap()
            .read_to_string(&mut text)
            .is_err()
    );
    std::thread::sleep(Duration::from_millis(10));
    assert_eq!(mount.read("actors/Help/deg"), "192\n");
}
