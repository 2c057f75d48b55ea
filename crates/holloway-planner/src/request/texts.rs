//! What is done to texts, files and pages as such? Read, compared, joined, sorted, summarised,
//! counted, written, added to, deleted: a small grammar over the whole of a request.
//!
//! A request of which one word is left over is none of these: half of it would change the
//! wrong file or give the wrong text.

use super::Entity;

mod deeds;
mod pages;
mod tokens;
mod values;

use tokens::{Reader, tokens};

/// Something that is done, in the order in which it was said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    Show(Value),
    /// Which files there are.
    List(Folder),
    /// The whole of a file is this from now on.
    Write {
        value: Value,
        to: usize,
    },
    /// This comes to the end of a file.
    Add {
        value: Value,
        to: usize,
    },
    Remove(Source),
    /// Nothing is left in a file.
    Empty(usize),
    /// For so many milliseconds.
    Wait(u64),
    Mail {
        value: Value,
        to: usize,
    },
}

/// A text, or a figure about one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Words that the request quotes, by their place among the entities.
    Quoted(usize),
    Of(Source),
    Made(Making, Box<Value>),
    /// What is different between two files, the older first.
    Changes(usize, usize),
    /// How alike two files are.
    Likeness(usize, usize),
    /// A page of the web, by its place among the entities.
    Page(usize, Form),
}

/// In which form a page is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// What is read on it.
    Text,
    Markdown,
    Title,
    /// As it is written.
    Source,
    /// Nobody said: as it fits the file that it goes into.
    Fitting,
}

/// What is made of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Making {
    /// In so many sentences.
    Summary(Option<u64>),
    Keywords,
    SortedLines {
        descending: bool,
    },
    /// Each line once.
    UniqueLines,
    /// Several texts one after the other.
    Joined,
    Count(Unit),
    Readability,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Words,
    Lines,
    Characters,
    Sentences,
    Paragraphs,
}

/// Files, by their place among the entities, or each of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Files(Vec<usize>),
    Each(Folder),
}

/// The files of a folder that end so and hold this text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    pub(crate) path: String,
    pub(crate) ending: Option<String>,
    pub(crate) holds: Option<String>,
}

/// What is done to texts and files, where that is all that a request says.
pub(crate) fn deeds(request: &str, entities: &[Entity]) -> Option<Vec<Deed>> {
    // Braces would be taken for references in a plan.
    if request.contains(['{', '}']) {
        return None;
    }
    let tokens = tokens(request, entities);
    let deeds = pages::settled(Reader::new(&tokens, entities).all()?, entities)?;
    deeds
        .iter()
        .all(|deed| is_of_texts(deed, entities))
        .then_some(deeds)
}

/// Whether nothing but texts is read and written: what stands in tables, pictures and documents is
/// for other tools.
fn is_of_texts(deed: &Deed, entities: &[Entity]) -> bool {
    match deed {
        Deed::Remove(_) | Deed::List(_) | Deed::Wait(_) => true,
        Deed::Empty(file) => is_plain(*file, entities),
        Deed::Show(value) | Deed::Mail { value, .. } => reads_texts(value, entities),
        Deed::Write { value, to } | Deed::Add { value, to } => {
            let same_kind = matches!(value, Value::Quoted(_) | Value::Of(_) | Value::Page(..));
            let ending = ending(*to, entities);
            let is_prose = ["txt", "text", "md", "log"].contains(&ending.as_str());
            let is_document = is_document(*to, entities) && is_prose_of(value, entities);
            let fits = is_plain(*to, entities) && (same_kind || is_prose);
            // What has many sides is no text.
            let is_text = !matches!(
                value,
                Value::Made(Making::Keywords | Making::Readability, _)
            );
            is_text && reads_texts(value, entities) && (fits || is_document)
        }
    }
}

fn reads_texts(value: &Value, entities: &[Entity]) -> bool {
    match value {
        Value::Quoted(_) | Value::Page(..) => true,
        Value::Of(Source::Files(files)) => files.iter().all(|file| is_plain(*file, entities)),
        Value::Of(Source::Each(folder)) => {
            let ending = folder.ending.as_deref().unwrap_or_default();
            PLAIN.contains(&ending)
        }
        Value::Made(_, of) => reads_texts(of, entities),
        Value::Changes(one, other) | Value::Likeness(one, other) => {
            is_plain(*one, entities) && is_plain(*other, entities)
        }
    }
}

/// Whether a file is for a text that is laid out.
pub(crate) fn is_document(file: usize, entities: &[Entity]) -> bool {
    ["html", "htm", "pdf"].contains(&ending(file, entities).as_str())
}

/// Whether a text is one that people wrote, with or without marks for its layout.
pub(crate) fn is_prose_of(value: &Value, entities: &[Entity]) -> bool {
    match value {
        Value::Of(Source::Files(files)) => files.iter().all(|file| {
            let ending = ending(*file, entities);
            ["txt", "text", "md"].contains(&ending.as_str())
        }),
        Value::Made(Making::Summary(_) | Making::Joined, of) => is_prose_of(of, entities),
        Value::Page(_, form) => *form == Form::Markdown,
        _ => false,
    }
}

/// How files end that are texts as they are.
const PLAIN: [&str; 14] = [
    "txt", "text", "md", "log", "json", "xml", "yaml", "yml", "ini", "toml", "cfg", "conf", "html",
    "htm",
];

fn is_plain(file: usize, entities: &[Entity]) -> bool {
    PLAIN.contains(&ending(file, entities).as_str())
}

fn ending(file: usize, entities: &[Entity]) -> String {
    let name = entities.get(file).map_or("", |entity| entity.text.as_str());
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.to_lowercase()
}

#[cfg(test)]
mod tests;
