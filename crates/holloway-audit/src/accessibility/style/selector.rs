//! Which elements does a selector mean in a page at rest? States that need a person
//! (`:hover`) never match, states that attributes show are turned into attributes, and
//! what the rightmost part asks for is kept, so that few rules are tried per element.

use cssparser::{Parser, Token};
use rustc_hash::FxHasher;
use scraper::Selector;
use std::hash::{Hash, Hasher};

mod pseudo;
use pseudo::raw;

/// A selector longer than this is not written by a person; it is left out.
const LONGEST: usize = 2_000;

/// What the rightmost part of a selector asks for, the rarest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Id(String),
    Class(String),
    Tag(String),
    Any,
}

#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    pub(crate) key: Key,
    /// None where the key alone decides.
    pub(crate) selector: Option<Selector>,
    pub(crate) specificity: u32,
    /// The classes, ids and names that some ancestor must have.
    pub(crate) ancestors: Bits,
    /// Means a box before or after the element, not the element.
    pub(crate) pseudo: bool,
    /// Matching looks at siblings or descendants, and takes its time.
    pub(crate) slow: bool,
}

/// A set of classes, ids and names that may say yes by mistake, but never no: two bits
/// stand for each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits([u64; 4]);

impl Bits {
    pub(crate) fn insert(&mut self, kind: char, text: &str) {
        let mut hasher = FxHasher::default();
        kind.hash(&mut hasher);
        text.hash(&mut hasher);
        let hash = hasher.finish();
        for place in [hash >> 56, hash >> 48 & 0xff] {
            if let Some(word) = self.0.get_mut(place as usize / 64) {
                *word |= 1 << (place % 64);
            }
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// Whether all that is in `other` may be here.
    pub(crate) fn hold(&self, other: &Self) -> bool {
        let missing = self.0.iter().zip(&other.0);
        missing.fold(0, |missing, (own, other)| missing | (other & !own)) == 0
    }
}

/// The matchers of a list of selectors; those that never match at rest are left out.
pub(crate) fn parse_list(text: &str) -> Vec<Matcher> {
    split(text).filter_map(parse).collect()
}

/// The selectors of a list, apart from commas inside brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    let mut quote = None;
    text.split(move |character| {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            _ => {}
        }
        character == ',' && depth <= 0 && quote.is_none()
    })
}

fn parse(text: &str) -> Option<Matcher> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let mut reading = Reading::default();
    reading.read(&mut Parser::new(text))?;
    reading.finish()
}

/// A selector while it is read from left to right.
#[derive(Default)]
struct Reading {
    out: String,
    /// Ids, classes and attributes, names.
    counts: [u32; 3],
    key: Option<Key>,
    /// How many conditions the rightmost part has beside its key.
    conditions: usize,
    /// The bits of the rightmost part so far, and of those that became ancestors.
    bits: Bits,
    ancestors: Bits,
    compounds: usize,
    pseudo: bool,
    slow: bool,
}

impl Reading {
    /// None when the selector cannot match a page at rest.
    fn read(&mut self, input: &mut Parser) -> Option<()> {
        let mut gap = false;
        while let Ok(token) = input.next_including_whitespace().cloned() {
            if matches!(token, Token::WhiteSpace(_)) {
                gap = true;
                continue;
            }
            let combinator = matches!(token, Token::Delim('>' | '+' | '~'));
            if gap && !combinator && !self.out.is_empty() && !self.out.ends_with(['>', '+', '~']) {
                self.next_compound(' ');
            }
            gap = false;
            self.token(&token, input)?;
        }
        Some(())
    }

    fn token(&mut self, token: &Token, input: &mut Parser) -> Option<()> {
        match token {
            Token::Delim(sign @ ('>' | '+' | '~')) => self.next_compound(*sign),
            Token::Delim('.') => {
                let name = input.expect_ident().ok()?.to_string();
                self.out.push('.');
                self.identifier(&name);
                self.counted(1, 'c', &name);
                self.keyed(Key::Class(name));
            }
            Token::IDHash(name) | Token::Hash(name) => {
                self.out.push('#');
                self.identifier(name);
                self.counted(0, 'i', name);
                self.keyed(Key::Id(name.to_string()));
            }
            Token::Ident(name) => {
                self.identifier(name);
                // Names of HTML elements have no case; those of SVG are rarely styled.
                let lower = name.to_ascii_lowercase();
                self.counted(2, 't', &lower);
                self.keyed(Key::Tag(lower));
            }
            Token::Delim('*') => self.out.push('*'),
            Token::Delim('&') => self.out.push_str(":root"),
            Token::SquareBracketBlock => {
                let inner = raw(input)?;
                self.out.extend(["[", inner.as_str(), "]"]);
                self.add(1);
            }
            Token::Colon => self.pseudo(input)?,
            _ => return None,
        }
        Some(())
    }

