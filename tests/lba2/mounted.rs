//! Everyday tools on a mounted save.

use super::{bytes, fingerprint, get};
use crate::support::{Mounted, copy_of, fixture};
use std::path::PathBuf;

/// A copy of PLAIN32C, mounted; the folder is left as it goes by the caller.
fn mounted() -> Option<(tempfile::TempDir, PathBuf, Mounted)> {
    let (folder, save) = copy_of(&fixture("lba2/PLAIN32C.LBA"));
    let mount = Mounted::new(&save, folder.path(), &["--no-backup"])?;
    Some((folder, save, mount))
}

/// Runs a script that must succeed in silence on standard error, and gives what it prints.
fn run(mount: &Mounted, script: &str) -> String {
    let (status, output, error) = mount.sh("bash", &format!("set -e; {script}"));
    assert_eq!((status, error.as_str()), (0, ""), "{script}");
    output
}

#[test]
fn a_name_link_takes_every_way_of_writing() {
    let Some((_folder, save, mount)) = mounted() else {
        return;
    };
    let link = "lba/inventory/proto_pack";
    assert_eq!(run(&mount, &format!("readlink {link}")), "12\n");
    for (script, value) in [
        (format!("echo 1 > {link}"), "1\n"),
        (format!("sed -i s/1/0/ {link}"), "0\n"),
        (format!("echo 1 > ../new; mv ../new {link}"), "1\n"),
        (format!("echo 0 > ../new; cp ../new {link}"), "0\n"),
        (format!("ln -sf 12 {link}"), "0\n"),
    ] {
        run(&mount, &script);
        assert_eq!(mount.read("lba/inventory/12"), value, "{script}");
        assert_eq!(mount.read("lba/vars/12"), value, "{script}");
    }
    let (status, _, error) = mount.sh("bash", &format!("ln -sf 13 {link}"));
    assert_eq!(status, 1);
    assert!(error.contains("not permitted"), "{error}");
    mount.unmount();
    assert_eq!(get(&save, "lba/inventory/12"), "0");
}

#[test]
fn the_tree_copied_onto_itself_is_no_edit() {
    let Some((_folder, save, mount)) = mounted() else {
        return;
    };
    let before = fingerprint(&save);
    run(&mount, "cp -r lba ../plain; cp -r ../plain/. lba");
    run(
        &mount,
        "cp -a lba ../links; cp -a ../links/. lba; diff -r lba ../links",
    );
    run(&mount, "tar c lba | tar x");
    mount.unmount();
    assert!(fingerprint(&save) == before);
}

#[test]
fn a_picture_is_read_and_written_back_and_replaced_by_a_rename() {
    let Some((_folder, save, mount)) = mounted() else {
        return;
    };
    let before = fingerprint(&save);
    run(
        &mount,
        "cp lba/screenshot.png ../shot.png; cp ../shot.png lba/screenshot.png",
    );
    assert!(fingerprint(&save) == before, "the same picture is no edit");
    run(&mount, "head -c 19200 /dev/zero > lba/screenshot.bin");
    assert!(bytes(&save) != before.0);
    // As an image editor saves: a file beside it, renamed over it.
    run(
        &mount,
        "cp ../shot.png lba/.screenshot.png.AbCdEf; mv lba/.screenshot.png.AbCdEf lba/screenshot.png",
    );
    assert!(bytes(&save) == before.0, "the old picture, so the old file");
    let (status, _, error) = mount.sh("bash", "echo no picture > lba/screenshot.png");
    assert_eq!(status, 1);
    assert!(error.contains("Invalid argument"), "{error}");
    mount.unmount();
    assert!(bytes(&save) == before.0);
}

#[test]
fn what_the_scene_fixes_stays() {
    let Some((_folder, save, mount)) = mounted() else {
        return;
    };
    let before = fingerprint(&save);
    for script in [
        "echo 5 > lba/inventory/nonsense",
        "echo 5 > lba/vars/256",
        "mkdir lba/objects/99",
        "rmdir lba/objects/1",
        "rmdir lba/zones/0",
        "echo 5 > lba/scene",
        "echo 1 > lba/scene_checksum",
        "echo 7 > lba/inventory/8",
        "echo 4 > lba/slate/count",
    ] {
        let (status, _, error) = mount.sh("bash", script);
        assert_eq!(status, 1, "{script}");
        assert!(error.contains("not permitted"), "{script}: {error}");
    }
    mount.unmount();
    assert!(fingerprint(&save) == before);
}
