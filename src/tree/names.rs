//! Names of nodes: any byte string becomes a safe file name, reversibly, and two alike stay apart.

use super::Refusal;
use std::collections::HashMap;

/// Longest file name of a directory entry, in bytes.
pub const LONGEST: usize = 255;

/// A file name for the text `name`: `/`, `%`, NUL, control characters and a leading dot become `%xx`;
/// the empty name becomes `%`. [`unescape`] turns it back. `~` is escaped where the name would
/// read as a numbered duplicate.
pub fn escape(name: &str) -> String {
    escape_bytes(name.as_bytes())
}

/// [`escape`] for a name in bytes: what is not UTF-8 becomes `%xx` as well. [`unescape_bytes`] turns it back.
pub fn escape_bytes(name: &[u8]) -> String {
    if name.is_empty() {
        return "%".to_owned();
    }
    let reads_as_duplicate = duplicate_mark(name);
    let mut out = String::with_capacity(name.len());
    let mut at = 0;
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            let unsafe_here = c == '/'
                || c == '%'
                || c.is_control()
                || (at == 0 && c == '.')
                || reads_as_duplicate == Some(at);
            if unsafe_here {
                percent(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                out.push(c);
            }
            at += c.len_utf8();
        }
        percent(&mut out, chunk.invalid());
        at += chunk.invalid().len();
    }
    out
}

fn percent(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        out.push_str(&format!("%{byte:02x}"));
    }
}

/// Where the `~` of a trailing `~<number>` stands.
fn duplicate_mark(name: &[u8]) -> Option<usize> {
    let mark = name.iter().rposition(|byte| *byte == b'~')?;
    let digits = name.get(mark + 1..)?;
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some(mark)
}

/// The text behind a file name; None where an escape is malformed.
pub fn unescape(name: &str) -> Option<String> {
    String::from_utf8(unescape_bytes(name)?).ok()
}

/// The bytes behind a file name; None where an escape is malformed.
pub fn unescape_bytes(name: &str) -> Option<Vec<u8>> {
    if name == "%" {
        return Some(Vec::new());
    }
    let mut out = Vec::with_capacity(name.len());
    let mut bytes = name.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |b: Option<u8>| (b? as char).to_digit(16);
        let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
        out.push(u8::try_from(high * 16 + low).ok()?);
    }
    Some(out)
}

/// The text behind the file name of a node that is to be made.
///
/// # Errors
/// The node would be shown by another name.
pub fn meant(file_name: &str) -> Result<String, Refusal> {
    let name = unescape(file_name).unwrap_or_else(|| file_name.to_owned());
    let shown = escape(&name);
    if shown == file_name {
        return Ok(name);
    }
    let why = "a node of this name would be shown by another";
    Err(Refusal::invalid(why).legal(shown))
}

/// The file names of a list of texts, in order: escaped, the second of a kind with `~2`, the third with
/// `~3`, and what is then over 255 bytes cut, ending in `~<index>`.
pub fn unique<'a, N>(names: impl IntoIterator<Item = &'a N>) -> Vec<String>
where
    N: AsRef<[u8]> + ?Sized + 'a,
{
    let mut seen: HashMap<String, usize> = HashMap::new();
    names
        .into_iter()
        .enumerate()
        .map(|(index, name)| {
            let safe = escape_bytes(name.as_ref());
            let count = seen.entry(safe.clone()).or_insert(0);
            *count += 1;
            let numbered = match *count {
                1 => safe,
                n => format!("{safe}~{n}"),
            };
            cut(numbered, index)
        })
        .collect()
}

fn cut(name: String, index: usize) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let tail = format!("~{index}");
    let room = LONGEST - tail.len();
    let end = (0..=room)
        .rev()
        .find(|end| name.is_char_boundary(*end))
        .unwrap_or(0);
    format!("{}{tail}", name.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_come_back() {
        for (name, safe) in [
            ("purs", "purs"),
            ("", "%"),
            (".", "%2e"),
            ("..", "%2e."),
            (".hidden", "%2ehidden"),
            ("a/b", "a%2fb"),
            ("50%", "50%25"),
            ("a\0\n", "a%00%0a"),
            ("x~2", "x%7e2"),
            ("~x", "~x"),
            ("h\u{e9}", "h\u{e9}"),
        ] {
            assert_eq!(escape(name), safe, "{name:?}");
            assert_eq!(unescape(safe).as_deref(), Some(name), "{safe:?}");
        }
        assert_eq!(unescape("a%2"), None);
        assert_eq!(unescape("a%zz"), None);
    }

    #[test]
    fn bytes_that_are_no_text_come_back() {
        let name = b"\xffcaf\xe9~2";
        assert_eq!(escape_bytes(name), "%ffcaf%e9%7e2");
        assert_eq!(unescape_bytes("%ffcaf%e9%7e2").as_deref(), Some(&name[..]));
        assert_eq!(unescape("%ff"), None);
    }

    #[test]
    fn duplicates_are_numbered_in_file_order() {
        assert_eq!(
            unique(["a", "b", "a", "a~2", "a"]),
            ["a", "b", "a~2", "a%7e2", "a~3"]
        );
    }

    #[test]
    fn a_name_over_255_bytes_is_cut_and_ends_in_its_index() {
        let long = "\u{e9}".repeat(200);
        let names = unique(["x", long.as_str()]);
        assert!(names[1].len() <= LONGEST && names[1].ends_with("~1"));
        assert_eq!(names[1].len(), 254, "253 bytes would split a character");
    }
}
