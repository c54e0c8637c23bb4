//! `savefs mount` and `savefs umount`.

use super::opening::{Reading, Writing};
use super::{Failure, Outcome};
use crate::mount::{self, MountOptions};
use crate::session::Commit;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Mount a save as a directory
///
/// Every node is a file: `cat` shows its value, `echo`, `sed -i` or an editor changes it, and the save is rewritten when
/// the file is closed. Returns when the mount is usable. `.savefs` in the mount, which is not listed, tells more.
#[derive(Args)]
pub struct Mount {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    writing: Writing,
    /// Stay in the foreground
    #[arg(short)]
    foreground: bool,
    /// Log every request; implies -f
    #[arg(short)]
    debug: bool,
    /// When changes are written: at every close of a file, or when .savefs/control says `commit` or at the unmount
    #[arg(long, value_enum, default_value_t = When::Flush)]
    commit: When,
    /// Mount options, separated by commas: ro, force, uid=N, gid=N, umask=N, allow_other
    #[arg(short = 'o', value_name = "OPTIONS", value_delimiter = ',')]
    options: Vec<String>,
    /// The save
    save: PathBuf,
    /// An empty directory; made, and removed again at the unmount, if it is missing
    mount_point: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum When {
    Flush,
    Manual,
}

impl Mount {
    pub fn run(self) -> Outcome {
        let mut session = self.reading.options_for(&self.writing)?;
        session.commit = match self.commit {
            When::Flush => Commit::Flush,
            When::Manual => Commit::Manual,
        };
        let mut options = MountOptions {
            foreground: self.foreground || self.debug,
            debug: self.debug,
            allow_other: false,
            uid: None,
            gid: None,
            umask: None,
            session,
            fuse: Vec::new(),
        };
        for word in &self.options {
            take(&mut options, word)?;
        }
        mount::mount(&self.save, &self.mount_point, &options)
            .map_err(|error| Failure::new(error.to_string()))?;
        Ok(0)
    }
}

/// Takes one word of `-o`; what is not savefs' own is for the mount.
fn take(options: &mut MountOptions, word: &str) -> Result<(), Failure> {
    const NOBODY: u32 = u32::MAX;
    const PERMISSIONS: u32 = 0o777;
    let number = |value: &str, radix| {
        u32::from_str_radix(value, radix)
            .map_err(|_| Failure::new(format!("-o {word}: {value} is not a number")))
    };
    let below = |value: &str, radix, limit: u32, what: &str| {
        let number = number(value, radix)?;
        let within = (number < limit).then_some(number);
        within.ok_or_else(|| Failure::new(format!("-o {word}: {value} is {what}")))
    };
    let id = |value| below(value, 10, NOBODY, "nobody's number");
    let mask = |value| below(value, 8, PERMISSIONS + 1, "more than 777");
    match word.split_once('=') {
        Some(("uid", value)) => options.uid = Some(id(value)?),
        Some(("gid", value)) => options.gid = Some(id(value)?),
        Some(("umask", value)) => options.umask = Some(mask(value)?),
        _ => match word {
            "ro" => options.session.read_only = true,
            "rw" => options.session.read_only = false,
            "force" => options.session.force = true,
            "allow_other" => options.allow_other = true,
            _ => options.fuse.push(word.to_owned()),
        },
    }
    Ok(())
}

/// Unmount a save
///
/// Writes first what is still to be written, and stays mounted if that fails. Returns when everything is on disk.
#[derive(Args)]
pub struct Umount {
    /// Where it is mounted
    mount_point: PathBuf,
}

impl Umount {
    pub fn run(self) -> Outcome {
        mount::umount(&self.mount_point).map_err(|error| Failure::new(error.to_string()))?;
        Ok(0)
    }
}

/// Flags that mount(8) hands to every helper: sloppy, no mtab, verbose.
fn says_nothing(flags: &str) -> bool {
    let letters = flags.strip_prefix('-').unwrap_or_default();
    !letters.is_empty() && letters.chars().all(|letter| "snv".contains(letter))
}

/// Called as `mount.fuse.savefs` or `mount.savefs`, the program takes the arguments of a mount helper: what only concerns
/// mount(8) (`-s -n -v`, `-t TYPE`, `-N NAMESPACE`) is passed over.
pub fn as_mount_helper(arguments: Vec<OsString>) -> Vec<OsString> {
    let name = arguments
        .first()
        .map(Path::new)
        .and_then(Path::file_name)
        .unwrap_or_default();
    if name != "mount.fuse.savefs" && name != "mount.savefs" {
        return arguments;
    }
    let mut rest = arguments.into_iter();
    let mut own: Vec<OsString> = rest.next().into_iter().collect();
    own.push("mount".into());
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some("-t" | "-N") => drop(rest.next()),
            Some(flags) if says_nothing(flags) => {}
            _ => own.push(argument),
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }
    fn taken(word: &str) -> Result<MountOptions, String> {
        let mut options = MountOptions::default();
        take(&mut options, word).map_err(|failure| failure.text)?;
        Ok(options)
    }

    #[test]
    fn a_mount_helper_passes_over_what_mount_says_to_itself() {
        let called =
            "/sbin/mount.fuse.savefs SAVE /mnt -snv -o rw,noatime -t fuse.savefs -N /proc/1/ns/mnt";
        let expected = "/sbin/mount.fuse.savefs mount SAVE /mnt -o rw,noatime";
        assert_eq!(as_mount_helper(words(called)), words(expected));
        let own = words("savefs mount -n SAVE /mnt");
        assert_eq!(as_mount_helper(own.clone()), own);
    }

    #[test]
    fn an_owner_and_a_umask_are_numbers_that_there_are() {
        assert_eq!(taken("uid=1000").unwrap().uid, Some(1000));
        assert_eq!(taken("umask=027").unwrap().umask, Some(0o027));
        for word in [
            "uid=4294967295",
            "gid=4294967295",
            "uid=-1",
            "umask=1000",
            "umask=8",
        ] {
            let value = word.split_once('=').unwrap().1;
            assert!(
                taken(word)
                    .unwrap_err()
                    .starts_with(&format!("-o {word}: {value} is ")),
                "{word}"
            );
        }
    }
}
