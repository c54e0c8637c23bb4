//! Tables of names: which number means what. The rows live once, in a format's `names.tsv`, and are
//! parsed when first asked for.

use super::kind::parse_integer;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The text of a `names.tsv`: columns `table`, `index`, `name`, `meaning`, separated by tabs, the first line
/// a heading.
#[derive(Debug)]
pub struct NameFile {
    text: &'static str,
    tables: OnceLock<HashMap<&'static str, Vec<Row>>>,
}

/// One row: the number, the word a user reads and writes, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub index: i64,
    pub name: &'static str,
    pub meaning: &'static str,
}

impl NameFile {
    pub const fn new(text: &'static str) -> Self {
        NameFile {
            text,
            tables: OnceLock::new(),
        }
    }

    /// One table as the values of a field; numbers from `low` to `high` may be written.
    pub const fn table(&'static self, table: &'static str, low: i64, high: i64) -> Names {
        Names {
            file: self,
            table,
            low,
            high,
        }
    }

    /// The rows of a table in the order of the file; empty where there is no such table.
    pub fn rows(&self, table: &str) -> &[Row] {
        self.tables
            .get_or_init(|| parse(self.text))
            .get(table)
            .map_or(&[], Vec::as_slice)
    }
}

fn parse(text: &'static str) -> HashMap<&'static str, Vec<Row>> {
    let mut tables: HashMap<&'static str, Vec<Row>> = HashMap::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(table), Some(index), Some(name)) =
            (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let Ok(index) = index.parse() else { continue };
        let meaning = columns.next().unwrap_or_default();
        tables.entry(table).or_default().push(Row {
            index,
            name,
            meaning,
        });
    }
    tables
}

/// One table as the values of a field.
#[derive(Debug)]
pub struct Names {
    pub file: &'static NameFile,
    pub table: &'static str,
    /// Numbers that may be written, whether they have a name or not.
    pub low: i64,
    pub high: i64,
}

impl Names {
    pub fn rows(&self) -> &[Row] {
        self.file.rows(self.table)
    }
    /// Whether there is a row of this number.
    pub fn lists(&self, index: i128) -> bool {
        self.rows().iter().any(|row| i128::from(row.index) == index)
    }
    /// The numbers of the rows in their order, runs of them as `first..last`.
    pub fn ranges(&self) -> String {
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for row in self.rows() {
            match runs.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(row.index) => *last = row.index,
                _ => runs.push((row.index, row.index)),
            }
        }
        let words = runs.iter().map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}..{last}"),
        });
        words.collect::<Vec<_>>().join(", ")
    }
    pub fn name_of(&self, index: i128) -> Option<&'static str> {
        let row = self
            .rows()
            .iter()
            .find(|row| i128::from(row.index) == index)?;
        (!row.name.is_empty()).then_some(row.name)
    }
    pub fn index_of(&self, name: &str) -> Option<i64> {
        let row = self
            .rows()
            .iter()
            .find(|row| !row.name.is_empty() && row.name.eq_ignore_ascii_case(name))?;
        Some(row.index)
    }
    /// The name of a value, else its number.
    pub fn show(&self, value: i128) -> String {
        self.name_of(value)
            .map_or_else(|| value.to_string(), str::to_owned)
    }
    /// A value from its name, in any case, or its number, in range or not.
    pub fn parse(&self, word: &str) -> Result<i128, String> {
        match self.index_of(word) {
            Some(index) => Ok(i128::from(index)),
            None => parse_integer(word).map_err(|_| "not one of the names".to_owned()),
        }
    }
    /// Whether the number may be written.
    pub fn allows(&self, value: i128) -> bool {
        (i128::from(self.low)..=i128::from(self.high)).contains(&value)
    }
    /// Whether `word` is the beginning of a name.
    pub fn begins(&self, word: &str) -> bool {
        let word = word.to_ascii_lowercase();
        self.rows()
            .iter()
            .any(|row| row.name.to_ascii_lowercase().starts_with(&word))
    }
    /// The names and numbers that may be written, in words.
    pub fn words(&self) -> String {
        self.join(|row| self.allows(row.index.into()))
    }
    /// The names of the bits, in words; a table without names has numbers of bits.
    pub fn bit_words(&self) -> String {
        match self.rows().iter().any(|row| !row.name.is_empty()) {
            true => self.join(|_| true),
            false => "bit<n>".to_owned(),
        }
    }
    fn join(&self, counts: impl Fn(&Row) -> bool) -> String {
        let named = self.rows().iter().filter(|row| !row.name.is_empty());
        let names: Vec<&str> = named
            .filter(|row| counts(row))
            .map(|row| row.name)
            .collect();
        match names.len() {
            1..=24 => names.join(", "),
            _ => format!("{}..{}", self.low, self.high),
        }
    }

    /// The names of the bits that are set, `none` for the empty set, `bit<n>` for one without a name. The index
    /// of a row is the bit's number.
    pub fn show_set(&self, bits: u64, width: u8) -> String {
        let names: Vec<String> = (0..u32::from(width.min(8)) * 8)
            .filter(|bit| bits >> bit & 1 == 1)
            .map(|bit| {
                self.name_of(i128::from(bit))
                    .map_or_else(|| format!("bit{bit}"), str::to_owned)
            })
            .collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(",")
        }
    }
    /// A set of bits from their names, `bit<n>`, `none`, or the whole as a number. The sign of a signed field is
    /// its highest bit.
    pub fn parse_set(&self, word: &str, width: u8) -> Result<i128, String> {
        if let Ok(number) = parse_integer(word) {
            return Ok(number);
        }
        if word.eq_ignore_ascii_case("none") {
            return Ok(0);
        }
        let mut bits = 0i128;
        for name in word.split(',').map(str::trim) {
            let bit = match self.index_of(name) {
                Some(bit) => bit,
                None => name
                    .to_ascii_lowercase()
                    .strip_prefix("bit")
                    .and_then(|n| n.parse().ok())
                    .ok_or_else(|| format!("{name} is not one of the names"))?,
            };
            if !(0..i64::from(width.min(8)) * 8).contains(&bit) {
                return Err(format!("there is no bit {bit}"));
            }
            bits |= 1 << bit;
        }
        Ok(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FILE: NameFile =
        NameFile::new("table\tindex\tname\tmeaning\nt\t-1\tnone\t\nt\t0\tlow\t\nt\t1\thigh\t\n");

    #[test]
    fn words_are_those_of_what_may_be_written() {
        let names = |low| Names {
            file: &FILE,
            table: "t",
            low,
            high: 1,
        };
        assert_eq!(names(-1).words(), "none, low, high");
        assert_eq!(names(0).words(), "low, high");
        assert_eq!(names(2).words(), "2..1");
        assert_eq!(names(2).bit_words(), "none, low, high");
    }
}
