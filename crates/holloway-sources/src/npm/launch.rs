//! How is Node started for a package? In the sandbox, with an empty environment, and
//! with Node's own permissions on top: reading the package's folder is all it may do.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::{Child, Command};

use super::NpmConfig;
use crate::sandbox::{Confinement, Kind, Sandbox, Share, Warden};
use crate::{SourceError, SourceErrorKind};

/// All that one worker may use.
const SHARE: Share = Share {
    memory_bytes: 512 << 20,
    // Over the whole life of a worker: a busy one is replaced long before.
    cpu_seconds: 3_600,
    processes: 1,
    open_files: 256,
    file_bytes: 16 << 20,
};

/// The part of its memory that Node may fill with values; the rest is for itself.
const HEAP_MEGABYTES: u64 = 320;

/// The program Node and what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeProgram {
    pub path: PathBuf,
    /// Major and minor.
    pub version: (u32, u32),
}

impl NodeProgram {
    /// Asks the program, given by name or path, where it really is and which version.
    pub async fn find(program: &Path) -> Result<Self, SourceError> {
        let mut command = Command::new(program);
        command
            .arg("-p")
            .arg("process.version + ' ' + process.execPath");
        command.env_clear().stdin(Stdio::null()).kill_on_drop(true);
        let said = command.output().await;
        let said = said.map_err(|error| no_node(program, &error.to_string()))?;
        let said = String::from_utf8_lossy(&said.stdout);
        let (version, path) = said.trim().split_once(' ').unwrap_or_default();
        match parse_version(version) {
            Some(found) if found >= (20, 0) => Ok(Self {
                path: path.into(),
                version: found,
            }),
            Some(_) => Err(no_node(program, &format!("its version is {version}"))),
            None => Err(no_node(program, "it names no version")),
        }
    }

    fn flags(&self, folder: &Path, network: bool) -> Vec<OsString> {
        let permission =
            if self.version >= (23, 5) || (self.version.0 == 22 && self.version.1 >= 13) {
                "--permission"
            } else {
                "--experimental-permission"
            };
        let mut readable = OsString::from("--allow-fs-read=");
        readable.push(folder.join("*"));
        let heap = format!("--max-old-space-size={HEAP_MEGABYTES}");
        let mut flags: Vec<OsString> = vec![
            permission.into(),
            readable,
            heap.into(),
            "--no-addons".into(),
            "--disable-proto=delete".into(),
            "--no-warnings".into(),
        ];
        // From 25 on the network is one of Node's permissions; before, only the sandbox's.
        if network && self.version.0 >= 25 {
            flags.push("--allow-net".into());
        }
        flags
    }

    /// Node itself is among them where it is not one of the system's programs.
    fn readable(&self, folder: &Path) -> Vec<PathBuf> {
        let is_system = ["/usr", "/bin"]
            .iter()
            .any(|system| self.path.starts_with(system));
        let own = self.path.parent().filter(|_| !is_system);
        [folder]
            .into_iter()
            .chain(own)
            .map(Path::to_owned)
            .collect()
    }

    /// What the worker of a package is started with. `folder` must be free of symlinks:
    /// Node compares real paths.
    pub(super) fn confinement(
        &self,
        config: &NpmConfig,
        folder: &Path,
        start: Start,
    ) -> Confinement {
        let mut arguments = self.flags(folder, config.network);
        arguments.push(start.script.into());
        arguments.push(config.package.clone().into());
        arguments.push(start.largest_result.to_string().into());
        Confinement {
            program: self.path.clone().into(),
            arguments,
            folder: folder.to_owned(),
            readable: self.readable(folder),
            writable: Vec::new(),
            environment: Vec::new(),
            network: config.network,
            share: SHARE,
        }
    }
}

/// What keeps the worker in.
pub(super) enum Walls {
    Sandbox(Sandbox),
    /// Tests of the worker alone have no launcher to start a sandbox with.
    #[cfg(test)]
    Absent,
}

impl Walls {
    /// Whether there are any: a person may have chosen to do without.
    pub(super) fn hold(&self) -> bool {
        match self {
            Self::Sandbox(sandbox) => sandbox.kind() != Kind::Unsandboxed,
            #[cfg(test)]
            Self::Absent => true,
        }
    }

    pub(super) fn start(
        &self,
        confinement: &Confinement,
    ) -> Result<(Child, Option<Warden>), SourceError> {
        let mut command = self.command(confinement)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped()).kill_on_drop(true);
        let child = command.spawn().map_err(|error| start_failure(&error))?;
        let warden = match self {
            Self::Sandbox(sandbox) => Some(sandbox.watch(&child, confinement.share)),
            #[cfg(test)]
            Self::Absent => None,
        };
        Ok((child, warden))
    }

    fn command(&self, confinement: &Confinement) -> Result<Command, SourceError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.command(confinement).map_err(|error| {
                SourceError::new(SourceErrorKind::Sandbox, error.message, error.hint)
            }),
            #[cfg(test)]
            Self::Absent => {
                let mut command = Command::new(&confinement.program);
                command.args(&confinement.arguments).env_clear();
                command.current_dir(&confinement.folder);
                Ok(command)
            }
        }
    }
}

/// What changes from start to start.
pub(super) struct Start {
    pub(super) script: PathBuf,
    pub(super) largest_result: usize,
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix('v')?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

pub(super) fn start_failure(error: &io::Error) -> SourceError {
    SourceError::new(
        SourceErrorKind::Start,
        format!("the worker of the package does not start: {error}"),
        "see that Node.js 20 or newer is installed and the data folder can be written",
    )
}

fn no_node(path: &Path, what: &str) -> SourceError {
    SourceError::new(
        SourceErrorKind::Start,
        format!("Node cannot be used as `{}`: {what}", path.display()),
        "install Node.js 20 or newer",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &str, network: bool, expected: &[&str], absent: &str) {
        let node = NodeProgram {
            path: "node".into(),
            version: parse_version(said).unwrap(),
        };
        let flags = node.flags(Path::new("/p"), network);
        for flag in expected {
            assert!(flags.contains(&OsString::from(flag)), "{said}: {flag}");
        }
        assert!(!flags.contains(&OsString::from(absent)), "{said}: {absent}");
    }

    #[test]
    fn each_version_gets_the_flags_it_knows() {
        let old = ["--experimental-permission", "--allow-fs-read=/p/*"];
        check("v20.20.2\n", true, &old, "--allow-net");
        check("v22.12.0", false, &old, "--permission");
        check(
            "v22.13.0",
            false,
            &["--permission"],
            "--experimental-permission",
        );
        check("v23.4.0", false, &old, "--permission");
        check("v24.1.0", true, &["--permission"], "--allow-net");
        check("v25.0.0", true, &["--permission", "--allow-net"], "");
        check("v25.0.0", false, &["--permission"], "--allow-net");
    }

    #[test]
    fn only_a_version_is_a_version() {
        assert_eq!(parse_version("v20.1.2"), Some((20, 1)));
        assert_eq!(parse_version("20.1.2"), None);
        assert_eq!(parse_version("node: not found"), None);
    }
}
