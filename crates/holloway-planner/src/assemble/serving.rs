//! Which parts of a goal can a tool serve, and what is its argument then?

use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::{Does, Serves, Takes, is_a};
use serde_json::{Value, json};

use super::things::Thing;
use super::{CHOSEN, Op};
use crate::frame::acts::Acts;
use crate::frame::scene::{ending, is_page};
use crate::frame::{Goal, Part};

/// The kind of file that a target is.
pub(super) fn form_of(target: &Part) -> Option<String> {
    let path = target.text("path")?;
    Some(Acts::table().kind_of_file(ending(path).as_deref()))
}

pub(super) fn can_serve(op: Op<'_>, thing: &Thing, part: &Part) -> bool {
    let of_slot = op
        .does
        .slots
        .iter()
        .filter(|serves| serves.slot() == part.slot);
    let is_served = |serves: &Serves| match serves {
        Serves::Always { value, .. } => {
            part.value == json!(value) || part.value == json!(value == "true")
        }
        Serves::Argument {
            field: None,
            list: true,
            argument,
            ..
        } => has_required(op.tool, argument, part),
        Serves::Argument { field: None, .. } => !part.value.is_object(),
        Serves::Argument { .. } => every_field(op.does, part),
        Serves::Keyed { key, value, .. } => {
            part.value.get(key).is_some() && part.value.get(value).is_some()
        }
    };
    let fits = of_slot.into_iter().any(is_served);
    if part.slot != "target" || !fits {
        return fits;
    }
    let Some(gives) = &op.does.gives else {
        return true;
    };
    // A tool that takes a file gives one of the same form: it is moved or copied.
    let moves = thing.is_file();
    moves || form_of(part).is_some_and(|form| thing.becomes(gives, &form))
}

/// Whether a part has what each item of an argument must have: rows are sorted by a column, not
/// "in alphabetical order".
fn has_required(tool: &ToolSpec, argument: &str, part: &Part) -> bool {
    let required = |schema: &Value| {
        let item = schema.get("properties")?.get(argument)?.get("items")?;
        item.get("required")?.as_array().cloned()
    };
    let names = required(&tool.input_schema).unwrap_or_default();
    let mut names = names.iter().filter_map(Value::as_str);
    !part.value.is_object() || names.all(|name| part.value.get(name).is_some())
}

/// Whether the arguments of a tool take everything that a part says.
pub(super) fn every_field(does: &Does, part: &Part) -> bool {
    let taken = |name: &String| {
        does.slots.iter().any(|serves| {
            matches!(serves, Serves::Argument { slot, field: Some(field), .. } if *slot == part.slot && field == name)
        })
    };
    let said = part.value.as_object();
    said.is_some_and(|fields| fields.keys().filter(|name| *name != CHOSEN).all(taken))
}

/// The arguments that a tool cannot be called without.
pub(super) fn required(tool: &ToolSpec) -> impl Iterator<Item = &str> {
    let names = tool.input_schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// Whether a line gives an argument, serving these parts.
pub(super) fn has_argument(does: &Does, name: &str, parts: &[&Part]) -> bool {
    let serves = |serves: &Serves| {
        let field = match serves {
            Serves::Argument { field, .. } => field.as_deref(),
            Serves::Keyed { .. } | Serves::Always { .. } => None,
        };
        let mut of_slot = parts.iter().filter(|part| part.slot == serves.slot());
        serves.argument() == Some(name) && of_slot.any(|part| value_for(part, field).is_some())
    };
    does.takes.iter().any(|takes| takes.argument == name)
        || does.fixed.iter().any(|(argument, _)| argument == name)
        || does.slots.iter().any(serves)
}

/// Whether a tool may be put in though nobody asked for it.
pub(super) fn helps(does: &Does) -> bool {
    Acts::table().act(&does.act).is_some_and(|act| act.helps)
}

/// What a part says, in the shape that an argument takes.
pub(super) fn value_for(part: &Part, field: Option<&str>) -> Option<Value> {
    match field {
        Some(field) => part.value.get(field).cloned(),
        None => Some(part.value.clone()),
    }
}

/// Whether one page is meant and not the site that it stands on.
pub(super) fn is_one_page(goal: &Goal) -> bool {
    let mut urls = goal.all("sources").filter_map(|part| part.text("url"));
    urls.any(is_page) && !goal.has("whole") && !goal.has("recursive")
}

/// Whether a thing of this kind can be taken.
pub(super) fn fits(kind: &str, takes: &Takes) -> bool {
    takes.kinds.iter().any(|wanted| is_a(kind, wanted))
}

/// Whether a helping tool takes just this.
pub(super) fn leads(op: &Op<'_>, kind: &str, many: bool) -> bool {
    match op.does.takes.as_slice() {
        [only] => helps(op.does) && only.many == many && fits(kind, only),
        _ => false,
    }
}

/// As a reference to a result.
pub(super) fn in_braces(path: &str) -> String {
    format!("{{{{{path}}}}}")
}

/// A reference through the filter that an argument wants.
pub(super) fn filtered(value: Value, takes: &Takes) -> Value {
    let open = value.as_str().and_then(|text| text.strip_suffix("}}"));
    match (&takes.filter, open) {
        (Some(filter), Some(open)) => json!(format!("{open} | {filter}}}}}")),
        _ => value,
    }
}
