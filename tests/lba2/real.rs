//! The real saves: nothing left over, identity both ways, what is known of them.

use super::{bytes, fingerprint, get, set};
use crate::support::{Mounted, copy_of, corpus, differences, printed, refused};
use std::path::{Path, PathBuf};

/// All real saves, those of the 64-bit port included; none, said aloud, where there is no corpus.
fn saves() -> Vec<PathBuf> {
    let Some(folder) = corpus("lba2") else {
        return Vec::new();
    };
    let folders = [folder.clone(), folder.join("native64")];
    let entries = folders
        .iter()
        .flat_map(|f| std::fs::read_dir(f).expect("the corpus"));
    let files = entries.map(|entry| entry.expect("a file").path());
    let mut saves: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    saves.sort();
    assert_eq!(saves.len(), 36);
    saves
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn every_save_comes_back_from_its_other_form_byte_for_byte() {
    for save in saves() {
        let (folder, copy) = copy_of(&save);
        let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
        let compressed = get(&copy, "lba/compressed") == "true";
        let (there, back, first, second) = if compressed {
            ("decompress", "compress", plain, packed)
        } else {
            ("compress", "decompress", packed, plain)
        };
        printed(&[there, &text(&copy), &text(&first)]);
        assert_eq!(get(&first, "lba/compressed"), (!compressed).to_string());
        printed(&[back, &text(&first), &text(&second)]);
        assert!(bytes(&second) == bytes(&save), "{}", save.display());
        let said = printed(&["check", &text(&copy)]);
        assert!(
            said.ends_with(": fine\n") || said.contains("caution"),
            "{said}"
        );
        assert!(
            !said.contains("damage") && !said.contains("trailing"),
            "{said}"
        );
    }
}

#[test]
fn an_edit_and_its_reverse_give_every_save_back() {
    for save in saves() {
        let (_folder, copy) = copy_of(&save);
        let old = bytes(&copy);
        let paths = [
            "lba/keys",
            "lba/vars/200",
            "lba/objects/0/life",
            "lba/camera/distance",
        ];
        let before: Vec<String> = paths
            .iter()
            .map(|path| format!("{path}={}", get(&copy, path)))
            .collect();
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        set(
            &copy,
            &[
                "lba/keys=77",
                "lba/vars/200=4660",
                "lba/objects/0/life=13",
                "lba/camera/distance=3",
            ],
        );
        assert!(bytes(&copy) != old);
        assert_eq!(get(&copy, "lba/life"), "13");
        set(&copy, &before);
        assert!(bytes(&copy) == old, "{}", save.display());
    }
}

#[test]
fn one_field_of_a_plain_save_changes_its_bytes_only() {
    for name in ["current.lba", "autosave.lba", "native64/multi_object.lba"] {
        let Some(save) = corpus(&format!("lba2/{name}")) else {
            return;
        };
        let (folder, copy) = copy_of(&save);
        let plain = folder.path().join("plain");
        printed(&["decompress", &text(&copy), &text(&plain)]);
        for (path, value) in [
            ("lba/vars/200", "-2"),
            ("lba/objects/0/next_frame", "-1000000"),
            ("lba/holomap/60", "shown"),
            ("lba/cars/1/z", "-7"),
        ] {
            let old = bytes(&plain);
            let explained = printed(&["explain", &text(&plain), path]);
            let number = |label: &str| -> usize {
                let line = explained.lines().find_map(|line| line.strip_prefix(label));
                line.expect("a line").trim().parse().expect("a number")
            };
            let field = number("offset")..number("offset") + number("size");
            set(&plain, &[&format!("{path}={value}")]);
            let changed = differences(&old, &bytes(&plain));
            assert!(!changed.is_empty(), "{name} {path}");
            assert!(
                changed.iter().all(|at| field.contains(at)),
                "{name} {path}: {changed:?}"
            );
        }
    }
}

#[test]
fn the_real_saves_show_what_is_known_of_them() {
    for (name, scene, objects, kashes, zlitos, life, chapter) in [
        ("Anon1.LBA", 42, 26, 10, 0, 255, 1),
        ("Dark Monk.LBA", 93, 5, 354, 223, 235, 9),
        ("Off to be a Wizard.LBA", 27, 27, 85, 0, 255, 2),
        ("Race.LBA", 57, 6, 186, 0, 214, 2),
        ("autosave.lba", 42, 26, 300, 300, 255, 1),
        ("native64/multi_object.lba", 26, 6, 73, 0, 255, 2),
        ("native64/single_object.lba", 26, 1, 73, 0, 255, 2),
    ] {
        let Some(save) = corpus(&format!("lba2/{name}")) else {
            return;
        };
        for (path, value) in [
            ("scene", scene),
            ("kashes", kashes),
            ("zlitos", zlitos),
            ("life", life),
            ("chapter", chapter),
        ] {
            assert_eq!(
                get(&save, &format!("lba/{path}")),
                value.to_string(),
                "{name} {path}"
            );
        }
        let listed = printed(&["ls", &text(&save), "lba/objects"]);
        assert_eq!(listed.lines().count(), objects, "{name}");
        let layout = if name.starts_with("native64") {
            "native64"
        } else {
            "wire32"
        };
        assert_eq!(get(&save, "lba/layout"), layout, "{name}");
    }
}

#[test]
fn the_temple_of_the_dark_monk_is_mounted_and_changed() {
    let Some(save) = corpus("lba2/Dark Monk.LBA") else {
        return;
    };
    let (folder, copy) = copy_of(&save);
    let old = bytes(&copy);
    let Some(mount) = Mounted::new(&copy, folder.path(), &[]) else {
        return;
    };
    for (path, value) in [
        ("kashes", "354"),
        ("zlitos", "223"),
        ("life", "235"),
        ("chapter", "9"),
    ] {
        assert_eq!(mount.read(&format!("lba/{path}")), format!("{value}\n"));
    }
    let script = "echo 0 > lba/inventory/12; cat lba/inventory/12; echo 1 > lba/inventory/12; cat lba/inventory/12";
    assert_eq!(
        mount.sh("bash", script),
        (0, "0\n1\n".into(), String::new())
    );
    assert!(bytes(&copy) == old, "back as it was, compressed as it was");
    let (status, _, error) = mount.sh("bash", "echo 70000 > lba/kashes");
    assert_eq!(status, 1);
    assert!(error.contains("Invalid argument"), "{error}");
    assert!(mount.read(".savefs/errors").contains("0..65535"));
    mount.unmount();
    assert!(bytes(&copy) == old);
}

#[test]
fn find_and_cat_walk_every_save_and_change_none() {
    for save in saves() {
        let (folder, copy) = copy_of(&save);
        let before = fingerprint(&copy);
        let Some(mount) = Mounted::new(&copy, folder.path(), &[]) else {
            return;
        };
        let script = "find . -type f -print0 | xargs -0 cat | wc -c; \
            find . -type f -printf '%s\\n' | awk '{ sum += $1 } END { print sum }'; \
            find . -xtype l | wc -l; find . | wc -l";
        let (status, output, error) = mount.sh("bash", script);
        assert_eq!((status, error.as_str()), (0, ""), "{}", save.display());
        let numbers: Vec<usize> = output
            .lines()
            .map(|n| n.trim().parse().expect("a number"))
            .collect();
        assert_eq!(numbers[0], numbers[1], "bytes read and sizes shown");
        assert_eq!(numbers[2], 0, "links that lead nowhere");
        assert!(numbers[3] > 1500, "{numbers:?}");
        mount.unmount();
        assert!(fingerprint(&copy) == before, "{}", save.display());
    }
}

#[test]
fn a_real_save_is_moved_to_another_scene() {
    let Some(save) = corpus("lba2/Race.LBA") else {
        return;
    };
    let (_folder, copy) = copy_of(&save);
    let said = set(&copy, &["lba/move_to_scene=42"]);
    assert!(
        said.contains("given up are place and facing, life"),
        "{said}"
    );
    for (path, value) in [
        ("scene", "42"),
        ("restart/x", "-1"),
        ("keys", "0"),
        ("inventory/2", "0"),
    ] {
        assert_eq!(get(&copy, &format!("lba/{path}")), value, "{path}");
    }
    assert_eq!(get(&copy, "lba/kashes"), "186");
    assert!(
        get(&copy, "lba/scene_vars")
            .lines()
            .all(|line| line.ends_with("=0"))
    );
    assert!(refused(1, &["set", &text(&copy), "lba/scene=43"]).contains("read-only"));
}
