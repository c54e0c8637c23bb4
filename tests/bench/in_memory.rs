//! Decoding and encoding without a disk.

use super::place::{Outcome, Places, about};
use super::table::{Row, Table};
use super::timing::{each, in_turn};
use savefs::codec::lzss;
use savefs::formats;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

const ROUNDS: usize = 31;
/// The game's own code in C++ at -O2, measured once on two cores of 2025; in MB/s.
const ORIGINAL: (f64, f64) = (300.0, 5.0);

pub fn rows(places: &Places, table: &mut Table) -> Outcome<()> {
    whole_save(places, table)?;
    compression(table)
}

fn whole_save(places: &Places, table: &mut Table) -> Outcome<()> {
    const GOAL: f64 = 500.0;
    let bytes = fs::read(&places.save).map_err(about(&places.save))?;
    let options = formats::Options::default();
    let through = || {
        let (_, save) = formats::open(&places.save, &bytes, &options).map_err(|f| f.to_string())?;
        let file = save.encode().map_err(|fault| fault.to_string())?;
        (file == bytes)
            .then_some(())
            .ok_or("encoded otherwise".into())
    };
    let time = in_turn(ROUNDS, vec![Box::new(|| each(50, through))])?;
    let speed = speed(bytes.len(), time.first());
    table.push(row("decode + encode of the save in memory", GOAL, speed));
    Ok(())
}

fn compression(table: &mut Table) -> Outcome<()> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lba2/CHECK32.LBA");
    let file = fs::read(&fixture).map_err(about(&fixture))?;
    let options = formats::Options::default();
    let (_, save) = formats::open(&fixture, &file, &options).map_err(|f| f.to_string())?;
    let data = save.image();
    let stream = lzss::encode(data);
    let decode = || {
        let (bytes, _) = lzss::decode(&stream, data.len()).map_err(|e| e.to_string())?;
        (bytes == data)
            .then_some(())
            .ok_or("decoded otherwise".into())
    };
    let encode = || {
        (black_box(lzss::encode(data)) == stream)
            .then_some(())
            .ok_or("encoded otherwise".into())
    };
    let medians = in_turn(
        ROUNDS,
        vec![Box::new(|| each(50, decode)), Box::new(|| each(3, encode))],
    )?;
    let (decoder, encoder) = ORIGINAL;
    let decoding = speed(data.len(), medians.first());
    let encoding = speed(data.len(), medians.get(1));
    table.push(row("LZSS of LBA2: decode", decoder, decoding));
    table.push(row("LZSS of LBA2: encode", encoder, encoding));
    Ok(())
}

/// MB/s.
fn speed(bytes: usize, time: Option<&Duration>) -> f64 {
    time.map_or(0.0, |time| bytes as f64 / time.as_secs_f64() / 1e6)
}

fn row(what: &str, goal: f64, speed: f64) -> Row {
    Row {
        what: what.to_owned(),
        goal: format!("≥ {goal} MB/s"),
        savefs: format!("{speed:.1} MB/s"),
        baseline: String::new(),
        peer: String::new(),
        met: Some(speed >= goal),
    }
}
