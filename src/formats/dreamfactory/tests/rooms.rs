//! Moving inside a set and to another. dreamfactory.md 5.4, 5.5.

use super::{all, play, refused, saved};
use crate::tree::Errno;

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
        "location/set_file",
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
