//! How far does a draft cover what was asked? For each domain that is named, how many of its
//! tools do their part, be it in one step that does the work of many; without domains, which
//! parts of the request have a step.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::assembly::{Assembly, Node, Part};
use super::choose::Choices;
use super::domains::{Domain, spans};
use super::{Drafted, Missing};
use crate::catalogue::Place;

/// How far one domain or one part of the request is covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The category or capability.
    pub domain: String,
    /// How many steps see to it.
    pub steps: usize,
    /// How many of the tools that serve it do their part, in a step of their own or in one
    /// that does the work of several. A capability is covered, 1, or not, 0.
    pub covered: usize,
    /// How many tools at hand serve it; 1 for a capability.
    pub available: usize,
}

/// By domain where the request names some, otherwise by what it asks for; some of it may be
/// missing.
pub(super) fn coverage(
    assembly: &Assembly<'_>,
    choices: &Choices,
    missing: &[Missing],
) -> Vec<Coverage> {
    if choices.domains.is_empty() {
        return of_capabilities(assembly, missing);
    }
    let domains = &choices.domains;
    let of_domain = |domain| of_domain(assembly, domains, domain);
    domains.iter().map(of_domain).collect()
}

fn of_capabilities(assembly: &Assembly<'_>, missing: &[Missing]) -> Vec<Coverage> {
    let nodes = || assembly.nodes.iter().filter(|node| node.part == Part::Core);
    let capabilities = assembly.ground.analysis.capabilities.iter().enumerate();
    let of_one = capabilities.map(|(at, capability)| {
        let is_missing = missing.iter().any(|one| one.is_in(&capability.text));
        Coverage {
            domain: capability.text.clone(),
            steps: nodes().filter(|node| node.capability == Some(at)).count(),
            covered: usize::from(!is_missing),
            available: 1,
        }
    });
    of_one.collect()
}

fn of_domain(assembly: &Assembly<'_>, all: &[Domain], domain: &Domain) -> Coverage {
    let catalogue = assembly.ground.catalogue;
    let spans_all = |node: &Node| node.domain.is_none() && spans(catalogue, node.place, all);
    let mut steps = 0;
    let mut covered: FxHashSet<Place> = FxHashSet::default();
    for node in assembly.nodes.iter().filter(|node| node.part == Part::Core) {
        if spans_all(node) {
            covered.extend(domain.single.iter().chain(&domain.whole));
        } else if node.domain.as_deref() == Some(&domain.name) {
            covered.insert(node.place);
            covered.extend(domain.within(catalogue, node.place));
        } else {
            continue;
        }
        steps += 1;
    }
    Coverage {
        domain: domain.name.clone(),
        steps,
        covered: covered.len().min(domain.available()),
        available: domain.available(),
    }
}

/// What one draft covers, all could have.
pub(super) fn comparable(mut drafts: Vec<Drafted>) -> Vec<Drafted> {
    let all: Vec<Coverage> = drafts.iter().flat_map(|one| one.coverage.clone()).collect();
    for coverage in drafts.iter_mut().flat_map(|one| &mut one.coverage) {
        let same = all.iter().filter(|other| other.domain == coverage.domain);
        let available = same.map(|other| other.available).max();
        coverage.available = available.unwrap_or(coverage.available);
    }
    drafts
}

impl Coverage {
    /// For a card: "seo 2/5", "accessibility 7/7 in one step", "✓ switch to it".
    pub fn told(&self) -> String {
        let Self {
            domain,
            steps,
            covered,
            available,
        } = self;
        match (available, covered, steps) {
            (1, 0, _) => format!("– {domain}"),
            (1, _, 0 | 1) => format!("✓ {domain}"),
            (1, _, steps) => format!("✓ {domain} in {steps} steps"),
            (_, 2.., 1) => format!("{domain} {covered}/{available} in one step"),
            _ => format!("{domain} {covered}/{available}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_covered_is_told_for_people() {
        let told = |steps, covered, available| {
            let domain = "seo".to_owned();
            let one = Coverage {
                domain,
                steps,
                covered,
                available,
            };
            one.told()
        };
        assert_eq!(told(2, 2, 5), "seo 2/5");
        assert_eq!(told(1, 1, 5), "seo 1/5");
        assert_eq!(told(1, 5, 5), "seo 5/5 in one step");
        assert_eq!(told(0, 1, 1), "✓ seo");
        assert_eq!(told(3, 1, 1), "✓ seo in 3 steps");
        assert_eq!(told(0, 0, 1), "– seo");
    }
}
