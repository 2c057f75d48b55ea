//! Which day is meant? "2026-12-24", "24 December 2026", "Dec 24", "Friday", "tomorrow",
//! "Christmas". A day without its year is the next one, today included.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
/// Days that have a name, by month and day.
const NAMED: [(&str, i8, i8); 12] = [
    ("christmas eve", 12, 24),
    ("christmas day", 12, 25),
    ("christmas", 12, 25),
    ("xmas", 12, 25),
    ("boxing day", 12, 26),
    ("new year's eve", 12, 31),
    ("new years eve", 12, 31),
    ("new year's day", 1, 1),
    ("new year", 1, 1),
    ("valentine's day", 2, 14),
    ("halloween", 10, 31),
    ("independence day", 7, 4),
];

pub(super) fn day(text: &str, today: Date) -> Option<Date> {
    let text = text.trim().to_lowercase().replace('’', "'");
    let text = text
        .trim_start_matches("the ")
        .trim_end_matches(['.', '?', ',']);
    if let Some(moment) = holloway_data::date::read(text) {
        return Some(moment.date());
    }
    let near = |days: i64| today.checked_add(days.days()).ok();
    match text {
        "today" | "now" | "tonight" => return Some(today),
        "tomorrow" => return near(1),
        "yesterday" => return near(-1),
        "day after tomorrow" => return near(2),
        "day before yesterday" => return near(-2),
        _ => {}
    }
    let (text, year) = match text.strip_suffix(" this year") {
        Some(text) => (text, Some(today.year())),
        None => match text.strip_suffix(" next year") {
            Some(text) => (text, Some(today.year() + 1)),
            None => (text, None),
        },
    };
    let is_named = |(name, ..): &&(&str, i8, i8)| {
        let rest = text.strip_prefix(name).map(str::trim);
        rest.is_some_and(|rest| rest.is_empty() || rest.parse::<i16>().is_ok())
    };
    if let Some((name, month, day)) = NAMED.iter().find(is_named) {
        let own = text
            .strip_prefix(name)
            .and_then(|rest| rest.trim().parse().ok());
        return dated(own.or(year), *month, *day, today);
    }
    weekday(text, today).or_else(|| written(text, year, today))
}

/// The next such day, or that of a year.
fn dated(year: Option<i16>, month: i8, day: i8, today: Date) -> Option<Date> {
    if let Some(year) = year {
        return Date::new(year, month, day).ok();
    }
    // A leap day may be eight years away.
    (0..=8).find_map(|ahead| {
        let date = Date::new(today.year().checked_add(ahead)?, month, day).ok()?;
        (date >= today).then_some(date)
    })
}

/// "Friday", "next Friday": the next one after today.
fn weekday(text: &str, today: Date) -> Option<Date> {
    let name = text.strip_prefix("next ").unwrap_or(text);
    let wanted = match name {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    };
    let ahead = match today.weekday().until(wanted) {
        0 => 7,
        days => i64::from(days),
    };
    today.checked_add(Span::new().days(ahead)).ok()
}

/// "24 December 2026", "December 24th, 2026", "24.12.2026", "12/24/2026".
fn written(text: &str, year: Option<i16>, today: Date) -> Option<Date> {
    use holloway_data::date::{Order, read_as};
    if text.contains('.')
        && let Some(moment) = read_as(text, Order::Dmy)
    {
        return Some(moment.date());
    }
    if text.contains('/')
        && let Some(moment) = read_as(text, Order::Mdy)
    {
        return Some(moment.date());
    }
    let words = text
        .split([' ', ','])
        .filter(|word| !word.is_empty() && *word != "of");
    let (mut day, mut month, mut own) = (None, None, year);
    for word in words {
        let bare = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|ending| word.strip_suffix(ending))
            .filter(|bare| bare.bytes().all(|byte| byte.is_ascii_digit()));
        let word = bare.unwrap_or(word);
        let is_month = |start: &str| word.starts_with(start) && word.len() >= 3;
        match word.parse::<i16>() {
            Ok(number) if word.len() == 4 => own = Some(number),
            Ok(number) if day.is_none() => day = i8::try_from(number).ok(),
            _ => {
                let at = MONTHS.iter().position(|start| is_month(start))?;
                month = i8::try_from(at + 1).ok();
            }
        }
    }
    dated(own, month?, day?, today)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn days_are_understood_as_people_say_them() {
        let check = |text: &str, expected: Option<Date>| {
            assert_eq!(day(text, date(2026, 11, 16)), expected, "{text}");
        };
        check("2026-12-24", Some(date(2026, 12, 24)));
        check("1 January 2000", Some(date(2000, 1, 1)));
        check("January 1st, 2000", Some(date(2000, 1, 1)));
        check("24 Dec", Some(date(2026, 12, 24)));
        check("3 March", Some(date(2027, 3, 3)));
        check("16 November", Some(date(2026, 11, 16)));
        check("29 February", Some(date(2028, 2, 29)));
        check("24.12.2026", Some(date(2026, 12, 24)));
        check("12/24/2026", Some(date(2026, 12, 24)));
        check("Christmas", Some(date(2026, 12, 25)));
        check("Christmas 2030", Some(date(2030, 12, 25)));
        check("Christmas this year", Some(date(2026, 12, 25)));
        check("new year", Some(date(2027, 1, 1)));
        check("New Year’s Eve", Some(date(2026, 12, 31)));
        check("tomorrow", Some(date(2026, 11, 17)));
        check("Monday", Some(date(2026, 11, 23)));
        check("next Friday", Some(date(2026, 11, 20)));
        check("31 February 2026", None);
        check("soon", None);
        check("99999999 December", None);
    }
}
