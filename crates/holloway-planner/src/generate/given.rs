//! What do plans say where the tools are known? The same draft as ever, but for the choice
//! of tools, so that arguments can be judged apart from it.

use rustc_hash::FxHashSet;

use super::assembly::{Assembly, Ground};
use super::choose::Choices;
use super::fitting::wanted;
use super::{Drafted, GenerateSettings, Taste, mend, on_ground, open_inputs, unused};
use crate::bind::PastArguments;
use crate::catalogue::{Catalogue, Place};
use crate::request::Analysis;

/// The draft that uses these tools in this order, by the first of the strategies.
pub fn draft_with(
    analysis: &Analysis,
    catalogue: &Catalogue,
    tools: &[Place],
    settings: &GenerateSettings,
) -> Option<Drafted> {
    let nothing = (FxHashSet::default(), PastArguments::default());
    let given = (analysis, catalogue, settings);
    on_ground(given, (&nothing.0, &nothing.1), |ground| {
        drafted(ground, tools)
    })
}

fn drafted(ground: Ground<'_>, tools: &[Place]) -> Option<Drafted> {
    let Ground {
        analysis,
        catalogue,
        settings,
        ..
    } = ground;
    let choices = Choices::of(ground);
    let strategy = settings.strategies.first()?;
    let mut assembly = Assembly::new(ground, Taste::of(strategy, &settings.profiles));
    let last = analysis.capabilities.len().saturating_sub(1);
    for (at, place) in tools.iter().enumerate() {
        // What nothing speaks for serves the parts of the request in turn.
        let capability = match choices.capability_of(*place) {
            _ if tools.len() == last + 1 => at,
            Some(capability) => capability,
            None => at.min(last),
        };
        assembly.add(wanted(ground, *place, capability), settings.deepest);
    }
    let draft = mend::mended(assembly.draft(&choices), catalogue)?;
    Some(Drafted {
        strategy: strategy.name.clone(),
        steps: assembly.notes(),
        coverage: Vec::new(),
        missing: Vec::new(),
        serves: Vec::new(),
        open_inputs: open_inputs(&draft),
        unused: unused(analysis, &draft),
        fit: 1.0,
        draft,
    })
}
