//! Which result goes into which step? Into the next one, unless runs of the past or the
//! names of what tools take and give say otherwise.

use super::flow::Flows;
use super::memory::Memory;
use crate::catalogue::Place;

/// The links of a sequence, by place in it.
pub(super) fn links(tools: &[Place], _flows: &Flows, _memory: &Memory) -> Vec<(usize, usize)> {
    (1..tools.len()).map(|later| (later - 1, later)).collect()
}
