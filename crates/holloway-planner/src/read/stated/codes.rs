//! Which numbers and codes does a request name, and of what? "issue #17", "task-7 of req-3",
//! `octocat/hello-world`, a branch such as `release/2.4`.

use std::ops::Range;
use std::sync::LazyLock;

use holloway_search::words::stem;
use regex::Regex;
use serde_json::json;

use super::tokens::Token;
use super::{Found, Request};
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
use crate::lexicon::lists::{List, Patterns};

static NUMBERED: Patterns = Patterns::named("said_codes.numbered");
static SLASHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*[\w]|[A-Za-z0-9][\w.-]*/\w").ok()
});

/// "PR 482", "issue #17" for `issue_number`.
pub(super) fn numbered(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static NUMBERS: List = List::named("said_codes.numbers");
    let is_numbered = parameter
        .words
        .last()
        .is_some_and(|word| NUMBERS.contains(&word.as_str()));
    let takes = parameter.is_number() || matches!(parameter.kind, Kind::Text | Kind::Any);
    if !is_numbered || !takes || parameter.words.len() < 2 {
        return Vec::new();
    }
    let text = request.text();
    let mut marked = Vec::new();
    let mut named = Vec::new();
    for hit in NUMBERED.iter().flat_map(|rule| rule.captures_iter(text)) {
        let Some(number) = hit.name("number") else {
            continue;
        };
        let thing = hit
            .name("thing")
            .map_or("", |thing| thing.as_str())
            .to_lowercase();
        let is_thing = parameter.stems.contains(&stem(&thing))
            || thing == "pr" && parameter.words.iter().any(|word| word == "pull")
            || thing == "request" && parameter.words.iter().any(|word| word == "pull");
        let follows = text
            .get(number.end()..)
            .and_then(|rest| rest.chars().next());
        if follows.is_some_and(|next| next.is_alphanumeric() || "-_/:".contains(next)) {
            continue;
        }
        let value = match parameter.kind {
            Kind::Text | Kind::Any => json!(number.as_str()),
            _ => json!(number.as_str().parse::<i64>().unwrap_or_default()),
        };
        let found = Found::new(value, number.range());
        match (is_thing, hit.name("mark")) {
            (true, _) => named.push(found),
            (false, Some(_)) if parameter.is_number() => marked.push(found),
            _ => {}
        }
    }
    if named.is_empty() { marked } else { named }
}

/// "task-7 of req-3" for `taskId` and `requestId`: a code begins like what it is of.
pub(super) fn prefixed(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let wants_id = parameter.wants == Wants::Id && parameter.words.len() > 1;
    let Some(thing) = parameter.words.first().filter(|_| wants_id) else {
        return Vec::new();
    };
    let codes = request
        .tokens
        .iter()
        .filter(|token| token.kind == Some(EntityKind::Code));
    let fitting = codes.filter(|token| {
        let prefix: String = token
            .lower
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .collect();
        let is_apart = token
            .lower
            .get(prefix.len()..)
            .is_some_and(|rest| rest.starts_with(['-', '_', ':']));
        is_apart
            && prefix.len() >= 2
            && (thing.starts_with(&prefix) || prefix.starts_with(thing.as_str()))
    });
    fitting
        .map(|token| Found::new(token.value.clone(), token.place.clone()))
        .collect()
}

/// `owner` and `repo` of "octocat/hello-world".
pub(super) fn repository(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static OWNERS: List = List::named("said_codes.owners");
    static REPOSITORIES: List = List::named("said_codes.repositories");
    let last = parameter.words.last().map_or("", String::as_str);
    let is_owner = OWNERS.contains(&last);
    let is_name = REPOSITORIES.contains(&last);
    let both = request
        .parameters
        .iter()
        .any(|other| other.words.last().is_some_and(|word| word == "owner"));
    if parameter.kind != Kind::Text || !(is_owner || is_name && both) {
        return Vec::new();
    }
    let best = slashed(request)
        .into_iter()
        .find(|slashed| !slashed.is_branch);
    let best = best.into_iter().map(|slashed| {
        let (owner, name) = slashed.text.split_once('/').unwrap_or_default();
        let middle = slashed.place.start + owner.len();
        if is_owner {
            Found::new(json!(owner), slashed.place.start..middle)
        } else {
            Found::new(json!(name), middle + 1..slashed.place.end)
        }
    });
    best.collect()
}

