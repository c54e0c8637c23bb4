use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

#[test]
fn encoder_vectors() {
    let runs = [&[b'a'; 24][..], b"b", &[b'a'; 20], b"c"].concat();
    let twice: Vec<u8> = (0..32).chain(0..32).collect();
    let vectors: [(&[u8], &str); 6] = [
        (&b"abc".repeat(8), "076162632f002200"),
        (&[0; 64], "01000f000f000f000a00"),
        (&runs, "49610f000400621f01410163"),
        (
            b"mississippi mississippi mississippi",
            "ef6d69737322007070690120bf00b400",
        ),
        (
            &twice,
            "ff0001020304050607ff08090a0b0c0d0e0fff1011121314151617ff18191a1b1c1d1e1f00ff01fd01",
        ),
        (
            b"abcdxabcdyabcdzabcd__abcd",
            "5f616263647842007942000d7ae2005f5f5200",
        ),
    ];
    for (data, hex) in vectors {
        let stream = unhex(hex);
        assert_eq!(encode(data), stream);
        assert_eq!(
            decode(&stream, data.len()),
            Ok((data.to_vec(), stream.len()))
        );
    }
}

#[test]
fn decoder_vectors() {
    assert_eq!(
        decode(&unhex("ff4142434445464748"), 8),
        Ok((b"ABCDEFGH".to_vec(), 9))
    );
    assert_eq!(decode(&unhex("0158"), 1), Ok((b"X".to_vec(), 2)));
    assert_eq!(decode(&unhex("07414243"), 3), Ok((b"ABC".to_vec(), 4)));
}

#[test]
fn nothing_is_nothing() {
    assert_eq!(encode(b""), b"");
    assert_eq!(decode(b"", 0), Ok((vec![], 0)));
    assert_eq!(decode(b"junk", 0), Ok((vec![], 0)));
}

#[test]
fn stops_inside_a_match_and_inside_a_group() {
    assert_eq!(decode(&unhex("01000f00ffff"), 5), Ok((vec![0; 5], 4)));
    assert_eq!(
        decode(&unhex("ff4142434445464748"), 3),
        Ok((b"ABC".to_vec(), 4))
    );
}

#[test]
fn a_match_of_every_distance_repeats_its_own_output() {
    for distance in 1..=40u16 {
        let start: Vec<u8> = (0..40).collect();
        let mut stream = Vec::new();
        for group in start.chunks(8) {
            stream.push(0xFF);
            stream.extend_from_slice(group);
        }
        stream.push(0);
        stream.extend_from_slice(&((distance - 1) << 4 | 15).to_le_bytes());
        stream.extend_from_slice(&((distance - 1) << 4 | 3).to_le_bytes());
        let mut expected = start;
        for _ in 0..17 + 5 {
            expected.push(expected[expected.len() - usize::from(distance)]);
        }
        assert_eq!(
            decode(&stream, 62),
            Ok((expected, 50)),
            "distance {distance}"
        );
    }
}

#[test]
fn hostile_streams_are_refused() {
    assert_eq!(
        decode(&[0x01, 0x41, 0x20, 0x00], 10),
        Err(LzssError::DistanceBeforeStart {
            offset: 2,
            distance: 3,
            produced: 1
        })
    );
    assert_eq!(
        decode(&[0x03, 0x41], 10),
        Err(LzssError::Exhausted {
            offset: 2,
            expected: "a literal",
            produced: 1,
            size: 10
        })
    );
    assert_eq!(
        decode(&[0x01, 0x41, 0x00], 10),
        Err(LzssError::Exhausted {
            offset: 2,
            expected: "a match",
            produced: 1,
            size: 10
        })
    );
    assert_eq!(
        decode(b"\xffABCDEFGH", 9),
        Err(LzssError::Exhausted {
            offset: 9,
            expected: "a flag byte",
            produced: 8,
            size: 9
        })
    );
    assert_eq!(
        decode(&[0; 100], usize::MAX),
        Err(LzssError::SizeUnreachable {
            size: usize::MAX,
            stream: 100,
            at_most: 800
        })
    );
}

#[test]
fn every_error_says_where_and_what() {
    let error = decode(&[0x01, 0x41, 0x20, 0x00], 10).unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 2: expected a match distance of at most 1, found 3"
    );
}

/// The encoder as its description words it, position by position, for comparison with the fast one.
mod by_the_letter {
    const ABSENT: usize = usize::MAX;
    const ROOT: usize = 4096;

