//! The only sane way to another scene, and out of a stuck one: the short path. lba2.md 6.

use super::envelope::{SCENE_AT, scene};
use super::names::{SCENE, scene_title};
use super::records::{Globals, Late, Restart, Variable};
use super::rules;
use super::save::Saved;
use super::tree::DARTS_CARRIED;
use super::walk::{Context, LATE_AT, RESTART_AT, SCENE_VARIABLES, SCENE_VARIABLES_AT};
use crate::tree::build::line;
use crate::tree::kind::{Kind, Legal};
use crate::tree::{About, Access, Draft, Leaf, Node, Refusal, Save, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// In the place of `restart/x`: the loader takes the short path.
pub const COMMAND: i32 = -1;
/// The behaviour of driving, and the one to leave the car with.
const CAR: u8 = 12;
const NORMAL: u8 = 0;
/// What reads when the scene will go on as it was saved.
const NONE: &str = "none";
const GIVEN_UP: &str = "the scene begins anew at its entrance: given up are place and facing, life, objects, \
    darts, the car's place and the slate's pictures; kept are variables, money, magic, clovers, weapon, \
    behaviour, holomap, inventory and clock";

/// Whether the loader of the game will take the short path because it is told to.
pub fn is_pending(image: &[u8], context: &Context) -> bool {
    let restart = context.fixed_rec(Restart::SHAPE, RESTART_AT);
    restart.is_some_and(|restart| restart.get(image, Restart::x) == COMMAND)
}

pub struct MoveToScene {
    save: Arc<Saved>,
}

impl MoveToScene {
    const KIND: Kind = Kind::Int {
        width: 4,
        signed: true,
    };
    const LEGAL: Legal = Legal::Names(&SCENE);

    pub fn node(save: &Arc<Saved>) -> Option<Node> {
        save.skeleton.main.globals()?;
        Some(Node::leaf(MoveToScene {
            save: Arc::clone(save),
        }))
    }
    fn text(&self) -> String {
        match is_pending(self.save.image(), &self.save.skeleton.main) {
            true => self.save.scene().to_string(),
            false => NONE.to_owned(),
        }
    }
    /// The number is always given as one that the field does not hold, so that no scene is let through.
    fn parse(&self, text: &[u8]) -> Result<i32, Refusal> {
        let bytes = Self::KIND.parse(text, &Self::LEGAL, &[])?;
        Ok(scene(&[&[0; SCENE_AT], bytes.as_slice()].concat()))
    }
    fn play(&self, wanted: i32, draft: &mut Draft) -> Option<()> {
        let context = &self.save.skeleton.main;
        let globals = context.globals()?;
        draft.put(SCENE_AT, &wanted.to_le_bytes());
        let restart = context.fixed_rec(Restart::SHAPE, RESTART_AT)?;
        draft.set(restart, Restart::x, COMMAND);
        let scene_vars = context.at.checked_add(SCENE_VARIABLES_AT)?;
        draft.put(scene_vars, &[0; SCENE_VARIABLES]);
        draft.set(globals, Globals::keys, 0);
        if draft.get(globals, Globals::behaviour) == CAR {
            draft.set(globals, Globals::behaviour, NORMAL);
            rules::weapon_follows(globals, draft);
        }
        // The tail is read from here.
        let late = context.fixed_rec(Late::SHAPE, LATE_AT)?;
        draft.set(late, Late::last_fire_input, 0);
        draft.set(late, Late::last_direction_input, 0);
        draft.set(late, Late::last_input, 0);
        draft.set(late, Late::last_direction_flag, 0);
        draft.set(context.variable(DARTS_CARRIED)?, Variable::value, 0);
        Some(())
    }
}

impl Leaf for MoveToScene {
    fn about(&self) -> About {
        let doc = format!("write a scene, also this one: {GIVEN_UP}");
        About::of("name", doc).range("0..222, or the name of a scene")
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        let restart = self
            .save
            .skeleton
            .main
            .fixed_rec(Restart::SHAPE, RESTART_AT);
        let restart = restart.map(|restart| Span::new(restart.at, 4));
        [Some(Span::new(SCENE_AT, 4)), restart]
            .into_iter()
            .flatten()
            .collect()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(self.text().into_bytes().into())
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        if self.read().starts_with(so_far) {
            return Ok(());
        }
        Self::KIND.feasible(so_far, &Self::LEGAL, &[])
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        if whole.trim_ascii() == self.text().as_bytes() {
            return Ok(());
        }
        let wanted = self.parse(whole)?;
        if self.text() == wanted.to_string() {
            return Ok(());
        }
        self.play(wanted, draft)
            .ok_or_else(|| Refusal::not_permitted("the save lacks what must change"))?;
        draft.caution(format!("{}: {GIVEN_UP}", scene_title(wanted)));
        if matches!(wanted, 94 | 190 | 193..=222) {
            draft.caution("a poor choice: a place to die in, a demonstration, or nothing at all");
        }
        Ok(())
    }
}
