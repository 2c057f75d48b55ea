//! How far is a model's analysis believed? What the rules found stays; what the model adds
//! must show in the request, or it is dropped and noted.

use holloway_planner::request::{
    Analysis, Capability, Constraints, Depth, Entity, EntityKind, Format, Need, Priority,
};
use serde_json::Value;

use super::parse::analysis::Said;

/// An analysis both can stand behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreed {
    pub analysis: Analysis,
    /// What was dropped or kept against the model.
    pub notes: Vec<String>,
}

/// Joins what the rules found with what the model said.
pub fn agree(rules: &Analysis, said: Said) -> Agreed {
    let mut notes = said.notes.clone();
    let analysis = Analysis {
        request: rules.request.clone(),
        need: need(rules, &said, &mut notes),
        intent: if said.intent.is_empty() {
            rules.intent.clone()
        } else {
            said.intent.clone()
        },
        entities: entities(rules, &said, &mut notes),
        capabilities: capabilities(rules, &said, &mut notes),
        constraints: constraints(rules, &said, &mut notes),
        formats: formats(rules, &said, &mut notes),
    };
    Agreed { analysis, notes }
}

/// A model may see more to do than the rules, never less: whoever talks it into calling a
/// request mere conversation would switch planning off.
fn need(rules: &Analysis, said: &Said, notes: &mut Vec<String>) -> Need {
    let Some(need) = said.need.clone() else {
        return rules.need.clone();
    };
    if work(&need) < work(&rules.need) {
        notes.push("the model sees less to do than the rules, which hold".to_owned());
        return rules.need.clone();
    }
    if rules.need == Need::Nothing {
        return Need::Nothing;
    }
    need
}

/// How much there is to do.
fn work(need: &Need) -> u8 {
    match need {
        Need::Plan => 2,
        Need::OneStep => 1,
        Need::Conversation | Need::Nothing => 0,
    }
}

fn entities(rules: &Analysis, said: &Said, notes: &mut Vec<String>) -> Vec<Entity> {
    let mut entities = rules.entities.clone();
    for (kind, text) in &said.entities {
        let Some(start) = rules.request.find(text.as_str()) else {
            notes.push(format!("“{text}” does not occur in the request, dropped"));
            continue;
        };
        let place = start..start + text.len();
        let overlaps =
            |known: &Entity| known.place.start < place.end && place.start < known.place.end;
        if !entities.iter().any(overlaps) {
            entities.push(Entity {
                kind: *kind,
                text: text.clone(),
                value: value_of(*kind, text),
                place,
                label: None,
            });
        }
    }
    entities.sort_by_key(|entity| entity.place.start);
    entities
}

fn value_of(kind: EntityKind, text: &str) -> Value {
    let is_number = matches!(
        kind,
        EntityKind::Number | EntityKind::Quantity | EntityKind::Money
    );
    let number = is_number.then(|| leading_number(text)).flatten();
    number.unwrap_or_else(|| Value::from(text))
}

fn leading_number(text: &str) -> Option<Value> {
    let text = text.trim_start_matches(['$', '€', '£', ' ']);
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let digits = text.get(..end)?.trim_end_matches('.');
    serde_json::from_str::<serde_json::Number>(digits)
        .ok()
        .map(Value::Number)
}

/// The model's words, in its order, and what the rules saw that it passed over.
fn capabilities(rules: &Analysis, said: &Said, notes: &mut Vec<String>) -> Vec<Capability> {
    if said.capabilities.is_empty() {
        return rules.capabilities.clone();
    }
    let mut passed_over: Vec<&Capability> = rules.capabilities.iter().collect();
    let mut capabilities: Vec<Capability> = Vec::new();
    for text in &said.capabilities {
        let alike = rules
            .capabilities
            .iter()
            .max_by_key(|known| shared(&known.text, text));
        let alike = alike.filter(|known| shared(&known.text, text) > 0);
        passed_over.retain(|known| shared(&known.text, text) == 0);
        capabilities.push(Capability {
            text: text.clone(),
            clause: alike.map_or(0, |known| known.clause),
            category: alike.and_then(|known| known.category.clone()),
        });
    }
    for known in passed_over {
        notes.push(format!("the model passed over “{}”, kept", known.text));
        capabilities.push(known.clone());
    }
    capabilities
}

/// How many words of four letters and more begin alike; shorter ones say little.
fn shared(one: &str, other: &str) -> usize {
    let stems = |text: &str| -> Vec<String> {
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() >= 4);
        words
            .map(|word| word.to_lowercase().chars().take(5).collect())
            .collect()
    };
    let theirs = stems(other);
    stems(one)
        .iter()
        .filter(|stem| theirs.contains(stem))
        .count()
}

fn constraints(rules: &Analysis, said: &Said, notes: &mut Vec<String>) -> Constraints {
    let (found, claimed) = (rules.constraints, said.constraints);
    let mut limit = |found: Option<f64>, claimed: Option<f64>, what: &str| {
        let said_there = |number: &f64| {
            // Minutes may have become seconds.
            [*number, number / 60.0, number / 3600.0]
                .iter()
                .any(|number| rules.request.contains(&number.to_string()))
        };
        match (found, claimed) {
            (None, Some(number)) if !said_there(&number) => {
                notes.push(format!(
                    "a limit of {number} {what} is not said in the request, dropped"
                ));
                None
            }
            (found, claimed) => found.or(claimed),
        }
    };
    Constraints {
        seconds: limit(found.seconds, claimed.seconds, "seconds"),
        money: limit(found.money, claimed.money, "dollars"),
        priority: if found.priority == Priority::default() {
            claimed.priority
        } else {
            found.priority
        },
        depth: if found.depth == Depth::default() {
            claimed.depth
        } else {
            found.depth
        },
    }
}

