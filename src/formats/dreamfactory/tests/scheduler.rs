//! Loops, crickets, walks and routes. dreamfactory.md 11.

use super::{all, differences, names, open, play, refused, saved, span};
use crate::tree::Errno;

#[test]
fn a_loop_starts_when_all_of_it_is_right() {
    let save = saved("WALKER.ti");
    assert_eq!(refused(save.set("loops/4/active", "1")), Errno::Invalid);
    let ready = play(
        &save,
        &[
            ("loops/4/kind", "Prop"),
            ("loops/4/period", "12"),
            ("loops/4/name", "watch"),
            ("loops/4/handler", "ticktock"),
        ],
    );
    let runs = ready.set("loops/4/active", "1").unwrap();
    assert_eq!(
        all(&runs, &["loops/4/active", "loops/4/kind", "loops/4/busy"]),
        ["1", "prop", "0"]
    );
    assert_eq!(refused(runs.set("loops/4/name", "nothing")), Errno::Invalid);
    assert_eq!(refused(runs.set("loops/4/kind", "1")), Errno::Invalid);
    assert_eq!(refused(runs.set("loops/4/kind", "5")), Errno::Invalid);
    assert_eq!(refused(runs.set("loops/4/period", "0")), Errno::Invalid);
    assert_eq!(refused(ready.set("loops/4/name", "")), Errno::Invalid);
    let ended = runs.set("loops/4/active", "0").unwrap();
    let (busy, _) = span(&save, "loops/4/busy");
    let changed = differences(ready.image(), ended.image());
    assert!(
        changed
            .iter()
            .all(|(at, _, new)| (busy..busy + 2).contains(at) && *new == 0)
    );
}

#[test]
fn a_cricket_starts_with_the_values_of_a_fresh_one() {
    let save = saved("WALKER.ti");
    let ready = play(
        &save,
        &[
            ("crickets/1/set", "lounge1c"),
            ("crickets/1/name", "TeaCup"),
            ("crickets/1/jitter", "-1"),
            ("crickets/1/radius", "400"),
        ],
    );
    let sings = ready.set("crickets/1/active", "1").unwrap();
    let paths = [
        "crickets/1/pan",
        "crickets/1/armed",
        "crickets/1/loudness",
        "crickets/1/busy",
    ];
    assert_eq!(all(&sings, &paths), ["128", "0", "-1", "0"]);
    assert_eq!(
        refused(sings.set("crickets/1/name", "nosound")),
        Errno::Invalid
    );
    assert_eq!(
        refused(ready.set("crickets/1/jitter", "-2")),
        Errno::Invalid
    );
}

#[test]
fn a_cricket_of_dust_can_only_be_ended() {
    let save = saved("START.RTD");
    assert_eq!(
        refused(save.set("crickets/0/active", "1")),
        Errno::NotPermitted
    );
    assert_eq!(
        refused(save.set("crickets/0/name", "x")),
        Errno::NotPermitted
    );
    let mut bytes = save.image().to_vec();
    bytes[span(&save, "crickets/2/active").0] = 1;
    let ended = open(&bytes).set("crickets/2/active", "0").unwrap();
    assert_eq!(ended.image(), save.image());
}

#[test]
fn a_line_starts_and_ends() {
    let save = saved("WALKER.ti");
    let ready = play(
        &save,
        &[
            ("walks/2/type", "line"),
            ("walks/2/x", "100"),
            ("walks/2/y", "200"),
            ("walks/2/dx", "-30"),
            ("walks/2/dy", "-40"),
            ("walks/2/dist", "50"),
            ("walks/2/progress", "0"),
            ("walks/2/turn_to", "-1"),
            ("walks/2/paused", "0"),
            ("walks/2/deg", "9"),
            ("walks/2/actor", "trask"),
            ("walks/2/star", "trask2"),
        ],
    );
    let index: usize = ready.get("walks/2/actor_index").unwrap().parse().unwrap();
    assert_eq!(
        ready
            .get(&format!("containers/2/records/{index}/name"))
            .unwrap(),
        "trask"
    );
    let walks = ready.set("walks/2/active", "1").unwrap();
    assert_eq!(walks.get("walks/2/payload").unwrap(), "0");
    assert_eq!(refused(walks.set("actors/trask/x", "1")), Errno::Busy);
    assert_eq!(refused(walks.set("walks/2/progress", "51")), Errno::Invalid);
    assert_eq!(refused(walks.set("walks/2/dist", "0")), Errno::Invalid);
    assert_eq!(refused(walks.set("walks/2/type", "turn")), Errno::Busy);
    assert_eq!(refused(walks.set("walks/2/actor", "zeit")), Errno::Busy);
    assert_eq!(
        refused(walks.set("walks/2/actor", "nobody")),
        Errno::Invalid
    );
    let ended = walks.set("walks/2/active", "0").unwrap();
    assert_eq!(ended.image(), ready.image());
    assert_eq!(walks.image().len(), save.image().len());
}

