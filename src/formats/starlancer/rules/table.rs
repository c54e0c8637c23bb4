//! The rules one by one.

use super::super::name::TYPED;
use super::super::records::{MISSILE, MISSION, RANK, SHIP, TIER, meaning, number, numbers};
use super::{Breach, Level, Rule, Scene, rule};
use crate::codec::codepage::CodePage;
use crate::tree::Save;

/// What a call sign cannot hold, as it begins a file's name.
const NOT_IN_A_FILE_NAME: &str = r#"\/:*?<>|""#;
const LONG: &str = "longer than the record, so the game overruns its memory when it loads this";
/// Racks of the ship that has most.
const RACKS: usize = 8;
/// Alpha 2 to 6.
const WING: usize = 5;
const EMPTY: i64 = -1;
/// The rating of a success with bonus.
const BONUS: i64 = 4;
const JACK_HAMMER: i64 = 3;
const JACK_HAMMERS: usize = 3;
/// The pilot of the pool's first place in the game as it was sold. starlancer.md 7.
const EGO: i64 = 119;

pub static RULES: &[Rule] = &[
    rule("R1", Level::Refuse, "campaign/call_sign", call_sign, |s| {
        let (call_sign, file) = (s.facts.call_sign.as_deref()?, s.save.place.file.as_ref()?);
        let why = "the file's name gives another call sign; rename the files of all slots and their companions first";
        if file.is_of(call_sign) {
            return None;
        }
        Breach::legal(why, file.call_sign.clone())
    }),
    rule("R2", Level::Refuse, "campaign/call_sign", call_sign, |s| {
        let text = s.facts.call_sign.as_deref()?;
        let bad = text
            .chars()
            .find(|c| NOT_IN_A_FILE_NAME.contains(*c) || c.is_ascii_control())?;
        let why = format!("a call sign begins a file's name, which cannot hold {bad:?}");
        Breach::legal(
            why,
            format!("1..31 characters, none of {NOT_IN_A_FILE_NAME}"),
        )
    }),
    rule(
        "R3",
        Level::Refuse,
        "campaign/mission",
        |s| some(&[s.facts.mission]),
        |s| {
            let mission = s.facts.mission?;
            if MISSION.lists(mission.into()) {
                return None;
            }
            let why = format!("no save waits for mission {mission}");
            Breach::legal(why, MISSION.ranges())
        },
    ),
    Rule {
        strict: |s| some(&[s.facts.ship]),
        ..rule("R5", Level::Refuse, "campaign/loadout/ship", offer, |s| {
            let (ship, offered) = (s.facts.ship?, s.facts.ships_offered()?);
            if (0..offered).contains(&ship) {
                return None;
            }
            let why = format!(
                "the pilot is not offered the ship {} with this tier, rank and mission",
                SHIP.show(ship.into())
            );
            let offered: Vec<String> = (0..offered).map(|n| SHIP.show(n.into())).collect();
            Breach::legal(why, format!("a ship of {}", offered.join(", ")))
        })
    },
    rule(
        "S4",
        Level::Refuse,
        "campaign/ribbons/6",
        |s| sixth(&s.facts.ribbons),
        |s| {
            let sixth = s.facts.ribbons.get(5).filter(|ribbon| **ribbon != 0);
            sixth.and_then(|_| Breach::legal("the game never awards the sixth ribbon", "0"))
        },
    ),
    rule(
        "R15",
        Level::Refuse,
        "chunks",
        |s| some(&[s.facts.alpha_1]),
        |s| {
            let first = s.facts.alpha_1.filter(|pilot| *pilot != -1)?;
            Breach::legal(format!("Alpha 1 is the player and not pilot {first}"), "-1")
        },
    ),
    rule("R6", Level::Warn, "campaign/loadout/racks", racks, |s| {
        let filled = s.facts.racks.iter().take_while(|m| **m != EMPTY).count();
        if last_filled(s)? < filled {
            return None;
        }
        let gap = filled + 1;
        Breach::new(format!(
            "the game stops fitting missiles at the empty rack {gap}"
        ))
    }),
    rule("R6", Level::Warn, "campaign/loadout/racks", racks, |s| {
        if last_filled(s)? < RACKS {
            return None;
        }
        Breach::new(format!("no ship has more than {RACKS} racks"))
    }),
    rule("R6", Level::Warn, "campaign/loadout/racks", racks, |s| {
        let hammers = s.facts.racks.iter().filter(|m| **m == JACK_HAMMER);
        if hammers.count() <= JACK_HAMMERS {
            return None;
        }
        Breach::new(format!("a ship takes {JACK_HAMMERS} Jack Hammers at most"))
    }),
    rule(
        "R7",
        Level::Warn,
        "campaign/loadout/racks",
        |s| [some(&[s.facts.tier, s.facts.mission]), racks(s)].concat(),
        |s| {
            let tier = s.facts.tier_in_effect()?;
            let mut early = Vec::new();
            for missile in &s.facts.racks {
                let from = number("missile_tier", *missile).filter(|from| *from > tier);
                let words = from.map(|from| {
                    let missile = meaning(&MISSILE, *missile);
                    format!("{missile} ({})", TIER.show(from.into()))
                });
                early.extend(words.filter(|words| !early.contains(words)));
            }
            Breach::listed("offered from a later tier on", &early)
        },
    ),
    rule(
        "R8",
        Level::Inform,
        "campaign/rank",
        |s| some(&[s.facts.rank, s.facts.kills]),
        |s| {
            let (rank, earned) = (s.facts.rank?, s.facts.rank_earned()?);
            if rank >= earned {
                return None;
            }
            let earned = RANK.show(earned.into());
            Breach::new(format!(
                "the kills earn {earned}, which the next mission's end promotes to"
            ))
        },
    ),
    rule("R9", Level::Inform, "campaign/kills", kills, |s| {
        let sum: i64 = s.facts.mission_kills.iter().skip(1).sum();
        if s.facts.kills? >= sum {
            return None;
        }
        Breach::new(format!(
            "usually at least the {sum} kills of the single missions"
        ))
    }),
    rule("R10", Level::Warn, "campaign/missions", results, |s| {
        let ahead = s.facts.results_ahead();
        if ahead.is_empty() {
            return None;
        }
        Breach::new(format!(
            "missions that are not behind the pilot have results: {}",
            ahead.join(", ")
        ))
    }),
    rule("R11", Level::Inform, "campaign/medals", medals, |s| {
        let early: Vec<String> = numbers("medal_mission")
            .filter(|(medal, _)| is_awarded(&s.facts.medals, *medal))
            .filter(|(_, mission)| s.facts.rating(*mission).is_some_and(|r| r != BONUS))
            .map(|(medal, mission)| format!("medal {medal} in mission {mission}"))
            .collect();
        Breach::listed("earned by a success with bonus", &early)
    }),
    rule("R11", Level::Inform, "campaign/ribbons", ribbons, |s| {
        let next = s.facts.mission?;
        let early: Vec<String> = numbers("ribbon_mission")
            .filter(|(ribbon, _)| is_awarded(&s.facts.ribbons, *ribbon))
            .filter(|(_, mission)| next <= *mission)
            .map(|(ribbon, mission)| format!("ribbon {ribbon} by mission {mission}"))
            .collect();
        Breach::listed("earned later", &early)
    }),
    rule("R12", Level::Warn, "campaign/pickups", pickups, |s| {
        let most = *s.facts.mission_pickups.iter().max()?;
        if s.facts.pickups? == most {
            return None;
        }
        Breach::new(format!("the missions tell of {most} pickups"))
    }),
    rule(
        "R13",
        Level::Inform,
        "campaign/tier",
        |s| some(&[s.facts.tier, s.facts.mission]),
        |s| {
            let reached = s.facts.tier_reached();
            if s.facts.tier? >= reached {
                return None;
            }
            Breach::new(format!(
                "the missions behind have given {}",
                TIER.show(reached.into())
            ))
        },
    ),
    rule("R14", Level::Warn, "campaign/pool/status", pool, |s| {
        let (pilot, status) = (s.facts.pool_pilot?, s.facts.pool_status?);
        match (s.facts.wing.contains(&pilot), status == 1) {
            // Who else flies in a wing that is cut short is not known.
            (false, true) if s.facts.wing.len() < WING => None,
            (true, false) => Breach::new("the pilot flies in the wing, so the status is in_wing"),
            (false, true) => {
                Breach::new("the pilot is not in the wing, so the status is dead or free")
            }
            _ => None,
        }
    }),
    rule(
        "R16",
        Level::Inform,
        "campaign/tier",
        |s| some(&[s.facts.tier]),
        |s| {
            if s.facts.tier? <= s.facts.tier_reached() {
                return None;
            }
            Breach::new(
                "missions 11, 19 and 21 set the tier to silver, gold and platinum, whatever it was",
            )
        },
    ),
    rule(
        "R17",
        Level::Inform,
        "campaign/loadout",
        |s| [some(&[s.facts.mission]), loadout(s)].concat(),
        |s| {
            let mission = s
                .facts
                .mission
                .filter(|mission| [1, 23].contains(mission))?;
            Breach::new(format!(
                "mission {mission} starts on a ship and missiles of its own"
            ))
        },
    ),
    rule(
        "R18",
        Level::Inform,
        "campaign/mission",
        |s| some(&[s.facts.mission]),
        |_| Breach::new("tier, medals, ribbons, variables and wing stay as the pilot left them"),
    ),
    rule("S2", Level::Inform, "chunks", long_records, |s| {
        let long = s.save.container.long_records();
        let ids: Vec<String> = long
            .map(|chunk| CodePage::Windows1252.decode(&chunk.id))
            .collect();
        Breach::listed(LONG, &ids)
    }),
    rule("S3", Level::Warn, "campaign/name", name, |s| {
        let long = s.save.name()?.len() > TYPED;
        let chosen = s.slot().is_some_and(|slot| (1..100).contains(&slot));
        if !(long && chosen) {
            return None;
        }
        Breach::new(format!(
            "over {TYPED} bytes: the game overruns its memory when the player saves over this save"
        ))
    }),
    rule(
        "S3",
        Level::Inform,
        "campaign/name",
        |s| some(&[s.facts.mission]),
        |s| {
            let shown = number("mission", s.facts.mission?)?;
            let name = s.name();
            let named = name
                .strip_prefix("AUTOSAVE: Mission ")
                .filter(|_| s.slot() == Some(0))?;
            if named == shown.to_string() {
                return None;
            }
            Breach::new(format!(
                "the autosave is still named for mission {named}, the player's is {shown}"
            ))
        },
    ),
    rule(
        "S4",
        Level::Inform,
        "campaign/deaths",
        |s| some(&[s.facts.deaths]),
        |s| {
            s.facts.deaths.filter(|deaths| *deaths != 0)?;
            Breach::new("0 in single player")
        },
    ),
    rule(
        "S6",
        Level::Inform,
        "campaign/variables",
        |s| some(&[s.facts.third_report]),
        |_| Breach::new("chapter2_thread3_shown is cleared before each attempt at a mission"),
    ),
    rule(
        "S6",
        Level::Inform,
        "campaign/variables",
        |s| some(&[s.facts.fixed_gate]),
        |s| {
            s.facts.mission.filter(|mission| *mission <= 3)?;
            Breach::new("fixed_gate_alive is set as mission 3 starts")
        },
    ),
    rule(
        "S6",
        Level::Inform,
        "campaign/variables",
        |s| some(&[s.facts.al_rahan]),
        |s| {
            s.facts.mission.filter(|mission| *mission <= 24)?;
            Breach::new("al_rahan_alive is set as mission 24 starts")
        },
    ),
    rule(
        "S7",
        Level::Warn,
        "campaign/pool/pilot",
        |s| some(&[s.facts.pool_pilot]),
        |s| {
            s.facts.pool_pilot.filter(|pilot| *pilot != EGO)?;
            Breach::new("the game's own first replacement is ego")
        },
    ),
    rule(
        "S8",
        Level::Inform,
        "campaign/wing",
        |s| s.facts.wing.iter().skip(3).copied().collect(),
        |_| Breach::new("the game chooses Alpha 5 and 6 itself before each mission"),
    ),
    rule("S11", Level::Warn, "campaign/loadout", loadout, |s| {
        let mods = s.mods()?;
        Breach::new(format!(
            "{mods} stands beside the save: a ship or missile named there wins over this one in the port"
        ))
    }),
];

