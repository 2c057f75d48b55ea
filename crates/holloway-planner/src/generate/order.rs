//! Which steps wait for which, although none reads the other's result? What is changed is
//! changed in the order in which it was said.

use super::assembly::{Assembly, Node, Part};
use crate::bind::Source;

impl Assembly<'_> {
    /// Notes for each step that was asked for the one before it that it has to wait for.
    pub(super) fn keep_order(&mut self) {
        for at in 0..self.nodes.len() {
            let Some(before) = self.waits_for(at) else {
                continue;
            };
            if let Some(node) = self.nodes.get_mut(at) {
                node.follows.push(before);
            }
        }
    }

    /// The last step before that changes what this one looks at or changes, or looks at
    /// what this one changes.
    fn waits_for(&self, at: usize) -> Option<String> {
        let is_core = |node: &&Node| node.part == Part::Core && node.domain.is_none();
        let node = self.nodes.get(at).filter(is_core)?;
        let source = |node: &Node| self.tool(node.place).map(|tool| tool.id.source());
        let writes = self.writes(node.place);
        let before = self.nodes.get(..at)?.iter().rev().filter(is_core);
        let mut before = before.filter(|other| {
            let same = source(other) == source(node);
            let changes = self.writes(other.place);
            changes && (same || writes) || writes && same
        });
        let before = before.next()?;
        let mut bindings = node.bindings.iter();
        let reads = bindings
            .any(|own| matches!(&own.source, Source::Earlier { step, .. } if *step == before.id));
        (!reads).then(|| before.id.clone())
    }
}
