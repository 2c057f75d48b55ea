//! What does a style sheet say? Its rules with what each selector asks for, found by id,
//! class or name; conditions are judged while reading, so that a sheet is only read once.

use cssparser::{Parser, RuleBodyParser, StyleSheetParser};
use rustc_hash::FxHashMap;

use super::selector::{Bits, Key, Matcher, parse_list};
use super::value::Value;

mod reader;
use reader::Reader;

/// More than this many selectors or bytes are not read.
const MOST_RULES: usize = 60_000;
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The layer of rules that are in none: they win over all that are.
const UNLAYERED: u16 = u16::MAX;

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Known(Value),
    /// A custom property with its text.
    Variable(String, String),
    /// A property whose text refers to custom properties.
    Pending(&'static str, String),
}

#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) kind: Kind,
    pub(crate) important: bool,
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) matcher: Matcher,
    pub(crate) layer: u16,
    pub(crate) order: u32,
    /// Which block of `Sheet::blocks` applies.
    pub(crate) block: usize,
}

/// A rule about the focus: whether it takes the outline away, or draws something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Focus {
    pub(crate) selector: String,
    pub(crate) focused: bool,
    pub(crate) removes: bool,
    pub(crate) draws: bool,
}

/// A rule, with what must be around an element that it means: most are out by that alone.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    ancestors: Bits,
    rule: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) rules: Vec<Rule>,
    pub(crate) blocks: Vec<Vec<Declaration>>,
    pub(crate) focus: Vec<Focus>,
    ids: FxHashMap<String, Vec<Candidate>>,
    classes: FxHashMap<String, Vec<Candidate>>,
    tags: FxHashMap<String, Vec<Candidate>>,
    any: Vec<Candidate>,
    layers: Vec<String>,
    order: u32,
}

impl Sheet {
    pub(crate) fn parse(text: &str) -> Self {
        let mut sheet = Self::default();
        let mut end = text.len().min(MOST_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut input = Parser::new(text.get(..end).unwrap_or_default());
        let mut reader = Reader::new(&mut sheet, UNLAYERED, None);
        for _ in StyleSheetParser::new(&mut input, &mut reader) {}
        sheet
    }

    /// The rules that may match an element, by its id, classes and name and what is above.
    pub(crate) fn candidates<'s>(
        &'s self,
        id: Option<&str>,
        classes: &str,
        tag: &str,
        above: Bits,
    ) -> impl Iterator<Item = &'s Rule> {
        let of = |found: Option<&'s Vec<Candidate>>| found.map_or(&[][..], Vec::as_slice);
        let mut lists: Vec<&[Candidate]> = vec![of(self.tags.get(tag)), &self.any];
        lists.extend(id.map(|id| of(self.ids.get(id))));
        for class in classes.split_ascii_whitespace().take(64) {
            let list = of(self.classes.get(class));
            if !list.is_empty() {
                lists.push(list);
            }
        }
        let all = lists.into_iter().flatten();
        let possible = all.filter(move |one| above.hold(&one.ancestors));
        possible.filter_map(|one| self.rules.get(one.rule))
    }

    fn add(&mut self, selector: &str, declarations: Vec<Declaration>, layer: u16, order: u32) {
        self.note_focus(selector, &declarations);
        if declarations.is_empty() || self.rules.len() > MOST_RULES {
            return;
        }
        let block = self.blocks.len();
        let matchers = parse_list(selector);
        if matchers.is_empty() {
            return;
        }
        for matcher in matchers {
            let candidate = Candidate {
                ancestors: matcher.ancestors,
                rule: self.rules.len(),
            };
            let list = match &matcher.key {
                Key::Id(name) => self.ids.entry(name.clone()).or_default(),
                Key::Class(name) => self.classes.entry(name.clone()).or_default(),
                Key::Tag(name) => self.tags.entry(name.clone()).or_default(),
                Key::Any => &mut self.any,
            };
            list.push(candidate);
            self.rules.push(Rule {
                matcher,
                layer,
                order,
                block,
            });
        }
        self.blocks.push(declarations);
    }

    fn note_focus(&mut self, selector: &str, declarations: &[Declaration]) {
        let focused = selector.contains(":focus");
        let known = || {
            declarations.iter().filter_map(|one| match &one.kind {
                Kind::Known(value) => Some(value),
                _ => None,
            })
        };
        let removes = known().any(|value| *value == Value::Outline(false));
        if !removes && !focused {
            return;
        }
        let pending = declarations
            .iter()
            .any(|one| matches!(one.kind, Kind::Pending(..)));
        let draws = pending
            || known().any(|value| {
                matches!(
                    value,
                    Value::Outline(true)
                        | Value::Border(true)
                        | Value::Shadow(true)
                        | Value::Background(_)
                        | Value::Underline(true)
                        | Value::Color(_)
                )
            });
        self.focus.push(Focus {
            selector: selector.trim().to_owned(),
            focused,
            removes,
            draws,
        });
    }

    fn layer(&mut self, name: &str) -> u16 {
        let known = self.layers.iter().position(|known| known == name);
        let index = known.filter(|_| !name.is_empty()).unwrap_or_else(|| {
            self.layers.push(name.to_owned());
            self.layers.len() - 1
        });
        u16::try_from(index).unwrap_or(UNLAYERED - 1)
    }
}

/// The declarations of a `style` attribute.
pub(crate) fn parse_inline(text: &str) -> Vec<Declaration> {
    let mut sheet = Sheet::default();
    let mut reader = Reader::new(&mut sheet, UNLAYERED, Some(String::new()));
    let mut input = Parser::new(text);
    for _ in RuleBodyParser::new(&mut input, &mut reader) {}
    reader.declarations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, rules: usize, blocks: usize) {
        let sheet = Sheet::parse(text);
        assert_eq!(
            (sheet.rules.len(), sheet.blocks.len()),
            (rules, blocks),
            "{text}"
        );
    }

    #[test]
    fn rules_under_conditions_that_hold() {
        check("p { color: red } a, b { color: blue; float: left }", 3, 2);
        check("p { float: left }", 0, 0);
        check("@media print { p { color: red } }", 0, 0);
        check("@media screen { p { color: red } }", 1, 1);
        check("@supports (display: grid) { p { display: grid } }", 1, 1);
        check("@font-face { font-family: x } p { color: red }", 1, 1);
        check(
            "p { color: red; b { color: blue } &.x { color: green } }",
            3,
            3,
        );
        check("p { color: red", 1, 1);
        check("} p { color: red } {{{", 0, 0);
        check("@layer base { p { color: red } } p { color: blue }", 2, 2);
    }

    #[test]
    fn importance_and_variables() {
        let block = parse_inline("color: red !important; --x: 1px ; width: var(--x)");
        let shown: Vec<String> = block
            .iter()
            .map(|one| format!("{:?} {}", one.kind, one.important))
            .collect();
        assert_eq!(shown.len(), 3);
        assert!(shown[0].ends_with("true"));
        assert_eq!(shown[1], "Variable(\"--x\", \"1px\") false");
        assert_eq!(shown[2], "Pending(\"width\", \"var(--x)\") false");
    }

    #[test]
    fn outlines_that_are_taken_away_are_noted() {
        let sheet = Sheet::parse("a:focus { outline: none } button:focus { outline: 2px solid }");
        let removes: Vec<bool> = sheet.focus.iter().map(|focus| focus.removes).collect();
        assert_eq!(removes, [true, false]);
    }
}
