//! What became of what sources offer? Told in the same words after `add` and
//! `refresh`.

use holloway_flow::catalog::inspect::Finding;
use holloway_flow::catalog::{CatalogTool, SourceId, Standing};
use holloway_sources::SourceError;
use holloway_sources::guarded::Refreshed;
use serde_json::{Value, json};

use super::refresh::Outcome;
use crate::error::CliError;
use crate::print::paint::Paint;
use crate::print::{self, units};

pub(super) fn tell(outcomes: &[Outcome], json: bool) -> Result<(), CliError> {
    if json {
        let sources: Vec<Value> = outcomes
            .iter()
            .map(|(id, outcome)| data(id, outcome))
            .collect();
        return print::object(&json!({ "sources": sources }));
    }
    for (id, outcome) in outcomes {
        print::result(&text(id, outcome, Paint::stdout()))?;
    }
    Ok(())
}

fn data(id: &SourceId, outcome: &Result<Refreshed, SourceError>) -> Value {
    match outcome {
        Ok(refreshed) => json!({
            "source": id,
            "ready": count(refreshed, |standing| *standing == Standing::Ready),
            "added": refreshed.admission.added,
            "held": held(refreshed).map(held_data).collect::<Vec<_>>(),
            "refused": refreshed.admission.refused.iter().map(|refused| {
                json!({"name": refused.name, "why": refused.why})
            }).collect::<Vec<_>>(),
            "gone": refreshed.admission.gone,
            "unchanged": refreshed.admission.unchanged,
        }),
        Err(error) => json!({
            "source": id,
            "error": {"code": error.code(), "message": error.message, "hint": error.hint},
        }),
    }
}

fn held_data(tool: &CatalogTool) -> Value {
    json!({"tool": tool.spec.id, "standing": tool.standing})
}

fn text(id: &SourceId, outcome: &Result<Refreshed, SourceError>, paint: Paint) -> String {
    let refreshed = match outcome {
        Ok(refreshed) => refreshed,
        Err(error) => {
            return format!(
                "{} {}: {}\n  {} {}",
                paint.red("✗"),
                paint.bold(id.as_str()),
                print::indented(&error.message),
                paint.cyan("hint:"),
                error.hint
            );
        }
    };
    let ready = count(refreshed, |standing| *standing == Standing::Ready);
    let mut facts = vec![units::count(ready, "tool")];
    let admission = &refreshed.admission;
    // What was all added just now need not be said twice.
    let added = if admission.added.len() == ready {
        &Vec::new()
    } else {
        &admission.added
    };
    for (ids, word) in [
        (added, "new"),
        (&admission.returned, "back"),
        (&admission.gone, "gone"),
    ] {
        if !ids.is_empty() {
            facts.push(format!("{} {word}", ids.len()));
        }
    }
    let mark = match refreshed.tools.len() {
        0 => paint.yellow("!"),
        _ => paint.green("✓"),
    };
    let mut lines = vec![format!(
        "{} {}: {}",
        mark,
        paint.bold(id.as_str()),
        facts.join(", ")
    )];
    lines.extend(held(refreshed).map(|tool| held_text(tool, paint)));
    for refused in &admission.refused {
        let name = print::one_line(&refused.name, 60);
        lines.push(format!(
            "  {} `{name}` was refused: {}",
            paint.red("✗"),
            refused.why
        ));
    }
    lines.join("\n")
}

fn held(refreshed: &Refreshed) -> impl Iterator<Item = &CatalogTool> {
    refreshed
        .tools
        .iter()
        .filter(|tool| matches!(tool.standing, Standing::Held { .. }))
}

fn count(refreshed: &Refreshed, fits: impl Fn(&Standing) -> bool) -> usize {
    refreshed
        .tools
        .iter()
        .filter(|tool| fits(&tool.standing))
        .count()
}

fn held_text(tool: &CatalogTool, paint: Paint) -> String {
    let reason = tool.standing.obstacle().unwrap_or_default();
    let id = &tool.spec.id;
    let mut lines = vec![format!(
        "  {} {id} is held back: {reason}",
        paint.yellow("!")
    )];
    if let Standing::Held { findings, .. } = &tool.standing {
        let shown = findings.iter().take(3);
        lines.extend(shown.map(|finding| format!("    {}", finding_text(finding))));
    }
    let hint = paint.cyan("hint:");
    lines.push(format!(
        "    {hint} `holloway tools pin {id}` shows it whole"
    ));
    lines.join("\n")
}

/// One finding in one line.
pub(super) fn finding_text(finding: &Finding) -> String {
    let place = match finding.place.as_str() {
        "" => "its name",
        place => place,
    };
    format!(
        "{} at {place}: {}",
        finding.kind.words(),
        print::one_line(&finding.shown, 160)
    )
}
