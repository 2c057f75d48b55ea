//! What is different between two tables? With key columns: rows that came, rows that went,
//! and which cells of the others changed; without any key, only what came and went.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cell::{self, Cell, Key};
use crate::error::DataError;
use crate::limits::Budget;
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    #[allow(dead_code)] // read from the arguments where it lies
    before: Borrowed,
    #[allow(dead_code)]
    after: Borrowed,
    /// The first column that tells all rows apart if left out.
    #[serde(default)]
    on: Vec<String>,
}

type Row = Map<String, Value>;

impl Question for Changes {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let before = Table::read(arguments, "before")?;
        let after = Table::read(arguments, "after")?;
        Self::refuse_strangers(&before, &after)?;
        let sides = Sides {
            on: self.keys(&before, &after)?,
            before,
            after,
        };
        sides.told()
    }
}

impl Changes {
    /// Tables that share no column are no versions of each other.
    fn refuse_strangers(before: &Table<'_>, after: &Table<'_>) -> Result<(), DataError> {
        let mut columns = before.columns().iter();
        let shares = columns.any(|name| after.columns().contains(name));
        if shares || before.rows().is_empty() || after.rows().is_empty() {
            return Ok(());
        }
        Err(DataError::data("the tables share no column")
            .with_hint("compare two versions of one table"))
    }

    fn keys(&self, before: &Table<'_>, after: &Table<'_>) -> Result<Vec<String>, DataError> {
        let mut on = Vec::new();
        for name in &self.on {
            let own = before.column(name)?;
            after.column(own)?;
            on.push(own.to_owned());
        }
        if !on.is_empty() {
            for (table, name) in [(before, "before"), (after, "after")] {
                if !tells_apart(table, &on) {
                    let message = format!("several rows of `{name}` have the same key");
                    return Err(DataError::data(message)
                        .with_hint("name more key columns, or leave `on` out"));
                }
            }
            return Ok(on);
        }
        let shared = before
            .columns()
            .iter()
            .filter(|name| after.columns().contains(name));
        let mut keys = shared.map(|name| vec![(*name).to_owned()]);
        let key = keys.find(|key| tells_apart(before, key) && tells_apart(after, key));
        Ok(key.unwrap_or_default())
    }
}

/// Whether no two rows have the same key, and none lacks it.
fn tells_apart(table: &Table<'_>, on: &[String]) -> bool {
    let parts = table.parts(on).unwrap_or_default();
    let is_whole = |cells: &[Cell<'_>]| cells.iter().all(|cell| cell::present(*cell).is_some());
    parts
        .iter()
        .all(|part| part.rows.len() == 1 && is_whole(&part.key))
}

struct Sides<'a> {
    on: Vec<String>,
    before: Table<'a>,
    after: Table<'a>,
}

impl<'a> Sides<'a> {
    fn told(&self) -> Result<Value, DataError> {
        let lacks = |one: &Table<'a>, other: &Table<'a>| -> Vec<String> {
            let names = one
                .columns()
                .iter()
                .filter(|name| !other.columns().contains(name));
            names.map(|name| (*name).to_owned()).collect()
        };
        let mut left: FxHashMap<Vec<Key<'a>>, Vec<usize>> = FxHashMap::default();
        for (at, row) in self.before.rows().iter().enumerate() {
            left.entry(self.key(row)).or_default().push(at);
        }
        let mut budget = Budget::default();
        let (mut added, mut changed, mut unchanged) = (Vec::new(), Vec::new(), 0_usize);
        let mut stayed: FxHashSet<usize> = FxHashSet::default();
        for row in self.after.rows().iter().copied() {
            let old = left.get_mut(&self.key(row)).and_then(Vec::pop);
            let Some((at, old)) = old.and_then(|at| Some((at, *self.before.rows().get(at)?)))
            else {
                budget.row(row)?;
                added.push(row);
                continue;
            };
            stayed.insert(at);
            let cells = self.cells(old, row);
            unchanged += usize::from(cells.is_empty());
            for cell in cells {
                budget.row(&cell)?;
                changed.push(Value::Object(cell));
            }
        }
        let mut removed: Vec<&Row> = Vec::new();
        for (at, row) in self.before.rows().iter().enumerate() {
            if !stayed.contains(&at) {
                budget.row(row)?;
                removed.push(row);
            }
        }
        let changed_rows = self.after.len() - added.len() - unchanged;
        Ok(json!({
            "same": added.is_empty() && removed.is_empty() && changed.is_empty(),
            "summary": summary(added.len(), removed.len(), changed_rows, unchanged),
            "on": self.on,
            "unchanged": unchanged,
            "added": added,
            "removed": removed,
            "changed": changed,
            "columns_added": lacks(&self.after, &self.before),
            "columns_removed": lacks(&self.before, &self.after),
        }))
    }

