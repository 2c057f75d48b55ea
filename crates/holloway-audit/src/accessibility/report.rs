//! What did the rules find? Hits are collected by place in the tree, and become findings
//! with paths and evidence only at the end.

use super::view::View;
use crate::rule::Rule;

pub(crate) struct Hit {
    pub(crate) rule: &'static Rule,
    pub(crate) index: usize,
    /// What was seen beside the element itself.
    pub(crate) note: String,
}

pub(crate) struct Report<'v, 'a> {
    pub(crate) view: &'v View<'a>,
    pub(crate) hits: Vec<Hit>,
    /// Texts whose contrast only a browser can tell.
    pub(crate) undecided: usize,
}

impl<'v, 'a> Report<'v, 'a> {
    pub(crate) fn new(view: &'v View<'a>) -> Self {
        Self {
            view,
            hits: Vec::new(),
            undecided: 0,
        }
    }

    pub(crate) fn hit(&mut self, rule: &'static Rule, index: usize) {
        self.hit_with(rule, index, String::new());
    }

    pub(crate) fn hit_with(&mut self, rule: &'static Rule, index: usize, note: String) {
        self.hits.push(Hit { rule, index, note });
    }

    /// Every element told to screen readers for which `fails` holds breaks the rule.
    pub(crate) fn each(
        &mut self,
        rule: &'static Rule,
        tags: &[&str],
        fails: impl Fn(&View<'a>, usize) -> bool,
    ) {
        let view = self.view;
        for index in view.tree.tagged(tags) {
            if view.is_exposed(index) && fails(view, index) {
                self.hit(rule, index);
            }
        }
    }
}
