//! Why does a plan deserve a second look before it runs? One sentence for each reason,
//! the gravest first.

use std::sync::Arc;

use holloway_plan::plan::Plan;
use holloway_plan::step::Step;
use holloway_plan::tool::{Effect, ToolId, ToolSpec};
use holloway_search::rank::Health;

use super::effects::sentence;
use super::nature::{Nature, nature};
use super::{Risk, RiskCode};
use crate::bind::{Binding, Source};
use crate::catalogue::Catalogue;
use crate::drafts::Drafted;
use crate::frame::constraints::Constraints;

/// An argument that is less sure is a guess.
const SURE_ENOUGH: f32 = 0.5;
/// Names in one sentence; the rest is counted.
const NAMED: usize = 4;

/// All risks of a plan that is expected to cost so much and to take so long.
pub fn risks(
    drafted: &Drafted,
    plan: &Plan,
    catalogue: &Catalogue,
    constraints: &Constraints,
    money: f64,
    duration_ms: u64,
) -> Vec<Risk> {
    let mut calls = Vec::new();
    collect(plan, plan.steps(), &mut calls);
    let mut risks = Vec::new();
    risks.extend(leak(&calls));
    risks.extend(destructive(&calls));
    risks.extend(health(&calls, catalogue));
    risks.extend(inferred(drafted));
    risks.extend(guessed(drafted));
    risks.extend(open_inputs(drafted));
    risks.extend(unused(drafted));
    risks.extend(over_budget(constraints, money, duration_ms));
    risks
}

/// A tool that a step may call.
struct Call<'a> {
    plan: &'a Plan,
    step: &'a Step,
    tool: &'a Arc<ToolSpec>,
}

fn collect<'a>(plan: &'a Plan, steps: &'a [Step], calls: &mut Vec<Call<'a>>) {
    for step in steps {
        let names = step.called_tool().into_iter();
        let names = names.chain(step.fallbacks.iter().chain(&step.tools).map(String::as_str));
        for tool in names.filter_map(|name| plan.tool(name)) {
            calls.push(Call { plan, step, tool });
        }
        for (_, inner) in step.inner() {
            collect(plan, inner, calls);
        }
        if let Some(inner) = step.plan.as_deref().and_then(|name| plan.inner_plan(name)) {
            collect(inner, inner.steps(), calls);
        }
    }
}

fn risk(code: RiskCode, sentence: String) -> Risk {
    Risk { code, sentence }
}

/// Private data, text of strangers and a way out, all in one plan.
fn leak(calls: &[Call<'_>]) -> Option<Risk> {
    let natures: Vec<(Nature, &Call<'_>)> =
        calls.iter().map(|call| (nature(call.tool), call)).collect();
    let steps = |is: fn(&Nature) -> bool| {
        let found = natures.iter().filter(|(nature, _)| is(nature));
        named(found.map(|(_, call)| call.step.id.as_str()))
    };
    let private = steps(|nature| nature.private)?;
    let untrusted = steps(|nature| nature.untrusted)?;
    let outbound = steps(|nature| nature.outbound)?;
    Some(risk(
        RiskCode::Leak,
        format!(
            "it reads private data ({private}), reads what strangers wrote ({untrusted}) and sends \
             something out ({outbound}): private data could leave"
        ),
    ))
}

fn destructive(calls: &[Call<'_>]) -> Option<Risk> {
    let found = calls
        .iter()
        .filter(|call| call.tool.effect == Effect::Destructive);
    let deeds: Vec<String> = found
        .map(|call| {
            let deed = sentence(call.plan, call.step, call.tool);
            format!("{} {}", call.step.id, deed.unwrap_or_default())
        })
        .collect();
    let deeds = named(deeds.iter().map(String::as_str))?;
    let sentence = format!("what it does cannot be taken back: {deeds}");
    Some(risk(RiskCode::Destructive, sentence))
}

fn health(calls: &[Call<'_>], catalogue: &Catalogue) -> Vec<Risk> {
    let of_health = |wanted: Health| {
        let found = calls.iter().filter(|call| {
            let place = catalogue.place(&call.tool.id);
            let repute = place.map(|place| catalogue.repute(place));
            repute.unwrap_or_default().health == wanted
        });
        named(found.map(|call| ToolId::as_str(&call.tool.id)))
    };
    let broken = of_health(Health::Broken).map(|tools| {
        let sentence = format!("did not work when last called: {tools}");
        risk(RiskCode::Health, sentence)
    });
    let unknown = of_health(Health::Unknown).map(|tools| {
        let sentence = format!("has not been tried here yet: {tools}");
        risk(RiskCode::Health, sentence)
    });
    broken.into_iter().chain(unknown).collect()
}

fn inferred(drafted: &Drafted) -> Option<Risk> {
    let tools = named(drafted.inferred.iter().map(String::as_str))?;
    let sentence = format!("what the tool does was inferred: {tools}");
    Some(risk(RiskCode::Inferred, sentence))
}

fn guessed(drafted: &Drafted) -> Option<Risk> {
    let is_guess = |binding: &&Binding| {
        binding.confidence < SURE_ENOUGH && !matches!(binding.source, Source::Input { .. })
    };
    let notes = drafted.steps.iter();
    let guesses: Vec<String> = notes
        .flat_map(|note| {
            let guesses = note.bindings.iter().filter(is_guess);
            guesses.map(|binding| {
                format!(
                    "`{}` of {} ({})",
                    binding.parameter, note.step, binding.reason
                )
            })
        })
        .collect();
    let guesses = named(guesses.iter().map(String::as_str))?;
    Some(risk(RiskCode::Guessed, format!("guessed: {guesses}")))
}

fn open_inputs(drafted: &Drafted) -> Option<Risk> {
    let names: Vec<String> = drafted
        .open_inputs
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let names = named(names.iter().map(String::as_str))?;
    let sentence = format!("you have to say first: {names}");
    Some(risk(RiskCode::OpenInput, sentence))
}

fn unused(drafted: &Drafted) -> Option<Risk> {
    let names = named(drafted.unused.iter().map(String::as_str))?;
    Some(risk(RiskCode::Unused, format!("not used: {names}")))
}

fn over_budget(constraints: &Constraints, money: f64, duration_ms: u64) -> Vec<Risk> {
    let mut risks = Vec::new();
    if let Some(most) = constraints.money.filter(|most| money > *most) {
        let sentence = format!("expected to cost ${money:.2}, more than the ${most:.2} allowed");
        risks.push(risk(RiskCode::OverBudget, sentence));
    }
    let seconds = duration_ms as f64 / 1_000.0;
    if let Some(most) = constraints.seconds.filter(|most| seconds > *most) {
        let (seconds, most) = (told(seconds), told(most));
        let sentence = format!("expected to take {seconds} s, more than the {most} s allowed");
        risks.push(risk(RiskCode::OverBudget, sentence));
    }
    risks
}

/// Tenths matter only where there are few seconds.
fn told(seconds: f64) -> String {
    if seconds < 10.0 {
        format!("{seconds:.1}")
    } else {
        format!("{seconds:.0}")
    }
}

/// The first names, each once, and how many more there are; nothing for none.
fn named<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let shown = all.iter().take(NAMED).copied().collect::<Vec<_>>();
    let more = all.len().saturating_sub(NAMED);
    let text = match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    };
    (!all.is_empty()).then_some(text)
}
