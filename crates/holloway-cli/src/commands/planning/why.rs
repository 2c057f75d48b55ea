//! Why is a plan as it is? What each part of the request was read as and which step serves it,
//! then why each step is there and where its arguments come from.

use holloway_planner::assemble::Account;
use holloway_planner::card::Card;
use holloway_planner::drafts::StepNote;
use serde_json::Value;

use crate::print::paint::Paint;
use crate::print::{one_line, visible};

/// Letters that are shown of a part.
const PART: usize = 100;
/// The field of a value that only says what another one means.
const RAW: &str = "said";

pub(in crate::commands) fn why_text(card: &Card, paint: Paint) -> String {
    let mut lines = vec![paint.bold(&visible(&format!("{} {}", card.strategy, card.id)))];
    if !card.serves.is_empty() {
        lines.push(format!("  {}", paint.cyan("the request, part by part:")));
        lines.extend(card.serves.iter().map(|account| part_text(account, paint)));
    }
    for step in &card.steps {
        lines.extend(step_lines(step, paint));
    }
    lines.join("\n")
}

/// `“still unpaid” filters: status eq open → data_select, where`
fn part_text(account: &Account, paint: Paint) -> String {
    let value = account.value.as_ref().map(plain).unwrap_or_default();
    let read = if value.is_empty() {
        account.slot.clone()
    } else {
        format!("{}: {value}", account.slot)
    };
    let part = match account.said.as_str() {
        "" => read,
        said => format!("“{said}” {read}"),
    };
    let served = match (&account.step, &account.argument) {
        (Some(step), Some(argument)) => visible(&format!("{step}, {argument}")),
        (Some(step), None) => visible(step),
        (None, _) => paint.yellow("no step"),
    };
    format!("    {} → {served}", one_line(&part, PART))
}

/// The values of a part, without the braces of data.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let told = fields.iter().filter(|(name, _)| *name != RAW);
            told.map(|(_, value)| plain(value))
                .collect::<Vec<_>>()
                .join(" ")
        }
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn step_lines(step: &StepNote, paint: Paint) -> Vec<String> {
    let tool = paint.dim(&visible(&step.tool));
    let mut lines = vec![
        format!("  {}  {tool}", visible(&step.step)),
        format!("    {} {}", paint.cyan("why:"), visible(&step.reason)),
    ];
    lines.extend(step.bindings.iter().map(|binding| {
        let parameter = visible(&binding.parameter);
        format!("    {parameter}: {}", visible(&binding.reason))
    }));
    lines
}
