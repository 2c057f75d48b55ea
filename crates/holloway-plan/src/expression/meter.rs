//! How much may one expression make? Every value that it reads and every value that its filters
//! and operators make is charged before it is made, so that no step in between is too large.

use std::fmt;

use minijinja::value::{Value as Jinja, ValueKind};
use minijinja::{Error, ErrorKind, State};

use crate::size::{FIELD, ITEM, OWN, VALUE_BYTES, list, object, take_bytes, text};

/// The filter that charges for its input and gives it back; plans cannot name it.
pub(super) const METER_FILTER: &str = "metered";
/// Where the scope of an expression says how much it may make. No plan can have such a name.
pub(super) const ROOM: &str = "room in bytes";

/// What an item of a list takes while a filter makes another list of it.
const SHARED_ITEM: usize = 24;
/// Levels of lists in lists that are looked into; data itself is not nested deeper.
const LEVELS: usize = 128;

/// What is left for the expression that is being worked out.
struct Meter {
    room: usize,
}

/// Says that a value would be too large. Found again as the source of a language error.
#[derive(Debug)]
pub(super) struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is too large")
    }
}

impl std::error::Error for TooLarge {}

pub(super) fn too_large() -> Error {
    Error::new(ErrorKind::InvalidOperation, "the value is too large").with_source(TooLarge)
}

/// Whether an error says that a value was too large.
pub(crate) fn is_too_large(error: &Error) -> bool {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if error.is::<TooLarge>() {
            return true;
        }
        next = error.source();
    }
    false
}

/// Takes bytes off what the expression may still make.
pub(super) fn charge(state: &mut State, bytes: usize) -> Result<(), Error> {
    let room = state.lookup(ROOM).and_then(|room| room.as_usize());
    let meter = state.get_or_insert_extension(Meter {
        room: room.unwrap_or(VALUE_BYTES),
    });
    if take_bytes(bytes, &mut meter.room) {
        Ok(())
    } else {
        Err(too_large())
    }
}

/// What is left to make.
pub(super) fn room(state: &mut State) -> usize {
    if charge(state, 0).is_err() {
        return 0;
    }
    state.get_extension::<Meter>().map_or(0, |meter| meter.room)
}

/// Charges for the text or the items of a value, and gives it back. What two values make
/// together is made twice: as text, and once more as a value.
pub(super) fn metered(state: &mut State, value: Jinja) -> Result<Jinja, Error> {
    charge(state, shallow(&value).saturating_mul(2))?;
    Ok(value)
}

/// What a copy of the value takes that shares its parts.
pub(super) fn shallow(value: &Jinja) -> usize {
    match value.kind() {
        ValueKind::String | ValueKind::Bytes => value.as_bytes().map_or(OWN, <[u8]>::len),
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => {
            value.len().unwrap_or(1).saturating_mul(SHARED_ITEM)
        }
        _ => OWN,
    }
}

/// Takes the size that a value will have outside of the language; false when it does not fit.
pub(super) fn take_whole(value: &Jinja, room: &mut usize) -> bool {
    take_level(value, room, LEVELS)
}

fn take_level(value: &Jinja, room: &mut usize, levels: usize) -> bool {
    if levels == 0 {
        return false;
    }
    match value.kind() {
        ValueKind::String | ValueKind::Bytes => take_bytes(text(shallow(value)), room),
        ValueKind::Seq | ValueKind::Iterable => {
            let known = value.len();
            let each = known.map_or(ITEM, |_| 0);
            let item = |item: Jinja, room: &mut usize| {
                take_bytes(each, room) && take_level(&item, room, levels - 1)
            };
            take_bytes(list(known.unwrap_or(0)), room)
                && value
                    .try_iter()
                    .is_ok_and(|mut items| items.all(|one| item(one, room)))
        }
        ValueKind::Map => {
            let field = |name: Jinja, room: &mut usize| {
                take_bytes(FIELD.saturating_add(shallow(&name)), room)
                    && value
                        .get_item(&name)
                        .is_ok_and(|field| take_level(&field, room, levels - 1))
            };
            take_bytes(object(value.len().unwrap_or(1)), room)
                && value
                    .try_iter()
                    .is_ok_and(|mut names| names.all(|name| field(name, room)))
        }
        _ => take_bytes(OWN, room),
    }
}
