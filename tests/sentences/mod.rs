//! A named test for each sentence of DESIGN.md sections 3 and 4, on real mounts of real formats.
//!
//! | sentence | test |
//! |---|---|
//! | 3.1 one write path | `random::*`: the file is, byte for byte, what the same edits make without a mount |
//! | 3.2 refused at write(2) as soon as it cannot become legal | `mount::writing::a_value_is_refused_at_write_as_soon_as_it_cannot_become_legal`, `after_a_refusal_half_a_value_is_none` |
//! | 3.2 a complete line with its couplings | `mount::writing::a_coupling_is_refused_at_write_when_a_one_line_value_is_complete` |
//! | 3.2 in full at flush and fsync | `mount::writing::it_is_checked_in_full_at_flush_and_at_fsync` |
//! | 3.2 shells show it | `writing::an_illegal_echo_prints_an_error_and_exits_1` |
//! | 3.3 a refused write changes nothing | the same, and `dust_and_titanic::what_is_not_legal_is_refused_*` |
//! | 3.4 written bytes belong to the open handle | `mount::writing::written_bytes_belong_to_the_open_handle_until_it_is_flushed` |
//! | 3.4 a reader keeps its version | `mount::reading::a_handle_opened_for_reading_*`, `an_open_handle_*`, `random::*` |
//! | 3.5 a flush of nothing, or of what was there | `mount::writing::what_changes_nothing_does_not_touch_the_disk`, `several_flushes_*` |
//! | 3.5 the empty string is one newline | `writing::the_empty_string_is_one_newline` |
//! | 3.6 coupled fields; several values at once | `writing::a_change_of_room_is_one_edit`, the formats' own tests |
//! | 3.7 creation and removal | `writing::creation_and_removal_where_the_format_has_a_rule`, `mount::creating::*` |
//! | 3.7 everywhere else refused | `mount::writing::a_mistyped_name_is_an_error_and_not_a_new_file` |
//! | 3.7 unlink | `mount::scratch::an_unlinked_node_is_hidden_and_back_after_five_seconds_unless_it_is_written` |
//! | 3.8 scratch files by shape | `writing::every_shape_of_a_tools_file_is_memory_only` |
//! | 3.8 renamed away, unlinked | `mount::scratch::a_node_that_is_renamed_away_on_the_way_to_rewriting_it_is_not_lost` |
//! | 3.8 rename flags | `mount::scratch::renames_with_flags` |
//! | 3.8 chmod, chown, utimens, ACLs; the other calls | `calls::*`, `mount::writing::calls_that_a_value_has_no_use_for_get_the_right_code` |
//! | 3.8 the tools | `mount::tools::*` |
//! | 3.9 sizes | `mount::reading::size_of_every_node_*`, `random::*` |
//! | 4 flush and manual | `mount::writing::a_hundred_fields_under_manual_commit_are_one_commit` |
//! | 4 `savefs umount` commits first and stays mounted when that fails | `ends::umount_stays_mounted_when_the_commit_fails` |
//! | 4 a plain umount or signal keeps what cannot be committed | `ends::after_a_plain_umount_*`, `ends::after_a_signal_*` |
//! | 4 `savefs batch` and `set` are one commit | `committing::a_batch_is_one_commit` |
//! | 4 a commit's steps | `store::tests`, `faults::*` |
//! | 4 a symbolic link is followed | `committing::a_symbolic_link_is_followed_and_not_replaced` |
//! | 4 a second mount is read-only | `mount::ends::a_second_mount_is_read_only_and_says_where_the_first_is` |
//! | 4 `savefs set` on a mounted save | `committing::set_works_on_a_mounted_save_and_the_mount_reloads` |
//! | 4 no edit, no write | `mount::reading::reading_everything_writes_nothing` |
//! | 4 an edit undone gives the original file back | `committing::an_edit_undone_gives_the_original_file_back` |
//! | 4 the backup | `store::tests::backup`, `committing::the_first_commit_keeps_the_old_file_and_restore_puts_it_back` |
//! | 4 the game wrote: clean | `mount::control::what_another_program_writes_appears_by_itself` |
//! | 4 the game wrote: pending | `committing::pending_edits_are_applied_to_what_the_game_wrote`, `*_overwrite_nothing` |
//! | 4 no space | `committing::no_space_reaches_the_next_write_and_the_old_file_stays` |
//! | 4 an owed commit | the same, `mount::writing::an_owed_commit_*` |
//! | 4 signals | `ends::signals_release_the_mount_point_within_two_seconds` |
//! | 4 kill -9 | `killed::a_killed_daemon_leaves_a_version_that_was_written` |
//! | 4 hard links, `--in-place` | `committing::a_hard_linked_save_is_read_only_and_in_place_writes_it` |

mod calls;
mod committing;
mod ends;
mod writing;

use crate::support::{Mounted, copy_of, fixture};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const DUST: &str = "dreamfactory/GOTBONE.RTD";

/// A mounted copy of a fixture: the folder, the save, the mount.
fn mounted(name: &str, options: &[&str]) -> Option<(tempfile::TempDir, PathBuf, Mounted)> {
    let (folder, save) = copy_of(&fixture(name));
    let mount = Mounted::new(&save, folder.path(), options)?;
    Some((folder, save, mount))
}

fn eventually(seconds: u64, what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(seconds),
            "never: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Output of a script that succeeds in the mount.
fn ok(mount: &Mounted, script: &str) -> String {
    let (status, out, errors) = mount.sh("bash", script);
    assert_eq!(status, 0, "{script}: {out}{errors}");
    out.trim_end().to_owned()
}

/// What is at a path in the file on disk, without a mount.
fn stored(save: &std::path::Path, path: &str) -> String {
    crate::support::printed(&["get", save.to_str().expect("UTF-8"), path])
        .trim_end()
        .to_owned()
}
