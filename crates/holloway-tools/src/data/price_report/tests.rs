//! Does the report answer first, and do words and signs agree?

use serde_json::{Value, json};

use super::super::super::testing::builtin;

/// Ninety days of two products at two sellers: one falls, one rises; one price is ten times too high.
fn rows() -> Vec<Value> {
    let mut rows = Vec::new();
    for day in 0..90_i32 {
        let (month, of_month) = match day {
            0..31 => (1, day + 1),
            31..59 => (2, day - 30),
            _ => (3, day - 58),
        };
        let date = format!("2026-{month:02}-{of_month:02}");
        let wobble = f64::from((day * 7) % 5) * 0.2;
        for (seller, factor) in [("North", 1.0), ("South", 1.1)] {
            let tent = (300.0 - f64::from(day) * 0.2 + wobble) * factor;
            let stove = (50.0 + f64::from(day) * 0.05 + wobble * 0.1) * factor;
            let wrong = day == 40 && seller == "South";
            let tent = if wrong { tent * 10.0 } else { tent };
            rows.push(json!({"date": date, "seller": seller, "product": "Tent", "price": tent}));
            rows.push(json!({"date": date, "seller": seller, "product": "Stove", "price": stove}));
        }
    }
    rows
}

async fn report(rows: Vec<Value>) -> Value {
    let arguments = json!({
        "rows": rows, "value": "price", "item": "product", "line": "seller", "time": "date", "unit": "EUR"
    });
    builtin("price-report", arguments).await.unwrap()
}

fn blocks<'a>(result: &'a Value, kind: &str) -> Vec<&'a Value> {
    let blocks = result["report"]["blocks"].as_array().unwrap().iter();
    blocks.filter(|block| block["type"] == kind).collect()
}

#[tokio::test]
async fn the_answer_names_what_moves_who_is_cheapest_and_what_looks_wrong() {
    let result = report(rows()).await;
    let told = result["told"].as_str().unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].starts_with("Stove (+") && lines[0].contains("Tent (−"),
        "{told}"
    );
    assert_eq!(lines[1], "North is cheapest now for all 2 products.");
    assert!(
        lines[2].starts_with("1 price looks wrong, most of all Tent at South"),
        "{told}"
    );
    assert_eq!(result["outliers"].as_array().unwrap().len(), 1);
    assert_eq!(result["count"], 360);
}

#[tokio::test]
async fn words_and_signs_agree_in_every_series() {
    let result = report(rows()).await;
    let series = result["series"].as_array().unwrap();
    assert_eq!(series.len(), 4);
    for row in series {
        let trend = row["trend_percent"].as_f64().unwrap();
        match row["direction"].as_str().unwrap() {
            "rising" => assert!(trend > 0.0, "{row}"),
            "falling" => assert!(trend < 0.0, "{row}"),
            _ => {}
        }
        assert!(
            row["forecast_error_percent"].as_f64().unwrap() < 5.0,
            "{row}"
        );
    }
}

#[tokio::test]
async fn each_product_has_a_chart_with_what_stands_apart() {
    let result = report(rows()).await;
    let charts = blocks(&result, "chart");
    assert_eq!(charts.len(), 2);
    let points: Vec<usize> = charts
        .iter()
        .flat_map(|chart| chart["series"].as_array().unwrap())
        .map(|series| series["points"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(points.iter().sum::<usize>(), 1);
    // No table repeats the rows.
    let longest = blocks(&result, "table")
        .iter()
        .map(|table| table["rows"].as_array().unwrap().len())
        .max();
    assert!(longest.unwrap() <= 4);
}

#[tokio::test]
async fn without_enough_time_nothing_is_foretold() {
    let few: Vec<Value> = rows().into_iter().take(40).collect();
    let result = report(few).await;
    for row in result["series"].as_array().unwrap() {
        assert_eq!(row["forecast"], Value::Null);
    }
    let single = json!([{"product": "Tent", "price": 3}, {"product": "Stove", "price": 5}]);
    let arguments = json!({"rows": single, "value": "price", "item": "product"});
    let result = builtin("price-report", arguments).await.unwrap();
    let told = result["told"].as_str().unwrap();
    assert!(
        told.starts_with("There are too few prices over time to tell a trend."),
        "{told}"
    );
}
