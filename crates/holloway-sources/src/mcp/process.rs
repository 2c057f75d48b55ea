//! How is a server's program started, watched and ended? Together with all that it
//! started: a keeper or a sandbox sees to it, or at least its process group is ended.
//!
//! Invariant: when a `Process` has ended, nothing that came of it is left.

use std::collections::VecDeque;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};

use super::launch::{Care, Ready};
use crate::sandbox::{Attended, Warden};

/// How long a program may take to end after its input was closed, and again after
/// it was told to.
const GRACE: Duration = Duration::from_millis(1_500);
/// 128 and the number of the signal.
const FIRST_SIGNAL_CODE: i32 = 129;
const LAST_SIGNAL_CODE: i32 = 192;
const LAST_LINES: usize = 12;
const LINE_LENGTH: usize = 300;

/// A running program.
pub(super) struct Process {
    /// Sending asks it to end politely; dropping ends it at once.
    stop: Mutex<Option<oneshot::Sender<()>>>,
    /// How it ended, once it has.
    exit: watch::Receiver<Option<Arc<str>>>,
    last_words: LastWords,
}

/// A started program and its pipes.
pub(super) struct Started {
    pub(super) process: Process,
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

impl Process {
    /// Must be called inside a runtime. The permit is given back when the program and
    /// its group are gone.
    pub(super) fn start(ready: Ready, permit: OwnedSemaphorePermit) -> io::Result<Started> {
        let Ready { mut command, care } = ready;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let whole = Whole::of(&child, care);
        let (stdin, stdout) = child
            .stdin
            .take()
            .zip(child.stdout.take())
            .ok_or_else(|| io::Error::other("the program has no pipes"))?;
        let last_words = LastWords::default();
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(last_words.clone().listen(stderr));
        }
        let (stop, stopped) = oneshot::channel();
        let (report, exit) = watch::channel(None);
        tokio::spawn(async move {
            watch_over(child, whole, stopped, report).await;
            drop(permit);
        });
        let process = Self {
            stop: Mutex::new(Some(stop)),
            exit,
            last_words,
        };
        Ok(Started {
            process,
            stdin,
            stdout,
        })
    }

    pub(super) fn exit(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.exit.clone()
    }

    /// The last lines it wrote to stderr.
    pub(super) fn last_words(&self) -> LastWords {
        self.last_words.clone()
    }

    /// Ends it, politely first: its input must have been closed by now.
    pub(super) async fn stop(&self) {
        if let Some(stop) = self.take_stop() {
            stop.send(()).ok();
        }
        self.exit.clone().wait_for(Option::is_some).await.ok();
    }

    /// Ends it at once.
    pub(super) async fn kill(&self) {
        drop(self.take_stop());
        self.exit.clone().wait_for(Option::is_some).await.ok();
    }

    fn take_stop(&self) -> Option<oneshot::Sender<()>> {
        self.stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

/// The program and all that came of it; ends when dropped.
struct Whole {
    group: Group,
    attended: Option<Attended>,
    warden: Option<Warden>,
}

impl Whole {
    fn of(child: &Child, care: Care) -> Self {
        let (attended, warden) = match care {
            Care::Warden(watch) => (None, Some(watch(child))),
            Care::Attendant => (Attended::of(child), None),
            Care::Group => (None, None),
        };
        Self {
            group: Group::of(child),
            attended,
            warden,
        }
    }

    fn terminate(&self) {
        match &self.attended {
            // The group is only the holder, who would end it all at once.
            Some(attended) => attended.terminate(),
            None => self.group.signal(Signal::TERM),
        }
    }

    async fn end(&self) {
        if let Some(attended) = &self.attended {
            attended.end().await;
        }
        self.group.signal(Signal::KILL);
    }
}

/// Kills every process of the group when dropped.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.0 {
            // An error means that nobody is left.
            kill_process_group(leader, signal).ok();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

async fn watch_over(
    mut child: Child,
    whole: Whole,
    stopped: oneshot::Receiver<()>,
    report: watch::Sender<Option<Arc<str>>>,
) {
    let status = tokio::select! {
        status = child.wait() => status,
        asked = stopped => {
            let ended = asked.is_ok() && end_politely(&mut child, &whole).await;
            // The number of one that has ended may be another's by now.
            if !ended {
                whole.end().await;
            }
            child.wait().await
        }
    };
    let verdict = whole.warden.as_ref().and_then(Warden::verdict);
    let reason = verdict.map_or_else(|| describe(status), |exceeded| exceeded.to_string());
    drop(whole);
    report.send_replace(Some(reason.into()));
}

/// Whether it has ended.
async fn end_politely(child: &mut Child, whole: &Whole) -> bool {
    if tokio::time::timeout(GRACE, child.wait()).await.is_ok() {
        return true;
    }
    whole.terminate();
    tokio::time::timeout(GRACE, child.wait()).await.is_ok()
}

fn describe(status: io::Result<ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    let Ok(status) = status else {
        return "its program is gone".to_owned();
    };
    // A holder tells by its code, as shells do, which signal ended the program.
    let by_signal = |code: &i32| (FIRST_SIGNAL_CODE..=LAST_SIGNAL_CODE).contains(code);
    let told = status.code().filter(by_signal).map(|code| code - 128);
    match (status.code(), status.signal().or(told)) {
        (_, Some(signal)) => format!("its program was ended by signal {signal}"),
        (Some(code), None) => format!("its program ended with code {code}"),
        (None, None) => "its program ended".to_owned(),
    }
}

/// The end of what a program wrote to stderr.
#[derive(Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<VecDeque<String>>>);

impl LastWords {
    async fn listen(self, mut pipe: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 8 * 1024];
        let mut line = Vec::new();
        while let Ok(count) = pipe.read(&mut buffer).await
            && count > 0
        {
            for byte in buffer.iter().take(count) {
                if *byte == b'\n' {
                    self.keep(&line);
                    line.clear();
                } else if line.len() < LINE_LENGTH {
                    line.push(*byte);
                }
            }
        }
        self.keep(&line);
    }

    fn keep(&self, line: &[u8]) {
        let text: String = String::from_utf8_lossy(line)
            .chars()
            .filter(|character| !character.is_control())
            .collect();
        if text.trim().is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LAST_LINES {
            lines.pop_front();
        }
        lines.push_back(text);
    }

    pub(super) fn text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
