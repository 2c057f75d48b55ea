//! What is asked plainly and no tool at hand does, although some would do half of it? A picture of
//! another kind, a program that is to open a file, the longest of the lines.

use holloway_plan::tool::ToolSpec;
use holloway_search::words::stem;

use super::targets::{REMOVES, is_file};
use super::{Lack, Missing};
use crate::catalogue::Catalogue;
use crate::catalogue::ports::{stems, terms};
use crate::request::conditions::{Condition, Said};
use crate::request::texts::deeds;
use crate::request::{Analysis, EntityKind, Format};

/// How pictures end that are made of points.
const POINTS: [&str; 7] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "tiff"];

/// The part of a request that is not done, with what would be.
pub(super) fn beyond(analysis: &Analysis, catalogue: &Catalogue) -> Option<Missing> {
    let part = picture(analysis, catalogue)
        .or_else(|| program(analysis, catalogue))
        .or_else(|| cut(analysis, catalogue))
        .or_else(|| longest(analysis, catalogue))
        .or_else(|| values(analysis, catalogue))
        .or_else(|| calendar(analysis, catalogue))?;
    Some(Missing::new(part, Lack::Tool))
}

/// A capability that was not served because a file would have been written over.
pub(super) fn unserved(analysis: &Analysis, capability: Option<usize>) -> Missing {
    let own = capability.and_then(|at| analysis.capabilities.get(at));
    let capability = own.or(analysis.capabilities.first());
    let part = capability.map_or(&analysis.request, |own| &own.text);
    Missing::new(part, Lack::Tool)
}

/// Whether some tool says that it does it. Every tool is read: asked last.
fn is_done(catalogue: &Catalogue, says: impl Fn(&ToolSpec) -> bool) -> bool {
    catalogue.tools().any(|(_, tool)| says(tool))
}

/// A chart that is to be a file of points, where charts are drawn as SVG.
fn picture(analysis: &Analysis, catalogue: &Catalogue) -> Option<String> {
    if !analysis.formats.contains(&Format::Chart) {
        return None;
    }
    let file = analysis.entities.iter().filter(|entity| is_file(entity));
    let mut file = file.filter(|file| {
        let ending = file
            .text
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_lowercase());
        ending.is_some_and(|ending| POINTS.contains(&ending.as_str()))
    });
    let file = file.next()?;
    let speaks = |text: &str, words: &[&str]| {
        let own = stems(text);
        words.iter().any(|word| own.contains(&stem(word)))
    };
    let drawers = || {
        let tools = catalogue.tools();
        tools.filter(|(_, tool)| speaks(&tool.description, &["chart", "plot", "graph"]))
    };
    let as_svg = drawers().any(|(_, tool)| speaks(&tool.description, &["svg"]));
    let as_points = drawers().any(|(_, tool)| speaks(&tool.description, &POINTS));
    let name = &file.text;
    let (stem, _) = name.rsplit_once('.')?;
    (as_svg && !as_points)
        .then(|| format!("write the chart as {name} (charts are drawn as SVG: name it {stem}.svg)"))
}

/// A program that is to open a file: "open notes.txt in Word".
fn program(analysis: &Analysis, catalogue: &Catalogue) -> Option<String> {
    let request = analysis.request.trim();
    let first = request.split_whitespace().next()?.to_lowercase();
    if !["open", "edit", "launch", "start"].contains(&first.as_str()) {
        return None;
    }
    let file = analysis.entities.iter().find(|entity| is_file(entity))?;
    let after = analysis.request.get(file.place.end..)?;
    let after = after.trim_start();
    let name = after
        .strip_prefix("in ")
        .or_else(|| after.strip_prefix("with "))?;
    let name = name.split_whitespace().next()?;
    let name = name.trim_matches(|letter: char| !letter.is_alphanumeric());
    let called = stem(&name.to_lowercase());
    let known = catalogue.tools().any(|(_, tool)| {
        let own = terms(&format!("{} {}", tool.id.source(), tool.id.name()));
        own.contains(&called)
    });
    let is_name = name.chars().next().is_some_and(char::is_uppercase);
    (is_name && !known).then(|| request.to_owned())
}

