//! `holloway runs diff`: what was different between two runs? Inputs, each node's
//! status, tool, duration and result, and the totals.

use std::collections::BTreeSet;

use clap::Args;
use holloway_engine::entry::Statistics;
use holloway_engine::trace::{ExecTrace, ExecTraceEntry};
use serde::Serialize;
use serde_json::Value;

use super::history::{History, brief};
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line, units};
use crate::run_name;
use crate::session::Session;

/// Compare two runs
#[derive(Debug, Args)]
pub(super) struct Arguments {
    a: String,
    b: String,
}

#[derive(Debug, Serialize)]
struct Difference {
    a: Side,
    b: Side,
    same_plan: bool,
    input: Vec<Change>,
    nodes: Vec<Change>,
    /// Steps whose results one run took over from another.
    taken_over: TakenOver,
}

#[derive(Debug, Serialize)]
struct TakenOver {
    a: Vec<String>,
    b: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Side {
    run: String,
    plan: String,
    status: &'static str,
    duration_ms: u64,
    statistics: Statistics,
}

/// Something that one run has otherwise than the other.
#[derive(Debug, PartialEq, Serialize)]
struct Change {
    /// A node, or a field of the input.
    of: String,
    what: &'static str,
    a: Value,
    b: Value,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let (a, a_trace, a_input, a_version) = look(&arguments.a, session)?;
    let (b, b_trace, b_input, b_version) = look(&arguments.b, session)?;
    let difference = Difference {
        same_plan: a_version == b_version,
        input: inputs(&a_input, &b_input),
        nodes: nodes(&a_trace.entries, &b_trace.entries),
        taken_over: TakenOver {
            a: taken_over(&a_trace.entries),
            b: taken_over(&b_trace.entries),
        },
        a,
        b,
    };
    if session.json {
        print::object(&difference)?;
    } else {
        print::result(&text(&difference, Paint::stdout()))?;
    }
    Ok(Exit::Done)
}

fn look(word: &str, session: &Session) -> Result<(Side, ExecTrace, Value, String), CliError> {
    let store = session.store()?;
    let summary = run_name::find(word, session)?;
    let history = History::read(&summary.run, store)?;
    let trace = history.trace(&summary.run, store)?;
    let input = history
        .start()
        .and_then(|start| start.context.get("input").cloned());
    let side = Side {
        run: summary.run.to_string(),
        plan: summary.plan_id,
        status: summary.status.as_str(),
        duration_ms: trace.total_duration_ms,
        statistics: trace.statistics,
    };
    Ok((side, trace, input.unwrap_or_default(), summary.plan_version))
}

fn inputs(a: &Value, b: &Value) -> Vec<Change> {
    let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let (a, b) = (fields(a), fields(b));
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let value = |fields: &serde_json::Map<String, Value>, name| {
        fields.get(name).cloned().unwrap_or_default()
    };
    names
        .into_iter()
        .filter_map(|name| change(name, "input", value(&a, name), value(&b, name)))
        .collect()
}

fn taken_over(entries: &[ExecTraceEntry]) -> Vec<String> {
    let entries = entries.iter().filter(|entry| entry.taken_over);
    entries.map(|entry| entry.node_id.clone()).collect()
}

/// Whether a node is inside a step whose result was taken over as a whole.
fn is_inside_of_taken_over(node: &str, others: &[ExecTraceEntry]) -> bool {
    others.iter().filter(|other| other.taken_over).any(|other| {
        let inside = node.strip_prefix(other.node_id.as_str());
        inside.is_some_and(|rest| rest.starts_with(['.', '[']))
    })
}

fn nodes(a: &[ExecTraceEntry], b: &[ExecTraceEntry]) -> Vec<Change> {
    let nothing = ExecTraceEntry::default();
    let is_compared = |entry: &&ExecTraceEntry, others: &[ExecTraceEntry]| {
        !is_inside_of_taken_over(&entry.node_id, others)
    };
    let other = |node: &str| b.iter().find(|entry| entry.node_id == node);
    let mut changes = Vec::new();
    for entry in a.iter().filter(|entry| is_compared(entry, b)) {
        changes.extend(compare(
            &entry.node_id,
            entry,
            other(&entry.node_id).unwrap_or(&nothing),
        ));
    }
    for entry in b
        .iter()
        .filter(|entry| is_compared(entry, a))
        .filter(|entry| !a.iter().any(|known| known.node_id == entry.node_id))
    {
        changes.extend(compare(&entry.node_id, &nothing, entry));
    }
    changes
}

/// Durations always differ a little; they are told where they differ twofold.
fn compare(node: &str, a: &ExecTraceEntry, b: &ExecTraceEntry) -> Vec<Change> {
    let status = |entry: &ExecTraceEntry| {
        let known = !entry.node_id.is_empty();
        known.then(|| entry.status.as_str()).into()
    };
    let text = |text: &Option<String>| text.clone().map_or(Value::Null, Value::from);
    // A step that was taken over called no tool and took no time here.
    let is_called = !a.taken_over && !b.taken_over;
    let tool = || change(node, "tool", text(&a.tool_name), text(&b.tool_name));
    let mut changes: Vec<Option<Change>> = vec![
        change(node, "status", status(a), status(b)),
        is_called.then(tool).flatten(),
        change(node, "error", text(&a.error), text(&b.error)),
        change(
            node,
            "output",
            a.output.clone().unwrap_or_default(),
            b.output.clone().unwrap_or_default(),
        ),
    ];
    if let (Some(x), Some(y)) = (a.duration_ms, b.duration_ms)
        && is_called
        && x.abs_diff(y) >= 100
        && x.max(y) >= 2 * x.min(y)
    {
        changes.push(change(node, "duration_ms", x.into(), y.into()));
    }
    changes.into_iter().flatten().collect()
}

fn change(of: &str, what: &'static str, a: Value, b: Value) -> Option<Change> {
    (a != b).then(|| Change {
        of: of.to_owned(),
        what,
        a,
        b,
    })
}

fn text(difference: &Difference, paint: Paint) -> String {
    let mut lines = vec![side("a", &difference.a), side("b", &difference.b)];
    if !difference.same_plan {
        lines.push("the plans differ".to_owned());
    }
    for (name, steps) in [
        ("a", &difference.taken_over.a),
        ("b", &difference.taken_over.b),
    ] {
        if !steps.is_empty() {
            let steps = one_line(&steps.join(", "), 200);
            lines.push(format!("{name} took over the results of {steps}"));
        }
    }
    let changes = difference.input.iter().chain(&difference.nodes);
    let mut changes: Vec<String> = changes.map(|change| shown(change, paint)).collect();
    if changes.is_empty() {
        changes.push("no differences".to_owned());
    }
    format!("{}\n\n{}", lines.join("\n"), changes.join("\n"))
}

fn side(name: &str, side: &Side) -> String {
    let Statistics {
        total_steps,
        failed_steps,
        skipped_steps,
        ..
    } = side.statistics;
    format!(
        "{name}  {}  {}  {}  {}, {failed_steps} failed, {skipped_steps} skipped  {}",
        side.run,
        one_line(&side.plan, 40),
        side.status,
        units::count(total_steps, "step"),
        units::duration(side.duration_ms)
    )
}

fn shown(change: &Change, paint: Paint) -> String {
    let value = |value: &Value| match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => one_line(text, 100),
        other => one_line(&brief(other), 100),
    };
    format!(
        "{} {}\n  {} {}\n  {} {}",
        paint.bold(&one_line(&change.of, 80)),
        change.what,
        paint.red("-"),
        value(&change.a),
        paint.green("+"),
        value(&change.b)
    )
}
