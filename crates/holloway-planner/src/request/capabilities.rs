//! What has to be done? Clauses that lead with a verb or ask something, in order; lists
//! after "including" and the like count item by item; deadlines and forms count as none.

use std::ops::Range;
use std::sync::LazyLock;

use holloway_search::words::{is_empty_word, terms};
use regex::Regex;

use super::denial::{is_denied, without_denial};
use super::parts::{part_at, parts};
use super::verbs::{Lead, is_order, lead};
use super::{Capability, Entity, EntityKind};
use crate::catalogue::Catalogue;

mod categories;

use categories::Categories;

/// What is done to each item of a list that follows.
const COVERS: [&str; 17] = [
    "audit", "check", "analyse", "analyze", "analysis", "review", "report", "test", "research",
    "scan", "examine", "inspect", "evaluate", "assess", "look", "overview", "perform",
];
const SENTENCE_ENDS: [char; 5] = ['.', '!', '?', ';', '\n'];
const LISTS_AT_MOST: usize = 16;
const ITEMS_AT_MOST: usize = 12;
const PIECES_AT_MOST: usize = 100;
const WORDS_OF_ITEM: usize = 4;

static LIST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let leads = r"including|such as|covering|namely|with (?:a )?focus on|in terms of|regarding|:";
    Regex::new(&format!(
        r"(?i)(?:\b(?:{leads})|:)\s+(?<list>[^.;!?:\n]{{2,300}})"
    ))
    .ok()
});
static BORDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i),?\s+(?:and then|then|and finally|finally|after that)\s+").ok()
});
static PIECES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let next = "and then|then|and also|after that|afterwards|and finally|finally|next|also|followed by|as well as";
    Regex::new(&format!(
        r"(?i)[.?!;:]\s+|,?\s+(?:{next})\s+|,\s+(?:and\s+)?|\s+and\s+|\n+|[。！？；，、]\s*"
    ))
    .ok()
});
static BETWEEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\s*,\s*(?:and|or)\s+|\s*,\s*|\s+and\s+|\s*&\s*|\s+as well as\s+").ok()
});
static CIRCUMSTANCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\W*(?:as|in|within|under|below|by|for|at most|at least|no more than|up to|before|asap|quickly|fast|cheaply|please|thanks|thank you|max|budget|hello|hi|hey|good (?:morning|evening|day))\b",
    )
    .ok()
});
/// Asks for help in general, or only leads on.
static HELP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let help = "(?:can|could|would|will) you (?:please )?(?:help|assist)(?: me| us)?(?: out)?(?: (?:with|on|in) (?:that|this|it))?";
    let how = "how (?:can|could|do|should) (?:i|we) do (?:that|this|it)";
    let on = "additionally|furthermore|moreover|in addition|lastly|firstly|secondly|also|finally|besides|please";
    Regex::new(&format!(r"(?i)^\W*(?:{help}|{how}|{on})\W*$")).ok()
});
/// What a circumstance consists of, beside empty words.
#[rustfmt::skip]
const CIRCUMSTANTIAL: &[&str] = &[
    "within", "below", "friday", "monday", "later", "today", "noon",
    "pdf", "excel", "sheet", "csv", "markdown", "html", "json", "xlsx", "spreadsheet", "text",
    "plain", "format", "file", "document", "report", "chart", "minute", "minutes", "seconds",
    "second", "hour", "hours", "day", "days", "dollars", "dollar", "euros", "euro", "cents",
    "less", "budget", "limit", "possible", "soon", "asap", "quickly", "fast", "cheaply", "thanks",
    "thank", "advance", "please", "max", "maximum", "hello", "hi", "hey", "morning", "evening",
    "total", "least", "week", "tomorrow", "tonight", "end", "deadline", "nice", "good",
];

/// What the text asks to be done, in its order.
pub(crate) fn capabilities(
    text: &str,
    entities: &[Entity],
    catalogue: &Catalogue,
) -> Vec<Capability> {
    let categories = Categories::of(catalogue);
    let parts = parts(text);
    let lists = lists(text, entities, &categories);
    let mut found = clauses(text, &lists, entities);
    for item in lists.iter().flat_map(|list| &list.items) {
        found.push((item.start, item.clone()));
    }
    found.sort_by_key(|(at, _)| *at);
    let capability = |place: Range<usize>| {
        let said = tidy(text.get(place.clone()).unwrap_or_default());
        Capability {
            category: categories.named(&said),
            clause: part_at(&parts, place.start),
            text: said,
        }
    };
    let found = found.into_iter().map(|(_, place)| capability(place));
    found.filter(|found| !found.text.is_empty()).collect()
}

