//! May a plan of a model delete, move or write over something that the request does not ask for? Only
//! if a person agrees to that call, whatever else was agreed to: such steps always ask.

use holloway_plan::draft::Draft;
use holloway_plan::step::{ApprovalRule, Step};
use holloway_plan::tool::does::{Does, Serves};
use holloway_plan::tool::{Effect, Lookup, ToolSpec, ToolTable};
use holloway_planner::frame::scene::Scene;
use holloway_planner::frame::{Frame, Goal};
use serde_json::Value;

use super::each;

/// Where results go.
const TARGET: &str = "target";

/// Makes steps ask that destroy something or may write over a file that is there. `asked_for` is what
/// the embedded reader makes of the request, where it understands all of it: a model's word alone is
/// not enough.
pub fn ask_first(
    draft: &mut Draft,
    (table, scene): (&ToolTable, &Scene),
    asked_for: Option<&Frame>,
) -> Vec<String> {
    let mut notes = Vec::new();
    each(&mut draft.steps, &mut |step| {
        let names = step.called_tool().into_iter();
        let names = names.chain(step.fallbacks.iter().map(String::as_str));
        let tools = names.filter_map(|name| match table.find(name) {
            Lookup::Found(tool) => Some(tool),
            _ => None,
        });
        let mut grave = tools.filter(|tool| {
            let asked = |frame: &Frame| frame.goals.iter().any(|goal| asks_for(goal, tool, step));
            is_risky(step, tool, scene) && !asked_for.is_some_and(asked)
        });
        if grave.next().is_none() || step.approval == Some(ApprovalRule::Always) {
            return;
        }
        step.approval = Some(ApprovalRule::Always);
        notes.push(format!(
            "step `{}` asks first: the request does not plainly say so",
            step.id
        ));
    });
    notes
}

fn is_risky(step: &Step, tool: &ToolSpec, scene: &Scene) -> bool {
    match tool.effect {
        Effect::Read => false,
        Effect::Destructive => true,
        Effect::Idempotent | Effect::Write => {
            let targets = targets(tool);
            results(step, tool).iter().any(|(name, text)| {
                // Where a result goes is only known for sure if it is written out.
                let unknown = text.contains("{{") || text.contains("..");
                targets.contains(name) && unknown || is_there(text, scene)
            })
        }
    }
}

/// The arguments that say where a result goes, as far as a tool declares them.
fn targets(tool: &ToolSpec) -> Vec<&str> {
    let slots = tool.does.iter().flat_map(|does| &does.slots);
    let named = slots.filter_map(|slot| match slot {
        Serves::Argument { slot, argument, .. } if slot == TARGET => Some(argument.as_str()),
        _ => None,
    });
    named.collect()
}

/// All texts in the arguments of a step that its tool does not take as things to work on.
fn results<'a>(step: &'a Step, tool: &ToolSpec) -> Vec<(&'a str, &'a str)> {
    let taken = |name: &str| {
        let takes = |does: &Does| does.takes.iter().any(|takes| takes.argument == name);
        tool.does.iter().any(takes)
    };
    let fields = step.input.as_ref().and_then(Value::as_object);
    let fields = fields.into_iter().flatten();
    let given = fields.filter(|(name, _)| !taken(name));
    given
        .flat_map(|(name, value)| {
            texts(value)
                .into_iter()
                .map(move |text| (name.as_str(), text))
        })
        .collect()
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// Whether a path names a file that was seen, however it leads there.
fn is_there(path: &str, scene: &Scene) -> bool {
    let plain = |path: &str| path.trim_start_matches("./").to_lowercase();
    let path = plain(path);
    let mut names = scene.files.iter().map(|file| plain(&file.name));
    names.any(|name| path == name || path.ends_with(&format!("/{name}")))
}

/// Whether a goal asks for just this call: the act of the tool on files of the goal and no other, or
/// a result that goes to its target.
fn asks_for(goal: &Goal, tool: &ToolSpec, step: &Step) -> bool {
    let paths = |slot: &'static str| {
        let parts = goal.parts.iter().filter(move |part| part.slot == slot);
        parts.filter_map(|part| part.text("path").or(part.text("folder")))
    };
    if tool.effect == Effect::Destructive {
        let input = step.input.as_ref().map(texts).unwrap_or_default();
        let named = |text: &&str| {
            paths("sources")
                .chain(paths(TARGET))
                .any(|path| path == *text)
        };
        return tool.does.iter().any(|does| does.act == goal.act)
            && !input.is_empty()
            && input.iter().all(named);
    }
    let is_target = |text: &str| paths(TARGET).any(|path| path == text);
    let targets = targets(tool);
    let results = results(step, tool);
    let mut results = results.iter().filter(|(name, _)| targets.contains(name));
    !targets.is_empty() && results.all(|(_, text)| is_target(text))
}

