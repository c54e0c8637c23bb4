//! Operations, and how they are drawn.

/// Numbers without end from a seed (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound as u64) as usize
    }
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// How a file that is there is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Read,
    Write,
    Truncate,
    Append,
}

/// How a rename treats what has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    Replace,
    NoReplace,
    Exchange,
}

#[derive(Clone, Debug)]
pub enum Op {
    Open {
        slot: usize,
        path: String,
        how: How,
    },
    Make {
        slot: usize,
        path: String,
        exclusive: bool,
        mode: u32,
    },
    Write {
        slot: usize,
        at: u64,
        bytes: Vec<u8>,
    },
    Cut {
        slot: usize,
        size: u64,
    },
    Read {
        slot: usize,
    },
    Sync {
        slot: usize,
    },
    Size {
        slot: usize,
    },
    Close {
        slot: usize,
    },
    /// What a shell's `>` does: open, flush, write, close.
    Put {
        path: String,
        bytes: Vec<u8>,
        exclusive: bool,
    },
    Get {
        path: String,
    },
    Stat {
        path: String,
    },
    CutPath {
        path: String,
        size: u64,
    },
    Unlink {
        path: String,
    },
    Rename {
        from: String,
        to: String,
        over: Over,
    },
    Link {
        from: String,
        to: String,
    },
    Symlink {
        to: String,
        path: String,
    },
    Readlink {
        path: String,
    },
    List {
        directory: String,
    },
    Chmod {
        path: String,
    },
    Touch {
        path: String,
    },
}

impl Op {
    pub fn slot(&self) -> Option<usize> {
        match self {
            Op::Open { slot, .. }
            | Op::Make { slot, .. }
            | Op::Write { slot, .. }
            | Op::Cut { slot, .. } => Some(*slot),
            Op::Read { slot } | Op::Sync { slot } | Op::Size { slot } | Op::Close { slot } => {
                Some(*slot)
            }
            _ => None,
        }
    }
    pub fn opens(&self) -> bool {
        matches!(self, Op::Open { .. } | Op::Make { .. })
    }
    pub fn only_looks(&self) -> bool {
        matches!(
            self,
            Op::Get { .. } | Op::Stat { .. } | Op::List { .. } | Op::Readlink { .. }
        )
    }
}

pub const SLOTS: usize = 6;

/// What operations are drawn from.
pub struct Field {
    pub nodes: Vec<String>,
    pub directories: Vec<&'static str>,
    /// Names that no node has: scratch files', plain ones.
    pub others: Vec<&'static str>,
    pub values: Vec<&'static str>,
    pub targets: Vec<&'static str>,
}

impl Field {
    fn path(&self, dice: &mut Dice) -> String {
        if dice.below(100) < 55 {
            return self.nodes[dice.below(self.nodes.len())].clone();
        }
        format!(
            "{}/{}",
            dice.pick(&self.directories),
            dice.pick(&self.others)
        )
    }
    fn bytes(&self, dice: &mut Dice) -> Vec<u8> {
        let mut bytes = dice.pick(&self.values).as_bytes().to_vec();
        if dice.below(10) < 8 {
            bytes.push(b'\n');
        }
        bytes
    }
    pub fn draw(&self, dice: &mut Dice) -> Op {
        let slot = dice.below(SLOTS);
        let path = self.path(dice);
        match dice.below(100) {
            0..7 => {
                let how = [How::Read, How::Write, How::Truncate, How::Append][dice.below(4)];
                Op::Open { slot, path, how }
            }
            7..11 => {
                let exclusive = dice.below(2) == 0;
                let mode = [0o600, 0o644][dice.below(2)];
                Op::Make {
                    slot,
                    path,
                    exclusive,
                    mode,
                }
            }
            11..22 => {
                let at = [0, 0, 0, 1, 2, 5][dice.below(6)];
                Op::Write {
                    slot,
                    at,
                    bytes: self.bytes(dice),
                }
            }
            22..25 => Op::Cut {
                slot,
                size: [0, 0, 1, 2, 3, 9][dice.below(6)],
            },
            25..31 => Op::Read { slot },
            31..34 => Op::Sync { slot },
            34..37 => Op::Size { slot },
            37..45 => Op::Close { slot },
            45..59 => {
                let exclusive = dice.below(4) == 0;
                Op::Put {
                    path,
                    bytes: self.bytes(dice),
                    exclusive,
                }
            }
            59..66 => Op::Get { path },
            66..70 => Op::Stat { path },
            70..72 => Op::CutPath {
                path,
                size: dice.below(4) as u64,
            },
            72..74 => Op::Unlink { path },
            74..86 => {
                let over = match dice.below(8) {
                    0 => Over::NoReplace,
                    1 => Over::Exchange,
                    _ => Over::Replace,
                };
                Op::Rename {
                    from: path,
                    to: self.path(dice),
                    over,
                }
            }
            86..89 => Op::Link {
                from: path,
                to: self.path(dice),
            },
            89..92 => Op::Symlink {
                to: dice.pick(&self.targets).to_owned(),
                path,
            },
            92..95 => Op::Readlink { path },
            95..98 => Op::List {
                directory: dice.pick(&self.directories).to_owned(),
            },
            98 => Op::Chmod { path },
            _ => Op::Touch { path },
        }
    }
}
