//! Which rows of two tables belong together? Those whose keys are equal. A missing key
//! fits nothing. The number of rows is counted before any of them is made.

use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cell::{self, Cell, Key};
use crate::error::DataError;
use crate::limits::{self, Budget};
use crate::question::{Borrowed, Question};
use crate::table::Table;

mod found;
use found::Found;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    #[allow(dead_code)] // read from the arguments where it lies
    left: Borrowed,
    #[allow(dead_code)]
    right: Borrowed,
    /// The columns that both tables have if left out.
    #[serde(default)]
    on: Vec<String>,
    right_on: Option<Vec<String>>,
    #[serde(default)]
    how: How,
    #[serde(default = "suffixes")]
    suffixes: (String, String),
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum How {
    #[default]
    Inner,
    Left,
    Right,
    Outer,
    /// Left rows that fit nothing on the right.
    Anti,
}

fn suffixes() -> (String, String) {
    ("_left".to_owned(), "_right".to_owned())
}

type Keys<'a> = Vec<Vec<Key<'a>>>;
/// A row of the left and a row of the right; one of them may be lacking.
type Match = (Option<usize>, Option<usize>);

impl Question for Join {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let (left, right) = (
            Table::read(arguments, "left")?,
            Table::read(arguments, "right")?,
        );
        self.with_columns_of(&left, &right)?.of(&left, &right)
    }
}

impl Join {
    /// The same with the names that the key columns have in both tables.
    fn with_columns_of(&self, left: &Table<'_>, right: &Table<'_>) -> Result<Self, DataError> {
        let mut own = self.clone();
        if self.on.is_empty() && self.right_on.is_none() {
            own.on = shared(left, right)?;
        }
        let right_on = self.right_on.as_ref().unwrap_or(&own.on).clone();
        if own.on.is_empty() || own.on.len() != right_on.len() {
            return Err(DataError::request(
                "`on` must name at least one column, and `right_on` as many",
            ));
        }
        let real = |table: &Table<'_>, names: &[String]| -> Result<Vec<String>, DataError> {
            let real = names
                .iter()
                .map(|name| table.column(name).map(str::to_owned));
            real.collect()
        };
        own.right_on = Some(real(right, &right_on)?);
        own.on = real(left, &own.on)?;
        Ok(own)
    }

    fn of(&self, left: &Table<'_>, right: &Table<'_>) -> Result<Value, DataError> {
        let right_on = self.right_on.as_ref().unwrap_or(&self.on);
        let (left_keys, right_keys) = (keys(left, &self.on)?, keys(right, right_on)?);
        self.same_kinds(&left_keys, &right_keys)?;
        let found = Found::of(&left_keys, &right_keys);
        limits::rows(found.rows(self.how, left.len()), "the result of the join")?;
        let matches = found.matches(self.how);
        let plan = self.plan(left, right, right_on)?;
        let mut budget = Budget::default();
        let mut rows = Vec::with_capacity(matches.len());
        for (at_left, at_right) in matches {
            let row = plan.row(row_at(left, at_left), row_at(right, at_right));
            budget.row(&row)?;
            rows.push(Value::Object(row));
        }
        Ok(json!({
            "columns": plan.columns(),
            "count": rows.len(),
            "left_unmatched": found.lonely_left(),
            "right_unmatched": found.lonely_right.len(),
            "rows": rows,
        }))
    }
}

/// The columns that both tables have.
fn shared(left: &Table<'_>, right: &Table<'_>) -> Result<Vec<String>, DataError> {
    let is_shared = |name: &&&str| right.columns().contains(*name);
    let shared = left.columns().iter().filter(is_shared);
    let shared: Vec<String> = shared.map(|name| (*name).to_owned()).collect();
    if shared.is_empty() && !left.is_empty() && !right.is_empty() {
        let hint = format!(
            "`left` has {}; `right` has {}",
            left.columns().join(", "),
            right.columns().join(", ")
        );
        let message = "the tables share no column: say which ones fit with `on` and `right_on`";
        return Err(DataError::data(message).with_hint(hint));
    }
    Ok(shared)
}

