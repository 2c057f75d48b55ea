//! Which of the files that a request names may a step change? Only one that is clearly
//! meant: the only one, one that is said to be written, or the one that is to be removed.

use crate::request::verbs::is_verb;
use crate::request::{Analysis, Entity, EntityKind};

/// What a step does to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Writes,
    Removes,
    /// Takes it elsewhere.
    Takes,
}

const NEGATIONS: [&str; 8] = [
    "not",
    "never",
    "don't",
    "dont",
    "mustn't",
    "shouldn't",
    "cannot",
    "no",
];
const KEEPS: [&str; 12] = [
    "keep",
    "keeping",
    "leave",
    "leaving",
    "preserve",
    "spare",
    "except",
    "excluding",
    "without",
    "but",
    "besides",
    "unless",
];
pub(super) const REMOVES: [&str; 9] = [
    "delete", "remove", "erase", "trash", "purge", "unlink", "wipe", "destroy", "discard",
];
const WRITES: [&str; 10] = [
    "overwrite",
    "replace",
    "update",
    "write",
    "save",
    "create",
    "append",
    "store",
    "export",
    "edit",
];
const TARGETS: [&str; 4] = ["to", "into", "onto", "as"];
const SOURCES: [&str; 9] = [
    "of", "from", "with", "using", "than", "like", "against", "in", "about",
];
const COMPARES: [&str; 10] = [
    "compare",
    "compared",
    "comparing",
    "similar",
    "according",
    "relative",
    "equal",
    "identical",
    "next",
    "close",
];
/// Words between a mark and its file.
#[rustfmt::skip]
const FILLERS: [&str; 21] = [
    "the", "a", "an", "my", "our", "file", "files", "called", "named", "new", "one", "single",
    "excel", "csv", "json", "workbook", "spreadsheet", "pdf", "html", "markdown", "text",
];
const JOINS: [&str; 6] = ["and", "or", "plus", "both", "also", "then"];

/// What the words before a file say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    Target,
    Source,
    Kept,
}

#[derive(Clone, Copy, Debug)]
struct Named<'a> {
    at: usize,
    text: &'a str,
    mark: Mark,
    clause: usize,
    /// The clause is about removing.
    removed: bool,
}

pub(super) fn is_file(entity: &Entity) -> bool {
    matches!(entity.kind, EntityKind::File | EntityKind::Path)
}

/// The files, by their place among the entities, that a step may do this to.
pub(super) fn changeable(analysis: &Analysis, deed: Deed) -> Vec<usize> {
    let files = named(analysis);
    let first = files.first().map_or("", |file| file.text);
    let alone = files.iter().all(|file| file.text == first);
    let is_kept = |text: &str| {
        files
            .iter()
            .any(|file| file.text == text && file.mark == Mark::Kept)
    };
    // Where removing is spoken of, it is of what stands with it.
    let says_removed = analysis
        .request
        .split(|letter: char| !letter.is_alphanumeric())
        .any(|word| REMOVES.contains(&word.to_lowercase().as_str()));
    let fits = |file: &&Named<'_>| match deed {
        _ if is_kept(file.text) => false,
        Deed::Writes => {
            file.mark == Mark::Target || alone && file.mark == Mark::Plain && !file.removed
        }
        Deed::Removes => {
            let beside = files.iter().filter(|other| other.clause == file.clause);
            file.mark == Mark::Plain
                && (alone && !says_removed || file.removed && beside.count() == 1)
        }
        Deed::Takes => matches!(file.mark, Mark::Plain | Mark::Source),
    };
    let fitting: Vec<usize> = files.iter().filter(fits).map(|file| file.at).collect();
    match deed {
        Deed::Writes => fitting,
        // Of several that could be meant, a person has to say which.
        Deed::Removes | Deed::Takes if fitting.len() == 1 || alone => fitting,
        Deed::Removes | Deed::Takes => Vec::new(),
    }
}

/// The files that the request says to leave alone.
pub(super) fn kept(analysis: &Analysis) -> Vec<usize> {
    let files = named(analysis).into_iter();
    let kept = files.filter(|file| file.mark == Mark::Kept);
    kept.map(|file| file.at).collect()
}

/// The files, by their place among the entities, with what the words before say of them.
pub(super) fn marks(analysis: &Analysis) -> Vec<(usize, Mark)> {
    let files = named(analysis).into_iter();
    files.map(|file| (file.at, file.mark)).collect()
}

fn named(analysis: &Analysis) -> Vec<Named<'_>> {
    let mut found: Vec<Named<'_>> = Vec::new();
    let mut told = Told::default();
    let mut from = 0;
    let files = analysis.entities.iter().enumerate();
    for (at, file) in files.filter(|(_, entity)| is_file(entity)) {
        let between = analysis.request.get(from..file.place.start);
        let between = between.unwrap_or_default().replace('\n', " ; ");
        let after = analysis.request.get(file.place.end..).unwrap_or_default();
        let words = told.read(&between);
        let is_joined = words
            .iter()
            .all(|word| JOINS.contains(&word.as_str()) || FILLERS.contains(&word.as_str()))
            && !between.contains(['.', ';', '!', '?']);
        let mark = match found.last() {
            _ if told.hold != Hold::Free => Mark::Kept,
            // "a.txt, b.txt and c.txt" are spoken of together.
            Some(last) if is_joined => last.mark,
            _ => mark(&words, after, told.compares),
        };
        found.push(Named {
            at,
            text: &file.text,
            mark,
            clause: told.clause,
            removed: told.removes,
        });
        from = file.place.end;
    }
    found
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Hold {
    #[default]
    Free,
    /// A negation that waits for its verb.
    Denied,
    Kept,
}

