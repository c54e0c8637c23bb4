//! The values that rules look at, as numbers, as far as a file holds them.

use super::Campaign;
use super::records::*;
use crate::tree::array::Array;
use crate::tree::record::{FieldType, Rec, Record, Token};

/// Missions with results.
const MISSIONS: i64 = 28;

#[derive(Debug, Default)]
pub struct Facts {
    pub call_sign: Option<String>,
    pub mission: Option<i64>,
    pub rank: Option<i64>,
    pub tier: Option<i64>,
    pub kills: Option<i64>,
    pub deaths: Option<i64>,
    pub pickups: Option<i64>,
    pub ship: Option<i64>,
    pub medals: Vec<i64>,
    pub ribbons: Vec<i64>,
    pub ratings: Vec<i64>,
    /// The first belongs to no mission, the second to mission 1.
    pub mission_kills: Vec<i64>,
    pub mission_pickups: Vec<i64>,
    pub promotions: Vec<i64>,
    pub racks: Vec<i64>,
    pub fixed_gate: Option<i64>,
    pub al_rahan: Option<i64>,
    pub third_report: Option<i64>,
    pub pool_pilot: Option<i64>,
    pub pool_status: Option<i64>,
    pub alpha_1: Option<i64>,
    /// Alpha 2 to 6.
    pub wing: Vec<i64>,
}

impl Facts {
    pub fn of(save: &Campaign) -> Facts {
        let miss = save.miss();
        let vars = save.record::<Vars>(VARS);
        let pilo = save.record::<Pilo>(PILO);
        let alph = save.record::<Alph>(ALPH);
        Facts {
            call_sign: save.value(miss, Miss::call_sign),
            mission: number(save, miss, Miss::mission),
            rank: number(save, miss, Miss::rank),
            tier: number(save, miss, Miss::tier),
            kills: number(save, miss, Miss::kills),
            deaths: number(save, miss, Miss::deaths),
            pickups: number(save, miss, Miss::pickups),
            ship: number(save, miss, Miss::ship),
            medals: row(save, miss, Miss::medals, Medal::awarded),
            ribbons: row(save, miss, Miss::ribbons, Ribbon::awarded),
            ratings: row(save, miss, Miss::ratings, Rating::rating),
            mission_kills: row(save, miss, Miss::mission_kills, Kills::kills),
            mission_pickups: row(save, miss, Miss::mission_pickups, Pickup::pickup),
            promotions: row(save, miss, Miss::promotions, Promotion::promotion),
            racks: row(save, miss, Miss::racks, Rack::missile),
            fixed_gate: number(save, vars, Vars::fixed_gate_alive),
            al_rahan: number(save, vars, Vars::al_rahan_alive),
            third_report: number(save, vars, Vars::chapter2_thread3_shown),
            pool_pilot: number(save, pilo, Pilo::pilot),
            pool_status: number(save, pilo, Pilo::status),
            alpha_1: number(save, alph, Alph::alpha_1),
            wing: row(save, alph, Alph::wing, Wingman::pilot),
        }
    }

    /// The tier that the ends of the missions behind have given. starlancer.md 9, rule 5.
    pub fn tier_reached(&self) -> i64 {
        let behind = |after: i64| self.mission.is_some_and(|mission| mission > after);
        numbers("tier_after_mission")
            .filter(|(_, after)| behind(*after))
            .map(|(tier, _)| tier)
            .max()
            .unwrap_or(0)
    }
    /// The tier that ships and missiles are offered by.
    pub fn tier_in_effect(&self) -> Option<i64> {
        Some(self.tier?.max(self.tier_reached()))
    }
    /// How many ships, from the first, the pilot is offered.
    pub fn ships_offered(&self) -> Option<i64> {
        let by_tier = super::records::number("tier_ships", self.tier_in_effect()?.clamp(0, 3))?;
        let by_rank = super::records::number("rank_ships", self.rank?.clamp(0, 8))?;
        Some(by_tier.max(by_rank))
    }
    /// The rank that the kills earn.
    pub fn rank_earned(&self) -> Option<i64> {
        let kills = self.kills?;
        numbers("rank_kills")
            .filter(|(_, needed)| *needed <= kills)
            .map(|(rank, _)| rank)
            .max()
    }
    /// How a mission was rated.
    pub fn rating(&self, mission: i64) -> Option<i64> {
        at(&self.ratings, mission.checked_sub(1)?)
    }
    /// Missions that are not behind and have results all the same.
    pub fn results_ahead(&self) -> Vec<String> {
        let Some(next) = self.mission else {
            return Vec::new();
        };
        (next.max(1)..=MISSIONS)
            .filter(|mission| self.has_results(*mission))
            .map(|mission| mission.to_string())
            .collect()
    }
    fn has_results(&self, mission: i64) -> bool {
        let index = mission - 1;
        let set = |values: &[i64], index| at(values, index).is_some_and(|value| value != 0);
        at(&self.ratings, index).is_some_and(|rating| rating != -1)
            || set(&self.mission_kills, mission)
            || set(&self.mission_pickups, index)
            || set(&self.promotions, index)
    }
}

fn at(values: &[i64], index: i64) -> Option<i64> {
    values.get(usize::try_from(index).ok()?).copied()
}

fn number<T: FieldType>(save: &Campaign, rec: Option<Rec>, token: Token<T>) -> Option<i64>
where
    i64: From<T::Value>,
{
    save.value(rec, token).map(i64::from)
}

fn row<R: Record, const N: usize, T: FieldType>(
    save: &Campaign,
    rec: Option<Rec>,
    array: Token<Array<R, N>>,
    value: Token<T>,
) -> Vec<i64>
where
    i64: From<T::Value>,
{
    let items = rec.into_iter().flat_map(|rec| rec.items(array));
    items
        .map(|item| i64::from(item.get(&save.image, value)))
        .collect()
}
