//! What do plans look like side by side? A card each, as high as its neighbours when
//! the terminal is wide enough, one below the other when it is not.

use console::{measure_text_width, truncate_str};
use holloway_flow::flow::EMBEDDED;
use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::ToolId;
use holloway_planner::card::Card;
use holloway_planner::drafts::Coverage;
use holloway_planner::estimate::RiskCode;
use holloway_tools::ungranted::Ungranted;
use serde_json::Value;

use super::paint::Paint;
use super::{one_line, units, visible};
use crate::foresight::sentence;

/// A card is not readable below the first and not better above the second.
const WIDTHS: (usize, usize) = (36, 58);
/// Where a terminal is narrower still, lines are left to it.
const NARROWEST: usize = 24;
/// More steps than this are counted instead.
const STEPS_AT_MOST: usize = 16;
/// Of longer plans the arguments are not told.
const WITH_ARGUMENTS: usize = 6;
const ARGUMENT_AT_MOST: usize = 40;
/// Between two cards.
const GAP: usize = 1;
/// How far the words under a label stand in.
const LABEL: usize = 8;

/// A plan to choose, and what is to be known about it besides.
pub(crate) struct Shown<'a> {
    pub(crate) card: &'a Card,
    /// Strategies that came out the same.
    pub(crate) same: Vec<&'a str>,
    /// What it would be refused for.
    pub(crate) lacks: Vec<Ungranted>,
    /// Files that are there, or in a sensitive place, and that it would change.
    pub(crate) replaces: Vec<String>,
    /// What it would read and is not there.
    pub(crate) absent: Vec<String>,
}