/// Values of a table that are to be others: to show their rows would be half of it.
fn values(analysis: &Analysis, catalogue: &Catalogue) -> Option<String> {
    let request = analysis.request.trim();
    let lower = request.to_lowercase();
    let mut words = lower.split_whitespace();
    let changes = words
        .next()
        .is_some_and(|word| ["change", "update", "set", "replace"].contains(&word));
    let others = words
        .clone()
        .any(|word| ["to", "with", "by"].contains(&word));
    let of_columns = words.any(|word| ["column", "columns", "header", "headers"].contains(&word));
    let keeps = |said: &Said| matches!(said.condition, Condition::Keep(_));
    let is_known = || {
        is_done(catalogue, |tool| {
            let own = terms(tool.id.name());
            let is = |words: &[&str]| words.iter().any(|word| own.contains(&stem(word)));
            is(&["update", "edit", "set", "write"]) && is(&["row", "cell", "value", "record"])
        })
    };
    let is_half = changes && others && !of_columns && analysis.conditions.iter().any(keeps);
    (is_half && !is_known()).then(|| request.to_owned())
}

/// Days of which only some count, and the ends of months: the date alone is no answer.
fn calendar(analysis: &Analysis, catalogue: &Catalogue) -> Option<String> {
    const SOME: [&str; 8] = [
        "working day",
        "workday",
        "business day",
        "weekdays",
        "last day of",
        "first day of",
        "holiday",
        "workweek",
    ];
    let request = analysis.request.trim();
    let lower = request.to_lowercase();
    let dated = analysis.entities.iter();
    let dated = dated.filter(|entity| entity.kind == EntityKind::Date);
    let said = SOME.iter().find(|some| lower.contains(*some))?;
    let known = is_done(catalogue, |tool| {
        tool.description.to_lowercase().contains(said)
    });
    let names_file = analysis.entities.iter().any(is_file);
    (dated.count() > 0 && !known && !names_file).then(|| request.to_owned())
}

/// Lines that are to go from a text: to show them would be the opposite.
fn cut(analysis: &Analysis, catalogue: &Catalogue) -> Option<String> {
    const PARTS: [&str; 6] = [
        "line",
        "lines",
        "sentence",
        "sentences",
        "paragraph",
        "paragraphs",
    ];
    let request = analysis.request.trim();
    let lower = request.to_lowercase();
    let mut words = lower.split_whitespace();
    let removes = words.next().is_some_and(|word| REMOVES.contains(&word));
    let named = removes && words.any(|word| PARTS.contains(&word));
    let names_file = analysis.entities.iter().any(is_file);
    let is_known = || {
        is_done(catalogue, |tool| {
            let own = terms(tool.id.name());
            let mut words = ["line", "edit"].iter();
            words.any(|word| own.contains(&stem(word)))
        })
    };
    let is_read = || deeds(request, &analysis.entities).is_some();
    (named && names_file && !is_known() && !is_read()).then(|| request.to_owned())
}

/// The longest or shortest of the parts of a text.
fn longest(analysis: &Analysis, catalogue: &Catalogue) -> Option<String> {
    const MOST: [&str; 2] = ["longest", "shortest"];
    const PARTS: [&str; 8] = [
        "line",
        "lines",
        "word",
        "words",
        "sentence",
        "sentences",
        "paragraph",
        "paragraphs",
    ];
    let request = analysis.request.to_lowercase();
    let words = request.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let names_file = analysis
        .entities
        .iter()
        .any(|entity| matches!(entity.kind, EntityKind::File | EntityKind::Path));
    let said = words.windows(2).any(|pair| match pair {
        [most, part] => MOST.contains(most) && PARTS.contains(part),
        _ => false,
    });
    let by_length = request.contains("by length") && words.iter().any(|word| PARTS.contains(word));
    let said = said || by_length;
    let is_known = || {
        is_done(catalogue, |tool| {
            let own = stems(&format!("{} {}", tool.id.name(), tool.description));
            MOST.iter().any(|word| own.contains(&stem(word)))
        })
    };
    (names_file && said && !is_known()).then(|| analysis.request.trim().to_owned())
}