    struct Tree<'a> {
        data: &'a [u8],
        parent: Vec<usize>,
        smaller: Vec<usize>,
        larger: Vec<usize>,
    }

    impl Tree<'_> {
        fn byte(&self, at: usize) -> u8 {
            if at < self.data.len() {
                self.data[at]
            } else if at >= 4096 {
                self.data[at - 4096]
            } else {
                0
            }
        }

        fn put_in_place(&mut self, old: usize, new: usize) {
            let parent = self.parent[old];
            if self.larger[parent] == old {
                self.larger[parent] = new;
            } else {
                self.smaller[parent] = new;
            }
            if new != ABSENT {
                self.parent[new] = parent;
            }
        }

        fn give_children(&mut self, old: usize, new: usize) {
            self.smaller[new] = self.smaller[old];
            self.larger[new] = self.larger[old];
            for child in [self.smaller[new], self.larger[new]] {
                if child != ABSENT {
                    self.parent[child] = new;
                }
            }
        }

        fn remove(&mut self, slot: usize) {
            if self.parent[slot] == ABSENT {
                return;
            }
            if self.larger[slot] == ABSENT {
                self.put_in_place(slot, self.smaller[slot]);
            } else if self.smaller[slot] == ABSENT {
                self.put_in_place(slot, self.larger[slot]);
            } else {
                let mut below = self.smaller[slot];
                while self.larger[below] != ABSENT {
                    below = self.larger[below];
                }
                self.remove(below);
                self.put_in_place(slot, below);
                self.give_children(slot, below);
            }
            self.parent[slot] = ABSENT;
        }

        fn insert(&mut self, cur: usize) -> (usize, usize) {
            let (mut node, mut length, mut position) = (self.larger[ROOT], 0, 0);
            loop {
                let back = (cur - node) & 4095;
                let differs = (0..17).find(|&at| self.byte(cur + at) != self.byte(cur - back + at));
                let equal = differs.unwrap_or(17);
                if equal >= length {
                    (length, position) = (equal, node);
                }
                let slot = cur & 4095;
                let Some(at) = differs else {
                    self.put_in_place(node, slot);
                    self.give_children(node, slot);
                    self.parent[node] = ABSENT;
                    return (length, position);
                };
                let larger = self.byte(cur + at) > self.byte(cur - back + at);
                let side = if larger {
                    &mut self.larger
                } else {
                    &mut self.smaller
                };
                if side[node] == ABSENT {
                    side[node] = slot;
                    self.parent[slot] = node;
                    self.smaller[slot] = ABSENT;
                    self.larger[slot] = ABSENT;
                    return (length, position);
                }
                node = side[node];
            }
        }
    }

    pub fn encode(data: &[u8]) -> Vec<u8> {
        let absent = || vec![ABSENT; 4097];
        let mut tree = Tree {
            data,
            parent: absent(),
            smaller: absent(),
            larger: absent(),
        };
        tree.larger[ROOT] = 0;
        tree.parent[0] = ROOT;
        let (mut cur, mut ahead) = (0, data.len().min(17));
        let (mut fed, mut length, mut position) = (ahead, 0, 0);
        let (mut out, mut flags_at, mut bit) = (vec![0], 0, 0);
        while ahead > 0 {
            length = length.min(ahead);
            let step = length.max(1);
            if length <= 1 {
                out[flags_at] |= 1 << bit;
                out.push(data[cur]);
            } else {
                let word = (cur.wrapping_sub(position + 1) & 4095) << 4 | (length - 2);
                out.extend_from_slice(&(word as u16).to_le_bytes());
            }
            bit += 1;
            if bit == 8 {
                (flags_at, bit) = (out.len(), 0);
                out.push(0);
            }
            for _ in 0..step {
                tree.remove((cur + 17) & 4095);
                if fed < data.len() {
                    fed += 1;
                } else {
                    ahead -= 1;
                }
                cur += 1;
                if ahead > 0 {
                    (length, position) = tree.insert(cur);
                }
            }
        }
        if bit == 0 {
            out.pop();
        }
        out
    }
}

fn assert_same_stream(data: &[u8]) {
    let stream = encode(data);
    assert!(
        stream == by_the_letter::encode(data),
        "{} bytes",
        data.len()
    );
    assert!(decode(&stream, data.len()) == Ok((data.to_vec(), stream.len())));
}