/// The values that are there; one that is not differs from every one that is.
fn some(values: &[Option<i64>]) -> Vec<i64> {
    values
        .iter()
        .map(|value| value.unwrap_or(i64::MIN))
        .collect()
}

fn call_sign(s: &Scene) -> Vec<i64> {
    let text = s.facts.call_sign.as_deref().unwrap_or_default();
    text.chars().map(|c| i64::from(u32::from(c))).collect()
}

fn name(s: &Scene) -> Vec<i64> {
    let bytes = s.save.name().unwrap_or_default();
    bytes.iter().copied().map(i64::from).collect()
}

/// The bytes of every record that is too long.
fn long_records(s: &Scene) -> Vec<i64> {
    let bodies = s.save.container.long_records().map(|chunk| chunk.body());
    let bytes = bodies.filter_map(|body| s.save.image().get(body));
    bytes.flatten().copied().map(i64::from).collect()
}

fn offer(s: &Scene) -> Vec<i64> {
    let f = &s.facts;
    some(&[f.ship, f.tier, f.rank, f.mission])
}

fn racks(s: &Scene) -> Vec<i64> {
    s.facts.racks.clone()
}

fn loadout(s: &Scene) -> Vec<i64> {
    [some(&[s.facts.ship]), racks(s)].concat()
}

