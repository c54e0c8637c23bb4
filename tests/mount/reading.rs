//! What is shown, how, and at what cost.

use super::Bench;
use rustix::fs::{getxattr, listxattr};
use savefs::session::Edit;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::time::{Duration, SystemTime};

#[test]
fn the_tree_is_listed_in_the_order_of_the_file_and_the_control_directory_is_not() {
    let Some(bench) = Bench::new() else { return };
    assert_eq!(bench.ok("ls -U mnt"), "hero\nlife\nvars\ncount\nblob.bin");
    assert_eq!(bench.ok("ls -U mnt/vars"), "alpha\nBeta");
    assert_eq!(
        bench.ok("ls -U mnt/hero"),
        "level\nhp\nvisible\nmirror\nname\nstrength"
    );
    assert_eq!(
        bench.ok("cat mnt/hero/name mnt/vars/Beta mnt/hero/strength"),
        "Conan\n22\n5"
    );
    assert_eq!(bench.ok("readlink mnt/hero/strength"), "level");
}

#[test]
fn size_of_every_node_equals_the_bytes_that_a_read_gives_also_right_after_a_write() {
    let Some(bench) = Bench::new() else { return };
    let check = || {
        bench.ok("find mnt mnt/.savefs -type f | while read f; do \
            [ $(stat -c %s $f) = $(wc -c < <(cat $f)) ] || { echo $f; exit 1; }; done")
    };
    check();
    bench.ok("stat mnt/hero/name mnt/hero/hp mnt/life mnt/count; echo Al > mnt/hero/name; echo 7 > mnt/hero/hp");
    check();
    bench.ok("echo Methuselah > mnt/hero/name; echo 177 > mnt/life; echo 3 > mnt/vars/new");
    check();
}

#[test]
fn nodes_belong_to_the_saves_owner_and_modes_say_what_can_be_written() {
    let Some(bench) = Bench::new() else { return };
    let owner = fs::metadata(bench.save()).unwrap();
    for (path, mode) in [
        ("", 0o40755),
        ("hero/level", 0o100644),
        ("hero/mirror", 0o100444),
        ("vars", 0o40755),
    ] {
        let node = fs::metadata(bench.at(path)).unwrap();
        assert_eq!(
            (node.uid(), node.gid(), node.mode()),
            (owner.uid(), owner.gid(), mode),
            "{path}"
        );
        assert_eq!(node.nlink(), 1);
    }
    let version = fs::metadata(bench.at(".savefs/versions/0/hero/level")).unwrap();
    assert_eq!(version.permissions().mode(), 0o100444);
}

#[test]
fn a_node_changed_when_its_bytes_last_did() {
    let Some(bench) = Bench::new() else { return };
    let of_save = fs::metadata(bench.save()).unwrap().modified().unwrap();
    let modified = |path: &str| fs::metadata(bench.at(path)).unwrap().modified().unwrap();
    assert_eq!(modified("hero/level"), of_save);
    std::thread::sleep(Duration::from_millis(20));
    let before = SystemTime::now();
    fs::write(bench.at("hero/level"), "7\n").unwrap();
    assert!(modified("hero/level") >= before);
    assert!(modified("hero/mirror") >= before);
    assert_eq!(modified("hero/hp"), of_save);
    bench.ok("touch -d 2001-02-03 mnt/hero/hp");
    assert_eq!(bench.ok("date -r mnt/hero/hp +%Y"), "2001");
    fs::write(bench.at("hero/hp"), "8\n").unwrap();
    assert!(modified("hero/hp") >= before);
}

#[test]
fn every_node_answers_getfattr_and_other_attributes_are_not_supported() {
    let Some(bench) = Bench::new() else { return };
    let of = |path: &str, name: &str| {
        let mut buffer = [0; 256];
        let length = getxattr(bench.at(path), name, &mut buffer)?;
        Ok::<_, rustix::io::Errno>(String::from_utf8_lossy(&buffer[..length]).into_owned())
    };
    for (name, value) in [
        ("type", "u16"),
        ("range", "0..10"),
        ("doc", "how strong"),
        ("offset", "4"),
        ("size", "2"),
        ("access", "read-write"),
    ] {
        assert_eq!(
            of("hero/level", &format!("user.savefs.{name}")).as_deref(),
            Ok(value)
        );
    }
    assert_eq!(
        of("hero/mirror", "user.savefs.access").as_deref(),
        Ok("read-only")
    );
    assert_eq!(of("hero", "user.savefs.type").as_deref(), Ok("directory"));
    assert_eq!(
        of("hero/level", "user.savefs.values"),
        Err(rustix::io::Errno::NODATA)
    );
    for other in [
        "user.other",
        "security.selinux",
        "system.posix_acl_access",
        "trusted.x",
    ] {
        assert_eq!(
            of("hero/level", other),
            Err(rustix::io::Errno::OPNOTSUPP),
            "{other}"
        );
    }
    let mut names = [0u8; 512];
    let length = listxattr(bench.at("hero/level"), &mut names).unwrap();
    let names = String::from_utf8_lossy(&names[..length]).into_owned();
    assert_eq!(names.split_terminator('\0').count(), 6);
    assert!(
        of("", "user.savefs.requests")
            .unwrap()
            .starts_with(|c: char| c.is_ascii_digit())
    );
}

