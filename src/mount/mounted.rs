//! A mount in this process.

use super::attr::Owner;
use super::core::{Core, Notice};
use super::error::MountError;
use super::fs::Kernel;
use super::point::{self, MountPoint};
use super::waiting::Waiting;
use super::{MountOptions, notifier, words};
use crate::session::{Edit, Session};
use crate::store::{self, Watch};
use crate::tree::{NodeKind, walk};
use fuser::{BackgroundSession, Config, MountOption, SessionACL};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec};
use std::mem::ManuallyDrop;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// How long the end of a mount waits for requests that are being answered.
const GRACE: Duration = Duration::from_millis(1000);

/// A save that is mounted by threads of this process.
pub struct Mounted {
    core: Arc<Core>,
    point: MountPoint,
    /// Never dropped: that would unmount the path once more, which may be somebody else's mount by then.
    _kernel: ManuallyDrop<BackgroundSession>,
    /// Readable when the kernel has ended the mount.
    ended: Arc<OwnedFd>,
    watch: Option<Watch>,
    notifier: Option<std::thread::JoinHandle<()>>,
}

impl Mounted {
    /// Mounts a session. When this returns the mount is usable.
    ///
    /// # Errors
    /// The mount point cannot be used, an option is unknown, or the kernel refuses.
    pub fn start(
        session: Session,
        mount_point: &Path,
        options: &MountOptions,
    ) -> Result<Mounted, MountError> {
        let words = words::parse(&options.fuse)?;
        let point = MountPoint::prepare(mount_point, session.path(), words.nonempty)?;
        session.claim();
        let owner = owner(&session, options);
        let session = Arc::new(session);
        let (sender, notices) = mpsc::channel();
        let core = Core::new(Arc::clone(&session), owner, sender);
        let refuse = |point: &MountPoint, why: String| {
            point.tidy();
            MountError::new(format!("{}: {why}", point.path.display()))
        };
        let ended = rustix::event::eventfd(0, EventfdFlags::CLOEXEC)
            .map_err(|errno| refuse(&point, errno.to_string()))?;
        let ended = Arc::new(ended);
        let tell = Arc::clone(&ended);
        let kernel = Kernel {
            core: Arc::clone(&core),
            waiting: Waiting::default(),
            // Eight bytes into an eventfd that is written once cannot fail.
            ended: Box::new(move || {
                let _ = rustix::io::write(&*tell, &1u64.to_ne_bytes());
            }),
        };
        let config = config(session.path(), options, words.options);
        let kernel = fuser::Session::new(kernel, &point.path, &config)
            .and_then(fuser::Session::spawn)
            .map_err(|e| refuse(&point, cannot_mount(&e)))?;
        core.set_bell(kernel.notifier());
        let weak = Arc::downgrade(&core);
        let notifier = std::thread::Builder::new()
            .name("notifier".to_owned())
            .spawn(move || notifier::run(&weak, &notices))
            .ok();
        let watching = Arc::clone(&session);
        // What cannot be caught up with is in the session's log.
        let watch = session.store().watch(move || drop(watching.catch_up()));
        let watch = watch
            .inspect_err(|failure| log::warn!("changes by others go unnoticed: {failure}"))
            .ok();
        Ok(Mounted {
            core,
            point,
            _kernel: ManuallyDrop::new(kernel),
            ended,
            watch,
            notifier,
        })
    }

    pub fn session(&self) -> &Arc<Session> {
        &self.core.session
    }
    /// Where it is mounted: absolute, links followed.
    pub fn path(&self) -> &Path {
        &self.point.path
    }
    /// Requests so far, as the root's attribute `user.savefs.requests` gives them.
    pub fn requests(&self) -> String {
        self.core.counters.text()
    }
    /// Readable when somebody has unmounted it.
    pub fn ended(&self) -> &OwnedFd {
        &self.ended
    }

