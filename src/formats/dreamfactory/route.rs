//! Routes: the points of a walk, in a container of their own. dreamfactory.md 11.3.

use super::envelope::{insert, resize};
use super::manifest::complete_lines;
use super::map::{Role, WALKS};
use super::records::{RouteHead, Walk, Waypoint};
use super::save::{DreamSave, Handle};
use super::walks::{PAYLOAD_WORD, ROUTE, has_payload, payload_container, set_off};
use crate::tree::build::{Listing, Naming, RecordDir, View};
use crate::tree::kind::{integer, parse_integer};
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{About, Access, Draft, Errno, Leaf, Node, Refusal, Span};
use std::borrow::Cow;

/// Fewest points of a route.
const FEWEST: usize = 2;
const LEGAL: &str = "two or more lines: x y z, or x y z and the length of the leg that ends there";

/// The head of the route in a container.
pub fn head(save: &DreamSave, container: usize) -> Rec {
    save.map.rec(RouteHead::SHAPE, container, 0, 0)
}

pub fn point(save: &DreamSave, container: usize, index: usize) -> Rec {
    save.map
        .rec(Waypoint::SHAPE, container, RouteHead::SIZE[0], index)
}

/// Points that the head counts and the container has.
pub fn points(save: &DreamSave, container: usize) -> usize {
    let room = save
        .map
        .room(Waypoint::SHAPE, container, RouteHead::SIZE[0]);
    let data = save.map.data(container);
    if data.length < RouteHead::SIZE[0] {
        return 0;
    }
    room.min(save.get(head(save, container), RouteHead::count) as usize)
}

fn container_of(save: &DreamSave, slot: usize) -> Option<usize> {
    has_payload(save, slot).then(|| payload_container(save, slot))
}

/// Length of the route of an active walk; 0 without one.
pub fn total(save: &DreamSave, walk: Rec) -> i64 {
    let slot = (0..WALKS).find(|slot| save.map.walk(*slot).at == walk.at);
    let container = slot.and_then(|slot| container_of(save, slot));
    container.map_or(0, |container| {
        i64::from(save.get(head(save, container), RouteHead::total))
    })
}

pub fn waypoints(save: &Handle, slot: usize) -> Option<Node> {
    let container = container_of(save, slot)?;
    let make: fn(&(Handle, usize), usize) -> Option<Node> = |(save, container), index| {
        Some(RecordDir::node(
            save,
            point(save, *container, index),
            View::Readable,
            rule,
        ))
    };
    let context = (Handle::clone(save), container);
    let names = Naming::numbers(points(save, container));
    Some(Listing::fixed(&context, "points of the route", names, make))
}

pub fn leaf(save: &Handle, slot: usize) -> Option<Node> {
    Some(Node::leaf(Route {
        save: Handle::clone(save),
        slot,
    }))
}

/// A leg that changes its length changes the route's.
pub fn rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    plain(save, rec, field, bytes, draft)?;
    if !field.is(Waypoint::length) {
        return Ok(());
    }
    let containers = save.map.payload(0)..save.map.envelope.count();
    let holds = |container: &usize| {
        let data = save.map.data(*container);
        (data.offset..data.offset.saturating_add(data.length)).contains(&rec.at)
    };
    let Some(container) = containers.into_iter().find(holds) else {
        return Ok(());
    };
    if rec.at == point(save, container, 0).at && integer(bytes, 2, false) != 0 {
        return Err(Refusal::invalid("no leg ends at the first point").legal("0"));
    }
    let lengths = (0..points(save, container)).map(|index| point(save, container, index));
    let total: u32 = lengths
        .map(|rec| u32::from(draft.get(rec, Waypoint::length)))
        .sum();
    if let Role::Payload(rank) = save.map.role(container) {
        let walk = super::walks::slot_of_payload(save, rank).map(|slot| save.map.walk(slot));
        let progress = walk.map_or(0, |walk| save.get(walk, Walk::progress));
        if i64::from(progress) > i64::from(total) {
            let why =
                format!("{progress} of the way are covered, and the route would be {total} long");
            return Err(Refusal::invalid(why));
        }
    }
    draft.set(head(save, container), RouteHead::total, total);
    Ok(())
}

/// One point as a user gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    place: [i16; 3],
    leg: u16,
}

fn parse(whole: &[u8]) -> Result<Vec<Point>, Refusal> {
    let refuse = |why: String| Refusal::invalid(why).legal(LEGAL);
    let text = std::str::from_utf8(whole).map_err(|_| refuse("not text".into()))?;
    let mut points: Vec<Point> = Vec::new();
    for (number, line) in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .enumerate()
    {
        let before = points.last().copied();
        let point =
            parse_point(line, before).map_err(|why| refuse(format!("point {number}: {why}")))?;
        points.push(point);
    }
    Ok(points)
}

fn parse_point(line: &str, before: Option<Point>) -> Result<Point, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (Some(places), true) = (words.get(..3), words.len() <= 4) else {
        return Err("three or four numbers are needed".into());
    };
    let mut place = [0i16; 3];
    for (part, word) in place.iter_mut().zip(places) {
        let value = parse_integer(word)?;
        *part = i16::try_from(value).map_err(|_| format!("{word} is not from -32768 to 32767"))?;
    }
    let leg = match (words.get(3), before) {
        (Some(word), _) => {
            let value = parse_integer(word)?;
            u16::try_from(value).map_err(|_| format!("{word} is not from 0 to 65535"))?
        }
        (None, Some(before)) => distance(before.place, place)?,
        (None, None) => 0,
    };
    if before.is_none() && leg != 0 {
        return Err("no leg ends at the first point, its length is 0".into());
    }
    Ok(Point { place, leg })
}

