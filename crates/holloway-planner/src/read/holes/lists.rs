//! Which things are named one after the other? "a, b and c".

use serde_json::{Value, json};

use super::{Filling, Hole, Holes};
use crate::read::tokens::{Token, TokenKind};

/// Items that one list may have.
const MOST_ITEMS: usize = 8;

impl Holes<'_> {
    /// Two things or more of one kind, divided by commas and words that join; each beginning of
    /// the list is one too.
    pub(super) fn list(&self, at: usize, kind: Hole) -> Vec<Filling> {
        let mut found: Vec<Filling> = Vec::new();
        let mut items: Vec<Value> = Vec::new();
        let mut notes: Vec<String> = Vec::new();
        let mut place = at;
        while let Some(item) = self.find(kind, place).into_iter().next() {
            items.push(item.value);
            notes.extend(item.note);
            found.push(Filling {
                end: item.end,
                value: Value::Array(items.clone()),
                note: (!notes.is_empty()).then(|| notes.join("; ")),
            });
            let next = self.behind_join(item.end, kind == Hole::Value);
            if next == item.end || items.len() >= MOST_ITEMS {
                break;
            }
            place = next;
        }
        found.retain(|filling| {
            filling
                .value
                .as_array()
                .is_some_and(|items| items.len() > 1)
        });
        found.reverse();
        found
    }

    /// Behind commas, joining words and what says nothing between two items.
    fn behind_join(&self, end: usize, any_will_do: bool) -> usize {
        let words = &self.lexicon.words;
        let joins = |token: &&Token| {
            [",", "&"].contains(&token.text.as_str())
                || words.joins.contains(&token.lower)
                || any_will_do && words.options.contains(&token.lower)
        };
        let rest = self.tokens.get(end..).unwrap_or_default();
        let joined = rest.iter().take_while(joins).count();
        let idle = |token: &&Token| token.kind == TokenKind::Word && token.idle;
        let passed = rest.iter().skip(joined).take_while(idle).count();
        if joined == 0 {
            end
        } else {
            end + joined + passed
        }
    }
}

/// Cells that stand in the same column.
pub(super) fn of_one_column(list: Filling) -> Option<Filling> {
    let items = list.value.as_array()?;
    let column = items.first()?.get("column")?.clone();
    let same = items.iter().all(|item| item.get("column") == Some(&column));
    let values: Vec<Value> = items
        .iter()
        .filter_map(|item| item.get("value").cloned())
        .collect();
    same.then(|| Filling {
        value: json!({"column": column, "value": values}),
        ..list
    })
}
