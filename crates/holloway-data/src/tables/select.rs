//! Which rows and columns are wanted, in which order, and what is worked out from them?
//! Rows are filtered, columns computed, then rows sorted and cut, then columns chosen.

use std::cmp::Ordering;

use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::condition::{Check, Condition};
use super::typed::Typed;
use crate::cell::{self, Key};
use crate::error::DataError;
use crate::limits::Budget;
use crate::question::Borrowed;
use crate::table::Table;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    columns: Option<Vec<String>>,
    /// Columns that are left out.
    #[serde(default)]
    drop: Vec<String>,
    /// Old name to new name.
    #[serde(default)]
    rename: Map<String, Value>,
    #[serde(default, rename = "where")]
    conditions: Vec<Condition>,
    #[serde(default)]
    any: bool,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    compute: Map<String, Value>,
    #[serde(default)]
    distinct: bool,
    /// Rows are the same that agree in these columns.
    distinct_by: Option<Vec<String>>,
    #[serde(default)]
    sort: Vec<Sort>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
    /// Rows on a par with the last one of `limit` come too.
    #[serde(default)]
    ties: bool,
    /// Only so many of them, from the end.
    last: Option<usize>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sort {
    column: String,
    #[serde(default)]
    descending: bool,
}

/// Works out formulas; who knows the language of formulas provides it.
pub trait Formulas {
    /// The value of the formula for one row.
    fn value(&self, formula: usize, row: &Map<String, Value>) -> Result<Value, String>;
}

type Row = Map<String, Value>;

impl Select {
    /// The computed columns with the text of their formulas, in order.
    pub fn formulas(&self) -> Result<Vec<(&str, &str)>, DataError> {
        let formulas = self.compute.iter();
        formulas
            .map(|(name, formula)| as_text(name, formula, "compute"))
            .collect()
    }

    pub fn answer(&self, arguments: &Value, formulas: &dyn Formulas) -> Result<Value, DataError> {
        let table = Table::read(arguments, "rows")?;
        self.with_columns_of(&table)?.of(&table, formulas)
    }

    /// The same with the names that the columns have in the table.
    fn with_columns_of(&self, table: &Table<'_>) -> Result<Self, DataError> {
        let mut own = self.clone();
        let real = |name: &mut String| -> Result<(), DataError> {
            if !self.compute.contains_key(name) {
                *name = table.column(name)?.to_owned();
            }
            Ok(())
        };
        for condition in &mut own.conditions {
            // Rows are filtered before anything is computed.
            condition.column = table.column(&condition.column)?.to_owned();
            if let Some(other) = &mut condition.other {
                *other = table.column(other)?.to_owned();
            }
        }
        own.sort
            .iter_mut()
            .try_for_each(|sort| real(&mut sort.column))?;
        own.columns.iter_mut().flatten().try_for_each(real)?;
        own.distinct_by.iter_mut().flatten().try_for_each(real)?;
        own.drop.iter_mut().try_for_each(real)?;
        if !own.drop.is_empty() {
            let mut left = own.names(table);
            left.retain(|name| !own.drop.contains(name));
            own.columns = Some(left);
        }
        own.rename.clear();
        for (old, new) in &self.rename {
            let known = table.column(old);
            let old = known.unwrap_or(old.as_str()).to_owned();
            own.rename.insert(old, new.clone());
        }
        Ok(own)
    }

