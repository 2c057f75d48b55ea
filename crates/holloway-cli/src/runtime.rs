//! What do asynchronous commands run on? A small runtime of their own.

use std::future::Future;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::error::CliError;

/// How long what is left under way has to stop its children.
const LAST_WORDS: Duration = Duration::from_millis(500);

pub(crate) fn new(threads: usize) -> Result<Runtime, CliError> {
    Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .map_err(|error| {
            CliError::failed("internal", format!("no threads can be started: {error}"))
                .hint("check the limits of the system")
        })
}

/// Does the work and leaves nothing behind that could hold the program up. Whoever
/// interrupts it gets the program back at once, and what was started is ended.
pub(crate) fn run<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime = new(2)?;
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = work => Some(outcome),
            () = interrupted() => None,
        }
    });
    // Children are killed when what holds them is dropped, which needs the runtime.
    runtime.shutdown_timeout(LAST_WORDS);
    outcome.ok_or(CliError::Interrupted)
}

async fn interrupted() {
    let terminate = signal(SignalKind::terminate());
    let Ok(mut terminate) = terminate else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}
