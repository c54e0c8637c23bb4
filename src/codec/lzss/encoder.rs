//! The greedy encoder. Its output size follows from taking the longest match; its bytes follow
//! from which of several equally long matches is taken, and that is decided by the shape of a
//! binary search tree over the window. So the tree is grown and pruned here step for step, never
//! rebalanced. Only the way down is shortened: all texts that begin with the same two bytes lie in
//! one subtree, every search for such a text passes its top, and nothing above the top can match two
//! bytes. So the search begins there.

use super::{LONGEST_MATCH, SHORTEST_MATCH, TOKENS_IN_GROUP, WINDOW};

/// Compresses `data`; [`super::decode`] with `data.len()` gives it back.
///
/// An ordinary input costs some seven comparisons a byte; one that is made to grow the tree into a
/// list costs up to 4096.
///
/// The output can be longer than the input (nine bytes for eight without a match): whether such a
/// stream is of use is for the caller to say.
#[must_use]
pub fn encode(data: &[u8]) -> Vec<u8> {
    let text = Text::of(data);
    let mut tree = Tree::with_first(&text);
    let mut stream = Stream::new(data.len());
    let mut longest = Match::NONE;
    let mut position = 0;
    while let Some(&byte) = data.get(position) {
        let left = data.len() - position;
        let length = longest.length.min(left);
        let step = if length < SHORTEST_MATCH {
            stream.literal(byte);
            1
        } else {
            stream.copy(distance(position, longest.slot), length);
            length
        };
        for _ in 0..step {
            tree.remove(slot_of(position + LONGEST_MATCH));
            position += 1;
            if position < data.len() {
                longest = tree.insert(&text, position);
            }
        }
    }
    stream.finish()
}

fn slot_of(position: usize) -> u16 {
    (position % WINDOW) as u16
}

/// How far back from `position` the text of `slot` begins: 1..=4096.
fn distance(position: usize, slot: u16) -> usize {
    position.wrapping_sub(usize::from(slot) + 1) % WINDOW + 1
}

/// Tokens gathered in groups, each behind its flag byte.
struct Stream {
    out: Vec<u8>,
    group: Vec<u8>,
    flags: u8,
    tokens: u8,
}

impl Stream {
    fn new(input: usize) -> Self {
        Self {
            out: Vec::with_capacity(input / 2),
            group: Vec::with_capacity(2 * usize::from(TOKENS_IN_GROUP)),
            flags: 0,
            tokens: 0,
        }
    }

    fn literal(&mut self, byte: u8) {
        self.flags |= 1 << self.tokens;
        self.group.push(byte);
        self.token_done();
    }

    /// `distance` 1..=4096, `length` 2..=17.
    fn copy(&mut self, distance: usize, length: usize) {
        let word = (distance - 1) << 4 | (length - SHORTEST_MATCH);
        self.group.extend_from_slice(&(word as u16).to_le_bytes());
        self.token_done();
    }

    fn token_done(&mut self) {
        self.tokens += 1;
        if self.tokens == TOKENS_IN_GROUP {
            self.close_group();
        }
    }

    fn close_group(&mut self) {
        self.out.push(self.flags);
        self.out.append(&mut self.group);
        self.flags = 0;
        self.tokens = 0;
    }

    fn finish(mut self) -> Vec<u8> {
        if self.tokens > 0 {
            self.close_group();
        }
        self.out
    }
}

/// The input, with what the compared texts hold past its end: a ring of 4096 bytes that was zero at
/// first still has the bytes of one turn ago there.
struct Text(Vec<u8>);

impl Text {
    fn of(data: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(data.len() + LONGEST_MATCH);
        bytes.extend_from_slice(data);
        for past_end in data.len()..data.len() + LONGEST_MATCH {
            let one_turn_ago = past_end.checked_sub(WINDOW).and_then(|at| data.get(at));
            bytes.push(one_turn_ago.copied().unwrap_or(0));
        }
        Self(bytes)
    }

    /// The first 8 of the 17 bytes at `position`, as a number that sorts as they do.
    #[inline]
    fn head(&self, position: usize) -> u64 {
        u64::from_be_bytes(self.load(position))
    }

    /// The last 16 of the 17 bytes at `position`, likewise.
    #[inline]
    fn last_sixteen(&self, position: usize) -> u128 {
        u128::from_be_bytes(self.load(position + 1))
    }

    #[inline]
    fn load<const N: usize>(&self, position: usize) -> [u8; N] {
        let bytes = self.0.get(position..).and_then(<[u8]>::first_chunk);
        bytes.copied().unwrap_or([0; N])
    }
}

#[derive(Clone, Copy)]
struct Match {
    length: usize,
    slot: u16,
}

impl Match {
    const NONE: Self = Self { length: 0, slot: 0 };
}

/// Slots 0..4096 hold the text that begins at a position of that remainder.
const ROOT: u16 = WINDOW as u16;
/// No node. It has a place in the array, so that a link to it can be written without asking.
const ABSENT: u16 = ROOT + 1;
/// A power of two, so that a masked index needs no check.
const NODES: usize = 2 * WINDOW;

const SMALLER: usize = 0;
const LARGER: usize = 1;

#[derive(Clone, Copy)]
struct Node {
    /// [`Text::head`] of the node: most comparisons end here, without a look at the text.
    head: u64,
    children: [u16; 2],
    /// `ABSENT` when the slot is not in the tree.
    parent: u16,
}

impl Node {
    const UNUSED: Self = Self {
        head: 0,
        children: [ABSENT; 2],
        parent: ABSENT,
    };
}