/// All cards, for a terminal of this width.
pub(crate) fn cards(cards: &[Shown<'_>], width: usize, paint: Paint) -> String {
    let count = cards.len().max(1);
    let each = (width.saturating_sub(GAP * (count - 1)) / count).min(WIDTHS.1);
    if each < WIDTHS.0 {
        let wide = width.clamp(NARROWEST, WIDTHS.1 + 20);
        let stacked = cards.iter().enumerate();
        return stacked
            .map(|(place, card)| framed(place, card, wide, 0, paint).join("\n"))
            .collect::<Vec<_>>()
            .join("\n");
    }
    let inner = each - 4;
    let heights = cards.iter().map(|card| body(card, inner, paint).len());
    let height = heights.max().unwrap_or(0);
    let columns: Vec<Vec<String>> = cards
        .iter()
        .enumerate()
        .map(|(place, card)| framed(place, card, each, height, paint))
        .collect();
    side_by_side(&columns)
}

fn side_by_side(columns: &[Vec<String>]) -> String {
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let gap = " ".repeat(GAP);
    let row = |number: usize| {
        let cells = columns
            .iter()
            .map(|column| column.get(number).map_or("", String::as_str));
        cells.collect::<Vec<_>>().join(&gap).trim_end().to_owned()
    };
    (0..rows).map(row).collect::<Vec<_>>().join("\n")
}

/// One card in its frame, at least this many lines inside.
fn framed(
    place: usize,
    shown: &Shown<'_>,
    width: usize,
    height: usize,
    paint: Paint,
) -> Vec<String> {
    let inner = width.saturating_sub(4);
    let strategy = one_line(&shown.card.strategy, inner.saturating_sub(4).max(4));
    let title = format!("{} {strategy}", place + 1);
    let rule = width.saturating_sub(measure_text_width(&title) + 5);
    let mut lines = vec![format!("╭─ {} {}╮", paint.bold(&title), "─".repeat(rule))];
    let mut body = body(shown, inner, paint);
    while body.len() < height {
        body.push(String::new());
    }
    lines.extend(body.iter().map(|line| boxed(line, inner)));
    lines.push(format!("╰{}╯", "─".repeat(width.saturating_sub(2))));
    lines
}

fn boxed(line: &str, inner: usize) -> String {
    let room = inner.saturating_sub(measure_text_width(line));
    format!("│ {line}{} │", " ".repeat(room))
}

fn body(shown: &Shown<'_>, width: usize, paint: Paint) -> Vec<String> {
    let card = shown.card;
    let mut lines = vec![cut(&figures(card), width), confidence(card, width, paint)];
    let coverage: Vec<String> = card.coverage.iter().map(Coverage::told).collect();
    lines.extend(labelled("covers", &coverage, " · ", width, paint));
    lines.extend(labelled("skills", &card.skills, ", ", width, paint));
    if card.made_by != EMBEDDED {
        let maker = std::slice::from_ref(&card.made_by);
        lines.extend(labelled("by", maker, "", width, paint));
    }
    lines.extend(labelled("does", &card.outlook.effects, "; ", width, paint));
    lines.extend(labelled("needs", &card.open_inputs, ", ", width, paint));
    for (what, grant) in shown.lacks.iter().map(sentence) {
        lines.extend(marked("✗", &what, width, |text| paint.red(text)));
        lines.extend(marked(" ", &grant, width, str::to_owned));
    }
    for absent in &shown.absent {
        lines.extend(marked("!", &visible(absent), width, |text| {
            paint.yellow(text)
        }));
    }
    for file in &shown.replaces {
        let text = format!("changes {}", visible(file));
        lines.extend(marked("!", &text, width, |text| paint.yellow(text)));
    }
    for risk in &card.outlook.risks {
        if risk.code != RiskCode::OpenInput {
            let text = visible(&risk.sentence);
            lines.extend(marked("!", &text, width, |text| paint.yellow(text)));
        }
    }
    for missing in &card.missing {
        let text = visible(&missing.told());
        lines.extend(marked("!", &text, width, |text| paint.yellow(text)));
    }
    if !shown.same.is_empty() {
        let text = format!("{} came out the same", listed(&shown.same));
        lines.extend(marked("=", &text, width, |text| paint.dim(text)));
    }
    lines.push(String::new());
    lines.extend(steps(card, width, paint));
    lines
}

/// A sentence behind a mark, broken into lines.
fn marked(mark: &str, text: &str, width: usize, paint: impl Fn(&str) -> String) -> Vec<String> {
    let lines = wrapped(text, width.saturating_sub(2));
    let place = |(number, line): (usize, &String)| match number {
        0 => paint(&format!("{mark} {line}")),
        _ => paint(&format!("  {line}")),
    };
    lines.iter().enumerate().map(place).collect()
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => visible(only),
        [first @ .., last] => format!("{} and {}", visible(&first.join(", ")), visible(last)),
    }
}

fn figures(card: &Card) -> String {
    let outlook = &card.outlook;
    let money = match outlook.money {
        money if money > 0.0 => units::money(money),
        _ => "free".to_owned(),
    };
    format!(
        "{} · about {} · {money}",
        units::count(outlook.steps, "step"),
        units::duration(outlook.duration_ms),
    )
}

/// A bar says at once what a number says on a second look.
fn confidence(card: &Card, width: usize, paint: Paint) -> String {
    let share = card.outlook.confidence.clamp(0.0, 1.0);
    let percent = (share * 100.0).round() as usize;
    let label = format!("confidence {percent:>3} % ");
    let room = width.saturating_sub(measure_text_width(&label)).min(20);
    let full = ((share * room as f64).round() as usize).min(room);
    let bar = format!("{}{}", "█".repeat(full), "░".repeat(room - full));
    let bar = match percent {
        70.. => paint.green(&bar),
        40..70 => paint.yellow(&bar),
        _ => paint.red(&bar),
    };
    format!("{label}{bar}")
}

fn labelled(
    label: &str,
    words: &[String],
    between: &str,
    width: usize,
    paint: Paint,
) -> Vec<String> {
    if words.is_empty() {
        return Vec::new();
    }
    let text: Vec<String> = words.iter().map(|word| visible(word)).collect();
    let lines = wrapped(&text.join(between), width.saturating_sub(LABEL));
    let place = |(number, line): (usize, &String)| {
        let label = if number == 0 { label } else { "" };
        format!("{}{line}", paint.dim(&format!("{label:<LABEL$}")))
    };
    lines.iter().enumerate().map(place).collect()
}

