//! D7 and W5: the variable list and the string pool.

use super::Report;
use crate::formats::dreamfactory::globals::{self, BOOLEAN, NUMBER, STRING};
use crate::formats::dreamfactory::map::{Engine, is_name};
use crate::formats::dreamfactory::pool;
use crate::formats::dreamfactory::records::{Element, GlobalsHeader};
use crate::formats::dreamfactory::save::DreamSave;
use crate::tree::Weight;
use crate::tree::build::Naming;
use crate::tree::record::Rec;

pub fn check(save: &DreamSave, report: &mut Report) {
    let container = save.map.globals();
    let data = save.map.data(container);
    let path = format!("containers/{container}");
    if data.length < GlobalsHeader::SIZE[0] {
        report.tell(
            Weight::Damage,
            "D7",
            path,
            data.offset,
            "the variable list is too short for its header",
        );
        return;
    }
    header(save, report, &path);
    let used = elements(save, report);
    accounts(save, report, used);
}

fn header(save: &DreamSave, report: &mut Report, path: &str) {
    let rec = save.map.globals_header();
    let [count, capacity] =
        [GlobalsHeader::count, GlobalsHeader::capacity].map(|token| save.get(rec, token));
    let [mark, size] =
        [GlobalsHeader::mark, GlobalsHeader::pool_size].map(|token| save.get(rec, token) as usize);
    let length = save.map.data(save.map.globals()).length;
    let pool = save.map.data(save.map.pool());
    let needed = usize::from(capacity) * Element::SIZE[0] + GlobalsHeader::SIZE[0];
    let exact = save.engine() == Engine::Titanic;
    if (exact && needed != length) || needed > length {
        let text = format!(
            "{length} bytes do not go with the {capacity} elements of the header, which take {needed}"
        );
        report.tell(Weight::Damage, "D7", path, rec.at, text);
    }
    if count > capacity {
        report.tell(
            Weight::Damage,
            "D7",
            path,
            rec.at,
            format!("{count} variables in {capacity} elements"),
        );
    }
    if mark > size {
        report.tell(
            Weight::Damage,
            "D7",
            path,
            rec.at,
            format!("the next text goes to {mark} of a pool of {size} bytes"),
        );
    }
    if (exact && size != pool.length) || size > pool.length {
        let text = format!(
            "the header says a pool of {size} bytes, its container has {}",
            pool.length
        );
        report.tell(Weight::Damage, "D7", path, rec.at, text);
    }
}

/// Checks the variables and gives the bytes that their strings take.
fn elements(save: &DreamSave, report: &mut Report) -> usize {
    let mut used = 0;
    for (index, rec) in globals::live(save).enumerate() {
        if !is_name(rec.bytes(save.bytes(), Element::name.field())) {
            let text = "a variable without a legal name";
            report.tell(Weight::Damage, "D7", path(save, index), rec.at, text);
        }
        match value(save, rec) {
            Ok(bytes) => used += bytes,
            Err(text) => report.tell(Weight::Damage, "D7", path(save, index), rec.at, text),
        }
    }
    used
}

fn path(save: &DreamSave, index: usize) -> String {
    let Naming::Names { names, .. } = save.variable_names() else {
        return "globals".to_owned();
    };
    format!("globals/{}", names.get(index).map_or("", String::as_str))
}

/// Bytes of the pool that a variable takes, or what is wrong with it.
fn value(save: &DreamSave, rec: Rec) -> Result<usize, String> {
    let value = save.get(rec, Element::value);
    match save.get(rec, Element::r#type) {
        NUMBER => Ok(0),
        BOOLEAN if (0..=1).contains(&value) => Ok(0),
        BOOLEAN => Err(format!("a boolean that is {value}")),
        STRING => {
            let text = pool::text(save, value)
                .ok_or_else(|| format!("its text at {value} is not in the pool"))?;
            Ok(text.1.len())
        }
        other => Err(format!("{other} is no type of a variable")),
    }
}

/// W5.
fn accounts(save: &DreamSave, report: &mut Report, used: usize) {
    let rec = save.map.globals_header();
    let mark = save.get(rec, GlobalsHeader::mark) as usize;
    let dead = save.get(rec, GlobalsHeader::dead) as usize;
    if dead.saturating_add(used) != mark {
        let at = rec.offset(GlobalsHeader::dead.field()).unwrap_or(rec.at);
        let text = format!(
            "{dead} bytes of the pool are said to be unused, {} are",
            mark.saturating_sub(used)
        );
        report.tell(Weight::Warning, "W5", "globals", at, text);
    }
    if !pool::chain_ends_on_mark(pool::bytes(save), mark) {
        let at = save.map.data(save.map.pool()).offset;
        report.tell(
            Weight::Warning,
            "W5",
            "globals",
            at,
            format!("the texts of the pool do not end at {mark}"),
        );
    }
}
