//! Is it an act of the table? Only where the verb, every word of the name, what goes in, what comes
//! out and every required argument fit what the rule of the act says.

use holloway_plan::tool::Effect;
use holloway_plan::tool::does::{Does, Gives, Serves, Takes};

use super::Seen;
use super::argument::Argument;
use super::definitions::{Definitions, Rule};
use super::result::Outcome;

pub(super) fn by_rule(rule: &Rule, seen: &Seen<'_>) -> Option<Does> {
    if !is_named(rule, seen) || !may(rule, seen.tool.effect) {
        return None;
    }
    let taken = taken(rule, seen)?;
    let slots = served(rule, seen, taken)?;
    let named = |slot: &str| slots.iter().any(|(_, known)| known == slot);
    if !rule.needs.iter().all(named) {
        return None;
    }
    let used = |argument: &Argument<'_>| {
        argument.name == taken.name || slots.iter().any(|(name, _)| *name == argument.name)
    };
    if !seen
        .arguments
        .iter()
        .all(|argument| !argument.required || used(argument))
    {
        return None;
    }
    let mut does = Does {
        act: rule.act.clone(),
        takes: vec![takes(seen, taken, &rule.takes)],
        gives: outcome(rule, seen, taken)?.gives(),
        slots: Vec::new(),
        fixed: Vec::new(),
    };
    let renamed = |slot: String| rule.renamed.get(&slot).cloned().unwrap_or(slot);
    does.slots = slots
        .into_iter()
        .map(|(argument, slot)| serves(argument, &renamed(slot)))
        .collect();
    if let Some((slot, value)) = rule
        .serves
        .as_ref()
        .and_then(|said| said.split_once(" is "))
    {
        does.slots.push(Serves::Always {
            slot: slot.to_owned(),
            value: value.to_owned(),
        });
    }
    Some(does)
}

/// Whether the verb is one of the act, and every other word of the name is accounted for.
fn is_named(rule: &Rule, seen: &Seen<'_>) -> bool {
    let deed = &seen.deed;
    let files = seen.file.into_iter();
    let files: Vec<&str> = files
        .flat_map(|kind| Definitions::shipped().names(kind))
        .collect();
    let known = |word: &String| {
        rule.things.has(word) || files.contains(&word.as_str()) || *word == deed.verb
    };
    let words = if deed.others.is_empty() {
        &deed.object
    } else {
        &deed.others
    };
    let needed = rule.needed.is_empty() || words.iter().any(|word| rule.needed.has(word));
    let never = words.iter().any(|word| rule.never.has(word));
    rule.verbs.has(&deed.verb) && words.iter().all(known) && needed && !never
}

/// What its effect speaks against is no act of that sort.
fn may(rule: &Rule, effect: Effect) -> bool {
    match effect {
        Effect::Read => !rule.changes,
        Effect::Idempotent | Effect::Write => true,
        Effect::Destructive => rule.changes,
    }
}

/// The argument that the thing goes into: the only one of the kind, or the only required one.
fn taken<'s, 'a>(rule: &Rule, seen: &'s Seen<'a>) -> Option<&'s Argument<'a>> {
    let fitting: Vec<&Argument<'a>> = seen
        .arguments
        .iter()
        .filter(|argument| argument.takes(&rule.takes))
        .collect();
    match fitting.as_slice() {
        [only] => Some(only),
        several => {
            let mut required = several.iter().filter(|argument| argument.required);
            required
                .next()
                .filter(|_| required.next().is_none())
                .copied()
        }
    }
}

/// The arguments that serve slots of the act; nothing where two serve the same.
fn served<'a>(
    rule: &Rule,
    seen: &Seen<'a>,
    taken: &Argument<'a>,
) -> Option<Vec<(&'a str, String)>> {
    let mut slots: Vec<(&'a str, String)> = Vec::new();
    for argument in seen
        .arguments
        .iter()
        .filter(|argument| argument.name != taken.name)
    {
        let place = !rule.places.is_empty() && argument.takes(&rule.places) && !argument.many;
        let slot = match argument.slot {
            Some(slot) if rule.slots.has(slot) => slot.to_owned(),
            _ if place => "target.path".to_owned(),
            _ => continue,
        };
        if slots.iter().any(|(_, known)| *known == slot) {
            return None;
        }
        slots.push((argument.name, slot));
    }
    Some(slots)
}

pub(super) fn takes(seen: &Seen<'_>, argument: &Argument<'_>, kind: &str) -> Takes {
    Takes {
        kinds: vec![seen.narrow(argument, kind)],
        many: argument.many,
        argument: argument.name.to_owned(),
        filter: None,
        optional: !argument.required,
    }
}

pub(super) fn serves(argument: &str, slot: &str) -> Serves {
    let (slot, field) = match slot.split_once('.') {
        Some((slot, field)) => (slot, Some(field.to_owned())),
        None => (slot, None),
    };
    Serves::Argument {
        slot: slot.to_owned(),
        argument: argument.to_owned(),
        field,
        list: false,
    }
}

/// What comes out; `None` where it is not clear.
fn outcome(rule: &Rule, seen: &Seen<'_>, taken: &Argument<'_>) -> Option<Outcome> {
    let one = |kind: String, field: &str| {
        Outcome::Thing(Gives {
            kinds: vec![kind],
            many: false,
            field: field.to_owned(),
        })
    };
    rule.gives.iter().find_map(|kind| match kind {
        "nothing" => Some(Outcome::Nothing),
        "file" => Some(one(seen.narrow(taken, kind), "")),
        _ => {
            let given = seen.given.iter().find(|given| given.kind == kind)?;
            Some(one(kind.to_owned(), &given.field))
        }
    })
}