/// `release/2.4` for `sha`, `branch` or `ref`.
pub(super) fn branch(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static REFERENCES: List = List::named("said_codes.references");
    static REMOTES: List = List::named("said_codes.remotes");
    let last = parameter.words.last().map_or("", String::as_str);
    if last == "remote" && parameter.kind == Kind::Text {
        let remotes = request.tokens.iter();
        let remotes = remotes.filter(|token| REMOTES.contains(&token.lower.as_str()));
        let found = remotes.map(|token| Found::new(token.value.clone(), token.place.clone()));
        return found.collect();
    }
    let of_branch = REFERENCES.contains(&last);
    if parameter.kind != Kind::Text || !of_branch {
        return Vec::new();
    }
    let branches = slashed(request)
        .into_iter()
        .filter(|slashed| slashed.is_branch);
    branches
        .map(|branch| Found::new(json!(branch.text), branch.place))
        .collect()
}

/// "copy a.json to b.json" for where something is and where it goes.
pub(super) fn moved(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static BETWEEN: List = List::named("said_codes.between");
    static FROM: List = List::named("said_codes.from");
    static INTO: List = List::named("said_codes.into");
    let end = |parameter: &Parameter<'_>| {
        let first = parameter.words.first().map_or("", String::as_str);
        match parameter.kind {
            Kind::Text if FROM.contains(&first) => Some(true),
            Kind::Text if INTO.contains(&first) => Some(false),
            _ => None,
        }
    };
    let has = |wanted: bool| {
        request
            .parameters
            .iter()
            .any(|other| end(other) == Some(wanted))
    };
    let Some(is_from) = end(parameter).filter(|_| has(true) && has(false)) else {
        return Vec::new();
    };
    let is_file =
        |kind: Option<EntityKind>| matches!(kind, Some(EntityKind::File | EntityKind::Path));
    let files = request
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| is_file(token.kind));
    let files: Vec<(usize, &Token)> = files.collect();
    let [(_, one), (at, other)] = files.as_slice() else {
        return Vec::new();
    };
    let lead = at.checked_sub(1).and_then(|at| request.tokens.get(at));
    if !lead.is_some_and(|lead| BETWEEN.contains(&lead.lower.as_str())) {
        return Vec::new();
    }
    let chosen = if is_from { one } else { other };
    vec![Found::new(chosen.value.clone(), chosen.place.clone())]
}

/// Two names with a slash between them.
struct Slashed {
    text: String,
    place: Range<usize>,
    is_branch: bool,
    /// The word before leads to a repository.
    is_led: bool,
}

fn slashed(request: &Request<'_>) -> Vec<Slashed> {
    static BRANCHES: List = List::named("said_codes.branches");
    static LEADS: List = List::named("said_codes.leads");
    static ENDINGS: List = List::named("said_codes.endings");
    static SLASHED_WORDS: List = List::named("said_codes.slashed_words");
    let text = request.text();
    let mut found: Vec<Slashed> = Vec::new();
    for hit in SLASHED.iter().flat_map(|rule| rule.find_iter(text)) {
        let said = hit.as_str();
        let before = text.get(..hit.start()).unwrap_or_default();
        let after = text.get(hit.end()..).and_then(|rest| rest.chars().next());
        let goes_on = after.is_some_and(|next| next == '/' || next.is_alphanumeric());
        let is_inside =
            before.ends_with(|last: char| last.is_alphanumeric() || "/.~:@-_".contains(last));
        // The site and the user of an address are no owner and name, but for those of a host.
        let in_host = before.ends_with("github.com/") || before.ends_with("gitlab.com/");
        let (owner, name) = said.split_once('/').unwrap_or_default();
        let is_file = name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ENDINGS.contains(&ending));
        let is_word = SLASHED_WORDS.contains(&said.to_lowercase().as_str());
        let is_number = owner.chars().all(|letter| letter.is_ascii_digit());
        let is_part = (goes_on || is_inside) && !in_host;
        if is_part || is_file || is_word || is_number {
            continue;
        }
        let lead = before
            .split_whitespace()
            .next_back()
            .unwrap_or_default()
            .to_lowercase();
        found.push(Slashed {
            text: said.trim_end_matches(".git").to_owned(),
            place: hit.range(),
            is_branch: BRANCHES.contains(&owner.to_lowercase().as_str()) || lead == "branch",
            is_led: LEADS.contains(&lead.as_str()) || in_host,
        });
    }
    found.sort_by_key(|slashed| !slashed.is_led);
    found
}
