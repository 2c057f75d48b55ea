//! How do the nodes of a run hang together? As a tree: inner steps under the
//! step they belong to, each with its mark, tool, duration and error.

use std::collections::{BTreeMap, BTreeSet};

use holloway_engine::trace::{ExecTraceEntry, NodeStatus};

use crate::failure_words::plain;
use crate::print::paint::Paint;
use crate::print::{one_line, units};

/// More nodes than a person reads.
const MOST: usize = 200;

/// The nodes as indented lines.
pub(super) fn tree(entries: &[ExecTraceEntry], paint: Paint) -> String {
    let known: BTreeSet<&str> = entries.iter().map(|entry| entry.node_id.as_str()).collect();
    let mut children: BTreeMap<&str, Vec<&ExecTraceEntry>> = BTreeMap::new();
    for entry in entries {
        let parent = parent_of(&entry.node_id).filter(|parent| known.contains(parent));
        children
            .entry(parent.unwrap_or_default())
            .or_default()
            .push(entry);
    }
    let mut lines = Vec::new();
    grow("", 0, &children, paint, &mut lines);
    let left = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if left > 0 {
        lines.push(format!(
            "… and {left} more; `holloway runs trace` has all of them"
        ));
    }
    lines.join("\n")
}

fn grow(
    parent: &str,
    depth: usize,
    children: &BTreeMap<&str, Vec<&ExecTraceEntry>>,
    paint: Paint,
    lines: &mut Vec<String>,
) {
    for entry in children.get(parent).into_iter().flatten() {
        lines.push(format!(
            "{}{}",
            "  ".repeat(depth),
            line(entry, parent, paint)
        ));
        grow(&entry.node_id, depth + 1, children, paint, lines);
    }
}

/// The step around a node: `pages` for `pages[3].fetch`.
fn parent_of(node: &str) -> Option<&str> {
    let (parent, _) = node.rsplit_once('.')?;
    Some(match parent.rsplit_once('[') {
        Some((step, item)) if item.ends_with(']') => step,
        _ => parent,
    })
}

fn line(entry: &ExecTraceEntry, parent: &str, paint: Paint) -> String {
    let name = entry.node_id.strip_prefix(parent).unwrap_or(&entry.node_id);
    let mut parts = vec![one_line(name.trim_start_matches('.'), 80)];
    parts.extend(entry.tool_name.clone());
    parts.extend(entry.duration_ms.map(units::duration));
    if entry.retry_count > 0 {
        parts.push(units::count(entry.retry_count as usize, "repeat"));
    }
    parts.extend(
        entry
            .error
            .as_ref()
            .map(|error| one_line(plain(error), 160)),
    );
    format!("{} {}", mark(entry.status, paint), parts.join("  "))
}

fn mark(status: NodeStatus, paint: Paint) -> String {
    match status {
        NodeStatus::Success => paint.green("✓"),
        NodeStatus::Failed => paint.red("✗"),
        NodeStatus::Skipped | NodeStatus::Cancelled => paint.dim("–"),
        NodeStatus::Running => paint.cyan("…"),
        NodeStatus::Pending => paint.dim("·"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_steps_stand_under_their_step() {
        let node = |id: &str| ExecTraceEntry {
            node_id: id.to_owned(),
            status: NodeStatus::Success,
            ..ExecTraceEntry::default()
        };
        let entries = ["a", "a[0].x", "b", "a[1].x", "a[1].x.y", "lost.z"].map(node);
        let expected = "✓ a\n  ✓ [0].x\n  ✓ [1].x\n    ✓ y\n✓ b\n✓ lost.z";
        assert_eq!(tree(&entries, Paint::off()), expected);
    }
}
