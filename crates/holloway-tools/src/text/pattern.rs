//! How is text found and changed by pattern? With the `regex` crate, whose running
//! time is linear in the text whatever the pattern.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::{Pure, within_limit};
use super::super::{Tool, arguments};

/// A compiled pattern may take this much memory.
const PATTERN_BYTES: usize = 2 * 1024 * 1024;
/// So may the search: each state of a pattern keeps the positions of all its groups.
const SEARCH_BYTES: usize = 64 * 1024 * 1024;
const MOST_GROUPS: usize = 100;
/// Reading a pattern takes thousands of bytes for some of its letters.
const LONGEST_PATTERN: usize = 16 * 1024;
/// What a group takes in a result beside its text.
const GROUP_BYTES: usize = 64;

pub(crate) fn replace_tool() -> Arc<dyn Tool> {
    Pure::pooled(replace_spec(), replace)
}

pub(crate) fn extract_tool() -> Arc<dyn Tool> {
    Pure::pooled(extract_spec(), extract)
}

/// A pattern of which neither compiling nor searching takes much memory.
pub(crate) fn compile(
    pattern: &str,
    ignore_case: bool,
    literal: bool,
) -> Result<Regex, ToolFailure> {
    if pattern.len() > LONGEST_PATTERN {
        let length = pattern.len();
        return Err(too_large(&format!(
            "has {length} bytes, and {LONGEST_PATTERN} are the most"
        )));
    }
    let escaped = literal.then(|| regex::escape(pattern));
    let mut builder = RegexBuilder::new(escaped.as_deref().unwrap_or(pattern));
    builder.case_insensitive(ignore_case);
    let mut within = |bytes: usize| {
        let built = builder.size_limit(bytes).build();
        built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => too_large("takes too much memory"),
            error => ToolFailure::invalid(format!("the pattern does not work: {error}")),
        })
    };
    let groups = within(PATTERN_BYTES)?.captures_len();
    if groups > MOST_GROUPS {
        return Err(too_large(&format!(
            "has {} groups, and {} are the most",
            groups - 1,
            MOST_GROUPS - 1
        )));
    }
    within(PATTERN_BYTES.min(SEARCH_BYTES / groups))
}

fn too_large(why: &str) -> ToolFailure {
    ToolFailure::limit(format!("the pattern {why}"))
        .with_hint("use a shorter pattern, fewer repetitions, or groups that keep nothing: `(?:…)`")
}

