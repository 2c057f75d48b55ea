//! What becomes of what a source offers? New tools are taken in, unchanged ones
//! stay, changed ones are held back with their diff until a person accepts them.

pub mod difference;
mod entry;

use std::collections::{BTreeMap, BTreeSet};

use holloway_engine::depth::is_too_deep;
use holloway_plan::digest;
use holloway_plan::tool::ToolId;
use serde_json::Value;

use super::effect::EffectOverrides;
use super::inspect::{Finding, Inspector, Suspicion, visible};
use super::offer::{Offer, Package};
use super::{CatalogTool, HeldBecause, Standing};

pub use difference::{Difference, changes, describe_differences, differences};

/// A longer name is not taken into the catalogue.
const LONGEST_NAME: usize = 200;

/// What admission has to go by.
pub struct Gate<'a> {
    pub package: Option<&'a Package>,
    pub overrides: &'a EffectOverrides,
    /// Tools of other sources, whose names must not be posed as.
    pub others: &'a [ToolId],
    /// The source is being added by a person right now, who sees what it offers.
    pub first_time: bool,
}

/// What follows from a list of offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Admission {
    /// Tools whose entry is new or different and must be written.
    pub changed: Vec<CatalogTool>,
    /// Ids by what became of them: new and ready.
    pub added: Vec<ToolId>,
    /// Kept back, now or still.
    pub held: Vec<ToolId>,
    /// Held or gone before, ready again because the accepted definition is back.
    pub returned: Vec<ToolId>,
    /// Offered before, not now.
    pub gone: Vec<ToolId>,
    /// Not taken into the catalogue at all.
    pub refused: Vec<Refused>,
    /// Ready before and now, with the same pin.
    pub unchanged: usize,
}

/// An offer that cannot be an entry of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The name, shortened, with everything invisible made visible.
    pub name: String,
    pub why: String,
}

/// Compares what is offered with what was accepted.
pub fn admit(known: &[CatalogTool], offers: &[Offer], gate: &Gate<'_>) -> Admission {
    let mut admission = Admission::default();
    let known: BTreeMap<&ToolId, &CatalogTool> =
        known.iter().map(|tool| (&tool.spec.id, tool)).collect();
    let offered = by_id(offers, &mut admission.refused);
    let is_refused = |offer: &&Offer| refusal(offer).is_some();
    let refused_ids: BTreeSet<&ToolId> = offers
        .iter()
        .filter(is_refused)
        .map(|offer| &offer.id)
        .collect();
    let own = known.keys().copied().chain(offered.keys().copied());
    let inspector = Inspector::new(gate.others, own);
    for (id, twins) in &offered {
        let case = Case {
            known: known.get(id).copied(),
            twins,
            has_refused_twin: refused_ids.contains(id),
            gate,
            inspector: &inspector,
        };
        case.decide(&mut admission);
    }
    for (id, tool) in known {
        if !offered.contains_key(id) && tool.standing != Standing::Gone {
            admission.gone.push(id.clone());
            admission.changed.push(CatalogTool {
                standing: Standing::Gone,
                ..tool.clone()
            });
        }
    }
    admission
}

/// The digest an accepted definition is pinned by: definition, package version, integrity.
pub fn pin_of(definition: &Value, package: Option<&Package>) -> String {
    digest::of_json(&(definition, package))
}

/// Takes what was held back: the tool is ready with the definition that waited.
/// Nothing when it is not held.
pub fn accept(tool: &CatalogTool) -> Option<CatalogTool> {
    let Standing::Held {
        offered, waiting, ..
    } = &tool.standing
    else {
        return None;
    };
    Some(entry::taken(offered.clone(), waiting, Some(tool)))
}

/// Offers of one id that differ stay together: which of them a call would reach
/// is for the source to choose, so none of them may be taken alone.
fn by_id<'a>(
    offers: &'a [Offer],
    refused: &mut Vec<Refused>,
) -> BTreeMap<&'a ToolId, Vec<&'a Offer>> {
    let mut by_id: BTreeMap<&ToolId, Vec<&Offer>> = BTreeMap::new();
    for offer in offers {
        if let Some(why) = refusal(offer) {
            let name = visible::shortened(offer.id.name(), 80);
            refused.push(Refused { name, why });
            continue;
        }
        let twins = by_id.entry(&offer.id).or_default();
        if twins.iter().all(|twin| twin.definition != offer.definition) {
            twins.push(offer);
        }
    }
    by_id
}

fn refusal(offer: &Offer) -> Option<String> {
    unfit(offer.id.name()).or_else(|| too_deep(&offer.definition))
}

/// What could be written down but not read back would take the other tools with it.
fn too_deep(definition: &Value) -> Option<String> {
    is_too_deep(definition).then(|| "its definition is nested too deep".to_owned())
}

