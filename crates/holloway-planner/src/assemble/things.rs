//! What flows between steps? Things of a kind: a file, a table, a text, a page.

use holloway_plan::tool::does::{Does, Gives, Takes, is_a};
use serde_json::{Value, json};

use crate::frame::acts::Acts;
use crate::frame::scene::{Before, ending};

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
    /// For many things: where in each item of the list it stands.
    pub(super) item: Option<String>,
}

impl Thing {
    pub(super) fn nothing() -> Self {
        Self {
            kind: NOTHING.to_owned(),
            many: false,
            given: None,
            reference: None,
            item: None,
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.kind == NOTHING
    }

    pub(super) fn is_file(&self) -> bool {
        is_a(&self.kind, "file")
    }

    /// What an earlier run gave.
    pub(super) fn before(before: &Before) -> Self {
        Self {
            kind: before.kind.clone(),
            many: false,
            given: None,
            reference: Some(before.reference.clone()),
            item: None,
        }
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
            item: None,
        })
    }

    /// Several things of one kind, to be taken one after the other.
    pub(super) fn each_of(things: &[Self]) -> Option<Self> {
        let first = things.first()?;
        let given: Option<Vec<Value>> = things.iter().map(|thing| thing.given.clone()).collect();
        let same = things
            .iter()
            .all(|thing| thing.kind == first.kind && !thing.many);
        Some(Self {
            many: true,
            given: Some(Value::Array(given.filter(|_| same)?)),
            ..first.clone()
        })
    }

    /// Whether it can go where a tool takes something. Many things go one by one where a tool
    /// takes one.
    pub(super) fn fits(&self, takes: &Takes) -> bool {
        takes.kinds.iter().any(|wanted| is_a(&self.kind, wanted))
    }

    /// Whether a tool would have to be called for each.
    pub(super) fn is_looped(&self, does: &Does) -> bool {
        self.many && matches!(does.takes.as_slice(), [only] if !only.many)
    }

    /// What a tool makes of it, as a file of this form where one is wanted.
    pub(super) fn through(&self, does: &Does, form: Option<&str>) -> Self {
        let Some(gives) = &does.gives else {
            return Self::nothing();
        };
        let narrow = self.kind.split_once('.').map(|(_, narrow)| narrow);
        let first = gives.kinds.first().map_or(NOTHING, String::as_str);
        let chosen = form.filter(|form| self.becomes(gives, form));
        let kind = match (chosen, first.strip_suffix(".*")) {
            (Some(form), _) => form.to_owned(),
            (None, Some(wide)) => {
                narrow.map_or_else(|| wide.to_owned(), |narrow| format!("{wide}.{narrow}"))
            }
            (None, None) => first.to_owned(),
        };
        let mut fields = gives.field.splitn(2, "[].");
        fields.next();
        Self {
            kind,
            many: gives.many || self.is_looped(does),
            given: None,
            reference: None,
            item: fields.next().map(str::to_owned),
        }
    }

    /// Whether a tool can make a file of this form of it: `file.*` keeps what the text is, and a
    /// text of no particular form fits every file of text.
    pub(super) fn becomes(&self, gives: &Gives, form: &str) -> bool {
        const PLAIN: [&str; 2] = ["text", "markdown"];
        let narrow = self.kind.split_once('.').map(|(_, narrow)| narrow);
        gives
            .kinds
            .iter()
            .any(|kind| match kind.strip_suffix(".*") {
                None => is_a(form, kind),
                Some(wide) => form
                    .strip_prefix(wide)
                    .and_then(|form| form.strip_prefix('.'))
                    .is_some_and(|form| {
                        narrow == Some(form)
                            || PLAIN.contains(&form)
                                && narrow.is_none_or(|narrow| PLAIN.contains(&narrow))
                    }),
            })
    }

    /// Whether a run may end with it.
    pub(super) fn is_shown(&self) -> bool {
        let acts = Acts::table();
        let is_loose = self.many && acts.gathered.contains(&self.kind);
        !is_loose && !acts.unfinished.contains(&self.kind)
    }
}
