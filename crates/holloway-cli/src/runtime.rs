//! What do asynchronous commands run on? A small runtime of their own.

use std::future::Future;

use tokio::runtime::{Builder, Runtime};

use crate::error::CliError;

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

/// Does the work and leaves nothing behind that could hold the program up.
pub(crate) fn run<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime = new(2)?;
    let outcome = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(outcome)
}