/// The clauses that ask for something, without the lists in them.
fn clauses(text: &str, lists: &[List], entities: &[Entity]) -> Vec<(usize, Range<usize>)> {
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    // Where the sentence began, and where the text began, while nothing was asked yet.
    let mut context: Option<usize> = None;
    let mut told: Option<usize> = None;
    let mut pending: Option<usize> = None;
    let mut denied = false;
    for piece in pieces(text, entities) {
        let place = without_denial(text, without_lists(piece, lists));
        let said = text.get(place.clone()).unwrap_or_default();
        if said.trim().is_empty() {
            continue;
        }
        if is_circumstance(said, place.start, entities) {
            // "In a.yaml, …" says where the next thing is done.
            let names_place = |it: &Entity| {
                is_place(it) && place.start <= it.place.start && it.place.end <= place.end
            };
            if found.is_empty() && entities.iter().any(names_place) {
                context = context.or(Some(place.start));
            }
            continue;
        }
        // A single word that can be a verb is more often a noun.
        let is_single = said.split_whitespace().nth(1).is_none();
        let asks = !is_item(text, &place)
            && lead(said) != Lead::Other
            && (!is_single || found.is_empty() || is_order(said.trim()));
        // What is not to be done reaches as far as the next thing that is.
        let begins = text.get(..place.start).unwrap_or_default().trim_end();
        denied = is_denied(said) || denied && !asks && !begins.ends_with(SENTENCE_ENDS);
        if denied {
            continue;
        }
        match found.last_mut() {
            None if asks => {
                // What stands before it in its sentence belongs to it.
                let before = context.and_then(|start| Some((start, text.get(start..place.start)?)));
                let joined = before.filter(|(_, before)| !has_sentence_end(before));
                let start = joined.map_or(place.start, |(start, _)| start);
                found.push((start, start..place.end));
            }
            Some(_) if asks => {
                let start = pending.take().unwrap_or(place.start);
                found.push((start, start..place.end));
            }
            // "After that is done, …" belongs to what comes next.
            Some(_) if leads_on(text, &place) => pending = Some(place.start),
            // A piece without a verb belongs to what was asked before it.
            Some((_, last))
                if !lists
                    .iter()
                    .any(|list| list.place.end > last.end && list.place.end <= place.start) =>
            {
                last.end = place.end;
            }
            Some(_) => {}
            None => {
                let ended = context.and_then(|start| text.get(start..place.start));
                let ended = ended.is_some_and(has_sentence_end);
                context = if ended {
                    Some(place.start)
                } else {
                    context.or(Some(place.start))
                };
                told = told.or(Some(place.start));
            }
        }
    }
    // Nothing is asked in so many words: all that was said is what is wanted.
    if found.is_empty()
        && let Some(start) = told
    {
        let end = lists.first().map_or(text.len(), |list| list.place.start);
        found.push((start, start..end.max(start)));
    }
    found
}

/// After a colon, "rent 1200" is one of the things that something is done with.
fn is_item(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default().trim_end();
    let said = text.get(place.clone()).unwrap_or_default();
    let second = said.split_whitespace().nth(1).unwrap_or_default();
    before.ends_with(':') && second.starts_with(|letter: char| letter.is_ascii_digit())
}

/// A point within a name ends no sentence.
fn has_sentence_end(text: &str) -> bool {
    let mut ends = text.match_indices(SENTENCE_ENDS);
    ends.any(|(at, end)| {
        let after = text
            .get(at + end.len()..)
            .and_then(|rest| rest.chars().next());
        after.is_none_or(char::is_whitespace)
    })
}

/// Does the text say what is not to be done?
pub(crate) fn denies(text: &str, entities: &[Entity]) -> bool {
    let pieces = pieces(text, entities).into_iter();
    let mut said = pieces.filter_map(|piece| text.get(piece));
    said.any(is_denied)
}

/// Does it begin a sentence that has yet to say what to do?
fn leads_on(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default().trim_end();
    let said = text.get(place.clone()).unwrap_or_default().trim_start();
    let first = said
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let leads = [
        "after", "once", "when", "if", "before", "for", "with", "based",
    ];
    before.ends_with(SENTENCE_ENDS) && leads.contains(&first.as_str())
}

/// The text between commas, ends of sentences and words like "then"; what stands inside an
/// entity is no border.
fn pieces(text: &str, entities: &[Entity]) -> Vec<Range<usize>> {
    let Some(rule) = &*PIECES else {
        return std::iter::once(0..text.len()).collect();
    };
    let inside = |at: usize| {
        entities
            .iter()
            .any(|it| it.place.start < at && at < it.place.end)
    };
    let mut pieces = Vec::new();
    let mut from = 0;
    for border in rule
        .find_iter(text)
        .filter(|border| !inside(border.start()))
    {
        if pieces.len() >= PIECES_AT_MOST {
            break;
        }
        pieces.push(from..border.start());
        from = border.end();
    }
    pieces.push(from..text.len());
    pieces
}

/// The stretch of a clause before the first list in it, or after it.
fn without_lists(part: Range<usize>, lists: &[List]) -> Range<usize> {
    let mut place = part;
    for list in lists {
        if list.place.start >= place.end || list.place.end <= place.start {
            continue;
        }
        if list.place.start > place.start {
            place.end = list.place.start;
        } else {
            place.start = list.place.end.min(place.end);
        }
    }
    place
}

