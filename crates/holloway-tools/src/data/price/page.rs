//! What does a page show, and what of it crossed out? Text in the order of the page;
//! blocks begin new lines, raised cents get their point back.

use std::ops::Range;

use holloway_audit::document::{MAX_DEPTH, parse_html};
use holloway_data::price::TEXT_LIMIT;
use holloway_engine::failure::ToolFailure;
use scraper::Node;
use scraper::node::Element;

pub(super) struct Page {
    pub(super) text: String,
    /// Bytes that are crossed out.
    pub(super) struck: Vec<Range<usize>>,
    /// How many elements that cross out are open, and where the first began.
    open: (usize, usize),
    /// A raised text begins: cents, when digits stand before and in it.
    raised: bool,
}

impl Page {
    fn push(&mut self, text: &str) {
        let raised = std::mem::take(&mut self.raised);
        let is_cents = raised
            && text.trim().len() == 2
            && text.trim().bytes().all(|byte| byte.is_ascii_digit())
            && self
                .text
                .bytes()
                .next_back()
                .is_some_and(|byte| byte.is_ascii_digit());
        if is_cents {
            self.text.push('.');
        }
        // White space in a page is one space, whatever it is made of.
        for character in text.chars() {
            let is_space =
                character.is_whitespace() && character != '\u{a0}' && character != '\u{202f}';
            if !is_space {
                self.text.push(character);
            } else if !self.text.ends_with([' ', '\n']) {
                self.text.push(' ');
            }
        }
    }

    fn line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn strike(&mut self, is_end: bool) {
        let (depth, start) = self.open;
        self.open = match (is_end, depth) {
            (false, 0) => (1, self.text.len()),
            (false, depth) => (depth + 1, start),
            (true, 1) => {
                self.struck.push(start..self.text.len());
                (0, 0)
            }
            (true, depth) => (depth.saturating_sub(1), start),
        };
    }
}

/// Parts of a page that nobody reads.
const HIDDEN: [&str; 6] = ["script", "style", "noscript", "template", "head", "svg"];
const INLINE: [&str; 24] = [
    "a", "abbr", "b", "bdi", "big", "cite", "data", "del", "em", "font", "i", "ins", "mark", "s",
    "small", "span", "strike", "strong", "sub", "sup", "time", "u", "var", "label",
];
/// Words in classes by which shops mark a price that no longer holds.
const OLD: [&str; 9] = [
    "old-price",
    "price-old",
    "was-price",
    "price-was",
    "strike",
    "line-through",
    "price--old",
    "regular-price",
    "original-price",
];

pub(super) fn read(html: &str) -> Result<Page, ToolFailure> {
    if html.len() > TEXT_LIMIT {
        let message = format!(
            "the page has {} bytes; at most {TEXT_LIMIT} are searched",
            html.len()
        );
        return Err(ToolFailure::limit(message));
    }
    // Short HTML can cost long work: what is not safe to parse is refused.
    let parsed = parse_html(html);
    if !parsed.complete {
        let message = format!(
            "the page cannot be parsed past byte {}: it is nested deeper than {MAX_DEPTH} \
             levels, or has too many attributes or open tags",
            parsed.read
        );
        return Err(ToolFailure::limit(message));
    }
    let document = parsed.html;
    let mut page = Page {
        text: String::new(),
        struck: Vec::new(),
        open: (0, 0),
        raised: false,
    };
    // Each node comes twice: when it opens and when it closes. No recursion, because
    // pages may be nested as deeply as they like.
    let mut waiting = vec![(document.tree.root(), false)];
    while let Some((node, is_end)) = waiting.pop() {
        match node.value() {
            Node::Text(text) if !is_end => page.push(text),
            Node::Element(element) if is_hidden(element) => continue,
            Node::Element(element) => {
                if !INLINE.contains(&element.name()) {
                    page.line();
                }
                if is_struck(element) {
                    page.strike(is_end);
                }
                if element.name() == "sup" && !is_end {
                    page.raised = true;
                }
            }
            _ => {}
        }
        if !is_end {
            waiting.push((node, true));
            let first = waiting.len();
            waiting.extend(node.children().map(|child| (child, false)));
            if let Some(children) = waiting.get_mut(first..) {
                children.reverse();
            }
        }
    }
    Ok(page)
}

fn is_hidden(element: &Element) -> bool {
    HIDDEN.contains(&element.name())
}

fn is_struck(element: &Element) -> bool {
    if matches!(element.name(), "del" | "s" | "strike") {
        return true;
    }
    let has = |attribute: &str| {
        let text = element
            .attr(attribute)
            .unwrap_or_default()
            .to_ascii_lowercase();
        OLD.iter().any(|word| text.contains(word))
    };
    has("class") || has("style")
}
