//! Do all processes of a sandbox together stay within their share? Limits of the
//! kernel hold for one process; the warden adds them up and ends the sandbox when
//! they are too much.
//!
//! Invariant: when the warden goes, the sandbox goes.

use std::fmt;
use std::os::fd::OwnedFd;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use tokio::task::JoinHandle;

use super::{Kind, Share, tree};

const EVERY: Duration = Duration::from_millis(25);

/// Which part of its share a sandbox went beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    Memory { allowed: u64 },
    Processes { allowed: u32 },
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { allowed } => {
                write!(
                    f,
                    "it used more memory than the {} MiB allowed",
                    allowed >> 20
                )
            }
            Self::Processes { allowed } => {
                write!(f, "it started more processes than the {allowed} allowed")
            }
        }
    }
}

/// Keeps watch as long as it lives.
pub struct Warden {
    watched: Option<Arc<Watched>>,
    round: Option<JoinHandle<()>>,
}

struct Watched {
    pid: Pid,
    kind: Kind,
    /// A number can come to mean another process; this cannot.
    handle: OwnedFd,
    /// Processes nearer than this are the sandbox itself.
    depth: usize,
    share: Share,
    verdict: OnceLock<Exceeded>,
}

impl Warden {
    pub(super) fn new(child: Option<u32>, kind: Kind, share: Share) -> Self {
        let watched = child
            .and_then(|child| Watched::new(child, kind, share))
            .map(Arc::new);
        let round = watched.clone().map(|watched| tokio::spawn(rounds(watched)));
        Self { watched, round }
    }

    /// Why the warden ended the sandbox, if it did.
    pub fn verdict(&self) -> Option<Exceeded> {
        self.watched.as_ref()?.verdict.get().copied()
    }

    /// Ends everything in the sandbox now.
    pub fn end(&self) {
        if let Some(watched) = &self.watched {
            watched.end();
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        self.end();
        if let Some(round) = &self.round {
            round.abort();
        }
    }
}

async fn rounds(watched: Arc<Watched>) {
    let mut turn = tokio::time::interval(EVERY);
    turn.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        turn.tick().await;
        if let Some(exceeded) = watched.exceeded() {
            let _ = watched.verdict.set(exceeded);
            watched.end();
            return;
        }
    }
}

impl Watched {
    fn new(child: u32, kind: Kind, share: Share) -> Option<Self> {
        let pid = Pid::from_raw(i32::try_from(child).ok()?)?;
        Some(Self {
            pid,
            kind,
            handle: pidfd_open(pid, PidfdFlags::empty()).ok()?,
            depth: match kind {
                // Holder, bubblewrap, the first process of its namespace.
                Kind::Bubblewrap => 3,
                // Holder, keeper.
                Kind::Landlock | Kind::Unsandboxed => 2,
            },
            share,
            verdict: OnceLock::new(),
        })
    }

    fn exceeded(&self) -> Option<Exceeded> {
        let most = self.share.processes as usize;
        // One more than may be is enough to know.
        let found = tree::below(self.pid, self.depth + most);
        let inside = found.iter().filter(|process| process.depth >= self.depth);
        let inside: Vec<Pid> = inside.map(|process| process.pid).collect();
        if inside.len() > most {
            return Some(Exceeded::Processes {
                allowed: self.share.processes,
            });
        }
        let allowed = self.share.memory_bytes;
        let sum = |measure: fn(Pid) -> u64| inside.iter().map(|pid| measure(*pid)).sum::<u64>();
        // Forked processes share most of their pages, but to know that takes longer.
        let beyond = sum(tree::resident) > allowed && sum(tree::proportional) > allowed;
        beyond.then_some(Exceeded::Memory { allowed })
    }

    /// The end of the holder ends everything, one process after the other. Where a bomb
    /// fights for the processor, this takes long, so that the first process of the
    /// namespace, with which all others end, is killed at once too.
    fn end(&self) {
        if self.kind == Kind::Bubblewrap {
            for process in tree::below(self.pid, self.depth - 1) {
                let _ = kill_process(process.pid, Signal::KILL);
            }
        }
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
    }
}
