//! Which wordings of a question to the calendar are understood?

use super::super::{Condition, Told, Unit};
use super::read;

fn shift(text: &str) -> (Option<String>, Vec<(Unit, i64)>, Told) {
    match read(text).and_then(Result::ok).map(|said| said.condition) {
        Some(Condition::Shift { date, by, what }) => (date, by, what),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn the_way_and_the_length_of_a_shift_are_read_in_any_wording() {
    let check = |text: &str, by: &[(Unit, i64)]| {
        let (date, found, _) = shift(text);
        assert_eq!(date.as_deref(), Some("15 May 2026"), "{text}");
        assert_eq!(found, by, "{text}");
    };
    for text in [
        "what date is three weeks before 15 May 2026",
        "3 weeks ago from 15 May 2026, which date was that",
        "what day was three weeks prior to 15 May 2026?",
        "What is the date three weeks earlier than 15 May 2026?",
        "go back 3 weeks from 15 May 2026, what date is it",
        "three weeks back from 15 May 2026",
        "what is 15 May 2026 minus three weeks",
        "subtract three weeks from 15 May 2026",
        "which date is three weeks until 15 May 2026",
        "from 15 May 2026, what date was three weeks ago",
        "tell me the date 3 weeks before 15 May 2026",
    ] {
        check(text, &[(Unit::Weeks, -3)]);
    }
    for text in [
        "what date is three weeks after 15 May 2026",
        "what's the date 3 weeks from 15 May 2026",
        "which day will it be three weeks later than 15 May 2026",
        "add three weeks to 15 May 2026",
        "15 May 2026 plus 3 weeks",
        "what date is three weeks on from 15 May 2026",
    ] {
        check(text, &[(Unit::Weeks, 3)]);
    }
    check(
        "what date was a week before 15 May 2026",
        &[(Unit::Weeks, -1)],
    );
    check(
        "what date is half a year after 15 May 2026",
        &[(Unit::Months, 6)],
    );
    check(
        "what date is a year and a half before 15 May 2026",
        &[(Unit::Years, -1), (Unit::Months, -6)],
    );
}

#[test]
fn without_a_day_it_is_counted_from_today() {
    let check = |text: &str, expected: (Option<&str>, i64)| {
        let (date, by, _) = shift(text);
        let count = by.iter().map(|(_, count)| count).sum();
        assert_eq!((date.as_deref(), count), expected, "{text}");
    };
    check("which date was two weeks ago", (None, -2));
    check("which date was 45 days ago?", (None, -45));
    check("what date is it in 90 days", (None, 90));
    check("what's the date 90 days from now", (Some("now"), 90));
    check("what's today's date plus 90 days?", (Some("today"), 90));
    check("what date is ten days before today", (Some("today"), -10));
    let (.., what) = shift("what day of the week was it 100 days ago");
    assert_eq!(what, Told::Weekday);
}

#[test]
fn other_days_than_those_of_the_calendar_are_not_counted() {
    let refused = read("what date is 10 working days after 15 May 2026");
    assert!(matches!(refused, Some(Err(part)) if part == "10 working days"));
    for text in [
        "remind me three days before 15 May 2026",
        "what happened three weeks before the election",
        "list the orders of 3 weeks before 15 May 2026",
    ] {
        assert!(read(text).is_none(), "{text}");
    }
}

#[test]
fn ages_are_whole_years() {
    let check = |text: &str, expected: (Option<&str>, Option<&str>)| match read(text)
        .and_then(Result::ok)
        .map(|said| said.condition)
    {
        Some(Condition::Between {
            from,
            to,
            unit: Unit::Years,
        }) => {
            assert_eq!((from.as_deref(), to.as_deref()), expected, "{text}");
        }
        other => panic!("{text}: {other:?}"),
    };
    let born = Some("12 April 1990");
    check("how old is someone born on 12 April 1990?", (born, None));
    check("how old am I if I was born on 12 April 1990", (born, None));
    check(
        "what is the age of a person who was born 12 April 1990",
        (born, None),
    );
    check(
        "how old will someone born on 12 April 1990 be on 1 May 2030",
        (born, Some("1 May 2030")),
    );
    check(
        "how old would I be on 1 May 2030 if I was born on 12 April 1990",
        (born, Some("1 May 2030")),
    );
    assert!(read("how old is the oldest person").is_none());
}
