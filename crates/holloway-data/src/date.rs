//! When is it? Dates as ISO 8601 writes them, and on request day-month-year or
//! month-day-year. A time without a zone is taken as UTC; one with an offset belongs to
//! the day that is written there, whatever day it is elsewhere.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use serde::Deserialize;

/// In which order the parts of a date stand.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As the dates of a column show; ISO where they do not show another order.
    #[default]
    Auto,
    /// 2024-01-31, 2024/01/31, 2024-01, 2024-01-31T12:00:00Z.
    Iso,
    /// 31.01.2024, 31/1/24.
    Dmy,
    /// 01/31/2024.
    Mdy,
    /// Text stays text.
    None,
}

/// A day, with the time when one was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// In UTC.
    at: DateTime,
    has_time: bool,
    /// As it was written, before its offset was taken away.
    written: DateTime,
}

impl Moment {
    /// The day as it was written.
    pub fn date(self) -> Date {
        self.written.date()
    }

    /// Whether it is before or after another; where one of them is a whole day, the days count.
    pub fn compare(self, other: Self) -> std::cmp::Ordering {
        if self.has_time && other.has_time {
            self.at.cmp(&other.at)
        } else {
            self.date().cmp(&other.date())
        }
    }

    /// Days since 1970-01-01 in UTC with the time of day as fraction.
    pub fn days(self) -> f64 {
        let days = day_number(self.at.date());
        let time = self.at.time();
        let seconds = i32::from(time.hour()) * 3600
            + i32::from(time.minute()) * 60
            + i32::from(time.second());
        let nanos = f64::from(time.subsec_nanosecond());
        f64::from(days) + (f64::from(seconds) + nanos / 1e9) / 86_400.0
    }
}