    /// The key of a row; without key columns, all that it holds.
    fn key(&self, row: &'a Row) -> Vec<Key<'a>> {
        if self.on.is_empty() {
            let both = self.before.columns().iter();
            let both = both.filter(|name| self.after.columns().contains(name));
            return both.map(|name| Key::of(row.get(*name))).collect();
        }
        self.on.iter().map(|name| Key::of(row.get(name))).collect()
    }

    /// The cells that are not what they were, in columns that both tables have.
    fn cells(&self, old: &Row, new: &Row) -> Vec<Row> {
        let both = self.before.columns().iter();
        let both = both.filter(|name| self.after.columns().contains(name));
        let mut changed = Vec::new();
        for name in both {
            let (was, is) = (old.get(*name), new.get(*name));
            if Key::of(was) == Key::of(is) {
                continue;
            }
            let mut cell = Row::new();
            for key in &self.on {
                cell.insert(key.clone(), new.get(key).cloned().unwrap_or(Value::Null));
            }
            // A key column is never changed, so that its name is free unless it is one of these.
            for (field, value) in [
                ("column", Some(&json!(name))),
                ("before", was),
                ("after", is),
            ] {
                cell.insert(field.to_owned(), value.cloned().unwrap_or(Value::Null));
            }
            changed.push(cell);
        }
        changed
    }
}

fn summary(added: usize, removed: usize, changed: usize, unchanged: usize) -> String {
    let rows = |count: usize| {
        if count == 1 {
            "1 row".to_owned()
        } else {
            format!("{count} rows")
        }
    };
    if added + removed + changed == 0 {
        return format!("No difference in {}.", rows(unchanged));
    }
    format!(
        "{} added, {} removed, {} changed, {} unchanged.",
        rows(added),
        rows(removed),
        rows(changed),
        rows(unchanged)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    #[track_caller]
    fn check(before: Value, after: Value, expected: &[(&str, Value)]) {
        let found = ask::<Changes>(&json!({"before": before, "after": after})).unwrap();
        for (name, value) in expected {
            assert_eq!(&found[name], value, "{name} of {found}");
        }
    }

    #[test]
    fn rows_are_told_apart_by_a_key() {
        check(
            json!([{"id": 1, "n": 5}, {"id": 2, "n": 6}, {"id": 3, "n": 7}]),
            json!([{"id": 2, "n": 9, "x": 0}, {"id": 1, "n": 5}, {"id": 4, "n": 1}]),
            &[
                ("on", json!(["id"])),
                (
                    "summary",
                    json!("1 row added, 1 row removed, 1 row changed, 1 row unchanged."),
                ),
                ("added", json!([{"id": 4, "n": 1}])),
                ("removed", json!([{"id": 3, "n": 7}])),
                (
                    "changed",
                    json!([{"id": 2, "column": "n", "before": 6, "after": 9}]),
                ),
                ("columns_added", json!(["x"])),
            ],
        );
    }

    #[test]
    fn without_a_key_rows_come_and_go() {
        check(
            json!([{"a": 1}, {"a": 1}, {"a": 2}]),
            json!([{"a": 1}, {"a": 3}, {"a": 3}]),
            &[
                ("on", json!([])),
                ("added", json!([{"a": 3}, {"a": 3}])),
                ("removed", json!([{"a": 1}, {"a": 2}])),
                ("unchanged", json!(1)),
            ],
        );
        check(
            json!([{"a": 1}]),
            json!([{"a": 1}]),
            &[
                ("same", json!(true)),
                ("summary", json!("No difference in 1 row.")),
            ],
        );
    }

    #[test]
    fn tables_that_share_no_column_are_not_compared() {
        let arguments = json!({"before": [{"sku": 1}], "after": [{"order": 2}]});
        let error = ask::<Changes>(&arguments).unwrap_err();
        assert_eq!(error.message, "the tables share no column");
        check(
            json!([]),
            json!([{"a": 1}]),
            &[("added", json!([{"a": 1}]))],
        );
    }

    #[test]
    fn a_key_must_tell_rows_apart() {
        let arguments = json!({"before": [{"a": 1}, {"a": 1}], "after": [], "on": ["a"]});
        let error = ask::<Changes>(&arguments).unwrap_err();
        assert_eq!(error.message, "several rows of `before` have the same key");
    }
}
