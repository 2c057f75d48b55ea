//! How is foreign code kept in? A program is started with nothing but what its
//! confinement names: files, environment, network, and a share of the machine.
//!
//! Invariant: without a sandbox nothing is started, unless the user said so.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::secrets::SecretText;

/// What a program is started with, and all it sees.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    pub program: OsString,
    pub arguments: Vec<OsString>,
    /// Where it starts; must be below something readable or writable.
    pub folder: PathBuf,
    /// Beyond the system's own programs and libraries.
    pub readable: Vec<PathBuf>,
    pub writable: Vec<PathBuf>,
    /// The whole environment.
    pub environment: Vec<(String, SecretText)>,
    pub network: bool,
    pub share: Share,
}

/// How much of the machine all processes of one sandbox may use together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub memory_bytes: u64,
    /// Processor seconds of one process.
    pub cpu_seconds: u64,
    /// 1 means that it may not start another process.
    pub processes: u32,
    pub open_files: u64,
    /// The largest file it may write.
    pub file_bytes: u64,
}

impl Default for Share {
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
            cpu_seconds: 600,
            processes: 64,
            open_files: 1_024,
            file_bytes: 256 << 20,
        }
    }
}
