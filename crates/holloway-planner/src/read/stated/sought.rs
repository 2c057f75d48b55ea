//! What is looked for? What follows after "about" or "for" in a clause that looks for something, for
//! a parameter that is called after it.

use serde_json::json;

use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Kind;
use crate::frame::Goal;
use crate::lexicon::lists::List;
use crate::lexicon::sorts::Sorts;

/// Names of parameters that say what is looked for.
static SOUGHT: List = List::named("said_sought.sought");
/// What is looked for stands after these.
static SUBJECTS: List = List::named("said_sought.subjects");
static ARTICLES: List = List::named("said_sought.articles");
/// Words by which a parameter takes statements of a language, not words.
static LANGUAGES: List = List::named("said_sought.languages");

pub(super) fn sought(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let last = parameter.words.last().map_or("", String::as_str);
    let is_sought = parameter.kind == Kind::Text && SOUGHT.contains(&last);
    let is_code = LANGUAGES.iter().any(|word| {
        let named = |own: &String| own == word.trim();
        parameter.description.contains(word)
            || request.tool.iter().chain(&request.source).any(named)
    });
    let goals = request.frame.goals.iter();
    let own = |goal: &&Goal| request.own.contains(&goal.said.at.start);
    let looks = |goal: &&Goal| goal.clause.action.sorts.meets(Sorts::LOOK);
    let goal = goals.clone().find(own).filter(looks);
    let Some(goal) = goal.filter(|_| is_sought && !is_code) else {
        return Vec::new();
    };
    let text = request.text().get(goal.said.at.clone()).unwrap_or_default();
    let lower = text.to_ascii_lowercase();
    let leads = SUBJECTS.iter().filter_map(|lead| {
        let lead = format!(" {lead} ");
        Some(lower.find(&lead)? + lead.len())
    });
    let found = leads.min().and_then(|at| {
        let mut start = at;
        let rest = text.get(at..)?;
        let first = rest.split_whitespace().next().unwrap_or_default();
        if ARTICLES.contains(&first.to_lowercase().as_str()) {
            start += first.len();
        }
        let said = text.get(start..)?;
        start += said.len() - said.trim_start().len();
        let said = said.trim().trim_end_matches(['.', '?', '!', ',']);
        let place = goal.said.at.start + start..goal.said.at.start + start + said.len();
        (!said.is_empty()).then(|| Found::new(json!(said), place))
    });
    found.into_iter().collect()
}
