//! What changes together. lba2.md 6, 7.6, 8, 12.

use super::*;

fn all(save: &Played, paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| get(save, path)).collect()
}

#[test]
fn moving_the_hero_moves_his_old_place_and_the_view() {
    for prefix in ["lba", "lba/checkpoint"] {
        let save = opened("CHECK32");
        let path = |rest: &str| format!("{prefix}/{rest}");
        let moved = set(&save, &path("position/x"), "5000");
        let moved = set(&moved, &path("position/y"), "-300");
        let moved = set(&moved, &path("position/z"), "32767");
        let places = ["x", "y", "z", "old_x", "old_y", "old_z"]
            .map(|n| get(&moved, &path(&format!("objects/0/{n}"))));
        assert_eq!(places, ["5000", "-300", "32767", "5000", "-300", "32767"]);
        let cells = ["x", "y", "z"].map(|n| get(&moved, &path(&format!("camera_cell_{n}"))));
        assert_eq!(cells, ["9", "-2", "63"]);
        let targets = ["x", "y", "z"].map(|n| get(&moved, &path(&format!("camera/target_{n}"))));
        assert_eq!(targets, ["4608", "-512", "32256"]);
    }
    let other = opened("CHECK32");
    let moved = set(&other, "lba/objects/2/x", "77");
    assert_eq!(
        get(&moved, "lba/objects/2/old_x"),
        get(&other, "lba/objects/2/old_x")
    );
    assert_eq!(get(&moved, "lba/camera_cell_x"), "20");
}

#[test]
fn turning_the_hero_turns_all_that_turns() {
    let save = set(&opened("PLAIN64C"), "lba/position/facing", "1024");
    let turned = ["beta", "old_beta", "turn_current", "turn_end"]
        .map(|n| get(&save, &format!("lba/objects/0/{n}")));
    assert_eq!(turned, ["1024"; 4]);
}

#[test]
fn cells_of_the_view_and_the_point_looked_at_go_together() {
    let save = opened("PLAIN32C");
    let after = set(&save, "lba/camera_cell_y", "-3");
    assert_eq!(get(&after, "lba/camera/target_y"), "-768");
    let after = set(&save, "lba/camera/target_x", "700");
    assert_eq!(get(&after, "lba/camera_cell_x"), "1");
    let after = set(&after, "lba/camera_cell_x", "2");
    assert_eq!(
        get(&after, "lba/camera/target_x"),
        "1212",
        "the place within the cell stays"
    );
}

