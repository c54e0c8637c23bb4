//! Words of `-o` that are not savefs' own.

use super::error::MountError;
use fuser::MountOption;

/// What the words ask for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Words {
    pub options: Vec<MountOption>,
    /// The mount point may hold files, which the mount hides.
    pub nonempty: bool,
}

/// Words for mount(8) and the boot, which mean nothing here.
const IGNORED: &[&str] = &[
    "defaults",
    "rw",
    "auto",
    "noauto",
    "user",
    "nouser",
    "users",
    "owner",
    "group",
    "nofail",
    "_netdev",
    "relatime",
    "norelatime",
    "strictatime",
    "nostrictatime",
    "diratime",
    "nodiratime",
    "lazytime",
    "nolazytime",
    "silent",
    "loud",
];

/// # Errors
/// A word that is not known.
pub fn parse(words: &[String]) -> Result<Words, MountError> {
    let mut all = Words::default();
    for word in words.iter().map(|word| word.trim()) {
        let option = match word {
            "" => continue,
            "nonempty" => {
                all.nonempty = true;
                continue;
            }
            "dev" => MountOption::Dev,
            "nodev" => MountOption::NoDev,
            "suid" => MountOption::Suid,
            "nosuid" => MountOption::NoSuid,
            "exec" => MountOption::Exec,
            "noexec" => MountOption::NoExec,
            "atime" => MountOption::Atime,
            "noatime" => MountOption::NoAtime,
            "sync" => MountOption::Sync,
            "async" => MountOption::Async,
            "dirsync" => MountOption::DirSync,
            "default_permissions" => MountOption::DefaultPermissions,
            other if IGNORED.contains(&other) => continue,
            other if other.starts_with("x-") || other.starts_with("comment=") => continue,
            other => return Err(MountError::new(format!("-o {other}: no such option"))),
        };
        all.options.push(option);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn words_of_fstab_are_taken_and_others_refused() {
        let parsed = parse(&words(
            "defaults,noexec,x-systemd.automount,nonempty,strictatime,nodiratime",
        ))
        .unwrap();
        assert_eq!(parsed.options, [MountOption::NoExec]);
        assert!(parsed.nonempty);
        let refused = parse(&words("noexec,frobnicate")).unwrap_err();
        assert_eq!(refused.to_string(), "-o frobnicate: no such option");
    }
}
