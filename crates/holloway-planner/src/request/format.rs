//! In which form is the result wanted? A form counts where the words before it ask for
//! it ("as PDF", "make a chart"), not where they say what is read ("from the PDF").

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{Entity, EntityKind, Format};

/// What people call a form.
const WORDS: [(Format, &str); 11] = [
    (Format::Pdf, "pdfs?"),
    (Format::Xlsx, "excel|xlsx|spreadsheets?|workbooks?"),
    (Format::Csv, "csv"),
    (Format::Tsv, "tsv"),
    (Format::JsonLines, "jsonl|ndjson|json lines"),
    (Format::Markdown, "markdown"),
    (Format::Html, "html|web ?page"),
    (Format::Json, "json"),
    (Format::Text, "plain text|text file|txt"),
    (
        Format::Chart,
        "charts?|graphs?|plots?|histograms?|diagrams?|infographic",
    ),
    (Format::Report, "reports?"),
];
/// Ask for a result.
#[rustfmt::skip]
const ASKS: [&str; 42] = [
    "as", "into", "to", "in", "make", "create", "generate", "write", "export", "produce", "build",
    "give", "send", "save", "want", "need", "prepare", "draw", "paint", "with", "compile", "draft",
    "deliver", "output", "format", "convert", "turn", "like", "plot", "show", "and", "then",
    "return", "publish", "store", "new", "present", "design", "visualize", "visualise", "render",
    "finally",
];
/// Say where something comes from.
#[rustfmt::skip]
const SOURCES: [&str; 30] = [
    "from", "of", "read", "open", "load", "parse", "extract", "this", "that", "these", "my", "our",
    "the", "out", "full", "which", "bug", "weather", "annual", "news", "traffic", "credit", "his",
    "her", "their", "its", "your", "search", "import", "using",
];
/// How far before a form its cue may stand, in words.
const WINDOW: usize = 5;

static RULES: LazyLock<Vec<(Format, Regex)>> = LazyLock::new(|| {
    let read = |(format, words): &(Format, &str)| {
        Some((*format, Regex::new(&format!(r"(?i)\b(?:{words})\b")).ok()?))
    };
    WORDS.iter().filter_map(read).collect()
});
static DRAWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:visuali[sz]e|plot|chart)\s+(?:the|how|my|our|it|them|this|these|all|a)\b")
        .ok()
});