    fn next_compound(&mut self, combinator: char) {
        // Siblings are no ancestors.
        if matches!(combinator, ' ' | '>') {
            self.ancestors.add(self.bits);
        }
        self.slow |= combinator == '~';
        self.out.push(combinator);
        self.bits = Bits::default();
        self.key = None;
        self.conditions = 0;
        self.compounds += 1;
    }

    fn identifier(&mut self, name: &str) {
        // Writing to a string cannot fail.
        let _ = cssparser::serialize_identifier(name, &mut self.out);
    }

    fn counted(&mut self, place: usize, kind: char, name: &str) {
        self.add(place);
        self.bits.insert(kind, name);
    }

    fn add(&mut self, place: usize) {
        self.conditions += 1;
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
    }

    fn keyed(&mut self, key: Key) {
        let rank = |key: &Key| match key {
            Key::Id(_) => 0,
            Key::Class(_) => 1,
            Key::Tag(_) => 2,
            Key::Any => 3,
        };
        if self
            .key
            .as_ref()
            .is_none_or(|known| rank(&key) < rank(known))
        {
            self.key = Some(key);
        }
    }

    fn finish(mut self) -> Option<Matcher> {
        if self.out.is_empty() || self.out.ends_with(['>', '+', '~', ' ']) {
            // The element of a bare `::before` is any.
            self.out.push('*');
        }
        let decided = self.compounds == 0 && self.conditions == 1 && self.key.is_some();
        let any = self.compounds == 0 && self.conditions == 0;
        let selector = if decided || any {
            None
        } else {
            Some(Selector::parse(&self.out).ok()?)
        };
        Some(Matcher {
            key: self.key.unwrap_or(Key::Any),
            selector,
            specificity: weigh(self.counts),
            ancestors: self.ancestors,
            pseudo: self.pseudo,
            slow: self.slow,
        })
    }
}

fn weigh(counts: [u32; 3]) -> u32 {
    let [ids, classes, names] = counts.map(|count| count.min(0xff));
    ids << 16 | classes << 8 | names
}

#[cfg(test)]
mod tests {
    use super::*;
    use cssparser::ToCss;

    fn check(text: &str, expected: &str) {
        let shown: Vec<String> = parse_list(text)
            .iter()
            .map(|matcher| {
                let selector = matcher.selector.as_ref().map(ToCss::to_css_string);
                let key = match &matcher.key {
                    Key::Id(name) => format!("#{name}"),
                    Key::Class(name) => format!(".{name}"),
                    Key::Tag(name) => name.clone(),
                    Key::Any => "*".to_owned(),
                };
                let beside = if matcher.pseudo { " beside" } else { "" };
                format!(
                    "{key} {:06x} {}{beside}",
                    matcher.specificity,
                    selector.unwrap_or_else(|| "-".to_owned())
                )
            })
            .collect();
        assert_eq!(shown.join("; "), expected, "{text}");
    }

    #[test]
    fn keys_and_weights() {
        check("*", "* 000000 -");
        check("p", "p 000001 -");
        check(".a, #b", ".a 000100 -; #b 010000 -");
        check("ul.nav > li a.x", ".x 000203 ul.nav > li a.x");
        check("A:LINK", "a 000101 A:is(a[href], area[href])");
        check("a:not(.btn):not(:hover)", "a 000101 a:not(.btn)");
        check(":is(h1, h2:hover) b", "b 000002 :is(h1) b");
        check(":where(.a .b) p", "p 000001 :where(.a .b) p");
        check("input[type=\"text\"]", "input 000101 input[type=\"text\"]");
        check("p::before", "p 000001 - beside");
        check("::after", "* 000000 - beside");
        check("li:nth-child(2n + 1)", "li 000101 li:nth-child(2n+1)");
    }

    #[test]
    fn what_needs_a_person_never_matches() {
        for text in [
            "a:hover",
            "input:focus",
            "::placeholder",
            ":not(",
            "p:is(:hover)",
            "a >> b",
        ] {
            check(text, "");
        }
    }
}
