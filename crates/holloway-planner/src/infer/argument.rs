//! What is an argument of a tool for? By its name, its type and what is said about it: the kinds of
//! things that it may take, or the slot that it serves. Nothing where that is not clear.

use holloway_plan::tool::ToolSpec;

use super::definitions::{Definitions, Pattern, Words, words};
use crate::catalogue::shape::{Kind, Shape};

/// An argument as far as it is understood.
#[derive(Debug)]
pub(super) struct Argument<'a> {
    pub(super) name: &'a str,
    words: Vec<String>,
    pub(super) required: bool,
    /// The kinds of things that it may take.
    pub(super) kinds: Vec<&'static str>,
    pub(super) many: bool,
    pub(super) slot: Option<&'static str>,
}

impl Argument<'_> {
    pub(super) fn ends_with(&self, known: &Words) -> bool {
        self.words.last().is_some_and(|last| known.has(last))
    }

    pub(super) fn has(&self, known: &Words) -> bool {
        self.words.iter().any(|word| known.has(word))
    }

    pub(super) fn all_of(&self, known: &Words) -> bool {
        self.words.iter().all(|word| known.has(word))
    }

    pub(super) fn takes(&self, kind: &str) -> bool {
        self.kinds.contains(&kind)
    }
}

/// The arguments of a tool.
pub(super) fn all<'a>(known: &'static Definitions, tool: &'a ToolSpec) -> Vec<Argument<'a>> {
    let form = Shape::of(&tool.input_schema).forms().first().copied();
    let Some(form) = form else {
        return Vec::new();
    };
    let one = |(name, shape): (&'a str, Shape<'a>)| {
        let mut argument = Argument {
            name,
            words: words(name),
            required: form.is_required(name),
            kinds: Vec::new(),
            many: false,
            slot: None,
        };
        understand(known, &mut argument, shape);
        argument
    };
    form.fields().map(one).collect()
}

fn understand(known: &'static Definitions, argument: &mut Argument<'_>, shape: Shape<'_>) {
    // One of a few words is a choice, not a thing.
    if !shape.choices().is_empty() {
        return;
    }
    let said = words(shape.text("description"));
    let mut patterns = known.arguments.iter();
    let Some(pattern) = patterns.find(|pattern| fits(pattern, argument, shape)) else {
        return;
    };
    let is_language = said.iter().any(|word| known.languages.has(word));
    if let Some(slot) = &pattern.slot {
        argument.slot = Some(slot)
            .filter(|_| slot != "pattern" || !is_language)
            .map(String::as_str);
        return;
    }
    argument.many = shape.kind() == Kind::List;
    argument.kinds = pattern.kinds.iter().collect();
    if argument.kinds.len() > 1 {
        narrow(known, argument, &said);
    }
    if argument.many && !items_fit(argument, shape) {
        argument.kinds.clear();
    }
    // A table is one thing, though it is written as a list.
    argument.many &= !argument.takes("table");
}

/// Of several kinds, those that the description speaks of.
fn narrow(known: &Definitions, argument: &mut Argument<'_>, said: &[String]) {
    let speaks = |kind: &str| {
        let alike = known.said.get(kind);
        alike.is_some_and(|alike| said.iter().any(|word| alike.has(word)))
    };
    let kinds = argument.kinds.iter().copied();
    let spoken: Vec<&'static str> = kinds.filter(|kind| speaks(kind)).collect();
    if !spoken.is_empty() {
        argument.kinds = spoken;
    }
}

fn fits(pattern: &Pattern, argument: &Argument<'_>, shape: Shape<'_>) -> bool {
    let kind = match shape.kind() {
        Kind::Text => "text",
        Kind::Integer => "integer",
        Kind::Number => "number",
        Kind::Boolean => "boolean",
        Kind::List => "list",
        Kind::Object | Kind::Any => return false,
    };
    let any = argument.words.iter().any(|word| pattern.any.has(word));
    pattern.types.has(kind) && argument.ends_with(&pattern.last) && (pattern.any.is_empty() || any)
}

/// Whether a list has items of its kind: texts name files and addresses; any rows are a table.
fn items_fit(argument: &Argument<'_>, shape: Shape<'_>) -> bool {
    let items = shape.forms().into_iter().find_map(Shape::items);
    let Some(items) = items else {
        return false;
    };
    if argument.takes("table") {
        let form = items.forms().first().copied();
        return form.is_some_and(|form| {
            form.kind() == Kind::Object
                && form.required().next().is_none()
                && form.fields().next().is_none()
        });
    }
    items.kind() == Kind::Text
}
