//! Which text does a request carry? What follows after "saying" or a colon, and what is quoted
//! with the word for it: a message, a subject, a statement to be run.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::tokens::Token;
use super::{Found, Request};
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::shape::{Kind, Shape};
use crate::frame::EntityKind;
use crate::lexicon::lists::List;
use crate::read::verbs::is_verb;

/// Names of parameters that take a text as it is.
static TEXTS: List = List::named("said_payload.texts");
/// Names of those that take what something is called.
static HEADINGS: List = List::named("said_payload.headings");
/// Words after which the text itself follows.
static SAYING: List = List::named("said_payload.saying");
/// Words before a quoted text, for each sort of parameter, the plainest first.
static BEFORE_HEADINGS: List = List::named("said_payload.before_headings");
static BEFORE_TEXTS: List = List::named("said_payload.before_texts");
static BEFORE_NESTED: List = List::named("said_payload.before_nested");
/// Names of parameters that take what something is about, and of lists and objects that hold a text.
static SUBJECTS: List = List::named("said_payload.subjects");
static HOLDERS: List = List::named("said_payload.holders");

pub(super) fn written(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let is_text = parameter.kind == Kind::Text
        && parameter.choices.is_empty()
        && (matches!(parameter.wants, Wants::Words | Wants::Anything)
            || parameter.words == ["code"]);
    if is_text && parameter.ends_in(&HEADINGS) {
        let mut found = quoted_after(request, &BEFORE_HEADINGS);
        found.extend(called(request));
        return found;
    }
    let mut found = Vec::new();
    if is_text && (parameter.ends_in(&TEXTS) || parameter.is_called(&["password"])) {
        found.extend(said(request));
        found.extend(quoted_after(request, &BEFORE_TEXTS));
        if parameter.expected {
            found.extend(after_colon(request));
            found.extend(only_quoted(request));
        }
    }
    // What a call cannot do without and nothing else is: the text after a colon.
    let is_only =
        parameter.required && request.parameters.iter().filter(|one| one.required).count() == 1;
    if is_text && is_only && found.is_empty() {
        found.extend(after_colon(request));
    }
    if is_text && parameter.ends_in(&SUBJECTS) {
        found.extend(about(request));
    }
    let is_nested = matches!(parameter.kind, Kind::List | Kind::Object) && parameter.required;
    if is_nested && parameter.is_called(&HOLDERS) {
        let quoted = quoted_after(request, &BEFORE_NESTED);
        let texts = said(request)
            .into_iter()
            .chain(quoted)
            .chain(only_quoted(request))
            .chain(remembered(request));
        let nested = texts.filter_map(|found| {
            let value = nested(parameter.shape, &found.value, 4)?;
            Some(Found::new(value, found.place))
        });
        found.extend(nested);
    }
    found
}

/// "remember that …", "note: …": all that follows. Who it is about may be told apart, so only
/// its last word is spent.
fn remembered(request: &Request<'_>) -> Option<Found> {
    static LEADS: List = List::named("said_payload.leads");
    let first = request.tokens.first()?;
    if !LEADS.contains(&first.lower.as_str()) {
        return None;
    }
    let rest = request.text().get(first.place.end..)?;
    let rest = rest.trim_start_matches([':', ' ']);
    let rest = rest.strip_prefix("that ").unwrap_or(rest);
    let text = rest.trim_end_matches(['.', '!', ' ']);
    let last = request.tokens.last()?.place.clone();
    Some(Found::new(json!(text), last))
}

