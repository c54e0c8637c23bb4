//! Many at once.

use super::{GOTBONE, Room, has};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const OWNER: &str = "actors/Help/owner";

#[test]
fn two_writers_of_one_node_do_not_mix() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    // A file that nobody has written for a while is read through the kernel's page cache, whose size of it is that of
    // whoever wrote last: a read that is under way while the first writer begins can still end early, or go too far.
    fs::write(room.at(OWNER), "none\n").unwrap();
    let done = AtomicBool::new(false);
    let values = ["aaaaaaaaaaaaaaa", "bbbbbbb"];
    let write = |value: &str| {
        for _ in 0..60 {
            let mut options = OpenOptions::new();
            let mut file = options
                .write(true)
                .truncate(true)
                .open(room.at(OWNER))
                .unwrap();
            for byte in value.as_bytes() {
                file.write_all(&[*byte]).unwrap();
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut seen = 0;
            while !done.load(Ordering::Relaxed) || seen < 100 {
                let shown = room.shown(OWNER);
                assert!(
                    shown == "none" || values.contains(&shown.as_str()),
                    "read {seen}: {shown:?}"
                );
                seen += 1;
            }
        });
        let writers = values.map(|value| scope.spawn(move || write(value)));
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let stored = room.stored(OWNER);
    assert!(values.contains(&stored.as_str()), "{stored}");
    assert_eq!(room.shown(OWNER), stored);
}

#[test]
fn a_reader_with_an_open_handle_sees_one_version() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    // Through the page cache, beside it, and a large one that shows the same bytes as a small one.
    let nodes = [OWNER, "palette", "containers/2/data"];
    let write = "echo $V > mnt/actors/Help/owner";
    one_version(&room, nodes, write, "a_longer_owner", "1 2 3");
    // What gets shorter must not end early either.
    one_version(&room, nodes, write, "x", "11111 22222 33333");
    // A file that replaces the one that is read.
    let replace = "sed -i s/.*/$V/ mnt/actors/Help/owner";
    one_version(&room, nodes, replace, "a_longer_owner", "4 5 6");
    one_version(&room, nodes, replace, "y", "44444 55555 60000");
}

fn one_version(room: &Room, nodes: [&str; 3], edit: &str, owner: &str, colour: &str) {
    // What was written a moment ago is not read through the page cache.
    std::thread::sleep(Duration::from_millis(3300));
    let before = nodes.map(|node| fs::read(room.at(node)).unwrap());
    let mut readers = nodes.map(|node| File::open(room.at(node)).unwrap());
    let mut read = [[0; 2]; 3];
    for (reader, start) in readers.iter_mut().zip(&mut read) {
        reader.read_exact(start).unwrap();
    }
    room.ok(&format!(
        "V={owner}; {edit}; sed -i '2s/.*/{colour}/' mnt/palette"
    ));
    // Whoever asks by the name is told the size of now, which is no concern of those who read.
    assert_eq!(
        fs::metadata(room.at(OWNER)).unwrap().len(),
        owner.len() as u64 + 1
    );
    for (at, reader) in readers.iter_mut().enumerate() {
        let mut whole = read[at].to_vec();
        reader.read_to_end(&mut whole).unwrap();
        assert_eq!(whole, before[at], "{}", nodes[at]);
        assert_ne!(
            fs::read(room.at(nodes[at])).unwrap(),
            before[at],
            "{}",
            nodes[at]
        );
    }
    assert_eq!(room.shown(OWNER), owner);
    assert_eq!(room.ok("sed -n 2p mnt/palette"), colour);
}

#[test]
fn writers_of_different_nodes_all_land() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let script =
        "for a in mnt/actors/*; do for f in x y z deg speed; do echo 77 > $a/$f & done; done; wait";
    room.ok(script);
    for actor in room.names("actors") {
        for field in ["x", "y", "z", "deg", "speed"] {
            assert_eq!(room.stored(&format!("actors/{actor}/{field}")), "77");
        }
    }
    assert_eq!(room.ok("cat mnt/.savefs/errors"), "");
}

