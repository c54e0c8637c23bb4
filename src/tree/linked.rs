//! A directory of numbered values whose entries have names as well.

use super::draft::Draft;
use super::node::{About, Creation, Dir, Each, Node, NodeKind, Span};
use super::refusal::Refusal;
use super::table::Names;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A directory and, behind its entries, a link for each that a table names: the row's index is the entry's name.
pub struct Linked {
    numbered: Arc<dyn Dir>,
    names: &'static Names,
}

impl Linked {
    /// `numbered` with the links of `names`; what is no directory stays as it is.
    pub fn node(numbered: Node, names: &'static Names) -> Node {
        match numbered {
            Node::Dir(numbered) => Node::dir(Linked { numbered, names }),
            other => other,
        }
    }
    fn target(&self, name: &str) -> Option<String> {
        let row = self.names.rows().iter().find(|row| row.name == name)?;
        let number = row.index.to_string();
        self.numbered.get(&number).map(|_| number)
    }
}

impl Dir for Linked {
    fn about(&self) -> About {
        self.numbered.about()
    }
    fn get(&self, name: &str) -> Option<Node> {
        self.numbered
            .get(name)
            .or_else(|| self.target(name).map(Node::Link))
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        self.numbered.list(each)?;
        for row in self.names.rows() {
            if self.target(row.name).is_some() {
                each(row.name, NodeKind::Link)?;
            }
        }
        ControlFlow::Continue(())
    }
    fn spans(&self) -> Vec<Span> {
        self.numbered.spans()
    }
    fn creates(&self, name: &str, what: NodeKind) -> Creation {
        self.numbered.creates(name, what)
    }
    fn create(&self, name: &str, value: Option<&[u8]>, draft: &mut Draft) -> Result<(), Refusal> {
        self.numbered.create(name, value, draft)
    }
    fn removes(&self, name: &str) -> bool {
        self.numbered.removes(name)
    }
    fn remove(&self, name: &str, draft: &mut Draft) -> Result<(), Refusal> {
        self.numbered.remove(name, draft)
    }
}
