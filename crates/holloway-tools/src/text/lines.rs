//! `text-lines`: which lines of a text are wanted? Those that hold something, sorted, each once,
//! the first or the last of them.

use std::collections::HashSet;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};

pub(crate) fn tool() -> Arc<dyn Tool> {
    Pure::pooled(spec(), lines)
}

fn spec() -> ToolSpec {
    Declaration {
        name: "text-lines",
        title: "Lines of a text",
        category: "text",
        description: "Picks lines of a text: those that hold a text or lack it, sorted, each only once, and of these the first or the last ones, in that \
            order. Use it on logs and lists. Returns the lines as one text that ends with a line break, and their count.",
        effect: Effect::Read,
        latency_ms: 2,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "containing": {"type": "string", "description": "Only lines with this text"},
                "lacking": {"type": "string", "description": "Only lines without this text"},
                "ignore_case": {"type": "boolean", "description": "If left out, case counts only for a text with capitals"},
                "sort": {"type": "boolean", "default": false, "description": "In alphabetical order, whatever the case"},
                "descending": {"type": "boolean", "default": false, "description": "Together with `sort`: from Z to A"},
                "distinct": {"type": "boolean", "default": false, "description": "The first of lines that are the same"},
                "first": {"type": "integer", "minimum": 0},
                "last": {"type": "integer", "minimum": 0},
                "from": {"type": "integer", "minimum": 1, "description": "The first line that counts, by its number in the text"},
                "to": {"type": "integer", "minimum": 1, "description": "The last line that counts"}
            }),
        ),
        output: output(
            &["text", "count"],
            json!({"text": {"type": "string"}, "count": {"type": "integer"}}),
        ),
        example: json!({"text": "b\na\nb\n", "sort": true, "distinct": true}),
        does: &["count text:text -> number:count with unit is lines containing=pattern lacking=pattern.lacking ignore_case=case", "lines text.*:text -> text.*:text with containing=pattern lacking=pattern.lacking ignore_case=case first=limit.rows last=limit.last from=limit.from to=limit.to sort=order.alphabetical descending=order.descending", "lines text.*:text -> text.*:text with containing=pattern lacking=pattern.lacking ignore_case=case first=limit.rows last=limit.last from=limit.from to=limit.to sort=order.alphabetical descending=order.descending distinct is true distinct:=true"],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    text: String,
    containing: Option<String>,
    lacking: Option<String>,
    ignore_case: Option<bool>,
    #[serde(default)]
    sort: bool,
    #[serde(default)]
    descending: bool,
    #[serde(default)]
    distinct: bool,
    first: Option<usize>,
    last: Option<usize>,
    from: Option<usize>,
    to: Option<usize>,
}

fn lines(given: &Value) -> Result<Value, ToolFailure> {
    let given: Arguments = arguments::parse(given)?;
    let holds = |line: &str, text: &str| {
        let plain = !text.contains(char::is_uppercase);
        if given.ignore_case.unwrap_or(plain) {
            line.to_lowercase().contains(&text.to_lowercase())
        } else {
            line.contains(text)
        }
    };
    let before = given.from.map_or(0, |from| from.saturating_sub(1));
    let upto = given.to.unwrap_or(usize::MAX);
    let mut found: Vec<&str> = given
        .text
        .lines()
        .take(upto)
        .skip(before)
        .filter(|line| {
            given
                .containing
                .as_ref()
                .is_none_or(|text| holds(line, text))
        })
        .filter(|line| !given.lacking.as_ref().is_some_and(|text| holds(line, text)))
        .collect();
    if given.sort {
        // An empty line has no place in an order.
        found.retain(|line| !line.trim().is_empty());
        found.sort_by_cached_key(|line| (line.to_lowercase(), (*line).to_owned()));
        if given.descending {
            found.reverse();
        }
    }
    if given.distinct {
        let mut seen = HashSet::new();
        found.retain(|line| seen.insert(*line));
    }
    found.truncate(given.first.unwrap_or(found.len()));
    let before_last = found
        .len()
        .saturating_sub(given.last.unwrap_or(found.len()));
    let found = found.get(before_last..).unwrap_or_default();
    let mut text = found.join("\n");
    if !found.is_empty() {
        text.push('\n');
    }
    Ok(json!({ "text": text, "count": found.len() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mut arguments: Value, expected: &str) {
        arguments["text"] = json!("pear\nApple\n\npear\nERROR fig\n");
        let found = lines(&arguments).unwrap();
        assert_eq!(found["text"], expected, "{arguments}");
        assert_eq!(found["count"], expected.lines().count());
    }

    #[test]
    fn case_counts_for_texts_with_capitals() {
        check(json!({"containing": "error"}), "ERROR fig\n");
        check(json!({"containing": "Error"}), "");
        check(
            json!({"containing": "Error", "ignore_case": true}),
            "ERROR fig\n",
        );
        check(
            json!({"lacking": "error", "from": 2, "to": 4}),
            "Apple\n\npear\n",
        );
    }

    #[test]
    fn lines_are_picked_sorted_and_cut() {
        check(json!({}), "pear\nApple\n\npear\nERROR fig\n");
        check(json!({"containing": "ERROR"}), "ERROR fig\n");
        check(json!({"containing": "error", "ignore_case": false}), "");
        check(json!({"lacking": "pear"}), "Apple\n\nERROR fig\n");
        check(
            json!({"sort": true, "distinct": true}),
            "Apple\nERROR fig\npear\n",
        );
        check(
            json!({"sort": true, "descending": true, "first": 1}),
            "pear\n",
        );
        check(json!({"first": 2}), "pear\nApple\n");
        check(json!({"last": 1}), "ERROR fig\n");
    }
}