/// What follows after "about", up to the next word that leads elsewhere.
fn about(request: &Request<'_>) -> Option<Found> {
    static ENDS: List = List::named("said_payload.ends");
    static ABOUT: List = List::named("said_payload.about");
    static ARTICLES: List = List::named("said_payload.articles");
    let mut tokens = request.tokens.iter();
    tokens.find(|token| ABOUT.contains(&token.lower.as_str()))?;
    let mut place: Option<Range<usize>> = None;
    for token in tokens.take(8) {
        if token.kind.is_none() && ENDS.contains(&token.lower.as_str()) {
            break;
        }
        let is_article = ARTICLES.contains(&token.lower.as_str());
        if place.is_none() && is_article {
            continue;
        }
        let start = place.map_or(token.place.start, |place| place.start);
        place = Some(start..token.place.end);
        if token.stops {
            break;
        }
    }
    let place = place?;
    let text = request.text().get(place.clone())?;
    Some(Found::new(json!(text), place))
}

/// What follows after "titled" or "called", up to the next word that leads elsewhere.
fn called(request: &Request<'_>) -> Vec<Found> {
    static LEADS: List = List::named("said_payload.leads_2");
    static ENDS: List = List::named("said_payload.ends_2");
    static CALLS: List = List::named("said_payload.calls");
    static SO_CALLED: List = List::named("said_payload.so_called");
    let mut found = Vec::new();
    for (at, token) in request.tokens.iter().enumerate() {
        let next = request.tokens.get(at + 1);
        let leads = LEADS.contains(&token.lower.as_str()) && token.kind.is_none();
        let is_file =
            next.is_some_and(|next| matches!(next.kind, Some(EntityKind::File | EntityKind::Path)));
        // "call it February".
        let calls = SO_CALLED.contains(&token.lower.as_str())
            && at
                .checked_sub(1)
                .and_then(|at| request.tokens.get(at))
                .is_some_and(|before| CALLS.contains(&before.lower.as_str()));
        if !(leads || calls) || is_file {
            continue;
        }
        let mut place: Option<Range<usize>> = None;
        for next in request.tokens.iter().skip(at + 1).take(10) {
            if next.kind.is_none() && ENDS.contains(&next.lower.as_str()) {
                break;
            }
            let start = place.map_or(next.place.start, |place| place.start);
            place = Some(start..next.place.end);
            if next.stops || next.kind == Some(EntityKind::Quoted) {
                break;
            }
        }
        let text = place.clone().and_then(|place| request.text().get(place));
        if let Some((place, text)) = place.zip(text) {
            let text = text.trim_matches(['"', '\'', '“', '”', '‘', '’']);
            found.push(Found::new(json!(text), place));
        }
    }
    found
}

/// What follows after "saying", up to the end of the sentence.
fn said(request: &Request<'_>) -> Vec<Found> {
    let text = request.text();
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return Vec::new();
    }
    let start = SAYING
        .iter()
        .filter_map(|lead| Some((lower.find(lead)?, lead.len())));
    let Some((at, length)) = start.min_by_key(|(at, length)| (*at, usize::MAX - length)) else {
        return Vec::new();
    };
    let start = at + length;
    let rest = text.get(start..).unwrap_or_default();
    // A quoted text ends with its mark.
    if rest.starts_with(['"', '\'', '“', '‘', ':']) {
        return Vec::new();
    }
    let end = rest
        .find(['\n', '?', '!'])
        .or_else(|| rest.find(". "))
        .unwrap_or(rest.len());
    let end = end.min(goes_on(request, start).saturating_sub(start));
    let rest = rest.get(..end).unwrap_or(rest).trim_end_matches(['.', ' ']);
    vec![Found::new(json!(rest.trim()), start..start + rest.len())]
}

/// Where something else is said after a text that begins here: where it goes, or what is to
/// be done next.
fn goes_on(request: &Request<'_>, start: usize) -> usize {
    static LEADS: List = List::named("said_payload.leads_3");
    use EntityKind::{Code, Email, File, Path, Url};
    let tokens = request.tokens.iter().enumerate();
    let mut after = tokens.filter(|(_, token)| token.place.start > start);
    let end = after.find(|(at, token)| {
        let next = request.tokens.get(at + 1);
        let leads = token.kind.is_none() && LEADS.contains(&token.lower.as_str());
        let to_place =
            next.is_some_and(|next| matches!(next.kind, Some(Code | Email | File | Path | Url)));
        let orders = next.is_some_and(|next| next.kind.is_none() && is_verb(&next.lower));
        leads && to_place || matches!(token.lower.as_str(), "and" | "then") && orders
    });
    end.map_or(request.text().len(), |(_, token)| token.place.start)
}

