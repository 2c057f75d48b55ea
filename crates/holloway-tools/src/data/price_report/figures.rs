//! What do the prices say? Trends and outliers per series, weekly medians without what stands apart,
//! and a forecast where there are enough weeks to test it on.

use std::collections::{BTreeMap, BTreeSet};

use holloway_data::question::{Question, ask};
use holloway_data::tables::forecast::Forecast;
use holloway_data::tables::outliers::Outliers;
use holloway_data::tables::resample::Resample;
use holloway_data::tables::trend::Trend;
use holloway_engine::failure::ToolFailure;
use serde_json::{Value, json};

use super::Arguments;

/// Weeks that a forecast needs: some to learn from, a quarter to be tested on.
const FEWEST_WEEKS: usize = 10;

/// Everything the report tells.
pub(super) struct Prices {
    pub(super) items: Vec<Item>,
    pub(super) count: usize,
    pub(super) first_day: String,
    pub(super) last_day: String,
    pub(super) unit: String,
    pub(super) steps: usize,
    /// Whether there is a time at all.
    pub(super) has_time: bool,
    pub(super) raw_outliers: Vec<Value>,
}

/// A product.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
    /// The weeks of all its lines.
    pub(super) weeks: Vec<String>,
}

/// A product at one seller.
#[derive(Default)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) direction: String,
    /// Percent along the robust slope over the whole time.
    pub(super) trend: Option<f64>,
    /// The last weekly median, or the last price that does not stand apart.
    pub(super) now: Option<f64>,
    pub(super) weekly: BTreeMap<String, f64>,
    pub(super) outliers: Vec<Apart>,
    pub(super) forecast: Option<Ahead>,
}

/// A price that stands apart.
#[derive(Clone)]
pub(super) struct Apart {
    pub(super) day: String,
    pub(super) price: f64,
}

/// What comes next if things go on as before.
pub(super) struct Ahead {
    pub(super) price: f64,
    /// How far the method was off on weeks that were kept back, in percent of the price.
    pub(super) error: f64,
    pub(super) method: String,
}

impl Prices {
    pub(super) fn of(given: &Arguments) -> Result<Self, ToolFailure> {
        let by: Vec<&String> = [Some(&given.item), given.line.as_ref()]
            .into_iter()
            .flatten()
            .collect();
        let outliers = asked::<Outliers>(json!({
            "rows": given.rows, "column": given.value, "by": by, "method": "mad"
        }))?;
        let raw_outliers = list(&outliers, "outliers");
        let apart: BTreeSet<usize> = raw_outliers
            .iter()
            .filter_map(|one| one.get("row")?.as_u64().map(|row| row as usize))
            .collect();
        let mut prices = Self {
            items: Vec::new(),
            count: given.rows.len(),
            first_day: String::new(),
            last_day: String::new(),
            unit: given.unit.clone(),
            steps: given.steps,
            has_time: given.time.is_some(),
            raw_outliers,
        };
        prices.add_trends(given, &by)?;
        prices.add_outliers(given);
        let kept: Vec<&Value> = given
            .rows
            .iter()
            .enumerate()
            .filter(|(index, _)| !apart.contains(&(index + 1)))
            .map(|(_, row)| row)
            .collect();
        prices.add_weeks(given, &by, &kept)?;
        prices.add_now(given, &kept);
        Ok(prices)
    }

    /// Every series with its product.
    pub(super) fn series(&self) -> impl Iterator<Item = (&Item, &Line)> {
        let items = self.items.iter();
        items.flat_map(|item| item.lines.iter().map(move |line| (item, line)))
    }

    fn line(&mut self, row: &Value, given: &Arguments) -> Option<&mut Line> {
        let name = text(row, &given.item);
        let place = self.items.iter().position(|item| item.name == name);
        let index = place.unwrap_or(self.items.len());
        if place.is_none() {
            self.items.push(Item {
                name,
                lines: Vec::new(),
                weeks: Vec::new(),
            });
        }
        let item = self.items.get_mut(index)?;
        let name = given
            .line
            .as_ref()
            .map_or(String::new(), |line| text(row, line));
        if !item.lines.iter().any(|line| line.name == name) {
            item.lines.push(Line {
                name: name.clone(),
                ..Line::default()
            });
        }
        item.lines.iter_mut().find(|line| line.name == name)
    }