fn is_circumstance(said: &str, start: usize, entities: &[Entity]) -> bool {
    if HELP.as_ref().is_some_and(|rule| rule.is_match(said)) {
        return true;
    }
    if !CIRCUMSTANCE
        .as_ref()
        .is_some_and(|rule| rule.is_match(said))
    {
        return false;
    }
    let mut at = start;
    let mut content = false;
    for word in said.split_inclusive(char::is_whitespace) {
        let is_entity = entities
            .iter()
            .any(|it| it.place.start < at + word.len() && at < it.place.end);
        at += word.len();
        let bare = word
            .trim_matches(|letter: char| !letter.is_alphanumeric())
            .to_lowercase();
        let says_nothing =
            bare.is_empty() || is_empty_word(&bare) || CIRCUMSTANTIAL.contains(&bare.as_str());
        content |= !is_entity && !says_nothing;
    }
    !content
}

/// A list of things that are all to be done.
struct List {
    /// With the word that leads to it.
    place: Range<usize>,
    items: Vec<Range<usize>>,
}

fn lists(text: &str, entities: &[Entity], categories: &Categories<'_>) -> Vec<List> {
    let (Some(rule), Some(border), Some(between)) = (&*LIST, &*BORDER, &*BETWEEN) else {
        return Vec::new();
    };
    let mut lists = Vec::new();
    for hit in rule.captures_iter(text).take(LISTS_AT_MOST) {
        let (Some(whole), Some(list)) = (hit.get(0), hit.name("list")) else {
            continue;
        };
        let end = border
            .find(list.as_str())
            .map_or(list.len(), |border| border.start());
        let said = list.as_str().get(..end).unwrap_or_default();
        let items = items(said, list.start(), between);
        let head = text.get(..whole.start()).unwrap_or_default();
        let head = head
            .rsplit(['.', '!', '?', ';', '\n'])
            .next()
            .unwrap_or_default();
        let named = |item: &Range<usize>| {
            let overlaps = |it: &Entity| it.place.start <= item.end && item.start < it.place.end;
            entities.iter().any(|it| is_literal(it) && overlaps(it))
        };
        if items.iter().any(named) {
            continue;
        }
        if is_of_tasks(
            text,
            head,
            &items,
            categories,
            whole.as_str().starts_with(':'),
        ) {
            lists.push(List {
                place: whole.start()..list.start() + end,
                items,
            });
        }
    }
    lists
}

fn items(list: &str, start: usize, between: &Regex) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut from = 0;
    let ends = between.find_iter(list).map(|hit| hit.range());
    for gap in ends.chain(std::iter::once(list.len()..list.len())) {
        let item = list.get(from..gap.start).unwrap_or_default();
        let words = item.split_whitespace().count();
        // What leads with a verb or runs on is the next clause, not an item.
        if words > WORDS_OF_ITEM || items.len() >= ITEMS_AT_MOST {
            break;
        }
        if words > 0 {
            let blank = item.len() - item.trim_start().len();
            items.push(start + from + blank..start + from + blank + item.trim().len());
        }
        from = gap.end;
    }
    items
}

fn is_place(entity: &Entity) -> bool {
    use EntityKind::{File, Path, Url};
    matches!(entity.kind, Url | File | Path)
}

fn is_literal(entity: &Entity) -> bool {
    use EntityKind::{Email, File, Path, Quoted, Url};
    matches!(entity.kind, Url | Email | Path | File | Quoted)
}

/// Things to be done, or merely things?
fn is_of_tasks(
    text: &str,
    head: &str,
    items: &[Range<usize>],
    categories: &Categories<'_>,
    after_colon: bool,
) -> bool {
    let said = |item: &Range<usize>| text.get(item.clone()).unwrap_or_default();
    let known = items
        .iter()
        .filter(|item| categories.own(said(item)).is_some())
        .count();
    let told = items
        .iter()
        .filter(|item| matches!(lead(said(item)), Lead::Verb { .. }))
        .count();
    let covers = terms(head).iter().any(|term| {
        COVERS
            .iter()
            .any(|word| holloway_search::words::stem(word) == *term)
    });
    match items.len() {
        0 => false,
        count if after_colon => known.max(told) * 2 > count,
        count => known * 2 >= count || covers && count >= 2,
    }
}

/// Without leading connectives and the marks around it.
fn tidy(said: &str) -> String {
    const LEADS: [&str; 9] = [
        "and ",
        "then ",
        "also ",
        "finally ",
        "but ",
        "afterwards ",
        "next ",
        "or ",
        "please ",
    ];
    const TAILS: [&str; 9] = [
        " and then",
        " and",
        " then",
        " also",
        " including",
        " such as",
        " finally",
        " or",
        " please",
    ];
    let mut said = said;
    loop {
        let before = said.len();
        said =
            said.trim_matches(|letter: char| letter.is_whitespace() || ",;.:!?".contains(letter));
        for lead in LEADS {
            if said
                .get(..lead.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(lead))
            {
                said = said.get(lead.len()..).unwrap_or_default();
            }
        }
        for tail in TAILS {
            let cut = said.len().saturating_sub(tail.len());
            if said
                .get(cut..)
                .is_some_and(|end| end.eq_ignore_ascii_case(tail))
            {
                said = said.get(..cut).unwrap_or_default();
            }
        }
        if said.len() == before {
            return said.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
}

#[cfg(test)]
mod tests;
