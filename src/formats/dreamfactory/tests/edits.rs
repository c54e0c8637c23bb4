//! The table of dreamfactory.md 12, a test a row, and the couplings of sections 5 to 11.

use super::{differences, saved};
use crate::formats::testing::Played;
use crate::tree::{Errno, Refusal, walk};

fn refused(result: Result<Played, Refusal>) -> Errno {
    match result {
        Ok(_) => panic!("the edit went through"),
        Err(refusal) => {
            assert!(!refusal.why.is_empty());
            refusal.errno
        }
    }
}

/// Plays writes one after the other.
fn play(save: &Played, writes: &[(&str, &str)]) -> Played {
    writes.iter().fold(save.clone(), |save, (path, value)| {
        save.set(path, value)
            .unwrap_or_else(|refusal| panic!("{path}={value}: {refusal}"))
    })
}

fn all(save: &Played, paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| save.get(path).unwrap()).collect()
}

/// Where a leaf's bytes are.
fn span(save: &Played, path: &str) -> (usize, usize) {
    let node = save.node(path).unwrap();
    let span = node.as_leaf().unwrap().spans()[0];
    (span.offset, span.length)
}

fn names(save: &Played, path: &str) -> Vec<String> {
    let node = save.node(path).unwrap();
    walk::entries(node.as_dir().unwrap())
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn a_number_in_range_is_written_in_place() {
    let save = saved("WALKER.ti");
    let after = save.set("actors/purs/deg", "200").unwrap();
    let (at, _) = span(&save, "actors/purs/deg");
    let changed = differences(save.image(), after.image());
    assert!(
        changed
            .iter()
            .all(|(place, ..)| (at..at + 2).contains(place)),
        "{changed:?}"
    );
    assert_eq!(after.get("actors/purs/deg").unwrap(), "200");
    assert_eq!(
        after
            .set("actors/PURS/deg", "0x10")
            .unwrap()
            .get("actors/purs/deg")
            .unwrap(),
        "16"
    );
}

#[test]
fn a_text_that_fits_leaves_the_bytes_behind_it() {
    let save = saved("START.RTD");
    let (at, length) = span(&save, "props/Bone/owner");
    assert_eq!(length, 16);
    let after = save.set("props/Bone/owner", "me").unwrap();
    assert_eq!(after.image()[at..at + 3], [2, b'm', b'e']);
    assert_eq!(after.image()[at + 3..], save.image()[at + 3..]);
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let save = saved("WALKER.ti");
    assert_eq!(
        refused(save.set("actors/purs/set", "abcdefghijklmnop")),
        Errno::TooLong
    );
    assert_eq!(
        refused(save.set("paths/0", &"x".repeat(256))),
        Errno::TooLong
    );
    assert!(save.set("paths/0", &"x".repeat(255)).is_ok());
    assert_eq!(
        refused(save.set("actors/purs/star", "h\u{e9}")),
        Errno::Unencodable
    );
}

#[test]
fn owner_view_pose_and_scene_are_never_empty() {
    let save = saved("WALKER.ti");
    for path in [
        "actors/purs/owner",
        "actors/purs/pose",
        "props/watch/view",
        "props/watch/owner",
        "location/scene",
    ] {
        assert_eq!(refused(save.set(path, "")), Errno::Invalid, "{path}");
    }
    assert_eq!(
        save.set("props/watch/set", "")
            .unwrap()
            .get("props/watch/set")
            .unwrap(),
        ""
    );
    assert_eq!(
        save.set("actors/purs/star", "")
            .unwrap()
            .get("actors/purs/star")
            .unwrap(),
        ""
    );
}

#[test]
fn out_of_range_and_not_a_number_are_refused() {
    let save = saved("WALKER.ti");
    for (path, value) in [
        ("actors/purs/deg", "256"),
        ("actors/purs/deg", "-1"),
        ("actors/purs/deg", "abc"),
        ("actors/purs/x", "32768"),
        ("actors/purs/visible", "2"),
        ("tracks/sink0.trk/playing/0/volume", "256"),
        ("globals/mission", "abc"),
        ("globals/mission", "true"),
        ("globals/mission", "2147483648"),
        ("globals/telegram", "maybe"),
        ("palette", "0 0 0"),
    ] {
        assert_eq!(
            refused(save.set(path, value)),
            Errno::Invalid,
            "{path}={value}"
        );
    }
}

#[test]
fn keys_pointers_and_names_are_read_only() {
    let save = saved("WALKER.ti");
    for path in [
        "files/3/handle",
        "files/3/path",
        "theme/loop_bank",
        "containers/2/records/0/name",
        "containers/2/records/0/cast",
        "containers/2/records/0/member",
        "containers/4/records/0/name",
        "tracks/sink0.trk/playing/0/name",
        "casts/gang.cst/name",
        "containers/0/size",
        "stale/0/value",
    ] {
        assert_eq!(refused(save.set(path, "7")), Errno::NotPermitted, "{path}");
    }
}

#[test]
fn a_frame_below_a_stamp_is_told() {
    let save = saved("WALKER.ti");
    let codes = |save: &Played| save.0.findings().iter().map(|f| f.code).collect::<Vec<_>>();
    assert!(!codes(&save).contains(&"W9"));
    let after = save.set("location/frame", "5").unwrap();
    assert!(codes(&after).contains(&"W9"));
}

#[test]
fn the_version_takes_another_spelling_of_itself() {
    let quit = saved("QUIT.RTD");
    assert_eq!(quit.get("version").unwrap(), "Dust 0.3");
    let finding = quit
        .0
        .findings()
        .into_iter()
        .find(|finding| finding.code == "4.1")
        .unwrap();
    let repair = finding.repair.unwrap();
    assert_eq!(
        (repair.path.as_str(), repair.value.as_str()),
        ("version", "dust 0.3")
    );
    let after = quit.set("version", "dust 0.3").unwrap();
    assert_eq!(
        differences(quit.image(), after.image()),
        [(1544 + 1, b'D', b'd')]
    );
    assert_eq!(refused(quit.set("version", "dust 0.4")), Errno::Invalid);
    assert_eq!(refused(quit.set("version", "")), Errno::Invalid);
}

#[test]
fn the_disk_takes_a_label_that_is_not_longer() {
    let save = saved("WALKER.ti");
    assert_eq!(refused(save.set("disk", "Titanic10")), Errno::TooLong);
    let after = save.set("disk", "Titanic2").unwrap();
    assert!(
        after
            .0
            .findings()
            .iter()
            .any(|finding| finding.code == "W8")
    );
}

#[test]
fn scene_and_view_are_written_alone() {
    let save = play(
        &saved("WALKER.ti"),
        &[("location/scene", "scene2"), ("location/view", "view1")],
    );
    assert_eq!(
        all(&save, &["location/scene", "location/view"]),
        ["scene2", "view1"]
    );
}

#[test]
fn a_step_in_dust_moves_camera_and_eye() {
    let save = saved("START.RTD");
    let after = play(
        &save,
        &[
            ("location/column", "7"),
            ("location/row", "9"),
            ("location/facing", "4"),
        ],
    );
    let record = "containers/1/records/2";
    let paths = [
        "column",
        "row",
        "facing",
        "column_copy",
        "row_copy",
        "facing_copy",
        "heading",
        "camera_x",
        "camera_y",
        "eye_x",
        "eye_y",
        "eye_z",
    ];
    let paths = paths.map(|name| format!("{record}/{name}"));
    let values: Vec<String> = paths.iter().map(|path| after.get(path).unwrap()).collect();
    assert_eq!(
        values,
        [
            "7", "9", "4", "7", "9", "4", "128", "1920", "2432", "1984", "2432", "62"
        ]
    );
    for (facing, heading, eye) in [
        ("1", "192", "1920 2496"),
        ("2", "64", "1920 2368"),
        ("3", "0", "1856 2432"),
    ] {
        let after = after.set("location/facing", facing).unwrap();
        let eye_now = format!(
            "{} {}",
            after.get(&paths[9]).unwrap(),
            after.get(&paths[10]).unwrap()
        );
        assert_eq!(
            (
                after.get("location/heading").unwrap().as_str(),
                eye_now.as_str()
            ),
            (heading, eye)
        );
    }
    assert_eq!(
        after
            .set("location/heading", "64")
            .unwrap()
            .get("location/facing")
            .unwrap(),
        "2"
    );
    assert_eq!(refused(save.set("location/heading", "65")), Errno::Invalid);
    assert_eq!(refused(save.set("location/facing", "5")), Errno::Invalid);
    assert_eq!(
        refused(save.set("location/camera_x", "5")),
        Errno::NotPermitted
    );
}

#[test]
fn parts_of_a_room_are_refused_alone() {
    let titanic = saved("WALKER.ti");
    for path in [
        "location/set",
        "location/actor_register",
        "location/scene_register",
        "location/scene_count",
    ] {
        assert_eq!(
            refused(titanic.set(path, "9")),
            Errno::NotPermitted,
            "{path}"
        );
    }
    let dust = saved("START.RTD");
    for path in [
        "location/set",
        "location/actor_register",
        "location/transition_register",
        "location/setback",
        "location/eye_height",
    ] {
        assert_eq!(refused(dust.set(path, "9")), Errno::NotPermitted, "{path}");
    }
}

#[test]
fn a_room_of_titanic_changes_as_one() {
    let save = saved("WALKER.ti");
    let room = "set_file LNGHALL.set\nset lnghall\nscene scene3\nview view9\nactor_register 5\nscene_register 4\nscene_count 11\npalette 127 1 2 3\n";
    let after = save.write("location/room", room.as_bytes()).unwrap();
    assert_eq!(after.get("location/set_file").unwrap(), "lnghall.set");
    assert_eq!(
        after.get("files/3/path").unwrap(),
        "titanic1:data:lnghall.set"
    );
    assert_eq!(after.get("location/scene_count").unwrap(), "11");
    assert_eq!(
        after.get("palette").unwrap().lines().nth(127),
        Some("1 2 3")
    );
    let shown = after.get("location/room").unwrap();
    assert_eq!(
        shown,
        room.to_owned()
            .replace("LNGHALL", "lnghall")
            .replace("\npalette 127 1 2 3\n", "")
    );
    for wrong in [
        room.replace("view view9\n", ""),
        room.replace("scene_count 11", "scene_count 0"),
        room.replace("set lnghall", "set lounge1c"),
        room.replace("palette 127", "palette 128"),
        room.replace("LNGHALL.set", "lnghall"),
        format!("{room}view view9\n"),
        format!("{room}frame 9\n"),
    ] {
        assert_eq!(
            refused(save.write("location/room", wrong.as_bytes())),
            Errno::Invalid,
            "{wrong}"
        );
    }
}

#[test]
fn a_room_of_dust_changes_as_one() {
    let save = saved("START.RTD");
    let room = "set_file mayupper.set\nset mayor\ntransition_register 12\nactor_register 13\nsetback 64\neye_height 130\ncolumn 2\nrow 3\nfacing 2\npalette 1 9 9 9\n";
    let after = save.write("location/room", room.as_bytes()).unwrap();
    assert_eq!(
        all(
            &after,
            &[
                "location/set_file",
                "location/set",
                "location/eye_height",
                "location/camera_x",
                "location/heading"
            ]
        ),
        ["mayupper.set", "mayor", "130", "640", "64"]
    );
    assert_eq!(after.get("containers/1/records/2/eye_z").unwrap(), "130");
    let black = room.replace("palette 1 ", "palette 0 ");
    assert_eq!(
        refused(save.write("location/room", black.as_bytes())),
        Errno::Invalid
    );
}

#[test]
fn an_actor_is_made_as_a_copy() {
    let save = saved("WALKER.ti");
    let before = names(&save, "actors");
    let after = save.create("actors/purs2", None).unwrap();
    assert_eq!(names(&after, "actors").len(), before.len() + 1);
    assert_eq!(after.get("actors/purs2/visible").unwrap(), "0");
    assert_eq!(
        after.get("actors/purs2/pose").unwrap(),
        save.get("actors/purs/pose").unwrap()
    );
    assert_eq!(
        after.get("containers/1/records/1/actor_count").unwrap(),
        (before.len() + 1).to_string()
    );
    assert_eq!(refused(save.create("actors/purs", None)), Errno::Exists);
    assert_eq!(
        refused(save.create("actors/nobody", None)),
        Errno::NotPermitted
    );
    assert_eq!(refused(save.create("actors/9purs", None)), Errno::Invalid);
    assert_eq!(
        refused(save.create("actors/purs456789012345", None)),
        Errno::TooLong
    );
    let dust = saved("START.RTD").create("actors/dog2", None).unwrap();
    assert_eq!(dust.get("actors/dog2/scale").unwrap(), "880");
}

#[test]
fn only_a_copy_of_an_actor_goes() {
    let save = saved("WALKER.ti");
    let grown = save.create("actors/purs2", None).unwrap();
    let shrunk = grown.remove("actors/purs2").unwrap();
    assert_eq!(shrunk.image().len(), save.image().len());
    assert_eq!(names(&shrunk, "actors"), names(&save, "actors"));
    assert_eq!(refused(save.remove("actors/purs")), Errno::NotPermitted);
    assert_eq!(
        refused(saved("START.RTD").remove("actors/dog")),
        Errno::NotPermitted
    );
    let looped = play(
        &grown,
        &[
            ("loops/4/kind", "actor"),
            ("loops/4/period", "3"),
            ("loops/4/name", "purs2"),
            ("loops/4/handler", "idle"),
            ("loops/4/active", "1"),
        ],
    );
    assert_eq!(refused(looped.remove("actors/purs2")), Errno::Busy);
}

#[test]
fn removing_an_actor_lowers_the_index_of_later_walkers() {
    let save = saved("WALKER.ti");
    let all = names(&save, "actors");
    let copies: Vec<&String> = all
        .iter()
        .filter(|name| save.remove(&format!("actors/{name}")).is_ok())
        .collect();
    let first = copies.first().expect("a fixture with a copy that can go");
    let place = all.iter().position(|name| name == *first).unwrap();
    let after = save.remove(&format!("actors/{first}")).unwrap();
    let mut lowered = 0;
    for slot in 0..16 {
        let path = |name: &str| format!("walks/{slot}/{name}");
        let index = |save: &Played| {
            save.get(&path("actor_index"))
                .unwrap()
                .parse::<u32>()
                .unwrap()
        };
        let active = save.get(&path("active")).unwrap() == "1";
        let moves = active && index(&save) as usize > place;
        assert_eq!(
            index(&after),
            index(&save) - u32::from(moves),
            "walk {slot}"
        );
        if active {
            let record = format!("containers/2/records/{}/name", index(&after));
            assert_eq!(
                after.get(&record).unwrap(),
                after.get(&path("actor")).unwrap()
            );
        }
        lowered += usize::from(moves);
    }
    assert!(lowered > 0, "{first} at {place} is before no walker");
}

#[test]
fn props_casts_shops_tracks_and_sounds_are_fixed() {
    let save = saved("WALKER.ti");
    for path in [
        "props/new",
        "casts/new",
        "shops/new",
        "tracks/new",
        "tracks/sink0.trk/playing/9",
        "loops/32",
        "walks/16",
        "crickets/16",
    ] {
        assert_eq!(
            refused(save.create(path, None)),
            Errno::NotPermitted,
            "{path}"
        );
    }
    for path in [
        "props/watch",
        "casts/gang.cst",
        "tracks/sink0.trk",
        "tracks/sink0.trk/playing/0",
        "loops/0",
    ] {
        assert_eq!(refused(save.remove(path)), Errno::NotPermitted, "{path}");
    }
    assert_eq!(
        refused(save.set("actors/purs/sped", "5")),
        Errno::NotPermitted
    );
}

#[test]
fn a_list_count_takes_the_number_of_records() {
    let save = saved("WALKER.ti");
    let mut bytes = save.image().to_vec();
    let (at, _) = span(&save, "containers/1/records/1/actor_count");
    bytes[at] += 1;
    let save = super::open(&bytes);
    let finding = save
        .0
        .findings()
        .into_iter()
        .find(|finding| finding.code == "W2")
        .unwrap();
    let repair = finding.repair.unwrap();
    assert_eq!(refused(save.set(&repair.path, "3")), Errno::NotPermitted);
    let after = save.set(&repair.path, &repair.value).unwrap();
    assert!(after.0.findings().is_empty());
}

#[test]
fn volume_of_a_playing_sound_is_mirrored() {
    let save = saved("WALKER.ti");
    let after = save.set("tracks/sink0.trk/playing/1/volume", "7").unwrap();
    let looping = |k: usize| {
        after
            .get(&format!("tracks/sink0.trk/looping/{k}/volume"))
            .unwrap()
    };
    assert_eq!(
        [looping(0), looping(1), looping(2), looping(3)],
        ["180", "7", "7", "90"]
    );
    let one = save.set("tracks/sink0.trk/looping/1/pan", "1").unwrap();
    assert_eq!(differences(save.image(), one.image()).len(), 1);
}

#[test]
fn the_palette_of_dust_keeps_black_and_white() {
    let save = saved("START.RTD");
    let palette = save.get("palette").unwrap();
    let changed = |index: usize| {
        let mut lines: Vec<&str> = palette.lines().collect();
        lines[index] = "1 2 65535";
        lines.join("\n")
    };
    let after = save.set("palette", &changed(7)).unwrap();
    assert_eq!(after.get("palette").unwrap(), changed(7));
    assert_eq!(refused(save.set("palette", &changed(0))), Errno::Invalid);
    assert_eq!(refused(save.set("palette", &changed(255))), Errno::Invalid);
    assert_eq!(
        refused(save.set("containers/0/palette/0/red", "1")),
        Errno::Invalid
    );
}

#[test]
fn couplings_of_an_actor() {
    let save = saved("WALKER.ti");
    let record = |name: &str| {
        let mut all = (0..).map(|k| format!("containers/2/records/{k}"));
        all.find(|path| save.get(&format!("{path}/name")).unwrap() == name)
            .unwrap()
    };
    let trask = record("trask");
    let is3d = |save: &Played| save.get(&format!("{trask}/is3d")).unwrap();
    let hidden = play(
        &save,
        &[("actors/trask/visible", "0"), ("actors/trask/set", "")],
    );
    assert_eq!(is3d(&hidden), "0");
    assert_eq!(
        refused(hidden.set("actors/trask/visible", "1")),
        Errno::Invalid
    );
    let shown = play(
        &hidden,
        &[
            ("actors/trask/set", "lounge1c"),
            ("actors/trask/visible", "1"),
        ],
    );
    assert_eq!(is3d(&shown), "1");
    assert_eq!(refused(shown.set("actors/trask/set", "")), Errno::Invalid);
    let posed = shown.set("actors/trask/pose", "sit").unwrap();
    assert_eq!(posed.get(&format!("{trask}/step")).unwrap(), "0");
    for field in ["x", "set", "star", "pose"] {
        assert_eq!(
            refused(save.set(&format!("actors/zeit/{field}"), "1")),
            Errno::Busy,
            "{field}"
        );
    }
    assert!(save.set("actors/zeit/deg", "1").is_ok());
    let dust = play(
        &saved("START.RTD"),
        &[("actors/dog/visible", "0"), ("actors/dog/set", "")],
    );
    let dog = (0..)
        .map(|k| format!("containers/2/records/{k}"))
        .find(|p| dust.get(&format!("{p}/name")).unwrap() == "dog")
        .unwrap();
    assert_eq!(dust.get(&format!("{dog}/is3d")).unwrap(), "1");
}

#[test]
fn an_actor_is_copied_over_another_in_listing_order() {
    let save = saved("WALKER.ti").create("actors/purs2", None).unwrap();
    let mut copy = play(
        &save,
        &[
            ("actors/trask/visible", "0"),
            ("actors/trask/set", ""),
            ("actors/trask/set", "hall"),
            ("actors/trask/visible", "1"),
            ("actors/purs2/set", ""),
        ],
    );
    for field in names(&save, "actors/trask") {
        let value = copy.get(&format!("actors/trask/{field}")).unwrap();
        copy = copy.set(&format!("actors/purs2/{field}"), &value).unwrap();
    }
    for field in names(&save, "actors/trask") {
        assert_eq!(
            copy.get(&format!("actors/purs2/{field}")).unwrap(),
            copy.get(&format!("actors/trask/{field}")).unwrap()
        );
    }
}

#[test]
fn another_view_of_a_prop_starts_with_its_first_frame() {
    let save = saved("WALKER.ti");
    let after = save.set("props/watch/view", "open").unwrap();
    let watch = (0..)
        .map(|k| format!("containers/4/records/{k}"))
        .find(|p| after.get(&format!("{p}/name")).unwrap() == "watch")
        .unwrap();
    assert_eq!(after.get(&format!("{watch}/frame")).unwrap(), "0");
}