/// A quoted text that one of these words stands before.
fn quoted_after(request: &Request<'_>, leads: &[&str]) -> Vec<Found> {
    let mut found: Vec<(usize, Found)> = Vec::new();
    for (at, token) in request.tokens.iter().enumerate() {
        if token.kind != Some(EntityKind::Quoted) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| request.tokens.get(at));
        let before = before.map_or("", |before| before.lower.as_str());
        if let Some(rank) = leads.iter().position(|lead| *lead == before) {
            found.push((rank, as_found(token)));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, found)| found).collect()
}

/// The quoted text, where the call's own clause has just one.
fn only_quoted(request: &Request<'_>) -> Option<Found> {
    let quoted = request
        .tokens
        .iter()
        .filter(|token| token.kind == Some(EntityKind::Quoted));
    let mut own = quoted.filter(|token| request.is_own(&token.place));
    match (own.next(), own.next()) {
        (Some(only), None) => Some(as_found(only)),
        _ => None,
    }
}

fn as_found(token: &Token) -> Found {
    Found::new(token.value.clone(), token.place.clone())
}

/// What follows after a colon is what is spoken of: "Run this: SELECT 1".
fn after_colon(request: &Request<'_>) -> Option<Found> {
    let text = request.text();
    let inside = |at: usize| {
        let mut entities = request.frame.entities.iter();
        entities.any(|entity| entity.place.start < at && at < entity.place.end)
    };
    let mut colons = text.match_indices(": ").map(|(at, _)| at);
    let at = colons.find(|at| !inside(*at))?;
    let place = trimmed(text, at + 1..text.len());
    let said = text.get(place.clone())?;
    (!said.is_empty()).then(|| Found::new(json!(said), place))
}

/// Without blanks and marks around it.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let said = text.get(place.clone()).unwrap_or_default();
    let bare = said.trim_start();
    let start = place.end - bare.len();
    let bare = bare.trim_end();
    let quoted = ["\"", "'", "“", "`"]
        .iter()
        .find(|mark| bare.starts_with(**mark));
    match quoted {
        Some(mark) if bare.len() > 2 && bare.ends_with(['"', '\'', '”', '`']) => {
            let last = bare.chars().next_back().map_or(1, char::len_utf8);
            start + mark.len()..start + bare.len() - last
        }
        _ => start..start + bare.len(),
    }
}

/// A text inside lists and objects, where the schema leaves one way.
fn nested(shape: Shape<'_>, text: &Value, deep: usize) -> Option<Value> {
    static INNER: List = List::named("said_payload.inner");
    if deep == 0 {
        return None;
    }
    for form in shape.forms() {
        let kinds = form.kinds();
        let value = match () {
            () if kinds.contains(&Kind::Text) => Some(text.clone()),
            () if kinds.contains(&Kind::List) => {
                let items = form.items()?;
                nested(items, text, deep - 1).map(|item| json!([item]))
            }
            () if kinds.contains(&Kind::Object) => {
                let required: Vec<&str> = form.required().collect();
                let field = match required.as_slice() {
                    [only] => Some(*only),
                    _ => INNER
                        .iter()
                        .copied()
                        .find(|name| form.field(name).is_some()),
                };
                let inner = field.and_then(|name| Some((name, form.field(name)?)));
                inner.and_then(|(name, inner)| {
                    let mut object = Map::new();
                    object.insert(name.to_owned(), nested(inner, text, deep - 1)?);
                    Some(Value::Object(object))
                })
            }
            () => None,
        };
        if let Some(value) = value.filter(|value| form.admits(value)) {
            return Some(value);
        }
    }
    None
}
