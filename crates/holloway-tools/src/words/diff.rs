//! `text-diff`: what changed between two texts?

use std::sync::Arc;
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::within_limit;

pub(super) fn tool() -> Arc<dyn Tool> {
    Pure::pooled(spec(), diff)
}

/// Past this the shortest difference is no longer looked for; a longer one is still right.
const PATIENCE: Duration = Duration::from_secs(5);

fn spec() -> ToolSpec {
    Declaration {
        name: "text-diff",
        title: "Compare two texts",
        category: "text",
        description: "Compares two texts line by line. Use it to see what changed on a page or in a file since last time. Returns same, the unified diff, and \
            the counts of lines added, removed and unchanged.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["before", "after"],
            json!({
                "before": {"type": "string"},
                "after": {"type": "string"},
                "context": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 3, "description": "Unchanged lines shown around each change"},
                "ignore_space": {"type": "boolean", "default": false, "description": "White space at the ends of lines and empty lines do not count"}
            }),
        ),
        output: output(
            &["same", "diff", "added", "removed", "unchanged"],
            json!({
                "same": {"type": "boolean"},
                "diff": {"type": "string"},
                "added": {"type": "integer"},
                "removed": {"type": "integer"},
                "unchanged": {"type": "integer"}
            }),
        ),
        example: json!({"before": "a\nb\n", "after": "a\nc\n"}),
        does: &[
            "compare text:before text:after -> changes",
        ],
    }
    .builtin()
}

fn three() -> usize {
    3
}

fn diff(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        before: String,
        after: String,
        #[serde(default = "three")]
        context: usize,
        #[serde(default)]
        ignore_space: bool,
    }
    let Arguments {
        mut before,
        mut after,
        context,
        ignore_space,
    } = arguments::parse(arguments)?;
    for text in [&mut before, &mut after] {
        within_limit(text)?;
        if ignore_space {
            *text = trimmed(text);
        }
    }
    let diff = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(&before, &after);
    let count = |tag: ChangeTag| {
        diff.iter_all_changes()
            .filter(|change| change.tag() == tag)
            .count()
    };
    let (added, removed) = (count(ChangeTag::Insert), count(ChangeTag::Delete));
    let text = diff
        .unified_diff()
        .context_radius(context)
        .header("before", "after")
        .to_string();
    Ok(json!({
        "same": added + removed == 0,
        "diff": text,
        "added": added,
        "removed": removed,
        "unchanged": count(ChangeTag::Equal),
    }))
}

fn trimmed(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}
