//! Which result goes into which step? Into the next one, unless runs of the past or the
//! names of what tools take and give say otherwise.

use super::counts::Counts;
use super::flow::Flows;
use crate::catalogue::Place;

/// Another tool than the one before must be the surer source by so much.
const SURER: f32 = 0.3;
const SURE: f32 = 0.6;

/// The links of a sequence, by place in it.
pub(super) fn links(tools: &[Place], flows: &Flows, counts: &Counts) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    for (later, tool) in tools.iter().enumerate() {
        let source = by_flow(tools, later, flows);
        for (earlier, before) in tools.iter().enumerate().take(later) {
            let is_next = earlier + 1 == later;
            let share = counts.linked(*before, *tool, is_next);
            if share.map_or(source == Some(earlier), |share| share >= 0.5) {
                links.push((earlier, later));
            }
        }
    }
    links
}

/// The step whose result a step most likely takes.
fn by_flow(tools: &[Place], later: usize, flows: &Flows) -> Option<usize> {
    let before = later.checked_sub(1)?;
    let tool = *tools.get(later)?;
    let strength = |at: usize| tools.get(at).map_or(0.0, |one| flows.strength(*one, tool));
    let best = (0..before).fold((before, strength(before)), |best, at| {
        let own = strength(at);
        let needed = if best.0 == before {
            best.1 + SURER
        } else {
            best.1
        };
        if own >= SURE && own > needed {
            (at, own)
        } else {
            best
        }
    });
    Some(best.0)
}

#[cfg(test)]
mod tests {
    use holloway_search::entry::Entry;
    use serde_json::json;

    use super::super::counts::Run;
    use super::super::flow::Flow;
    use super::*;

    #[track_caller]
    fn check(runs: Vec<Run>, tools: &[Place], expected: &[(usize, usize)]) {
        let entry = |id: &str| Entry {
            id: id.to_owned(),
            ..Entry::default()
        };
        let entries = [
            "search_product",
            "product_offers",
            "product_reviews",
            "mail",
        ]
        .map(entry);
        let object = |name: &str| json!({"properties": {name: {}}});
        let flows = [
            Flow::of(&object("query"), &object("product_id")),
            Flow::of(&object("product_id"), &object("price")),
            Flow::of(&object("product_id"), &object("stars")),
            Flow::of(&object("text"), &json!({})),
        ];
        let mut counts = Counts::default();
        for run in &runs {
            counts.add(run);
        }
        let flows = Flows::new(&entries, &flows);
        assert_eq!(links(tools, &flows, &counts), expected);
    }

    #[test]
    fn results_go_into_the_next_step_unless_names_say_otherwise() {
        check(vec![], &[0, 1, 2], &[(0, 1), (0, 2)]);
        check(vec![], &[0, 3, 1], &[(0, 1), (0, 2)]);
        check(vec![], &[3, 0], &[(0, 1)]);
        check(vec![], &[], &[]);
    }

    #[test]
    fn runs_of_the_past_know_better() {
        let run = Run::new("one two".to_owned(), vec![0, 3, 1], vec![(0, 2)]);
        check(vec![run], &[0, 3, 1], &[(0, 2)]);
    }
}
