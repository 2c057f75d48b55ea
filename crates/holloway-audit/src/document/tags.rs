//! Where does a tag or a comment end, and how many attributes does it have? Read as the
//! HTML Standard tokenizes, without building anything.

/// How long the comment or declaration is that `text` starts with, if it does.
pub(super) fn declaration(text: &str, foreign: bool) -> Option<usize> {
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

pub(super) struct Tag<'a> {
    /// As it is written.
    pub(super) name: &'a str,
    pub(super) closing: bool,
    /// At most so many attributes.
    pub(super) attributes: usize,
    pub(super) length: usize,
}

/// In shorter tags attributes are not counted one by one.
const SHORT: usize = 1000;

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
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let closing = text.starts_with("</");
        let start = if closing { 2 } else { 1 };
        let body = text.get(start..)?;
        if !body.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/' || *byte == b'>';
        let letters = body.as_bytes();
        let name_length = letters.iter().position(ends).unwrap_or(letters.len());
        let name = body.get(..name_length)?;
        let inside = body.get(name_length..)?;
        let (attributes, length) = match inside.find('>') {
            // Without quotes nothing hides, and each attribute takes two characters.
            Some(end) if end < SHORT && !has_quote(inside, end) => (end / 2, end + 1),
            _ => attributes(inside),
        };
        Some(Self {
            name,
            closing,
            attributes,
            length: start + name_length + length,
        })
    }

    /// Whether this is a start tag of one of these names, in any case.
    pub(super) fn opens(&self, names: &[&str]) -> bool {
        !self.closing
            && names
                .iter()
                .any(|name| self.name.eq_ignore_ascii_case(name))
    }
}

/// Whether there is a quote, in which the end of a tag may hide.
fn has_quote(text: &str, end: usize) -> bool {
    let front = text.as_bytes().get(..end).unwrap_or_default();
    front.iter().any(|byte| matches!(byte, b'"' | b'\''))
}

/// How many attributes there are up to the end of the tag, and where that is.
fn attributes(inside: &str) -> (usize, usize) {
    let mut part = Part::BeforeName;
    let mut attributes = 0;
    for (index, byte) in inside.bytes().enumerate() {
        if byte == b'>' && !matches!(part, Part::Quoted(_)) {
            return (attributes, index + 1);
        }
        let next = part.then(byte);
        let begins = matches!(part, Part::BeforeName | Part::AfterName) && next == Part::Name;
        attributes += usize::from(begins);
        part = next;
    }
    (attributes, inside.len())
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

pub(super) fn find(text: &str, from: usize, what: &str) -> Option<usize> {
    Some(from + text.get(from..)?.find(what)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name, how many attributes at most, and what is left behind the tag.
    fn check(text: &str, expected: Option<(&str, usize, &str)>) {
        let tag = Tag::read(text);
        let behind = |tag: &Tag| text.get(tag.length..).unwrap_or("past the end");
        let found = tag
            .as_ref()
            .map(|tag| (tag.name, tag.attributes, behind(tag)));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn tags_end_where_the_standard_says() {
        check("<p>x", Some(("p", 0, "x")));
        check("</P >x", Some(("P", 0, "x")));
        check("<br/>x", Some(("br", 0, "x")));
        check("<a b c=d>x", Some(("a", 3, "x")));
        check("<a b='>' c=\">\">x", Some(("a", 2, "x")));
        check("<a b=c\">x", Some(("a", 1, "x")));
        check("<i x==\">y", Some(("i", 1, "y")));
        check("<i =\">y", Some(("i", 1, "y")));
        check("<a b", Some(("a", 1, "")));
        check("<1>", None);
        check("< p>", None);
    }

    #[test]
    fn comments_end_where_the_standard_says() {
        for (text, foreign, expected) in [
            ("<!-->x", false, Some(5)),
            ("<!--->x", false, Some(6)),
            ("<!-- --!>x", false, Some(9)),
            ("<!-- - -- --->x", false, Some(14)),
            ("<!-- x", false, Some(6)),
            ("<!doctype html>x", false, Some(15)),
            ("<?php >x", false, Some(7)),
            ("</1 \">x", false, Some(6)),
            ("<![CDATA[>]]>x", false, Some(10)),
            ("<![CDATA[>]]>x", true, Some(13)),
            ("<p>", false, None),
        ] {
            assert_eq!(declaration(text, foreign), expected, "{text}");
        }
    }
}
