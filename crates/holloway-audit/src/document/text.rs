//! What does a reader see? Text without scripts and hidden parts, one space between words.

use ego_tree::iter::Edge;
use scraper::{ElementRef, Node};

use super::{Document, attribute};

/// These do not break the text around them.
fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "nobr"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
            | "svg"
    )
}

/// A gap that is none in the rules of HTML.
const VERTICAL_TAB: u8 = 0x0b;

/// Labels end here: things with labels can be nested, and each would repeat what is in it.
const LABEL: usize = 10_000;

/// These are not shown at all.
fn is_unseen_name(name: &str) -> bool {
    matches!(name, "script" | "style" | "template" | "noscript" | "head")
}

/// What is in these is shown otherwise, or only where they fail.
fn has_no_text(name: &str) -> bool {
    matches!(
        name,
        "iframe" | "object" | "svg" | "canvas" | "audio" | "video"
    )
}

impl Document {
    /// What the body of the page shows as text.
    pub fn visible_text(&self) -> &str {
        self.visible_text.get_or_init(|| {
            let body = self.first("body");
            body.map(|body| self.text(body)).unwrap_or_default()
        })
    }

    /// The text in an element as a reader sees it, without what is hidden in it.
    pub fn text(&self, element: ElementRef) -> String {
        self.collect(element, false, usize::MAX)
    }

    /// What an element says: its text and the alternatives of its images, or if there are
    /// none its `aria-label` or `title`. Only the front of what is longer than a few pages.
    pub fn label(&self, element: ElementRef) -> String {
        let text = self.collect(element, true, LABEL);
        if !text.is_empty() {
            return text;
        }
        let given = ["aria-label", "title"].iter();
        let mut given = given.filter_map(|name| element.attr(name));
        given.next().unwrap_or_default().trim().to_owned()
    }

    fn collect(&self, element: ElementRef, with_alternatives: bool, limit: usize) -> String {
        let mut gathered = Gathered {
            text: String::new(),
            gap: false,
            limit,
        };
        let mut skipped = None;
        for edge in element.traverse() {
            match edge {
                Edge::Open(node) if skipped.is_none() => match node.value() {
                    Node::Text(piece) => gathered.push(piece),
                    Node::Element(value) => {
                        gathered.gap |= !is_inline(value.name());
                        let inner = node.id() != element.id();
                        let unseen = self.entry(node.id()).is_none_or(|entry| entry.unseen);
                        if inner && (unseen || has_no_text(value.name())) {
                            skipped = Some(node.id());
                        } else if with_alternatives && value.name() == "img" {
                            gathered.push(value.attr("alt").unwrap_or_default());
                        }
                    }
                    _ => {}
                },
                Edge::Close(node) => {
                    if skipped == Some(node.id()) {
                        skipped = None;
                    }
                    let name = node.value().as_element().map(scraper::node::Element::name);
                    gathered.gap |= name.is_some_and(|name| !is_inline(name));
                }
                Edge::Open(_) => {}
            }
            if gathered.is_full() {
                break;
            }
        }
        gathered.text
    }
}

/// Text under way, with one space where there was a gap.
struct Gathered {
    text: String,
    gap: bool,
    limit: usize,
}

impl Gathered {
    fn push(&mut self, piece: &str) {
        self.gap |= piece.starts_with(char::is_whitespace);
        // Of plain text the bytes tell where the gaps are, but for one of them.
        if piece.is_ascii() && !piece.as_bytes().contains(&VERTICAL_TAB) {
            self.push_words(piece.split_ascii_whitespace());
        } else {
            self.push_words(piece.split_whitespace());
        }
        if piece.ends_with(|last: char| !last.is_whitespace()) {
            self.gap = false;
        }
    }

    fn push_words<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        for word in words {
            if self.is_full() {
                return;
            }
            if self.gap && !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(word);
            self.gap = true;
        }
    }

    fn is_full(&self) -> bool {
        self.text.len() > self.limit
    }
}

/// Whether the HTML itself says that an element is not shown.
pub(super) fn is_unseen(element: ElementRef) -> bool {
    let name = element.value().name();
    if is_unseen_name(name) || attribute(element, "hidden").is_some() {
        return true;
    }
    let Some(style) = attribute(element, "style") else {
        return false;
    };
    let style: String = style.split_ascii_whitespace().collect();
    let style = style.to_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
}
