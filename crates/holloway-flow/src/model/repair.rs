//! Which small mistakes of a draft are mended without asking again? Only those with one
//! likely meaning, each with a note; everything else is told to whoever wrote it.

pub(super) mod approvals;
mod arguments;
mod ids;
mod links;
mod references;
mod tools;
pub mod unasked;

use holloway_plan::draft::Draft;
use holloway_plan::step::Step;
use holloway_plan::tool::{ToolId, ToolTable};

/// A draft after mending.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    pub draft: Draft,
    pub notes: Vec<String>,
}

/// Mends what can be mended. `offered` are the tools the writer was shown.
pub fn repair(mut draft: Draft, table: &ToolTable, offered: &[ToolId]) -> Repaired {
    let mut notes = Vec::new();
    if draft.version.is_empty() {
        "1.0".clone_into(&mut draft.version);
    }
    ids::unique(&mut draft.steps, &mut notes);
    approvals::left_to_policy(&mut draft.steps, &mut notes);
    tools::nearest(&mut draft.steps, table, offered, &mut notes);
    links::known(&mut draft.steps, &mut notes);
    references::mend(&mut draft, table, &mut notes);
    arguments::fit(&mut draft.steps, table, &mut notes);
    Repaired { draft, notes }
}

/// Calls `visit` on every step, outer ones first.
fn each(steps: &mut [Step], visit: &mut dyn FnMut(&mut Step)) {
    for step in steps {
        visit(step);
        for inner in [&mut step.step, &mut step.reducer].into_iter().flatten() {
            each(std::slice::from_mut(&mut **inner), visit);
        }
        for inner in [&mut step.steps, &mut step.then, &mut step.otherwise] {
            each(inner, visit);
        }
    }
}

