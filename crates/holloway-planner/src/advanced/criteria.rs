//! Which criteria in words can a machine check? "status == 200", "status 200", "file exists
//! at out/x.pdf", "rows is not empty", "at least 5 rows". Others stay words.

use std::sync::LazyLock;

use holloway_plan::expression::Expression;
use holloway_plan::path::Path;
use holloway_plan::step::Expectation;
use regex::Regex;

use super::bind_tools::BoundTask;
use super::hypotheses::{Criterion, gives, target};
use super::obstacle::shape;
use crate::bind::shape::Kind;

/// Longer texts are no conditions.
const LONGEST: usize = 400;

/// Only patterns without a mistake are written here; one with a mistake would match nothing.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

static STATUS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"(?i)\bstatus(?: code)?(?: (?:is|should be|must be|of|=|==))? (\d{3})\b")
});
static FILE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)\bfile\b.*\bexists?\b|\bexists?\b.*\bfile\b"));
static AT_LEAST: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)\bat least (\d{1,9}) (\w+)"));
static NOT_EMPTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"(?i)^`?(\w+)`? (?:is|are|must be|should be) (?:not |non-?)empty\.?$")
});
static EXISTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:has |there (?:is|are) |contains )?(?:an? |the |some )?`?([\w.\[\]]+?)`?(?: exists?| is (?:there|present))?\.?$",
    )
});

/// A criterion as an expectation; nothing when it cannot be checked.
pub(super) fn read(said: &str, task: &BoundTask) -> Option<Criterion> {
    let said = said.trim();
    if said.is_empty() || said.len() > LONGEST {
        return None;
    }
    let expectation = condition(said, task)
        .or_else(|| status(said, task))
        .or_else(|| file(said, task))
        .or_else(|| at_least(said, task))
        .or_else(|| not_empty(said, task))
        .or_else(|| exists(said, task))?;
    Some(Criterion {
        text: said.to_owned(),
        expectation,
    })
}

/// A condition of the plan language over fields that the result has.
fn condition(said: &str, task: &BoundTask) -> Option<Expectation> {
    // `is` and `in` are words of every sentence.
    let compares = ["==", "!=", ">", "<"];
    if !compares.iter().any(|sign| said.contains(sign)) {
        return None;
    }
    let expression = Expression::parse_condition(said).ok()?;
    let names = expression.names();
    let known = |name: &&str| *name == "output" || gives(task, name);
    let all_known = !names.is_empty() && names.iter().all(known);
    all_known.then(|| Expectation::That(said.to_owned()))
}

fn status(said: &str, task: &BoundTask) -> Option<Expectation> {
    let found = STATUS.as_ref()?.captures(said)?;
    let code = found.get(1)?.as_str();
    gives(task, "status").then(|| Expectation::That(format!("status == {code}")))
}

fn file(said: &str, task: &BoundTask) -> Option<Expectation> {
    FILE.as_ref()?.find(said)?;
    let (name, _) = target(task).filter(|(name, _)| gives(task, name))?;
    Some(Expectation::Exists(name.clone()))
}

fn at_least(said: &str, task: &BoundTask) -> Option<Expectation> {
    let found = AT_LEAST.as_ref()?.captures(said)?;
    let count = found.get(1)?.as_str();
    let list = list_named(found.get(2)?.as_str(), task)?;
    Some(Expectation::That(format!("{list} | length >= {count}")))
}

fn not_empty(said: &str, task: &BoundTask) -> Option<Expectation> {
    let found = NOT_EMPTY.as_ref()?.captures(said)?;
    let name = found.get(1)?.as_str();
    gives(task, name).then(|| Expectation::That(format!("{name} | length > 0")))
}

fn exists(said: &str, task: &BoundTask) -> Option<Expectation> {
    let found = EXISTS.as_ref()?.captures(said)?;
    let text = found.get(1)?.as_str();
    let path = Path::parse(text)?;
    gives(task, &path.root).then(|| Expectation::Exists(text.to_owned()))
}

/// The list of the result that goes by this name.
fn list_named(word: &str, task: &BoundTask) -> Option<String> {
    let output = shape(&task.tool.output_schema);
    let is_list = |name: &str| {
        let own = output.field(name);
        own.is_some_and(|own| own.kind() == Kind::List)
    };
    let word = word.to_lowercase();
    let names = [word.clone(), format!("{word}s")];
    names.into_iter().find(|name| is_list(name))
}