/// The rounded distance of two points.
fn distance(from: [i16; 3], to: [i16; 3]) -> Result<u16, String> {
    let squares = from
        .iter()
        .zip(to)
        .map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2));
    let length = squares.sum::<f64>().sqrt().round();
    if length > f64::from(u16::MAX) {
        return Err("too far from the point before it".into());
    }
    Ok(length as u16)
}

/// The container's bytes for these points.
fn encode(points: &[Point]) -> Result<Vec<u8>, Refusal> {
    let total: u64 = points.iter().map(|point| u64::from(point.leg)).sum();
    let total = i32::try_from(total).map_err(|_| Refusal::invalid("the route is too long"))?;
    let count = u32::try_from(points.len()).map_err(|_| Refusal::invalid("too many points"))?;
    let [x, y] = [0, 1].map(|axis| {
        points
            .iter()
            .filter_map(move |point| point.place.get(axis).copied())
    });
    let least = |values: &dyn Fn() -> Option<i16>| values().unwrap_or(0);
    let bounds = [
        least(&|| y.clone().min()),
        least(&|| x.clone().min()),
        least(&|| y.clone().max()),
        least(&|| x.clone().max()),
    ];
    let mut bytes = Vec::with_capacity(RouteHead::SIZE[0] + points.len() * Waypoint::SIZE[0]);
    bytes.extend(total.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(count.to_le_bytes());
    bytes.extend(bounds.iter().flat_map(|part| part.to_le_bytes()));
    for point in points {
        bytes.extend(point.place.iter().flat_map(|part| part.to_le_bytes()));
        bytes.extend(point.leg.to_le_bytes());
    }
    Ok(bytes)
}

/// All points of a walk, a line each. Writing them to a slot that is free starts the walk.
struct Route {
    save: Handle,
    slot: usize,
}

impl Route {
    fn points(&self) -> Vec<Point> {
        let save = &self.save;
        let Some(container) = container_of(save, self.slot) else {
            return Vec::new();
        };
        let point = |index| {
            let rec = point(save, container, index);
            let place = [Waypoint::x, Waypoint::y, Waypoint::z].map(|token| save.get(rec, token));
            Point {
                place,
                leg: save.get(rec, Waypoint::length),
            }
        };
        (0..points(save, container)).map(point).collect()
    }

    /// The slot's fields and the way that the route must be long enough for.
    fn start(&self, draft: &mut Draft, total: i64) -> Result<(), Refusal> {
        let rec = self.save.map.walk(self.slot);
        let active = self.save.get(rec, Walk::active);
        if active && !has_payload(&self.save, self.slot) {
            let why = "the slot is in use by a walk without a route: end it (active) first";
            return Err(Refusal::new(Errno::Busy, why));
        }
        let progress = self.save.get(rec, Walk::progress);
        if !(0..=total).contains(&i64::from(progress)) {
            if active {
                let why = format!(
                    "{progress} of the way are covered, and the route would be {total} long"
                );
                return Err(Refusal::invalid(why));
            }
            draft.set(rec, Walk::progress, 0);
            draft.caution(format!(
                "the way covered was {progress}, which is not on this route: it is 0 now"
            ));
        }
        if active {
            return Ok(());
        }
        draft.set(rec, Walk::r#type, ROUTE);
        draft.set(rec, Walk::payload, PAYLOAD_WORD);
        set_off(&self.save, rec, draft)
    }
}

impl Leaf for Route {
    fn about(&self) -> About {
        About::of(
            "route",
            "the points of the walk, a line each; writing them to a free slot starts the walk",
        )
        .range(LEGAL)
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        let container = container_of(&self.save, self.slot);
        container
            .map(|container| self.save.map.data(container))
            .into_iter()
            .collect()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let line = |point: &Point| {
            let [x, y, z] = point.place;
            format!("{x} {y} {z} {}\n", point.leg)
        };
        let lines: String = self.points().iter().map(line).collect();
        if lines.is_empty() {
            b"\n".as_slice().into()
        } else {
            lines.into_bytes().into()
        }
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        let lines = complete_lines(so_far);
        if lines.trim_ascii().is_empty()
            || parse(lines)?.len() < FEWEST
            || parse(lines)? == self.points()
        {
            return Ok(());
        }
        let mut draft = Draft::new(self.save.bytes().to_vec(), false);
        self.start(&mut draft, i64::MAX)
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let now = self.points();
        if now.is_empty() && whole.trim_ascii().is_empty() {
            return Ok(());
        }
        let points = parse(whole)?;
        if points.len() < FEWEST {
            let why = format!("{} points are no route", points.len());
            return Err(Refusal::invalid(why).legal(LEGAL));
        }
        if points == now {
            return Ok(());
        }
        let bytes = encode(&points)?;
        let total = points.iter().map(|point| i64::from(point.leg)).sum();
        let container = payload_container(&self.save, self.slot);
        if has_payload(&self.save, self.slot) {
            self.start(draft, total)?;
            resize(draft, container, bytes.len())?;
            draft.put(self.save.map.data(container).offset, &bytes);
            return Ok(());
        }
        self.start(draft, total)?;
        insert(draft, container, &bytes)
    }
}
