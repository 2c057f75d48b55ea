//! Which states and properties does WAI-ARIA know, and which values may they have?

use Kind::{Decimal, Id, Ids, Integer, List, Text, Words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One of these words.
    Words(&'static str),
    /// Some of these words.
    List(&'static str),
    Id,
    Ids,
    Text,
    Decimal,
    /// Not less than this.
    Integer(i64),
}

/// Allowed on every role.
const GLOBAL: u8 = 1;
/// May be empty.
const EMPTY: u8 = 2;
/// Should not be used any more.
const OLD: u8 = 4;
/// Browsers tell upper from lower case.
const CASE: u8 = 8;

#[derive(Debug)]
pub(crate) struct Attribute {
    name: &'static str,
    pub(crate) kind: Kind,
    flags: u8,
}

impl Attribute {
    pub(crate) fn is_global(&self) -> bool {
        self.flags & GLOBAL != 0
    }

    pub(crate) fn may_be_empty(&self) -> bool {
        self.flags & EMPTY != 0
    }

    pub(crate) fn is_old(&self) -> bool {
        self.flags & OLD != 0
    }

    pub(crate) fn has_case(&self) -> bool {
        self.flags & CASE != 0
    }

    pub(crate) fn refers(&self) -> bool {
        matches!(self.kind, Id | Ids)
    }
}

pub(crate) fn find(name: &str) -> Option<&'static Attribute> {
    if !name.starts_with("aria-") {
        return None;
    }
    let index = ATTRIBUTES
        .binary_search_by(|attribute| attribute.name.cmp(name))
        .ok()?;
    ATTRIBUTES.get(index)
}

const fn attribute(name: &'static str, kind: Kind, flags: u8) -> Attribute {
    Attribute { name, kind, flags }
}

/// Sorted by name.
#[rustfmt::skip]
static ATTRIBUTES: &[Attribute] = &[
    attribute("aria-actions", Ids, GLOBAL | EMPTY),
    attribute("aria-activedescendant", Id, EMPTY),
    attribute("aria-atomic", Words("true false"), GLOBAL),
    attribute("aria-autocomplete", Words("inline list both none"), 0),
    attribute("aria-braillelabel", Text, GLOBAL | EMPTY),
    attribute("aria-brailleroledescription", Text, GLOBAL | EMPTY),
    attribute("aria-busy", Words("true false"), GLOBAL | CASE),
    attribute("aria-checked", Words("false mixed true undefined"), CASE),
    attribute("aria-colcount", Integer(-1), 0),
    attribute("aria-colindex", Integer(1), 0),
    attribute("aria-colspan", Integer(1), 0),
    attribute("aria-controls", Ids, GLOBAL | EMPTY),
    attribute("aria-current", Words("page step location date time true false"), GLOBAL | EMPTY | CASE),
    attribute("aria-describedby", Ids, GLOBAL | EMPTY),
    attribute("aria-description", Text, GLOBAL | EMPTY),
    attribute("aria-details", Ids, GLOBAL | EMPTY),
    attribute("aria-disabled", Words("true false"), GLOBAL),
    attribute("aria-dropeffect", List("copy execute link move none popup"), GLOBAL | OLD),
    attribute("aria-errormessage", Ids, GLOBAL | EMPTY),
    attribute("aria-expanded", Words("true false undefined"), 0),
    attribute("aria-flowto", Ids, GLOBAL | EMPTY),
    attribute("aria-grabbed", Words("true false undefined"), GLOBAL | OLD),
    attribute("aria-haspopup", Words("true false menu listbox tree grid dialog"), GLOBAL | EMPTY),
    attribute("aria-hidden", Words("true false undefined"), GLOBAL),
    attribute("aria-invalid", Words("grammar false spelling true"), GLOBAL),
    attribute("aria-keyshortcuts", Text, GLOBAL | EMPTY),
    attribute("aria-label", Text, GLOBAL | EMPTY),
    attribute("aria-labelledby", Ids, GLOBAL | EMPTY),
    attribute("aria-level", Integer(1), 0),
    attribute("aria-live", Words("assertive off polite"), GLOBAL),
    attribute("aria-modal", Words("true false"), 0),
    attribute("aria-multiline", Words("true false"), CASE),
    attribute("aria-multiselectable", Words("true false"), 0),
    attribute("aria-orientation", Words("horizontal undefined vertical"), 0),
    attribute("aria-owns", Ids, GLOBAL | EMPTY),
    attribute("aria-placeholder", Text, EMPTY),
    attribute("aria-posinset", Integer(1), 0),
    attribute("aria-pressed", Words("false mixed true undefined"), CASE),
    attribute("aria-readonly", Words("true false"), CASE),
    attribute("aria-relevant", List("additions all removals text"), GLOBAL | CASE),
    attribute("aria-required", Words("true false"), CASE),
    attribute("aria-roledescription", Text, GLOBAL | EMPTY),
    attribute("aria-rowcount", Integer(-1), 0),
    attribute("aria-rowindex", Integer(1), 0),
    attribute("aria-rowspan", Integer(0), 0),
    attribute("aria-selected", Words("false true undefined"), 0),
    attribute("aria-setsize", Integer(-1), 0),
    attribute("aria-sort", Words("ascending descending none other"), CASE),
    attribute("aria-valuemax", Decimal, 0),
    attribute("aria-valuemin", Decimal, 0),
    attribute("aria-valuenow", Decimal, 0),
    attribute("aria-valuetext", Text, EMPTY),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_sorted() {
        assert!(ATTRIBUTES.is_sorted_by_key(|attribute| attribute.name));
        assert!(find("aria-label").is_some_and(Attribute::is_global));
        assert!(find("aria-labeledby").is_none());
    }
}
