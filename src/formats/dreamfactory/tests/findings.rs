//! Each finding of dreamfactory.md 13, brought about in a fixture.

use super::{fixture, open, saved, span};
use crate::formats::testing::Played;
use crate::tree::Weight;

/// A fixture with some bytes overwritten at a leaf's place plus `skip`.
fn broken(name: &str, path: &str, skip: usize, bytes: &[u8]) -> Played {
    let save = saved(name);
    let (at, _) = span(&save, path);
    let mut file = save.image().to_vec();
    file[at + skip..at + skip + bytes.len()].copy_from_slice(bytes);
    open(&file)
}

fn has(save: &Played, code: &str, path: &str) {
    let findings = save.0.findings();
    let found = findings
        .iter()
        .find(|finding| finding.code == code && finding.path == path);
    let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let found = found.unwrap_or_else(|| panic!("no {code} at {path}: {all:?}"));
    assert!(found.offset.is_some());
    let weight = match code.as_bytes()[0] {
        b'D' => Weight::Damage,
        _ if ["W8", "W9", "4.1"].contains(&code) => Weight::Caution,
        _ => Weight::Warning,
    };
    assert_eq!(found.weight, weight, "{code}");
}

fn container(save: &Played, role: &str) -> usize {
    (0..30)
        .find(|k| {
            save.get(&format!("containers/{k}/role"))
                .is_ok_and(|r| r == role)
        })
        .unwrap()
}

#[test]
fn d1_length_in_the_header() {
    has(
        &broken("WALKER.ti", "envelope/header/file_size", 0, &[1]),
        "D1",
        "envelope/header/file_size",
    );
    let mut longer = fixture("START.RTD");
    longer.extend([0; 10]);
    has(&open(&longer), "D1", "envelope/header/file_size");
}

#[test]
fn d2_positions() {
    let save = saved("WALKER.ti");
    let at: usize = save.get("containers/3/offset").unwrap().parse().unwrap();
    let mut file = save.image().to_vec();
    let moved: Vec<u8> = file[at..at + 64].to_vec();
    file[at + 4..at + 68].copy_from_slice(&moved);
    file[1036..1040].copy_from_slice(&(at as u32 + 4).to_le_bytes());
    has(&open(&file), "D2", "containers/3");
    let mut file = save.image().to_vec();
    let (third, fifth) = (file[1036..1040].to_vec(), file[1044..1048].to_vec());
    file[1036..1040].copy_from_slice(&fifth);
    file[1044..1048].copy_from_slice(&third);
    has(&open(&file), "D2", "containers/4");
}

#[test]
fn d3_number_of_a_container() {
    let save = saved("WALKER.ti");
    let at: usize = save.get("containers/5/offset").unwrap().parse().unwrap();
    let mut file = save.image().to_vec();
    file[at] = 9;
    has(&open(&file), "D3", "containers/5");
}

#[test]
fn d4_sizes() {
    for (container, size) in [(0, 7481u32), (2, 1599), (3, 55), (4, 1579)] {
        let save = saved("FULL.ti");
        let size = save
            .get(&format!("containers/{container}/size"))
            .unwrap()
            .parse::<u32>()
            .unwrap()
            .min(size)
            - 1;
        let file = broken(
            "FULL.ti",
            &format!("containers/{container}/size"),
            0,
            &size.to_le_bytes(),
        );
        has(&file, "D4", &format!("containers/{container}"));
    }
    has(
        &broken(
            "START.RTD",
            "containers/6/records/0/registered_count",
            0,
            &[200],
        ),
        "D4",
        "tracks/unilib/registered",
    );
    has(
        &broken("START.RTD", "containers/0/header/file_count", 0, &[200]),
        "D4",
        "containers/0",
    );
}

#[test]
fn d5_counts_of_sounds() {
    let save = broken(
        "WALKER.ti",
        "containers/6/records/0/registered_count",
        0,
        &[9],
    );
    has(&save, "D5", "tracks/inven.trk/registered");
}

#[test]
fn d6_handles() {
    let save = saved("WALKER.ti");
    let (from, _) = span(&save, "files/3/handle");
    let handle = save.image()[from..from + 4].to_vec();
    has(
        &broken("WALKER.ti", "files/4/handle", 0, &handle),
        "D6",
        "files/4",
    );
    has(
        &broken(
            "WALKER.ti",
            "containers/1/records/0/set_handle",
            0,
            &[1, 2, 3, 4],
        ),
        "D6",
        "containers/1/records/0/set_handle",
    );
}

#[test]
fn d7_variables() {
    let save = saved("WALKER.ti");
    let globals = container(&save, "globals");
    let list = format!("containers/{globals}");
    let header = |name: &str| format!("{list}/header/{name}");
    for (field, bytes) in [
        ("capacity", [1, 0]),
        ("count", [255, 1]),
        ("mark", [255, 255]),
        ("pool_size", [1, 0]),
    ] {
        has(&broken("WALKER.ti", &header(field), 0, &bytes), "D7", &list);
    }
    has(
        &broken("WALKER.ti", "globals/mission", 0, &[5]),
        "D7",
        "globals/mission",
    );
    has(
        &broken("WALKER.ti", "globals/playerdeath", 2, &[2]),
        "D7",
        "globals/playerdeath",
    );
    has(
        &broken("WALKER.ti", "globals/handitem", 2, &[255, 255]),
        "D7",
        "globals/handitem",
    );
    has(
        &broken("WALKER.ti", "globals/clock", 16, &[0]),
        "D7",
        "globals/%",
    );
}