impl std::fmt::Display for Moment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.has_time {
            return write!(formatter, "{}", self.at.date());
        }
        write!(formatter, "{}", self.written)?;
        let minutes = self.at.duration_until(self.written).as_mins();
        if minutes == 0 {
            return Ok(());
        }
        let sign = if minutes < 0 { '-' } else { '+' };
        let minutes = minutes.abs();
        write!(formatter, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// Days since 1970-01-01.
pub fn day_number(date: Date) -> i32 {
    const EPOCH: Date = jiff::civil::date(1970, 1, 1);
    (date - EPOCH).get_days()
}

/// Reads ISO 8601.
pub fn read(text: &str) -> Option<Moment> {
    let text = text.trim();
    // Cheap refusal first: every cell of a text column comes by here.
    let bytes = text.as_bytes();
    let starts_like_a_year = bytes.len() >= 7
        && bytes.len() <= 40
        && bytes.iter().take(4).all(u8::is_ascii_digit)
        && matches!(bytes.get(4), Some(b'-' | b'/'));
    if !starts_like_a_year {
        return None;
    }
    if bytes.len() <= 10 {
        return day(text);
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        let at = jiff::tz::Offset::UTC.to_datetime(timestamp);
        // With `Z` there is nothing but UTC.
        let written = text.parse::<DateTime>().unwrap_or(at);
        return Some(Moment {
            at,
            has_time: true,
            written,
        });
    }
    let at = text.parse::<DateTime>().ok()?;
    Some(Moment {
        at,
        has_time: true,
        written: at,
    })
}

/// The order in which the dates of one column are written: the only one that fits all of them.
/// Points stand in day-month-year only.
pub fn order_of<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Order {
    let all = |order| texts.clone().all(|text| read_as(text, order).is_some());
    if texts.clone().next().is_none() || all(Order::Iso) {
        return Order::Iso;
    }
    let pointed = |text: &str| text.contains('.') || read(text).is_some();
    match (all(Order::Dmy), all(Order::Mdy)) {
        (true, false) => Order::Dmy,
        (true, true) if texts.clone().all(pointed) => Order::Dmy,
        (false, true) => Order::Mdy,
        _ => Order::Iso,
    }
}

/// Reads a date whose parts stand in this order.
pub fn read_as(text: &str, order: Order) -> Option<Moment> {
    if order == Order::None {
        return None;
    }
    if let Some(moment) = read(text) {
        return Some(moment);
    }
    let mut parts = text.trim().split(['.', '/', '-']);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (day, month) = match order {
        Order::Dmy => (first, second),
        Order::Mdy => (second, first),
        Order::Auto | Order::Iso | Order::None => return None,
    };
    let year = match year.len() {
        4 => whole(year)?,
        // As spreadsheets and the C library split the century.
        2 => whole(year).map(|year| if year < 69 { 2000 + year } else { 1900 + year })?,
        _ => return None,
    };
    of(year, whole(month)?, whole(day)?)
}

fn day(text: &str) -> Option<Moment> {
    let separator = char::from(*text.as_bytes().get(4)?);
    let mut parts = text.split(separator);
    let (year, month) = (whole(parts.next()?)?, whole(parts.next()?)?);
    let day = parts.next().map_or(Some(1), whole)?;
    if parts.next().is_some() {
        return None;
    }
    of(year, month, day)
}

fn of(year: u16, month: u16, day: u16) -> Option<Moment> {
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let date = Date::new(i16::try_from(year).ok()?, month, day).ok()?;
    let at = date.at(0, 0, 0, 0);
    Some(Moment {
        at,
        has_time: false,
        written: at,
    })
}

fn whole(text: &str) -> Option<u16> {
    let plain = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_their_order() {
        let check = |text: &str, order: Order, expected: &str| {
            let read = read_as(text, order).map_or("-".to_owned(), |moment| moment.to_string());
            assert_eq!(read, expected, "{text}");
        };
        check("2024-01-31", Order::Iso, "2024-01-31");
        check("2024/1/31", Order::Iso, "2024-01-31");
        check("2024-02", Order::Iso, "2024-02-01");
        check("2024-02-30", Order::Iso, "-");
        check(
            "2024-01-31T12:30:00+02:00",
            Order::Iso,
            "2024-01-31T12:30:00+02:00",
        );
        check(
            "2024-01-31T00:30:00-03:30",
            Order::Iso,
            "2024-01-31T00:30:00-03:30",
        );
        check("2024-01-31T12:30:00Z", Order::Iso, "2024-01-31T12:30:00");
        check("2024-01-31 12:30", Order::Iso, "2024-01-31T12:30:00");
        check("31.01.2024", Order::Iso, "-");
        check("31.01.2024", Order::Dmy, "2024-01-31");
        check("1/2/24", Order::Dmy, "2024-02-01");
        check("1/2/24", Order::Mdy, "2024-01-02");
        check("1/2/85", Order::Mdy, "1985-01-02");
        check("2024-01-31", Order::None, "-");
        check("12345678", Order::Iso, "-");
        check("2024-1-2-3", Order::Iso, "-");
    }

    #[test]
    fn the_order_of_a_column_is_the_only_one_that_fits() {
        let check = |texts: &[&str], expected: Order| {
            assert_eq!(order_of(texts.iter().copied()), expected, "{texts:?}");
        };
        check(&["2024-01-31", "2024-02-01"], Order::Iso);
        check(&["31.01.2024", "01.02.2024"], Order::Dmy);
        check(&["01.02.2024", "03.02.2024"], Order::Dmy);
        check(&["12/01/2025", "03/15/2026"], Order::Mdy);
        check(&["12/01/2025", "15/03/2026"], Order::Dmy);
        // Either could be meant.
        check(&["12/01/2025", "03/04/2026"], Order::Iso);
        check(&["31.01.2024", "soon"], Order::Iso);
    }

    #[test]
    fn a_day_is_compared_with_a_time_by_its_day() {
        use std::cmp::Ordering::{Equal, Greater, Less};
        for (left, right, expected) in [
            ("2026-05-01T06:00:00", "2026-05-01", Equal),
            ("2026-05-02 00:00", "2026-05-01", Greater),
            ("2026-05-01T06:00:00", "2026-05-01T07:00:00", Less),
            ("2026-05-01T00:30:00+02:00", "2026-05-01", Equal),
        ] {
            let both = (read(left).unwrap(), read(right).unwrap());
            assert_eq!(both.0.compare(both.1), expected, "{left} {right}");
        }
    }

    #[test]
    fn days_count_from_1970() {
        let days = |text| read(text).unwrap().days();
        assert!((days("1970-01-02T06:00:00Z") - 1.25).abs() < 1e-12);
        assert!((days("1969-12-31") + 1.0).abs() < 1e-12);
        assert!((days("1970-01-02T08:00:00+02:00") - 1.25).abs() < 1e-12);
    }
}
