//! Is a day of the calendar asked for? "what day of the week is 2026-12-24", "how many days
//! until Christmas", "the date 30 days after 16 November". Days stay as they were said: who
//! knows what day it is today reads them.

mod shift;
mod span;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::super::entities::is_day;
use super::{Condition, Said, Told, Unit};

const DAY: &str = "[a-z0-9 ,./'’-]{2,40}?";
const UNITS: &str = "days|weeks|months|years";
/// Whoever has an age.
const WHO: &str = "(?:[a-z']+ ){1,8}?";

type Read = fn(&Captures<'_>) -> Option<Condition>;

static RULES: LazyLock<Vec<(Regex, Read)>> = LazyLock::new(|| {
    let asks = format!(
        r"(?:how many |number of |count (?:the )?|what is the number of )?(?<u>{UNITS})(?: are| is| do| lie| left| remain| remaining| there| it| we| have| go| passed)*"
    );
    let rules: [(String, Read); 12] = [
        (format!(r"{asks} (?:until|till|to|before) (?<b>{DAY})"), between),
        (format!(r"{asks} (?:between|from) (?<a>{DAY}) (?:and|to|until|till) (?<b>{DAY})"), between),
        (format!(r"{asks} (?:since|after) (?<a>{DAY})"), between),
        (format!(r"how long (?:is it|is there|does it take)?\s*(?:from|between) (?<a>{DAY}) (?:to|and|until|till) (?<b>{DAY})"), between),
        (format!(r"how long (?:is it )?(?:until|till|to) (?<b>{DAY})"), between),
        (format!(r"(?:on )?(?:what|which) (?:day of the week|weekday|week day|day)(?: is| was| will| does| do| it| be)* (?<a>{DAY})(?: be| fall| fall on| falls on)?"), weekday),
        (r"(?:what is |what's |whats |tell me |give me )?(?:today's date|todays date|the date today|the date of today|the current date|what date is (?:it )?today|which date is (?:it )?today)".to_owned(), today),
        (format!(r"{asks} ago (?:was|is|were) (?<a>{DAY})"), between),
        (format!(r"how long ago (?:was|is) (?<a>{DAY})"), between),
        (format!(r"(?:tell me )?(?:how old|what age|(?:what is |what's |calculate )?the age of) {WHO}born (?:on )?(?<a>{DAY})(?: be| turn)?(?:,? (?:on|by|at) (?<b>{DAY}))?"), age),
        (format!(r"(?:tell me )?(?:how old|what age) {WHO}(?:on|by|at) (?<b>{DAY}),? (?:if|when|given) {WHO}born (?:on )?(?<a>{DAY})"), age),
        (r"(?:is|was|will) (?<y>\d{4})(?: be)? a leap[ -]year".to_owned(), leap),
    ];
    let read = |(rule, read): (String, Read)| {
        let rule = format!(r"(?i)^\W*(?:please )?{rule}\W*$");
        Some((Regex::new(&rule).ok()?, read))
    };
    rules.into_iter().filter_map(read).collect()
});

/// What a request asks of the calendar, if it asks for nothing else; an error with the part
/// of it that is not understood.
pub(super) fn read(text: &str) -> Option<Result<Said, String>> {
    let condition = RULES
        .iter()
        .find_map(|(rule, read)| read(&rule.captures(text)?));
    let condition = match condition {
        Some(condition) => Ok(condition),
        None => shift::read(text)?,
    };
    let place: Range<usize> = 0..text.len();
    Some(condition.map(|condition| Said { condition, place }))
}

/// A day, as said; an error where the words are none.
fn day(found: &Captures<'_>, name: &str) -> Result<Option<String>, NoDay> {
    match found.name(name).map(|part| part.as_str().trim()) {
        None => Ok(None),
        Some(text) if is_day(text) => Ok(Some(text.to_owned())),
        Some(_) => Err(NoDay),
    }
}

struct NoDay;

fn unit(found: &Captures<'_>) -> Option<Unit> {
    let word = found.name("u").map(|part| part.as_str().to_lowercase());
    Some(
        match word.as_deref().map(|word| word.trim_end_matches('s')) {
            None | Some("day") => Unit::Days,
            Some("week") => Unit::Weeks,
            Some("month") => Unit::Months,
            Some("year") => Unit::Years,
            Some(_) => return None,
        },
    )
}

fn between(found: &Captures<'_>) -> Option<Condition> {
    let (from, to) = (day(found, "a").ok()?, day(found, "b").ok()?);
    let unit = unit(found)?;
    Some(Condition::Between { from, to, unit })
}

fn weekday(found: &Captures<'_>) -> Option<Condition> {
    let date = day(found, "a").ok()?;
    let what = Told::Weekday;
    Some(Condition::Day { date, what })
}

fn today(found: &Captures<'_>) -> Option<Condition> {
    found.get(0)?;
    let what = Told::Date;
    Some(Condition::Day { date: None, what })
}

fn leap(found: &Captures<'_>) -> Option<Condition> {
    let date = Some(format!("{}-01-01", found.name("y")?.as_str()));
    let what = Told::LeapYear;
    Some(Condition::Day { date, what })
}

/// Whole years since a birth.
fn age(found: &Captures<'_>) -> Option<Condition> {
    let (from, to) = (day(found, "a").ok()?, day(found, "b").ok()?);
    let unit = Unit::Years;
    from.is_some()
        .then_some(Condition::Between { from, to, unit })
}
