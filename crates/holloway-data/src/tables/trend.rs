//! Does a series rise or fall? For each series a straight line, the robust Theil–Sen
//! slope and the Mann–Kendall test; a direction is named only when the test finds one.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::DataError;
use crate::figures::kendall::mann_kendall;
use crate::figures::moving;
use crate::figures::regression::line;
use crate::figures::theil_sen::{pairs, theil_sen};
use crate::limits::{Budget, PAIRS};
use crate::question::{Borrowed, Question};
use crate::table::{Table, Times};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    value: String,
    time: Option<String>,
    #[serde(default)]
    by: Vec<String>,
    #[serde(default)]
    per: Unit,
    #[serde(default = "five_percent")]
    alpha: f64,
    window: Option<usize>,
}

fn five_percent() -> f64 {
    0.05
}

/// What a slope is given per, when time is a date.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    fn days(self) -> f64 {
        match self {
            Self::Day => 1.0,
            Self::Week => 7.0,
            // The mean of the Gregorian calendar.
            Self::Month => 365.2425 / 12.0,
            Self::Year => 365.2425,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }
}

/// Below this the test cannot find anything, however steep the series.
const FEWEST: usize = 5;

impl Question for Trend {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(DataError::request("`alpha` must lie between 0 and 1"));
        }
        if self.window == Some(0) {
            return Err(DataError::request("`window` must be at least 1"));
        }
        let table = Table::read(arguments, "rows")?;
        let values = table.numbers(&self.value)?;
        let times = match &self.time {
            Some(time) => table.times(time)?,
            None => Times {
                values: (0..table.len()).map(|row| Some(row as f64)).collect(),
                is_dates: false,
            },
        };
        let slope_per = match (&self.time, times.is_dates) {
            (_, true) => self.per.name(),
            (Some(time), false) => time.as_str(),
            (None, false) => "step",
        };
        let mut left = PAIRS;
        let mut budget = Budget::default();
        let mut series = Vec::new();
        for part in table.parts(&self.by)? {
            let points = part.of(&times.values).into_iter().zip(part.of(&values));
            let mut points: Vec<(f64, f64)> =
                points.filter_map(|(time, value)| time.zip(value)).collect();
            let skipped = part.rows.len() - points.len();
            if self.time.is_none() {
                // Without a time, each series counts its own values.
                points
                    .iter_mut()
                    .enumerate()
                    .for_each(|(index, point)| point.0 = index as f64);
            }
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut entry = part.fields(&self.by);
            entry.extend(self.describe(&points, times.is_dates, &mut left));
            entry.insert("skipped".to_owned(), json!(skipped));
            budget.row(&entry)?;
            series.push(Value::Object(entry));
        }
        Ok(
            json!({ "count": series.len(), "slope_per": slope_per, "alpha": self.alpha, "series": series }),
        )
    }
}

impl Trend {
    fn describe(
        &self,
        points: &[(f64, f64)],
        is_dates: bool,
        left: &mut usize,
    ) -> Map<String, Value> {
        let unit = if is_dates { self.per.days() } else { 1.0 };
        // From the first time on: an intercept in 1970 would tell nobody anything.
        let start = points.first().map_or(0.0, |point| point.0);
        let origin = if is_dates { start } else { 0.0 };
        let times: Vec<f64> = points
            .iter()
            .map(|point| (point.0 - origin) / unit)
            .collect();
        let values: Vec<f64> = points.iter().map(|point| point.1).collect();
        let fitted = line(&times, &values);
        let wanted = pairs(points.len());
        let robust = if wanted <= *left {
            *left -= wanted;
            theil_sen(&times, &values)
        } else {
            None
        };
        let test = mann_kendall(&times, &values);
        let (first, last) = (values.first().copied(), values.last().copied());
        let change = first.zip(last).map(|(first, last)| last - first);
        let percent = first.zip(change).filter(|(first, _)| first.abs() > 0.0);
        // A few wild values at the ends do not move this one.
        let along = robust.zip(times.last()).zip(times.first());
        let along = along.and_then(|((robust, last), first)| {
            let start = robust.intercept + robust.slope * first;
            (start.abs() > 0.0).then(|| robust.slope * (last - first) / start.abs() * 100.0)
        });
        let rank = test.map(|test| (test.score, test.p));
        let (direction, note) = self.direction(points, rank, robust.map(|robust| robust.slope));
        let note = if wanted > 0 && robust.is_none() && fitted.is_some() {
            format!("{note}; too many values for the Theil–Sen slope")
        } else {
            note
        };
        let figures = json!({
            "count": points.len(),
            "first": first,
            "last": last,
            "change": change,
            "change_percent": percent.map(|(first, change)| change / first.abs() * 100.0),
            "trend_percent": along,
            "direction": direction,
            "note": note,
            "slope": fitted.map(|line| line.slope),
            "intercept": fitted.map(|line| line.intercept),
            "r": fitted.and_then(|line| line.r),
            "p": fitted.and_then(|line| line.p),
            "stderr": fitted.and_then(|line| line.stderr),
            "theil_sen": robust.map(|robust| json!({"slope": robust.slope, "intercept": robust.intercept})),
            "mann_kendall": test.map(|test| json!({"s": test.score, "z": test.z, "p": test.p})),
        });
        let mut entry = figures.as_object().cloned().unwrap_or_default();
        if let Some(window) = self.window {
            entry.insert(
                "moving_average".to_owned(),
                json!(moving::average(&values, window)),
            );
        }
        entry
    }

