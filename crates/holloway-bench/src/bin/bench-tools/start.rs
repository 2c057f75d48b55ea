//! How long do several servers take to start, one after the other and together?

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use tokio::task::JoinSet;

use crate::ours::Ours;

/// Measures and prints both.
pub(crate) async fn measure(command: &str, count: usize) -> Result<()> {
    let servers = several(command, count)?;
    let began = Instant::now();
    for server in &servers {
        server.open().await?;
    }
    show("one after the other", count, began);
    close(&servers).await;
    let servers = several(command, count)?;
    let began = Instant::now();
    let mut starting = JoinSet::new();
    for server in &servers {
        let server = Arc::clone(server);
        starting.spawn(async move { server.open().await });
    }
    while let Some(started) = starting.join_next().await {
        started??;
    }
    show("together", count, began);
    close(&servers).await;
    Ok(())
}

fn several(command: &str, count: usize) -> Result<Vec<Arc<Ours>>> {
    (0..count)
        .map(|_| Ours::new(command).map(Arc::new))
        .collect()
}

async fn close(servers: &[Arc<Ours>]) {
    for server in servers {
        server.close().await;
    }
}

fn show(how: &str, count: usize, began: Instant) {
    let milliseconds = began.elapsed().as_secs_f64() * 1e3;
    println!("starting {count} servers {how:<20} {milliseconds:>9.0} ms");
}
