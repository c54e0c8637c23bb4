use super::*;
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicUsize, Ordering};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dreamfactory/GOTBONE.RTD")
}

/// A copy of the fixture in a folder of its own.
fn copy() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("GOTBONE.RTD");
    std::fs::copy(fixture(), &save).unwrap();
    (folder, save)
}

fn open(save: &Path, commit: Commit) -> Session {
    Session::open(
        save,
        Options {
            commit,
            ..Options::default()
        },
    )
    .unwrap()
}

fn value(session: &Session, path: &str) -> String {
    let node = session.resolve(path).unwrap();
    let text = node.as_leaf().unwrap().read().into_owned();
    String::from_utf8(text).unwrap().trim_end().to_owned()
}

/// What another program sees in the file.
fn on_disk(save: &Path, path: &str) -> String {
    value(&open(save, Commit::Flush), path)
}

/// Writes the save as another program would.
fn elsewhere(save: &Path, edits: &[Edit]) {
    open(save, Commit::Flush).edit(edits).unwrap();
}

fn set(path: &str, value: &str) -> [Edit; 1] {
    [Edit::set(path, value)]
}

fn errno(result: Result<bool, NotEdited>) -> Errno {
    result.unwrap_err().refusal().errno
}

#[test]
fn an_edit_is_on_disk_when_it_returns_and_the_old_file_beside_it() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Flush);
    assert!(session.edit(&set("globals/phase", "2\n")).unwrap());
    assert_eq!(on_disk(&save, "globals/phase"), "2");
    assert_eq!(
        std::fs::read(save.with_extension("RTD.bak")).unwrap(),
        std::fs::read(fixture()).unwrap()
    );
    assert_eq!(session.state(), "clean\n");
    assert_eq!(session.versions().len(), 2);
}

#[test]
fn writing_what_is_there_touches_nothing() {
    let (_folder, save) = copy();
    let before = std::fs::metadata(&save).unwrap();
    let session = open(&save, Commit::Flush);
    assert!(!session.edit(&set("globals/phase", "0")).unwrap());
    assert!(
        !session.edit(&set("containers/2/role", "actors")).unwrap(),
        "read-only, but equal"
    );
    let after = std::fs::metadata(&save).unwrap();
    assert_eq!(
        (before.ino(), before.mtime_nsec()),
        (after.ino(), after.mtime_nsec())
    );
    assert!(!save.with_extension("RTD.bak").exists());
}

#[test]
fn edits_of_a_batch_see_each_other_and_are_all_or_none() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Flush);
    let batch = [
        Edit::set("globals/phase", "true"),
        Edit::set("globals/phase", "2"),
    ];
    assert_eq!(errno(session.edit(&batch)), Errno::Invalid);
    let batch = [
        Edit::set("globals/phase", "3"),
        Edit::set("actors/help/deg", "400"),
    ];
    let refusal = session.edit(&batch).unwrap_err().refusal();
    assert_eq!(
        (refusal.path.as_str(), refusal.given.as_str()),
        ("actors/help/deg", "400")
    );
    assert_eq!(value(&session, "globals/phase"), "0");
    assert_eq!(
        std::fs::read(&save).unwrap(),
        std::fs::read(fixture()).unwrap()
    );
}

#[test]
fn read_only_values_and_missing_nodes_have_their_codes() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Flush);
    assert_eq!(
        errno(session.edit(&set("containers/2/role", "x"))),
        Errno::NotPermitted
    );
    assert_eq!(
        errno(session.edit(&set("actors/Help/sped", "5"))),
        Errno::NotFound
    );
    assert_eq!(
        errno(session.edit(&set("actors/Help", "5"))),
        Errno::IsDirectory
    );
    assert_eq!(
        errno(session.edit(&[Edit::Remove {
            path: "globals/day".into()
        }])),
        Errno::NotPermitted
    );
    assert_eq!(session.log().text().lines().count(), 4);
}

#[test]
fn a_clean_session_takes_what_another_program_wrote() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Flush);
    elsewhere(&save, &set("globals/day", "5"));
    assert!(session.edit(&set("globals/phase", "2")).unwrap());
    assert_eq!(
        (
            on_disk(&save, "globals/day"),
            on_disk(&save, "globals/phase")
        ),
        ("5".into(), "2".into())
    );
}

#[test]
fn pending_edits_are_played_on_what_another_program_wrote() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Manual);
    session.edit(&set("globals/phase", "2")).unwrap();
    assert_eq!(on_disk(&save, "globals/phase"), "0");
    assert_eq!(session.state(), "pending: 1 edits\n");
    elsewhere(&save, &set("globals/handitem", "a much longer text"));
    session.commit().unwrap();
    assert_eq!(on_disk(&save, "globals/handitem"), "a much longer text");
    assert_eq!(on_disk(&save, "globals/phase"), "2");
    assert_eq!(session.state(), "clean\n");
}

