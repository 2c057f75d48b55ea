//! How does an explanation read on a terminal? Five short parts: the plan, its
//! steps, their order, what a run takes, and what it does to the world.

use super::{Explanation, Header, Inside, ListOrder, StepView, Waiting};
use crate::estimate::{CriticalStep, Estimate, ExpectedEffect, Role, UNKNOWN_LATENCY_MS};
use crate::rewrite::Change;
use crate::tool::Effect;

pub(super) fn render(explanation: &Explanation) -> String {
    let mut lines = header(&explanation.plan);
    part(
        &mut lines,
        "Steps",
        explanation
            .steps
            .iter()
            .flat_map(|step| step_lines(step, 1))
            .collect(),
    );
    part(&mut lines, "Order", order_lines(&explanation.order));
    part(&mut lines, "Time", time_lines(&explanation.estimate));
    part(
        &mut lines,
        "Effects",
        effect_lines(&explanation.estimate.effects),
    );
    part(
        &mut lines,
        "Rewrites would change",
        rewrite_lines(&explanation.rewrites),
    );
    lines.push(String::new());
    lines.join("\n")
}

fn part(lines: &mut Vec<String>, title: &str, content: Vec<String>) {
    lines.push(String::new());
    lines.push(title.to_owned());
    lines.extend(content);
}

fn header(plan: &Header) -> Vec<String> {
    let mut lines = vec![format!(
        "Plan {}: {}, {}",
        plan.id,
        plan.execution.as_str(),
        mode(plan)
    )];
    lines.extend(
        plan.objective
            .iter()
            .map(|objective| format!("  {}", super::clip::sentence(objective))),
    );
    if !plan.input.is_empty() {
        lines.push(format!("  input   {}", plan.input.join(", ")));
    }
    let budget = [
        plan.budget.money.map(|money| format!("{money} dollars")),
        plan.budget.tokens.map(|tokens| format!("{tokens} tokens")),
        plan.budget.calls.map(|calls| format!("{calls} calls")),
        plan.budget.seconds.map(|seconds| format!("{seconds} s")),
    ];
    let budget: Vec<String> = budget.into_iter().flatten().collect();
    if !budget.is_empty() {
        lines.push(format!("  budget  {}", budget.join(", ")));
    }
    lines
}

fn mode(plan: &Header) -> &'static str {
    match plan.mode {
        crate::draft::Mode::Strict => "strict",
        crate::draft::Mode::Guided => "guided",
        crate::draft::Mode::Hybrid => "hybrid",
    }
}

fn step_lines(step: &StepView, depth: usize) -> Vec<String> {
    let margin = "  ".repeat(depth);
    let output = step
        .output
        .as_ref()
        .map(|output| format!(" → {output}"))
        .unwrap_or_default();
    let mut lines = vec![format!(
        "{margin}{} {}: {}{output}",
        step.number, step.id, step.does
    )];
    let margin = "  ".repeat(depth + 2);
    lines.extend(
        step.purpose
            .iter()
            .map(|purpose| format!("{margin}{purpose}")),
    );
    let mut last = "";
    for detail in &step.details {
        let name = if detail.name == last { "" } else { detail.name };
        lines.push(format!("{margin}{name:<11} {}", detail.text));
        last = detail.name;
    }
    for Inside { field, steps } in &step.inside {
        let named = matches!(*field, "then" | "otherwise");
        if named {
            lines.push(format!("{}{field}", "  ".repeat(depth + 1)));
        }
        let depth = if named { depth + 2 } else { depth + 1 };
        lines.extend(steps.iter().flat_map(|step| step_lines(step, depth)));
    }
    lines
}

