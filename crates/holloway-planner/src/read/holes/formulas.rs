//! What is to be reckoned out of two columns, or a column and a number? "price times quantity",
//! "multiply price by 1.2".

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Filling, Holes, plainly};
use crate::frame::scene::Holds;

impl Holes<'_> {
    pub(super) fn formula(&self, at: usize) -> Option<Filling> {
        self.between(at).or_else(|| self.before(at))
    }

    /// "price times quantity"
    fn between(&self, at: usize) -> Option<Filling> {
        let words = &self.lexicon.words;
        let left = self.operand(at)?;
        let (op, behind) = self.said(left.end, &words.operators)?;
        let right = self.operand(self.behind_idle(behind))?;
        reckoned(&left.value, op, &right.value, right.end)
    }

    /// "multiply price by quantity"
    fn before(&self, at: usize) -> Option<Filling> {
        let words = &self.lexicon.words;
        let (op, behind) = self.said(at, &words.operations)?;
        let left = self.operand(self.behind_idle(behind))?;
        let join = self.token(left.end)?;
        if !words.operands.contains(&join.lower) {
            return None;
        }
        let right = self.operand(self.behind_idle(left.end + 1))?;
        reckoned(&left.value, op, &right.value, right.end)
    }

    fn operand(&self, at: usize) -> Option<Filling> {
        let column = self.columns(at, |column| column.holds == Holds::Numbers);
        column.into_iter().next().or_else(|| self.number(at))
    }

    /// The longest words from here on that are in the list.
    fn said<'l>(&self, at: usize, list: &'l BTreeMap<String, String>) -> Option<(&'l str, usize)> {
        const MOST: usize = 3;
        (1..=MOST).rev().find_map(|count| {
            let taken = self.tokens.get(at..at + count)?;
            let said: Vec<&str> = taken.iter().map(|token| token.lower.as_str()).collect();
            Some((list.get(&said.join(" "))?.as_str(), at + count))
        })
    }

    fn behind_idle(&self, at: usize) -> usize {
        let rest = self.tokens.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|token| token.idle).count()
    }
}

/// Something with a column in it; two numbers need no table.
fn reckoned(left: &Value, op: &str, right: &Value, end: usize) -> Option<Filling> {
    let of_a_column = left.is_string() || right.is_string();
    of_a_column.then(|| plainly(end, json!({"left": left, "op": op, "right": right})))
}
