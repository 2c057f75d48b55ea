//! What is said with the name of a parameter? "the Orders sheet", "column D", "with the
//! password moonrise", "the 'good first issue' label".

use std::ops::Range;

use holloway_search::words::{is_empty_word, stem};
use serde_json::json;

use super::people;
use super::tokens::Token;
use super::{Found, Request};
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
use crate::lexicon::lists::{List, Rows};
use crate::read::verbs::is_verb;

/// Words of a name that say how something is called, not what it is.
static CALLED: List = List::named("said_named.called");
/// Words for the same thing.
static SAME: Rows = Rows::named("said_named.same");
/// Words between a thing and what it is called.
static BETWEEN: List = List::named("said_named.between");
/// Words before a thing that do not name it.
static PLAIN: List = List::named("said_named.plain");
static ARTICLES: List = List::named("said_named.articles");

pub(super) fn named(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let is_list = parameter
        .shape
        .list_items()
        .is_some_and(|items| items.is_none_or(|items| items.allows(Kind::Text)));
    let takes_text = matches!(parameter.kind, Kind::Text | Kind::Any);
    if !takes_text && !is_list || !parameter.choices.is_empty() {
        return Vec::new();
    }
    let heads = heads(request, parameter);
    let mut found = people::beside(request, parameter);
    if heads.is_empty() {
        return found;
    }
    for (at, token) in request.tokens.iter().enumerate() {
        if token.kind.is_some() || !heads.contains(&token.stem) {
            continue;
        }
        let values = after(request, parameter, at).or_else(|| before(request, parameter, at));
        let Some(values) = values else { continue };
        let texts = values.iter().filter_map(|at| request.tokens.get(*at));
        let texts: Vec<String> = texts.map(|token| token.text(request.text())).collect();
        let place = place(request, &values);
        if is_text(parameter)
            && let Some(run) = run(request, &values)
        {
            found.push(run);
            continue;
        }
        match texts.as_slice() {
            [] => {}
            _ if is_list && !takes_text => found.push(Found::new(json!(texts), place)),
            [only] => found.push(Found::new(json!(only), place)),
            _ if is_list => found.push(Found::new(json!(texts), place)),
            [first, ..] => found.push(Found::new(json!(first), place)),
        }
    }
    found
}