/// The place of the last missile, from 0.
fn last_filled(s: &Scene) -> Option<usize> {
    s.facts.racks.iter().rposition(|missile| *missile != EMPTY)
}

/// Whether a medal or a ribbon of a row, numbered from 1, is awarded.
fn is_awarded(row: &[i64], number: i64) -> bool {
    let index = number.checked_sub(1).and_then(|n| usize::try_from(n).ok());
    index
        .and_then(|index| row.get(index))
        .is_some_and(|value| *value != 0)
}

fn sixth(row: &[i64]) -> Vec<i64> {
    row.get(5).copied().into_iter().collect()
}

fn kills(s: &Scene) -> Vec<i64> {
    [some(&[s.facts.kills]), s.facts.mission_kills.clone()].concat()
}

fn results(s: &Scene) -> Vec<i64> {
    let f = &s.facts;
    let rows = [
        &f.ratings,
        &f.mission_kills,
        &f.mission_pickups,
        &f.promotions,
    ];
    rows.into_iter()
        .flatten()
        .copied()
        .chain(f.mission)
        .collect()
}

fn medals(s: &Scene) -> Vec<i64> {
    [s.facts.medals.clone(), s.facts.ratings.clone()].concat()
}

fn ribbons(s: &Scene) -> Vec<i64> {
    [some(&[s.facts.mission]), s.facts.ribbons.clone()].concat()
}

fn pickups(s: &Scene) -> Vec<i64> {
    [some(&[s.facts.pickups]), s.facts.mission_pickups.clone()].concat()
}

fn pool(s: &Scene) -> Vec<i64> {
    let f = &s.facts;
    [some(&[f.pool_pilot, f.pool_status]), f.wing.clone()].concat()
}
