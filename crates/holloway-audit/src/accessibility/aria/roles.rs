//! Which roles does WAI-ARIA 1.2 know, with the digital publishing and graphics modules,
//! and what does each one ask for? Attribute names are without `aria-`.

use Kind::{Abstract, Composite, Landmark, Structure, Widget, Window};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Abstract,
    Composite,
    Landmark,
    Structure,
    Widget,
    Window,
}

/// Named by what it contains.
const CONTENT: u8 = 1;
/// What it contains is not told to screen readers.
const LEAF: u8 = 2;
/// Must have a name.
const NAMED: u8 = 4;
/// Should not be used any more.
const OLD: u8 = 8;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Role {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    flags: u8,
    /// Roles of which one must be inside.
    pub(crate) owned: &'static str,
    /// Roles of which one must be around.
    pub(crate) context: &'static str,
    pub(crate) required: &'static str,
    pub(crate) allowed: &'static str,
    pub(crate) prohibited: &'static str,
}

impl Role {
    pub(crate) fn named_by_content(&self) -> bool {
        self.flags & CONTENT != 0
    }

    pub(crate) fn is_leaf(&self) -> bool {
        self.flags & LEAF != 0
    }

    pub(crate) fn needs_name(&self) -> bool {
        self.flags & NAMED != 0
    }

    pub(crate) fn is_old(&self) -> bool {
        self.flags & OLD != 0
    }

    pub(crate) fn is_presentation(&self) -> bool {
        matches!(self.name, "none" | "presentation")
    }

    pub(crate) fn is_landmark(&self) -> bool {
        self.kind == Landmark
    }
}

/// Whether a list of words has this one.
pub(crate) fn lists(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

pub(crate) fn find(name: &str) -> Option<&'static Role> {
    let index = ROLES.binary_search_by(|role| role.name.cmp(name)).ok()?;
    ROLES.get(index)
}