#[test]
fn pending_edits_that_do_not_fit_what_another_program_wrote_overwrite_nothing() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Manual);
    session.edit(&set("globals/handitem", "ring")).unwrap();
    let retyped = Edit::Retype {
        path: "globals/handitem".into(),
        to: "number".into(),
    };
    elsewhere(&save, &[Edit::set("globals/handitem", "5"), retyped]);
    let foreign = std::fs::read(&save).unwrap();
    let error = session.commit().unwrap_err();
    assert!(matches!(error, CommitError::Stale { .. }), "{error}");
    assert_eq!(uncommitted(&error).errno, Errno::Stale);
    assert_eq!(std::fs::read(&save).unwrap(), foreign);
    assert_eq!(value(&session, "globals/handitem"), "ring");
    let images: Vec<Vec<u8>> = session
        .versions()
        .iter()
        .map(|(_, s)| s.save.image().to_vec())
        .collect();
    assert!(images.contains(&foreign), "what was found can be looked at");
    session.discard();
    assert_eq!(value(&session, "globals/handitem"), "5");
    assert_eq!(std::fs::read(&save).unwrap(), foreign);
}

#[test]
fn a_save_that_is_gone_is_not_made_again() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Flush);
    std::fs::remove_file(&save).unwrap();
    assert_eq!(
        errno(session.edit(&set("globals/phase", "2"))),
        Errno::Stale
    );
    assert!(!save.exists());
}

#[test]
fn undo_gives_the_very_bytes_back() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Flush);
    session.edit(&set("globals/handitem", "painting")).unwrap();
    session.edit(&set("globals/phase", "2")).unwrap();
    session.undo(None).unwrap();
    assert_eq!(on_disk(&save, "globals/handitem"), "painting");
    assert_eq!(value(&session, "globals/phase"), "0");
    session.undo(Some(0)).unwrap();
    assert_eq!(
        std::fs::read(&save).unwrap(),
        std::fs::read(fixture()).unwrap()
    );
    assert_eq!(session.undo(Some(99)).unwrap_err().errno, Errno::NotFound);
}

#[test]
fn a_hard_linked_save_is_read_only_and_says_why() {
    let (folder, save) = copy();
    std::fs::hard_link(&save, folder.path().join("other")).unwrap();
    let session = open(&save, Commit::Flush);
    let refusal = session
        .edit(&set("globals/phase", "2"))
        .unwrap_err()
        .refusal();
    assert_eq!(refusal.errno, Errno::ReadOnly);
    assert!(refusal.why.contains("link"), "{refusal}");
    assert!(session.state().starts_with("read-only: "));
}

#[test]
fn a_link_to_a_save_stays_a_link() {
    let (folder, save) = copy();
    let link = folder.path().join("link.rtd");
    std::os::unix::fs::symlink(&save, &link).unwrap();
    open(&link, Commit::Flush)
        .edit(&set("globals/phase", "2"))
        .unwrap();
    assert_eq!(std::fs::read_link(&link).unwrap(), save);
    assert_eq!(on_disk(&save, "globals/phase"), "2");
}

#[test]
fn listeners_hear_what_changed_and_where() {
    let (_folder, save) = copy();
    let session = open(&save, Commit::Manual);
    let span = session
        .resolve("globals/phase")
        .unwrap()
        .as_leaf()
        .unwrap()
        .spans();
    let heard = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&heard);
    session.listen(move |update| {
        let change = update.change.expect("an edit");
        assert_eq!(update.after.number, update.before.number + 1);
        assert!(span.iter().any(|s| change.follow(s.offset, s.length).2));
        count.fetch_add(1, Ordering::SeqCst);
    });
    session.edit(&set("globals/phase", "2")).unwrap();
    session.edit(&set("globals/phase", "2")).unwrap();
    assert_eq!(heard.load(Ordering::SeqCst), 1);
}

/// A file system of 96 KiB, for as long as it lives.
struct Small(tempfile::TempDir);

impl Small {
    fn new() -> Option<Small> {
        let folder = tempfile::tempdir().unwrap();
        let mount = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=96k", "tmpfs"])
            .arg(folder.path())
            .output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Small(folder));
        }
        assert!(std::env::var_os("CI").is_none(), "CI may mount");
        eprintln!("SKIPPED: no right to mount a small file system, so a full disk was not tried");
        None
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount")
            .arg(self.0.path())
            .status();
    }
}

#[test]
fn on_a_full_disk_the_edit_waits_and_the_old_file_stays() {
    let Some(small) = Small::new() else { return };
    let save = small.0.path().join("GOTBONE.RTD");
    std::fs::copy(fixture(), &save).unwrap();
    let filler = small.0.path().join("filler");
    std::fs::write(&filler, vec![0; 64 << 10]).unwrap();
    let session = open(&save, Commit::Flush);
    let refusal = session
        .edit(&set("globals/phase", "2"))
        .unwrap_err()
        .refusal();
    assert_eq!(
        refusal.errno,
        Errno::System(rustix::io::Errno::NOSPC.raw_os_error())
    );
    assert_eq!(
        std::fs::read(&save).unwrap(),
        std::fs::read(fixture()).unwrap()
    );
    assert_eq!(
        value(&session, "globals/phase"),
        "2",
        "every reader sees it"
    );
    assert!(
        session
            .state()
            .starts_with("pending: 1 edits; the last attempt")
    );
    assert!(session.pay_owed().is_err());
    std::fs::remove_file(&filler).unwrap();
    session.pay_owed().unwrap();
    assert_eq!(on_disk(&save, "globals/phase"), "2");
    assert_eq!(session.state(), "clean\n");
}
