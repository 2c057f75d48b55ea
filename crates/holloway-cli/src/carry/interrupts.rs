//! Does somebody want the program to end while nothing runs that could hear it? Signals are
//! noted from the beginning on, so that what is at hand is put back before the end.

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
        let failed = |error: std::io::Error| {
            CliError::failed("internal", format!("signals cannot be received: {error}"))
                .hint("check the limits of the system")
        };
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let heard = Self::default();
        let (mut interrupt, mut terminate, mut hang_up) = {
            let _inside = runtime.enter();
            let listen = |kind| signal(kind).map_err(failed);
            (
                listen(SignalKind::interrupt())?,
                listen(SignalKind::terminate())?,
                listen(SignalKind::hangup())?,
            )
        };
        let (interrupted, ended) = (Arc::clone(&heard.interrupted), Arc::clone(&heard.ended));
        std::thread::spawn(move || {
            runtime.block_on(async {
                tokio::join!(
                    note(&mut interrupt, &interrupted),
                    note(&mut terminate, &ended),
                    note(&mut hang_up, &ended),
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
