//! Which criteria in words can a machine check? Those of the phrases in `data/en/criteria.toml`,
//! and conditions of the plan language: "status == 200", "status 200", "file exists at
//! out/x.pdf", "at least 5 rows". Others stay words.

use std::sync::LazyLock;

use holloway_plan::expression::Expression;
use holloway_plan::path::Path;
use holloway_plan::step::Expectation;
use regex::{Captures, Regex};
use serde::Deserialize;

use super::bind_tools::BoundTask;
use super::hypotheses::{Criterion, gives, target};
use super::obstacle::shape;
use crate::catalogue::shape::Kind;

/// Longer texts are no conditions.
const LONGEST: usize = 400;

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    // A test reads them; were the file broken, all criteria would be for people.
    phrases(include_str!("../../data/en/criteria.toml")).unwrap_or_default()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    criteria: Vec<Written>,
}

/// A phrase as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    says: String,
    has: Option<String>,
    that: Option<String>,
    exists: Option<String>,
}

/// A phrase, ready to be looked for.
struct Phrase {
    rule: Regex,
    written: Written,
}

fn phrases(file: &str) -> Result<Vec<Phrase>, String> {
    let file: File = toml::from_str(file).map_err(|error| error.to_string())?;
    let phrase = |written: Written| {
        let rule = format!("(?i)^{}$", written.says.replace(' ', r"\s+"));
        let rule = Regex::new(&rule).map_err(|error| error.to_string())?;
        Ok(Phrase { rule, written })
    };
    file.criteria.into_iter().map(phrase).collect()
}

/// A criterion as an expectation; nothing when it cannot be checked.
pub(super) fn read(said: &str, task: &BoundTask) -> Option<Criterion> {
    let said = said.trim();
    if said.is_empty() || said.len() > LONGEST {
        return None;
    }
    let bare = said.replace('`', "");
    let bare = bare.trim_end_matches('.');
    let mut phrases = PHRASES.iter();
    let expectation =
        condition(said, task).or_else(|| phrases.find_map(|phrase| phrase.of(bare, task)))?;
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

impl Phrase {
    /// What is expected, where the phrase fits and the result has what it speaks of.
    fn of(&self, said: &str, task: &BoundTask) -> Option<Expectation> {
        let found = self.rule.captures(said)?;
        let has = self.written.has.as_ref();
        if has.is_some_and(|field| !gives(task, field)) {
            return None;
        }
        let filled = |text: &String| self.filled(text, &found, task);
        let that = self.written.that.as_ref();
        let exists = self.written.exists.as_ref();
        match that {
            Some(that) => Some(Expectation::That(filled(that)?)),
            None => Some(Expectation::Exists(filled(exists?)?)),
        }
    }

    /// The expectation with its holes filled.
    fn filled(&self, text: &str, found: &Captures<'_>, task: &BoundTask) -> Option<String> {
        let mut text = text.to_owned();
        for kind in self.rule.capture_names().flatten() {
            let word = found.name(kind)?.as_str();
            text = text.replace(&format!("{{{kind}}}"), &meant(word, kind, task)?);
        }
        if text.contains("{target}") {
            let (name, _) = target(task).filter(|(name, _)| gives(task, name))?;
            text = text.replace("{target}", name);
        }
        Some(text)
    }
}

/// What a word in a hole stands for; nothing where the result has no such thing.
fn meant(word: &str, kind: &str, task: &BoundTask) -> Option<String> {
    match kind {
        "field" => gives(task, word).then(|| word.to_owned()),
        "path" => gives(task, &Path::parse(word)?.root).then(|| word.to_owned()),
        "list" => {
            let output = shape(&task.tool.output_schema);
            let is_list = |name: &String| {
                let own = output.field(name).filter(|_| !task.is_loop());
                own.is_some_and(|own| own.kind() == Kind::List)
            };
            let word = word.to_lowercase();
            [word.clone(), format!("{word}s")].into_iter().find(is_list)
        }
        _ => Some(word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_phrases_is_read_and_every_hole_is_filled_from_its_phrase() {
        let phrases = phrases(include_str!("../../data/en/criteria.toml")).unwrap();
        assert!(!phrases.is_empty());
        for phrase in phrases {
            let Written {
                that, exists, says, ..
            } = &phrase.written;
            assert!(that.is_some() != exists.is_some(), "{says}");
            let text = that.iter().chain(exists).cloned().collect::<String>();
            let names = phrase.rule.capture_names().flatten();
            let filled = names.fold(text, |text, name| text.replace(&format!("{{{name}}}"), ""));
            assert!(!filled.replace("{target}", "").contains('{'), "{says}");
        }
    }
}