    fn add_trends(&mut self, given: &Arguments, by: &[&String]) -> Result<(), ToolFailure> {
        let mut question =
            json!({"rows": given.rows, "value": given.value, "by": by, "per": "month"});
        if let (Some(time), Some(fields)) = (&given.time, question.as_object_mut()) {
            fields.insert("time".to_owned(), json!(time));
        }
        let trends = asked::<Trend>(question)?;
        for series in list(&trends, "series") {
            let number = |name: &str| series.get(name).and_then(Value::as_f64);
            let (trend, count) = (number("trend_percent"), number("count"));
            let direction = text(&series, "direction");
            if let Some(line) = self.line(&series, given) {
                line.direction = direction;
                line.trend = trend;
                line.count = count.unwrap_or_default() as usize;
            }
        }
        if let Some(time) = &given.time {
            let days: BTreeSet<String> = given.rows.iter().map(|row| text(row, time)).collect();
            let mut days = days.into_iter().filter(|day| !day.is_empty());
            self.first_day = days.next().unwrap_or_default();
            self.last_day = days.next_back().unwrap_or_else(|| self.first_day.clone());
        }
        Ok(())
    }

    fn add_outliers(&mut self, given: &Arguments) {
        for outlier in self.raw_outliers.clone() {
            let fields = outlier.get("fields").cloned().unwrap_or_default();
            let Some(price) = outlier.get("value").and_then(Value::as_f64) else {
                continue;
            };
            let day = given
                .time
                .as_ref()
                .map_or(String::new(), |time| text(&fields, time));
            if let Some(line) = self.line(&fields, given) {
                line.outliers.push(Apart { day, price });
            }
        }
    }

    fn add_weeks(
        &mut self,
        given: &Arguments,
        by: &[&String],
        kept: &[&Value],
    ) -> Result<(), ToolFailure> {
        let Some(time) = &given.time else {
            return Ok(());
        };
        let weekly = asked::<Resample>(json!({
            "rows": kept, "date": time, "period": "week", "by": by,
            "aggregates": [{"column": given.value, "function": "median", "as": "holloway_price"}]
        }))?;
        for row in list(&weekly, "rows") {
            let price = row.get("holloway_price").and_then(Value::as_f64);
            let week = row.get("period").or_else(|| row.get(time));
            let week = week.and_then(Value::as_str).unwrap_or_default().to_owned();
            if let (Some(line), Some(price)) = (self.line(&row, given), price) {
                line.weekly.insert(week, price);
            }
        }
        let steps = self.steps;
        for item in &mut self.items {
            let weeks = item
                .lines
                .iter()
                .flat_map(|line| line.weekly.keys().cloned());
            item.weeks = weeks.collect::<BTreeSet<String>>().into_iter().collect();
            for line in &mut item.lines {
                line.forecast = forecast(&line.weekly, steps);
            }
        }
        Ok(())
    }

    /// The latest price that does not stand apart.
    fn add_now(&mut self, given: &Arguments, kept: &[&Value]) {
        let mut rows: Vec<&Value> = kept.to_vec();
        if let Some(time) = &given.time {
            rows.sort_by_key(|row| text(row, time));
        }
        for row in rows {
            let price = row.get(&given.value).and_then(number);
            if let (Some(price), Some(line)) = (price, self.line(row, given)) {
                line.now = Some(price);
            }
        }
    }
}

/// Nothing where there are too few weeks to test a method on.
fn forecast(weekly: &BTreeMap<String, f64>, steps: usize) -> Option<Ahead> {
    if weekly.len() < FEWEST_WEEKS {
        return None;
    }
    let rows: Vec<Value> = weekly
        .values()
        .map(|price| json!({"price": price}))
        .collect();
    let found = ask::<Forecast>(&json!({"rows": rows, "value": "price", "steps": steps})).ok()?;
    let price = found.get("values")?.as_array()?.last()?.as_f64()?;
    let off = found.get("mean_error")?.as_f64()?;
    let now = weekly.values().next_back()?;
    Some(Ahead {
        price,
        error: if now.abs() > 0.0 {
            off / now.abs() * 100.0
        } else {
            0.0
        },
        method: text(&found, "method"),
    })
}

/// One series as a row of a workbook.
pub(super) fn row(item: &Item, line: &Line) -> Value {
    json!({
        "product": item.name,
        "seller": line.name,
        "prices": line.count,
        "now": line.now,
        "trend_percent": line.trend,
        "direction": line.direction,
        "outliers": line.outliers.len(),
        "forecast": line.forecast.as_ref().map(|ahead| ahead.price),
        "forecast_error_percent": line.forecast.as_ref().map(|ahead| ahead.error),
        "forecast_method": line.forecast.as_ref().map(|ahead| ahead.method.as_str()),
    })
}

fn asked<Q: Question>(arguments: Value) -> Result<Value, ToolFailure> {
    ask::<Q>(&arguments).map_err(super::super::failure)
}

fn list(value: &Value, name: &str) -> Vec<Value> {
    value
        .get(name)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default()
}

fn text(row: &Value, name: &str) -> String {
    match row.get(name) {
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    }
}
