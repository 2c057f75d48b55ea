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
    /// Bare syncs taken in turns with durable runs, per step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) floor_us: Option<f64>,
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
        let (seconds, setup, floor) = match engine {
            Engine::Joinset => (floor::joinset(&parents)?, 0.0, None),
            Engine::Fdatasync => (floor::fdatasync(folder, parents.len())?, 0.0, None),
            Engine::Memory => {
                let (seconds, setup) = ours::memory(shape, nodes)?;
                (seconds, setup, None)
            }
            Engine::Durable => {
                let durable = ours::durable(shape, nodes, folder)?;
                (durable.seconds, durable.setup, Some(durable.floor))
            }
        };
        let per_step = |seconds: f64| seconds * 1e6 / parents.len() as f64;
        Ok(Self {
            engine,
            shape,
            nodes: parents.len(),
            us_per_step: per_step(seconds),
            floor_us: floor.map(per_step),
            setup_ms: setup * 1e3,
            peak_rss_mb: peak_rss_mb()?,
        })
    }
}

/// The most memory this process has had at once.
pub(crate) fn peak_rss_mb() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("no /proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .context("no VmHWM")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}