fn row_at<'a>(table: &Table<'a>, at: Option<usize>) -> Option<&'a Map<String, Value>> {
    table.rows().get(at?).copied()
}

fn keys<'a>(table: &Table<'a>, on: &[String]) -> Result<Keys<'a>, DataError> {
    let columns: Vec<Vec<Cell<'a>>> = on
        .iter()
        .map(|name| table.cells(name))
        .collect::<Result<_, _>>()?;
    let key = |row: usize| {
        columns
            .iter()
            .map(|cells| Key::of(cells.get(row).copied().flatten()))
            .collect()
    };
    Ok((0..table.len()).map(key).collect())
}

impl Join {
    /// Text on one side and numbers on the other never fit: better told than an empty table.
    fn same_kinds(&self, left: &Keys<'_>, right: &Keys<'_>) -> Result<(), DataError> {
        let kinds = |keys: &Keys<'_>, at: usize| -> FxHashSet<&'static str> {
            let of_column = keys.iter().filter_map(|key| key.get(at));
            of_column
                .filter(|key| **key != Key::Missing)
                .map(Key::kind)
                .collect()
        };
        for (at, name) in self.on.iter().enumerate() {
            let (left, right) = (kinds(left, at), kinds(right, at));
            let (Some(one), Some(other)) = (left.iter().next(), right.iter().next()) else {
                continue;
            };
            if left.is_disjoint(&right) {
                let message = format!("the key `{name}` is {one} in `left` and {other} in `right`");
                return Err(DataError::data(message)
                    .with_hint("data-load gives both tables the same types"));
            }
        }
        Ok(())
    }

    fn plan<'a>(
        &self,
        left: &Table<'a>,
        right: &Table<'a>,
        right_on: &[String],
    ) -> Result<Plan<'a>, DataError> {
        let is_key = |name: &str| self.on.iter().any(|key| key == name);
        let is_right_key = |name: &str| right_on.iter().any(|key| key == name);
        let is_anti = self.how == How::Anti;
        let extra: Vec<&str> = right
            .columns()
            .iter()
            .copied()
            .filter(|name| !is_anti && !is_right_key(name))
            .collect();
        let own: Vec<&str> = left
            .columns()
            .iter()
            .copied()
            .filter(|name| !is_key(name))
            .collect();
        let (extra_set, own_set): (FxHashSet<&str>, FxHashSet<&str>) = (
            extra.iter().copied().collect(),
            own.iter().copied().collect(),
        );
        let clashes =
            |name: &str| (own_set.contains(name) && extra_set.contains(name)) || is_key(name);
        let named = |name: &'a str, suffix: &str| {
            let new = if clashes(name) {
                format!("{name}{suffix}")
            } else {
                name.to_owned()
            };
            (name, new)
        };
        let plan = Plan {
            keys: self
                .on
                .iter()
                .cloned()
                .zip(right_on.iter().cloned())
                .collect(),
            left: own
                .iter()
                .map(|name| named(name, &self.suffixes.0))
                .collect(),
            right: extra
                .iter()
                .map(|name| named(name, &self.suffixes.1))
                .collect(),
        };
        let mut seen = FxHashSet::default();
        match plan
            .columns()
            .into_iter()
            .find(|name| !seen.insert(name.clone()))
        {
            None => Ok(plan),
            Some(name) => Err(DataError::request(format!(
                "two columns of the result would be named `{name}`"
            ))
            .with_hint("choose other `suffixes`")),
        }
    }
}

