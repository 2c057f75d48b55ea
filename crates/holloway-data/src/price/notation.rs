//! Which number do these digits and marks write? `1.234,56`, `1,234.56`, `1 234,56`,
//! `19,–`. Where one mark has three digits after it, both readings are kept.

use super::Decimal;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reading {
    /// With the mark that was seen before the cents, if any.
    Certain {
        amount: f64,
        decimal: Option<Decimal>,
    },
    /// `1.234`: a thousand and more, or one and a bit.
    Either {
        thousands: f64,
        fraction: f64,
        mark: Decimal,
    },
}

fn decimal_of(mark: char) -> Option<Decimal> {
    match mark {
        ',' => Some(Decimal::Comma),
        '.' => Some(Decimal::Point),
        _ => None,
    }
}

/// None for what is no number: `1.2.3`, `12,34,5`, `1.23.456`.
pub(super) fn read(written: &str) -> Option<Reading> {
    let is_mark = |c: char| !c.is_ascii_digit();
    let marks: Vec<char> = written.chars().filter(|c| is_mark(*c)).collect();
    let parts: Vec<&str> = written.split(is_mark).collect();
    let plain = |amount: f64, decimal| Some(Reading::Certain { amount, decimal });
    match (marks.as_slice(), parts.as_slice()) {
        ([], _) => plain(number(written)?, None),
        ([mark], [whole, rest]) => one_mark(*mark, whole, rest),
        (marks, [first, groups @ .., last]) => {
            let (last_mark, earlier) = marks.split_last()?;
            let grouping = *earlier.first()?;
            let alike = earlier.iter().all(|mark| *mark == grouping);
            let (thousands, higher) = if *last_mark == grouping {
                (*last, groups)
            } else {
                let (thousands, higher) = groups.split_last()?;
                (*thousands, higher)
            };
            if !alike || !is_grouped(grouping, first, higher, thousands) {
                return None;
            }
            let whole = std::iter::once(*first)
                .chain(groups.iter().copied())
                .collect::<String>();
            if *last_mark == grouping {
                let all = format!("{whole}{last}");
                return plain(number(&all)?, None);
            }
            let decimal = decimal_of(*last_mark)?;
            plain(number(&format!("{whole}.{last}"))?, Some(decimal))
        }
        _ => None,
    }
}

fn one_mark(mark: char, whole: &str, rest: &str) -> Option<Reading> {
    let joined = number(&format!("{whole}{rest}"))?;
    let Some(decimal) = decimal_of(mark) else {
        // A space or an apostrophe only ever parts thousands.
        let fits = is_group_start(whole) && rest.len() == 3;
        return fits.then_some(Reading::Certain {
            amount: joined,
            decimal: None,
        });
    };
    let fraction = number(&format!("{whole}.{rest}"))?;
    if rest.len() == 3 && is_group_start(whole) {
        return Some(Reading::Either {
            thousands: joined,
            fraction,
            mark: decimal,
        });
    }
    let decimal = Some(decimal);
    Some(Reading::Certain {
        amount: fraction,
        decimal,
    })
}

/// By thousands, or as in India by hundreds above the first thousand: `1,23,456`.
fn is_grouped(mark: char, first: &str, higher: &[&str], thousands: &str) -> bool {
    let all = |length: usize| higher.iter().all(|group| group.len() == length);
    let is_indian = mark == ',' && first.len() <= 2 && all(2);
    is_group_start(first) && thousands.len() == 3 && (all(3) || is_indian)
}

fn is_group_start(text: &str) -> bool {
    (1..=3).contains(&text.len()) && !text.starts_with('0')
}

fn number(text: &str) -> Option<f64> {
    // Longer rows of digits are numbers of articles, cards and accounts.
    if text.is_empty() || text.len() > 15 {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_marks_make_numbers() {
        let check = |written: &str, expected: &str| {
            let found = match read(written) {
                None => "-".to_owned(),
                Some(Reading::Certain { amount, .. }) => amount.to_string(),
                Some(Reading::Either {
                    thousands,
                    fraction,
                    ..
                }) => format!("{thousands} or {fraction}"),
            };
            assert_eq!(found, expected, "{written}");
        };
        check("12", "12");
        check("12.5", "12.5");
        check("1.234,56", "1234.56");
        check("1,234.56", "1234.56");
        check("1 234,56", "1234.56");
        check("1'234.50", "1234.5");
        check("1.234", "1234 or 1.234");
        check("1,234", "1234 or 1.234");
        check("0.125", "0.125");
        check("1234.567", "1234.567");
        check("1.234.567", "1234567");
        check("1,234,567.89", "1234567.89");
        check("1.2.3", "-");
        check("12,34,567", "1234567");
        check("1,23,456.78", "123456.78");
        check("12.34.567", "-");
        check("123,45,678", "-");
        check("1,23,45", "-");
        check("1,234,56", "-");
        check("1.234,567,8", "-");
        check("12 34", "-");
        check("1234567890123456", "-");
    }
}
