//! How much of this HTML may be parsed? The rules of HTML let short text cost long work:
//! deep nesting, many attributes, formatting that is never closed. What goes past these
//! bounds is cut off before the parser sees it.

use std::borrow::Cow;

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

/// Counts what is open, without building anything. In doubt it counts too much.
#[derive(Default)]
struct Scan<'a> {
    open: FxHashMap<Cow<'a, str>, usize>,
    depth: usize,
    formatting: usize,
    elements: usize,
    roots: usize,
    /// Items of lists that others close: whether it is an `li`, and how deep it is.
    items: Vec<(bool, usize)>,
}

impl<'a> Scan<'a> {
    fn safe_end(mut self, html: &'a str) -> usize {
        let mut at = 0;
        while let Some(found) = find(html, at, "<") {
            let Some(rest) = html.get(found..) else {
                break;
            };
            if let Some(length) = declaration(rest, self.is_foreign()) {
                at = found + length;
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
            // In drawings and formulas these are elements like others.
            if !tag.closing && RAW.contains(&tag.name.as_ref()) && !self.is_foreign() {
                at = raw_end(html, at, &tag.name);
            }
        }
        html.len()
    }

    fn is_foreign(&self) -> bool {
        let open = |name: &str| self.open.get(name).is_some_and(|count| *count > 0);
        open("svg") || open("math")
    }

    fn admits(&mut self, tag: &Tag<'a>) -> bool {
        // Each tag can make the parser open all unclosed formatting once more.
        self.elements += 1 + self.formatting;
        let name = tag.name.as_ref();
        let formats = FORMATTING.contains(&name);
        if tag.closing {
            if let Some(count) = self.open.get_mut(name).filter(|count| **count > 0) {
                *count -= 1;
                self.depth -= 1;
                self.formatting -= usize::from(formats);
            }
        } else if matches!(name, "html" | "body") {
            self.roots += 1;
        } else if self.opens(tag) {
            *self.open.entry(tag.name.clone()).or_default() += 1;
            self.depth += 1;
            self.formatting += usize::from(formats);
        }
        self.depth <= MAX_DEPTH && self.elements <= MAX_ELEMENTS && self.roots <= MAX_ROOTS
    }

    fn opens(&mut self, tag: &Tag) -> bool {
        let name = tag.name.as_ref();
        if self.is_foreign() && !LEAVES_FOREIGN.contains(&name) {
            return !tag.empty;
        }
        if matches!(name, "rt" | "rp") {
            // Without `ruby` around them they do not close each other.
            return self.open.get("ruby").is_none_or(|count| *count == 0);
        }
        if matches!(name, "li" | "dt" | "dd") {
            return self.nests(name == "li");
        }
        !CLOSED_BY_OTHERS.contains(&name)
    }

    /// An item closes one of its own kind; straight inside one of the other kind it nests.
    fn nests(&mut self, list: bool) -> bool {
        while self.items.pop_if(|(_, at)| *at > self.depth).is_some() {}
        let (other, at) = match self.items.last() {
            Some((kind, at)) if *at == self.depth && *kind == list => return false,
            Some((_, at)) if *at == self.depth => (true, self.depth + 1),
            _ => (false, self.depth),
        };
        self.items.push((list, at));
        other
    }
}

/// How long the comment or declaration is that `text` starts with, if it does.
fn declaration(text: &str, foreign: bool) -> Option<usize> {
    let to = |from: usize, end: &str| find(text, from, end).map(|found| found + end.len());
    if let Some(comment) = text.strip_prefix("<!--") {
        if comment.starts_with('>') {
            return Some(5);
        }
        if comment.starts_with("->") {
            return Some(6);
        }
        let mut from = 4;
        while let Some(end) = to(from, "--") {
            let behind = text.get(end..).unwrap_or_default();
            if behind.starts_with('>') {
                return Some(end + 1);
            }
            if behind.starts_with("!>") {
                return Some(end + 2);
            }
            from = end - 1;
        }
        return Some(text.len());
    }
    if foreign && text.starts_with("<![CDATA[") {
        return Some(to(9, "]]>").unwrap_or(text.len()));
    }
    let named = |rest: &str| rest.starts_with(|first: char| first.is_ascii_alphabetic());
    let bogus = text.starts_with("<!")
        || text.starts_with("<?")
        || text.strip_prefix("</").is_some_and(|rest| !named(rest));
    bogus.then(|| to(2, ">").unwrap_or(text.len()))
}

/// These hold text that looks like tags and is none.
const RAW: [&str; 8] = [
    "script", "style", "textarea", "title", "noscript", "iframe", "xmp", "noembed",
];

const FORMATTING: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// These have no end or may go without: others around them say how deep it gets.
const CLOSED_BY_OTHERS: [&str; 28] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "p", "li", "dt", "dd", "option", "thead", "tbody", "tfoot", "tr", "td", "th",
    "colgroup", "head", "image",
];

