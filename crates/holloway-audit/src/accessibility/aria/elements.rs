//! Which role does an element have without being given one, and which may it be given?
//! What HTML-AAM and ARIA in HTML say.

use super::roles::lists;
use crate::accessibility::view::View;

/// Elements whose name says everything about their role.
fn plain(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "article" => "article",
        "body" => "document",
        "button" | "summary" => "button",
        "datalist" => "listbox",
        "dd" => "definition",
        "dfn" | "dt" => "term",
        "details" | "fieldset" | "optgroup" => "group",
        "dialog" => "dialog",
        "figure" => "figure",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
        "hr" => "separator",
        "li" => "listitem",
        "main" => "main",
        "math" => "math",
        "menu" | "ol" | "ul" => "list",
        "meter" => "meter",
        "nav" => "navigation",
        "option" => "option",
        "output" => "status",
        "progress" => "progressbar",
        "search" => "search",
        "table" => "table",
        "tbody" | "tfoot" | "thead" => "rowgroup",
        "textarea" => "textbox",
        "tr" => "row",
        _ => return None,
    })
}

/// The role that HTML gives an element.
pub(crate) fn implicit(view: &View, index: usize) -> Option<&'static str> {
    let tree = &view.tree;
    let tag = tree.tag(index);
    if let Some(role) = plain(tag) {
        return Some(role);
    }
    match tag {
        "a" | "area" => tree.has(index, "href").then_some("link"),
        "aside" => {
            let inside = view.is_within(index, &["article", "aside", "nav", "section"]);
            let named = view.has_label(index) || tree.filled(index, "title");
            (!inside || named).then_some("complementary")
        }
        "footer" => (!in_section(view, index)).then_some("contentinfo"),
        "header" => (!in_section(view, index)).then_some("banner"),
        "form" => view.has_label(index).then_some("form"),
        "section" => view.has_label(index).then_some("region"),
        "img" => {
            let empty = tree.attr(index, "alt") == Some("");
            let plain = empty && !view.has_global_aria(index) && !view.is_focusable(index);
            Some(if plain { "presentation" } else { "img" })
        }
        "input" => Some(input(view, index)),
        "select" => {
            let size = tree.attr(index, "size").and_then(|size| size.parse().ok());
            let many = tree.has(index, "multiple") || size.is_some_and(|size: u32| size > 1);
            Some(if many { "listbox" } else { "combobox" })
        }
        "td" => {
            let table = tree.closest(index, |next| tree.tag(next) == "table");
            let role = table.and_then(|table| view.explicit(table));
            let grid = role.is_some_and(|role| matches!(role.name, "grid" | "treegrid"));
            Some(if grid { "gridcell" } else { "cell" })
        }
        "th" => {
            let scope = tree.attr(index, "scope").unwrap_or_default();
            let row = matches!(scope.trim(), "row" | "rowgroup");
            Some(if row { "rowheader" } else { "columnheader" })
        }
        _ => None,
    }
}

/// Header and footer are landmarks of the page only outside of these.
fn in_section(view: &View, index: usize) -> bool {
    view.is_within(index, &["article", "aside", "main", "nav", "section"])
        || view.tree.ancestors(index).any(|next| {
            let role = view.tree.attr(next, "role").unwrap_or_default();
            matches!(
                role.trim(),
                "article" | "complementary" | "main" | "navigation" | "region"
            )
        })
}

fn input(view: &View, index: usize) -> &'static str {
    let tree = &view.tree;
    let suggests = tree.attr(index, "list").is_some_and(|list| {
        tree.by_id(list)
            .is_some_and(|target| tree.tag(target) == "datalist")
    });
    match view.input_type(index).as_str() {
        "checkbox" => "checkbox",
        "number" => "spinbutton",
        "radio" => "radio",
        "range" => "slider",
        "button" | "image" | "reset" | "submit" => "button",
        "search" if !suggests => "searchbox",
        "search" | "text" | "tel" | "url" | "email" | "" if suggests => "combobox",
        _ => "textbox",
    }
}

/// Whether an element may be given a role; none where HTML does not know the element.
pub(crate) fn allows(view: &View, index: usize, role: &str) -> bool {
    match allowed(view, index) {
        Allowed::Any => implicit(view, index) != Some(role),
        Allowed::None => false,
        Allowed::Some(roles) => lists(roles, role),
    }
}

