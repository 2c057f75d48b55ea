//! What could an argument be? Results of earlier steps, words of the request, values the
//! schema lists, what past runs gave, or nothing. Whatever breaks the schema is left out.

use std::ops::Range;

use serde_json::{Value, json};

use super::features::Step;
use crate::catalogue::fit::Fit;
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
use crate::lexicon::lists::List;
use crate::read::spans::{Reading, Span, Word};
use crate::read::stated::files;

/// Something an argument could be.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub origin: Origin,
    pub value: Value,
}

/// Where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The argument is left out.
    Nothing,
    /// The result of an earlier step, by its number.
    Earlier {
        number: usize,
        /// In the places of its result.
        place: usize,
        fit: Fit,
    },
    /// A stretch of the request, by its number in the reading.
    Span {
        number: usize,
        first: bool,
    },
    /// Several stretches of one sort, as a list.
    Several {
        numbers: Vec<usize>,
    },
    /// A value that the schema lists and the request mentions.
    Choice {
        place: Range<usize>,
    },
    /// A switch that the request mentions.
    Flag {
        place: Range<usize>,
    },
    /// What the request states outright.
    Stated {
        place: Range<usize>,
    },
    Default,
    Only,
    /// What goes without saying.
    Usual,
    Past {
        share: f32,
    },
}

const EARLIER_AT_MOST: usize = 24;

pub fn candidates(step: &Step<'_, '_>, parameter: &Parameter<'_>) -> Vec<Candidate> {
    let mut found = vec![Candidate {
        origin: Origin::Nothing,
        value: Value::Null,
    }];
    let reading = step.reading;
    schema(parameter, &mut found);
    usual(parameter, reading, &mut found);
    if let Some(past) = step.situation.past {
        for (value, share) in past.constants(step.tool, parameter.name) {
            let origin = Origin::Past { share };
            found.push(Candidate { origin, value });
        }
    }
    let own_path = parameter.written && parameter.wants == Wants::Path;
    earlier(parameter, step, &mut found);
    // What is written goes where nothing of another step is.
    found.retain(|candidate| match &candidate.origin {
        Origin::Earlier { fit, .. } => !own_path || matches!(fit, Fit::EachItem { .. }),
        _ => true,
    });
    match parameter.kind {
        Kind::Boolean => flags(parameter, reading, &mut found),
        _ if !parameter.choices.is_empty() => choices(parameter, reading, &mut found),
        _ => {
            spans(parameter, reading, &mut found);
            lists(parameter, reading, &mut found);
        }
    }
    found.retain(|candidate| match candidate.origin {
        Origin::Nothing | Origin::Earlier { .. } => true,
        _ => parameter.admits(&candidate.value),
    });
    found
}

fn schema(parameter: &Parameter<'_>, found: &mut Vec<Candidate>) {
    if let [only] = parameter.choices.as_slice() {
        found.push(Candidate {
            origin: Origin::Only,
            value: Value::clone(only),
        });
    } else if let Some(value) = parameter.shape.word("default")
        && !value.is_null()
    {
        found.push(Candidate {
            origin: Origin::Default,
            value: value.clone(),
        });
    }
}

/// What goes without saying, unless the request might say otherwise.
fn usual(parameter: &Parameter<'_>, reading: &Reading, found: &mut Vec<Candidate>) {
    static LANGUAGES: List = List::named("bind_candidates.languages");
    let Some(value) = parameter.usual() else {
        return;
    };
    let names_language = |word: &Word| LANGUAGES.contains(&word.lower.as_str());
    if value.is_string() && reading.words.iter().any(names_language) {
        return;
    }
    let origin = Origin::Usual;
    found.push(Candidate { origin, value });
}

fn earlier(parameter: &Parameter<'_>, step: &Step<'_, '_>, found: &mut Vec<Candidate>) {
    for result in &step.results {
        let places = result.places.iter().enumerate();
        let fits = places.flat_map(|(place, own)| {
            own.fits(&parameter.stems, parameter.shape)
                .into_iter()
                .map(move |fit| (place, fit))
        });
        let mut fits: Vec<(usize, Fit)> = fits.collect();
        fits.sort_by(|(_, one), (_, other)| other.score().total_cmp(&one.score()));
        fits.truncate(EARLIER_AT_MOST);
        found.extend(fits.into_iter().map(|(place, fit)| Candidate {
            value: json!({ "step": result.step, "path": fit.path() }),
            origin: Origin::Earlier {
                number: result.number,
                place,
                fit,
            },
        }));
    }
}

fn spans(parameter: &Parameter<'_>, reading: &Reading, found: &mut Vec<Candidate>) {
    if !matches!(
        parameter.kind,
        Kind::Text | Kind::Integer | Kind::Number | Kind::Any
    ) || files::decides(parameter)
    {
        return;
    }
    for (number, span) in reading.spans.iter().enumerate() {
        for (place, value) in span.values.iter().enumerate() {
            let first = place == 0;
            if let Some(value) = suited(parameter, span, value) {
                found.push(Candidate {
                    origin: Origin::Span { number, first },
                    value,
                });
                // As data and as written are two candidates only where both are texts.
                if !matches!(span.sort.kind(), Some(EntityKind::Date | EntityKind::Time)) {
                    break;
                }
            }
        }
    }
}

