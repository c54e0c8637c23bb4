use super::super::holder::{Holder, locking_process, mount_showing};
use super::super::{Claim, OnDisk, Options, Store};
use super::{NEW, OLD, Place, accept};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use std::ffi::CString;
use std::fs;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

fn held_by_us() -> Claim {
    Claim::Held(Holder {
        pid: Some(std::process::id()),
        mount_point: None,
    })
}

#[test]
fn a_second_claim_is_told_who_holds_the_first() {
    let place = Place::new();
    let (first, second) = (place.store(), place.store());
    assert_eq!(first.claim(), Claim::Taken);
    assert_eq!(first.claim(), Claim::Taken);
    assert_eq!(second.claim(), held_by_us());
    first.release();
    assert_eq!(second.claim(), Claim::Taken);
    drop(second);
    assert_eq!(first.claim(), Claim::Taken);
}

#[test]
fn a_commit_takes_the_claim_along() {
    let place = Place::new();
    let mount = place.store();
    assert_eq!(mount.claim(), Claim::Taken);
    mount.commit(NEW, accept).unwrap();
    assert_eq!(place.store().claim(), held_by_us());
    drop(mount);
    assert_eq!(place.store().claim(), Claim::Taken);
}

#[test]
fn a_claimed_save_can_be_committed_by_others_and_the_claim_follows() {
    let place = Place::new();
    let mount = place.store();
    mount.claim();
    place.store().commit(NEW, accept).unwrap();
    let OnDisk::Other(found) = mount.changed() else {
        panic!("not noticed")
    };
    assert_eq!(mount.adopt(&found), Claim::Taken);
    assert_eq!(place.store().claim(), held_by_us());
    assert!(mount.commit(OLD, accept).unwrap().written);
}

#[test]
fn a_claim_that_another_took_meanwhile_is_lost() {
    let place = Place::new();
    let mount = place.store();
    mount.claim();
    place.store().commit(NEW, accept).unwrap();
    let quicker = place.store();
    assert_eq!(quicker.claim(), Claim::Taken);
    let OnDisk::Other(found) = mount.changed() else {
        panic!("not noticed")
    };
    assert_eq!(mount.adopt(&found), held_by_us());
}

#[test]
fn without_a_claim_adopting_takes_none() {
    let place = Place::new();
    let reader = place.store();
    fs::write(place.save(), NEW).unwrap();
    let OnDisk::Other(found) = reader.changed() else {
        panic!("not noticed")
    };
    assert_eq!(reader.adopt(&found), Claim::None);
    assert_eq!(place.store().claim(), Claim::Taken);
}

#[test]
fn the_lock_table_names_the_process() {
    let table = "1: POSIX  ADVISORY  WRITE 11 08:01:77 0 EOF\n\
                 2: FLOCK  ADVISORY  READ  12 08:01:77 0 EOF\n\
                 3: FLOCK  ADVISORY  WRITE 13 08:02:77 0 EOF\n\
                 3: -> FLOCK  ADVISORY  WRITE 14 08:01:77 0 EOF\n\
                 4: FLOCK  ADVISORY  WRITE 15 08:01:77 0 EOF\n\
                 broken line\n";
    let device = rustix::fs::makedev(8, 1);
    assert_eq!(locking_process(table, device, 77), Some(15));
    assert_eq!(
        locking_process(table, rustix::fs::makedev(0, 40), 77),
        Some(13)
    );
    assert_eq!(locking_process(table, device, 7), None);
}

#[test]
fn the_mount_table_names_the_place() {
    let table = b"22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n\
        30 22 0:40 / /mnt/folder rw - fuse /saves rw\n\
        31 22 0:41 / /mnt/my\\040save rw,nosuid shared:7 master:2 - fuse.savefs /saves/my\\040one.sav rw\n\
        32 22 0:42 / /mnt/other rw - fuse.sshfs /saves/my\\040one.sav rw\n\
        33 22 0:43 / /mnt/broken\n";
    let shown = |path: &str| mount_showing(table, Path::new(path));
    assert_eq!(
        shown("/saves/my one.sav"),
        Some(PathBuf::from("/mnt/my save"))
    );
    assert_eq!(shown("/saves/two.sav"), Some(PathBuf::from("/mnt/folder")));
    assert_eq!(shown("/saves-too/two.sav"), None);
}

#[test]
fn a_holder_reads_as_a_sentence() {
    let told = |pid, mount: Option<&str>| {
        Holder {
            pid,
            mount_point: mount.map(PathBuf::from),
        }
        .to_string()
    };
    assert_eq!(told(Some(7), Some("/mnt")), "mounted at /mnt (process 7)");
    assert_eq!(told(None, Some("/mnt")), "mounted at /mnt");
    assert_eq!(told(Some(7), None), "held by process 7");
    assert_eq!(told(None, None), "held by another process");
}

/// A FUSE mount without a daemon is enough for the mount table: nothing looks inside it.
#[test]
fn the_holders_mount_is_found_in_the_real_mount_table() {
    let place = Place::new();
    let (save, point) = (place.at("my one.sav"), place.at("mount point"));
    fs::rename(place.save(), &save).unwrap();
    fs::create_dir(&point).unwrap();
    let (save, point) = (save.canonicalize().unwrap(), point.canonicalize().unwrap());
    let Ok(fuse) = fs::File::options().read(true).write(true).open("/dev/fuse") else {
        return eprintln!("SKIPPED: no /dev/fuse");
    };
    let options = format!(
        "fd={},rootmode=40000,user_id=0,group_id=0",
        fuse.as_raw_fd()
    );
    let options = CString::new(options).unwrap();
    let (flags, detach) = (MountFlags::empty(), UnmountFlags::DETACH);
    if let Err(errno) = mount(&save, &point, "fuse", flags, options.as_c_str()) {
        return eprintln!("SKIPPED: cannot mount: {errno}");
    }
    let open = || Store::open(&save, Options::default()).unwrap().0;
    let first = open();
    first.claim();
    let second = open().claim();
    unmount(&point, detach).unwrap();
    let expected = Holder {
        pid: Some(std::process::id()),
        mount_point: Some(point),
    };
    assert_eq!(second, Claim::Held(expected));
}