#[test]
fn darts_carried_and_their_flags_go_together() {
    let save = opened("DARTS");
    let taken = |save: &Played| {
        (0..3)
            .map(|n| get(save, &format!("lba/darts/{n}/flags")).contains("taken"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (get(&save, "lba/vars/2").as_str(), taken(&save)),
        ("1", vec![false, false, true])
    );
    let two = set(&save, "lba/inventory/2", "2");
    assert_eq!(taken(&two), [true, false, true]);
    assert_eq!(taken(&set(&two, "lba/inventory/2", "0")), [false; 3]);
    assert_eq!(taken(&set(&two, "lba/vars/2", "3")), [true; 3]);
    let dropped = set(&two, "lba/darts/2/flags", "none");
    assert_eq!(get(&dropped, "lba/inventory/2"), "1");
    let many = set(&save, "lba/inventory/2", "7");
    assert_eq!(taken(&many), [true; 3]);
    assert!(finding_codes(&many.0).contains(&("darts", "lba/inventory/2".into())));
}

#[test]
fn a_behaviour_brings_its_weapon_and_the_hero_is_dressed() {
    let save = opened("PLAIN32C");
    let armed = |save: &Played| all(save, &["lba/weapon", "lba/objects/0/gen_body"]);
    let robed = set(&save, "lba/objects/0/gen_body", "wizard");
    for (behaviour, weapon) in [
        ("proto_pack", "magic_ball"),
        ("super_jetpack", "magic_ball"),
        ("horn", "horn"),
        ("space_suit_indoors", "space_suit"),
        ("space_suit_indoors_athletic", "space_suit"),
        ("space_suit_outdoors", "space_suit"),
        ("space_suit_outdoors_athletic", "space_suit"),
    ] {
        let after = set(&robed, "lba/behaviour", behaviour);
        assert_eq!(armed(&after), [weapon, "tunic"], "{behaviour}");
        let back = set(&after, "lba/behaviour", "normal");
        assert_eq!(armed(&back), ["magic_ball", "tunic"], "{behaviour}");
    }
    assert_eq!(
        armed(&set(&robed, "lba/behaviour", "athletic")),
        ["sword", "wizard"]
    );
    assert_eq!(
        armed(&set(&robed, "lba/weapon", "glove")),
        ["glove", "tunic"]
    );
    let hidden = set(&save, "lba/objects/0/gen_body", "none");
    assert_eq!(
        armed(&set(&hidden, "lba/weapon", "glove")),
        ["glove", "none"]
    );
    assert_eq!(
        armed(&set(&robed, "lba/items/4/state", "3")),
        ["sword", "tunic"]
    );
    let horn = set(&set(&save, "lba/behaviour", "horn"), "lba/weapon", "sword");
    assert!(finding_codes(&horn.0).contains(&("weapon", "lba/weapon".into())));
}

#[test]
fn behaviour_car_and_movement_car_go_together() {
    let save = opened("PLAIN32C");
    assert_eq!(refused(&save, "lba/behaviour", "car"), Errno::Damaged);
    assert_eq!(
        refused(&save, "lba/objects/0/move", "car_manual"),
        Errno::Damaged
    );
}

#[test]
fn variable_8_follows_the_currency_that_the_planet_does_not_spend() {
    // Scene 26 is on Twinsun.
    let save = opened("PLAIN32C");
    let before = get(&save, "lba/vars/8");
    assert_eq!(get(&set(&save, "lba/kashes", "11"), "lba/vars/8"), before);
    assert_eq!(
        get(&set(&save, "lba/zlitos", "222"), "lba/inventory/8"),
        "222"
    );
    assert_eq!(get(&set(&save, "lba/zlitos", "65535"), "lba/vars/8"), "-1");
    assert!(cautions(&opened("CHECK32"), "lba/kashes", "5").contains("checkpoint"));
    // Scene 222 is nowhere.
    assert!(cautions(&opened("MINIMAL"), "lba/kashes", "5").contains("no planet"));
}

#[test]
fn clovers_and_magic_beyond_their_bounds_are_told_and_not_refused() {
    let codes = |save: &Played| finding_codes(&save.0);
    let save = opened("PLAIN32C");
    let known = codes(&save);
    let more = set(&save, "lba/clovers", "6");
    assert!(codes(&more).contains(&("clovers", "lba/clovers".into())));
    assert!(
        codes(&set(
            &set(&save, "lba/clovers", "3"),
            "lba/clover_boxes",
            "2"
        ))
        .contains(&("clovers", "lba/clovers".into()))
    );
    assert!(!known.contains(&("magic", "lba/magic_points".into())));
    assert!(
        codes(&set(&save, "lba/magic_level", "1")).contains(&("magic", "lba/magic_points".into()))
    );
    assert!(codes(&set(&save, "lba/kashes", "1000")).contains(&("money", "lba/kashes".into())));
    assert!(
        codes(&set(&save, "lba/inventory/12", "256"))
            .contains(&("quantity", "lba/inventory/12".into()))
    );
    assert!(
        !codes(&set(&save, "lba/inventory/14", "9"))
            .contains(&("quantity", "lba/inventory/14".into()))
    );
    assert!(
        codes(&set(&save, "lba/items/12/state", "2"))
            .contains(&("look", "lba/items/12/state".into()))
    );
    assert!(cautions(&save, "lba/game_time", "5").contains("clock"));
}

#[test]
fn the_slate_counts_its_pictures() {
    let save = opened("PLAIN32C");
    assert_eq!(
        all(&save, &["lba/slate/count", "lba/slate/current"]),
        ["3", "1"]
    );
    let four = set(&save, "lba/slate/3", "island_cx");
    assert_eq!(get(&four, "lba/slate/count"), "4");
    let shown = set(&four, "lba/slate/current", "3");
    let fewer = set(&shown, "lba/slate/3", "empty");
    assert_eq!(
        all(&fewer, &["lba/slate/count", "lba/slate/current"]),
        ["3", "2"]
    );
    let gap = set(&save, "lba/slate/0", "empty");
    assert!(finding_codes(&gap.0).contains(&("slate", "lba/slate".into())));
}

#[test]
fn the_holomap_keeps_its_other_bits() {
    let save = opened("OUTRANGE");
    let leaf = save.node("lba/holomap/61").unwrap();
    let at = leaf.as_leaf().unwrap().spans()[0].offset;
    assert_eq!(
        (save.image()[at], get(&save, "lba/holomap/61").as_str()),
        (0xFF, "3")
    );
    assert_eq!(set(&save, "lba/holomap/61", "shown").image()[at], 0xFD);
    assert_eq!(set(&save, "lba/holomap/61", "none").image()[at], 0xFC);
    assert_eq!(
        save.set("lba/holomap/61", "DONE").unwrap().image()[at],
        0xFE
    );
}

#[test]
fn extras_are_removed_with_what_points_at_them() {
    for (name, prefix) in [
        ("EXTRAS32", "lba"),
        ("EXTRAS64", "lba"),
        ("CHECK32", "lba/checkpoint"),
    ] {
        let save = opened(name);
        let last = if prefix == "lba" { 2 } else { 0 };
        let x = get(&save, &format!("{prefix}/extras/{last}/x"));
        let after = save.remove(&format!("{prefix}/extras/0")).unwrap();
        assert!(
            after.node(&format!("{prefix}/extras/{last}")).is_err(),
            "{name}"
        );
        if last > 0 {
            assert_eq!(get(&after, &format!("{prefix}/extras/{}/x", last - 1)), x);
        }
        for node in ["magic_ball_extra", "horn_extra"] {
            assert_eq!(get(&after, &format!("{prefix}/{node}")), "-1", "{name}");
        }
        assert_eq!(open(&file_of(&after)).image(), after.image(), "{name}");
    }
}

#[test]
fn incrusts_flows_and_dots_are_removed_with_their_counts() {
    let incrusts = opened("INCRUSTS").remove("lba/incrusts/1").unwrap();
    assert_eq!(get(&incrusts, "lba/incrusts/1/type"), "5");
    assert_eq!(get(&incrusts, "lba/objects/1/info1"), "-1");
    let save = opened("FLOWS64");
    let fewer = save.remove("lba/flows/0/dots/0").unwrap();
    assert_eq!(
        get(&fewer, "lba/flows/0/dots/1/x"),
        get(&save, "lba/flows/0/dots/2/x")
    );
    assert!(fewer.node("lba/flows/0/dots/2").is_err());
    let fewer = fewer.remove("lba/flows/0").unwrap();
    assert_eq!(
        get(&fewer, "lba/flows/0/dots/0/x"),
        get(&save, "lba/flows/1/dots/0/x")
    );
    assert!(fewer.node("lba/flows/2").is_err());
    assert!(fewer.remove("lba/objects/0").is_err());
    assert!(fewer.remove("lba/zones/0").is_err());
    let nested = opened("CHECK64");
    let size: usize = get(&nested, "lba/checkpoint_size").parse().unwrap();
    let after = nested.remove("lba/checkpoint/flows/0").unwrap();
    assert_eq!(
        get(&after, "lba/checkpoint_size"),
        (size - 64 - 1 - 2 * 40).to_string()
    );
}

#[test]
fn safe_ground_and_a_checkpoint_exclude_each_other() {
    let save = opened("CHECK32");
    let safe = set(&save, "lba/position_valid", "1");
    assert!(safe.node("lba/checkpoint").is_err());
    assert!(safe.node("lba/checkpoint_scene").is_err());
    assert!(
        finding_codes(&safe.0)
            .iter()
            .all(|(code, _)| *code != "trailing")
    );
    let unsafe_again = set(&safe, "lba/position_valid", "0");
    assert_eq!(
        all(
            &unsafe_again,
            &["lba/checkpoint_scene", "lba/checkpoint_size"]
        ),
        ["26", "0"]
    );
    assert_eq!(open(&file_of(&unsafe_again)).image(), unsafe_again.image());
    assert_eq!(
        refused(&save, "lba/checkpoint_scene", "223"),
        Errno::Invalid
    );
    set(&save, "lba/checkpoint_scene", "44");
}

#[test]
fn a_move_to_another_scene_is_the_short_path() {
    let save = opened("PLAIN64C");
    assert_eq!(get(&save, "lba/move_to_scene"), "none");
    let moved = set(&save, "lba/move_to_scene", "42");
    assert_eq!(
        all(
            &moved,
            &["lba/scene", "lba/restart/x", "lba/keys", "lba/inventory/2"]
        ),
        ["42", "-1", "0", "0"]
    );
    assert!((0..80).all(|n| get(&moved, &format!("lba/scene_vars/{n}")) == "0"));
    for node in ["last_fire_input", "last_direction_input", "last_input"] {
        assert_eq!(get(&moved, &format!("lba/{node}")), "0");
    }
    assert_eq!(get(&moved, "lba/last_direction_flag"), "false");
    for kept in [
        "lba/kashes",
        "lba/vars/60",
        "lba/weapon",
        "lba/behaviour",
        "lba/objects/3/x",
        "lba/darts/0/flags",
        "lba/restart/y",
        "lba/layout",
    ] {
        assert_eq!(get(&moved, kept), get(&save, kept), "{kept}");
    }
    assert!(finding_codes(&moved.0).contains(&("anew", "lba/restart/x".into())));
    assert_eq!(get(&open(&file_of(&moved)), "lba/move_to_scene"), "42");
    let told = cautions(&save, "lba/move_to_scene", "42");
    assert!(
        told.contains("given up") && told.contains("citadel_island_near_tavern"),
        "{told}"
    );
    assert!(cautions(&save, "lba/move_to_scene", "94").contains("poor choice"));
}

#[test]
fn the_same_scene_begins_anew_and_a_scene_has_a_name() {
    let save = opened("PLAIN32C");
    let anew = set(&save, "lba/move_to_scene", "26");
    assert_eq!(
        all(&anew, &["lba/scene", "lba/restart/x", "lba/scene_vars/4"]),
        ["26", "-1", "0"]
    );
    let node = anew.node("lba/move_to_scene").unwrap();
    let mut draft = crate::tree::Draft::new(anew.image().to_vec(), false);
    node.as_leaf().unwrap().write(b"26\n", &mut draft).unwrap();
    assert!(draft.is_clean());
    let named = save
        .set("lba/move_to_scene", "Citadel_Island_Tavern")
        .unwrap();
    assert_eq!(get(&named, "lba/scene"), "3");
    let undone = set(&set(&anew, "lba/restart/x", "9216"), "lba/keys", "1");
    assert_eq!(get(&undone, "lba/move_to_scene"), "none");
    assert_eq!(get(&opened("SHORTPTH"), "lba/move_to_scene"), "27");
}

#[test]
fn patches_keep_their_length() {
    let save = opened("ZONES");
    let node = save.node("lba/patches.bin").unwrap();
    let mut bytes = node.as_leaf().unwrap().read().into_owned();
    assert_eq!(
        (bytes.len(), get(&save, "lba/patch_count").as_str()),
        (69, "27")
    );
    bytes[5] ^= 0x55;
    let after = save.write("lba/patches.bin", &bytes).unwrap();
    assert_eq!(
        after
            .node("lba/patches.bin")
            .unwrap()
            .as_leaf()
            .unwrap()
            .read(),
        bytes
    );
    bytes.pop();
    assert!(save.write("lba/patches.bin", &bytes).is_err());
}
