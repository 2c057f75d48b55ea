//! What limits a plan? Time, money, what matters most and how much is to be covered, as
//! far as the request says it about the work and not about the things it looks for.

use std::sync::LazyLock;

use regex::Regex;

use super::{Constraints, Depth, Entity, EntityKind, Priority};

/// Under requests like these, "under $500" and "cheap" are about what is looked for.
const SHOPPING: [&str; 14] = [
    "find",
    "search",
    "buy",
    "show",
    "list",
    "recommend",
    "book",
    "look",
    "suggest",
    "compare",
    "order",
    "rent",
    "reserve",
    "shop",
];
const WORK: &str = "audit|analysis|review|check|checkup|report|scan|assessment|inspection|investigation|test|picture|study|\
    evaluation|survey|examination|summary|research|breakdown|comparison|site|website|overview|plan|look|answer|crawl|history";

struct Rules {
    time: Regex,
    money: Regex,
    budget: Regex,
    priorities: [(Priority, Regex); 3],
    depths: [(Depth, Regex); 2],
}

static RULES: LazyLock<Option<Rules>> = LazyLock::new(|| {
    let rule = |text: &str| Regex::new(&format!("(?i){text}")).ok();
    let limit = "(?:under|below|less than|at most|no more than|not more than|up to|max(?:imum)?(?: of)?|a limit of)";
    let count = r"(?<n>\d+(?:\.\d+)?|an?|half an|one|two|three|five|ten|fifteen|twenty|thirty)";
    let unit = "(?<u>seconds?|secs?|minutes?|mins?|hours?|hrs?|days?)";
    Some(Rules {
        time: rule(&format!(
            r"\b(?:within|(?:in|takes?|taking|finish(?:ed)?(?: in)?|done(?: in)?|,|and|^)\s*{limit}|(?:deadline|time limit)(?: is| of|:)?|{limit}(?: to)?)\s+(?:the next )?{count}[ -]?{unit}\b(?<after>\s+(?:of|walk|drive|from|away|long|old)\b)?"
        ))?,
        money: rule(&format!(
            r"\b(?:{limit}|within|spend(?:ing)?(?: only| just)?|costs?(?: me)?(?: only)?)\s+(?:a total of |about )?$"
        ))?,
        budget: rule(r"\bbudget(?: is| of|:|,)?\s+(?:about |at most |under |up to )?$")?,
        priorities: [
            (
                Priority::Speed,
                rule(
                    r"\b(?:quick(?:ly|est)?|fast(?:er|est)?|asap|a\.s\.a\.p|as soon as possible|urgent(?:ly)?|hurry|right away|immediately|in a rush|no time)\b",
                )?,
            ),
            (
                Priority::Cost,
                rule(
                    r"\b(?:cheap(?:ly|er|est)?|inexpensive(?:ly)?|low[- ]cost|save money|for free|free of charge|cost matters|as little money)\b",
                )?,
            ),
            (
                Priority::Fidelity,
                rule(
                    r"\b(?:accurate(?:ly)?|accuracy|thorough(?:ly)?|precise(?:ly)?|careful(?:ly)?|rigorous(?:ly)?|reliabl[ey]|high[- ]quality|double[- ]check)\b",
                )?,
            ),
        ],
        depths: [
            (
                Depth::Quick,
                rule(
                    r"\b(?:quick (?:look|check|scan|overview|summary|audit|review|glance|one)|brief(?:ly)?|at a glance|just the basics|rough(?:ly)? (?:look|idea|check|overview)|superficial(?:ly)?|short (?:look|check|overview)|basic (?:audit|check|review|scan))\b",
                )?,
            ),
            (
                Depth::Complete,
                rule(&format!(
                    r"\b(?:(?:complete|full|whole|entire)(?: [\w-]+){{0,2}} (?:{WORK})s?|comprehensive(?:ly)?|in[- ]depth|in (?:great )?detail|detailed|thorough(?:ly)?|exhaustive(?:ly)?|deep dive|end[- ]to[- ]end|every aspect|all aspects)\b"
                ))?,
            ),
        ],
    })
});

/// What the text says about how the work is to be done. Quoted words say nothing.
pub(crate) fn constraints(text: &str, entities: &[Entity]) -> Constraints {
    let Some(rules) = &*RULES else {
        return Constraints::default();
    };
    let said = without_quotes(text, entities);
    let shops = is_shopping(&said);
    Constraints {
        seconds: seconds(&rules.time, &said),
        money: money(rules, &said, entities, shops),
        priority: priority(rules, &said, shops),
        depth: first(&rules.depths, &said).unwrap_or_default(),
    }
}

/// Quoted words become blanks of the same length, so that places stay.
fn without_quotes(text: &str, entities: &[Entity]) -> String {
    let mut said = text.to_owned();
    for entity in entities
        .iter()
        .filter(|entity| entity.kind == EntityKind::Quoted)
    {
        if said.get(entity.place.clone()).is_some() {
            said.replace_range(entity.place.clone(), &" ".repeat(entity.place.len()));
        }
    }
    said
}

fn is_shopping(text: &str) -> bool {
    match super::verbs::lead(text) {
        super::verbs::Lead::Verb { verb, .. } => SHOPPING.contains(&verb.to_lowercase().as_str()),
        _ => false,
    }
}

