//! How is a browser started and ended? With a folder of its own that is removed afterwards, an empty
//! environment, and pipes instead of a debugging port, so that nobody else on this machine can steer it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::super::attend::{Attend, Program};
use super::super::http::Http;
use super::pipe::Pipe;
use super::proxy::Proxy;
use super::visit::Device;

const FLAGS: &str = include_str!("../../data/browser/flags.txt");
const READABLE: &str = include_str!("../../data/browser/readable.txt");
/// What a browser reads at 3 and writes at 4 are the pipes of its parent.
const PLUMBING: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null";
const SEARCH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A browser under way.
pub(super) struct Browser {
    pub(super) pipe: Pipe,
    pub(super) proxy: Proxy,
    child: Child,
    group: Group,
    /// What keeps it from the files of this machine.
    pub(super) walls: Walls,
    /// Profile and cache; gone when this is.
    _folder: TempDir,
}

/// Every process of the browser ends when this does.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            // An error means that nobody is left.
            kill_process_group(leader, Signal::KILL).ok();
        }
    }
}

impl Browser {
    pub(super) async fn start(
        program: &Path,
        http: &Arc<Http>,
        attendant: Option<&dyn Attend>,
        device: Device,
    ) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("holloway-browser-")
            .tempdir()?;
        let proxy = Proxy::start(Arc::clone(http)).await?;
        let arguments = arguments(program, folder.path(), proxy.port(), device);
        let (mut command, walls) = command(arguments, folder.path(), attendant)?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let group = Group(id.and_then(Pid::from_raw));
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no pipes"));
        };
        let mut pipe = Pipe::new(input, output);
        pipe.call("", "Browser.getVersion", serde_json::json!({}))
            .await
            .map_err(io::Error::other)?;
        Ok(Self {
            pipe,
            proxy,
            child,
            group,
            walls,
            _folder: folder,
        })
    }

    /// Asks it to close, and ends what is left of it.
    pub(super) async fn end(mut self) {
        let closing = self.pipe.call("", "Browser.close", serde_json::json!({}));
        closing.await.ok();
        let patience = std::time::Duration::from_secs(3);
        tokio::time::timeout(patience, self.child.wait()).await.ok();
        drop(self.group);
    }
}

/// What keeps a browser in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walls {
    /// The sandbox that packages run in.
    Ours,
    /// The one it brings itself.
    Its,
    /// None: it refuses its own to root.
    Missing,
}

impl Walls {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ours => "holloway",
            Self::Its => "chromium",
            Self::Missing => "none",
        }
    }
}

/// Within our own walls it needs none of its own; without, it has them unless it is root.
fn command(
    arguments: Vec<String>,
    folder: &Path,
    attendant: Option<&dyn Attend>,
) -> io::Result<(Command, Walls)> {
    let program = |more: &[&str]| {
        let more = more.iter().map(|flag| (*flag).to_owned());
        let arguments = arguments.iter().cloned().chain(more);
        Program {
            program: "/bin/sh".into(),
            arguments: arguments.map(Into::into).collect(),
            folder: folder.to_owned(),
            search: SEARCH.into(),
        }
    };
    let is_root = rustix::process::geteuid().is_root();
    let bare: &[&str] = if is_root { &["--no-sandbox"] } else { &[] };
    let walls = if is_root { Walls::Missing } else { Walls::Its };
    let Some(attendant) = attendant else {
        let mut command = Command::new("/bin/sh");
        command.args(&program(bare).arguments).current_dir(folder);
        command.env_clear().env("PATH", SEARCH).env("HOME", folder);
        return Ok((command, walls));
    };
    let inside = program(&["--no-sandbox", "--no-zygote"]);
    if let Some(command) = attendant.confined(&inside, &readable()) {
        return Ok((command, Walls::Ours));
    }
    let command = attendant.command(&program(bare));
    let command = command.map_err(|failure| io::Error::other(failure.message))?;
    Ok((command, walls))
}

/// Folders a browser reads that are not the system's programs, as far as they are there.
fn readable() -> Vec<PathBuf> {
    let lines = READABLE.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(PathBuf::from)
        .filter(|path| path.is_dir())
        .collect()
}

fn arguments(program: &Path, folder: &Path, port: u16, device: Device) -> Vec<String> {
    let folder = folder.display();
    let mut arguments = vec!["-c".to_owned(), PLUMBING.to_owned()];
    arguments.push(program.display().to_string());
    let flags = FLAGS.lines().map(str::trim);
    let flags = flags.filter(|line| !line.is_empty() && !line.starts_with('#'));
    arguments.extend(flags.map(str::to_owned));
    arguments.push(format!("--user-data-dir={folder}/profile"));
    arguments.push(format!("--proxy-server=http://127.0.0.1:{port}"));
    let (width, height) = device.window();
    arguments.push(format!("--window-size={width},{height}"));
    arguments
}
