//! What comes of answers of every kind? Each line of `answers.jsonl` is an exchange: what the model
//! says, turn by turn (its last answer is repeated), and how planning ends. What people are told
//! of it is kept in a snapshot. Nothing destructive may be left that does not ask.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use holloway_plan::step::ApprovalRule;
use holloway_plan::tool::Effect;
use holloway_planner::frame::scene::File;
use serde_json::{Value, json};

use super::*;

/// Says one thing after the other.
struct Tape {
    answers: Vec<Value>,
    at: AtomicUsize,
}

#[async_trait]
impl Model for Tape {
    fn name(&self) -> &'static str {
        "scripted"
    }

    async fn complete(&self, _: Ask) -> Result<Reply, ModelFailure> {
        let at = self.at.fetch_add(1, Ordering::Relaxed);
        let answer = self.answers.get(at).or(self.answers.last()).unwrap();
        let why = || "on tape".to_owned();
        match answer.get("fail").and_then(Value::as_str) {
            None => Ok(Reply::text(answer.as_str().unwrap())),
            Some("timed_out") => Err(ModelFailure::TimedOut(Duration::from_secs(1))),
            Some("declined") => Err(ModelFailure::Declined(why())),
            Some("unreachable") => Err(ModelFailure::Unreachable(why())),
            Some("refused") => Err(ModelFailure::Refused {
                status: 401,
                message: why(),
            }),
            Some("cut_off") => Err(ModelFailure::CutOff {
                reply: Box::new(Reply::text("{\"plans\": [")),
            }),
            Some(other) => panic!("{other}"),
        }
    }
}

fn planner() -> Planner {
    let mut tools = tools();
    let delete = ToolSpec {
        description: "Deletes a file.".to_owned(),
        does: vec!["delete file:path -> nothing".parse().unwrap()],
        ..ToolSpec::named("x/file-delete")
    };
    let properties = json!({"path": {"type": "string"}});
    let schema = json!({"type": "object", "required": ["path"], "properties": properties});
    tools.push(delete.with_effect(Effect::Destructive).with_input(schema));
    let tools = tools.iter().map(|tool| (tool, None));
    let orders = File {
        name: "orders.csv".to_owned(),
        columns: Vec::new(),
    };
    let scene = Scene {
        files: vec![orders],
        ..Scene::default()
    };
    Planner::new(tools, Skills::shipped(), GenerateSettings::default()).with_scene(scene)
}

/// The first card, what is asked of the person, or why there is none.
fn ending(planned: &Planned) -> String {
    if let Some(said) = &planned.understood.frame.no_plan {
        return format!("no plan: {said}");
    }
    if let Some(Trouble::Open { about, .. }) = planned.question() {
        return format!("question: {about}");
    }
    let Some(card) = planned.cards.first() else {
        let missing: Vec<String> = planned.missing.iter().map(Missing::told).collect();
        return format!("refused: {}", missing.join("; "));
    };
    let mut tools = Vec::new();
    card.plan.draft().walk(&mut |step| {
        let name = step.called_tool().and_then(|id| id.rsplit('/').next());
        let asks = match step.approval {
            Some(ApprovalRule::Always) => "(asks)",
            _ => "",
        };
        tools.extend(name.map(|name| format!("{name}{asks}")));
    });
    let open = match card.open_inputs.as_slice() {
        [] => String::new(),
        open => format!(", wants {}", open.join(" ")),
    };
    format!("{}: {}{open}", card.made_by, tools.join(" "))
}

#[test]
fn every_answer_comes_to_a_good_end() {
    let mut wrong = Vec::new();
    let mut told = Vec::new();
    for line in include_str!("answers.jsonl").lines() {
        let tape: Value = serde_json::from_str(line).unwrap();
        let model = Tape {
            answers: tape["answers"].as_array().unwrap().clone(),
            at: AtomicUsize::new(0),
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let planner = planner();
        let terms = Terms::default();
        let asked = (&model as &dyn Model, ModelUse::Always);
        let request = tape["request"].as_str().unwrap_or(REQUEST);
        let planned = runtime.block_on(planner.plan_with(request, asked, &terms, &|_| {}));
        let found = ending(&planned);
        if found != tape["ends"] {
            wrong.push(format!(
                "{}: {found}, expected {}",
                tape["name"], tape["ends"]
            ));
        }
        // Whatever was expected, nothing is destroyed unasked.
        for card in &planned.cards {
            card.plan.draft().walk(&mut |step| {
                let called = step.called_tool().into_iter();
                let mut called = called.chain(step.fallbacks.iter().map(String::as_str));
                let destroys = called.any(|name| name.ends_with("file-delete"));
                let asks = step.approval == Some(ApprovalRule::Always);
                assert!(!destroys || asks, "{line}");
            });
        }
        told.push(format!(
            "{}\n  {}",
            tape["name"],
            planned.notes.join("\n  ")
        ));
    }
    assert!(told.len() >= 49, "{}", told.len());
    insta::assert_snapshot!(told.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