    /// Waits until somebody has unmounted it, at most for `patience`. Says whether it has ended.
    pub fn wait(&self, patience: Option<Duration>) -> bool {
        let limit = patience.and_then(|time| Timespec::try_from(time).ok());
        loop {
            let mut fds = [PollFd::new(&*self.ended, PollFlags::IN)];
            match rustix::event::poll(&mut fds, limit.as_ref()) {
                Err(rustix::io::Errno::INTR) => {}
                answer => return answer.is_ok_and(|ready| ready > 0),
            }
        }
    }

    /// Unmounts, unless that has been done, and brings what is pending to the disk or to the user's state directory.
    pub fn stop(mut self) {
        if !self.wait(Some(Duration::ZERO)) {
            if let Err(error) = point::unmount(&self.point.path, true) {
                log::error!("{}: cannot unmount: {error}", self.point.path.display());
            }
            self.wait(Some(GRACE));
        }
        self.watch = None;
        self.core.notice(Notice::End);
        if let Some(notifier) = self.notifier.take() {
            // A panic of it has been printed.
            let _ = notifier.join();
        }
        self.core.settle_all_hidden();
        finish(&self.core.session);
        self.point.tidy();
        log::debug!("requests: {}", self.core.counters.text());
    }
}

/// Commits what is pending; what cannot be committed is kept as lines for the user.
fn finish(session: &Session) {
    let Err(error) = session.commit() else {
        session.store().release();
        return;
    };
    let lines: Vec<String> = session.pending().iter().map(as_line).collect();
    match store::save_unfinished(session.store().name(), &lines) {
        Ok(path) => log::error!("{error}; the edits are kept in {}", path.display()),
        Err(failure) => log::error!("{error}; the edits are lost: {failure}"),
    }
}

/// An edit as a line that `savefs batch` takes, where there is one.
fn as_line(edit: &Edit) -> String {
    match edit {
        Edit::Set { path, value } => format!("{path}={}", walk::escape_line(value)),
        Edit::Create { path, kind } if *kind == NodeKind::Dir => format!("mkdir {path}"),
        Edit::Create { path, .. } => format!("# made: {path}"),
        Edit::Remove { path } => format!("rm {path}"),
        Edit::Retype { path, to } => format!("# type of {path}: {to}"),
    }
}

fn owner(session: &Session, options: &MountOptions) -> Owner {
    let metadata = std::fs::metadata(session.path()).ok();
    let me = || rustix::process::getuid().as_raw();
    let mine = || rustix::process::getgid().as_raw();
    Owner {
        uid: options
            .uid
            .unwrap_or_else(|| metadata.as_ref().map_or_else(me, MetadataExt::uid)),
        gid: options
            .gid
            .unwrap_or_else(|| metadata.as_ref().map_or_else(mine, MetadataExt::gid)),
        umask: options.umask.unwrap_or(0) & 0o777,
    }
}

fn config(save: &Path, options: &MountOptions, words: Vec<MountOption>) -> Config {
    let mut config = Config::default();
    config.mount_options = words;
    config
        .mount_options
        .push(MountOption::FSName(save.to_string_lossy().into_owned()));
    config
        .mount_options
        .push(MountOption::Subtype("savefs".to_owned()));
    if options.session.read_only {
        config.mount_options.push(MountOption::RO);
    }
    if options.allow_other {
        config.acl = SessionACL::All;
        config.mount_options.push(MountOption::DefaultPermissions);
    }
    // Two keep readers alive while a commit waits for the disk; more bring nothing.
    config.n_threads = Some(2);
    config
}

fn cannot_mount(error: &std::io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT) => {
            "cannot mount: /dev/fuse or fusermount3 is missing (`modprobe fuse`, package fuse3)"
                .to_owned()
        }
        Some(libc::EACCES | libc::EPERM) => {
            format!("cannot mount: {error}; may you open /dev/fuse?")
        }
        _ => format!("cannot mount: {error}"),
    }
}
