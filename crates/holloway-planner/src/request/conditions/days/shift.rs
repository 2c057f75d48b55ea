//! Which day is so far from another? "three weeks before 15 May 2026", "45 days ago", "15 May
//! 2026 minus two weeks", "subtract 10 days from 1 March", "in half a year".

use std::sync::LazyLock;

use regex::Regex;

use super::super::{Condition, Told};
use super::{DAY, is_day, span};

/// Words around the question that say only that a date is asked for.
const FRAME: [&str; 47] = [
    "please",
    "can",
    "could",
    "you",
    "tell",
    "me",
    "give",
    "show",
    "find",
    "calculate",
    "compute",
    "work",
    "out",
    "determine",
    "on",
    "what",
    "what's",
    "whats",
    "which",
    "is",
    "was",
    "will",
    "would",
    "it",
    "be",
    "the",
    "date",
    "dates",
    "day",
    "that",
    "then",
    "falls",
    "fall",
    "of",
    "week",
    "weekday",
    "when",
    "when's",
    "exactly",
    "calendar",
    "do",
    "does",
    "i",
    "we",
    "get",
    "if",
    "have",
];

/// Which way the words go from the day.
#[derive(Clone, Copy)]
enum Way {
    On,
    Back,
}

impl Way {
    fn signed(self, count: i64) -> i64 {
        match self {
            Self::On => count,
            Self::Back => -count,
        }
    }
}

const BACK: &str = "before|prior to|previous to|preceding|earlier than|ahead of|until|till|ago,? (?:from|of|on|counting from|as of)|\
    (?:back|backwards?|earlier|before),? (?:from|counting from)";
const ON: &str = "after|from|past|following|later than|since|beyond|(?:on|onwards?|forwards?|ahead|hence|later|away),? from";

static RULES: LazyLock<Vec<(Regex, Way)>> = LazyLock::new(|| {
    let span = "(?<s>.+?)";
    let rules = [
        (
            format!("(?:going |go |counting |count )?{span} (?:{BACK}) (?<a>{DAY})"),
            Way::Back,
        ),
        (
            format!(
                "(?:going |go |counting |count |moving |move )?back(?:wards?)?(?: by)? {span}(?: (?:from|before) (?<a>{DAY}))?"
            ),
            Way::Back,
        ),
        (
            format!("{span} from (?<a>{DAY}) (?:back|backwards?)"),
            Way::Back,
        ),
        (
            format!("(?:from )?(?<a>{DAY}),? (?:go(?:ing)?|count(?:ing)?) back {span}"),
            Way::Back,
        ),
        (
            format!(
                "(?:subtract|take|deduct|remove|substract|minus)(?: away)? {span} (?:from|off) (?<a>{DAY})"
            ),
            Way::Back,
        ),
        (
            format!("(?<a>{DAY}) (?:minus|less|-|–|−) {span}"),
            Way::Back,
        ),
        (format!("{span} (?:ago|back|earlier|before)"), Way::Back),
        (
            format!("(?:adding |add |plus ){span} (?:to|onto) (?<a>{DAY})"),
            Way::On,
        ),
        (format!(r"(?<a>{DAY}) (?:plus|\+) {span}"), Way::On),
        (
            format!("(?:in )?{span} (?:{ON}) (?<a>{DAY})(?: on| onwards?| forwards?)?"),
            Way::On,
        ),
        (
            format!(
                "(?:going |go |counting |count |moving |move )(?:forward|forwards|ahead|on)(?: by)? {span}(?: from (?<a>{DAY}))?"
            ),
            Way::On,
        ),
        (format!("{span} (?:hence|later|ahead|from here)"), Way::On),
        (format!("in {span}(?:' time|'s time)?"), Way::On),
    ];
    let read = |(rule, way): (String, Way)| {
        let rule = format!("(?i)^{rule}$");
        Some((Regex::new(&rule).ok()?, way))
    };
    rules.into_iter().filter_map(read).collect()
});

static SEEN_FROM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let rule = format!(
        "(?i)^(?:counting |starting |seen |if today is |as of )?(?:from )?(?<a>{DAY}),? (?<rest>(?:what|which) .+)$"
    );
    Regex::new(&rule).ok()
});

/// The day that is asked for; an error with the time that is not understood.
pub(super) fn read(text: &str) -> Option<Result<Condition, String>> {
    let text = text.replace('’', "'");
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    // "from 15 May 2026, which date was three weeks ago".
    if let Some(seen) = SEEN_FROM.as_ref()?.captures(text)
        && let Some(from) = day(seen.name("a")?.as_str())
        && let Ok(Condition::Shift {
            date: None,
            by,
            what,
        }) = shifted(seen.name("rest")?.as_str())?
    {
        let date = Some(from);
        return Some(Ok(Condition::Shift { date, by, what }));
    }
    shifted(text)
}

fn shifted(text: &str) -> Option<Result<Condition, String>> {
    let core = bare(text);
    let mut unread = None;
    for (rule, way) in &*RULES {
        let Some(found) = rule.captures(core) else {
            continue;
        };
        let date = found.name("a").map(|said| day(said.as_str()));
        let (Some(said), None | Some(Some(_))) = (found.name("s"), &date) else {
            continue;
        };
        match span::read(said.as_str()) {
            Some(by) => {
                let (date, what) = (date.flatten(), told(text));
                let by = by.into_iter().map(|(unit, by)| (unit, way.signed(by)));
                let by = by.collect();
                return Some(Ok(Condition::Shift { date, by, what }));
            }
            // "10 working days after 15 May": to count other days would be wrong.
            None if date.is_some() && span::is_meant(said.as_str()) => {
                unread.get_or_insert_with(|| said.as_str().to_owned());
            }
            None => {}
        }
    }
    unread.map(Err)
}

/// What of the day is asked for.
fn told(text: &str) -> Told {
    let text = text.to_lowercase();
    let asks = ["day of the week", "weekday", "week day"];
    if asks.iter().any(|words| text.contains(words)) {
        Told::Weekday
    } else {
        Told::Date
    }
}

/// A day as said, if it is one.
fn day(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(',');
    let lower = text.to_lowercase();
    if matches!(
        lower.trim_start_matches("the "),
        "today's date" | "todays date" | "current date" | "date today" | "date of today"
    ) {
        return Some("today".to_owned());
    }
    is_day(text).then(|| text.to_owned())
}

/// The request without the words that only ask: before it, and after a comma or "which".
fn bare(text: &str) -> &str {
    let is_frame = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        FRAME.contains(&word.to_lowercase().as_str())
    };
    let mut end = text.len();
    for (at, _) in text.match_indices([' ', ',']).filter(|(at, _)| *at > 0) {
        let tail = text.get(at + 1..).unwrap_or_default().trim();
        let asks = tail.split_whitespace().next().is_some_and(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "what" | "which" | "what's" | "on"
            )
        });
        if asks && tail.split_whitespace().all(is_frame) && tail.contains(' ') {
            end = at;
            break;
        }
    }
    let mut core = text.get(..end).unwrap_or_default().trim();
    // "today's date plus 90 days": what is left must not lose its day.
    while let Some((word, rest)) = core.split_once(' ')
        && is_frame(word)
    {
        core = rest.trim_start();
    }
    core.trim_end_matches([',', ' ', ':'])
}
