//! Actors: couplings, copies that come and go. dreamfactory.md 6.

use super::{names, play, refused, saved};
use crate::formats::testing::Played;
use crate::tree::Errno;

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
fn dust_grows_by_blocks_of_32_bytes() {
    let mut save = saved("START.RTD");
    for name in ["dog2", "dog3", "dog4"] {
        save = save.create(&format!("actors/{name}"), None).unwrap();
        let size: usize = save.get("containers/2/size").unwrap().parse().unwrap();
        assert_eq!(
            size,
            (names(&save, "actors").len() * 164).next_multiple_of(32)
        );
        assert_eq!(save.0.findings(), []);
    }
}
