//! Names and lengths that no tree has, and a save whose directory is gone.

use super::Bench;
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::os::unix::ffi::OsStrExt;

fn code<T>(done: std::io::Result<T>) -> Option<Errno> {
    let error = done.err()?;
    Errno::from_io_error(&error)
}

#[test]
fn a_name_that_is_not_text_is_not_there_and_cannot_be_made() {
    let Some(bench) = Bench::new() else { return };
    let odd = bench.at("vars").join(OsStr::from_bytes(b".x\xff"));
    assert_eq!(code(fs::metadata(&odd)), Some(Errno::NOENT));
    assert_eq!(code(fs::write(&odd, "1\n")), Some(Errno::ILSEQ));
    assert_eq!(code(fs::create_dir(&odd)), Some(Errno::ILSEQ));
    assert_eq!(
        code(std::os::unix::fs::symlink("alpha", &odd)),
        Some(Errno::ILSEQ)
    );
    let alpha = bench.at("vars/alpha");
    assert_eq!(code(fs::hard_link(&alpha, &odd)), Some(Errno::ILSEQ));
    assert_eq!(code(fs::rename(&alpha, &odd)), Some(Errno::ILSEQ));
    assert_eq!(bench.get("vars/alpha"), "1");
}

#[test]
fn a_length_that_no_value_has_is_refused_with_and_without_a_handle() {
    let Some(bench) = Bench::new() else { return };
    let level = bench.at("hero/level");
    let open = OpenOptions::new().write(true).open(&level).unwrap();
    assert_eq!(code(open.set_len(1 << 40)), Some(Errno::FBIG));
    drop(open);
    let by_path = |size: u64| {
        bench.run(&format!(
            "perl -e 'truncate(\"mnt/hero/level\", {size}) or exit $!'"
        ))
    };
    assert_eq!(
        by_path(1 << 40).status.code(),
        Some(Errno::FBIG.raw_os_error())
    );
    assert_eq!(by_path(0).status.code(), Some(0));
    assert_eq!(bench.get("hero/level"), "5");
}

#[test]
fn df_works_when_the_directory_of_the_save_is_gone() {
    let Some(mut bench) = Bench::new() else {
        return;
    };
    bench.stop();
    let inner = bench.save().with_file_name("inner");
    fs::create_dir(&inner).unwrap();
    fs::rename(bench.save(), inner.join("save")).unwrap();
    std::os::unix::fs::symlink("inner/save", bench.save()).unwrap();
    bench.mount(savefs::session::Commit::Flush);
    let before = bench.ok("df --output=size mnt");
    fs::rename(&inner, bench.save().with_file_name("elsewhere")).unwrap();
    assert_eq!(bench.ok("df --output=size mnt"), before);
}
