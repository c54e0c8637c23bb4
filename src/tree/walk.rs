//! Paths through a tree, and the whole of it in order.

use super::node::{Dir, Leaf, Node, NodeKind};
use super::refusal::{Errno, Refusal};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The node at `path`, whose parts are separated by `/`. Names are exact first and then, where the game does
/// that, compared ignoring case. Links are followed.
pub fn resolve(root: &Node, path: &str) -> Result<Node, Refusal> {
    let mut node = root.clone();
    for part in parts(path) {
        let dir = node.as_dir().map_err(|r| r.at(path, b""))?.clone();
        node = child(&dir, part).ok_or_else(|| missing(&dir, path, part))?;
    }
    Ok(node)
}

/// The parts of a path; empty ones and `.` do not count.
pub fn parts(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/')
        .filter(|part| !part.is_empty() && *part != ".")
}

/// The entry of a directory, a link followed to the sibling it names.
pub fn child(dir: &Arc<dyn Dir>, name: &str) -> Option<Node> {
    match lookup(dir, name)? {
        Node::Link(target) => dir.get(&target),
        node => Some(node),
    }
}

/// The entry of a directory, by its exact name or by one that differs in case only; links as they are.
pub fn lookup(dir: &Arc<dyn Dir>, name: &str) -> Option<Node> {
    dir.get(name).or_else(|| dir.get(&dir.spelling(name)?))
}

/// The parent's path and the last name of a path.
pub fn split(path: &str) -> (String, &str) {
    let mut all: Vec<&str> = parts(path).collect();
    let last = all.pop().unwrap_or_default();
    (all.join("/"), last)
}

fn missing(dir: &Arc<dyn Dir>, path: &str, part: &str) -> Refusal {
    let hint =
        nearest(dir, part).map_or_else(String::new, |name| format!("; did you mean {name}?"));
    Refusal::new(Errno::NotFound, format!("there is no {part} here{hint}")).at(path, b"")
}

/// The entry whose name is fewest changes away, at most a third of its letters.
pub fn nearest(dir: &Arc<dyn Dir>, part: &str) -> Option<String> {
    let mut best: Option<(usize, String)> = None;
    let _ = dir.list(&mut |name, _| {
        let distance = edits(name, part);
        if distance * 3 <= part.chars().count().max(3)
            && best.as_ref().is_none_or(|(d, _)| distance < *d)
        {
            best = Some((distance, name.to_owned()));
        }
        ControlFlow::Continue(())
    });
    best.map(|(_, name)| name)
}

/// Insertions, deletions and replacements between two words.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (cb, above) in b.iter().zip(row.iter().skip(1)) {
            let cost = usize::from(!ca.eq_ignore_ascii_case(cb));
            left = (corner + cost).min(left + 1).min(above + 1);
            corner = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

/// Visits the tree below `node` depth first, in the order of the file, with each node's path. Links are visited
/// and not followed. The visitor says whether to go into a directory.
pub fn walk(node: &Node, path: &str, visit: &mut dyn FnMut(&str, &Node) -> bool) {
    let Node::Dir(dir) = node else {
        visit(path, node);
        return;
    };
    if !visit(path, node) {
        return;
    }
    let mut entries: Vec<String> = Vec::new();
    let _ = dir.list(&mut |name, _| {
        entries.push(name.to_owned());
        ControlFlow::Continue(())
    });
    for name in entries {
        if let Some(entry) = dir.get(&name) {
            walk(&entry, &join(path, &name), visit);
        }
    }
}

/// Visits every leaf below `node` in the order of the file.
pub fn leaves(node: &Node, path: &str, visit: &mut dyn FnMut(&str, &Arc<dyn Leaf>)) {
    walk(node, path, &mut |path, node| {
        if let Node::Leaf(leaf) = node {
            visit(path, leaf);
        }
        true
    });
}

pub fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        [path, "/", name].concat()
    }
}

/// The entries of a directory with their kinds.
pub fn entries(dir: &Arc<dyn Dir>) -> Vec<(String, NodeKind)> {
    let mut all = Vec::new();
    let _ = dir.list(&mut |name, kind| {
        all.push((name.to_owned(), kind));
        ControlFlow::Continue(())
    });
    all
}

/// A value in one line for listings: text without its newline, with `\` escapes for what would break a line;
/// bytes as their length and a checksum.
pub fn one_line(leaf: &dyn Leaf) -> String {
    if leaf.is_binary() {
        let (length, crc) = checksum(leaf);
        return format!("<{length} bytes, crc {crc:08x}>");
    }
    escape_line(&leaf.read())
}

/// A text value in one line. [`unescape_line`] turns it back.
pub fn escape_line(value: &[u8]) -> String {
    escaped(&String::from_utf8_lossy(
        value.strip_suffix(b"\n").unwrap_or(value),
    ))
}

/// Text with `\` escapes for what would break a line or command a terminal.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The value behind a line of a listing; None where a `\` stands for nothing.
pub fn unescape_line(line: &str) -> Option<String> {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let (c, after) = match escape.chars().next()? {
            'n' => ('\n', escape.get(1..)?),
            '\\' => ('\\', escape.get(1..)?),
            _ => {
                let (digits, after) = escape.strip_prefix("u{")?.split_once('}')?;
                let code = u32::from_str_radix(digits, 16).ok()?;
                (char::from_u32(code)?, after)
            }
        };
        out.push(c);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// Length and the checksum of zip and PNG, to tell two byte strings apart in a listing. What is not kept in memory is
/// read piece by piece.
fn checksum(leaf: &dyn Leaf) -> (u64, u32) {
    const PIECE: usize = 1 << 20;
    let mut crc = crc32fast::Hasher::new();
    let mut length = 0u64;
    loop {
        let piece = leaf.read_at(length, PIECE);
        if piece.is_empty() {
            return (length, crc.finalize());
        }
        crc.update(&piece);
        length = length.saturating_add(piece.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_one_line_comes_back() {
        for value in ["", "plain", "a\nb", r"C:\new\\", "\u{1}\u{94}ÿ\t", "a=b"] {
            let line = escape_line(value.as_bytes());
            assert!(!line.contains('\n'));
            assert_eq!(unescape_line(&line).as_deref(), Some(value), "{line}");
        }
        for line in [r"a\", r"a\x", r"\u{110000}", r"\u{41", r"\é"] {
            assert_eq!(unescape_line(line), None, "{line}");
        }
    }
}
