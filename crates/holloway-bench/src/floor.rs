//! What is the least it could cost? Bare tokio for the graph, a bare sync of a
//! preallocated file for durability.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// In-degree counters and one JoinSet; the median of warm repeats.
pub(crate) fn joinset(parents: &[Vec<usize>]) -> Result<f64> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut times = Vec::new();
    for _ in 0..20 {
        let parents = parents.to_vec();
        let task = runtime.spawn(async move {
            let started = Instant::now();
            let done = run_joinset(&parents).await;
            (started.elapsed().as_secs_f64(), done, parents.len())
        });
        let (seconds, done, expected) = runtime.block_on(task)?;
        ensure!(done == expected, "{done} of {expected} nodes ran");
        times.push(seconds);
    }
    median(times)
}

async fn run_joinset(parents: &[Vec<usize>]) -> usize {
    let mut left: Vec<usize> = parents.iter().map(Vec::len).collect();
    let mut children = vec![Vec::new(); parents.len()];
    for (child, parents) in parents.iter().enumerate() {
        for parent in parents {
            if let Some(list) = children.get_mut(*parent) {
                list.push(child);
            }
        }
    }
    let mut tasks = tokio::task::JoinSet::new();
    for (node, left) in left.iter().enumerate() {
        if *left == 0 {
            tasks.spawn(async move { node });
        }
    }
    let mut done = 0;
    while let Some(Ok(node)) = tasks.join_next().await {
        done += 1;
        for child in children.get(node).into_iter().flatten().copied() {
            let Some(count) = left.get_mut(child) else {
                continue;
            };
            *count -= 1;
            if *count == 0 {
                tasks.spawn(async move { child });
            }
        }
    }
    done
}

/// One write of 4 KiB and one fdatasync per node, into a file that is already there.
pub(crate) fn fdatasync(folder: &Path, count: usize) -> Result<f64> {
    let path = folder.join(format!("floor-{}.bin", std::process::id()));
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .open(&path)
        .context("cannot write the floor's file")?;
    let page = [7_u8; 4096];
    for _ in 0..1_024 {
        file.write_all(&page)?;
    }
    file.sync_all()?;
    let started = Instant::now();
    for index in 0..count {
        file.seek(SeekFrom::Start((index as u64 % 1_024) * 4_096))?;
        file.write_all(&page)?;
        file.sync_data()?;
    }
    let seconds = started.elapsed().as_secs_f64();
    std::fs::remove_file(&path)?;
    Ok(seconds)
}

/// The middle of a list of times.
pub(crate) fn median(mut times: Vec<f64>) -> Result<f64> {
    times.sort_by(f64::total_cmp);
    times
        .get(times.len() / 2)
        .copied()
        .context("nothing was measured")
}