fn seconds(rule: &Regex, text: &str) -> Option<f64> {
    let about_work = |hit: &regex::Captures<'_>| hit.name("after").is_none();
    let hit = rule.captures_iter(text).find(about_work)?;
    let count = match hit.name("n")?.as_str().to_lowercase().as_str() {
        "a" | "an" | "one" => 1.0,
        "half an" => 0.5,
        "two" => 2.0,
        "three" => 3.0,
        "five" => 5.0,
        "ten" => 10.0,
        "fifteen" => 15.0,
        "twenty" => 20.0,
        "thirty" => 30.0,
        digits => digits.parse::<f64>().ok()?,
    };
    let unit = match hit.name("u")?.as_str().to_lowercase().chars().next()? {
        's' => 1.0,
        'm' => 60.0,
        'h' => 3_600.0,
        _ => 86_400.0,
    };
    Some(count * unit)
}

/// A limit in another strong currency counts as dollars: the stricter of the two.
fn money(rules: &Rules, text: &str, entities: &[Entity], shops: bool) -> Option<f64> {
    let amounts = entities
        .iter()
        .filter(|entity| entity.kind == EntityKind::Money);
    for entity in amounts {
        let before = end_of(text.get(..entity.place.start).unwrap_or_default());
        let is_limit = rules.money.is_match(before) && !shops || rules.budget.is_match(before);
        let factor = match entity.label.as_deref() {
            Some("USD" | "EUR" | "GBP") => 1.0,
            Some("cents") => 0.01,
            _ => continue,
        };
        if is_limit {
            return entity.value.as_f64().map(|amount| amount * factor);
        }
    }
    None
}

/// The last words of a text.
fn end_of(text: &str) -> &str {
    const LONG: usize = 60;
    let from = text.len().saturating_sub(LONG);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at));
    from.and_then(|from| text.get(from..)).unwrap_or_default()
}

fn priority(rules: &Rules, text: &str, shops: bool) -> Priority {
    let found = first(&rules.priorities, text);
    match found {
        Some(Priority::Cost | Priority::Fidelity) if shops => Priority::Balanced,
        Some(Priority::Speed) if text.to_lowercase().contains("how fast") => Priority::Balanced,
        found => found.unwrap_or_default(),
    }
}

/// What is said first counts.
fn first<T: Copy>(rules: &[(T, Regex)], text: &str) -> Option<T> {
    let hits = rules
        .iter()
        .filter_map(|(meaning, rule)| Some((rule.find(text)?.start(), *meaning)));
    hits.min_by_key(|(start, _)| *start)
        .map(|(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::super::entities::entities;
    use super::*;

    #[track_caller]
    fn check(text: &str, seconds: Option<f64>, money: Option<f64>, rest: (Priority, Depth)) {
        let found = constraints(text, &entities(text));
        let expected = Constraints {
            seconds,
            money,
            priority: rest.0,
            depth: rest.1,
        };
        assert_eq!(found, expected, "{text}");
    }

    const PLAIN: (Priority, Depth) = (Priority::Balanced, Depth::Usual);

    #[test]
    fn time_and_money_limit_the_work() {
        check("audit my site within 5 minutes", Some(300.0), None, PLAIN);
        check("audit it in under half an hour", Some(1800.0), None, PLAIN);
        check(
            "check example.com, at most 30 seconds, for under $2",
            Some(30.0),
            Some(2.0),
            PLAIN,
        );
        check(
            "summarise this, spend at most 10 dollars",
            None,
            Some(10.0),
            PLAIN,
        );
        check("research bees, my budget is 5 €", None, Some(5.0), PLAIN);
        check(
            "translate it for no more than 50 cents",
            None,
            Some(0.5),
            PLAIN,
        );
    }

    #[test]
    fn limits_on_things_are_none_on_the_work() {
        check("find laptops under $500", None, None, PLAIN);
        check(
            "find restaurants within 5 minutes of the station",
            None,
            None,
            PLAIN,
        );
        check("find cheap flights to Rome", None, None, PLAIN);
        check("rent a reliable car", None, None, PLAIN);
        check("translate \"quick, within 5 minutes\"", None, None, PLAIN);
        check("calculate the tax on $200", None, None, PLAIN);
    }

    #[test]
    fn what_matters_most_and_how_much_is_covered() {
        check(
            "I need it fast",
            None,
            None,
            (Priority::Speed, Depth::Usual),
        );
        check("audit it asap", None, None, (Priority::Speed, Depth::Usual));
        check(
            "do it as cheaply as possible",
            None,
            None,
            (Priority::Cost, Depth::Usual),
        );
        check(
            "be accurate",
            None,
            None,
            (Priority::Fidelity, Depth::Usual),
        );
        check(
            "a quick look at my site",
            None,
            None,
            (Priority::Speed, Depth::Quick),
        );
        check(
            "Perform a complete audit",
            None,
            None,
            (Priority::Balanced, Depth::Complete),
        );
        check(
            "a full security review",
            None,
            None,
            (Priority::Balanced, Depth::Complete),
        );
        check(
            "a thorough study",
            None,
            None,
            (Priority::Fidelity, Depth::Complete),
        );
        check("complete the form with my full name", None, None, PLAIN);
    }
}