#[test]
fn a_turn_starts_for_an_actor_that_is_not_walking() {
    let save = saved("WALKER.ti");
    let ready = play(
        &save,
        &[
            ("walks/5/type", "0"),
            ("walks/5/turn_to", "64"),
            ("walks/5/paused", "0"),
            ("walks/5/deg", "9"),
            ("walks/5/actor", "trask"),
        ],
    );
    assert_eq!(
        ready
            .set("walks/5/active", "1")
            .unwrap()
            .get("walks/5/type")
            .unwrap(),
        "turn"
    );
    let taken = ready.set("walks/5/actor", "zeit").unwrap();
    assert_eq!(refused(taken.set("walks/5/active", "1")), Errno::Busy);
    assert_eq!(refused(save.set("walks/5/active", "1")), Errno::Invalid);
    assert_eq!(refused(ready.set("walks/5/type", "2")), Errno::Invalid);
}

const POINTS: &[u8] = b"10 20 0\n13 24 0\n13 24 12 99\n";

#[test]
fn a_route_starts_with_its_points_and_goes_with_its_walk() {
    let save = saved("WALKER.ti");
    let ready = play(
        &save,
        &[
            ("walks/5/actor", "trask"),
            ("walks/5/type", "route"),
            ("walks/5/turn_to", "-1"),
            ("walks/5/paused", "0"),
            ("walks/5/deg", "9"),
        ],
    );
    assert_eq!(
        refused(ready.set("walks/5/active", "1")),
        Errno::NotPermitted
    );
    let before = names(&save, "containers").len();
    let walks = ready.write("walks/5/route", POINTS).unwrap();
    assert_eq!(names(&walks, "containers").len(), before + 1);
    assert_eq!(
        walks.get("walks/5/route").unwrap(),
        "10 20 0 0\n13 24 0 5\n13 24 12 99"
    );
    assert_eq!(walks.get("walks/5/active").unwrap(), "1");
    assert_eq!(names(&walks, "walks/5/waypoints"), ["0", "1", "2"]);
    for slot in [1, 9] {
        let path = format!("walks/{slot}/route");
        assert_eq!(
            walks.get(&path).unwrap(),
            save.get(&path).unwrap(),
            "{path}"
        );
    }
    let rank = (0..before + 1)
        .find(|k| walks.get(&format!("containers/{k}/role")).unwrap() == "route of walks/5")
        .unwrap();
    assert_eq!(rank, before - 1, "between the routes of slots 1 and 9");
    let head = format!("containers/{rank}/header");
    assert_eq!(walks.get(&format!("{head}/total")).unwrap(), "104");
    assert_eq!(walks.get(&format!("{head}/bounds")).unwrap(), "20 10 24 13");
    assert_eq!(walks.0.findings(), []);
    let ended = walks.set("walks/5/active", "0").unwrap();
    assert_eq!(ended.image().len(), save.image().len());
    assert_eq!(names(&ended, "containers").len(), before);
    assert_eq!(ended.0.findings(), []);
    for slot in [1, 9] {
        let path = format!("walks/{slot}/route");
        assert_eq!(
            ended.get(&path).unwrap(),
            save.get(&path).unwrap(),
            "{path}"
        );
    }
}

#[test]
fn a_route_is_replaced_as_a_whole() {
    let save = saved("WALKER.ti");
    let mut long = String::new();
    for k in 0..20 {
        long.push_str(&format!("{} 0 0\n", k * 100));
    }
    let after = save.write("walks/1/route", long.as_bytes()).unwrap();
    assert_eq!(names(&after, "walks/1/waypoints").len(), 20);
    assert!(after.image().len() > save.image().len());
    assert_eq!(
        after.get("walks/9/route").unwrap(),
        save.get("walks/9/route").unwrap()
    );
    assert_eq!(after.0.findings(), []);
    assert_eq!(
        refused(save.write("walks/1/route", b"0 0 0\n1 1 1\n")),
        Errno::Invalid,
        "700 are covered"
    );
    assert_eq!(
        refused(save.write("walks/1/route", b"0 0 0\n")),
        Errno::Invalid
    );
    assert_eq!(
        refused(save.write("walks/9/route", b"0 0 0 4\n1 1 1\n")),
        Errno::Invalid
    );
    assert_eq!(
        refused(save.write("walks/9/route", b"0 0\n1 1 1\n")),
        Errno::Invalid
    );
    assert_eq!(
        refused(save.write("walks/9/route", b"0 0 0\n1 1 40000\n")),
        Errno::Invalid
    );
    assert_eq!(refused(save.write("walks/3/route", POINTS)), Errno::Busy);
}