fn replace_spec() -> ToolSpec {
    Declaration {
        name: "text-replace",
        title: "Replace in a text",
        category: "text",
        description: "Replaces every match of a regular expression (Rust syntax, no look-around), or of a literal text with `literal`. \
            In the replacement, $1 or ${name} stand for groups and $$ for a dollar sign; with `literal` it is taken as it \
            is. Use it to clean or reshape text. Returns the new text and the number of replacements.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["text", "pattern", "replacement"],
            json!({
                "text": {"type": "string"},
                "pattern": {"type": "string", "minLength": 1},
                "replacement": {"type": "string"},
                "literal": {"type": "boolean", "default": false},
                "ignore_case": {"type": "boolean", "default": false},
                "limit": {"type": "integer", "minimum": 0, "default": 0, "description": "The most replacements; 0 for all"}
            }),
        ),
        output: output(
            &["text", "count"],
            json!({"text": {"type": "string"}, "count": {"type": "integer"}}),
        ),
            example: json!({"text": "aXb", "pattern": "X", "replacement": "-"}),
        does: &[
            "replace text.*:text -> text.*:text with pattern=pattern replacement=replacement ignore_case=case literal:=true",
        ],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplaceArguments {
    text: String,
    pattern: String,
    replacement: String,
    #[serde(default)]
    literal: bool,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    limit: usize,
}

fn replace(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: ReplaceArguments = arguments::parse(arguments)?;
    let pattern = compile(&arguments.pattern, arguments.ignore_case, arguments.literal)?;
    let most = if arguments.limit == 0 {
        usize::MAX
    } else {
        arguments.limit
    };
    let groups = arguments.replacement.matches('$').count();
    let mut text = String::new();
    let mut position = 0;
    let mut count = 0;
    for captures in pattern.captures_iter(&arguments.text).take(most) {
        let found = captures.get_match();
        text.push_str(
            arguments
                .text
                .get(position..found.start())
                .unwrap_or_default(),
        );
        if arguments.literal {
            text.push_str(&arguments.replacement);
        } else {
            // Each group it names can be as long as the match.
            let longest = groups.saturating_mul(found.len());
            let longest = longest.saturating_add(arguments.replacement.len());
            within_limit(text.len().saturating_add(longest))?;
            captures.expand(&arguments.replacement, &mut text);
        }
        within_limit(text.len())?;
        position = found.end();
        count += 1;
    }
    text.push_str(arguments.text.get(position..).unwrap_or_default());
    Ok(json!({ "text": text, "count": count }))
}

fn extract_spec() -> ToolSpec {
    Declaration {
        name: "text-extract",
        title: "Extract from a text",
        category: "text",
        description: "Finds the matches of a regular expression (Rust syntax, no look-around), or of a literal text with `literal`, with \
            their groups. Use it to take prices, dates, links or identifiers out of text, or to count how often a word occurs \
            (`literal` with `whole_words`). Returns for each match its text, byte positions, groups by \
            number (without the whole match; null where a group took no part) and groups by name.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["text", "pattern"],
            json!({
                "text": {"type": "string"},
                "pattern": {"type": "string", "minLength": 1},
                "literal": {"type": "boolean", "default": false},
                "whole_words": {"type": "boolean", "default": false, "description": "No letter or digit may stand right before or behind a match"},
                "ignore_case": {"type": "boolean", "description": "No unless `smart_case` says otherwise"},
                "smart_case": {"type": "boolean", "default": false, "description": "Ignores case where the pattern has no capital letter"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100_000, "default": 1000, "description": "The most matches returned"}
            }),
        ),
        output: output(
            &["matches", "count"],
            json!({
                "matches": {"type": "array", "items": {
                    "type": "object",
                    "required": ["text", "start", "end", "groups", "named"],
                    "properties": {
                        "text": {"type": "string"},
                        "start": {"type": "integer"},
                        "end": {"type": "integer"},
                        "groups": {"type": "array", "items": {"type": ["string", "null"]}},
                        "named": {"type": "object", "additionalProperties": {"type": ["string", "null"]}}
                    }
                }},
                "count": {"type": "integer"}
            }),
        ),
            example: json!({"text": "a1", "pattern": "(\\d)(x)?"}),
        does: &[
            "extract text:text -> table:matches with pattern=pattern.sample",
            "count text:text -> number:count with unit is matches pattern=pattern ignore_case=case smart_case:=true literal:=true whole_words:=true limit:=100000",
        ],
    }
    .builtin()
}

fn extract(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
        pattern: String,
        #[serde(default)]
        literal: bool,
        #[serde(default)]
        whole_words: bool,
        ignore_case: Option<bool>,
        #[serde(default)]
        smart_case: bool,
        #[serde(default = "default_limit")]
        limit: usize,
    }
    fn default_limit() -> usize {
        1000
    }
    let arguments: Arguments = arguments::parse(arguments)?;
    let is_small = || arguments.smart_case && !arguments.pattern.contains(char::is_uppercase);
    let ignore_case = arguments.ignore_case.unwrap_or_else(is_small);
    let pattern = compile(&arguments.pattern, ignore_case, arguments.literal)?;
    let text = arguments.text.as_str();
    let stands_alone = |captures: &Captures<'_>| {
        let found = captures.get_match();
        let before = text.get(..found.start()).unwrap_or_default();
        let behind = text.get(found.end()..).unwrap_or_default();
        !arguments.whole_words
            || !before.ends_with(char::is_alphanumeric)
                && !behind.starts_with(char::is_alphanumeric)
    };
    let mut bytes = 0;
    let mut matches = Vec::new();
    let found = pattern.captures_iter(text).filter(stands_alone);
    for captures in found.take(arguments.limit) {
        // Groups may repeat the match many times over.
        let groups = captures.iter();
        bytes += groups
            .map(|group| GROUP_BYTES + group.map_or(0, |group| group.len()))
            .sum::<usize>();
        let names = pattern.capture_names().flatten();
        bytes += names.map(|name| GROUP_BYTES + name.len()).sum::<usize>();
        within_limit(bytes)?;
        matches.push(describe(&pattern, &captures));
    }
    Ok(json!({ "count": matches.len(), "matches": matches }))
}

fn describe(pattern: &Regex, captures: &Captures<'_>) -> Value {
    let whole = captures.get_match();
    let text = |group: Option<regex::Match<'_>>| json!(group.map(|group| group.as_str()));
    let groups: Vec<Value> = captures.iter().skip(1).map(text).collect();
    let names = pattern.capture_names().flatten();
    let named: Map<String, Value> = names
        .map(|name| (name.to_owned(), text(captures.name(name))))
        .collect();
    json!({
        "text": whole.as_str(),
        "start": whole.start(),
        "end": whole.end(),
        "groups": groups,
        "named": named,
    })
}

