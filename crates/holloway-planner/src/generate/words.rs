//! Which words does a plan carry? Its title, the names of its files, and which words of a
//! request only say in which form the result is wanted.

use holloway_search::words::{each_word, is_empty_word, stem};

use super::inputs::clip;
pub(super) use crate::catalogue::ports::stems;
use crate::request::{Analysis, Entity, EntityKind};

const TITLE_AT_MOST: usize = 80;
const SLUG_WORDS: usize = 5;
/// Words that lead to something, and say nothing where that was left out.
const LEADING: [&str; 14] = [
    "from", "of", "at", "in", "on", "for", "to", "into", "with", "and", "the", "a", "as", "by",
];

/// What the result is called: the intent, as a heading.
pub(super) fn title(analysis: &Analysis) -> String {
    let text = match analysis.intent.trim() {
        "" => analysis.request.trim(),
        intent => intent,
    };
    let text = with_names_of_files(analysis, text);
    let text = without_places(analysis, &text);
    let plain: String = text
        .chars()
        .filter(|letter| !"{}".contains(*letter))
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let leads = |word: &&str| LEADING.contains(&word.to_lowercase().as_str());
    let end = words
        .iter()
        .rposition(|word| !leads(word))
        .map_or(0, |last| last + 1);
    let plain = words.get(..end).unwrap_or_default().join(" ");
    let plain = plain.trim_end_matches(['.', '!', '?', ',', ';', ':']);
    let mut letters = plain.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let title = format!("{}{}", first.unwrap_or_default(), letters.as_str());
    match clip(&title, TITLE_AT_MOST) {
        title if title.is_empty() => "Result".to_owned(),
        title => title,
    }
}

/// A name for a file, from the same words.
pub(super) fn slug(analysis: &Analysis) -> String {
    let mut words: Vec<String> = Vec::new();
    each_word(&title(analysis), |word| {
        let plain = word.chars().all(|letter| letter.is_ascii_alphanumeric());
        if plain && !is_empty_word(word) && words.len() < SLUG_WORDS {
            words.push(word.to_lowercase());
        }
    });
    match words.join("-") {
        name if name.is_empty() => "result".to_owned(),
        name => clip(&name, 60),
    }
}

/// A file in a heading is called by its name alone.
fn with_names_of_files(analysis: &Analysis, text: &str) -> String {
    let mut text = text.to_owned();
    for file in analysis.entities.iter().filter(|entity| is_file(entity)) {
        let name = file.text.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = name
            .split('.')
            .find(|part| !part.is_empty())
            .unwrap_or_default();
        text = text.replace(&file.text, stem);
    }
    text
}

/// A text in which files stand by their kind: "save it as csv" for "save it as a.csv".
pub(super) fn with_kinds_of_files(analysis: &Analysis, text: &str) -> String {
    let mut text = text.to_owned();
    for file in analysis.entities.iter().filter(|entity| is_file(entity)) {
        let kind = file.text.rsplit_once('.').map_or("file", |(_, kind)| kind);
        text = text.replace(&file.text, kind);
    }
    without_places(analysis, &text)
}

fn is_file(entity: &Entity) -> bool {
    matches!(entity.kind, EntityKind::Path | EntityKind::File) && !entity.text.is_empty()
}

/// A text without what it names by number or place: that says nothing about what is to be
/// done with it.
pub(super) fn without_values(analysis: &Analysis, text: &str) -> String {
    let mut text = without_places(analysis, text);
    for entity in &analysis.entities {
        let is_value = matches!(
            entity.kind,
            EntityKind::Number
                | EntityKind::Quantity
                | EntityKind::Money
                | EntityKind::Date
                | EntityKind::Time
                | EntityKind::Code
        );
        if is_value && !entity.text.is_empty() {
            text = text.replace(&entity.text, " ");
        }
    }
    text
}

/// A text without the addresses and files it names.
pub(super) fn without_places(analysis: &Analysis, text: &str) -> String {
    let mut text = text.to_owned();
    for entity in &analysis.entities {
        let is_place = matches!(
            entity.kind,
            EntityKind::Url | EntityKind::Email | EntityKind::Path | EntityKind::File
        );
        if is_place && !entity.text.is_empty() {
            text = text.replace(&entity.text, " ");
        }
    }
    text
}

/// Whether a part of a request only wants to be told the answer: "tell me what changed".
pub(super) fn is_about_telling(text: &str) -> bool {
    let mut words = text.split_whitespace().map(str::to_lowercase);
    let verb = words.next().unwrap_or_default();
    let whom = words.next().unwrap_or_default();
    ["tell", "show", "give", "let"].contains(&verb.as_str())
        && ["me", "us"].contains(&whom.as_str())
}

/// Whether a part of a request is only about the form of the result: "make a PDF report".
pub(super) fn is_about_form(text: &str) -> bool {
    const FORMS: [&str; 19] = [
        "md",
        "xml",
        "yaml",
        "txt",
        "xls",
        "report",
        "pdf",
        "html",
        "markdown",
        "csv",
        "excel",
        "xlsx",
        "spreadsheet",
        "workbook",
        "json",
        "document",
        "file",
        "page",
        "webpage",
    ];
    const VERBS: [&str; 28] = [
        "convert",
        "turn",
        "transform",
        "change",
        "want",
        "make",
        "create",
        "generate",
        "write",
        "build",
        "produce",
        "give",
        "export",
        "save",
        "output",
        "prepare",
        "result",
        "finding",
        "show",
        "put",
        "send",
        "short",
        "final",
        "format",
        "as",
        "nice",
        "detailed",
        "summary",
    ];
    let is_one = |stems: &[&str], word: &String| stems.iter().any(|own| stem(own) == *word);
    // "list them in a csv file" says where to put them.
    let lower = text.to_lowercase();
    let text = ["list them", "list it", "list all of them"]
        .iter()
        .fold(lower, |text, list| text.replace(list, "give"));
    let words = stems(&text);
    words.iter().any(|word| is_one(&FORMS, word))
        && words
            .iter()
            .all(|word| is_one(&FORMS, word) || is_one(&VERBS, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::named;

    fn of(request: &str) -> Analysis {
        Analysis {
            request: request.to_owned(),
            entities: named(request),
            ..Analysis::default()
        }
    }

    #[track_caller]
    fn check(request: &str, heading: &str, file: &str) {
        let analysis = of(request);
        assert_eq!(title(&analysis), heading);
        assert_eq!(slug(&analysis), file);
    }

    #[test]
    fn results_are_called_after_the_request() {
        check(
            "audit https://example.com/ for SEO",
            "Audit for SEO",
            "audit-seo",
        );
        check(
            "Describe data/sales.csv.",
            "Describe sales",
            "describe-sales",
        );
        check("{{ input.x }}", "Input.x", "input-x");
        check("", "Result", "result");
        check("売上", "売上", "result");
    }

    #[test]
    fn some_words_are_only_about_the_form() {
        for (text, expected) in [
            ("make a PDF report", true),
            ("save it as csv", true),
            ("make a plan", false),
            ("report the outliers", false),
            ("", false),
        ] {
            assert_eq!(is_about_form(text), expected, "{text}");
        }
    }
}