/// The words, as stems, that stand for what a parameter is called after.
fn heads(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<String> {
    static GENERAL: List = List::named("said_named.general");
    static IDS: List = List::named("said_named.ids");
    // Files, addresses and the like are told by what they look like.
    if parameter.wants.is_strict() {
        return Vec::new();
    }
    let bare = |word: &&String| !CALLED.contains(&word.as_str());
    // `files_to_stage` are files.
    let to = parameter.words.iter().skip(1).position(|word| word == "to");
    let until = to.map_or(parameter.words.len(), |to| to + 1);
    let words: Vec<&String> = parameter.words.iter().take(until).collect();
    let head = words
        .iter()
        .rev()
        .copied()
        .find(bare)
        .or(words.last().copied());
    let Some(head) = head else {
        return Vec::new();
    };
    // The text of `add_heading` is the heading.
    let is_general = parameter.words.len() == 1 && GENERAL.contains(&head.as_str());
    let of_tool = request
        .tool
        .last()
        .filter(|_| request.tool.len() > 1 && is_general);
    if let Some(thing) = of_tool.filter(|_| parameter.required || head == "name") {
        return vec![thing.clone()];
    }
    let is_id = IDS.contains(&head.as_str());
    if is_id || head == "name" || head.len() < 2 || is_empty_word(head) {
        return Vec::new();
    }
    let head = stem(head);
    let same = SAME
        .iter()
        .find(|group| group.iter().any(|word| stem(word) == head));
    let mut heads = vec![head];
    heads.extend(
        same.into_iter()
            .flat_map(|group| group.iter().map(|word| stem(word))),
    );
    heads
}

/// Whether a parameter takes a text of many words.
fn is_text(parameter: &Parameter<'_>) -> bool {
    static TEXTS: List = List::named("said_named.texts");
    let last = parameter.words.last().map_or("", String::as_str);
    parameter.kind == Kind::Text && TEXTS.contains(&last)
}

/// All words from here to where something else begins.
fn run(request: &Request<'_>, values: &[usize]) -> Option<Found> {
    static ENDS: List = List::named("said_named.ends");
    use EntityKind::{Email, File, Path, Url};
    let first = *values.first()?;
    let token = request.tokens.get(first)?;
    if token.kind == Some(EntityKind::Quoted) {
        return None;
    }
    let mut end = token.place.end;
    let mut stops = token.stops;
    let names = |token: &Token| {
        let others = request.parameters.iter();
        others
            .into_iter()
            .any(|other| other.stems.last() == Some(&token.stem))
    };
    for (at, next) in request.tokens.iter().enumerate().skip(first + 1).take(12) {
        let leads = next.kind.is_none() && ENDS.contains(&next.lower.as_str());
        let follows = request
            .tokens
            .get(at + 1)
            .into_iter()
            .chain(request.tokens.get(at + 2));
        let behind = request.tokens.get(at + 1);
        let place = behind.and_then(|token| token.kind);
        let to_place = matches!(place, Some(Email | File | Path | Url));
        // "titled Risks and save it": what is to be done next is no part of the text.
        let orders = |token: &Token| token.kind.is_none() && is_verb(&token.lower);
        let goes_on = matches!(next.lower.as_str(), "and" | "then") && behind.is_some_and(orders);
        if stops || leads && (to_place || goes_on || follows.into_iter().any(names)) {
            break;
        }
        end = next.place.end;
        stops = next.stops;
    }
    let place = token.place.start..end;
    let text = request.text().get(place.clone())?;
    Some(Found::new(json!(text), place))
}

/// "column D", "the password is moonrise", "columns A, B and C".
fn after(request: &Request<'_>, parameter: &Parameter<'_>, at: usize) -> Option<Vec<usize>> {
    static LINKS: List = List::named("said_named.links");
    let mut next = at + 1;
    let mut linked = false;
    let head = request.tokens.get(at)?;
    if head.stops && !is_colon(request, head) {
        return None;
    }
    while let Some(token) = request.tokens.get(next) {
        let between = BETWEEN.contains(&token.lower.as_str()) && token.kind.is_none();
        if !between || next > at + 2 {
            break;
        }
        linked |= LINKS.contains(&token.lower.as_str());
        // "the sheet of kpi.xlsx" says whose it is.
        if token.lower == "of" || token.lower == "to" || token.lower == "as" {
            linked = false;
            let follows = request.tokens.get(next + 1)?;
            if follows.kind != Some(EntityKind::Quoted) {
                return None;
            }
        }
        next += 1;
    }
    let token = request.tokens.get(next)?;
    let is_bare = is_bare_value(request, parameter, token) && (linked || next == at + 1);
    if !(token.is_named() || token.is_number() && parameter.wants != Wants::Words || is_bare) {
        return None;
    }
    let mut values = vec![next];
    values.extend(joined(request, parameter, next));
    Some(values)
}

/// "the temp column", "the 'good first issue' label".
fn before(request: &Request<'_>, parameter: &Parameter<'_>, at: usize) -> Option<Vec<usize>> {
    let previous = at.checked_sub(1)?;
    let token = request.tokens.get(previous)?;
    if token.stops {
        return None;
    }
    if token.is_named() {
        return Some(vec![previous]);
    }
    // A text is not called after the word before it.
    if is_text(parameter) || holds_text(parameter) {
        return None;
    }
    let article = previous
        .checked_sub(1)
        .and_then(|at| request.tokens.get(at))?;
    let is_defined = ARTICLES.contains(&article.lower.as_str()) && !article.stops;
    // After an article, what could be a verb is none.
    let is_noun =
        is_verb(&token.lower) && token.lower.len() > 3 && !request.tool.contains(&token.stem);
    let is_value = is_noun || is_bare_value(request, parameter, token);
    (is_defined && is_value).then(|| vec![previous])
}

/// Whether a parameter takes a document itself.
fn holds_text(parameter: &Parameter<'_>) -> bool {
    static DOCUMENTS: List = List::named("said_named.documents");
    parameter
        .words
        .iter()
        .any(|word| DOCUMENTS.contains(&word.as_str()))
}

/// Whether an ordinary word can be what something is called.
fn is_bare_value(request: &Request<'_>, parameter: &Parameter<'_>, token: &Token) -> bool {
    let lower = token.lower.as_str();
    let is_word = token.kind.is_none() && lower.chars().any(char::is_alphanumeric);
    let of_tool = request.tool.contains(&token.stem);
    let of_parameter = request
        .parameters
        .iter()
        .any(|other| other.stems.contains(&token.stem) || parameter.stems.contains(&token.stem));
    let looks_made =
        lower.contains(|letter: char| letter.is_ascii_digit() || "-_./".contains(letter));
    is_word
        && !is_empty_word(lower)
        && !PLAIN.contains(&lower)
        && (looks_made || !of_tool && !of_parameter && !is_verb(lower) && !lower.ends_with("ing"))
}

/// What goes on with it: ", B and C".
fn joined(request: &Request<'_>, parameter: &Parameter<'_>, first: usize) -> Vec<usize> {
    let mut more = Vec::new();
    let mut at = first;
    let kind = request.tokens.get(first).and_then(|token| token.kind);
    while more.len() < 20 {
        let Some(token) = request.tokens.get(at) else {
            break;
        };
        let next = request.tokens.get(at + 1);
        let Some(next) = next else { break };
        let is_and = matches!(next.lower.as_str(), "and" | "or") && next.kind.is_none();
        let (value, place) = match () {
            () if is_and && !token.stops => (request.tokens.get(at + 2), at + 2),
            () if token.comma => (Some(next), at + 1),
            () => break,
        };
        match value {
            Some(value)
                if value.kind == kind
                    && (kind.is_some() || is_bare_value(request, parameter, value)) =>
            {
                more.push(place);
                at = place;
            }
            _ => break,
        }
    }
    more
}

fn is_colon(request: &Request<'_>, token: &Token) -> bool {
    let rest = request.text().get(token.place.end..).unwrap_or_default();
    rest.starts_with(':')
}

fn place(request: &Request<'_>, values: &[usize]) -> Range<usize> {
    let of = |at: Option<&usize>| at.and_then(|at| request.tokens.get(*at));
    let first = of(values.first()).map_or(0, |token| token.place.start);
    let last = of(values.last()).map_or(first, |token| token.place.end);
    first..last
}
