//! Lists that do more than show their records: with name links, with entries of their own, with removal.

use super::records::{Late, Object};
use super::rules;
use super::save::Saved;
use super::tree::{Here, dir_of};
use super::walk::{Context, Jet, LATE_AT, Run};
use crate::tree::build::{Entry, ListRules, Listing, Naming, RecordDir, View};
use crate::tree::node::Each;
use crate::tree::record::{Rec, plain};
use crate::tree::table::Names;
use crate::tree::{About, Dir, Draft, Node, NodeKind, Refusal, Span};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A numbered list and, behind it, links from names to numbers.
pub struct Linked {
    list: Arc<dyn Dir>,
    names: &'static Names,
    /// The number in the list of the name with index 0.
    first: i64,
    count: usize,
}

impl Linked {
    pub fn node(list: Node, names: &'static Names, first: i64, count: usize) -> Option<Node> {
        let Node::Dir(list) = list else { return None };
        Some(Node::dir(Linked {
            list,
            names,
            first,
            count,
        }))
    }
    fn number(&self, index: i64) -> Option<usize> {
        let number = usize::try_from(index.checked_add(self.first)?).ok()?;
        (number < self.count).then_some(number)
    }
}

impl Dir for Linked {
    fn about(&self) -> About {
        self.list.about()
    }
    fn get(&self, name: &str) -> Option<Node> {
        if let Some(node) = self.list.get(name) {
            return Some(node);
        }
        let row = self.names.rows().iter().find(|row| row.name == name)?;
        Some(Node::Link(self.number(row.index)?.to_string()))
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        self.list.list(each)?;
        for row in self.names.rows() {
            if self.number(row.index).is_some() {
                each(row.name, NodeKind::Link)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A directory some of whose entries are others.
pub struct Overridden {
    dir: Arc<dyn Dir>,
    entries: Vec<(&'static str, Node)>,
}

impl Overridden {
    pub fn node(dir: Node, entries: Vec<(&'static str, Node)>) -> Option<Node> {
        let Node::Dir(dir) = dir else { return None };
        Some(Node::dir(Overridden { dir, entries }))
    }
}

impl Dir for Overridden {
    fn about(&self) -> About {
        self.dir.about()
    }
    fn spans(&self) -> Vec<Span> {
        self.dir.spans()
    }
    fn get(&self, name: &str) -> Option<Node> {
        let own = self.entries.iter().find(|(own, _)| *own == name);
        own.map(|(_, node)| node.clone())
            .or_else(|| self.dir.get(name))
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        self.dir.list(each)
    }
}

/// The extras, which can be taken out (lba2.md 12.2).
pub fn extras(here: &Here) -> Option<Node> {
    fn extra(here: &Here, index: usize) -> Option<Node> {
        dir_of(here, here.context()?.extras, index, rules::extra)
    }
    let count = here.context()?.extras?.count;
    Some(numbered(
        here,
        "projectiles, bonuses, debris",
        count,
        extra,
        &REMOVE_EXTRA,
    ))
}

/// The incrusts, which can be taken out.
pub fn incrusts(here: &Here) -> Option<Node> {
    fn incrust(here: &Here, index: usize) -> Option<Node> {
        dir_of(here, here.context()?.incrusts, index, rules::incrust)
    }
    let count = here.context()?.incrusts?.count;
    Some(numbered(
        here,
        "drawn over the scene",
        count,
        incrust,
        &REMOVE_INCRUST,
    ))
}

fn numbered<C: Clone + Send + Sync + 'static>(
    context: &C,
    doc: &'static str,
    count: usize,
    make: fn(&C, usize) -> Option<Node>,
    rules: &'static dyn ListRules<C>,
) -> Node {
    Node::dir(Listing {
        context: context.clone(),
        doc,
        naming: Naming::numbers(count),
        kind: NodeKind::Dir,
        make,
        rules,
    })
}

/// Removes one entry of a list.
struct Remove<C>(fn(&C, usize, &mut Draft) -> Option<()>);

impl<C: Send + Sync> ListRules<C> for Remove<C> {
    fn removes(&self, _: &C, _: usize) -> bool {
        true
    }
    fn remove(&self, context: &C, index: usize, draft: &mut Draft) -> Result<(), Refusal> {
        (self.0)(context, index, draft).ok_or_else(|| Refusal::not_permitted("not there"))
    }
}

static REMOVE_EXTRA: Remove<Here> = Remove(|here, index, draft| {
    let context = here.context()?;
    // The ball and the horn hold slots from before the loader packs the list (lba2.md 7.6).
    let late = context.fixed_rec(Late::SHAPE, LATE_AT)?;
    draft.set(late, Late::magic_ball_extra, -1);
    draft.set(late, Late::horn_extra, -1);
    take_out(&here.save, context, context.extras?, index, draft)
});

static REMOVE_INCRUST: Remove<Here> = Remove(|here, index, draft| {
    let context = here.context()?;
    if let Some(penguin) = context.object(rules::PENGUIN) {
        draft.set(penguin, Object::info1, -1);
    }
    take_out(&here.save, context, context.incrusts?, index, draft)
});

static REMOVE_FLOW: Remove<Here> = Remove(|here, index, draft| {
    let context = here.context()?;
    let flows = context.flows.as_ref()?;
    let (jet, first) = (flows.get(index)?, flows.first()?);
    let dots: usize = jet.dots.recs().map(|dot| dot.size()).sum();
    let bytes = jet.flow.size().checked_add(1)?.checked_add(dots)?;
    count_down(first.flow.at.checked_sub(1)?, draft)?;
    rules::cut(&here.save, context, jet.flow.at, bytes, draft);
    Some(())
});

static REMOVE_DOT: Remove<(Here, usize)> = Remove(|(here, flow), index, draft| {
    let context = here.context()?;
    let jet = context.flows.as_ref()?.get(*flow)?;
    take_out(&here.save, context, jet.dots, index, draft)
});

/// Takes a record out of a run whose count is the byte before it.
fn take_out(
    save: &Saved,
    context: &Context,
    run: Run,
    index: usize,
    draft: &mut Draft,
) -> Option<()> {
    let rec = run.rec(index)?;
    count_down(run.at.checked_sub(1)?, draft)?;
    rules::cut(save, context, rec.at, rec.size(), draft);
    Some(())
}

fn count_down(at: usize, draft: &mut Draft) -> Option<()> {
    let count = draft.bytes().get(at)?.checked_sub(1)?;
    draft.put(at, &[count]);
    Some(())
}

/// The jets of particles.
pub fn flows(here: &Here) -> Option<Node> {
    let flows = here.context()?.flows.as_ref()?;
    Some(numbered(
        here,
        "jets of particles",
        flows.len(),
        flow,
        &REMOVE_FLOW,
    ))
}

fn jet(save: &Saved, flow: Rec) -> Option<(usize, &Jet)> {
    let flows = save.context_at(flow.at).flows.as_ref()?;
    flows
        .iter()
        .enumerate()
        .find(|(_, jet)| jet.flow.at == flow.at)
}

fn flow(here: &Here, index: usize) -> Option<Node> {
    const MORE: &[Entry<(Arc<Saved>, Rec)>] = &[("dots", |(save, flow)| dots(save, *flow))];
    let rec = here.context()?.flows.as_ref()?.get(index)?.flow;
    let (save, rule) = (&here.save, rules::flow);
    Some(RecordDir::with(save, rec, View::Everything, rule, MORE))
}

fn dots(save: &Arc<Saved>, flow: Rec) -> Option<Node> {
    fn dot((here, flow): &(Here, usize), index: usize) -> Option<Node> {
        let dots = here.context()?.flows.as_ref()?.get(*flow)?.dots;
        dir_of(here, Some(dots), index, plain)
    }
    let (index, jet) = jet(save, flow)?;
    let here = Here::at(save, flow.at);
    Some(numbered(
        &(here, index),
        "particles stored",
        jet.dots.count,
        dot,
        &REMOVE_DOT,
    ))
}

/// Dots that a flow holds.
pub fn stored_dots(save: &Saved, flow: Rec) -> usize {
    jet(save, flow).map_or(0, |(_, jet)| jet.dots.count)
}
