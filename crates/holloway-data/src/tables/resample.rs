//! What does each day, week, month, quarter or year come to? Weeks begin on Monday;
//! a period is named by its first day. A time with an offset counts for the day that is
//! written. Inside a period, rows stand in order of time for `first` and `last`.

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::aggregate::{Aggregate, Ready};
use super::column_type::{ColumnType, Reading, judge};
use super::group::{names, ready, row_of, with_default};
use crate::cell;
use crate::date::Moment;
use crate::error::DataError;
use crate::limits::{Budget, PERIODS};
use crate::question::{Borrowed, Question};
use crate::table::{self, Part, Table};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resample {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    /// The only column of dates if left out.
    date: Option<String>,
    period: Period,
    #[serde(default)]
    by: Vec<String>,
    #[serde(default)]
    aggregates: Vec<Aggregate>,
    /// Periods without rows get a row too.
    #[serde(default)]
    empty: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Period {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Period {
    fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    /// The first day of the period that holds this date.
    fn start(self, date: Date) -> Option<Date> {
        let first = |month: i8| Date::new(date.year(), month, 1).ok();
        match self {
            Self::Day => Some(date),
            Self::Week => {
                let back = i64::from(date.weekday().to_monday_zero_offset());
                date.checked_sub(back.days()).ok()
            }
            Self::Month => first(date.month()),
            Self::Quarter => first((date.month() - 1) / 3 * 3 + 1),
            Self::Year => first(1),
        }
    }

    fn next(self, start: Date) -> Option<Date> {
        let span = match self {
            Self::Day => 1.day(),
            Self::Week => 7.days(),
            Self::Month => 1.month(),
            Self::Quarter => 3.months(),
            Self::Year => 1.year(),
        };
        start.checked_add(span).ok()
    }
}

impl Question for Resample {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let table = Table::read(arguments, "rows")?;
        let aggregates = with_default(&self.aggregates);
        let mut taken = self.by.clone();
        taken.push("period".to_owned());
        let names = names(&taken, &aggregates)?;
        let ready = ready(&aggregates, &table)?;
        let date = match self.date_of(&table)? {
            Dated::By(column) => column,
            Dated::Named(column) => {
                return self.by_name(&table, column, &taken, (&names, &ready));
            }
        };
        let moments = table::moments(&table.cells(date)?, date)?;
        let undated = moments.iter().filter(|moment| moment.is_none()).count();
        let mut budget = Budget::default();
        let mut rows = Vec::new();
        for part in table.parts(&self.by)? {
            for (start, inside) in self.periods(&part, &moments)? {
                let row = self.row(start, &inside, &names, &ready);
                budget.row(&row)?;
                rows.push(Value::Object(row));
            }
        }
        let columns: Vec<&String> = taken.iter().chain(&names).collect();
        Ok(json!({ "columns": columns, "count": rows.len(), "undated": undated, "rows": rows }))
    }
}

/// How the period of a row is told.
enum Dated<'a> {
    /// By the date in this column.
    By(&'a str),
    /// By what this column says: a month that is called `Jan`.
    Named(&'a str),
}

impl Resample {
    /// The column that was named; otherwise one that is called after the period, or the only
    /// one that holds dates.
    fn date_of<'a>(&'a self, table: &Table<'a>) -> Result<Dated<'a>, DataError> {
        if let Some(date) = &self.date {
            return Ok(Dated::By(table.column(date)?));
        }
        let holds_dates = |name: &str| {
            let cells = table.cells(name).unwrap_or_default();
            judge(cells.iter().copied(), Reading::default()).kind == ColumnType::Date
        };
        if let Some(own) = table
            .column(self.period.name())
            .ok()
            .filter(|_| !table.is_empty())
        {
            return Ok(if holds_dates(own) {
                Dated::By(own)
            } else {
                Dated::Named(own)
            });
        }
        let mut dated = table.columns().iter().filter(|name| holds_dates(name));
        match (dated.next(), dated.next()) {
            (Some(only), None) => Ok(Dated::By(only)),
            (None, _) if table.is_empty() => Ok(Dated::By(self.period.name())),
            (found, _) => {
                let many = if found.is_some() {
                    "several columns hold"
                } else {
                    "no column holds"
                };
                let hint = format!("the columns are {}", table.columns().join(", "));
                let message = format!("{many} dates: say with `date` which one counts");
                Err(DataError::data(message).with_hint(hint))
            }
        }
    }

    /// Rows by a column that names the period itself, in order of first appearance.
    fn by_name(
        &self,
        table: &Table<'_>,
        column: &str,
        taken: &[String],
        (names, ready): (&[String], &[Ready<'_>]),
    ) -> Result<Value, DataError> {
        let mut by = self.by.clone();
        by.push(column.to_owned());
        let mut budget = Budget::default();
        let (mut rows, mut undated) = (Vec::new(), 0);
        for part in table.parts(&by)? {
            if cell::present(part.key.last().copied().flatten()).is_none() {
                undated += part.rows.len();
                continue;
            }
            let row = row_of(&part, taken, names, ready);
            budget.row(&row)?;
            rows.push(Value::Object(row));
        }
        let columns: Vec<&String> = taken.iter().chain(names).collect();
        Ok(json!({ "columns": columns, "count": rows.len(), "undated": undated, "rows": rows }))
    }

    /// The rows of each period, in order of time.
    fn periods<'a>(
        &self,
        part: &Part<'a>,
        moments: &[Option<Moment>],
    ) -> Result<Vec<(Date, Part<'a>)>, DataError> {
        let mut inside: FxHashMap<Date, Vec<usize>> = FxHashMap::default();
        let moment = |row: &usize| moments.get(*row).copied().flatten();
        let mut dated: Vec<(Moment, usize)> = part
            .rows
            .iter()
            .filter_map(|row| Some((moment(row)?, *row)))
            .collect();
        dated.sort_by_key(|(moment, _)| *moment);
        for (moment, row) in dated {
            if let Some(start) = self.period.start(moment.date()) {
                inside.entry(start).or_default().push(row);
            }
        }
        let (Some(first), Some(last)) =
            (inside.keys().min().copied(), inside.keys().max().copied())
        else {
            return Ok(Vec::new());
        };
        if self.empty {
            let mut start = first;
            while start < last {
                let Some(next) = self.period.next(start) else {
                    break;
                };
                inside.entry(next).or_default();
                start = next;
                if inside.len() > PERIODS {
                    let message =
                        format!("from {first} to {last} there are more than {PERIODS} periods");
                    return Err(DataError::limit(message).with_hint("choose a longer period"));
                }
            }
        }
        let key = || part.key.clone();
        let mut periods: Vec<(Date, Part<'a>)> = inside
            .into_iter()
            .map(|(start, rows)| (start, Part { key: key(), rows }))
            .collect();
        periods.sort_by_key(|(start, _)| *start);
        Ok(periods)
    }

    fn row(
        &self,
        start: Date,
        part: &Part<'_>,
        names: &[String],
        ready: &[Ready<'_>],
    ) -> Map<String, Value> {
        let mut row = part.fields(&self.by);
        row.insert("period".to_owned(), json!(start.to_string()));
        let figures = row_of(part, &self.by, names, ready);
        row.extend(figures.into_iter().filter(|(name, _)| names.contains(name)));
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn resample(options: Value) -> Result<Value, DataError> {
        let mut arguments = options;
        arguments["rows"] = json!([
            {"day": "2024-01-31", "price": 1}, {"day": "2024-02-01", "price": 2},
            {"day": "2024-04-30T23:59:59", "price": 4}, {"day": null, "price": 8},
        ]);
        arguments["date"] = json!("day");
        arguments["aggregates"] = json!([{"column": "price", "function": "sum", "as": "s"}]);
        ask::<Resample>(&arguments)
    }

    #[test]
    fn dates_fall_into_periods() {
        let check = |options: Value, expected: &str| {
            let result = resample(options).unwrap();
            let rows = result["rows"].as_array().unwrap().iter();
            let short: Vec<_> = rows
                .map(|row| format!("{}={}", row["period"].as_str().unwrap(), row["s"]))
                .collect();
            assert_eq!(short.join(" "), expected);
            assert_eq!(result["undated"], 1);
        };
        check(
            json!({"period": "day"}),
            "2024-01-31=1 2024-02-01=2 2024-04-30=4",
        );
        check(json!({"period": "week"}), "2024-01-29=3 2024-04-29=4");
        check(
            json!({"period": "month", "empty": true}),
            "2024-01-01=1 2024-02-01=2 2024-03-01=0 2024-04-01=4",
        );
        check(json!({"period": "quarter"}), "2024-01-01=3 2024-04-01=4");
        check(json!({"period": "year"}), "2024-01-01=7");
    }

    #[test]
    fn a_time_with_an_offset_belongs_to_its_written_day() {
        let rows = json!([{"day": "2024-02-01T00:30:00+02:00"}, {"day": "2024-01-31T23:30:00-05:00"}, {"day": "2024-01-31"}]);
        let arguments = json!({"rows": rows, "date": "day", "period": "day"});
        let result = ask::<Resample>(&arguments).unwrap();
        let periods: Vec<_> = result["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| &row["period"])
            .collect();
        assert_eq!(periods, ["2024-01-31", "2024-02-01"]);
        assert_eq!(result["rows"][0]["count"], 2);
    }

    #[test]
    fn what_is_no_date_is_told() {
        let arguments = json!({"rows": [{"day": "soon"}], "date": "day", "period": "day"});
        let error = ask::<Resample>(&arguments).unwrap_err();
        assert_eq!(error.message, "row 1, column `day`: \"soon\" is not a date");
        let wide = json!({"rows": [{"day": "0001-01-01"}, {"day": "9999-12-31"}], "date": "day", "period": "day", "empty": true});
        assert!(
            ask::<Resample>(&wide)
                .unwrap_err()
                .message
                .contains("more than 100000 periods")
        );
    }

    #[test]
    fn the_column_with_the_date_is_found() {
        let sum = json!([{"column": "price", "function": "sum", "as": "s"}]);
        let check = |rows: Value, expected: Result<Value, &str>| {
            let arguments = json!({"rows": rows, "period": "month", "aggregates": sum});
            match (ask::<Resample>(&arguments), expected) {
                (Ok(found), Ok(rows)) => assert_eq!(found["rows"], rows),
                (Err(error), Err(message)) => assert_eq!(error.message, message),
                (found, expected) => panic!("{found:?} instead of {expected:?}"),
            }
        };
        check(
            json!([{"sold": "2024-01-03", "price": 1}, {"sold": "2024-01-05", "price": 2}]),
            Ok(json!([{"period": "2024-01-01", "s": 3}])),
        );
        check(
            json!([{"Month": "Jan", "price": 1}, {"Month": "Feb", "price": 2}, {"Month": "Jan", "price": 4}, {"price": 8}]),
            Ok(json!([{"period": "Jan", "s": 5}, {"period": "Feb", "s": 2}])),
        );
        check(
            json!([{"sold": "2024-01-03", "sent": "2024-01-05", "price": 2}]),
            Err("several columns hold dates: say with `date` which one counts"),
        );
        check(
            json!([{"sold": "soon", "price": 2}]),
            Err("no column holds dates: say with `date` which one counts"),
        );
    }
}
