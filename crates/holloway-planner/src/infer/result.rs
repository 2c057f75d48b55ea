//! What comes out of a tool? By the schema of its result; a text where its source gives texts.

use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::Gives;

use crate::catalogue::shape::{Kind, Shape};

/// Something that a result is or holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub(super) kind: &'static str,
    /// Where in the result it stands; empty for the result as a whole.
    pub(super) field: String,
}

/// What is known to come out of an act.
pub(super) enum Outcome {
    Nothing,
    Thing(Gives),
}

impl Outcome {
    pub(super) fn gives(self) -> Option<Gives> {
        match self {
            Self::Nothing => None,
            Self::Thing(gives) => Some(gives),
        }
    }
}

/// What a result is clearly: the only thing of its kind in it.
pub(super) fn given(tool: &ToolSpec, text_at: Option<&str>) -> Vec<Given> {
    if tool.output_schema.is_null() {
        let text = |field: &str| Given {
            kind: "text",
            field: field.to_owned(),
        };
        return text_at.map(text).into_iter().collect();
    }
    let Some(form) = Shape::of(&tool.output_schema).forms().first().copied() else {
        return Vec::new();
    };
    if let Some(kind) = kind_of(form) {
        let field = String::new();
        return vec![Given { kind, field }];
    }
    let fields: Vec<Given> = form
        .fields()
        .filter_map(|(name, shape)| {
            let kind = kind_of(shape)?;
            let field = name.to_owned();
            Some(Given { kind, field })
        })
        .collect();
    let alone = |one: &&Given| fields.iter().filter(|other| other.kind == one.kind).count() == 1;
    fields.iter().filter(alone).cloned().collect()
}

fn kind_of(shape: Shape<'_>) -> Option<&'static str> {
    match shape.kind() {
        Kind::Text => Some("text"),
        Kind::Integer | Kind::Number => Some("number"),
        Kind::List => {
            let items = shape.forms().into_iter().find_map(Shape::items)?;
            (items.kind() == Kind::Object).then_some("table")
        }
        Kind::Boolean | Kind::Object | Kind::Any => None,
    }
}