    fn of(&self, table: &Table<'_>, formulas: &dyn Formulas) -> Result<Value, DataError> {
        let compared = self
            .conditions
            .iter()
            .flat_map(|condition| condition.other.iter().chain([&condition.column]));
        let compared = compared.chain(self.sort.iter().map(|sort| &sort.column));
        let typed = Typed::of(table, compared.map(String::as_str))?;
        let kept = self.filter(table, &typed)?;
        let dropped = table.len() - kept.len();
        let mut budget = Budget::default();
        let mut rows = Vec::with_capacity(kept.len());
        for (number, row) in kept {
            let row = self.computed(number, row, formulas)?;
            budget.row(&row)?;
            rows.push(row);
        }
        let mut rows = self.order(rows, &typed);
        if self.distinct || self.distinct_by.is_some() {
            self.drop_repeated(&mut rows);
        }
        let matching = rows.len();
        let rows = self.cut(rows, &typed);
        let columns = self.names(table);
        let new_names = self.new_names(&columns)?;
        // Counted anew: every row gets every column, also those it lacked.
        let mut budget = Budget::default();
        let mut chosen = Vec::with_capacity(rows.len());
        for row in rows {
            let row = choose(row, &columns, &new_names);
            budget.row(&row)?;
            chosen.push(Value::Object(row));
        }
        Ok(json!({
            "columns": new_names,
            "count": chosen.len(),
            "matching": matching,
            "dropped": dropped,
            "rows": chosen,
        }))
    }

    fn cut(&self, rows: Vec<Row>, typed: &Typed) -> Vec<Row> {
        let mut rows: Vec<Row> = rows.into_iter().skip(self.offset).collect();
        if let Some(limit) = self.limit {
            let last = limit.checked_sub(1).and_then(|last| rows.get(last));
            let key = last.map(|row| self.keys(row, typed));
            let on_a_par = |row: &&Row| {
                let mut keys = key.iter().flatten().zip(self.keys(row, typed));
                let same = |(one, other): (&Option<Value>, Option<Value>)| {
                    cell::compare(one.as_ref(), other.as_ref()).is_eq()
                };
                self.ties && key.is_some() && keys.all(same)
            };
            let equal = if self.sort.is_empty() {
                0
            } else {
                rows.iter().skip(limit).take_while(on_a_par).count()
            };
            rows.truncate(limit.saturating_add(equal));
        }
        let before = self.last.map_or(0, |last| rows.len().saturating_sub(last));
        rows.drain(..before);
        rows
    }