/// What the plan does, one line for each step of its outermost list.
fn steps(card: &Card, width: usize, paint: Paint) -> Vec<String> {
    let steps = &card.plan.draft().steps;
    let mut lines: Vec<String> = steps
        .iter()
        .take(STEPS_AT_MOST)
        .flat_map(|step| {
            let words = wrapped(&words(step), width.saturating_sub(2));
            let words = words.into_iter().enumerate();
            let words = words.map(|(line, text)| match line {
                0 => format!("{} {text}", paint.cyan(sign(step))),
                _ => format!("  {text}"),
            });
            let given = given(card, step).filter(|_| steps.len() <= WITH_ARGUMENTS);
            let given = given.map(|text| wrapped(&text, width.saturating_sub(4)));
            let given = given.into_iter().flatten();
            let given = given.map(|text| format!("    {}", paint.dim(&text)));
            words.chain(given).collect::<Vec<_>>()
        })
        .collect();
    if let Some(more @ 1..) = steps.len().checked_sub(STEPS_AT_MOST) {
        lines.push(paint.dim(&format!("… and {}", units::count(more, "step"))));
    }
    lines
}

/// What a call is given that is known before the run: "branch_name fix-login".
fn given(card: &Card, step: &Step) -> Option<String> {
    let input = step.input.as_ref()?.as_object()?;
    let inputs = card.plan.draft().input.as_ref();
    let default = |name: &str| inputs?.get("properties")?.get(name)?.get("default");
    let known = input.iter().filter_map(|(name, value)| {
        let text = value.as_str();
        let asked = text.and_then(|text| text.strip_prefix("{{ input.")?.strip_suffix(" }}"));
        let value = match (asked, text) {
            (Some(name), _) => default(name)?,
            (None, Some(text)) if text.contains("{{") => return None,
            (None, _) => value,
        };
        let shown = match value {
            Value::String(text) => text.clone(),
            Value::Object(_) => return None,
            other => other.to_string(),
        };
        Some(format!(
            "{} {}",
            visible(name),
            cut(&visible(&shown), ARGUMENT_AT_MOST)
        ))
    });
    let known: Vec<String> = known.collect();
    (!known.is_empty()).then(|| known.join(" · "))
}

fn sign(step: &Step) -> &'static str {
    match step.kind {
        StepType::Parallel => "∥",
        StepType::Loop | StepType::Reduce => "↻",
        StepType::Conditional => "?",
        StepType::Approve => "!",
        _ => "→",
    }
}

/// The tools of a step, by the names people call them.
fn words(step: &Step) -> String {
    let mut tools: Vec<&str> = Vec::new();
    step.walk(&mut |step| tools.extend(step.tool.as_deref()));
    let tools: Vec<String> = tools.into_iter().map(called).collect();
    let tools = visible(&tools.join(", "));
    match step.kind {
        StepType::Loop | StepType::Reduce => {
            format!(
                "{tools} for each {}",
                visible(step.variable.as_deref().unwrap_or("item"))
            )
        }
        _ if tools.is_empty() => visible(&step.id),
        _ => tools,
    }
}

/// The name of a tool, with its server where there are several of the name.
fn called(tool: &str) -> String {
    let id = ToolId::new(tool);
    let server = id.source().rsplit(['/', ':', '.']).next();
    match server.unwrap_or_default() {
        "" | "builtin" => id.name().to_owned(),
        server => format!("{} of {server}", id.name()),
    }
}

fn cut(text: &str, width: usize) -> String {
    truncate_str(text, width, "…").into_owned()
}

/// Words in lines no longer than the width; a word that is longer is cut.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = cut(word, width);
        match lines.last_mut() {
            Some(line) if measure_text_width(line) + 1 + measure_text_width(&word) <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