#[cfg(test)]
mod tests {
    use holloway_planner::frame::scene::File;
    use holloway_planner::frame::{Part, Said};
    use serde_json::json;

    use super::*;

    fn table() -> ToolTable {
        let tool = |id: &str, effect: Effect, does: &str| ToolSpec {
            does: vec![does.parse().unwrap()],
            ..ToolSpec::named(id).with_effect(effect)
        };
        ToolTable::new([
            tool(
                "x/delete",
                Effect::Destructive,
                "delete file:path -> nothing",
            ),
            tool(
                "x/move",
                Effect::Destructive,
                "move file:from -> file with to=target.path",
            ),
            tool(
                "x/write",
                Effect::Idempotent,
                "save text:text -> file with path=target.path",
            ),
            tool(
                "x/copy",
                Effect::Idempotent,
                "copy file:from -> file with to=target.path",
            ),
            tool("x/read", Effect::Read, "read file:path -> text"),
            ToolSpec::named("y/put").with_effect(Effect::Write),
        ])
    }

    /// Whether one step asks, where the request asks for an act on these files.
    #[track_caller]
    fn check(step: Value, goal: Option<(&str, &str, &str)>, expected: bool) {
        let scene = Scene {
            files: vec![File {
                name: "a.csv".to_owned(),
                columns: Vec::new(),
            }],
            ..Scene::default()
        };
        let answer = json!({ "steps": [step] });
        let mut draft = crate::model::parse::draft::parse_value(answer)
            .unwrap()
            .draft;
        let part =
            |slot: &str, path: &str| Part::new(slot, json!({ "path": path }), Said::default());
        let frame = goal.map(|(act, source, target)| Frame {
            goals: vec![Goal {
                act: act.to_owned(),
                parts: vec![part("sources", source), part("target", target)],
                ..Goal::default()
            }],
            ..Frame::default()
        });
        let notes = ask_first(&mut draft, (&table(), &scene), frame.as_ref());
        let mut asks = false;
        draft.walk(&mut |step| asks |= step.approval == Some(ApprovalRule::Always));
        assert_eq!(asks, expected, "{step}");
        assert_eq!(!notes.is_empty(), expected);
    }

    #[test]
    fn what_destroys_asks_unless_that_is_asked_for() {
        let delete = json!({"id": "s", "tool": "x/delete", "input": {"path": "a.csv"}});
        check(delete.clone(), None, true);
        check(delete.clone(), Some(("delete", "other.csv", "")), true);
        check(delete.clone(), Some(("read", "a.csv", "")), true);
        check(delete, Some(("delete", "a.csv", "")), false);
        let more = json!({"id": "s", "tool": "x/delete", "input": {"path": ["a.csv", "b.csv"]}});
        check(more, Some(("delete", "a.csv", "")), true);
        // A copy is no move.
        let moved = json!({"id": "s", "tool": "x/move", "input": {"from": "a.csv", "to": "b.csv"}});
        check(moved.clone(), Some(("copy", "a.csv", "b.csv")), true);
        check(moved, Some(("move", "a.csv", "b.csv")), false);
    }

    #[test]
    fn what_may_write_over_a_file_asks_unless_it_is_the_target() {
        let write = |path: &str| json!({"id": "s", "tool": "x/write", "input": {"path": path, "text": "{{x}}"}});
        check(write("b.csv"), None, false);
        for path in [
            "a.csv",
            "./a.csv",
            "A.CSV",
            "/data/a.csv",
            "out/../a.csv",
            "{{x}}.csv",
        ] {
            check(write(path), None, true);
        }
        // The source of a request is no target.
        check(write("a.csv"), Some(("select", "a.csv", "b.csv")), true);
        check(write("a.csv"), Some(("select", "b.csv", "a.csv")), false);
        let copy = json!({"id": "s", "tool": "x/copy", "input": {"from": "a.csv", "to": "c.csv"}});
        check(copy, None, false);
        let deep = json!({"id": "s", "tool": "y/put", "input": {"where": [{"file": "a.csv"}]}});
        check(deep, None, true);
        check(
            json!({"id": "s", "tool": "x/read", "input": {"path": "a.csv"}}),
            None,
            false,
        );
    }

    #[test]
    fn nothing_is_hidden_in_fallbacks_ends_and_loops() {
        let fallback = json!({"id": "s", "tool": "x/read", "input": {"path": "a.csv"}, "fallbacks": ["x/delete"]});
        check(fallback, None, true);
        let end =
            json!({"id": "s", "type": "final", "function": "x/delete", "input": {"path": "a.csv"}});
        check(end, None, true);
        let inner = json!({"id": "t", "tool": "x/delete", "input": {"path": "{{x}}"}});
        let each = json!({"id": "s", "type": "loop", "over": ["a.csv"], "as": "x", "step": inner});
        check(each, None, true);
    }
}
