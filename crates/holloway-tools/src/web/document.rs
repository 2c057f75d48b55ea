//! What does a page consist of? The parsed document, and the few questions that
//! several tools put to it.

use holloway_audit::document::{MAX_BYTES, MAX_DEPTH, attribute, parse_html};
use holloway_engine::failure::ToolFailure;
use reqwest::Url;
use scraper::{ElementRef, Html, Node, Selector};

/// As much of a document as is safe to parse: short HTML can cost long work.
pub(crate) fn parse(html: &str) -> Html {
    parse_html(html).html
}

/// The whole document, or the failure that it is not safe to parse.
pub(crate) fn parse_whole(html: &str) -> Result<Html, ToolFailure> {
    let parsed = parse_html(html);
    if !parsed.complete {
        let message = format!(
            "the HTML cannot be parsed past byte {}: it is larger than {MAX_BYTES} bytes, \
             nested deeper than {MAX_DEPTH} levels, or has too many attributes or open tags",
            parsed.read
        );
        return Err(ToolFailure::limit(message));
    }
    Ok(parsed.html)
}

/// A selector that is written in this program.
pub(crate) fn known(selector: &str) -> Option<Selector> {
    Selector::parse(selector).ok()
}

/// All elements that a selector of this program finds.
pub(crate) fn all<'a>(document: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    match known(selector) {
        Some(selector) => document.select(&selector).collect(),
        None => Vec::new(),
    }
}

pub(crate) fn first<'a>(document: &'a Html, selector: &str) -> Option<ElementRef<'a>> {
    document.select(&known(selector)?).next()
}

/// What addresses in the document are relative to.
pub(crate) fn base(document: &Html, url: &Url) -> Url {
    let elements = document.tree.nodes().filter_map(ElementRef::wrap);
    let mut bases = elements.filter(|element| element.value().name() == "base");
    let href = bases.find_map(|base| attribute(base, "href"));
    let base = href.and_then(|href| url.join(href.trim()).ok());
    // Browsers ignore a base that is no place, such as `javascript:`.
    let base = base.filter(|base| matches!(base.scheme(), "http" | "https"));
    base.unwrap_or_else(|| url.clone())
}

pub(crate) fn title(document: &Html) -> String {
    first(document, "title")
        .map(|title| squeezed(&title.text().collect::<String>()))
        .unwrap_or_default()
}

/// Without line breaks and repeated spaces.
pub(crate) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of an element as people see it: no scripts, no style sheets inside.
pub(crate) fn visible_text(element: ElementRef<'_>) -> String {
    let mut text = String::new();
    for node in element.descendants() {
        let Node::Text(piece) = node.value() else {
            continue;
        };
        let parent = node.parent().and_then(ElementRef::wrap);
        let is_read = |parent: ElementRef<'_>| {
            parent.id() == element.id() || !is_silent(parent.value().name())
        };
        if parent.is_none_or(is_read) {
            text.push_str(piece);
        }
    }
    squeezed(&text)
}

/// Elements whose text nobody reads.
pub(crate) fn is_silent(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "template" | "noscript" | "head" | "title" | "svg" | "iframe"
    )
}

/// Converters that call themselves for every level must not be given endless levels.
pub(crate) fn require_depth(document: &Html, most: usize) -> Result<(), ToolFailure> {
    let mut waiting = vec![(document.tree.root(), 0_usize)];
    while let Some((node, depth)) = waiting.pop() {
        if depth > most {
            let message = format!("the document is nested more than {most} levels deep");
            return Err(ToolFailure::limit(message));
        }
        waiting.extend(node.children().map(|child| (child, depth + 1)));
    }
    Ok(())
}
