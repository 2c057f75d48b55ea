//! May a plan of a model delete, move or write over something that the request does not ask for? Only
//! if a person agrees to that call, whatever else was agreed to: such steps always ask.

use holloway_plan::draft::Draft;
use holloway_plan::step::{ApprovalRule, Step};
use holloway_plan::tool::does::Does;
use holloway_plan::tool::{Effect, Lookup, ToolSpec, ToolTable};
use holloway_planner::frame::Frame;
use holloway_planner::frame::scene::Scene;
use serde_json::Value;

use super::each;

/// Slots that name files.
const FILES: [&str; 2] = ["sources", "target"];

/// Makes steps ask that destroy something or name a file that is there as the place of a result.
/// `asked_for` is what the embedded reader makes of the request, where it understands all of it:
/// a model's word alone is not enough.
pub fn ask_first(
    draft: &mut Draft,
    (table, scene): (&ToolTable, &Scene),
    asked_for: Option<&Frame>,
) -> Vec<String> {
    let mut notes = Vec::new();
    each(&mut draft.steps, &mut |step| {
        let Some(Lookup::Found(tool)) = step.tool.as_deref().map(|name| table.find(name)) else {
            return;
        };
        if step.approval == Some(ApprovalRule::Always) || !is_risky(step, &tool, scene) {
            return;
        }
        if asked_for.is_some_and(|frame| asks_for(frame, &tool, step)) {
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
            let taken = |name: &str| {
                let takes = |does: &Does| does.takes.iter().any(|takes| takes.argument == name);
                tool.does.iter().any(takes)
            };
            let fields = step.input.as_ref().and_then(Value::as_object);
            let mut results = fields
                .into_iter()
                .flatten()
                .filter(|(name, _)| !taken(name))
                .filter_map(|(_, value)| value.as_str());
            results.any(|path| is_there(path, scene))
        }
    }
}

fn is_there(path: &str, scene: &Scene) -> bool {
    let path = path.trim_start_matches("./");
    scene.files.iter().any(|file| file.name == path)
}

/// Whether the request asks for this act on a file that the step names.
fn asks_for(frame: &Frame, tool: &ToolSpec, step: &Step) -> bool {
    let input = step
        .input
        .as_ref()
        .map(Value::to_string)
        .unwrap_or_default();
    let goals = frame.goals.iter();
    let mut goals = goals.filter(|goal| {
        let serves = |does: &Does| {
            does.act == goal.act
                || does
                    .slots
                    .iter()
                    .any(|slot| slot.slot() == "target" && goal.has("target"))
        };
        tool.does.iter().any(serves)
    });
    goals.any(|goal| {
        let parts = goal.parts.iter();
        let mut named = parts
            .filter(|part| FILES.contains(&part.slot.as_str()))
            .filter_map(|part| part.text("path"));
        named.any(|path| input.contains(&Value::from(path).to_string()))
    })
}

#[cfg(test)]
mod tests {
    use holloway_planner::frame::scene::File;
    use holloway_planner::frame::{Goal, Part, Said};
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
        ])
    }

    /// The ids of steps that always ask.
    #[track_caller]
    fn check(goal: Option<(&str, &str)>, expected: &[&str]) {
        let scene = Scene {
            files: vec![File {
                name: "a.csv".to_owned(),
                columns: Vec::new(),
            }],
            ..Scene::default()
        };
        let answer = json!({"steps": [
            {"id": "delete", "tool": "x/delete", "input": {"path": "a.csv"}},
            {"id": "over", "tool": "x/write", "input": {"path": "./a.csv", "text": "x"}},
            {"id": "new", "tool": "x/write", "input": {"path": "b.csv", "text": "a.csv"}},
            {"id": "copy", "tool": "x/copy", "input": {"from": "a.csv", "to": "c.csv"}},
            {"id": "read", "tool": "x/read", "input": {"path": "a.csv"}}]});
        let mut draft = crate::model::parse::draft::parse_value(answer)
            .unwrap()
            .draft;
        let frame = goal.map(|(act, path)| Frame {
            goals: vec![Goal {
                act: act.to_owned(),
                parts: vec![Part::new("sources", json!({"path": path}), Said::default())],
                ..Goal::default()
            }],
            ..Frame::default()
        });
        let notes = ask_first(&mut draft, (&table(), &scene), frame.as_ref());
        let asking = draft.steps.iter();
        let asking = asking.filter(|step| step.approval == Some(ApprovalRule::Always));
        let asking: Vec<&str> = asking.map(|step| step.id.as_str()).collect();
        assert_eq!(asking, expected);
        assert_eq!(notes.len(), expected.len());
    }

    #[test]
    fn what_nobody_asked_for_is_asked() {
        check(None, &["delete", "over"]);
        check(Some(("delete", "other.csv")), &["delete", "over"]);
        check(Some(("delete", "a.csv")), &["over"]);
        check(Some(("read", "a.csv")), &["delete", "over"]);
    }
}