#[test]
fn a_thousand_edits_from_eight_processes_lose_none() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    // Each process makes sure of each of its values, and a value that grows moves what lies behind it.
    room.ok("set -- mnt/actors/*; for p in 1 2 3 4 5 6 7 8; do (a=${!p}
        for i in $(seq 62); do
            echo $i > $a/x && [ $(cat $a/x) = $i ] || exit 1
            printf 'o%.0s' $(seq $((i % 14 + 1))) > $a/owner || exit 1
        done; echo 1 > $a/y) & pids+=($!); done
        for p in ${pids[@]}; do wait $p || exit 1; done");
    for actor in room.names("actors").iter().take(8) {
        assert_eq!(room.stored(&format!("actors/{actor}/x")), "62");
        assert_eq!(
            room.stored(&format!("actors/{actor}/owner")),
            "o".repeat(62 % 14 + 1)
        );
    }
    // Each edit is a version: 62 of x and of owner, and one of y, by each process.
    let newest = room.ok("ls mnt/.savefs/versions | sort -n | tail -1");
    assert_eq!(newest, (8 * (62 + 62 + 1)).to_string());
    assert_eq!(room.ok("cat mnt/.savefs/errors"), "");
}

#[test]
fn who_locks_a_node_may_count_in_it() {
    if !has("flock") {
        return;
    }
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    room.ok("for p in 1 2 3 4 5 6 7 8; do (for i in $(seq 20); do
        flock mnt/globals/phase sh -c 'echo $(($(cat mnt/globals/phase) + 1)) > mnt/globals/phase'; done) & done; wait");
    assert_eq!(room.stored("globals/phase"), "160");
}

/// Every fsync of a process takes this much longer.
struct SlowDisk {
    strace: Child,
    /// strace ends when nobody hears it.
    _told: BufReader<ChildStderr>,
}

impl SlowDisk {
    const DELAY: Duration = Duration::from_millis(1500);

    fn of(pid: u32) -> SlowDisk {
        let delay = SlowDisk::DELAY.as_micros();
        let mut strace = Command::new("strace")
            .args(["-f", "-e", "trace=fsync,fdatasync", "-o", "/dev/null", "-e"])
            .arg(format!("inject=fsync,fdatasync:delay_enter={delay}"))
            .args(["-p", &pid.to_string()])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(strace.stderr.take().unwrap());
        let mut line = String::new();
        told.read_line(&mut line).unwrap();
        assert!(line.contains("attached"), "{line}");
        SlowDisk {
            strace,
            _told: told,
        }
    }
}

impl Drop for SlowDisk {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.strace);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.strace.wait();
    }
}

/// While `writers` commit to a slow disk, how long the slowest of many reads took, how many there were, and how long the
/// commits took.
fn reads_during_commits(room: &Room, writers: usize) -> (Duration, usize, Duration) {
    let actors = room.names("actors");
    let slow = SlowDisk::of(room.daemon());
    let start = Instant::now();
    let (mut slowest, mut reads) = (Duration::ZERO, 0);
    std::thread::scope(|scope| {
        let writers: Vec<_> = actors
            .iter()
            .take(writers)
            .map(|actor| {
                scope.spawn(move || {
                    fs::write(room.at(&format!("actors/{actor}/x")), "77\n").unwrap()
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(200));
        let mut nodes = actors
            .iter()
            .cycle()
            .zip(["x", "deg", "owner", "set", "y"].iter().cycle());
        while !writers
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            let (actor, field) = nodes.next().unwrap();
            let began = Instant::now();
            let shown = room.shown(&format!("actors/{actor}/{field}"));
            let other = [
                "props/Bone/owner",
                ".savefs/state",
                ".savefs/errors",
                ".savefs/current",
                ".savefs/versions/0/globals/phase",
            ];
            fs::read(room.at(other[reads % other.len()])).unwrap();
            room.names([".savefs/versions", "globals"][reads % 2]);
            slowest = slowest.max(began.elapsed());
            reads += 1;
            assert!(!shown.contains('\n'));
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    drop(slow);
    (slowest, reads, start.elapsed())
}

#[test]
fn a_commit_in_progress_does_not_block_readers() {
    if !has("strace") {
        return;
    }
    for writers in [1, 4] {
        let Some(room) = Room::new(GOTBONE) else {
            return;
        };
        let (slowest, reads, commits) = reads_during_commits(&room, writers);
        assert!(
            commits > SlowDisk::DELAY * 2,
            "{commits:?}: the disk was not slow"
        );
        assert!(
            slowest < SlowDisk::DELAY / 2 && reads > 50,
            "{writers} writers: the slowest of {reads} reads took {slowest:?}"
        );
        for actor in room.names("actors").iter().take(writers) {
            assert_eq!(room.stored(&format!("actors/{actor}/x")), "77");
        }
    }
}