fn order_lines(orders: &[ListOrder]) -> Vec<String> {
    let mut lines = Vec::new();
    for order in orders {
        let steps: usize = order.waves.iter().map(|wave| wave.steps.len()).sum();
        // One step alone has no order worth a line, unless it is the whole plan.
        if !order.path.is_empty() && steps < 2 && order.turns.is_empty() {
            continue;
        }
        if !order.path.is_empty() {
            lines.push(format!("  inside {}", order.path.join(" / ")));
        }
        let margin = if order.path.is_empty() { "  " } else { "    " };
        for (index, wave) in order.waves.iter().enumerate() {
            let steps: Vec<String> = wave.steps.iter().map(waiting).collect();
            lines.push(format!("{margin}{} {}", index + 1, steps.join(" | ")));
        }
        for turn in &order.turns {
            let when = turn
                .when
                .as_ref()
                .map_or_else(|| "otherwise".to_owned(), |when| format!("when {when}"));
            lines.push(format!("{margin}{} → {} {when}", turn.from, turn.to));
        }
    }
    lines
}

fn waiting(step: &Waiting) -> String {
    let reads = (!step.reads.is_empty()).then(|| format!("reads {}", step.reads.join(", ")));
    let after = (!step.after.is_empty()).then(|| format!("after {}", step.after.join(", ")));
    let waits: Vec<String> = reads.into_iter().chain(after).collect();
    if waits.is_empty() {
        step.step.clone()
    } else {
        format!("{} ({})", step.step, waits.join("; "))
    }
}

fn time_lines(estimate: &Estimate) -> Vec<String> {
    let path: Vec<String> = estimate.critical_path.iter().map(critical).collect();
    let speed = if estimate.speed_up > 1.0 {
        format!(
            ", {} times shorter than {} ms one after the other",
            estimate.speed_up, estimate.sum_ms
        )
    } else {
        String::new()
    };
    let mut lines = vec![
        format!("  critical path  {} ms{speed}", estimate.critical_ms),
        format!("                 {}", path.join(" → ")),
        format!(
            "  calls          {}, {} dollars",
            estimate.calls, estimate.price
        ),
    ];
    if !estimate.assumed_latency.is_empty() {
        let tools = estimate.assumed_latency.join(", ");
        lines.push(format!(
            "  assumed        {UNKNOWN_LATENCY_MS} ms for a call of {tools}"
        ));
    }
    if !estimate.assumed_items.is_empty() {
        lines.push(format!(
            "  assumed        one item in {}",
            estimate.assumed_items.join(", ")
        ));
    }
    lines
}

fn critical(step: &CriticalStep) -> String {
    let inside: Vec<String> = step.inside.iter().map(critical).collect();
    let inside = if inside.is_empty() {
        String::new()
    } else {
        format!(" [{}]", inside.join(" → "))
    };
    format!("{} {} ms{inside}", step.step, step.ms)
}

fn effect_lines(effects: &[ExpectedEffect]) -> Vec<String> {
    let quiet = |effect: &&ExpectedEffect| effect.effect == Some(Effect::Read) && !effect.asked;
    let reads = effects.iter().filter(quiet).count();
    let mut lines: Vec<String> = effects
        .iter()
        .filter(|effect| !quiet(effect))
        .map(effect_line)
        .collect();
    match (reads, lines.is_empty()) {
        (0, _) => {}
        (_, true) => lines.push("  only looks; nobody is asked".to_owned()),
        (1, false) => lines.push("  one other call only looks".to_owned()),
        (more, false) => lines.push(format!("  {more} other calls only look")),
    }
    lines
}

fn effect_line(effect: &ExpectedEffect) -> String {
    let asked = if effect.asked {
        "a person is asked first"
    } else {
        "nobody is asked"
    };
    let (Some(tool), Some(class)) = (&effect.tool, effect.effect) else {
        return format!("  {}: waits for a person", effect.step);
    };
    let role = match effect.role {
        Role::Fallback => " if all before it fail",
        Role::Choice => " if the phase chooses it",
        Role::Call | Role::Question => "",
    };
    format!("  {}: {tool} ({class}){role}; {asked}", effect.step)
}

fn rewrite_lines(changes: &[Change]) -> Vec<String> {
    if changes.is_empty() {
        return vec!["  nothing".to_owned()];
    }
    changes
        .iter()
        .map(|change| format!("  {}: {}", change.rule, change.sentence))
        .collect()
}
