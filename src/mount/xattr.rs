//! Extended attributes: what a node says of itself, as `user.savefs.*`. Every other attribute is answered with
//! `ENOTSUP`, which tools ask once a file system and not once a file.

use super::core::Core;
use super::errno::{Code, ENODATA, ENOTSUP, EPERM, Outcome};
use super::inodes::{ROOT, Root, Target};
use crate::session::Edit;
use crate::tree::{Access, Node};

const PREFIX: &str = "user.savefs.";
/// On the root only: requests since the mount began, and the process that answers them.
const REQUESTS: &str = "requests";
const PROCESS: &str = "pid";

impl Core {
    pub fn getxattr(&self, number: u64, name: &str) -> Outcome<Vec<u8>> {
        let short = name.strip_prefix(PREFIX).ok_or(ENOTSUP)?;
        match (number, short) {
            (ROOT, REQUESTS) => return Ok(self.counters.text().into_bytes()),
            (ROOT, PROCESS) => return Ok(std::process::id().to_string().into_bytes()),
            _ => {}
        }
        let all = self.attributes_said(number)?;
        let found = all.into_iter().find(|(name, _)| name == short);
        found.map(|(_, value)| value.into_bytes()).ok_or(ENODATA)
    }

    /// Names, each ended by NUL.
    pub fn listxattr(&self, number: u64) -> Outcome<Vec<u8>> {
        let all = match self.attributes_said(number) {
            Err(ENODATA) => Vec::new(),
            other => other?,
        };
        let names = all.iter().map(|(name, _)| format!("{PREFIX}{name}\0"));
        Ok(names.collect::<String>().into_bytes())
    }

    /// Setting a type gives a value another one; what is computed cannot be set.
    pub fn setxattr(&self, number: u64, name: &str, value: &[u8]) -> Outcome<()> {
        if name.strip_prefix(PREFIX) != Some("type") {
            return Err(ENOTSUP);
        }
        let Target::Node(Root::Live, path) = self.target(number)? else {
            return Err(ENOTSUP);
        };
        let to = std::str::from_utf8(value).map_err(|_| super::errno::EINVAL)?;
        let to = to.trim_end_matches(['\0', '\n']).to_owned();
        let now = self.find(Root::Live, &path)?.about().type_name;
        if now == to {
            return Ok(());
        }
        self.edit(Edit::Retype { path, to })
    }
    pub fn removexattr(&self, name: &str) -> Outcome<()> {
        match name.strip_prefix(PREFIX) {
            Some(_) => Err(EPERM),
            None => Err(ENOTSUP),
        }
    }

    fn attributes_said(&self, number: u64) -> Outcome<Vec<(String, String)>> {
        let Target::Node(root, path) = self.target(number)? else {
            return Err(ENODATA);
        };
        let node = self.find(root, &path).map_err(|code| match code {
            super::errno::ENOENT => ENODATA,
            other => other,
        })?;
        let about = node.about();
        let mut all = vec![("type".to_owned(), about.type_name.into_owned())];
        let mut say = |name: &str, value: Option<String>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                all.push((name.to_owned(), value));
            }
        };
        say("range", about.range);
        say("values", about.values);
        say("doc", Some(about.doc.into_owned()));
        let spans = super::core::spans_of(&node).unwrap_or_default();
        let places = |of: fn(&crate::tree::Span) -> usize| {
            let words: Vec<String> = spans.iter().map(|span| of(span).to_string()).collect();
            Some(words.join(" "))
        };
        say("offset", places(|span| span.offset));
        say("size", places(|span| span.length));
        say("access", Some(self.access_word(root, &node).to_owned()));
        for (name, value) in about.extras {
            say(name, Some(value));
        }
        Ok(all)
    }
    fn access_word(&self, root: Root, node: &Node) -> &'static str {
        let live = root == Root::Live && self.is_writable();
        match node {
            Node::Leaf(leaf) if live && leaf.access() == Access::ReadWrite => "read-write",
            _ => "read-only",
        }
    }

    /// access(2): whether a number may be read, written or searched.
    pub fn access(&self, number: u64, writes: bool, executes: bool) -> Outcome<()> {
        use crate::tree::NodeKind;
        let attributes = self.getattr(number, 0)?.attributes;
        let denied = Code(libc::EACCES);
        match attributes.kind {
            NodeKind::Leaf if executes && attributes.mode & 0o111 == 0 => Err(denied),
            NodeKind::Leaf if writes && attributes.mode & 0o222 == 0 => Err(denied),
            _ => Ok(()),
        }
    }
}
