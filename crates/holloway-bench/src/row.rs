//! What is measured of one engine on one graph?

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::shape::Shape;
use crate::{Engine, floor, ours};

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) engine: Engine,
    pub(crate) shape: Shape,
    pub(crate) nodes: usize,
    pub(crate) us_per_step: f64,
    /// Reading, checking and compiling the plan, in milliseconds; not part of a step.
    pub(crate) setup_ms: f64,
    pub(crate) peak_rss_mb: f64,
}

impl Row {
    /// Measures in this process; `folder` is where files go.
    pub(crate) fn measure(
        engine: Engine,
        shape: Shape,
        nodes: usize,
        folder: &Path,
    ) -> Result<Self> {
        let parents = shape.parents(nodes);
        let (seconds, setup) = match engine {
            Engine::Joinset => (floor::joinset(&parents)?, 0.0),
            Engine::Fdatasync => (floor::fdatasync(folder, parents.len())?, 0.0),
            Engine::Memory => ours::memory(shape, nodes)?,
            Engine::Durable => ours::durable(shape, nodes, folder)?,
        };
        Ok(Self {
            engine,
            shape,
            nodes: parents.len(),
            us_per_step: seconds * 1e6 / parents.len() as f64,
            setup_ms: setup * 1e3,
            peak_rss_mb: peak_rss_mb()?,
        })
    }
}

/// The most memory this process has had at once.
fn peak_rss_mb() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("no /proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .context("no VmHWM")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}