#[test]
fn d8_routes() {
    let save = saved("WALKER.ti");
    has(
        &broken("WALKER.ti", "walks/1/active", 0, &[0]),
        "D8",
        "walks",
    );
    let route = container(&save, "route of walks/1");
    has(
        &broken(
            "WALKER.ti",
            &format!("containers/{route}/header/count"),
            0,
            &[99],
        ),
        "D8",
        &format!("containers/{route}"),
    );
}

#[test]
fn w1_layout() {
    has(
        &broken("WALKER.ti", "envelope/header/gap_type", 0, &[1]),
        "W1",
        "envelope/header/gap_type",
    );
    has(
        &broken("WALKER.ti", "envelope/header/capacity", 0, &[100]),
        "W1",
        "envelope/header/capacity",
    );
    let mut file = fixture("WALKER.ti");
    file.extend([0; 64]);
    let length = file.len() as u32;
    file[4..8].copy_from_slice(&length.to_le_bytes());
    has(&open(&file), "W1", "envelope");
}

#[test]
fn w2_counts_of_lists() {
    for (name, list) in [
        ("actor_count", "actors"),
        ("prop_count", "props"),
        ("track_count", "tracks"),
    ] {
        let path = format!("containers/1/records/1/{name}");
        has(&broken("WALKER.ti", &path, 0, &[99]), "W2", list);
    }
    let dust = broken("START.RTD", "containers/1/records/1/actor_count", 0, &[0]);
    has(&dust, "W2", "actors");
    assert_eq!(dust.get("actors/dog/scale").unwrap(), "880");
    has(
        &broken("START.RTD", "containers/1/records/1/track_count", 0, &[7]),
        "W2",
        "tracks",
    );
}

#[test]
fn w3_handles() {
    for (path, at) in [
        ("theme/loop_bank", "theme/loop_bank"),
        ("containers/2/records/0/cast", "actors/purs"),
        ("containers/3/records/0/handle", "casts/gang.cst"),
        ("containers/6/records/0/handle", "tracks/inven.trk"),
    ] {
        let save = broken("WALKER.ti", path, 0, &[7, 7, 7, 7]);
        let at = if path.contains("/2/") {
            format!(
                "actors/{}",
                save.get("containers/2/records/0/name").unwrap()
            )
        } else {
            at.to_owned()
        };
        has(&save, "W3", &at);
    }
    has(
        &broken("HELP.RTD", "containers/1/records/2/puppet_handle", 0, &[7]),
        "W3",
        "location/puppet_file",
    );
}

#[test]
fn w4_colours() {
    has(
        &broken("WALKER.ti", "containers/0/palette/9/index", 0, &[3]),
        "W4",
        "containers/0/palette/9",
    );
}

#[test]
fn w5_books_of_the_pool() {
    let save = saved("WALKER.ti");
    let globals = container(&save, "globals");
    let path = format!("containers/{globals}/header/dead");
    let save = broken("WALKER.ti", &path, 0, &[0xEE]);
    has(&save, "W5", "globals");
    let before: i64 = save.get(&path).unwrap().parse().unwrap();
    let after = save.set("globals/handitem", "of another length").unwrap();
    assert_eq!(
        after.get(&path).unwrap(),
        (before + 6).to_string(),
        "only differences"
    );
}

#[test]
fn w6_loops_and_walks() {
    has(
        &broken("WALKER.ti", "loops/0/kind", 0, &[9]),
        "W6",
        "loops/0",
    );
    has(
        &broken("WALKER.ti", "loops/0/handler", 0, &[0]),
        "W6",
        "loops/0",
    );
    has(
        &broken("WALKER.ti", "walks/3/actor", 1, b"Q"),
        "W6",
        "walks/3",
    );
    has(
        &broken("WALKER.ti", "walks/3/type", 0, &[3]),
        "W6",
        "walks/3",
    );
    has(
        &broken("WALKER.ti", "walks/1/waypoints/1/length", 0, &[1]),
        "W6",
        "walks/1/route",
    );
    has(
        &broken("AFTERDOG.RTD", "walks/3/actor", 1, b"Q"),
        "W6",
        "walks/3",
    );
}

#[test]
fn w7_visible_actors() {
    let save = saved("WALKER.ti")
        .set("actors/trask/set", "lounge1c")
        .unwrap();
    let save = save.set("actors/trask/visible", "1").unwrap();
    let mut file = save.image().to_vec();
    file[span(&save, "actors/trask/set").0] = 0;
    has(&open(&file), "W7", "actors/trask");
    let record = (0..)
        .map(|k| format!("containers/2/records/{k}"))
        .find(|p| save.get(&format!("{p}/name")).unwrap() == "trask");
    let mut file = save.image().to_vec();
    file[span(&save, &format!("{}/is3d", record.unwrap())).0] = 0;
    has(&open(&file), "W7", "actors/trask");
}

#[test]
fn w8_w9_and_the_gate() {
    has(
        &saved("WALKER.ti").set("paths/3", "titanic2:data:").unwrap(),
        "W8",
        "disk",
    );
    has(
        &saved("WALKER.ti").set("location/frame", "9").unwrap(),
        "W9",
        "location/frame",
    );
    has(&saved("QUIT.RTD"), "4.1", "version");
}