fn formats(rules: &Analysis, said: &Said, notes: &mut Vec<String>) -> Vec<Format> {
    let request = rules.request.to_lowercase();
    let mut formats = rules.formats.clone();
    for format in said
        .formats
        .iter()
        .filter(|format| !rules.formats.contains(format))
    {
        if words_for(*format).iter().any(|word| request.contains(word)) {
            formats.push(*format);
        } else {
            notes.push(format!(
                "{format:?} is not asked for in the request, dropped"
            ));
        }
    }
    formats
}

fn words_for(format: Format) -> &'static [&'static str] {
    match format {
        Format::Html => &["html", "web page", "webpage"],
        Format::Pdf => &["pdf"],
        Format::Markdown => &["markdown", ".md"],
        Format::Csv => &["csv", "comma"],
        Format::Tsv => &["tsv", "tab"],
        Format::JsonLines => &["jsonl", "ndjson", "lines"],
        Format::Xlsx => &["xlsx", "excel", "spreadsheet", "workbook"],
        Format::Json => &["json"],
        Format::Text => &["text", ".txt"],
        Format::Chart => &["chart", "graph", "plot", "diagram"],
        Format::Report => &["report", "summary"],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules() -> Analysis {
        let request =
            "Audit https://a.example for Acme in 2 minutes, check the titles and write a PDF";
        let place = request.find("https://a.example").unwrap();
        Analysis {
            request: request.to_owned(),
            intent: "audit".to_owned(),
            entities: vec![Entity {
                kind: EntityKind::Url,
                text: "https://a.example".to_owned(),
                value: json!("https://a.example"),
                place: place..place + 17,
                label: None,
            }],
            capabilities: vec![
                Capability {
                    text: "audit".to_owned(),
                    clause: 0,
                    category: Some("seo".to_owned()),
                },
                Capability {
                    text: "check the titles".to_owned(),
                    clause: 1,
                    category: None,
                },
            ],
            formats: vec![Format::Pdf],
            ..Analysis::default()
        }
    }

    fn shown(agreed: &Agreed) -> String {
        let Analysis {
            need,
            intent,
            entities,
            capabilities,
            constraints,
            formats,
            ..
        } = &agreed.analysis;
        let entities: Vec<String> = entities
            .iter()
            .map(|entity| format!("{:?} {} {}", entity.kind, entity.text, entity.value))
            .collect();
        let capabilities: Vec<String> = capabilities
            .iter()
            .map(|one| format!("{} {} {:?}", one.text, one.clause, one.category))
            .collect();
        format!(
            "{need:?}: {intent}\nentities: {entities:#?}\ncapabilities: {capabilities:#?}\n{constraints:?}\n{formats:?}\nnotes: {:#?}",
            agreed.notes
        )
    }

    #[test]
    fn what_the_model_adds_must_show_in_the_request() {
        let said = Said {
            need: Some(Need::Conversation),
            intent: "audit a website".to_owned(),
            entities: vec![
                (EntityKind::Url, "https://evil.example".to_owned()),
                (EntityKind::Name, "https://a.example".to_owned()),
                (EntityKind::Name, "Acme".to_owned()),
                (EntityKind::Quantity, "2 minutes".to_owned()),
            ],
            capabilities: vec!["run an SEO audit".to_owned(), "mail the result".to_owned()],
            constraints: Constraints {
                seconds: Some(120.0),
                money: Some(5.0),
                priority: Priority::Speed,
                ..Constraints::default()
            },
            formats: vec![Format::Pdf, Format::Xlsx],
            notes: vec!["an earlier note".to_owned()],
        };
        insta::assert_snapshot!(shown(&agree(&rules(), said)));
    }

    #[track_caller]
    fn check_need(found: Need, claimed: Need, expected: Need) {
        let rules = Analysis {
            request: "count the words".to_owned(),
            need: found.clone(),
            ..Analysis::default()
        };
        let said = Said {
            need: Some(claimed.clone()),
            ..Said::default()
        };
        let agreed = agree(&rules, said);
        assert_eq!(agreed.analysis.need, expected, "{found:?} {claimed:?}");
    }

    #[test]
    fn a_model_may_see_more_to_do_but_never_less() {
        let all = [Need::Plan, Need::OneStep, Need::Conversation, Need::Nothing];
        for claimed in all {
            check_need(Need::Plan, claimed.clone(), Need::Plan);
            check_need(Need::Nothing, claimed, Need::Nothing);
        }
        check_need(Need::OneStep, Need::Plan, Need::Plan);
        check_need(Need::OneStep, Need::OneStep, Need::OneStep);
        check_need(Need::OneStep, Need::Conversation, Need::OneStep);
        check_need(Need::OneStep, Need::Nothing, Need::OneStep);
        check_need(Need::Conversation, Need::Plan, Need::Plan);
    }

    #[test]
    fn without_a_word_of_the_model_the_rules_hold() {
        let agreed = agree(&rules(), Said::default());
        assert_eq!(agreed.analysis, rules());
        assert!(agreed.notes.is_empty());
    }
}