enum Allowed {
    Any,
    None,
    Some(&'static str),
}

const LISTS: &str =
    "directory group listbox menu menubar none presentation radiogroup tablist toolbar tree";

fn allowed(view: &View, index: usize) -> Allowed {
    let tree = &view.tree;
    let has = |name: &str| tree.has(index, name);
    Allowed::Some(match tree.tag(index) {
        "a" if has("href") => {
            "button checkbox menuitem menuitemcheckbox menuitemradio option radio switch tab \
             treeitem doc-backlink doc-biblioref doc-glossref doc-noteref"
        }
        "area" if !has("href") => "button link",
        "article" => "feed presentation none document application main region",
        "aside" => {
            "feed note presentation none region search doc-dedication doc-example doc-footnote \
             doc-glossary doc-pullquote doc-tip"
        }
        "audio" | "video" => "application",
        "br" | "wbr" => "presentation none",
        "button" => {
            "checkbox combobox gridcell link menuitem menuitemcheckbox menuitemradio option radio \
             separator slider switch tab treeitem"
        }
        "dialog" => "alertdialog",
        "dl" => "group list presentation none",
        "dt" => "listitem",
        "embed" => "application document img image presentation none",
        "fieldset" => "none presentation radiogroup",
        "figcaption" => "group none presentation",
        "figure"
            if tree
                .children(index)
                .any(|child| tree.tag(child) == "figcaption") =>
        {
            "doc-example"
        }
        "footer" | "header" => "group none presentation doc-footnote",
        "form" => "form search none presentation",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "none presentation tab doc-subtitle",
        "hr" => "none presentation doc-pagebreak",
        "iframe" => "application document img image none presentation",
        "img"
            if tree.attr(index, "alt").is_some_and(|alt| !alt.is_empty())
                || view.has_label(index)
                || tree.filled(index, "title") =>
        {
            "button checkbox link math menuitem menuitemcheckbox menuitemradio meter option \
             progressbar radio scrollbar separator slider switch tab treeitem doc-cover"
        }
        "img" => "presentation none",
        "input" => return input_allowed(view, index),
        "li" => {
            "menuitem menuitemcheckbox menuitemradio option none presentation radio separator tab \
             treeitem doc-biblioentry doc-endnote"
        }
        "menu" | "ol" | "ul" => LISTS,
        "nav" => "doc-index doc-pagelist doc-toc menu menubar none presentation tablist",
        "object" => "application document img image",
        "search" => "form group none presentation region search",
        "section" => {
            "alert alertdialog application banner complementary contentinfo dialog document feed \
             group log main marquee navigation none note presentation search status tabpanel \
             doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-bibliography \
             doc-chapter doc-colophon doc-conclusion doc-credit doc-credits doc-dedication \
             doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-foreword \
             doc-glossary doc-index doc-introduction doc-notice doc-pagelist doc-part \
             doc-preface doc-prologue doc-pullquote doc-qna doc-toc"
        }
        "select" if !has("multiple") && matches!(tree.attr(index, "size"), None | Some("1")) => {
            "menu"
        }
        "area" | "base" | "body" | "caption" | "col" | "colgroup" | "datalist" | "dd"
        | "details" | "head" | "html" | "label" | "legend" | "link" | "main" | "map" | "math"
        | "meta" | "meter" | "noscript" | "optgroup" | "option" | "param" | "picture"
        | "progress" | "script" | "select" | "slot" | "source" | "style" | "template"
        | "textarea" | "title" | "track" => return Allowed::None,
        "summary"
            if tree
                .parent(index)
                .is_some_and(|up| tree.tag(up) == "details") =>
        {
            return Allowed::None;
        }
        _ => return Allowed::Any,
    })
}

fn input_allowed(view: &View, index: usize) -> Allowed {
    Allowed::Some(match view.input_type(index).as_str() {
        "button" => {
            "checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio switch tab"
        }
        "checkbox" if view.tree.has(index, "aria-pressed") => {
            "button menuitemcheckbox option switch"
        }
        "checkbox" => "menuitemcheckbox option switch",
        "image" => "link menuitem menuitemcheckbox menuitemradio radio switch",
        "radio" => "menuitemradio",
        "color" | "date" | "datetime-local" | "file" | "month" | "number" | "password"
        | "range" | "reset" | "submit" | "time" | "week" | "hidden" => return Allowed::None,
        "text" | "" if view.tree.has(index, "list") => return Allowed::None,
        _ => "combobox searchbox spinbutton",
    })
}

/// Whether naming the element by an attribute is not allowed while it has no role.
pub(crate) fn naming_prohibited(view: &View, index: usize) -> bool {
    match view.tree.tag(index) {
        "a" | "area" => !view.tree.has(index, "href"),
        "abbr" | "b" | "bdi" | "bdo" | "body" | "caption" | "cite" | "code" | "data" | "dd"
        | "del" | "div" | "em" | "figcaption" | "i" | "ins" | "kbd" | "label" | "legend"
        | "mark" | "p" | "pre" | "q" | "rp" | "rt" | "s" | "samp" | "small" | "span" | "strong"
        | "sub" | "sup" | "time" | "u" | "var" => true,
        _ => false,
    }
}

/// Attributes that HTML itself sets.
pub(crate) fn has_implicit(view: &View, index: usize, attribute: &str) -> bool {
    match (view.tree.tag(index), attribute) {
        ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", "level") => true,
        ("input", "checked") => matches!(view.input_type(index).as_str(), "checkbox" | "radio"),
        ("input" | "select" | "textarea" | "progress", "valuenow") => true,
        ("option", "selected") => true,
        _ => false,
    }
}

/// Elements that take no attributes of ARIA at all, or only `aria-hidden`.
pub(crate) fn refuses_aria(tag: &str) -> bool {
    matches!(
        tag,
        "base"
            | "col"
            | "colgroup"
            | "datalist"
            | "head"
            | "html"
            | "link"
            | "map"
            | "meta"
            | "noscript"
            | "param"
            | "script"
            | "slot"
            | "source"
            | "style"
            | "template"
            | "title"
            | "track"
    )
}