#[test]
fn setting_the_type_of_a_node_retypes_it() {
    let Some(bench) = Bench::new() else { return };
    bench.ok("setfattr -n user.savefs.type -v number mnt/vars/Beta");
    assert_eq!(bench.get("vars/Beta"), "22");
    bench.fails("setfattr -n user.savefs.type -v pigeon mnt/vars/Beta");
    bench.fails("setfattr -n user.savefs.range -v 1..2 mnt/vars/Beta");
    bench.fails("setfattr -n user.other -v 1 mnt/vars/Beta");
    bench.ok("setfattr -n user.savefs.type -v zero mnt/vars/Beta");
    assert_eq!(bench.stored("vars/Beta"), "0");
}

#[test]
fn a_handle_opened_for_reading_keeps_the_version_that_it_was_opened_on() {
    let Some(bench) = Bench::new() else { return };
    for path in ["hero/name", "blob.bin"] {
        let mut old = File::open(bench.at(path)).unwrap();
        let before = fs::read(bench.at(path)).unwrap();
        let after = match path {
            "blob.bin" => vec![9; 6000],
            _ => b"Sonja\n".to_vec(),
        };
        fs::write(bench.at(path), &after).unwrap();
        assert_eq!(fs::read(bench.at(path)).unwrap(), after);
        let mut text = Vec::new();
        old.read_to_end(&mut text).unwrap();
        assert_eq!(text, before, "{path}");
        assert_eq!(fs::read(bench.at(path)).unwrap(), after);
        drop(old);
        assert_eq!(fs::read(bench.at(path)).unwrap(), after);
    }
}

#[test]
fn a_change_by_one_path_is_seen_by_the_next_open_of_every_path_that_shows_it() {
    let Some(bench) = Bench::new() else { return };
    let shown = || {
        bench.ok("cat mnt/hero/hp mnt/life mnt/hero/mirror mnt/hero/strength mnt/count; stat -c %s mnt/life mnt/count")
    };
    assert_eq!(shown(), "100\n100\n5\n5\n2 alpha Beta\n4\n13");
    bench.ok("echo 7 > mnt/life; echo 9 > mnt/hero/strength; echo 1 > mnt/vars/gamma");
    assert_eq!(shown(), "7\n7\n9\n9\n3 alpha Beta gamma\n2\n19");
}

#[test]
fn a_name_that_differs_in_case_finds_the_node_where_the_game_ignores_case() {
    let Some(bench) = Bench::new() else { return };
    assert_eq!(bench.get("vars/BETA"), "22");
    bench.ok("echo 33 > mnt/vars/BETA");
    assert_eq!(
        bench.ok("cat mnt/vars/Beta mnt/vars/beta; ls mnt/vars"),
        "33\n33\nBeta\nalpha"
    );
    bench.fails("cat mnt/HERO/level");
}

#[test]
fn reading_costs_two_requests_and_writing_five_or_seven() {
    let Some(bench) = Bench::new() else { return };
    let cost = |script: &str| {
        let before = bench.requests();
        bench.ok(script);
        bench.requests() - before
    };
    cost("cat mnt/hero/hp");
    cost("cat mnt/hero/hp");
    assert_eq!(cost("cat mnt/hero/hp"), 2);
    assert_eq!(cost("cat mnt/hero/hp"), 2);
    cost("dash -c 'echo 1 > mnt/hero/hp'");
    assert_eq!(cost("dash -c 'echo 2 > mnt/hero/hp'"), 5);
    assert_eq!(cost("echo 3 > mnt/hero/hp"), 7);
    assert_eq!(cost("dash -c 'echo 4 > mnt/hero/hp'"), 5);
    assert_eq!(bench.stored("hero/hp"), "4");
}

#[test]
fn values_come_with_their_first_open_and_are_not_asked_for() {
    let Some(bench) = Bench::new() else { return };
    let values = bench.ok("cat mnt/hero/name mnt/hero/hp mnt/hero/level");
    let stored = ["hero/name", "hero/hp", "hero/level"].map(|path| bench.stored(path));
    assert_eq!(values, stored.join("\n"));
    let text = bench.mounted.as_ref().unwrap().requests();
    assert!(text.contains("open=3"), "{text}");
    assert!(!text.contains(" read="), "{text}");
}

