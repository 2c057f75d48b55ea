//! How much of this HTML may be parsed? The rules of HTML let short text cost long work:
//! deep nesting, many attributes, formatting that is never closed. What goes past these
//! bounds is cut off before the parser sees it.

use rustc_hash::FxHashMap;

/// More HTML than this is not read.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Elements nested deeper than this are not read; browsers stop at 512.
pub const MAX_DEPTH: usize = 512;

/// Of one element; the parser compares each attribute with all before it.
const MAX_ATTRIBUTES: usize = 1000;

/// Elements the parser may have to make, counting formatting it has to open again.
const MAX_ELEMENTS: usize = 2_000_000;

/// `html` and `body` written again add their attributes to the first one.
const MAX_ROOTS: usize = 50;

/// The front part of `html` that is safe to parse.
pub fn within(html: &str) -> &str {
    let html = html
        .get(..html.floor_char_boundary(MAX_BYTES))
        .unwrap_or(html);
    let end = Scan::default().safe_end(html);
    html.get(..end).unwrap_or(html)
}

/// Counts what is open, without building anything.
#[derive(Default)]
struct Scan<'a> {
    open: FxHashMap<&'a str, usize>,
    depth: usize,
    formatting: usize,
    elements: usize,
    roots: usize,
}

impl<'a> Scan<'a> {
    fn safe_end(mut self, html: &'a str) -> usize {
        let mut at = 0;
        while let Some(found) = find(html, at, "<") {
            let Some(rest) = html.get(found..) else {
                break;
            };
            if rest.starts_with("<!--") {
                at = find(html, found + 4, "-->").map_or(html.len(), |end| end + 3);
                continue;
            }
            let Some(tag) = Tag::read(rest) else {
                at = found + 1;
                continue;
            };
            if tag.attributes > MAX_ATTRIBUTES || !self.admits(&tag) {
                return found;
            }
            at = found + tag.length;
            if !tag.closing && RAW.iter().any(|raw| tag.name.eq_ignore_ascii_case(raw)) {
                at = raw_end(html, at, tag.name);
            }
        }
        html.len()
    }

    fn admits(&mut self, tag: &Tag<'a>) -> bool {
        // Each tag can make the parser open all unclosed formatting once more.
        self.elements += 1 + self.formatting;
        let formats = FORMATTING
            .iter()
            .any(|name| tag.name.eq_ignore_ascii_case(name));
        if tag.closing {
            if let Some(count) = self.open.get_mut(tag.name).filter(|count| **count > 0) {
                *count -= 1;
                self.depth -= 1;
                self.formatting -= usize::from(formats);
            }
        } else if ["html", "body"]
            .iter()
            .any(|name| tag.name.eq_ignore_ascii_case(name))
        {
            self.roots += 1;
        } else if !CLOSED_BY_OTHERS
            .iter()
            .any(|name| tag.name.eq_ignore_ascii_case(name))
        {
            *self.open.entry(tag.name).or_default() += 1;
            self.depth += 1;
            self.formatting += usize::from(formats);
        }
        self.depth <= MAX_DEPTH && self.elements <= MAX_ELEMENTS && self.roots <= MAX_ROOTS
    }
}

/// These hold text that looks like tags and is none.
const RAW: [&str; 8] = [
    "script", "style", "textarea", "title", "noscript", "iframe", "xmp", "noembed",
];

const FORMATTING: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// These have no end or may go without: others around them say how deep it gets.
const CLOSED_BY_OTHERS: [&str; 37] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "p", "li", "dt", "dd", "option", "optgroup", "thead", "tbody", "tfoot", "tr",
    "td", "th", "colgroup", "rt", "rp", "head", "path", "circle", "rect", "line", "use", "stop",
    "polygon",
];

struct Tag<'a> {
    name: &'a str,
    closing: bool,
    attributes: usize,
    length: usize,
}

impl<'a> Tag<'a> {
    /// Reads a tag at the start of `text`; none if the `<` is only text.
    fn read(text: &'a str) -> Option<Self> {
        let closing = text.starts_with("</");
        let start = if closing { 2 } else { 1 };
        let body = text.get(start..)?;
        if !body.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let ends = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
        let name_length = body.find(ends).unwrap_or(body.len());
        let mut quote = None;
        let mut attributes = 0;
        let mut previous = b' ';
        let mut length = text.len();
        let bytes = text.bytes().enumerate().skip(start + name_length);
        for (index, byte) in bytes {
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                // A quote opens a value only after `=`; elsewhere it is part of a name.
                (None, b'"' | b'\'') if previous == b'=' => quote = Some(byte),
                (None, b'>') => {
                    length = index + 1;
                    break;
                }
                (None, _) => {
                    let gap = |byte: u8| {
                        byte.is_ascii_whitespace() || byte == b'/' || byte == b'"' || byte == b'\''
                    };
                    attributes += usize::from(gap(previous) && !gap(byte) && byte != b'=');
                }
            }
            if !byte.is_ascii_whitespace() || previous != b'=' {
                previous = byte;
            }
        }
        Some(Self {
            name: body.get(..name_length)?,
            closing,
            attributes,
            length,
        })
    }
}

fn find(text: &str, from: usize, what: &str) -> Option<usize> {
    Some(from + text.get(from..)?.find(what)?)
}

/// Where the text of a `script` and its like ends: at its end tag, or never.
fn raw_end(html: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = find(html, at, "</") {
        let after = html.as_bytes().get(found + 2..found + 2 + name.len());
        if after.is_some_and(|after| after.eq_ignore_ascii_case(name.as_bytes())) {
            return found;
        }
        at = found + 2;
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, kept: usize) {
        assert_eq!(
            within(html).len(),
            kept,
            "{}",
            html.get(..60).unwrap_or(html)
        );
    }

    #[test]
    fn ordinary_pages_are_kept_whole() {
        let list = "<ul>".to_owned() + &"<li><p>one<br><a href='x'>two</a>".repeat(5000) + "</ul>";
        let script = format!("<script>{}</script><p>x", "if (a<b) f();".repeat(5000));
        let comment = format!("<!-- {} --><p>x", "<div>".repeat(5000));
        let quoted = format!("<p title=\"{}\">x", "<div> ".repeat(5000));
        let cells = "<table>".to_owned() + &"<tr><td>1<td>2".repeat(5000) + "</table>";
        for html in [
            "",
            "a < b",
            "<p",
            "<!doctype html><p>x",
            &list,
            &script,
            &comment,
            &quoted,
            &cells,
        ] {
            check(html, html.len());
        }
    }

    #[test]
    fn what_costs_too_much_is_cut() {
        check(&"<div>".repeat(100_000), MAX_DEPTH * 5);
        check(&"<div></x>".repeat(100_000), MAX_DEPTH * 9);
        check(&format!("<p>ok<p {}>", "a1 b2 ".repeat(1000)), 5);
        check(&"<body a>".repeat(100), MAX_ROOTS * 8);
        check(&"é".repeat(MAX_BYTES), MAX_BYTES);
        let font = "<font size=1 color=red>".repeat(400);
        let reopened = font + &"<p>x</p>".repeat(100_000);
        assert!(within(&reopened).len() < 100_000);
    }
}