/// A binary search tree over the texts of the window. Its top is the larger child of `ROOT`.
struct Tree {
    nodes: Box<[Node; NODES]>,
    /// For each pair of first bytes the node above all others that begin so, or `ABSENT`.
    tops: Vec<u16>,
}

/// The first two bytes of a text.
fn pair(head: u64) -> u16 {
    (head >> 48) as u16
}

impl Tree {
    fn with_first(text: &Text) -> Self {
        let mut tree = Self {
            nodes: Box::new([Node::UNUSED; NODES]),
            tops: vec![ABSENT; 1 << u16::BITS],
        };
        let head = text.head(0);
        tree.at_mut(0).head = head;
        tree.link(ROOT, LARGER, 0);
        tree.set_top(head, 0);
        tree
    }

    #[inline]
    fn at(&self, slot: u16) -> &Node {
        &self.nodes[usize::from(slot) % NODES]
    }

    #[inline]
    fn at_mut(&mut self, slot: u16) -> &mut Node {
        &mut self.nodes[usize::from(slot) % NODES]
    }

    /// The top of the texts that begin with the same pair as `head`.
    #[inline]
    fn top(&self, head: u64) -> u16 {
        let top = self.tops.get(usize::from(pair(head)));
        top.copied().unwrap_or(ABSENT)
    }

    #[inline]
    fn set_top(&mut self, head: u64, slot: u16) {
        if let Some(top) = self.tops.get_mut(usize::from(pair(head))) {
            *top = slot;
        }
    }

    #[inline]
    fn child(&self, slot: u16, side: usize) -> u16 {
        self.at(slot).children[side % 2]
    }

    #[inline]
    fn link(&mut self, parent: u16, side: usize, child: u16) {
        self.at_mut(parent).children[side % 2] = child;
        self.at_mut(child).parent = parent;
    }

    /// Puts the text at `position` into the tree, and gives the longest match on the way down.
    /// The later, deeper node wins a tie.
    fn insert(&mut self, text: &Text, position: usize) -> Match {
        let slot = slot_of(position);
        let head = text.head(position);
        let mut longest = Match::NONE;
        let (mut parent, mut side) = (ROOT, LARGER);
        let top = self.top(head);
        let mut node = if top == ABSENT {
            self.child(ROOT, LARGER)
        } else {
            top
        };
        while node != ABSENT {
            let there = self.at(node).head;
            let mut larger = head > there;
            let mut equal = (head ^ there).leading_zeros() as usize / 8;
            if head == there {
                let ours = text.last_sixteen(position);
                let theirs = text.last_sixteen(position - distance(position, node));
                equal = 1 + (ours ^ theirs).leading_zeros() as usize / 8;
                larger = ours > theirs;
                if equal == LONGEST_MATCH {
                    self.replace(node, slot);
                    return Match {
                        length: equal,
                        slot: node,
                    };
                }
            }
            if equal >= longest.length {
                longest = Match {
                    length: equal,
                    slot: node,
                };
            }
            parent = node;
            side = usize::from(larger);
            node = self.child(parent, side);
        }
        *self.at_mut(slot) = Node {
            head,
            ..Node::UNUSED
        };
        self.link(parent, side, slot);
        if top == ABSENT {
            self.set_top(head, slot);
        }
        longest
    }

    /// `new` takes the place, the children and, the texts being equal, the head of `old`.
    fn replace(&mut self, old: u16, new: u16) {
        let head = self.at(old).head;
        self.at_mut(new).head = head;
        if self.top(head) == old {
            self.set_top(head, new);
        }
        self.take_place(old, new);
        self.take_children(old, new);
        self.at_mut(old).parent = ABSENT;
    }

    fn remove(&mut self, slot: u16) {
        let Node {
            head,
            children: [smaller, larger],
            parent,
        } = *self.at(slot);
        if parent == ABSENT {
            return;
        }
        let successor = match (smaller, larger) {
            (only, ABSENT) | (ABSENT, only) => only,
            _ => {
                let largest = self.lift_largest_under(smaller);
                self.take_children(slot, largest);
                largest
            }
        };
        self.take_place(slot, successor);
        self.at_mut(slot).parent = ABSENT;
        if self.top(head) == slot {
            self.set_top(head, self.first_below(successor, pair(head)));
        }
    }

    /// Takes the largest node out of the subtree of `slot`, for a place above that subtree. There it
    /// is above all the texts of its pair that it has been below here.
    fn lift_largest_under(&mut self, slot: u16) -> u16 {
        let mut largest = slot;
        while self.child(largest, LARGER) != ABSENT {
            largest = self.child(largest, LARGER);
        }
        let head = self.at(largest).head;
        let top = self.top(head);
        let mut passed = slot;
        while passed != top && passed != largest {
            passed = self.child(passed, LARGER);
        }
        if passed == top {
            self.set_top(head, largest);
        }
        self.take_place(largest, self.child(largest, SMALLER));
        largest
    }

    /// The top of the texts that begin with `wanted`, if they are below `slot` or it is one.
    fn first_below(&self, mut slot: u16, wanted: u16) -> u16 {
        while slot != ABSENT {
            let found = pair(self.at(slot).head);
            if found == wanted {
                break;
            }
            slot = self.child(slot, usize::from(wanted > found));
        }
        slot
    }

    /// Hangs `new` under the parent of `old`, on the side where `old` was.
    fn take_place(&mut self, old: u16, new: u16) {
        let parent = self.at(old).parent;
        let side = usize::from(self.child(parent, LARGER) == old);
        self.link(parent, side, new);
    }

    fn take_children(&mut self, old: u16, new: u16) {
        let [smaller, larger] = self.at(old).children;
        self.link(new, SMALLER, smaller);
        self.link(new, LARGER, larger);
    }
}
