//! What does a request state for the fields of an object, or of the objects of a list? The
//! same rules, read for the fields; all that the object needs must be there.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::{Request, Stated};
use crate::bind::parameter::Parameter;
use crate::bind::shape::{Kind, Shape};

/// Objects that are needed and not stated as a whole.
pub(super) fn add(request: &Request<'_>, stated: &mut Vec<Stated>) {
    for (at, parameter) in request.parameters.iter().enumerate() {
        let known = stated.iter().any(|own| own.parameter == at);
        if known || !parameter.required {
            continue;
        }
        let found = forms(parameter).into_iter().find_map(|(form, in_list)| {
            let (value, place) = object(request, form, stated)?;
            let value = if in_list { json!([value]) } else { value };
            parameter.admits(&value).then_some((value, place))
        });
        if let Some((value, place)) = found {
            stated.push(Stated {
                parameter: at,
                value,
                place,
                why: "what the request says of it",
            });
        }
    }
}

/// The forms of objects that a parameter takes, and whether it takes them in a list.
fn forms<'a>(parameter: &Parameter<'a>) -> Vec<(Shape<'a>, bool)> {
    let items = parameter.shape.list_items().flatten();
    let (shape, in_list) = match (parameter.kind, items) {
        (Kind::List, Some(items)) => (items, true),
        (Kind::Object, _) => (parameter.shape, false),
        _ => return Vec::new(),
    };
    let of_fields = |form: &Shape<'a>| form.fields().next().is_some();
    let forms = shape.forms().into_iter().filter(of_fields);
    forms.map(|form| (form, in_list)).collect()
}

fn object(
    request: &Request<'_>,
    form: Shape<'_>,
    stated: &[Stated],
) -> Option<(Value, Range<usize>)> {
    let fields = Parameter::of_schema(form);
    let inner = Request {
        wanted: request.wanted,
        tokens: request.tokens,
        own: request.own.clone(),
        tool: request.tool.clone(),
        source: request.source.clone(),
        parameters: &fields,
    };
    let mut value = Map::new();
    let mut place: Option<Range<usize>> = None;
    for own in inner.stated(false) {
        let overlaps =
            |other: &Stated| other.place.start < own.place.end && own.place.start < other.place.end;
        let field = fields.get(own.parameter)?;
        if stated.iter().any(overlaps) || !inner.is_own(&own.place) {
            continue;
        }
        value.insert(field.name.to_owned(), own.value);
        place = Some(match place {
            Some(place) => place.start.min(own.place.start)..place.end.max(own.place.end),
            None => own.place,
        });
    }
    // What can be only one thing goes without saying.
    for field in fields.iter().filter(|field| field.required) {
        if let ([only], false) = (field.choices.as_slice(), value.contains_key(field.name)) {
            value.insert(field.name.to_owned(), Value::clone(only));
        }
    }
    let complete = fields
        .iter()
        .all(|field| !field.required || value.contains_key(field.name));
    place
        .filter(|_| complete)
        .map(|place| (Value::Object(value), place))
}