#[test]
fn first_opens_by_many_at_once_while_the_save_changes_see_one_value_or_the_other() {
    for _ in 0..5 {
        let Some(bench) = Bench::new() else { return };
        let before = bench.stored("hero/hp");
        let level = bench.stored("hero/level");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let hp = bench.get("hero/hp");
                        assert!([&before, "150", "112"].contains(&hp.as_str()), "{hp}");
                        assert_eq!(bench.get("hero/level"), level);
                    }
                });
            }
            scope.spawn(|| {
                for value in ["150", "112"].repeat(5) {
                    bench
                        .session()
                        .edit(&[Edit::set("hero/hp", value)])
                        .unwrap();
                }
            });
        });
        assert_eq!(bench.get("hero/hp"), "112");
        assert_eq!(bench.stored("hero/hp"), "112");
    }
}

#[test]
fn an_attribute_that_is_not_ours_is_asked_for_once() {
    let Some(bench) = Bench::new() else { return };
    let gets = || bench.mounted.as_ref().unwrap().requests();
    bench.ok("ls -l mnt/hero mnt/vars");
    let text = gets();
    let asked = text
        .split(' ')
        .find_map(|word| word.strip_prefix("getxattr="));
    assert!(
        asked.is_none_or(|n| n.parse::<u32>().unwrap() <= 2),
        "{text}"
    );
}

#[test]
fn the_file_system_is_that_of_the_save_and_seeking_works() {
    let Some(bench) = Bench::new() else { return };
    let (mount, disk) = (
        rustix::fs::statvfs(bench.at("")).unwrap(),
        rustix::fs::statvfs(bench.save()).unwrap(),
    );
    assert_eq!(
        (mount.f_blocks, mount.f_bsize),
        (disk.f_blocks, disk.f_bsize)
    );
    assert_eq!(mount.f_namemax, 255);
    let mut file = File::open(bench.at("blob.bin")).unwrap();
    assert_eq!(file.seek(SeekFrom::End(-1)).unwrap(), 5999);
    let mut byte = [0];
    file.read_exact_at(&mut byte, 5999).unwrap();
    assert_eq!(byte[0], (5999 % 251) as u8);
    let hole = rustix::fs::seek(&file, rustix::fs::SeekFrom::Hole(10));
    assert_eq!(hole, Ok(6000));
    let data = rustix::fs::seek(&file, rustix::fs::SeekFrom::Data(6000));
    assert_eq!(data, Err(rustix::io::Errno::NXIO));
}

#[test]
fn reading_everything_writes_nothing() {
    let Some(mut bench) = Bench::new() else {
        return;
    };
    let before = fs::metadata(bench.save()).unwrap();
    let bytes = bench.on_disk();
    bench
        .ok("grep -r . mnt >/dev/null; tar c mnt >/dev/null; cp -r mnt copy; find mnt -newer save");
    bench.ok("diff -r copy mnt");
    bench.stop();
    let after = fs::metadata(bench.save()).unwrap();
    assert_eq!(bench.on_disk(), bytes);
    assert_eq!(
        (before.ino(), before.mtime_nsec(), before.mtime()),
        (after.ino(), after.mtime_nsec(), after.mtime())
    );
    assert!(!bench.save().with_file_name("save.bak").exists());
}

#[test]
fn an_open_handle_keeps_its_version_whatever_size_the_next_one_has_and_whoever_asks_for_it() {
    let Some(bench) = Bench::new() else { return };
    for (old, new) in [("Conan", "Al"), ("Al", "Methuselah")] {
        fs::write(bench.at("hero/name"), format!("{old}\n")).unwrap();
        bench.ok("cat mnt/hero/name");
        let mut reader = File::open(bench.at("hero/name")).unwrap();
        fs::write(bench.at("hero/name"), format!("{new}\n")).unwrap();
        assert_eq!(
            fs::metadata(bench.at("hero/name")).unwrap().len(),
            new.len() as u64 + 1
        );
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, format!("{old}\n"));
        assert_eq!(
            fs::metadata(bench.at("hero/name")).unwrap().len(),
            new.len() as u64 + 1
        );
        assert_eq!(bench.get("hero/name"), new);
    }
}

#[test]
fn an_open_handle_can_be_read_when_its_file_has_gone() {
    let Some(bench) = Bench::new() else { return };
    let mut reader = File::open(bench.at("hero/name")).unwrap();
    bench.ok("mv mnt/hero/name mnt/hero/name~; rm mnt/hero/name~");
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "Conan\n");
}