const fn role(
    name: &'static str,
    kind: Kind,
    flags: u8,
    [owned, context, required, allowed, prohibited]: [&'static str; 5],
) -> Role {
    Role {
        name,
        kind,
        flags,
        owned,
        context,
        required,
        allowed,
        prohibited,
    }
}

/// Sorted by name.
#[rustfmt::skip]
static ROLES: &[Role] = &[
    role("alert", Structure, 0, ["", "", "", "expanded", ""]),
    role("alertdialog", Window, NAMED, ["", "", "", "expanded modal", ""]),
    role("application", Landmark, NAMED, ["", "", "", "activedescendant expanded", ""]),
    role("article", Structure, 0, ["", "", "", "posinset setsize expanded", ""]),
    role("banner", Landmark, 0, ["", "", "", "expanded", ""]),
    role("blockquote", Structure, 0, ["", "", "", "", ""]),
    role("button", Widget, CONTENT | LEAF | NAMED, ["", "", "", "expanded pressed", ""]),
    role("caption", Structure, 0, ["", "figure table grid treegrid", "", "", "actions label labelledby"]),
    role("cell", Structure, CONTENT, ["", "row", "", "colindex colspan rowindex rowspan expanded", ""]),
    role("checkbox", Widget, CONTENT | LEAF | NAMED, ["", "", "checked", "readonly expanded required", ""]),
    role("code", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("columnheader", Structure, CONTENT, ["", "row", "", "sort colindex colspan expanded readonly required rowindex rowspan selected", ""]),
    role("combobox", Widget, NAMED, ["", "", "expanded controls", "owns autocomplete readonly required activedescendant orientation", ""]),
    role("command", Abstract, 0, ["", "", "", "", ""]),
    role("comment", Structure, 0, ["", "", "", "level posinset setsize", ""]),
    role("complementary", Landmark, 0, ["", "", "", "expanded", ""]),
    role("composite", Abstract, 0, ["", "", "", "", ""]),
    role("contentinfo", Landmark, 0, ["", "", "", "expanded", ""]),
    role("definition", Structure, 0, ["", "", "", "expanded", ""]),
    role("deletion", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("dialog", Window, NAMED, ["", "", "", "expanded modal", ""]),
    role("directory", Structure, CONTENT | OLD, ["", "", "", "expanded", ""]),
    role("doc-abstract", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-acknowledgments", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-afterword", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-appendix", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-backlink", Structure, CONTENT, ["", "", "", "expanded", ""]),
    role("doc-biblioentry", Structure, OLD, ["", "", "", "expanded level posinset setsize", ""]),
    role("doc-bibliography", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-biblioref", Structure, CONTENT, ["", "", "", "expanded", ""]),
    role("doc-chapter", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-colophon", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-conclusion", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-cover", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-credit", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-credits", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-dedication", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-endnote", Structure, OLD, ["", "", "", "expanded level posinset setsize", ""]),
    role("doc-endnotes", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-epigraph", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-epilogue", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-errata", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-example", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-footnote", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-foreword", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-glossary", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-glossref", Structure, CONTENT, ["", "", "", "expanded", ""]),
    role("doc-index", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-introduction", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-noteref", Structure, CONTENT, ["", "", "", "expanded", ""]),
    role("doc-notice", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-pagebreak", Structure, LEAF, ["", "", "", "expanded orientation", ""]),
    role("doc-pagelist", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-part", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-preface", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-prologue", Landmark, 0, ["", "", "", "expanded", ""]),
    role("doc-pullquote", Structure, 0, ["", "", "", "", ""]),
    role("doc-qna", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-subtitle", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-tip", Structure, 0, ["", "", "", "expanded", ""]),
    role("doc-toc", Structure, 0, ["", "", "", "expanded", ""]),
    role("document", Structure, 0, ["", "", "", "expanded", ""]),
    role("emphasis", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("feed", Structure, 0, ["article", "", "", "expanded", ""]),
    role("figure", Structure, CONTENT, ["", "", "", "expanded", ""]),
    role("form", Landmark, 0, ["", "", "", "expanded", ""]),
    role("graphics-document", Structure, NAMED, ["", "", "", "", ""]),
    role("graphics-object", Structure, CONTENT, ["", "", "", "", ""]),
    role("graphics-symbol", Structure, LEAF | NAMED, ["", "", "", "", ""]),
    role("grid", Composite, 0, ["rowgroup row", "", "", "level multiselectable readonly activedescendant colcount expanded rowcount", ""]),
    role("gridcell", Widget, CONTENT, ["", "row", "", "readonly required selected colindex colspan expanded rowindex rowspan", ""]),
    role("group", Structure, 0, ["", "", "", "activedescendant expanded", ""]),
    role("heading", Structure, CONTENT, ["", "", "level", "expanded", ""]),
    role("image", Structure, LEAF | NAMED, ["", "", "", "expanded", ""]),
    role("img", Structure, LEAF | NAMED, ["", "", "", "expanded", ""]),
    role("input", Abstract, 0, ["", "", "", "", ""]),
    role("insertion", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("landmark", Abstract, 0, ["", "", "", "", ""]),
    role("link", Widget, CONTENT | NAMED, ["", "", "", "expanded", ""]),
    role("list", Structure, 0, ["listitem", "", "", "expanded", ""]),
    role("listbox", Widget, NAMED, ["group option", "", "", "multiselectable readonly required activedescendant expanded orientation", ""]),
    role("listitem", Structure, CONTENT, ["", "list", "", "level posinset setsize expanded", ""]),
    role("log", Structure, 0, ["", "", "", "expanded", ""]),
    role("main", Landmark, 0, ["", "", "", "expanded", ""]),
    role("mark", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("marquee", Structure, 0, ["", "", "", "expanded", ""]),
    role("math", Structure, LEAF, ["", "", "", "expanded", ""]),
    role("menu", Composite, 0, ["group menuitemradio menuitem menuitemcheckbox menu separator", "", "", "activedescendant expanded orientation", ""]),
    role("menubar", Composite, 0, ["group menuitemradio menuitem menuitemcheckbox menu separator", "", "", "activedescendant expanded orientation", ""]),
    role("menuitem", Widget, CONTENT | NAMED, ["", "menu menubar group", "", "posinset setsize expanded", ""]),
    role("menuitemcheckbox", Widget, CONTENT | LEAF | NAMED, ["", "menu menubar group", "checked", "expanded posinset readonly setsize", ""]),
    role("menuitemradio", Widget, CONTENT | LEAF | NAMED, ["", "menu menubar group", "checked", "expanded posinset readonly setsize", ""]),
    role("meter", Structure, LEAF | NAMED, ["", "", "valuenow", "valuemax valuemin valuetext", ""]),
    role("navigation", Landmark, 0, ["", "", "", "expanded", ""]),
    role("none", Structure, 0, ["", "", "", "", "label labelledby"]),
    role("note", Structure, 0, ["", "", "", "expanded", ""]),
    role("option", Widget, CONTENT | LEAF | NAMED, ["", "group listbox", "", "selected checked posinset setsize", ""]),
    role("paragraph", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("presentation", Structure, 0, ["", "", "", "", "label labelledby"]),
    role("progressbar", Widget, LEAF | NAMED, ["", "", "", "expanded valuemax valuemin valuenow valuetext", ""]),
    role("radio", Widget, CONTENT | LEAF | NAMED, ["", "", "checked", "posinset setsize required", ""]),
    role("radiogroup", Composite, 0, ["", "", "", "readonly required activedescendant expanded orientation", ""]),
    role("range", Abstract, 0, ["", "", "", "", ""]),
    role("region", Landmark, 0, ["", "", "", "expanded", ""]),
    role("roletype", Abstract, 0, ["", "", "", "", ""]),
    role("row", Structure, CONTENT, ["cell columnheader gridcell rowheader", "grid rowgroup table treegrid", "", "colindex level rowindex selected activedescendant expanded posinset setsize", ""]),
    role("rowgroup", Structure, CONTENT, ["row", "grid table treegrid", "", "", ""]),
    role("rowheader", Structure, CONTENT, ["", "row", "", "sort colindex colspan expanded readonly required rowindex rowspan selected", ""]),
    role("scrollbar", Widget, LEAF, ["", "", "valuenow", "controls orientation valuemax valuemin valuetext", ""]),
    role("search", Landmark, 0, ["", "", "", "expanded", ""]),
    role("searchbox", Widget, NAMED, ["", "", "", "activedescendant autocomplete multiline placeholder readonly required", ""]),
    role("section", Abstract, CONTENT, ["", "", "", "", ""]),
    role("sectionfooter", Structure, 0, ["", "", "", "", ""]),
    role("sectionhead", Abstract, CONTENT, ["", "", "", "", ""]),
    role("sectionheader", Structure, 0, ["", "", "", "", ""]),
    role("select", Abstract, 0, ["", "", "", "", ""]),
    role("separator", Structure, LEAF, ["", "", "valuenow", "valuemax valuemin orientation valuetext", ""]),
    role("slider", Widget, LEAF | NAMED, ["", "", "valuenow", "valuemax valuemin orientation readonly required valuetext", ""]),
    role("spinbutton", Widget, NAMED, ["", "", "", "valuemax valuemin readonly required activedescendant valuetext valuenow", ""]),
    role("status", Structure, 0, ["", "", "", "expanded", ""]),
    role("strong", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("structure", Abstract, 0, ["", "", "", "", ""]),
    role("subscript", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("suggestion", Structure, 0, ["insertion deletion", "", "", "", "actions label labelledby"]),
    role("superscript", Structure, 0, ["", "", "", "", "actions label labelledby"]),
    role("switch", Widget, CONTENT | LEAF | NAMED, ["", "", "checked", "expanded readonly required", ""]),
    role("tab", Widget, CONTENT | LEAF, ["", "tablist", "", "posinset selected setsize expanded", ""]),
    role("table", Structure, CONTENT, ["rowgroup row", "", "", "colcount rowcount expanded", ""]),
    role("tablist", Composite, 0, ["tab", "", "", "level multiselectable orientation activedescendant expanded", ""]),
    role("tabpanel", Structure, 0, ["", "", "", "expanded", ""]),
    role("term", Structure, CONTENT, ["", "", "", "expanded", ""]),
    role("text", Structure, CONTENT, ["", "", "", "", ""]),
    role("textbox", Widget, NAMED, ["", "", "", "activedescendant autocomplete multiline placeholder readonly required", ""]),
    role("time", Structure, 0, ["", "", "", "", ""]),
    role("timer", Structure, 0, ["", "", "", "expanded", ""]),
    role("toolbar", Structure, NAMED, ["", "", "", "orientation activedescendant expanded", ""]),
    role("tooltip", Structure, CONTENT, ["", "", "", "expanded", ""]),
    role("tree", Composite, 0, ["group treeitem", "", "", "multiselectable required activedescendant expanded orientation", ""]),
    role("treegrid", Composite, 0, ["rowgroup row", "", "", "activedescendant colcount expanded level multiselectable orientation readonly required rowcount", ""]),
    role("treeitem", Widget, CONTENT | NAMED, ["", "group tree", "", "checked expanded level posinset selected setsize", ""]),
    role("widget", Abstract, 0, ["", "", "", "", ""]),
    role("window", Abstract, 0, ["", "", "", "", ""]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_sorted_and_refer_to_known_ones() {
        assert!(ROLES.is_sorted_by_key(|role| role.name));
        for role in ROLES {
            let referred = role.owned.split(' ').chain(role.context.split(' '));
            for name in referred.filter(|name| !name.is_empty()) {
                assert!(find(name).is_some(), "{}: {name}", role.name);
            }
        }
    }
}