/// The value in the form that the parameter takes.
fn suited(parameter: &Parameter<'_>, span: &Span, value: &Value) -> Option<Value> {
    let suited = match (value, parameter.kind) {
        (Value::Number(number), Kind::Text) => match span.values.get(1) {
            Some(written) => written.clone(),
            None => json!(number.to_string()),
        },
        (Value::String(text), Kind::Text)
            if parameter.wants == Wants::Url
                && span.sort.kind() == Some(EntityKind::Url)
                && !text.contains("://")
                && !text.contains('@')
                && !parameter
                    .words
                    .iter()
                    .any(|word| word == "domain" || word == "host") =>
        {
            json!(format!("https://{text}"))
        }
        _ => value.clone(),
    };
    parameter.admits(&suited).then_some(suited)
}

/// All entities of one sort, for a parameter that takes several.
fn lists(parameter: &Parameter<'_>, reading: &Reading, found: &mut Vec<Candidate>) {
    use EntityKind::{Code, Date, Email, Name, Number, Quoted, Url};
    let Some(items) = parameter.shape.list_items() else {
        return;
    };
    for kinds in [
        &[Url][..],
        &[Email],
        &[Date],
        &[Number],
        &[Quoted],
        &[Name],
        &[Code],
    ] {
        let mut numbers = Vec::new();
        let mut values = Vec::new();
        for (number, span) in reading.spans.iter().enumerate() {
            let of_kind = span.sort.kind().is_some_and(|kind| kinds.contains(&kind));
            let value = span.values.first().filter(|_| of_kind);
            let fits = |value: &&Value| items.is_none_or(|items| items.admits(value));
            if let Some(value) = value.filter(fits) {
                numbers.push(number);
                values.push(value.clone());
            }
        }
        // One value is no list where it may stand alone.
        let stands_alone = values.len() == 1 && parameter.kind == Kind::Text;
        if !values.is_empty() && !stands_alone {
            found.push(Candidate {
                origin: Origin::Several { numbers },
                value: Value::Array(values),
            });
        }
    }
}

/// Listed values that the request mentions.
fn choices(parameter: &Parameter<'_>, reading: &Reading, found: &mut Vec<Candidate>) {
    for choice in &parameter.choices {
        let said = match choice {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => continue,
        };
        if let Some(place) = mention(&crate::catalogue::ports::terms(&said), reading) {
            found.push(Candidate {
                origin: Origin::Choice { place },
                value: Value::clone(choice),
            });
        }
    }
}

/// A switch is on when its name is said, and off when it is denied.
fn flags(parameter: &Parameter<'_>, reading: &Reading, found: &mut Vec<Candidate>) {
    static EMPTY: List = List::named("bind_candidates.empty");
    static DENIALS: List = List::named("bind_candidates.denials");
    let bare = |word: &&String| !EMPTY.contains(&word.as_str());
    let words: Vec<String> = parameter.words.iter().filter(bare).cloned().collect();
    let stems: Vec<String> = words
        .iter()
        .map(|word| holloway_search::words::stem(word))
        .collect();
    let Some(place) = mention(&stems, reading) else {
        return;
    };
    let first = reading
        .words
        .partition_point(|word| word.place.start < place.start);
    let before = reading
        .words
        .get(first.saturating_sub(2)..first)
        .unwrap_or_default();
    let denied = before
        .iter()
        .any(|word| DENIALS.contains(&word.lower.as_str()));
    found.push(Candidate {
        origin: Origin::Flag { place },
        value: json!(!denied),
    });
}

/// Where these words stand one after the other.
fn mention(stems: &[String], reading: &Reading) -> Option<Range<usize>> {
    if stems.is_empty() {
        return None;
    }
    let fits = |words: &&[Word]| {
        words
            .iter()
            .zip(stems)
            .all(|(word, stem)| word.stem == *stem)
    };
    let words = reading.words.windows(stems.len()).find(fits)?;
    Some(words.first()?.place.start..words.last()?.place.end)
}

impl Origin {
    /// The entity that the candidate spends.
    pub fn entity(&self, reading: &Reading) -> Option<usize> {
        let number = match self {
            Self::Span { number, .. } => Some(number),
            Self::Several { numbers } => numbers.first(),
            _ => None,
        };
        let span = number.and_then(|number| reading.spans.get(*number));
        span.and_then(|span| span.sort.entity())
    }

    /// The stretch of the request that the candidate spends; the first of several.
    pub fn place(&self, reading: &Reading) -> Option<Range<usize>> {
        match self {
            Self::Several { numbers } => {
                let first = numbers
                    .first()
                    .and_then(|number| reading.spans.get(*number));
                first.map(|span| span.place.clone())
            }
            Self::Span { number, .. } => reading.spans.get(*number).map(|span| span.place.clone()),
            Self::Choice { place } | Self::Flag { place } | Self::Stated { place } => {
                Some(place.clone())
            }
            _ => None,
        }
    }
}
