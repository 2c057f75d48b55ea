//! What is said in words? What moves, who is cheapest and what looks wrong, most important first.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::figures::{Item, Line, Prices};

/// How many prices and from when to when.
pub(super) fn facts(prices: &Prices) -> Vec<String> {
    let mut facts = vec![format!("{} prices", grouped(prices.count))];
    let sellers = sellers(prices).len();
    facts.push(match sellers {
        0 | 1 => counted(prices.items.len(), "product"),
        _ => format!(
            "{} at {}",
            counted(prices.items.len(), "product"),
            counted(sellers, "seller")
        ),
    });
    if !prices.first_day.is_empty() {
        facts.push(format!("{} to {}", prices.first_day, prices.last_day));
    }
    facts
}

/// Markdown: the answer first.
pub(super) fn summary(prices: &Prices) -> String {
    let mut lines = vec![movement(prices)];
    lines.extend(cheapest(prices));
    lines.push(wrong(prices));
    lines.join("\n\n")
}

/// The same without markup.
pub(super) fn told(prices: &Prices) -> String {
    let mut lines = vec![movement(prices)];
    lines.extend(cheapest(prices));
    lines.push(wrong(prices));
    lines.join("\n").replace("**", "")
}

fn sellers(prices: &Prices) -> Vec<&str> {
    let mut names: Vec<&str> = prices
        .series()
        .map(|(_, line)| line.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !name.is_empty());
    names
}

/// The middle trend of a product over its sellers, where one direction prevails.
pub(super) fn trend_of(item: &Item) -> (Option<f64>, &'static str) {
    let mut trends: Vec<f64> = item.lines.iter().filter_map(|line| line.trend).collect();
    trends.sort_by(f64::total_cmp);
    let middle = trends.get(trends.len() / 2).copied();
    let count = |direction: &str| {
        let lines = item.lines.iter();
        lines.filter(|line| line.direction == direction).count()
    };
    let (up, down, all) = (count("rising"), count("falling"), item.lines.len());
    let direction = match middle {
        Some(middle) if middle > 0.0 && up * 2 > all => "rising",
        Some(middle) if middle < 0.0 && down * 2 > all => "falling",
        Some(_) if up + down > 0 => "mixed",
        Some(_) => "no clear trend",
        None => "too few values",
    };
    (middle, direction)
}

fn movement(prices: &Prices) -> String {
    let (up, down) = (moving(prices, "rising"), moving(prices, "falling"));
    if up.is_empty() && down.is_empty() {
        let known = prices.items.iter().any(|item| trend_of(item).0.is_some());
        let text = if prices.has_time && known {
            "**No product has a clear trend.**"
        } else {
            "**There are too few prices over time to tell a trend.**"
        };
        return text.to_owned();
    }
    let mut parts = Vec::new();
    for (word, found) in [("rise", &up), ("fall", &down)] {
        if !found.is_empty() {
            let ending = if found.len() == 1 { "s" } else { "" };
            parts.push(format!("{} {word}{ending}", named(found)));
        }
    }
    let others = prices.items.len() - up.len() - down.len();
    let mut text = format!("**{}.**", parts.join("; "));
    if others > 0 {
        let verb = if others == 1 { "shows" } else { "show" };
        let others = counted(others, "other product");
        write!(text, " {others} {verb} no common direction.").ok();
    }
    text
}

/// The products that move this way, those that move most first.
fn moving<'a>(prices: &'a Prices, wanted: &str) -> Vec<(&'a Item, f64)> {
    let items = prices.items.iter().filter_map(|item| {
        let (middle, direction) = trend_of(item);
        (direction == wanted).then_some((item, middle?))
    });
    let mut found: Vec<(&Item, f64)> = items.collect();
    found.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    found
}

/// `Ember stove (+5.0 %) and Dune 2 tent (+3.9 %)`
fn named(found: &[(&Item, f64)]) -> String {
    let names: Vec<String> = found
        .iter()
        .map(|(item, middle)| format!("{} ({})", plain(&item.name), percent(*middle)))
        .collect();
    joined(&names)
}

fn joined(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn cheapest(prices: &Prices) -> Option<String> {
    if sellers(prices).len() < 2 {
        return None;
    }
    let mut wins: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &prices.items {
        let priced = item.lines.iter().filter(|line| line.now.is_some());
        let lowest = priced.min_by(|one, other| {
            let price = |line: &Line| line.now.unwrap_or(f64::INFINITY);
            price(one).total_cmp(&price(other))
        })?;
        *wins.entry(lowest.name.as_str()).or_default() += 1;
    }
    let (name, count) = wins.into_iter().max_by_key(|(_, count)| *count)?;
    let all = prices.items.len();
    let of = if count == all {
        format!("all {all} products")
    } else {
        format!("{count} of {all} products")
    };
    Some(format!("{} is cheapest now for {of}.", plain(name)))
}

fn wrong(prices: &Prices) -> String {
    let mut all: Vec<(&Item, &Line, usize)> = Vec::new();
    for (item, line) in prices.series() {
        all.extend((0..line.outliers.len()).map(|index| (item, line, index)));
    }
    let far = |(_, line, index): &(&Item, &Line, usize)| {
        let usual = line.now.unwrap_or(1.0);
        line.outliers
            .get(*index)
            .map_or(0.0, |one| (one.price / usual).ln().abs())
    };
    let worst = all
        .iter()
        .max_by(|one, other| far(one).total_cmp(&far(other)));
    let Some((item, line, index)) = worst else {
        return "No price looks wrong.".to_owned();
    };
    let mut text = match all.len() {
        1 => "1 price looks wrong".to_owned(),
        count => format!("{count} prices look wrong"),
    };
    if let (Some(apart), Some(now)) = (line.outliers.get(*index), line.now) {
        let place = if line.name.is_empty() {
            String::new()
        } else {
            format!(" at {}", plain(&line.name))
        };
        let day = if apart.day.is_empty() {
            String::new()
        } else {
            format!(" on {}", apart.day)
        };
        write!(
            text,
            ", most of all {}{place}{day}: {} where about {} is usual",
            plain(&item.name),
            money(apart.price, &prices.unit),
            money(now, &prices.unit)
        )
        .ok();
    }
    text.push('.');
    text
}

/// With the sign that the word beside it has.
pub(super) fn percent(value: f64) -> String {
    // A minus as long as the plus, and none of both before nothing.
    let shown = format!("{:.1} %", value.abs());
    match (shown.as_str(), value < 0.0) {
        ("0.0 %", _) => shown,
        (_, true) => format!("−{shown}"),
        (_, false) => format!("+{shown}"),
    }
}

pub(super) fn money(value: f64, unit: &str) -> String {
    let whole = grouped(value.abs().trunc() as usize);
    let cents = ((value.abs().fract()) * 100.0).round() as u64;
    let (whole, cents) = if cents == 100 {
        (grouped(value.abs().trunc() as usize + 1), 0)
    } else {
        (whole, cents)
    };
    let sign = if value < 0.0 { "−" } else { "" };
    let amount = format!("{sign}{whole}.{cents:02}");
    if unit.is_empty() {
        amount
    } else {
        format!("{amount} {unit}")
    }
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// A name from a page, without what Markdown would read as its own.
fn plain(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|letter| !matches!(letter, '*' | '_' | '`' | '[' | ']' | '<' | '\\'));
    kept.collect()
}
