//! Which of the files that a request names is which argument? One is worked on, one is written; the
//! words before a file, its kind and the name of the parameter tell them apart.

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::tokens::Token;
use super::{Found, Request};
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
use crate::lexicon::lists::{List, Rows};

/// Words before a file that is yet to be written, and verbs after which "to" is such a word.
static WRITTEN: List = List::named("said_files.written");
static STORES: List = List::named("said_files.stores");
/// Words between such a word and its file.
static FILLERS: List = List::named("said_files.fillers");
/// Names of parameters for what is written, and for folders.
static OUTPUTS: List = List::named("said_files.outputs");
static FOLDERS: List = List::named("said_files.folders");
/// Fields by which a file is told in a list of things.
static FIELDS: List = List::named("said_files.fields");
/// Words for kinds of files, with their endings.
static KINDS: Rows = Rows::named("said_files.kinds");

/// A file that the request names.
struct File<'r> {
    token: &'r Token,
    written: bool,
    own: bool,
    folder: bool,
    kind: Option<usize>,
}

pub(super) fn files(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let all = named(request);
    if all.is_empty() || !parameter.choices.is_empty() {
        return Vec::new();
    }
    let items = parameter.shape.list_items().flatten();
    let field = items.and_then(|items| FIELDS.iter().find(|name| items.field(name).is_some()));
    let is_list =
        parameter.kind == Kind::List && (parameter.wants == Wants::Path || field.is_some());
    if is_list {
        return together(&all, parameter, field.copied());
    }
    if parameter.kind != Kind::Text || parameter.wants != Wants::Path {
        return Vec::new();
    }
    let mut scored: Vec<(i32, &File<'_>)> = all
        .iter()
        .enumerate()
        .map(|(at, file)| (score(request, parameter, &all, at), file))
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| -score);
    let best = scored.first();
    best.map(|(_, file)| Found::new(file.token.value.clone(), file.token.place.clone()))
        .into_iter()
        .collect()
}

/// Whether this rule decides which file a parameter takes.
pub(crate) fn decides(parameter: &Parameter<'_>) -> bool {
    parameter.wants == Wants::Path && matches!(parameter.kind, Kind::Text | Kind::List)
}

/// All files that are worked on, for a list of them.
fn together(all: &[File<'_>], parameter: &Parameter<'_>, field: Option<&str>) -> Vec<Found> {
    let kind = kind_of_name(parameter);
    let fits = |file: &&File<'_>| {
        file.own && !file.written && (kind.is_none() || file.kind.is_none() || file.kind == kind)
    };
    let chosen: Vec<&File<'_>> = all.iter().filter(fits).collect();
    let (Some(first), Some(last)) = (chosen.first(), chosen.last()) else {
        return Vec::new();
    };
    let place = first.token.place.start..last.token.place.end;
    let value = |file: &&File<'_>| match field {
        Some(field) => json!({ field: file.token.value }),
        None => file.token.value.clone(),
    };
    let values: Vec<Value> = chosen.iter().map(value).collect();
    vec![Found::new(Value::Array(values), place)]
}

/// How well a file fits a parameter.
fn score(request: &Request<'_>, parameter: &Parameter<'_>, all: &[File<'_>], at: usize) -> i32 {
    let Some(file) = all.get(at) else { return 0 };
    let is = |words: &List| {
        let mut own = parameter.words.iter();
        own.any(|word| words.contains(&word.as_str()))
    };
    let (output, folder) = (is(&OUTPUTS), is(&FOLDERS));
    let wanted = kind_of_name(parameter);
    let of_tool = kind_of_tool(request);
    let fits = |file: &File<'_>| match (wanted, of_tool) {
        (Some(wanted), _) => file.kind.map(|kind| kind == wanted),
        (None, Some(tool)) => file.kind.map(|kind| kind == tool),
        _ => None,
    };
    let other_source = all.iter().any(|other| {
        other.own
            && !other.written
            && other.token.place != file.token.place
            && fits(other) != Some(false)
    });
    // "it" is what was written before.
    let later = all.iter().skip(at + 1);
    let last_before = !file.own && !later.into_iter().any(|later| !later.own && later.written);
    let own_fits = all
        .iter()
        .any(|other| other.own && fits(other) != Some(false));
    let place = match () {
        () if file.own => 2,
        () if file.written && last_before && !other_source => 2,
        () if parameter.expected && !own_fits => 1,
        () => -4,
    };
    let role = match (output, file.written) {
        (true, true) if file.own => 2,
        (true, _) if folder && file.folder => 0,
        (true, _) => -4,
        (false, true) if file.own && other_source => -4,
        (false, _) => 0,
    };
    let kind = match (fits(file), wanted.is_some()) {
        (Some(true), _) => 2,
        (Some(false), true) => -6,
        (Some(false), false) => -1,
        (None, _) => 0,
    };
    let folder = match (folder, file.folder) {
        (true, true) => 2,
        (true, false) => -6,
        (false, true) => -1,
        (false, false) => 0,
    };
    place + role + kind + folder
}

fn named<'r>(request: &'r Request<'_>) -> Vec<File<'r>> {
    let tokens = request.tokens.iter().enumerate();
    let files =
        tokens.filter(|(_, token)| matches!(token.kind, Some(EntityKind::File | EntityKind::Path)));
    let file = |(at, token): (usize, &'r Token)| File {
        written: is_written(request, at),
        own: request.is_own(&token.place),
        folder: token.label.as_deref() == Some("folder") || ending(&token.lower).is_none(),
        kind: ending(&token.lower).and_then(kind_of_word),
        token,
    };
    files.map(file).collect()
}

/// Whether the words before a file say that it is yet to be written.
fn is_written(request: &Request<'_>, at: usize) -> bool {
    let before = request.tokens.get(..at).unwrap_or_default();
    let mut words = before.iter().rev();
    let lead = words.find(|token| {
        token.kind.is_some()
            || kind_of_word(&token.lower).is_none() && !FILLERS.contains(&token.lower.as_str())
    });
    let lead = lead.map_or("", |lead| lead.lower.as_str());
    let stores = |token: &Token| STORES.contains(&token.lower.as_str());
    WRITTEN.contains(&lead) || lead == "to" && before.iter().any(stores)
}

fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '\\']).next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty() && !ending.is_empty()).then_some(ending)
}

fn kind_of_word(word: &str) -> Option<usize> {
    KINDS.iter().position(|kind| kind.contains(&word))
}

/// The kind of file that a parameter is called after.
fn kind_of_name(parameter: &Parameter<'_>) -> Option<usize> {
    parameter.words.iter().find_map(|word| kind_of_word(word))
}

/// The kind of file that a tool is called after, or its server.
fn kind_of_tool(request: &Request<'_>) -> Option<usize> {
    let called = |names: &[String]| {
        let is_of = |kind: &Vec<&str>| kind.iter().any(|word| names.contains(&stem(word)));
        KINDS.iter().position(is_of)
    };
    called(&request.source).or_else(|| called(&request.tool))
}