/// The forms that are asked for, in the order they were said.
pub(crate) fn formats(text: &str, entities: &[Entity]) -> Vec<Format> {
    let mut found: Vec<(usize, Format)> = Vec::new();
    let inside = |at: usize| {
        entities
            .iter()
            .any(|it| is_name(it) && it.place.contains(&at))
    };
    let hits = |(format, rule): &'static (Format, Regex)| {
        rule.find_iter(text).map(move |hit| (hit.range(), *format))
    };
    let all: Vec<(Range<usize>, Format)> = RULES.iter().flat_map(hits).collect();
    for (place, format) in &all {
        // The JSON of "JSON lines" is no form of its own.
        let is_part = all.iter().any(|(other, _)| {
            other.len() > place.len() && other.start <= place.start && place.end <= other.end
        });
        if !is_part && !inside(place.start) && is_asked_for(text, place.start) {
            found.push((place.start, *format));
        }
    }
    if let Some(hit) = DRAWN.as_ref().and_then(|rule| rule.find(text)) {
        found.push((hit.start(), Format::Chart));
    }
    for entity in entities {
        if let Some(format) = written(text, entity) {
            found.push((entity.place.start, format));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    let mut formats = Vec::new();
    for (_, format) in found {
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    formats
}

fn is_name(entity: &Entity) -> bool {
    use EntityKind::{Email, File, Path, Quoted, Url};
    matches!(entity.kind, Url | Email | Path | File | Quoted)
}

/// The nearest cue before it decides; articles and adjectives are passed over.
fn is_asked_for(text: &str, at: usize) -> bool {
    let words = words_before(text, at);
    for word in words.iter().take(WINDOW) {
        if SOURCES.contains(&word.as_str()) {
            return false;
        }
        if ASKS.contains(&word.as_str()) {
            return true;
        }
    }
    false
}

/// The nearest word first; only those of the same sentence.
fn words_before(text: &str, at: usize) -> Vec<String> {
    let before = text.get(..at).unwrap_or_default();
    // A dot inside the name of a file ends nothing.
    let ends = before.char_indices().rev().find(|(place, letter)| {
        let after = before.get(place + letter.len_utf8()..).unwrap_or_default();
        *letter == '\n' || ".!?;".contains(*letter) && after.starts_with(char::is_whitespace)
    });
    let sentence = ends.and_then(|(place, letter)| before.get(place + letter.len_utf8()..));
    let sentence = sentence.or(Some(before));
    let words = sentence.unwrap_or_default().split_whitespace().rev();
    let bare = words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let bare = bare.filter(|word| !word.is_empty()).take(2 * WINDOW);
    bare.map(str::to_lowercase).collect()
}

/// The form of a file that the result is to be stored in.
fn written(text: &str, entity: &Entity) -> Option<Format> {
    const STORES: [&str; 19] = [
        "copy", "saved", "exported", "save", "store", "write", "export", "put", "keep", "create",
        "make", "generate", "produce", "turn", "convert", "need", "want", "output", "gather",
    ];
    const WRITES: [&str; 7] = [
        "write", "create", "make", "generate", "produce", "save", "export",
    ];
    const INTO: [&str; 9] = [
        "as", "to", "into", "in", "called", "named", "new", "fresh", "workbook",
    ];
    if !matches!(entity.kind, EntityKind::File | EntityKind::Path) {
        return None;
    }
    let (_, ending) = entity.text.rsplit_once('.')?;
    let format = match ending.to_lowercase().as_str() {
        "pdf" => Format::Pdf,
        "xlsx" => Format::Xlsx,
        "csv" => Format::Csv,
        "tsv" => Format::Tsv,
        "jsonl" | "ndjson" => Format::JsonLines,
        "md" => Format::Markdown,
        "html" | "htm" => Format::Html,
        "json" => Format::Json,
        "txt" => Format::Text,
        _ => return None,
    };
    let words = words_before(text, entity.place.start);
    // "export the top 3 of a.csv to b.csv": the verb may stand far before.
    let before = text.get(..entity.place.start).unwrap_or_default();
    let mut said = before.split_whitespace().map(str::to_lowercase);
    let stores =
        said.any(|word| ["export", "save", "write", "store", "copy"].contains(&word.as_str()));
    let to_file = words
        .first()
        .is_some_and(|word| *word == "to" || *word == "into");
    if stores && to_file && before.contains('.') {
        return Some(format);
    }
    let leads = words
        .iter()
        .take(3)
        .any(|word| INTO.contains(&word.as_str()));
    let leads = leads
        || words
            .first()
            .is_some_and(|word| WRITES.contains(&word.as_str()));
    let stores = words.iter().any(|word| STORES.contains(&word.as_str()));
    // "only the columns a and b of x.csv as y.csv"
    let others = before.split_whitespace().filter(|word| {
        let name = word.trim_end_matches([',', ':']);
        name.rsplit_once('.')
            .is_some_and(|(stem, ending)| !stem.is_empty() && (2..=5).contains(&ending.len()))
    });
    let others = others.count();
    let another = others > 0;
    // "merge all csv files in data into one file called all.csv"
    let merges = words
        .iter()
        .any(|word| ["merge", "combine", "concatenate", "stack", "join"].contains(&word.as_str()));
    let fresh = words
        .iter()
        .take(3)
        .any(|word| ["called", "named", "new", "one", "single"].contains(&word.as_str()));
    // "merge a.csv and b.csv into c.csv", but not "merge a.csv into b.csv"
    let stores = stores || merges && (fresh || to_file && others > 1);
    let stores = stores || another && words.first().is_some_and(|word| word == "as");
    (leads && stores).then_some(format)
}

#[cfg(test)]
mod tests {
    use super::super::entities::entities;
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Format]) {
        assert_eq!(formats(text, &entities(text)), expected, "{text}");
    }

    #[test]
    fn forms_are_asked_for() {
        check("summarise it as PDF", &[Format::Pdf]);
        check("I want an Excel sheet with the prices", &[Format::Xlsx]);
        check("answer in markdown please", &[Format::Markdown]);
        check(
            "Scrape competitor prices, analyze trends, make report",
            &[Format::Report],
        );
        check(
            "draw a bar chart and export everything to json",
            &[Format::Chart, Format::Json],
        );
        check("generate a nice PDF report", &[Format::Pdf, Format::Report]);
        check("visualise how it grows", &[Format::Chart]);
        check("save it as JSON lines", &[Format::JsonLines]);
    }

    #[test]
    fn files_that_are_written_have_a_form() {
        check("save it as people.csv", &[Format::Csv]);
        check("write a summary to /srv/lea/q2.md", &[Format::Markdown]);
        check(
            "merge all csv files in data into one file called all.csv",
            &[Format::Csv],
        );
        check("merge a.csv and b.csv into c.csv", &[Format::Csv]);
        check("merge a.csv into b.csv", &[]);
        check("read notes.txt", &[]);
        check("what does paper.pdf say?", &[]);
        check("Where did I put tax.pdf?", &[]);
    }

    #[test]
    fn what_is_read_is_no_form_of_the_result() {
        check("read the PDF", &[]);
        check("a folder full of PDFs", &[]);
        check("get the tables from this csv", &[]);
        check("what is in the weather report", &[]);
        check("translate \"make a report\"", &[]);
        check("", &[]);
    }
}