    fn direction(
        &self,
        points: &[(f64, f64)],
        test: Option<(i64, f64)>,
        slope: Option<f64>,
    ) -> (&'static str, String) {
        if points.len() < FEWEST {
            let note = format!(
                "{} values; at least {FEWEST} are needed to tell a trend from chance",
                points.len()
            );
            return ("too few values", note);
        }
        // Points are in order of time: the ends tell whether any time has passed.
        let is_moment = points
            .first()
            .zip(points.last())
            .is_some_and(|(first, last)| first.0.total_cmp(&last.0).is_eq());
        match test {
            None if is_moment => (
                "too few times",
                "all values are from one time; a trend needs several".to_owned(),
            ),
            None => ("constant", "all values are the same".to_owned()),
            // More pairs rise than fall, yet the middle slope is flat: no direction to name.
            Some((score, p))
                if p < self.alpha && slope.is_some_and(|slope| !agrees(score, slope)) =>
            {
                (
                    "no clear trend",
                    format!("Mann–Kendall finds one, p = {p:.2e}, but the middle slope is flat"),
                )
            }
            Some((score, p)) if p < self.alpha => {
                let direction = if score > 0 { "rising" } else { "falling" };
                (direction, format!("Mann–Kendall finds it, p = {p:.2e}"))
            }
            Some((_, p)) => {
                let note = format!(
                    "what is seen may well be chance, p = {p:.2} is not below {}",
                    self.alpha
                );
                ("no clear trend", note)
            }
        }
    }
}

fn agrees(score: i64, slope: f64) -> bool {
    (score > 0 && slope > 0.0) || (score < 0 && slope < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn rows(shop: &str, values: &[f64]) -> Vec<Value> {
        let row = |(day, value): (usize, &f64)| json!({"shop": shop, "day": format!("2024-01-{:02}", day + 1), "price": value});
        values.iter().enumerate().map(row).collect()
    }

    #[test]
    fn directions_are_named_with_care() {
        let mut all = rows("up", &[1.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
        all.extend(rows("noise", &[5.0, 1.0, 4.0, 2.0, 5.0, 1.0]));
        all.extend(rows("flat", &[2.0; 6]));
        all.extend(rows("short", &[1.0, 2.0]));
        all.extend(
            (0..6).map(|price| json!({"shop": "once", "day": "2024-01-01", "price": price})),
        );
        all.extend(rows("down", &[9.0, 8.0, 7.0, 5.0, 4.0, 3.0]));
        let arguments = json!({"rows": all, "value": "price", "time": "day", "by": ["shop"]});
        let result = ask::<Trend>(&arguments).unwrap();
        let series = result["series"].as_array().unwrap().iter();
        let found: Vec<_> = series
            .map(|s| {
                format!(
                    "{} {}",
                    s["shop"].as_str().unwrap(),
                    s["direction"].as_str().unwrap()
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                "up rising",
                "noise no clear trend",
                "flat constant",
                "short too few values",
                "once too few times",
                "down falling"
            ]
        );
        assert_eq!(result["slope_per"], "day");
        assert_eq!(result["series"][0]["change_percent"], 600.0);
    }

    #[test]
    fn a_series_without_time_counts_its_values() {
        let arguments =
            json!({"rows": [{"v": 1}, {"v": null}, {"v": 3}, {"v": 5}], "value": "v", "window": 2});
        let series = &ask::<Trend>(&arguments).unwrap()["series"][0];
        assert_eq!(
            (&series["slope"], &series["intercept"], &series["skipped"]),
            (&json!(2.0), &json!(1.0), &json!(1))
        );
        assert_eq!(series["moving_average"], json!([null, 2.0, 4.0]));
    }

    #[test]
    fn slopes_are_given_per_unit() {
        let arguments = json!({"rows": rows("a", &[1.0, 2.0, 3.0, 4.0, 5.0]), "value": "price", "time": "day", "per": "week"});
        assert_eq!(ask::<Trend>(&arguments).unwrap()["series"][0]["slope"], 7.0);
    }
}
