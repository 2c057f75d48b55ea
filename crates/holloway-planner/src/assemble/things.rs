//! What flows between steps? Things of a kind: a file, a table, a text, a page.

use holloway_plan::tool::does::{Does, Takes, is_a};
use serde_json::{Value, json};

use crate::frame::acts::Acts;
use crate::frame::scene::ending;

/// Kinds that a person can be shown as they are.
const NOTHING: &str = "nothing";

/// Something that is there, or that a step gives.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thing {
    pub(super) kind: String,
    pub(super) many: bool,
    /// What it is, where it is there from the beginning.
    pub(super) given: Option<Value>,
    /// Which step of a laid plan gives it; set when it is laid.
    pub(super) reference: Option<String>,
}

impl Thing {
    pub(super) fn nothing() -> Self {
        Self {
            kind: NOTHING.to_owned(),
            many: false,
            given: None,
            reference: None,
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.kind == NOTHING
    }

    /// A source of the request.
    pub(super) fn of(source: &Value) -> Option<Self> {
        let text = |field: &str| source.get(field).and_then(Value::as_str);
        let (kind, given) = if let Some(path) = text("path") {
            (Acts::table().kind_of_file(ending(path).as_deref()), path)
        } else if let Some(folder) = text("folder") {
            ("folder".to_owned(), folder)
        } else {
            ("url".to_owned(), text("url")?)
        };
        Some(Self {
            kind,
            many: false,
            given: Some(json!(given)),
            reference: None,
        })
    }

    /// Whether it can go where a tool takes something.
    pub(super) fn fits(&self, takes: &Takes) -> bool {
        let kind = takes.kinds.iter().any(|wanted| is_a(&self.kind, wanted));
        kind && (takes.many || !self.many)
    }

    /// What a tool makes of it.
    pub(super) fn through(&self, does: &Does, form: Option<String>) -> Self {
        let Some(gives) = &does.gives else {
            return Self::nothing();
        };
        let narrow = self.kind.split_once('.').map(|(_, narrow)| narrow);
        let first = gives.kinds.first().map_or(NOTHING, String::as_str);
        let chosen = form.filter(|form| gives.kinds.iter().any(|kind| is_a(form, kind) || kind.ends_with(".*")));
        let kind = match (chosen, first.strip_suffix(".*")) {
            (Some(form), _) => form,
            (None, Some(wide)) => narrow.map_or_else(|| wide.to_owned(), |narrow| format!("{wide}.{narrow}")),
            (None, None) => first.to_owned(),
        };
        Self {
            kind,
            many: gives.many,
            given: None,
            reference: None,
        }
    }

    /// Whether a run may end with it.
    pub(super) fn is_shown(&self) -> bool {
        !matches!(self.kind.as_str(), "page" | "pages" | "url" | "folder")
    }
}
