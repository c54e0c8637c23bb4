//! Variables, actors, routes and rooms that come and go, through a mount.

use crate::support::{Mounted, copy_of, corpus, fixture, printed};
use std::path::{Path, PathBuf};

/// A mounted copy of a fixture; None, said aloud, where nothing can be mounted.
fn mounted(name: &str) -> Option<(tempfile::TempDir, PathBuf, Mounted)> {
    let (folder, save) = copy_of(&fixture(name));
    let mount = Mounted::new(&save, folder.path(), &[])?;
    Some((folder, save, mount))
}

fn stored(save: &Path, path: &str) -> String {
    printed(&["get", &save.display().to_string(), path])
}

fn fine(mount: &Mounted, script: &str) -> String {
    let (code, out, error) = mount.sh("bash", script);
    assert_eq!(code, 0, "{script}: {error}");
    out
}

fn refused(mount: &Mounted, script: &str, words: &str) {
    let (code, _, error) = mount.sh("bash", script);
    assert_ne!(code, 0, "{script}");
    assert!(error.contains(words), "{script}: {error}");
}

/// After everything the save passes its check without a word.
fn end(save: &Path, mount: Mounted) {
    mount.unmount();
    assert_eq!(
        printed(&["check", &save.display().to_string()]),
        format!("{}: fine\n", save.display())
    );
}

#[test]
fn variables_are_made_by_writing_them() {
    let Some((_folder, save, mount)) = mounted("dreamfactory/WALKER.ti") else {
        return;
    };
    fine(
        &mount,
        "echo 7 > globals/bombmebaby; echo > globals/x; echo true > globals/flag; echo 7 > ../file; cp ../file globals/copied",
    );
    let kind = |name: &str| {
        fine(
            &mount,
            &format!("getfattr --only-values -n user.savefs.type globals/{name}"),
        )
    };
    assert_eq!(
        [kind("bombmebaby"), kind("x"), kind("flag"), kind("copied")],
        ["number", "string", "boolean", "number"]
    );
    fine(
        &mount,
        "setfattr -n user.savefs.type -v string globals/bombmebaby; echo seven > globals/bombmebaby",
    );
    assert_eq!(stored(&save, "globals/bombmebaby"), "seven\n");
    refused(
        &mount,
        "echo 1 > globals/sixteencharacters",
        "name too long",
    );
    fine(&mount, "echo 5 > globals/MISSION");
    assert_eq!(
        stored(&save, "globals/mission"),
        "5\n",
        "a name that differs in case only is the same variable"
    );
    end(&save, mount);
}

#[test]
fn a_full_list_of_variables_says_so_and_none_can_go() {
    let Some((_folder, save, mount)) = mounted("dreamfactory/FULL.ti") else {
        return;
    };
    let before = std::fs::read(&save).expect("the save");
    refused(&mount, "echo 1 > globals/onemore", "No space left");
    assert_eq!(
        fine(&mount, "getfattr --only-values -n user.savefs.free globals"),
        "0"
    );
    fine(&mount, "rm globals/mission; sleep 6; cat globals/mission");
    assert!(
        mount.read(".savefs/errors").contains("globals/mission"),
        "{}",
        mount.read(".savefs/errors")
    );
    assert_eq!(std::fs::read(&save).expect("the save"), before);
    end(&save, mount);
}

#[test]
fn actors_are_copied_and_taken_away() {
    let Some(real) = corpus("dreamfactory/M4P0FCL.ti") else {
        return;
    };
    let (folder, save) = copy_of(&real);
    let before = std::fs::read(&save).expect("the save");
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    fine(&mount, "mkdir actors/paul1x");
    let appended = std::fs::read(&save).expect("the save");
    // The last worked edit of dreamfactory.md 12.1.
    assert_eq!(
        (
            appended.len(),
            u32::from_le_bytes([appended[4], appended[5], appended[6], appended[7]])
        ),
        (48448, 48448)
    );
    fine(&mount, "cp -r actors/purs/. actors/paul1x/");
    assert_eq!(fine(&mount, "diff -r actors/purs actors/paul1x"), "");
    refused(&mount, "mkdir actors/zzz9", "not permitted");
    refused(&mount, "rmdir actors/purs", "not permitted");
    fine(&mount, "rmdir actors/paul1x");
    let after = std::fs::read(&save).expect("the save");
    assert_eq!(after.len(), before.len());
    end(&save, mount);
}

#[test]
fn walks_end_and_begin_with_their_routes() {
    let Some((_folder, save, mount)) = mounted("dreamfactory/WALKER.ti") else {
        return;
    };
    let route = mount.read("walks/1/route");
    assert_eq!(mount.read("walks/1/type"), "route\n");
    refused(&mount, "echo 5 > actors/brown1/x", "busy");
    let containers = fine(&mount, "ls containers | wc -l");
    fine(&mount, "echo 0 > walks/1/active");
    assert_ne!(
        fine(&mount, "ls containers | wc -l"),
        containers,
        "the payload is a container, and gone"
    );
    fine(&mount, "echo 5 > actors/brown1/x");
    std::fs::write(_folder.path().join("route"), &route).expect("a file");
    fine(&mount, "cp ../route walks/1/route");
    assert_eq!(
        (mount.read("walks/1/active"), mount.read("walks/1/route")),
        ("1\n".into(), route)
    );
    assert_eq!(fine(&mount, "ls containers | wc -l"), containers);
    end(&save, mount);
}

#[test]
fn a_room_is_changed_as_a_whole() {
    let Some((_folder, save, mount)) = mounted("dreamfactory/WALKER.ti") else {
        return;
    };
    refused(&mount, "echo bridge > location/set", "not permitted");
    assert!(
        mount.read(".savefs/errors").contains("location/room"),
        "the way is told"
    );
    let room = "set_file bridge.set\\nset bridge\\nscene scene2\\nview view1\\nactor_register 4\\nscene_register 5\\nscene_count 9\\n";
    fine(&mount, &format!("printf '{room}' > location/room"));
    assert_eq!(stored(&save, "location/set"), "bridge\n");
    assert_eq!(stored(&save, "location/set_file"), "bridge.set\n");
    assert_eq!(stored(&save, "location/scene_count"), "9\n");
    refused(
        &mount,
        "echo set cabin > ../room; cp ../room location/room",
        "Invalid argument",
    );
    end(&save, mount);
}

#[test]
fn a_dust_save_written_on_the_way_out_is_repaired() {
    let Some((_folder, save, mount)) = mounted("dreamfactory/QUIT.RTD") else {
        return;
    };
    assert!(
        mount.read(".savefs/findings").contains("version=dust 0.3"),
        "{}",
        mount.read(".savefs/findings")
    );
    refused(&mount, "echo dust 0.4 > version", "Invalid argument");
    fine(&mount, "echo dust 0.3 > version");
    end(&save, mount);
}
