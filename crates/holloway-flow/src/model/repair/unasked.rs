//! May a plan of a model delete, move or write over something that the request does not ask for? Only
//! if a person agrees to that call, whatever else was agreed to: such steps always ask.

use std::sync::Arc;

use holloway_plan::draft::Draft;
use holloway_plan::step::{ApprovalRule, Step};
use holloway_plan::tool::does::{Does, Serves};
use holloway_plan::tool::{Effect, Lookup, ToolSpec, ToolTable};
use holloway_planner::frame::scene::Scene;
use holloway_planner::frame::{Frame, Goal};
use holloway_planner::read::entities::EntityKind;
use serde_json::Value;

use super::each;

/// Where results go.
const TARGET: &str = "target";

/// What the steps of a plan are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    pub table: &'a ToolTable,
    pub scene: &'a Scene,
    /// The request as the embedded reader sees it.
    pub request: &'a Frame,
    /// Whether it understands all of it: a model's word alone is not enough.
    pub understood: bool,
}

/// Makes steps ask that destroy something, may write over a file that is there, or may carry what
/// was read to an address that the request does not name.
pub fn ask_first(draft: &mut Draft, around: &Around<'_>) -> Vec<String> {
    let private = reads_files(draft, around);
    let mut notes = Vec::new();
    each(&mut draft.steps, &mut |step| {
        let mut grave = tools(step, around).into_iter().filter(|tool| {
            let asked = || {
                let mut goals = around.request.goals.iter();
                around.understood && goals.any(|goal| asks_for(goal, tool, step))
            };
            is_risky(step, tool, around.scene) && !asked()
                || goes_out(step, tool, around.request, private)
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

/// The tools that a step may call, fallbacks included.
fn tools(step: &Step, around: &Around<'_>) -> Vec<Arc<ToolSpec>> {
    let names = step.called_tool().into_iter();
    let names = names.chain(step.fallbacks.iter().map(String::as_str));
    let tools = names.filter_map(|name| match around.table.find(name) {
        Lookup::Found(tool) => Some(tool),
        _ => None,
    });
    tools.collect()
}

/// Whether a plan reads anything that is kept here.
fn reads_files(draft: &Draft, around: &Around<'_>) -> bool {
    let mut reads = false;
    draft.walk(&mut |step| {
        reads |= tools(step, around).iter().any(|tool| {
            let kinds = tool.does.iter().flat_map(|does| &does.takes);
            let mut kinds = kinds.flat_map(|takes| &takes.kinds);
            let of_file = kinds.any(|kind| kind.starts_with("file") || kind == "folder");
            // Of a tool that does not say what it takes, anything may be read.
            of_file || tool.does.is_empty() && !takes_address(step)
        });
    });
    reads
}

fn takes_address(step: &Step) -> bool {
    let input = step.input.as_ref().map(texts).unwrap_or_default();
    input.iter().any(|text| text.contains("://"))
}

/// Whether a call may carry something to an address that the request does not name, or changes
/// something at one.
fn goes_out(step: &Step, tool: &ToolSpec, request: &Frame, private: bool) -> bool {
    let takes_url = |name: &str| {
        let mut takes = tool.does.iter().flat_map(|does| &does.takes);
        takes.any(|takes| takes.argument == name && takes.kinds.iter().any(|kind| kind == "url"))
    };
    let named = |address: &str| {
        let mut urls = request.entities.iter();
        urls.any(|entity| entity.kind == EntityKind::Url && host(&entity.text) == host(address))
    };
    let fields = step.input.as_ref().and_then(Value::as_object);
    fields.into_iter().flatten().any(|(name, value)| {
        texts(value).into_iter().any(|text| {
            let is_address = text.contains("://");
            let made = text.contains("{{");
            let sends = is_address && tool.effect != Effect::Read;
            let elsewhere = is_address && !named(text);
            let carries = private && made && (is_address || takes_url(name));
            sends && (private || elsewhere) || elsewhere && is_reached(tool) || carries
        })
    })
}

/// Whether a tool speaks to other machines, as far as that is declared.
fn is_reached(tool: &ToolSpec) -> bool {
    let mut takes = tool.does.iter().flat_map(|does| &does.takes);
    tool.does.is_empty() || takes.any(|takes| takes.kinds.iter().any(|kind| kind == "url"))
}

/// The host of an address, without user and path.
fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    host.to_lowercase()
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
            tool("x/fetch", Effect::Read, "fetch url:url -> text"),
            tool(
                "x/send",
                Effect::Write,
                "send text:text -> nothing with url=recipient",
            ),
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
        let mut request = frame.clone().unwrap_or_default();
        request.entities = holloway_planner::read::named("see http://a.example/x");
        let table = table();
        let around = Around {
            table: &table,
            scene: &scene,
            request: &request,
            understood: frame.is_some(),
        };
        let notes = ask_first(&mut draft, &around);
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
    fn what_was_read_does_not_leave_unasked() {
        let fetch = |url: &str| json!({"id": "s", "tool": "x/fetch", "input": {"url": url}});
        check(fetch("http://a.example/y"), None, false);
        check(fetch("{{page}}"), None, false);
        check(fetch("http://evil.example/"), None, true);
        check(fetch("http://a.example@evil.example/"), None, true);
        let send =
            |url: &str| json!({"id": "s", "tool": "x/send", "input": {"url": url, "text": "x"}});
        check(send("http://a.example/"), None, false);
        check(send("http://evil.example/"), None, true);
        let leak = |url: &str| {
            let read = json!({"id": "r", "tool": "x/read", "input": {"path": "a.csv"}});
            json!({"id": "p", "type": "parallel", "steps": [read, fetch(url)]})
        };
        check(leak("http://a.example/y"), None, false);
        check(leak("http://a.example/?d={{r}}"), None, true);
        check(leak("{{r.text}}"), None, true);
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
