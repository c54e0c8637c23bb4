//! Times that a program sets on a node.

use super::Bench;
use std::fs;
use std::time::{Duration, SystemTime};

fn modified(bench: &Bench, path: &str) -> SystemTime {
    fs::metadata(bench.at(path)).unwrap().modified().unwrap()
}

#[test]
fn a_time_that_was_set_lasts_until_the_node_changes_whether_or_not_the_kernel_still_knows_it() {
    let Some(bench) = Bench::new() else { return };
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(981_173_106);
    bench.ok("touch -d @981173106 mnt/hero/level mnt/hero/hp");
    if fs::write("/proc/sys/vm/drop_caches", "2").is_err() {
        eprintln!("SKIPPED: only root can make the kernel forget");
        return;
    }
    let edit = savefs::session::Edit::set("hero/level", "7");
    bench.session().edit(&[edit]).unwrap();
    assert_eq!(modified(&bench, "hero/hp"), long_ago);
    let age = SystemTime::now().duration_since(modified(&bench, "hero/level"));
    assert!(age.unwrap() < Duration::from_secs(60));
}