#[cfg(test)]
mod tests {
    use holloway_engine::failure::FailureName;

    use super::super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn matches_are_replaced() {
        let check = async |arguments: Value, text: &str, count: u64| {
            let result = builtin("text-replace", arguments).await.unwrap();
            assert_eq!(result, json!({"text": text, "count": count}));
        };
        let swap =
            json!({"text": "a=1 b=2", "pattern": r"(\w)=(?<n>\d)", "replacement": "${n}=$1"});
        check(swap, "1=a 2=b", 2).await;
        let literal = json!({"text": "a.b.c", "pattern": ".", "replacement": "$0", "literal": true, "limit": 1});
        check(literal, "a$0b.c", 1).await;
        let empty = json!({"text": "añb", "pattern": "x*", "replacement": "-"});
        check(empty, "-a-ñ-b-", 4).await;
    }

    #[tokio::test]
    async fn a_pattern_without_capitals_is_sought_in_any_case() {
        let check = async |pattern: &str, ignore_case: Option<bool>, count: u64| {
            let mut arguments =
                json!({"text": "Lamp lamp LAMP", "pattern": pattern, "smart_case": true});
            if let Some(ignore_case) = ignore_case {
                arguments["ignore_case"] = json!(ignore_case);
            }
            let found = builtin("text-extract", arguments).await.unwrap();
            assert_eq!(found["count"], count, "{pattern}");
        };
        check("lamp", None, 3).await;
        check("Lamp", None, 1).await;
        check("lamp", Some(false), 1).await;
        check("Lamp", Some(true), 3).await;
    }

    #[tokio::test]
    async fn matches_are_extracted_with_groups() {
        let arguments =
            json!({"text": "Lamp: $12, chair: $7.50", "pattern": r"(?<name>\w+): \$(\d+)(\.\d+)?"});
        let result = builtin("text-extract", arguments).await.unwrap();
        assert_eq!(result["count"], 2);
        assert_eq!(
            result["matches"][0],
            json!({"text": "Lamp: $12", "start": 0, "end": 9, "groups": ["Lamp", "12", null], "named": {"name": "Lamp"}})
        );
    }

    #[tokio::test]
    async fn patterns_that_explode_are_refused_or_quick() {
        let evil = json!({"text": "a".repeat(100_000), "pattern": "(a+)+$"});
        assert_eq!(builtin("text-extract", evil).await.unwrap()["count"], 1);
        let growing =
            json!({"text": "a".repeat(10_000), "pattern": "a", "replacement": "b".repeat(10_000)});
        assert!(builtin("text-replace", growing).await.is_err());
        let whole = json!({"text": "a".repeat(100_000), "pattern": "a+", "replacement": "$0".repeat(10_000)});
        let failure = builtin("text-replace", whole).await.unwrap_err();
        assert_eq!(failure.name, FailureName::LimitExceeded);
        let long = "x".repeat(LONGEST_PATTERN + 1);
        let groups = |count: usize, one: &str| one.repeat(count);
        let names: Vec<_> = (0..99).map(|n| format!("(?<name{n}>x)?")).collect();
        for (pattern, text) in [
            ("((a{100}){100}){100}".to_owned(), "a"),
            (long, "a"),
            (groups(100, "()"), "a"),
            (groups(4_000, "(a)"), "a"),
            (groups(90, r"(\w)?"), "a"),
        ] {
            for tool in ["text-extract", "text-replace"] {
                let mut arguments = json!({"text": text, "pattern": pattern});
                if tool == "text-replace" {
                    arguments["replacement"] = json!("");
                }
                let failure = builtin(tool, arguments).await.unwrap_err();
                assert_eq!(failure.name, FailureName::LimitExceeded, "{tool} {pattern}");
            }
        }
        // Groups that took no part and names of groups count as well.
        for pattern in [groups(99, "(x)?"), names.concat()] {
            let many = json!({"text": "a".repeat(100_000), "pattern": pattern, "limit": 100_000});
            let failure = builtin("text-extract", many).await.unwrap_err();
            assert_eq!(failure.name, FailureName::LimitExceeded, "{failure}");
        }
        let most = json!({"text": "a-b", "pattern": groups(20, r"(\w+)?-?")});
        assert!(builtin("text-extract", most).await.is_ok());
        let broken = builtin("text-extract", json!({"text": "", "pattern": "("})).await;
        assert!(
            broken
                .unwrap_err()
                .message
                .starts_with("the pattern does not work")
        );
    }
}
