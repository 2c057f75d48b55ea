//! What does a journal look like to a person? One line per entry, for snapshots.

use std::fmt::Write;

use holloway_engine::entry::{Entry, EntryKind, RepairDecision, Stored, Unmet};
use holloway_plan::step::MODEL_TOOL;
use serde_json::Value;

/// The journal as text, one line per entry.
pub fn journal_text(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let node = entry
            .kind
            .node()
            .map(|node| node.node.to_string())
            .unwrap_or_default();
        let line = format!(
            "{:<20} {:<18} {}",
            entry.kind.name(),
            node,
            detail(&entry.kind)
        );
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    text
}

fn detail(kind: &EntryKind) -> String {
    match kind {
        EntryKind::ExecutionStart(start) => format!("{} {}", start.plan_id, start.context),
        EntryKind::StepStart {
            call: Some(call), ..
        } => {
            let input = match call.tool.as_str() {
                MODEL_TOOL => question(&value_of(&call.input)),
                _ => shown(&call.input),
            };
            format!("{} #{} {} {input}", call.tool, call.attempt, call.effect)
        }
        EntryKind::ContextLoaded { loaded, .. } => {
            let mut text = format!("{} tokens of {}", loaded.tokens, loaded.everything);
            let next = loaded
                .next
                .iter()
                .map(|(tool, chance)| format!("{tool} {chance}"));
            let lists = [
                ("skills", loaded.skills.clone()),
                ("next", next.collect()),
                ("pruned", loaded.pruned.clone()),
            ];
            for (name, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
                write!(text, "; {name}: {}", list.join(", ")).unwrap();
            }
            if loaded.sent > 0 {
                write!(text, "; {} sent", loaded.sent).unwrap();
            }
            text
        }
        EntryKind::ToolMissing { capability, .. } => capability.clone(),
        EntryKind::StepProgress {
            attempt, report, ..
        } => format!("#{attempt} {}", serde_json::to_string(report).unwrap()),
        EntryKind::StepComplete { output, origin, .. } => {
            let origin = serde_json::to_value(origin).unwrap();
            format!("{} ({})", shown(output), origin.as_str().unwrap())
        }
        EntryKind::ExpectationUnmet { unmet, .. } => Unmet::sentence(unmet),
        EntryKind::StepError {
            error,
            attempt: None,
            ..
        } => format!("{error}"),
        EntryKind::StepError {
            error,
            attempt: Some(attempt),
            ..
        } => format!("#{attempt} {error}"),
        EntryKind::Repair { decision, .. } => repair(decision),
        EntryKind::StepSkipped { reason, .. } => reason.clone(),
        EntryKind::ApprovalRequested { request, .. } => {
            format!(
                "{} {} {}",
                request.approval, request.arguments, request.text
            )
        }
        EntryKind::ApprovalResolved { answer, .. } => {
            let decision = serde_json::to_string(&answer.decision).unwrap();
            let note = answer.note.as_deref().unwrap_or_default();
            format!("{} {decision} {note}", answer.approval)
        }
        EntryKind::Paused { reason } => reason.clone(),
        EntryKind::Resumed { by, fresh, .. } => {
            format!("{by}{}", if *fresh { ", fresh process" } else { "" })
        }
        EntryKind::Cancelled { by } | EntryKind::AllAllowed { by } => by.clone(),
        EntryKind::BudgetExceeded { what, limit, used } => format!("{what:?}: {used} of {limit}"),
        EntryKind::PlanComplete { statistics } => serde_json::to_string(statistics).unwrap(),
        EntryKind::ExecutionError { error } => error.clone(),
        EntryKind::ExecutionComplete {
            status, outputs, ..
        } => {
            let outputs: serde_json::Map<_, _> = outputs
                .iter()
                .map(|(name, value)| (name.to_string(), value_of(value)))
                .collect();
            format!("{status:?} {}", Value::Object(outputs))
        }
        EntryKind::StepStart { call: None, .. }
        | EntryKind::RetryDue { .. }
        | EntryKind::StepCancelled {
            in_doubt: false, ..
        } => String::new(),
        EntryKind::StepCancelled { in_doubt: true, .. } => "it may have happened".to_owned(),
    }
}

/// The last question to a model, on one line: what comes before it is the same each time.
fn question(input: &Value) -> String {
    let prompt = input.get("prompt").and_then(Value::as_str);
    let prompt = prompt.unwrap_or_default().replace('\n', " ⏎ ");
    let before = input.get("messages").and_then(Value::as_array);
    match before.map_or(0, Vec::len) {
        0 => format!("“{prompt}”"),
        before => format!("… {before} messages, “{prompt}”"),
    }
}

fn repair(decision: &RepairDecision) -> String {
    match decision {
        RepairDecision::Retry { attempt, after_ms } => {
            format!("retry as #{attempt} after {after_ms} ms")
        }
        RepairDecision::Fallback { tool } => format!("fall back to {tool}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn shown(stored: &Stored) -> String {
    value_of(stored).to_string()
}

fn value_of(stored: &Stored) -> Value {
    match stored {
        Stored::Value(value) => Value::clone(value),
        blob @ Stored::Blob { .. } => serde_json::to_value(blob).unwrap(),
    }
}
