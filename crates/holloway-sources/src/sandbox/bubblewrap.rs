//! How is bubblewrap called? With a new root that holds the system's programs, what
//! the confinement names, and nothing else. Its options go through a file in memory:
//! they carry the environment, and arguments can be read by anyone.
//!
//! User namespaces inside are refused by the filter of system calls rather than by
//! `--disable-userns`, which a setuid bubblewrap does not know.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Command;

use rustix::fs::{MemfdFlags, memfd_create};

use super::order::{Order, VARIABLE};
use super::{SandboxError, launcher, system};

/// Where the launcher is inside.
const LAUNCHER: &str = "/run/holloway-confined";

const SMALLEST_TMP: u64 = 1 << 20;

/// The command, and the file it reads its options from.
pub(super) fn command(order: &Order) -> Result<(Command, File), SandboxError> {
    let program = order
        .bubblewrap
        .as_ref()
        .ok_or_else(|| SandboxError::new("bubblewrap was not found", "install `bubblewrap`"))?;
    let mut options = Options::default();
    options.namespaces(order.network);
    options.machine(order);
    options.given(order);
    options
        .word("--clearenv")
        .words(["--setenv", VARIABLE, &order.write()?]);
    let file = options.into_file().map_err(|error| {
        SandboxError::new(
            format!("the options of bubblewrap could not be written: {error}"),
            "see whether memory is short",
        )
    })?;
    let mut command = Command::new(program.path());
    command
        .env_clear()
        .arg("--args")
        .arg(file.as_raw_fd().to_string());
    command.args(["--", LAUNCHER, "confined", launcher::ENTER]);
    Ok((command, file))
}

#[derive(Default)]
struct Options(Vec<u8>);

impl Options {
    fn word(&mut self, word: impl AsRef<OsStr>) -> &mut Self {
        self.0.extend_from_slice(word.as_ref().as_bytes());
        self.0.push(0);
        self
    }

    fn words<const N: usize>(&mut self, words: [&str; N]) -> &mut Self {
        for word in words {
            self.word(word);
        }
        self
    }

    fn bind(&mut self, option: &str, source: &OsString, place: &OsStr) {
        self.word(option).word(source).word(place);
    }

    fn namespaces(&mut self, network: bool) {
        self.words(["--unshare-all", "--die-with-parent", "--new-session"]);
        self.words(["--cap-drop", "ALL", "--hostname", "sandbox", "--chdir", "/"]);
        if network {
            self.word("--share-net");
        }
    }

    fn machine(&mut self, order: &Order) {
        for path in system::readable(order.network) {
            self.bind("--ro-bind-try", &path.into(), path.as_os_str());
        }
        // What is in these file systems is memory too, and no process's own.
        let size = (order.share.memory_bytes / 4).max(SMALLEST_TMP).to_string();
        // Settings of the kernel belong to root, which a confined root still is by number.
        self.words(["--proc", "/proc", "--remount-ro", "/proc"]);
        self.words(["--dev", "/dev"]);
        self.words([
            "--size",
            &size,
            "--tmpfs",
            "/dev/shm",
            "--remount-ro",
            "/dev",
        ]);
        self.words(["--size", &size, "--tmpfs", "/tmp"]);
        self.bind("--ro-bind", &order.launcher.os(), OsStr::new(LAUNCHER));
    }

    /// The deeper path is mounted later, so that it counts below the other.
    fn given(&mut self, order: &Order) {
        let readable = order.readable.iter().map(|path| ("--ro-bind", path.path()));
        let writable = order.writable.iter().map(|path| ("--bind", path.path()));
        let mut given: Vec<(&str, PathBuf)> = readable.chain(writable).collect();
        given.sort_by_key(|(_, path)| path.components().count());
        for (option, path) in given {
            self.bind(option, &path.clone().into(), path.as_os_str());
        }
        // The new root is memory without a bound.
        self.words(["--remount-ro", "/"]);
    }

    fn into_file(self) -> std::io::Result<File> {
        // Without close-on-exec: it is for the next program, and nobody else starts one here.
        let mut file = File::from(memfd_create("options", MemfdFlags::empty())?);
        file.write_all(&self.0)?;
        file.rewind()?;
        Ok(file)
    }
}
