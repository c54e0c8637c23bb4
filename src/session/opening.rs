//! From a file to an open save: loaded whole, or left where it is by a format that reads it there.

use super::{Ledger, NotOpened, Options, Session, Snapshot, Touched, Versions};
use crate::formats::{self, Format, Probe};
use crate::store::{self, Loaded, Placed, Store};
use crate::tree::source::Source;
use crate::tree::{Fault, Save};
use std::path::Path;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

impl Source for Placed {
    fn length(&self) -> u64 {
        Placed::length(self)
    }
    fn read_at(&self, offset: u64, length: usize) -> Vec<u8> {
        Placed::read_at(self, offset, length)
    }
}

impl Session {
    /// Opens and decodes the save at `path`.
    ///
    /// # Errors
    /// [`NotOpened`]: the file cannot be read, or no format can decode it.
    pub fn open(path: &Path, options: Options) -> Result<Session, NotOpened> {
        let named = |name: &String| {
            formats::by_name(name).ok_or_else(|| NotOpened::UnknownFormat(name.clone()))
        };
        let format = options.format.as_ref().map(named).transpose()?;
        Session::open_as(path, format, options)
    }

    /// Opens and decodes the save at `path` with a format that need not be registered; None recognises it.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub fn open_as(
        path: &Path,
        format: Option<&'static dyn Format>,
        options: Options,
    ) -> Result<Session, NotOpened> {
        let opening = formats::Options {
            name: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            siblings: Vec::new(),
            schema: options.schema.clone(),
        };
        let fault = |fault| NotOpened::Format {
            path: path.to_owned(),
            fault,
        };
        let placed = Arc::new(Placed::open(path)?);
        if let Some((format, save)) = opened_in_place(&placed, format, &opening) {
            let store = Store::of_placed(path, &placed, options.store.clone())?;
            let touched = Touched::at_load(modified(&store.base()));
            return Ok(Session::of(
                format,
                opening,
                options,
                store,
                Snapshot::new(0, save.map_err(fault)?, None, touched),
            ));
        }
        drop(placed);
        let (store, loaded) = Store::open(path, options.store.clone())?;
        let opening = formats::Options {
            name: store.name().to_string_lossy().into_owned(),
            siblings: siblings(store.path()),
            ..opening
        };
        let (format, save) = match format {
            None => formats::open(store.path(), &loaded.bytes, &opening).map_err(fault)?,
            Some(format) => (format, format.open(&loaded.bytes, &opening).map_err(fault)?),
        };
        let touched = Touched::at_load(modified(&loaded));
        Ok(Session::of(
            format,
            opening,
            options,
            store,
            Snapshot::new(0, save, Some(loaded.bytes), touched),
        ))
    }

    fn of(
        format: &'static dyn Format,
        opening: formats::Options,
        options: Options,
        store: Store,
        first: Snapshot,
    ) -> Session {
        let first = Arc::new(first);
        let versions = Versions::starting_with(Arc::clone(&first));
        Session {
            format,
            opening,
            options,
            store,
            held: Mutex::new(None),
            now: RwLock::new(first),
            order: Mutex::new(()),
            ledger: Mutex::new(Ledger {
                journal: Vec::new(),
                versions,
                owed: false,
            }),
            rehearsed: Mutex::new(None),
            log: super::Log::default(),
            listeners: RwLock::new(Vec::new()),
        }
    }

    /// Opens again what the disk holds now.
    pub(super) fn open_loaded(&self, loaded: &Loaded) -> Result<Snapshot, Fault> {
        let touched = Touched::at_load(modified(loaded));
        if !self.store.is_placed() {
            let save = self.open_bytes(&loaded.bytes)?;
            return Ok(Snapshot::new(
                0,
                save,
                Some(Arc::clone(&loaded.bytes)),
                touched,
            ));
        }
        let gone = |error: store::OpenError| {
            Fault::new(
                self.format.name(),
                "file",
                0,
                "a file to read",
                error.to_string(),
            )
        };
        let placed = Arc::new(Placed::open(self.path()).map_err(gone)?);
        match opened_in_place(&placed, Some(self.format), &self.opening) {
            Some((_, save)) => Ok(Snapshot::new(0, save?, None, touched)),
            None => Err(Fault::new(
                self.format.name(),
                "file",
                0,
                "the same kind of file",
                "another",
            )),
        }
    }
}

type InPlace = (&'static dyn Format, Result<Arc<dyn Save>, Fault>);

/// The save in a file that its format reads where it is; None where the file is to be loaded.
fn opened_in_place(
    placed: &Arc<Placed>,
    format: Option<&'static dyn Format>,
    opening: &formats::Options,
) -> Option<InPlace> {
    let head = placed.read_at(0, formats::HEAD);
    let probe = Probe {
        name: &opening.name,
        head: &head,
        length: placed.length(),
    };
    let format = format.or_else(|| formats::recognise(&probe))?;
    let source: Arc<dyn Source> = Arc::<Placed>::clone(placed);
    format
        .open_in_place(&source, opening)
        .map(|save| (format, save))
}

/// Names of the files beside a save, bounded; for formats whose saves have companions.
fn siblings(path: &Path) -> Vec<String> {
    const LOOKED_AT: usize = 4096;
    let Some(Ok(entries)) = path.parent().map(std::fs::read_dir) else {
        return Vec::new();
    };
    let names = entries
        .take(LOOKED_AT)
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}

fn modified(loaded: &Loaded) -> SystemTime {
    let (seconds, nanoseconds) = loaded.identity.modified;
    let since = Duration::new(
        u64::try_from(seconds).unwrap_or(0),
        u32::try_from(nanoseconds).unwrap_or(0),
    );
    SystemTime::UNIX_EPOCH + since
}
