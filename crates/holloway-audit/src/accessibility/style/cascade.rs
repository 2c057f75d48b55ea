//! How does every element look? Rules matched, sorted and applied from the root down,
//! with inheritance and custom properties. Work is bounded: when the budget is spent,
//! the rest is left as the browser shows it without style, and said to be unsure.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use cssparser::Parser;
use rustc_hash::FxHasher;

use super::computed::Style;
use super::defaults;
use super::selector::Bits;
use super::sheet::{Declaration, Kind, Rule, Sheet, parse_inline};
use super::value;
use super::variables;
use crate::accessibility::tree::Tree;

/// Units of matching a page may take: about a second at worst.
const BUDGET: u64 = 20_000_000;

pub(crate) struct Looks {
    /// Of the elements, after what there is without any.
    styles: Vec<Style>,
    /// Which of these it is, by the place in the tree; text looks as the element around it.
    places: Vec<u32>,
    /// Whether the budget was spent before all elements were styled.
    pub(crate) unsure: bool,
}

impl Looks {
    pub(crate) fn of(&self, index: usize) -> Option<&Style> {
        let place = self.places.get(index)?;
        self.styles.get(*place as usize)
    }
}

pub(crate) fn compute(tree: &Tree, sheets: &[Arc<Sheet>]) -> Looks {
    let mut cascade = Cascade {
        tree,
        sheets,
        around: Vec::new(),
        variables: variables::Scope::default(),
        budget: BUDGET,
        matched: Vec::new(),
    };
    let mut looks = Looks {
        styles: Vec::with_capacity(tree.elements().count() + 1),
        places: Vec::with_capacity(tree.len()),
        unsure: false,
    };
    looks.styles.push(Style::default());
    for index in 0..tree.len() {
        let parent = tree.parent(index);
        let around = parent.and_then(|parent| looks.places.get(parent));
        let around = around.copied().unwrap_or(0);
        if !tree.is_element(index) {
            looks.places.push(around);
            continue;
        }
        let around = looks.styles.get(around as usize);
        let style = around.map(|around| cascade.visit(index, around));
        looks.styles.push(style.unwrap_or_default());
        let place = looks.styles.len() - 1;
        looks.places.push(u32::try_from(place).unwrap_or(0));
    }
    looks.unsure = cascade.budget == 0;
    looks
}

/// A rule that matches, with what decides among rules.
struct Matched<'s> {
    weight: u64,
    declarations: &'s [Declaration],
    pseudo: bool,
}

struct Cascade<'t, 'a, 's> {
    tree: &'t Tree<'a>,
    sheets: &'s [Arc<Sheet>],
    /// The elements around the one that is being styled, with what is there and further out.
    around: Vec<(usize, Bits)>,
    variables: variables::Scope,
    budget: u64,
    matched: Vec<Matched<'s>>,
}

impl Cascade<'_, '_, '_> {
    fn visit(&mut self, index: usize, around: &Style) -> Style {
        let mut style = defaults::style(self.tree, index, around);
        let above = self.above(index);
        self.collect(index, above);
        let inline = self.tree.attr(index, "style").map(parse_inline);
        self.apply(index, &mut style, around, inline.as_deref().unwrap_or(&[]));
        style.settle(index == 0);
        if self.tree.end(index) > index + 1 {
            let mut bits = above;
            self.note(index, &mut bits);
            self.around.push((index, bits));
        }
        style
    }

    /// What there is around an element.
    fn above(&mut self, index: usize) -> Bits {
        let tree = self.tree;
        while self
            .around
            .pop_if(|(open, _)| tree.end(*open) <= index)
            .is_some()
        {}
        self.around
            .last()
            .map_or_else(Bits::default, |(_, bits)| *bits)
    }

    fn note(&self, index: usize, bits: &mut Bits) {
        bits.insert('t', self.tree.tag(index));
        if let Some(id) = self.tree.attr(index, "id") {
            bits.insert('i', id);
        }
        let classes = self.tree.attr(index, "class").unwrap_or_default();
        for class in classes.split_ascii_whitespace() {
            bits.insert('c', class);
        }
    }

    fn collect(&mut self, index: usize, above: Bits) {
        self.matched.clear();
        let (tree, sheets) = (self.tree, self.sheets);
        let id = tree.attr(index, "id");
        let classes = tree.attr(index, "class").unwrap_or_default();
        let tag = tree.tag(index);
        for (number, sheet) in sheets.iter().enumerate() {
            for rule in sheet.candidates(id, classes, tag, above) {
                if self.matches(index, rule) {
                    let declarations = sheet.blocks.get(rule.block);
                    self.matched.push(Matched {
                        weight: weight(rule, number),
                        declarations: declarations.map_or(&[], Vec::as_slice),
                        pseudo: rule.matcher.pseudo,
                    });
                }
            }
        }
        self.matched.sort_by_key(|matched| matched.weight);
    }

    fn matches(&mut self, index: usize, rule: &Rule) -> bool {
        let Some(selector) = &rule.matcher.selector else {
            return true;
        };
        let Some((node, element)) = self
            .tree
            .nodes
            .get(index)
            .and_then(|node| Some((node, node.element?)))
        else {
            return false;
        };
        let mut cost = 1 + u64::from(node.depth) / 8;
        if rule.matcher.slow {
            let inside = node.end.saturating_sub(index) as u64;
            cost += u64::from(node.siblings) + inside;
        }
        if cost > self.budget {
            self.budget = 0;
            return false;
        }
        self.budget -= cost;
        selector.matches(&element)
    }

    fn apply(&mut self, index: usize, style: &mut Style, around: &Style, inline: &[Declaration]) {
        let matched = std::mem::take(&mut self.matched);
        let own = matched.iter().filter(|one| !one.pseudo);
        let blocks: Vec<&[Declaration]> = own
            .map(|one| one.declarations)
            .chain(std::iter::once(inline))
            .collect();
        self.variables.enter(self.tree, index, &blocks);
        for important in [false, true] {
            for declaration in blocks.iter().copied().flatten() {
                if declaration.important == important {
                    self.set(style, around, &declaration.kind);
                }
            }
        }
        let beside = matched.iter().filter(|one| one.pseudo);
        let mut box_style = Style::default();
        for declaration in beside.flat_map(|one| one.declarations) {
            self.set(&mut box_style, style, &declaration.kind);
        }
        style.covered = box_style.content && box_style.paints() && box_style.is_lifted();
        style.beside = box_style.content;
        self.matched = matched;
        self.matched.clear();
    }

    fn set(&self, style: &mut Style, around: &Style, kind: &Kind) {
        match kind {
            Kind::Known(value) => style.set(value, around),
            Kind::Variable(..) => {}
            Kind::Pending(property, text) => match self.variables.fill(text) {
                Some(filled) => {
                    for value in value::parse(property, &mut Parser::new(&filled)) {
                        style.set(&value, around);
                    }
                }
                None if value::inherits(property) => {
                    style.set(&value::Value::Inherit(property), around);
                }
                None => style.set(&value::Value::Initial(property), around),
            },
        }
    }
}

/// Later layers win over earlier ones, then the more specific, then the later.
fn weight(rule: &Rule, sheet: usize) -> u64 {
    let specificity = u64::from(rule.matcher.specificity & 0x00ff_ffff);
    let order = (sheet as u64 & 0xff) << 16 | u64::from(rule.order.min(0xffff));
    u64::from(rule.layer) << 48 | specificity << 24 | order
}

/// A short stand-in for a text that is only compared.
pub(crate) fn digest(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}
