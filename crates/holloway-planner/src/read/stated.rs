//! What does a request state outright for a parameter? "the last 20 commits", "the Orders
//! sheet", "pages 1-3", "saying …", "biggest first": one rule per file, each for a way of
//! saying it; a stretch of the request serves one parameter of a call.

mod cells;
mod choices;
mod codes;
mod dates;
pub(crate) mod files;
mod given;
mod grouped;
mod items;
mod named;
mod numbers;
mod payload;
mod people;
mod places;
mod replaced;
mod sought;
pub(super) mod tokens;
mod units;

use std::ops::Range;

use serde_json::Value;

use self::tokens::Token;
use crate::catalogue::parameter::Parameter;
use crate::catalogue::ports::terms;
use crate::frame::Frame;

/// A value that the request states for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The parameter, by its place among those of the tool.
    pub parameter: usize,
    pub value: Value,
    /// Where it stands in the request, in bytes.
    pub place: Range<usize>,
    /// For people: "how many are asked for".
    pub why: &'static str,
}

/// What one rule has found.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    value: Value,
    place: Range<usize>,
}

impl Found {
    fn new(value: impl Into<Value>, place: Range<usize>) -> Self {
        let value = value.into();
        Self { value, place }
    }
}

/// A request as the rules read it, for one call.
struct Request<'a> {
    frame: &'a Frame,
    tokens: &'a [Token],
    /// The stretch that the call serves: its clause, up to where the next thing is asked for.
    own: Range<usize>,
    /// The words of the tool's name.
    tool: Vec<String>,
    /// The words of the name of its server.
    source: Vec<String>,
    parameters: &'a [Parameter<'a>],
}

impl Request<'_> {
    fn text(&self) -> &str {
        &self.frame.wording.open_words().text
    }

    /// Whether a place lies in the clause that the call serves.
    fn is_own(&self, place: &Range<usize>) -> bool {
        self.own.contains(&place.start)
    }

    /// The stretch of the request that the call serves.
    fn own_text(&self) -> (&str, usize) {
        let own = self.text().get(self.own.clone());
        (own.unwrap_or_default(), self.own.start)
    }
}

/// From the clause that a call serves to the next one that asks for something.
fn own(frame: &Frame, clause: Option<usize>) -> Range<usize> {
    let (whole, parts) = (0..frame.wording.length(), &frame.wording.open_words().parts);
    let part = clause.and_then(|clause| Some((clause, parts.get(clause)?)));
    let Some((clause, part)) = part else {
        return whole;
    };
    let goals = frame.goals.iter();
    let asked = || goals.clone().map(|goal| goal.clause.number);
    let next = asked().filter(|other| *other > clause).min();
    let end = match next {
        Some(next) => parts.get(next).map_or(whole.end, |next| next.start),
        None if frame.goals.is_empty() => part.end,
        None => whole.end,
    };
    let is_first = asked().all(|other| other >= clause);
    let start = if is_first { 0 } else { part.start };
    start..end.max(start)
}

type Rule = fn(&Request<'_>, &Parameter<'_>) -> Vec<Found>;

/// The plainest ways of saying something first.
const RULES: [(Rule, &str); 22] = [
    (given::given, "given by name"),
    (codes::repository, "the repository in the request"),
    (codes::branch, "the branch in the request"),
    (cells::cells, "the cells in the request"),
    (units::unit, "the unit in the request"),
    (units::zone, "the zone of the city in the request"),
    (units::language, "the language in the request"),
    (codes::moved, "where it goes"),
    (files::files, "the file in the request"),
    (codes::numbered, "the number in the request"),
    (codes::prefixed, "the code in the request"),
    (replaced::replaced, "what is replaced by what"),
    (grouped::grouped, "what is put together"),
    (numbers::counted, "how many are asked for"),
    (numbers::measured, "the quantity in the request"),
    (places::ordinal, "which one is asked for"),
    (dates::dated, "the date in the request"),
    (named::named, "said with its name in the request"),
    (choices::chosen, "what the request asks for"),
    (items::listed, "what the request lists"),
    (payload::written, "the text in the request"),
    (sought::sought, "what the request looks for"),
];

/// All that is stated for the parameters of a call, in no order.
pub fn stated(
    tool: &str,
    parameters: &[Parameter<'_>],
    frame: &Frame,
    clause: Option<usize>,
) -> Vec<Stated> {
    let name = holloway_plan::tool::ToolId::new(tool);
    let request = Request {
        frame,
        tokens: &frame.wording.open_words().tokens,
        own: own(frame, clause),
        tool: terms(name.name()),
        source: terms(name.source()),
        parameters,
    };
    request.stated()
}

impl Request<'_> {
    /// What the rules find.
    fn stated(&self) -> Vec<Stated> {
        let (request, parameters) = (self, self.parameters);
        let mut stated: Vec<Stated> = Vec::new();
        for (rule, why) in RULES {
            // What is required chooses before what is not.
            let mut order: Vec<usize> = (0..parameters.len()).collect();
            order.sort_by_key(|at| parameters.get(*at).is_none_or(|one| !one.required));
            for at in order {
                let Some(parameter) = parameters.get(at) else {
                    continue;
                };
                if stated.iter().any(|own| own.parameter == at) {
                    continue;
                }
                let mut found = rule(request, parameter);
                // What is said in the call's own clause goes first, and alone for what is not needed.
                found.retain(|found| parameter.expected || request.is_own(&found.place));
                found.sort_by_key(|found| !request.is_own(&found.place));
                let is_free = |found: &Found| {
                    let overlaps = |own: &Stated| {
                        own.place.start < found.place.end && found.place.start < own.place.end
                    };
                    !stated.iter().any(overlaps)
                };
                let free = found
                    .into_iter()
                    .find(|found| is_free(found) && parameter.admits(&found.value));
                if let Some(Found { value, place }) = free {
                    stated.push(Stated {
                        parameter: at,
                        value,
                        place,
                        why,
                    });
                }
            }
        }
        stated
    }
}

#[cfg(test)]
mod tests;