/// Of those, the ones that end a drawing or formula in which they are written.
const LEAVES_FOREIGN: [&str; 10] = [
    "br", "embed", "hr", "img", "meta", "p", "li", "dt", "dd", "head",
];

struct Tag<'a> {
    /// In lower case.
    name: Cow<'a, str>,
    closing: bool,
    /// Written as `<name/>`.
    empty: bool,
    attributes: usize,
    length: usize,
}

/// Where in a tag a character stands.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Value,
    Quoted(u8),
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
        let mut part = Part::BeforeName;
        let mut attributes = 0;
        let mut empty = false;
        let mut length = text.len();
        let bytes = text.bytes().enumerate().skip(start + name_length);
        for (index, byte) in bytes {
            if byte == b'>' && !matches!(part, Part::Quoted(_)) {
                length = index + 1;
                break;
            }
            let next = part.then(byte);
            let begins = matches!(part, Part::BeforeName | Part::AfterName) && next == Part::Name;
            attributes += usize::from(begins);
            empty = byte == b'/' && next == Part::BeforeName;
            part = next;
        }
        let name = body.get(..name_length)?;
        let upper = name.bytes().any(|byte| byte.is_ascii_uppercase());
        Some(Self {
            name: if upper {
                Cow::Owned(name.to_ascii_lowercase())
            } else {
                Cow::Borrowed(name)
            },
            closing,
            empty,
            attributes,
            length,
        })
    }
}

impl Part {
    /// As the HTML Standard goes on: a quote opens a value only as its first character.
    fn then(self, byte: u8) -> Self {
        let gap = byte.is_ascii_whitespace();
        match (self, byte) {
            (Self::Quoted(quote), _) if byte == quote => Self::BeforeName,
            (Self::Quoted(_), _) => self,
            (Self::BeforeValue, _) if gap => self,
            (Self::BeforeValue, b'"' | b'\'') => Self::Quoted(byte),
            (Self::BeforeValue, _) => Self::Value,
            (Self::Value, _) if gap => Self::BeforeName,
            (Self::Value, _) => self,
            (_, b'/') => Self::BeforeName,
            (Self::Name | Self::AfterName, b'=') => Self::BeforeValue,
            (Self::BeforeName, _) if gap => self,
            (_, _) if gap => Self::AfterName,
            _ => Self::Name,
        }
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
        let icons = "<svg><title>x</title><path d='a/b'/><input/><g></g></svg><rect>x</rect>";
        let icons = icons.repeat(2000);
        let items = "<dl><dt>a<dd><ul><li>b<li>c</ul><dt>d</dl>".repeat(2000);
        for html in [
            "",
            "a < b",
            "<p",
            "<!doctype html><p>x",
            &icons,
            &items,
            &"<DIV></div>".repeat(5000),
            &format!("<svg><style>a{{}}</style></svg>{}", "<p>x".repeat(5000)),
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
        for hidden in [
            "<!-->",
            "<!--->",
            "<!-- --!>",
            "<!-- ---><?x>",
            "<!x \"><i x==\">",
            "<i x==\">",
            "<i =\">",
            "<i x=a\">",
            "</1 x=\">",
            "<svg><style>",
            "<svg><title>",
        ] {
            let kept = within(&(hidden.to_owned() + &"<div>".repeat(60_000))).len();
            assert!(kept <= MAX_DEPTH * 5 + hidden.len(), "{hidden}");
        }
        check(&"<rt>".repeat(100_000), MAX_DEPTH * 4);
        assert!(within(&"<li><dd>".repeat(50_000)).len() < MAX_DEPTH * 9);
        assert!(within(&"<li><ul></ul><dd>".repeat(50_000)).len() < MAX_DEPTH * 18);
        check(&"<optgroup>".repeat(1000), MAX_DEPTH * 10);
        check(&"<path>".repeat(1000), MAX_DEPTH * 6);
        check(
            &format!("<svg>{}", "<input>".repeat(1000)),
            MAX_DEPTH * 7 - 2,
        );
        let font = "<font size=1 color=red>".repeat(400);
        let reopened = font + &"<p>x</p>".repeat(100_000);
        assert!(within(&reopened).len() < 100_000);
    }
}
