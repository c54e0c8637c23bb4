//! The real save, as dreamfactory.md 16 describes it, and the worked edits of 12.1.

use super::{differences, open, real};
use crate::tree::node::Dir;
use crate::tree::walk;
use std::sync::Arc;

fn entries(save: &crate::formats::testing::Played, path: &str) -> usize {
    let node = save.node(path).unwrap();
    let dir: &Arc<dyn Dir> = node.as_dir().unwrap();
    walk::entries(dir).len()
}

#[test]
fn anchors_of_the_real_save() {
    let Some(bytes) = real() else { return };
    let save = open(&bytes);
    for (path, value) in [
        ("version", "Titanic 1.0"),
        ("disk", "Titanic1"),
        ("location/stage", "main.stg"),
        ("location/set", "lounge1c"),
        ("location/set_file", "lounge1c.set"),
        ("files/3/path", "titanic1:data:lounge1c.set"),
        ("location/scene", "scene14"),
        ("location/view", "view37"),
        ("location/frame", "20216"),
        ("location/actor_register", "3"),
        ("location/scene_register", "2"),
        ("location/scene_count", "7"),
        ("globals/mission", "4"),
        ("globals/phase", "0"),
        ("globals/clock", "1309"),
        ("globals/hrs", "13"),
        ("globals/min", "9"),
        ("globals/sec", "1"),
        ("globals/handitem", "shawl"),
        ("globals/hallside", "star"),
        ("globals/savedeck", "gstair2"),
        ("globals/newset", "lounge1c"),
        ("globals/oldset", "lnghall"),
        ("globals/secframe", "20163"),
        ("globals/lowmemory", "6144000"),
        ("loops/0/name", "purs"),
        ("loops/0/handler", "playcrickets"),
        ("loops/0/period", "284"),
        ("loops/1/handler", "zeitidle"),
        ("loops/2/handler", "traskidle"),
        ("loops/8/active", "1"),
        ("loops/9/active", "0"),
    ] {
        if path.starts_with("files/") {
            let found = (0..15).any(|k| save.get(&format!("files/{k}/path")).unwrap() == value);
            assert!(found, "{value}");
        } else {
            assert_eq!(save.get(path).unwrap(), value, "{path}");
        }
    }
    for (path, count) in [
        ("actors", 39),
        ("props", 72),
        ("files", 15),
        ("globals", 102),
        ("stale", 13),
        ("tracks", 4),
        ("containers", 24),
        ("tracks/inven.trk/registered", 13),
        ("tracks/inven.trk/playing", 0),
        ("tracks/unilib.trk/registered", 25),
        ("tracks/insddest.sfx/registered", 15),
        ("tracks/sink0.trk/registered", 0),
        ("tracks/sink0.trk/playing", 12),
        ("tracks/sink0.trk/looping", 12),
    ] {
        assert_eq!(entries(&save, path), count, "{path}");
    }
    let visible = |list: &str| {
        let node = save.node(list).unwrap();
        let names = walk::entries(node.as_dir().unwrap());
        names
            .iter()
            .filter(|(name, _)| save.get(&format!("{list}/{name}/visible")).unwrap() == "1")
            .count()
    };
    assert_eq!((visible("actors"), visible("props")), (8, 7));
    assert_eq!(save.0.findings(), []);
}

#[test]
fn variables_of_the_real_save_have_their_types() {
    let Some(bytes) = real() else { return };
    let save = open(&bytes);
    let node = save.node("globals").unwrap();
    let dir = node.as_dir().unwrap();
    let count = |name: &str| {
        let entries = walk::entries(dir);
        let types = entries
            .iter()
            .map(|(entry, _)| dir.get(entry).unwrap().about().type_name);
        types.filter(|kind| kind == name).count()
    };
    assert_eq!(
        (count("number"), count("string"), count("boolean")),
        (61, 29, 12)
    );
    let extras = dir.about().extras;
    assert_eq!(
        extras,
        [("free", "18".to_owned()), ("free_shown", "4".to_owned())]
    );
}

