//! What does a tool do that is outside the table of acts? Its own verb, with what is clear of the
//! things that go in and come out.

use holloway_plan::tool::does::{Does, Gives, Serves, Takes};

use super::Seen;
use super::act::{serves, takes};
use super::argument::Argument;
use super::definitions::Definitions;
use super::result::Outcome;
use crate::frame::acts::Acts;

pub(super) fn by_verb(known: &Definitions, seen: &Seen<'_>) -> Option<Does> {
    let deed = &seen.deed;
    let object = deed.kind(known);
    let gives_it = known.giving.has(&deed.verb);
    let outcome = outcome(known, seen, object.clone().filter(|_| gives_it))?;
    let act = match &object {
        // What comes out says what is done to what.
        _ if gives_it && Acts::table().act(&deed.verb).is_none() => deed.verb.clone(),
        Some((kind, _)) => format!("{}_{kind}", deed.verb),
        None => deed.verb.clone(),
    };
    // The table has a meaning of its own for its acts.
    if Acts::table().act(&act).is_some() {
        return None;
    }
    let makes = known.making.has(&deed.verb) && deed.object.iter().any(|word| known.made.has(word));
    let mut does = Does {
        act,
        gives: outcome.gives(),
        ..Does::default()
    };
    for argument in &seen.arguments {
        if let Some(slot) = argument.slot {
            add_slot(&mut does, argument.name, slot);
        } else if makes && is_new(known, argument) {
            add_slot(&mut does, argument.name, "target.path");
        } else if let Some(thing) = thing(seen, argument) {
            does.takes.push(thing);
        }
    }
    Some(does)
}

/// Whether an argument names a file that is made.
fn is_new(known: &Definitions, argument: &Argument<'_>) -> bool {
    argument.takes("file") && !argument.many && !argument.has(&known.existing)
}

/// What an argument takes, where it must be there and can be one thing alone.
fn thing(seen: &Seen<'_>, argument: &Argument<'_>) -> Option<Takes> {
    let [kind] = argument.kinds.as_slice() else {
        return None;
    };
    let clear = argument.required && Definitions::shipped().clear.has(kind);
    clear.then(|| takes(seen, argument, kind))
}

/// Slots of acts with a name of their own, each once.
fn add_slot(does: &mut Does, argument: &str, slot: &str) {
    let serves = serves(argument, slot);
    let known = Acts::table().slots.contains_key(serves.slot());
    if known
        && !does
            .slots
            .iter()
            .any(|other: &Serves| other.slot() == serves.slot())
    {
        does.slots.push(serves);
    }
}

/// What comes out: nothing of a change, else what the tool is named for or the result as it is;
/// `None` where it is not clear.
fn outcome(
    known: &Definitions,
    seen: &Seen<'_>,
    result: Option<(String, bool)>,
) -> Option<Outcome> {
    if known.changing.has(&seen.deed.verb) {
        return Some(Outcome::Nothing);
    }
    let only = match seen.given.as_slice() {
        [only] => Some(only),
        _ => None,
    };
    let is_typed = !seen.tool.output_schema.is_null();
    let (kind, many, field) = match (result, only) {
        (Some((kind, many)), Some(given)) if is_typed && many == (given.kind == "table") => {
            (kind, many, given.field.as_str())
        }
        (Some((kind, many)), _) => (kind, many, ""),
        (None, Some(given)) => (given.kind.to_owned(), false, given.field.as_str()),
        (None, None) => return None,
    };
    Some(Outcome::Thing(Gives {
        kinds: vec![kind],
        many,
        field: field.to_owned(),
    }))
}