/// Why a name cannot be an entry: it could not be told apart or shown.
fn unfit(name: &str) -> Option<String> {
    let length = name.chars().count();
    if name.trim().is_empty() {
        return Some("it has no name".to_owned());
    }
    if length > LONGEST_NAME {
        return Some(format!(
            "its name has {length} characters; {LONGEST_NAME} are the most"
        ));
    }
    if name
        .chars()
        .any(|c| c.is_control() || visible::is_invisible(c))
    {
        return Some("its name has characters that cannot be seen".to_owned());
    }
    None
}

/// One id with all that is known and offered under it.
struct Case<'a> {
    known: Option<&'a CatalogTool>,
    /// Never empty; more than one when the source offers the id several times.
    twins: &'a [&'a Offer],
    /// The id was offered in a form, too, that is no entry of the catalogue.
    has_refused_twin: bool,
    gate: &'a Gate<'a>,
    inspector: &'a Inspector,
}

impl Case<'_> {
    fn decide(&self, admission: &mut Admission) {
        let Some(offer) = self.candidate() else {
            return;
        };
        let accepted = self.known.filter(|tool| tool.was_accepted());
        match (accepted, self.known) {
            (Some(tool), _) if !self.has_refused_twin && self.is_same(tool, offer) => {
                self.keep(tool, offer, admission);
            }
            (Some(_), _) => self.hold(HeldBecause::Changed, offer, admission),
            (None, Some(tool)) => self.hold_on(tool, offer, admission),
            (None, None) => self.meet(offer, admission),
        }
    }

    /// Of several, the one that is not what was accepted; else the last.
    fn candidate(&self) -> Option<&Offer> {
        let other = |offer: &&&Offer| self.known.is_some_and(|tool| !self.is_same(tool, offer));
        let different = self.twins.iter().rev().find(other);
        different.or(self.twins.last()).copied()
    }

    fn is_same(&self, tool: &CatalogTool, offer: &Offer) -> bool {
        tool.spec.definition == pin_of(&offer.definition, self.gate.package)
    }

    /// The pin is the accepted one; effect, category and quality may follow what the user said since.
    fn keep(&self, tool: &CatalogTool, offer: &Offer, admission: &mut Admission) {
        let waiting = entry::waiting(offer, self.gate, Some(tool));
        let now = entry::taken(offer.definition.clone(), &waiting, Some(tool));
        if tool.standing == Standing::Ready {
            admission.unchanged += 1;
        } else {
            admission.returned.push(offer.id.clone());
        }
        if now != *tool {
            admission.changed.push(now);
        }
    }

    fn meet(&self, offer: &Offer, admission: &mut Admission) {
        if !self.gate.first_time {
            return self.hold(HeldBecause::Appeared, offer, admission);
        }
        if !self.findings(offer).is_empty() {
            return self.hold(HeldBecause::Suspicious, offer, admission);
        }
        let waiting = entry::waiting(offer, self.gate, None);
        let tool = entry::taken(offer.definition.clone(), &waiting, None);
        admission.added.push(offer.id.clone());
        admission.changed.push(tool);
    }

    /// It was never accepted: it stays held, with whatever is offered now.
    fn hold_on(&self, tool: &CatalogTool, offer: &Offer, admission: &mut Admission) {
        let was_suspicious = matches!(
            tool.standing,
            Standing::Held {
                why: HeldBecause::Suspicious,
                ..
            }
        );
        let why = if was_suspicious && !self.findings(offer).is_empty() {
            HeldBecause::Suspicious
        } else {
            HeldBecause::Appeared
        };
        self.hold(why, offer, admission);
    }

    fn hold(&self, why: HeldBecause, offer: &Offer, admission: &mut Admission) {
        let mut tool = match self.known {
            Some(tool) => tool.clone(),
            None => entry::never_accepted(&offer.id),
        };
        tool.standing = Standing::Held {
            why,
            offered: offer.definition.clone(),
            findings: self.findings(offer),
            waiting: Box::new(entry::waiting(offer, self.gate, self.known)),
        };
        admission.held.push(offer.id.clone());
        if self.known != Some(&tool) {
            admission.changed.push(tool);
        }
    }

    fn findings(&self, offer: &Offer) -> Vec<Finding> {
        let mut findings = self.inspector.inspect(offer);
        if self.twins.len() > 1 {
            findings.push(Finding {
                kind: Suspicion::ShadowedName,
                place: String::new(),
                shown: format!(
                    "the source offers `{}` {} times, with different definitions",
                    offer.id.name(),
                    self.twins.len()
                ),
            });
        }
        if self.has_refused_twin {
            findings.push(Finding {
                kind: Suspicion::ShadowedName,
                place: String::new(),
                shown: format!(
                    "the source offers `{}` once more, in a form that was refused",
                    offer.id.name()
                ),
            });
        }
        findings
    }
}