/// What was said so far.
#[derive(Debug)]
struct Told {
    hold: Hold,
    removes: bool,
    compares: bool,
    /// A verb would begin a clause here.
    begins: bool,
    clause: usize,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            hold: Hold::Free,
            removes: false,
            compares: false,
            begins: true,
            clause: 0,
        }
    }
}

impl Told {
    /// Reads on, and gives the words.
    fn read(&mut self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut tokens = text.split_whitespace().peekable();
        while let Some(token) = tokens.next() {
            let word = token.to_lowercase().replace('’', "'");
            let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            // "leave a note" gives something, "leave it" keeps.
            let gives = matches!(word, "leave" | "leaving")
                && matches!(tokens.peek(), Some(&("a" | "an" | "some")));
            if !word.is_empty() {
                self.word(if gives { "give" } else { word });
                words.push(word.to_owned());
            }
            if token.ends_with(['.', ';', '!', '?']) {
                *self = Self {
                    clause: self.clause + 1,
                    ..Self::default()
                };
            } else if token.ends_with([',', ':']) {
                self.begins = true;
            }
        }
        words
    }

    fn word(&mut self, word: &str) {
        let begins = std::mem::replace(&mut self.begins, false);
        if NEGATIONS.contains(&word) {
            self.hold = Hold::Denied;
        } else if KEEPS.contains(&word) {
            self.hold = Hold::Kept;
            self.begins = word == "but";
            self.clause += 1;
            self.removes = false;
        } else if JOINS.contains(&word) || word == "please" || word == "finally" {
            self.begins = true;
        } else if REMOVES.contains(&word) || (begins && is_verb(word)) {
            self.hold = match self.hold {
                Hold::Denied => Hold::Kept,
                Hold::Kept if !begins => Hold::Kept,
                Hold::Kept | Hold::Free => Hold::Free,
            };
            self.removes = REMOVES.contains(&word) && self.hold == Hold::Free;
            self.compares = false;
            self.clause += 1;
        }
        self.compares |= COMPARES.contains(&word);
    }
}

/// What the nearest word that says something says of the file after it.
fn mark(words: &[String], after: &str, compares: bool) -> Mark {
    let mut direct = true;
    let mut back = words.iter().rev().map(String::as_str);
    while let Some(word) = back.next() {
        if TARGETS.contains(&word) {
            let likens = word == "as" && matches!(back.next(), Some("same" | "such" | "well"));
            return match (direct, compares || likens) {
                (true, false) => Mark::Target,
                (true, true) => Mark::Source,
                (false, _) => Mark::Plain,
            };
        }
        if SOURCES.contains(&word) {
            return match word {
                "in" => Mark::Plain,
                _ => Mark::Source,
            };
        }
        if WRITES.contains(&word) || REMOVES.contains(&word) {
            let next = after.split_whitespace().next().unwrap_or_default();
            let is_over = word == "overwrite"
                || matches!(word, "replace" | "update") && next.eq_ignore_ascii_case("with");
            return if direct && is_over {
                Mark::Target
            } else {
                Mark::Plain
            };
        }
        direct &= FILLERS.contains(&word);
    }
    Mark::Plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files that may be written, and those that may be removed.
    #[track_caller]
    fn check(request: &str, written: &[&str], removed: &[&str]) {
        let analysis = Analysis {
            request: request.to_owned(),
            entities: crate::request::named(request),
            ..Analysis::default()
        };
        let texts = |deed: Deed| -> Vec<&str> {
            let places = changeable(&analysis, deed).into_iter();
            let entities = places.filter_map(|at| analysis.entities.get(at));
            entities.map(|entity| entity.text.as_str()).collect()
        };
        assert_eq!(texts(Deed::Writes), written, "{request}: written");
        assert_eq!(texts(Deed::Removes), removed, "{request}: removed");
    }

    #[test]
    fn only_a_target_is_written() {
        check(
            "overwrite sales.csv with the content of notes.md",
            &["sales.csv"],
            &[],
        );
        check("replace a.txt with b.txt", &["a.txt"], &[]);
        check(
            "describe sales.csv and save it to totals.csv",
            &["totals.csv"],
            &[],
        );
        check(
            "save the totals of the year as the file totals.csv",
            &["totals.csv"],
            &[],
        );
        check("write a summary of notes.md", &[], &[]);
        check("compare a.csv to b.csv", &[], &[]);
        check("save all in a.csv but do not write to b.csv", &[], &[]);
    }

    #[test]
    fn only_what_is_to_go_is_removed() {
        check("delete old.txt but keep words.txt", &[], &["old.txt"]);
        check("delete old.txt and words.txt", &[], &[]);
        check("read words.txt and delete old.txt", &[], &["old.txt"]);
        check("delete old.txt", &[], &["old.txt"]);
        check("do not delete old.txt", &[], &[]);
        check("read old.txt and delete the cache", &["old.txt"], &[]);
        check("delete all but words.txt", &[], &[]);
        check("delete all files except the notes and words.txt", &[], &[]);
        check(
            "delete old.txt and save the rest to words.txt",
            &["words.txt"],
            &["old.txt"],
        );
    }
}