#[test]
fn a_leg_changes_the_total_and_a_point_only_itself() {
    let save = saved("WALKER.ti");
    let payload = (0..30)
        .find(|k| {
            save.get(&format!("containers/{k}/role"))
                .is_ok_and(|role| role == "route of walks/9")
        })
        .unwrap();
    let total_at = format!("containers/{payload}/header/total");
    let moved = save.set("walks/9/waypoints/1/x", "-500").unwrap();
    assert_eq!(moved.get(&total_at).unwrap(), save.get(&total_at).unwrap());
    let old: i64 = save
        .get("walks/9/waypoints/1/length")
        .unwrap()
        .parse()
        .unwrap();
    let longer = save
        .set("walks/9/waypoints/1/length", &(old + 11).to_string())
        .unwrap();
    let sum: i64 = save.get(&total_at).unwrap().parse::<i64>().unwrap() + 11;
    assert_eq!(longer.get(&total_at).unwrap(), sum.to_string());
    assert_eq!(longer.0.findings(), []);
    assert_eq!(
        refused(save.set("walks/9/waypoints/0/length", "4")),
        Errno::Invalid
    );
}

#[test]
fn no_more_containers_than_the_table_has_room_for() {
    let save = saved("WALKER.ti");
    let mut bytes = save.image().to_vec();
    let count = names(&save, "containers").len() as u32;
    let mut draft = crate::tree::Draft::new(bytes.clone(), false);
    for _ in count..128 {
        let count = u32::from_le_bytes(draft.bytes()[20..24].try_into().unwrap());
        super::super::envelope::insert(&mut draft, count as usize, &[]).unwrap();
    }
    bytes = draft.finish().0;
    let mut draft = crate::tree::Draft::new(bytes, false);
    assert_eq!(
        super::super::envelope::insert(&mut draft, 128, &[])
            .unwrap_err()
            .errno,
        Errno::NoSpace
    );
}

#[test]
fn a_line_of_dust_follows_its_cell() {
    let save = saved("AFTERDOG.RTD");
    let after = save.set("walks/3/x", "-1").unwrap();
    assert_eq!(
        all(&after, &["walks/3/column", "walks/3/row"]),
        ["-1", "11"]
    );
    assert_eq!(
        refused(save.set("walks/3/remaining", "132")),
        Errno::Invalid
    );
    assert_eq!(
        refused(save.set("walks/3/actor", "dog")),
        Errno::NotPermitted
    );
    let ended = save.set("walks/3/active", "0").unwrap();
    assert_eq!(differences(save.image(), ended.image()).len(), 1);
    assert_eq!(
        ended.set("walks/3/active", "1").unwrap().image(),
        save.image()
    );
    assert_eq!(refused(save.set("actors/help/x", "1")), Errno::Busy);
    assert!(ended.set("actors/help/x", "1").is_ok());
}

#[test]
fn ending_a_route_of_dust_takes_its_container() {
    let save = saved("QUIT.RTD");
    let count = names(&save, "containers").len();
    let is = |slot: &usize, field: &str, value: &str| {
        save.get(&format!("walks/{slot}/{field}")).unwrap() == value
    };
    let slot = (0..16)
        .find(|slot| is(slot, "active", "1") && !is(slot, "payload", "0"))
        .unwrap();
    let active = format!("walks/{slot}/active");
    let ended = save.set(&active, "0").unwrap();
    assert_eq!(names(&ended, "containers").len(), count - 1);
    assert_eq!(ended.get(&format!("walks/{slot}/payload")).unwrap(), "0");
    assert!(
        ended
            .0
            .findings()
            .iter()
            .all(|finding| finding.code == "4.1")
    );
    let mut bytes = save.image().to_vec();
    let free = (0..16).find(|slot| is(slot, "active", "0")).unwrap();
    bytes[span(&save, &format!("walks/{free}/payload")).0] = 1;
    let leftover = open(&bytes);
    assert_eq!(
        refused(leftover.set(&format!("walks/{free}/active"), "1")),
        Errno::NotPermitted
    );
}

#[test]
fn a_route_that_cannot_become_legal_is_refused_as_soon_as_it_is_seen() {
    let save = saved("WALKER.ti");
    let feasible = |path: &str, text: &str| {
        let node = save.node(path).unwrap();
        node.as_leaf()
            .unwrap()
            .feasible(text.as_bytes())
            .map_err(|refusal| refusal.errno)
    };
    assert_eq!(feasible("walks/9/route", "1 2 3\n4 5"), Ok(()));
    assert_eq!(feasible("walks/9/route", "1 2\n"), Err(Errno::Invalid));
    assert_eq!(
        feasible("walks/3/route", "1 2 3\n4 5 6\n"),
        Err(Errno::Busy)
    );
    assert_eq!(
        feasible("walks/5/route", "1 2 3\n4 5 6\n"),
        Err(Errno::Invalid),
        "no actor"
    );
    assert_eq!(
        feasible("palette", "0 0 0\n70000 0 0\n"),
        Err(Errno::Invalid)
    );
    assert_eq!(feasible("palette", "0 0 0\n700"), Ok(()));
    assert_eq!(
        feasible("location/room", "set_file a.set\nset a\nsce"),
        Ok(())
    );
    assert_eq!(
        feasible("location/room", "set_fil a.set\n"),
        Err(Errno::Invalid)
    );
}