#[test]
fn worked_edit_of_a_number() {
    let Some(bytes) = real() else { return };
    let after = open(&bytes).set("globals/mission", "2").unwrap();
    assert_eq!(differences(&bytes, after.image()), [(38110, 4, 2)]);
}

#[test]
fn worked_edit_of_a_string() {
    let Some(bytes) = real() else { return };
    let after = open(&bytes).set("globals/handitem", "painting").unwrap();
    let mut expected = bytes.clone();
    expected[38014] = 0x5A;
    expected[42850] = 8;
    expected[42851..42859].copy_from_slice(b"painting");
    expected[37840] = 0x63;
    expected[37836] = 0xC3;
    assert_eq!(differences(&expected, after.image()), []);
    assert_eq!(differences(&bytes, after.image()).len(), 12);
}

#[test]
fn worked_edit_of_a_new_variable() {
    let Some(bytes) = real() else { return };
    let after = open(&bytes).set("globals/bombmebaby", "7").unwrap();
    let mut expected = bytes.clone();
    expected[37832] = 0x67;
    let element = 41116;
    expected.copy_within(element..element + 13 * 32, element + 32);
    expected[element..element + 6].copy_from_slice(&[4, 0, 7, 0, 0, 0]);
    expected[element + 16] = 0x0A;
    expected[element + 17..element + 27].copy_from_slice(b"bombmebaby");
    expected[element + 28..element + 32].copy_from_slice(&[0x6F, 0x59, 0xC4, 0x87]);
    assert_eq!(differences(&expected, after.image()), []);
    assert_eq!(after.get("globals/bombmebaby").unwrap(), "7");
    assert_eq!(entries(&after, "stale"), 13);
}

#[test]
fn worked_edit_of_a_new_actor() {
    let Some(bytes) = real() else { return };
    let before = open(&bytes);
    let after = before.create("actors/paul1x", None).unwrap();
    assert_eq!(after.image().len(), 48448);
    let positions = [
        1536, 10368, 11200, 17664, 17728, 29120, 29184, 29376, 30784, 30848, 30912, 33536, 33600,
        33664, 35264, 35328, 35392, 35456, 36736, 38016, 41920, 44032, 45440, 46656,
    ];
    for (index, at) in positions.iter().enumerate() {
        assert_eq!(
            after.get(&format!("containers/{index}/offset")).unwrap(),
            at.to_string()
        );
    }
    let source = (0..39)
        .find(|k| {
            before
                .get(&format!("containers/2/records/{k}/name"))
                .unwrap()
                == "paul1"
        })
        .unwrap();
    let record = |at: usize| bytes[11208 + at * 160..11208 + (at + 1) * 160].to_vec();
    let mut made = record(source);
    made[0..2].copy_from_slice(&[0, 0]);
    made[46..48].copy_from_slice(&270u16.to_le_bytes());
    made[80] = 6;
    made[81..87].copy_from_slice(b"paul1x");
    let mut expected = bytes[..17448].to_vec();
    expected.extend(&made);
    expected.resize(17472 + 192, 0);
    expected.extend(&bytes[17472..]);
    expected[4..8].copy_from_slice(&48448u32.to_le_bytes());
    for (index, at) in positions.iter().enumerate() {
        expected[1024 + index * 4..1028 + index * 4].copy_from_slice(&(*at as u32).to_le_bytes());
    }
    expected[11204..11208].copy_from_slice(&6400u32.to_le_bytes());
    let count = 10368 + 8 + 456;
    assert_eq!(expected[count], 0x27);
    expected[count] = 0x28;
    assert_eq!(differences(&expected, after.image()), []);
    let gone = after.remove("actors/paul1x").unwrap();
    assert_eq!(gone.image().len(), bytes.len());
}

#[test]
fn an_edit_that_is_undone_gives_the_same_values() {
    let Some(bytes) = real() else { return };
    let edited = open(&bytes).set("globals/handitem", "painting").unwrap();
    let undone = edited.set("globals/handitem", "shawl").unwrap();
    assert_eq!(undone.get("globals/handitem").unwrap(), "shawl");
    assert_eq!(undone.0.findings(), []);
}
