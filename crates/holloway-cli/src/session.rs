//! What does every command need? Where it was started, how it is to answer, and
//! configuration and store, each opened when first asked for.

use std::cell::OnceCell;
use std::path::PathBuf;

use holloway_engine::ports::Clock as _;
use holloway_plan::limits::Limits;
use holloway_store::Store;

use crate::arguments::Reach;
use crate::config::{self, Config};
use crate::error::CliError;
use crate::print;
use crate::workbench::Workbench;

/// One start of the program.
pub(crate) struct Session {
    pub(crate) json: bool,
    /// Failures are told in the words of the engine too.
    pub(crate) verbose: bool,
    pub(crate) folder: PathBuf,
    pub(crate) limits: Limits,
    config: OnceCell<Config>,
    store: OnceCell<Store>,
}

impl Session {
    pub(crate) fn begin(json: bool, verbose: bool) -> Result<Self, CliError> {
        let folder = std::env::current_dir().map_err(|error| {
            CliError::failed(
                "folder-gone",
                format!("the current folder cannot be used: {error}"),
            )
            .hint("change to a folder that exists")
        })?;
        Ok(Self {
            json,
            verbose,
            folder,
            limits: Limits::default(),
            config: OnceCell::new(),
            store: OnceCell::new(),
        })
    }

    pub(crate) fn config(&self) -> Result<&Config, CliError> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = Config::load(&self.folder)?;
        // Beside the result: with --json, stdout holds nothing but the result.
        if self.json {
            for event in config.passed_over.events() {
                print::note(&event.to_string());
            }
        } else {
            for note in config.passed_over.notes() {
                print::note(&note);
            }
        }
        Ok(self.config.get_or_init(|| config))
    }

    /// Whether anything was ever kept on this machine.
    pub(crate) fn has_store(&self) -> Result<bool, CliError> {
        Ok(self.store.get().is_some() || Store::exists(&config::data_folder()?))
    }

    pub(crate) fn store(&self) -> Result<&Store, CliError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let store = Store::open(&config::data_folder()?)?;
        Ok(self.store.get_or_init(|| store))
    }

    /// The tools, reaching as far as configuration and flags say.
    pub(crate) fn workbench(&self, reach: &Reach) -> Result<Workbench, CliError> {
        Workbench::set_up(self, reach)
    }
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    holloway_tools::clock::SystemClock.now_ms()
}