/// Letters and digits alone, in lower case: `pageFetch`, `page-fetch` and `page_fetch` are one.
fn bare(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use holloway_plan::limits::Limits;
    use holloway_plan::tool::ToolSpec;
    use holloway_plan::validate::{NoPlans, Surroundings, validate};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::model::parse;
    use crate::model::prompt::tools::tests::tools as offered;

    /// The mended plan, the notes, and what is still wrong.
    #[track_caller]
    fn check(name: &str, answer: &str) {
        let parsed = parse::draft::parse(answer).unwrap();
        let tools: Vec<ToolSpec> = offered();
        let ids: Vec<ToolId> = tools.iter().map(|tool| tool.id.clone()).collect();
        let table = ToolTable::new(tools);
        let mended = repair(parsed.draft, &table, &ids);
        let around = Surroundings {
            tools: &table,
            plans: &NoPlans,
            context: &[],
            limits: &Limits::default(),
        };
        let verdict = match validate(&mended.draft, &around) {
            Ok(_) => "sound".to_owned(),
            Err(problems) => problems.to_string(),
        };
        let yaml = holloway_plan::write::yaml(&mended.draft);
        let notes = [parsed.notes, mended.notes].concat().join("\n");
        insta::assert_snapshot!(name, format!("{yaml}\n{notes}\n\n{verdict}"));
        // Nothing is left to mend after mending.
        assert_eq!(
            repair(mended.draft.clone(), &table, &ids).draft,
            mended.draft
        );
    }

    #[test]
    fn names_of_tools_and_steps() {
        check(
            "names",
            r#"{"steps": [
            {"id": "get", "tool": "pageFetch", "input": {"url": "https://a.example"}},
            {"id": "get", "tool": "builtin/page_fetch", "input": {"url": "https://b.example"}, "depends_on": ["get", "nothing"]},
            {"tool": "builtin/text-stat", "input": {"text": "{{get.text}}"}, "fallbacks": ["none"]},
            {"id": "mail", "tool": "send_message", "input": {"to": "a@b.example", "text": "x"}, "depends_on": ["mail"]}
            ]}"#,
        );
    }

    #[test]
    fn references_in_other_spellings() {
        check(
            "references",
            r#"{"steps": [
            {"id": "get", "tool": "builtin/page-fetch", "output": "page", "input": {"url": "{{site_url}}", "timeout_ms": "${input.wait}"}},
            {"id": "count", "tool": "builtin/text-stats", "input": {"text": "{{ steps.get.output.text | upper }}"}},
            {"id": "again", "tool": "builtin/text-stats", "input": {"text": "{{get.page.text}}"}},
            {"id": "each", "type": "loop", "over": "steps.get.result.links", "as": "link", "step": {"id": "one", "tool": "builtin/page-fetch", "input": {"url": "{{link}}"}}}
            ]}"#,
        );
    }

    #[test]
    fn arguments_of_the_wrong_kind() {
        check(
            "arguments",
            r#"{"steps": [
            {"id": "a", "tool": "builtin/page-fetch", "input": {"URL": "https://a.example", "timeoutMs": "500", "color": "red"}},
            {"id": "b", "tool": "builtin/text-stats", "input": {"text": 42, "top": "3", "words": "one"}},
            {"id": "c", "tool": "builtin/text-stats", "input": "{{a.text}}"}
            ]}"#,
        );
    }

    /// What a model might write where a value belongs.
    fn values() -> impl Strategy<Value = Value> {
        let texts = prop::sample::select(vec![
            "a",
            "b",
            "1",
            "",
            "pageFetch",
            "builtin/text-stats",
            "LLM",
            "{{a.text}}",
            "{{steps.b.output.x}}",
            "${a.x}",
            "{{",
            "}}",
            "{{nobody | upper}}",
            "a.links",
            "input.x",
            "loop",
            "5",
            "true",
            "a > 1",
            "é{{ü}}",
        ]);
        let leaf = prop_oneof![
            4 => texts.prop_map(Value::from),
            1 => any::<i64>().prop_map(Value::from),
            1 => Just(Value::Null),
            1 => any::<bool>().prop_map(Value::from),
        ];
        let names = prop::sample::select(vec![
            "id",
            "type",
            "tool",
            "tools",
            "input",
            "args",
            "depends_on",
            "dependsOn",
            "over",
            "as",
            "step",
            "steps",
            "then",
            "condition",
            "success_criteria",
            "output",
            "url",
            "text",
            "fallbacks",
            "retries",
            "timeoutMs",
            "odd",
        ]);
        leaf.prop_recursive(4, 40, 6, move |inner| {
            let fields = prop::collection::vec((names.clone(), inner.clone()), 0..7);
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::from),
                fields.prop_map(|fields| Value::Object(
                    fields
                        .into_iter()
                        .map(|(name, field)| (name.to_owned(), field))
                        .collect()
                )),
            ]
        })
    }

    /// A step that can be read, whatever is inside.
    fn steps() -> impl Strategy<Value = Value> {
        let words = prop::sample::select(vec![
            "a",
            "b",
            "c",
            "get",
            "pageFetch",
            "text-stat",
            "builtin/page-fetch",
            "nobody",
        ]);
        let input = prop::collection::hash_map(
            prop::sample::select(vec!["url", "URL", "text", "top", "words", "odd"]),
            values(),
            0..4,
        );
        let inner = (words.clone(), values())
            .prop_map(|(tool, input)| json!({"tool": tool, "args": input}));
        let loops = (
            words.clone(),
            prop::sample::select(vec!["a.links", "steps.b.output.x", "{{c}}", "nobody"]),
            inner,
        );
        let tools = (
            words.clone(),
            words.clone(),
            input,
            prop::collection::vec(words, 0..3),
        );
        prop_oneof![
            3 => tools.prop_map(|(id, tool, input, before)| json!({"id": id, "tool": tool, "input": input, "depends_on": before})),
            1 => loops.prop_map(|(id, over, step)| json!({"id": id, "over": over, "as": "x", "step": step})),
            1 => values(),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_written_can_be_mended_once(steps in prop::collection::vec(steps(), 0..5)) {
            let answer = json!({"steps": steps}).to_string();
            if let Ok(parsed) = parse::draft::parse(&answer) {
                let tools = offered();
                let ids: Vec<ToolId> = tools.iter().map(|tool| tool.id.clone()).collect();
                let table = ToolTable::new(tools);
                let once = repair(parsed.draft, &table, &ids);
                let twice = repair(once.draft.clone(), &table, &ids);
                prop_assert_eq!(&twice.draft, &once.draft);
                prop_assert!(twice.notes.is_empty(), "{:?}", twice.notes);
            }
        }
    }

    #[test]
    fn what_has_no_one_meaning_is_left_to_its_writer() {
        check(
            "left",
            r#"{"steps": [
            {"id": "think", "tool": "LLM", "input": {"prompt": "be clever"}},
            {"id": "b", "tool": "builtin/text-stats", "input": {"top": "many"}}
            ]}"#,
        );
    }
}
