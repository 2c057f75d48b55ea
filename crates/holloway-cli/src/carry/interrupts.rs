//! Does somebody want the program to end while nothing runs that could hear it? Signals are
//! noted from the beginning on, so that what is at hand is put back before the end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::CliError;

/// Notes signals for as long as the program runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupts {
    interrupted: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl Interrupts {
    pub(crate) fn listen() -> Result<Self, CliError> {
        let failed = |error: io::Error| {
            CliError::failed("internal", format!("signals cannot be received: {error}"))
                .hint("check the limits of the system")
        };
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let heard = Self::default();
        let (mut interrupt, mut terminate, mut hang_ups) = {
            let _inside = runtime.enter();
            let listen = |kind| signal(kind).map_err(failed);
            (
                listen(SignalKind::interrupt())?,
                listen(SignalKind::terminate())?,
                hang_ups().map_err(failed)?,
            )
        };
        let (interrupted, ended) = (Arc::clone(&heard.interrupted), Arc::clone(&heard.ended));
        std::thread::spawn(move || {
            runtime.block_on(async {
                tokio::join!(
                    note(&mut interrupt, &interrupted),
                    note(&mut terminate, &ended),
                    async {
                        hung_up(&mut hang_ups).await;
                        ended.store(true, Ordering::SeqCst);
                    },
                )
            })
        });
        Ok(heard)
    }

    /// Whether the program is to end.
    pub(crate) fn heard(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst) || self.is_end()
    }

    /// The same while another program has the terminal: Ctrl-C is meant for that one.
    pub(crate) fn is_end(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// What was meant for another program is forgotten.
    pub(crate) fn forget_interrupt(&self) {
        self.interrupted.store(false, Ordering::SeqCst);
    }
}

async fn note(signal: &mut Signal, heard: &AtomicBool) {
    while signal.recv().await.is_some() {
        heard.store(true, Ordering::SeqCst);
    }
}

/// The terminal was closed. Nothing where whoever started the program wants it to outlive that, as
/// `nohup` does.
pub(super) fn hang_ups() -> io::Result<Option<Signal>> {
    if is_ignored(&std::fs::read_to_string("/proc/self/status").unwrap_or_default()) {
        return Ok(None);
    }
    signal(SignalKind::hangup()).map(Some)
}

/// Comes back when the terminal was closed.
pub(super) async fn hung_up(hang_ups: &mut Option<Signal>) {
    match hang_ups {
        Some(hang_ups) => {
            hang_ups.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether hang-ups are among the signals that a process was told to ignore, by what the
/// system says of it.
fn is_ignored(status: &str) -> bool {
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    ignored.is_some_and(|set| set & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_be_told_to_outlive_its_terminal() {
        let status = |set: &str| format!("Name:\tholloway\nSigIgn:\t{set}\nSigCgt:\t1\n");
        assert!(is_ignored(&status("0000000000001001")));
        assert!(!is_ignored(&status("0000000000001000")));
        assert!(!is_ignored(""));
    }
}