    fn filter<'a>(
        &self,
        table: &Table<'a>,
        typed: &Typed,
    ) -> Result<Vec<(usize, &'a Row)>, DataError> {
        let mut checks: Vec<(&str, Check<'_>)> = Vec::new();
        for condition in &self.conditions {
            checks.push((&condition.column, condition.ready(self.ignore_case)?));
        }
        let fits = |row: &Row| {
            let mut results = checks.iter().map(|(column, check)| {
                let cell = row.get(*column);
                let meant = typed.value(column, cell).filter(|_| !check.is_about_text());
                let cell = meant.as_ref().or(cell);
                check.other().map_or_else(
                    || check.fits(cell),
                    |column| typed.beside(column, row, |other| check.fits_beside(cell, other)),
                )
            });
            if self.any && !checks.is_empty() {
                results.any(|fits| fits)
            } else {
                results.all(|fits| fits)
            }
        };
        let rows = table.rows().iter().copied().enumerate();
        Ok(rows.filter(|(_, row)| fits(row)).collect())
    }

    fn computed(
        &self,
        number: usize,
        row: &Row,
        formulas: &dyn Formulas,
    ) -> Result<Row, DataError> {
        let mut row = row.clone();
        for (index, (name, formula)) in self.compute.iter().enumerate() {
            let value = formulas.value(index, &row).map_err(|reason| {
                let formula = formula.as_str().unwrap_or_default();
                DataError::data(format!(
                    "row {}, computed column `{name}` = {formula}: {reason}",
                    number + 1
                ))
                .with_hint(
                    "names in a formula are columns; odd names are written row[\"Unit price\"]",
                )
            })?;
            row.insert(name.clone(), value);
        }
        Ok(row)
    }

    /// What a row is sorted by.
    fn keys(&self, row: &Row, typed: &Typed) -> Vec<Option<Value>> {
        let meant = self.sort.iter().map(|sort| {
            let cell = row.get(&sort.column);
            typed.value(&sort.column, cell).or_else(|| cell.cloned())
        });
        meant.collect()
    }

    fn order(&self, rows: Vec<Row>, typed: &Typed) -> Vec<Row> {
        let mut keyed: Vec<(Vec<Option<Value>>, Row)> = rows
            .into_iter()
            .map(|row| (self.keys(&row, typed), row))
            .collect();
        keyed.sort_by(|(left, _), (right, _)| {
            let both = left.iter().zip(right);
            let mut orders = self.sort.iter().zip(both).map(|(sort, (left, right))| {
                let (left, right) = (left.as_ref(), right.as_ref());
                let both = cell::present(left).is_some() && cell::present(right).is_some();
                let order = cell::compare(left, right);
                // Missing values come last either way.
                if sort.descending && both {
                    order.reverse()
                } else {
                    order
                }
            });
            orders
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        });
        keyed.into_iter().map(|(_, row)| row).collect()
    }

    fn drop_repeated(&self, rows: &mut Vec<Row>) {
        let mut seen = FxHashSet::default();
        let mut is_new: Vec<bool> = Vec::with_capacity(rows.len());
        for row in rows.iter() {
            is_new.push(seen.insert(self.identity(row)));
        }
        drop(seen);
        let mut is_new = is_new.into_iter();
        rows.retain(|_| is_new.next().unwrap_or(true));
    }

    /// What makes a row one of its kind, whatever the order of its fields; a missing
    /// field is the same as null.
    fn identity<'a>(&'a self, row: &'a Row) -> Vec<(&'a str, Key<'a>)> {
        let mut fields: Vec<(&str, Key<'_>)> =
            match self.distinct_by.as_ref().or(self.columns.as_ref()) {
                Some(columns) => columns
                    .iter()
                    .map(|name| (name.as_str(), Key::of(row.get(name))))
                    .collect(),
                None => row
                    .iter()
                    .map(|(name, value)| (name.as_str(), Key::of(Some(value))))
                    .collect(),
            };
        fields.retain(|(_, key)| *key != Key::Missing);
        fields.sort_by_key(|(name, _)| *name);
        fields
    }

    /// The columns of the result, under their old names.
    fn names(&self, table: &Table<'_>) -> Vec<String> {
        if let Some(columns) = &self.columns {
            return columns.clone();
        }
        let computed = self.compute.keys().map(String::as_str);
        let all = table.columns().iter().copied().chain(computed);
        let mut seen = FxHashSet::default();
        all.filter(|name| seen.insert(*name))
            .map(str::to_owned)
            .collect()
    }

    fn new_names(&self, columns: &[String]) -> Result<Vec<String>, DataError> {
        for old in self.rename.keys() {
            if !columns.contains(old) && !columns.is_empty() {
                let known: Vec<String> =
                    columns.iter().take(20).map(|c| format!("`{c}`")).collect();
                return Err(DataError::data(format!(
                    "there is no column `{old}` to rename; the columns are {}",
                    known.join(", ")
                )));
            }
        }
        let mut seen = FxHashSet::default();
        let mut names = Vec::new();
        for column in columns {
            let name = match self.rename.get(column) {
                Some(new) => as_text(column, new, "rename")?.1.to_owned(),
                None => column.clone(),
            };
            if !seen.insert(name.clone()) {
                return Err(DataError::data(format!(
                    "two columns would be named `{name}`"
                )));
            }
            names.push(name);
        }
        Ok(names)
    }
}

fn as_text<'a>(name: &'a str, value: &'a Value, of: &str) -> Result<(&'a str, &'a str), DataError> {
    let wrong = || DataError::request(format!("`{of}` must give a text for `{name}`"));
    value.as_str().map(|text| (name, text)).ok_or_else(wrong)
}

/// Every row has every column; what a row lacks is null.
fn choose(mut row: Row, columns: &[String], names: &[String]) -> Row {
    let mut chosen = Map::new();
    for (column, name) in columns.iter().zip(names) {
        let value = row.get_mut(column).map_or(Value::Null, Value::take);
        chosen.insert(name.clone(), value);
    }
    chosen
}

#[cfg(test)]
mod tests;
