//! Why does a plan deserve a second look before it runs? One sentence for each reason,
//! the gravest first.

use holloway_plan::tool::Effect;
use holloway_search::rank::Health;

use super::calls::Call;
use super::effects::sentence;
use super::nature::{Nature, nature};
use super::{Risk, RiskCode};
use crate::bind::{Binding, Source};
use crate::catalogue::Catalogue;
use crate::drafts::Drafted;
use crate::frame::constraints::Constraints;
use crate::sure::SURE;

/// Names in one sentence; the rest is counted.
const NAMED: usize = 4;

/// All risks of a plan that is expected to cost so much and to take so long.
pub(super) fn risks(
    drafted: &Drafted,
    calls: &[Call<'_>],
    catalogue: &Catalogue,
    constraints: &Constraints,
    (money, duration_ms): (f64, u64),
) -> Vec<Risk> {
    let mut risks = Vec::new();
    risks.extend(leak(calls));
    let mut add = |code: RiskCode, told: &str, names: Vec<String>| {
        let names = named(names.iter().map(String::as_str));
        risks.extend(names.map(|names| risk(code, format!("{told}: {names}"))));
    };
    let told = "what it does cannot be taken back";
    add(RiskCode::Destructive, told, destructive(calls));
    for (wanted, told) in [
        (Health::Broken, "did not work when last called"),
        (Health::Unknown, "has not been tried here yet"),
    ] {
        let tools = calls.iter().map(|call| &call.tool.id);
        let tools = tools.filter(|id| catalogue.repute_of(id).health == wanted);
        add(
            RiskCode::Health,
            told,
            tools.map(ToString::to_string).collect(),
        );
    }
    let told = "what the tool does was inferred";
    add(RiskCode::Inferred, told, drafted.inferred.clone());
    add(RiskCode::Guessed, "guessed", guessed(drafted));
    let open = drafted.open_inputs.iter();
    let open = open.map(|name| format!("`{name}`")).collect();
    add(RiskCode::OpenInput, "you have to say first", open);
    add(RiskCode::Unused, "not used", drafted.unused.clone());
    risks.extend(over_budget(constraints, money, duration_ms));
    risks
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

fn destructive(calls: &[Call<'_>]) -> Vec<String> {
    let is_final = |call: &&Call<'_>| call.tool.effect == Effect::Destructive;
    let told = calls.iter().filter(is_final).map(|call| {
        let deed = sentence(call).unwrap_or_default();
        format!("{} {deed}", call.step.id)
    });
    told.collect()
}

fn guessed(drafted: &Drafted) -> Vec<String> {
    let is_guess = |binding: &&Binding| {
        binding.confidence < SURE && !matches!(binding.source, Source::Input { .. })
    };
    let guesses = drafted.steps.iter().flat_map(|note| {
        let guesses = note.bindings.iter().filter(is_guess);
        guesses.map(|one| format!("`{}` of {} ({})", one.parameter, note.step, one.reason))
    });
    guesses.collect()
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