/// Where each column of the result comes from: old name and new name.
struct Plan<'a> {
    keys: Vec<(String, String)>,
    left: Vec<(&'a str, String)>,
    right: Vec<(&'a str, String)>,
}

impl Plan<'_> {
    fn columns(&self) -> Vec<String> {
        let keys = self.keys.iter().map(|(left, _)| left.clone());
        let rest = self
            .left
            .iter()
            .chain(&self.right)
            .map(|(_, name)| name.clone());
        keys.chain(rest).collect()
    }

    fn row(
        &self,
        left: Option<&Map<String, Value>>,
        right: Option<&Map<String, Value>>,
    ) -> Map<String, Value> {
        let value = |row: Option<&Map<String, Value>>, name: &str| {
            row.and_then(|row| row.get(name)).cloned()
        };
        let mut joined = Map::with_capacity(self.keys.len() + self.left.len() + self.right.len());
        for (left_name, right_name) in &self.keys {
            let key = value(left, left_name).filter(|key| cell::present(Some(key)).is_some());
            let key = key.or_else(|| {
                if left.is_some() {
                    None
                } else {
                    value(right, right_name)
                }
            });
            joined.insert(left_name.clone(), key.unwrap_or(Value::Null));
        }
        for (columns, row) in [(&self.left, left), (&self.right, right)] {
            for (old, new) in columns {
                joined.insert(new.clone(), value(row, old).unwrap_or(Value::Null));
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn join(options: Value) -> Result<Value, DataError> {
        let mut arguments = options;
        arguments["left"] = json!([{"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 2, "v": "c"}, {"id": null, "v": "d"}]);
        if arguments.get("right").is_none() {
            arguments["right"] = json!([{"id": 2.0, "v": "x"}, {"id": 3, "v": "y"}, {"v": "z"}]);
        }
        ask::<Join>(&arguments)
    }

    #[test]
    fn every_kind_of_join() {
        let check = |how: &str, expected: &str| {
            let result = join(json!({"on": ["id"], "how": how})).unwrap();
            let rows = result["rows"].as_array().unwrap().iter();
            let short = rows.map(|row| {
                format!(
                    "{}:{}{}",
                    row["id"],
                    row["v_left"].as_str().or(row["v"].as_str()).unwrap_or("-"),
                    row["v_right"].as_str().unwrap_or("-")
                )
            });
            assert_eq!(short.collect::<Vec<_>>().join(" "), expected, "{how}");
            assert_eq!(
                (&result["left_unmatched"], &result["right_unmatched"]),
                (&json!(2), &json!(2))
            );
        };
        check("inner", "2:bx 2:cx");
        check("left", "1:a- 2:bx 2:cx null:d-");
        check("right", "2:bx 2:cx 3:-y null:-z");
        check("outer", "1:a- 2:bx 2:cx null:d- 3:-y null:-z");
        check("anti", "1:a- null:d-");
    }

    #[test]
    fn keys_of_other_names_and_kinds() {
        let right = json!([{"number": 1, "w": 5}]);
        let result = join(json!({"on": ["id"], "right_on": ["number"], "right": right})).unwrap();
        assert_eq!(result["rows"], json!([{"id": 1, "v": "a", "w": 5}]));
        let text = json!([{"id": "1"}]);
        let error = join(json!({"on": ["id"], "right": text})).unwrap_err();
        assert_eq!(
            error.message,
            "the key `id` is a number in `left` and text in `right`"
        );
    }

    #[test]
    fn an_explosion_is_refused_before_it_happens() {
        let many = vec![json!({"k": 1}); 2000];
        let arguments = json!({"left": many, "right": many, "on": ["k"]});
        let error = ask::<Join>(&arguments).unwrap_err();
        assert_eq!(
            error.message,
            "the result of the join has 4000000 rows; at most 1000000 are worked on"
        );
    }

    #[test]
    fn keys_may_be_left_out_or_said_in_another_case() {
        let tables = json!({
            "left": [{"Customer ID": 1, "sum": 5}],
            "right": [{"Customer ID": 1, "name": "Ann"}],
        });
        let expected = json!([{"Customer ID": 1, "sum": 5, "name": "Ann"}]);
        assert_eq!(ask::<Join>(&tables).unwrap()["rows"], expected);
        let mut named = tables;
        named["on"] = json!(["customer_id"]);
        assert_eq!(ask::<Join>(&named).unwrap()["rows"], expected);
        let strange = json!({"left": [{"a": 1}], "right": [{"b": 1}]});
        let error = ask::<Join>(&strange).unwrap_err();
        assert_eq!(error.hint.as_deref(), Some("`left` has a; `right` has b"));
    }
}
