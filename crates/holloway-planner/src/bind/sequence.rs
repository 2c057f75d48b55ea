//! Where do the arguments of several steps come from? Each step is bound with those before
//! it in mind, and what one has taken from the request is not given to the next.

use rustc_hash::FxHashSet;

use super::past::PastArguments;
use super::{Binding, Earlier, Situation, Source, bind};
use crate::catalogue::{Catalogue, Place};
use crate::frame::Frame;

/// The bindings of every step, in the order of the tools. Steps are named `step_1`, `step_2`.
pub fn bind_sequence(
    tools: &[Place],
    frame: &Frame,
    catalogue: &Catalogue,
    past: Option<&PastArguments>,
) -> Vec<Vec<Binding>> {
    let names: Vec<String> = (1..=tools.len()).map(|at| format!("step_{at}")).collect();
    let mut earlier: Vec<Earlier<'_>> = Vec::new();
    let mut used: FxHashSet<usize> = FxHashSet::default();
    let mut bound = Vec::new();
    for (place, name) in tools.iter().zip(&names) {
        let Some(tool) = catalogue.tool(*place) else {
            bound.push(Vec::new());
            continue;
        };
        let situation = Situation {
            frame,
            earlier: &earlier,
            clause: None,
            used: Some(&used),
            past,
            stated: None,
        };
        let bindings = bind(tool, &situation);
        used.extend(bindings.iter().filter_map(|binding| match binding.source {
            Source::Request { entity, .. } => Some(entity),
            _ => None,
        }));
        bound.push(bindings);
        earlier.push(Earlier { step: name, tool });
    }
    bound
}
