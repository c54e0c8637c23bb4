//! Real saves. They are not part of the project; the tests say aloud when they are skipped.

use super::*;
use crate::formats::{Likeness, Probe};
use crate::tree::{Weight, walk};

/// The saves of the corpus: file name and bytes.
fn corpus() -> Option<Vec<(String, Vec<u8>)>> {
    let Some(root) = std::env::var_os("SAVEFS_CORPUS") else {
        eprintln!("SKIPPED: SAVEFS_CORPUS is not set");
        return None;
    };
    let root = PathBuf::from(root).join("lba2");
    let mut saves = Vec::new();
    for folder in [root.clone(), root.join("native64")] {
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            if path
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("lba"))
            {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                saves.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    saves.sort();
    assert!(saves.len() >= 36, "{} saves", saves.len());
    Some(saves)
}

fn real(name: &str) -> Option<(Vec<u8>, Played)> {
    let saves = corpus()?;
    let (_, file) = saves.into_iter().find(|(n, _)| n == name).unwrap();
    let save = open(&file);
    Some((file, save))
}

#[test]
fn every_real_save_walks_to_its_last_byte_and_comes_back_the_same() {
    for (name, file) in corpus().into_iter().flatten() {
        let save = open(&file);
        let inner = saved(&save);
        assert!(inner.skeleton.fault.is_none(), "{name}");
        assert_eq!(inner.skeleton.end, save.image().len(), "{name}");
        let wide = ["multi_object.lba", "single_object.lba"].contains(&name.as_str());
        assert_eq!(inner.layout, Some(usize::from(wide)), "{name}");
        assert_eq!(file_of(&save), file, "{name}");
        assert!(!inner.is_foreign(), "{name}");
        let heavy: Vec<_> = save
            .0
            .findings()
            .into_iter()
            .filter(|f| f.weight >= Weight::Warning)
            .collect();
        assert!(heavy.is_empty(), "{name}: {heavy:?}");
        let notes: Vec<_> = save.0.findings().into_iter().map(|f| f.code).collect();
        assert!(
            !notes.contains(&"patches") && !notes.contains(&"anew"),
            "{name}: {notes:?}"
        );
        // One save was cut down to its hero by hand (lba2.md 7.3).
        assert_eq!(
            notes.contains(&"counts"),
            name == "single_object.lba",
            "{name}"
        );
        let probe = Probe {
            name: "x",
            head: &file[..file.len().min(4096)],
            length: file.len() as u64,
        };
        assert_eq!(Lba2.recognise(&probe), Likeness::Sure, "{name}");
        let mut leaves = 0;
        walk::leaves(&Arc::clone(&save.0).root(), "", &mut |path, leaf| {
            assert_eq!(leaf.read().len() as u64, leaf.size(), "{name}: {path}");
            leaves += 1;
        });
        assert!(leaves > 900, "{name}: {leaves}");
    }
}

#[test]
fn the_anchors_of_the_specification() {
    let anchors = [
        ("Anon1.LBA", 42, 26, 8658, 9633, 9939, "10", "0", "255", "1"),
        (
            "Dark Monk.LBA",
            93,
            5,
            2862,
            23618,
            23924,
            "354",
            "223",
            "235",
            "9",
        ),
        (
            "Off to be a Wizard.LBA",
            27,
            27,
            8934,
            12974,
            13280,
            "85",
            "0",
            "255",
            "2",
        ),
        ("Race.LBA", 57, 6, 3138, 3691, 3997, "186", "0", "214", "2"),
        (
            "autosave.lba",
            42,
            26,
            8658,
            9633,
            9939,
            "300",
            "300",
            "255",
            "1",
        ),
        (
            "multi_object.lba",
            26,
            6,
            3306,
            3353,
            3659,
            "73",
            "0",
            "255",
            "2",
        ),
        (
            "single_object.lba",
            26,
            1,
            1786,
            1833,
            2139,
            "73",
            "0",
            "255",
            "2",
        ),
    ];
    let Some(saves) = corpus() else { return };
    for (name, scene, objects, patches, camera, end, kashes, zlitos, life, chapter) in anchors {
        let (_, file) = saves.iter().find(|(n, _)| n == name).unwrap();
        let save = open(file);
        let inner = saved(&save);
        let main = &inner.skeleton.main;
        assert_eq!(inner.scene(), scene, "{name}");
        assert_eq!(main.objects.unwrap().count, objects, "{name}");
        assert_eq!(main.patches.unwrap().at - 8 - main.at, patches, "{name}");
        assert_eq!(main.camera.unwrap() - main.at, camera, "{name}");
        assert_eq!(main.end - main.at, end, "{name}");
        assert_eq!(get(&save, "lba/kashes"), kashes, "{name}");
        assert_eq!(get(&save, "lba/zlitos"), zlitos, "{name}");
        assert_eq!(get(&save, "lba/life"), life, "{name}");
        assert_eq!(get(&save, "lba/chapter"), chapter, "{name}");
    }
}

#[test]
fn an_edit_and_its_reverse_give_the_file_back() {
    for (name, file) in corpus().into_iter().flatten() {
        let save = open(&file);
        let edits = [
            ("lba/inventory/12", "1"),
            ("lba/life", "99"),
            ("lba/keys", "3"),
            ("lba/name", "another name that is longer than any"),
            ("lba/holomap/60", "done"),
            ("lba/vars/60", "-7"),
            ("lba/magic_points", "0"),
            ("lba/camera_cell_x", "11"),
        ];
        let mut edited = save.clone();
        for (path, value) in edits {
            edited = set(&edited, path, value);
        }
        assert_ne!(file_of(&edited), file, "{name}");
        let again = open(&file_of(&edited));
        assert_eq!(again.image(), edited.image(), "{name}");
        let mut back = again;
        for (path, _) in edits {
            back = set(&back, path, &get(&save, path));
        }
        assert_eq!(file_of(&back), file, "{name}");
    }
}

#[test]
fn money_of_dark_monk_goes_there_and_back() {
    let Some((file, save)) = real("Dark Monk.LBA") else {
        return;
    };
    let rich = set(&set(&save, "lba/kashes", "999"), "lba/zlitos", "500");
    assert_eq!(
        get(&rich, "lba/vars/8"),
        "999",
        "Zeelich: the copy is that of the kashes"
    );
    let poor = set(&set(&rich, "lba/kashes", "354"), "lba/zlitos", "223");
    assert_eq!(file_of(&poor), file);
}

#[test]
fn the_driver_of_race_is_left_alone() {
    let Some((_, save)) = real("Race.LBA") else {
        return;
    };
    assert_eq!(get(&save, "lba/behaviour"), "car");
    assert_eq!(refused(&save, "lba/position/x", "3"), Errno::Busy);
    assert_eq!(refused(&save, "lba/position/facing", "3"), Errno::Busy);
    // Behaviour and movement go together: one without the other is a finding that no edit may add.
    assert_eq!(refused(&save, "lba/behaviour", "normal"), Errno::Damaged);
    let moved = save.set("lba/move_to_scene", "42").unwrap();
    assert_eq!(get(&moved, "lba/behaviour"), "normal");
}

#[test]
fn the_checkpoint_of_autosave_is_a_context_of_its_own_scene() {
    let Some((_, save)) = real("autosave.lba") else {
        return;
    };
    assert_eq!(get(&save, "lba/checkpoint_scene"), "49");
    let checksum = super::super::names::scene_facts(49)
        .checksum
        .unwrap()
        .to_string();
    assert_eq!(get(&save, "lba/checkpoint/scene_checksum"), checksum);
    assert_eq!(get(&save, "lba/checkpoint_size"), "6707");
    let nested = saved(&save).skeleton.nested.clone().unwrap();
    assert_eq!(nested.end - nested.at, 6707);
    let after = set(&save, "lba/checkpoint/kashes", "5");
    assert_eq!(get(&after, "lba/kashes"), "300");
}

#[test]
fn screenshots_of_real_saves_read_and_written_are_no_edit() {
    for (name, file) in corpus().into_iter().flatten() {
        let save = open(&file);
        let node = save.node("lba/screenshot.png").unwrap();
        let png = node.as_leaf().unwrap().read().into_owned();
        let mut draft = crate::tree::Draft::new(save.image().to_vec(), false);
        node.as_leaf().unwrap().write(&png, &mut draft).unwrap();
        assert!(draft.is_clean(), "{name}");
    }
}