/// Words of a tiny language: long and equally long matches abound, and the window turns over.
fn repetitive() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::collection::vec(prop::collection::vec(0u8..3, 1..30), 1..40);
    (
        words,
        prop::collection::vec(any::<prop::sample::Index>(), 0..900),
    )
        .prop_map(|(words, picks)| {
            let chosen = picks.iter().map(|pick| pick.get(&words).as_slice());
            chosen.collect::<Vec<_>>().concat()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_bytes_survive(data in prop::collection::vec(any::<u8>(), 0..6000)) {
        assert_same_stream(&data);
    }

    #[test]
    fn few_values_survive(values in 2u8..60, data in prop::collection::vec(any::<u8>(), 0..12000)) {
        let data: Vec<u8> = data.iter().map(|byte| byte % values).collect();
        assert_same_stream(&data);
    }

    #[test]
    fn repetitive_bytes_survive(data in repetitive()) {
        assert_same_stream(&data);
    }

    #[test]
    fn lengths_around_the_window_survive(
        length in 4070usize..4130,
        byte in any::<u8>(),
        period in 1usize..40,
    ) {
        let data: Vec<u8> = (0..length).map(|at| byte.wrapping_mul((at % period) as u8)).collect();
        assert_same_stream(&data);
    }

    #[test]
    fn any_stream_is_expanded_to_the_size_or_refused(
        stream in prop::collection::vec(any::<u8>(), 0..300),
        size in 0usize..3000,
    ) {
        if let Ok((data, used)) = decode(&stream, size) {
            prop_assert_eq!(data.len(), size);
            prop_assert!(used <= stream.len());
            prop_assert!(decode(&stream[..used], size) == Ok((data, used)));
        }
    }
}

/// How a real file with a stream in it begins: bit 7 says compressed, the rest is a revision.
const COMPRESSED: u8 = 0x80 | 36;

/// A real stream with its expanded size: behind the first byte, four bytes, a NUL-terminated name
/// and the size, up to the end of the file.
fn stream_of(file: &[u8]) -> Option<(&[u8], usize)> {
    if *file.first()? != COMPRESSED {
        return None;
    }
    let name = file.get(5..)?;
    let behind_name = name.get(name.iter().position(|&byte| byte == 0)? + 1..)?;
    let (size, stream) = behind_name.split_first_chunk::<4>()?;
    Some((stream, usize::try_from(i32::from_le_bytes(*size)).ok()?))
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn real_files_recompress_to_the_same_bytes() {
    let Some(corpus) = std::env::var_os("SAVEFS_CORPUS") else {
        eprintln!("skipped: SAVEFS_CORPUS is not set");
        return;
    };
    let mut paths = Vec::new();
    files_below(Path::new(&corpus), &mut paths);
    let mut compressed = 0;
    for path in &paths {
        let file = std::fs::read(path).unwrap();
        let Some((stream, size)) = stream_of(&file) else {
            continue;
        };
        let (data, used) = decode(stream, size).unwrap();
        assert_eq!(used, stream.len(), "{}", path.display());
        assert!(encode(&data) == stream, "{}", path.display());
        compressed += 1;
    }
    eprintln!("{compressed} of {} files are compressed", paths.len());
    assert!(
        compressed > 0,
        "no compressed file below {}",
        corpus.display()
    );
}

/// Run with `--release -- --ignored --nocapture`: prints MB/s of the expanded bytes.
#[test]
#[ignore = "a measurement"]
fn speed_on_real_files() {
    let Some(corpus) = std::env::var_os("SAVEFS_CORPUS") else {
        eprintln!("skipped: SAVEFS_CORPUS is not set");
        return;
    };
    let mut paths = Vec::new();
    files_below(Path::new(&corpus), &mut paths);
    let files: Vec<_> = paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let streams: Vec<_> = files.iter().filter_map(|file| stream_of(file)).collect();
    let total: usize = streams.iter().map(|(_, size)| size).sum();
    let payloads: Vec<_> = streams
        .iter()
        .map(|(stream, size)| decode(stream, *size).unwrap().0)
        .collect();
    let rate = |rounds: usize, work: &dyn Fn() -> usize| {
        let best = (0..5).map(|_| {
            let start = std::time::Instant::now();
            (0..rounds).for_each(|_| assert!(std::hint::black_box(work()) > 0));
            start.elapsed().as_secs_f64() / rounds as f64
        });
        total as f64 / best.fold(f64::INFINITY, f64::min) / 1e6
    };
    let decoding = rate(40, &|| {
        streams
            .iter()
            .map(|(stream, size)| decode(stream, *size).unwrap().1)
            .sum()
    });
    let encoding = rate(2, &|| payloads.iter().map(|data| encode(data).len()).sum());
    eprintln!("{total} bytes: decode {decoding:.0} MB/s, encode {encoding:.1} MB/s");
}
