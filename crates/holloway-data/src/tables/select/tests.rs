//! Do rows come out as they are asked for?

use super::*;

/// Knows one formula: twice the price.
struct Twice;

impl Formulas for Twice {
    fn value(&self, _: usize, row: &Row) -> Result<Value, String> {
        let price = row.get("price").and_then(cell::number).ok_or("no price")?;
        Ok(json!(price * 2.0))
    }
}

fn select(options: Value) -> Result<Value, DataError> {
    let mut arguments = options;
    arguments["rows"] = json!([
        {"shop": "a", "price": 3}, {"shop": "b", "price": 1, "note": "x"},
        {"shop": "c", "price": 2}, {"shop": "a", "price": 5},
    ]);
    let question: Select = serde_json::from_value(arguments.clone()).unwrap();
    question.answer(&arguments, &Twice)
}

#[test]
fn rows_are_the_same_that_agree_in_some_columns() {
    let rows = |options: Value| select(options).unwrap()["count"].clone();
    assert_eq!(rows(json!({"distinct": true})), 4);
    assert_eq!(rows(json!({"distinct_by": ["Shop"]})), 3);
    assert_eq!(rows(json!({"distinct": true, "columns": ["shop"]})), 3);
}

#[test]
fn the_first_comes_with_those_that_are_equal_to_it() {
    let shops = |options: Value| -> Vec<Value> {
        let arguments = json!({"rows": [
            {"shop": "a", "n": "4"}, {"shop": "b", "n": 4}, {"shop": "c", "n": 1}, {"shop": "d", "n": 1},
        ], "sort": [{"column": "n", "descending": true}], "limit": options["limit"], "ties": options["ties"]});
        let question: Select = serde_json::from_value(arguments.clone()).unwrap();
        let result = question.answer(&arguments, &Twice).unwrap();
        let rows = result["rows"].as_array().unwrap().iter();
        rows.map(|row| row["shop"].clone()).collect()
    };
    assert_eq!(shops(json!({"limit": 1, "ties": true})), ["a", "b"]);
    assert_eq!(shops(json!({"limit": 1, "ties": false})), ["a"]);
    assert_eq!(shops(json!({"limit": 3, "ties": true})).len(), 4);
}

#[test]
fn dates_are_sorted_in_the_order_they_are_written() {
    let arguments = json!({"rows": [
        {"d": "01.03.2026"}, {"d": "28.12.2025"}, {"d": "03.02.2026"},
    ], "sort": [{"column": "d"}]});
    let question: Select = serde_json::from_value(arguments.clone()).unwrap();
    let result = question.answer(&arguments, &Twice).unwrap();
    assert_eq!(
        result["rows"],
        json!([{"d": "28.12.2025"}, {"d": "03.02.2026"}, {"d": "01.03.2026"}])
    );
}

#[test]
fn texts_are_compared_as_what_they_mean_and_stay_as_written() {
    let arguments = |options: Value| {
        let mut arguments = options;
        arguments["rows"] = json!([
            {"n": "1,200", "code": "007"}, {"n": "12.50", "code": "010"}, {"n": "NA", "code": "9x"}, {"n": "1e5", "code": "1"},
        ]);
        arguments
    };
    let rows = |options: Value, column: &str| -> Vec<Value> {
        let arguments = arguments(options);
        let question: Select = serde_json::from_value(arguments.clone()).unwrap();
        let result = question.answer(&arguments, &Twice).unwrap();
        let rows = result["rows"].as_array().unwrap().iter();
        rows.map(|row| row[column].clone()).collect()
    };
    let down = json!({"sort": [{"column": "n", "descending": true}]});
    assert_eq!(rows(down, "n"), ["1e5", "1,200", "12.50", "NA"]);
    let large = json!({"where": [{"column": "n", "op": "gt", "value": 100}]});
    assert_eq!(rows(large, "n"), ["1,200", "1e5"]);
    let missing = json!({"where": [{"column": "n", "op": "missing"}]});
    assert_eq!(rows(missing, "code"), ["9x"]);
    let coded = json!({"where": [{"column": "code", "op": "eq", "value": "007"}]});
    assert_eq!(rows(coded, "n"), ["1,200"]);
}

#[test]
fn names_and_texts_may_be_said_in_another_case() {
    let options = json!({
        "where": [{"column": "Shop", "op": "eq", "value": "A"}], "ignore_case": true,
        "sort": [{"column": "PRICE"}], "columns": ["Price"], "rename": {"price ": "cost"},
    });
    let result = select(options).unwrap();
    assert_eq!(result["rows"], json!([{"cost": 3}, {"cost": 5}]));
    let strict = select(json!({"where": [{"column": "shop", "op": "eq", "value": "A"}]}));
    assert_eq!(strict.unwrap()["count"], 0);
}

#[test]
fn columns_are_left_out_and_the_others_stay_in_order() {
    let result = select(json!({"drop": ["Price"], "limit": 1})).unwrap();
    assert_eq!(result["columns"], json!(["shop", "note"]));
    let result = select(json!({"drop": ["price", "note"], "distinct": true})).unwrap();
    assert_eq!(result["count"], 3);
    assert!(select(json!({"drop": ["colour"]})).is_err());
}

#[test]
fn rows_are_filtered_computed_sorted_and_cut() {
    let options = json!({
        "where": [{"column": "price", "op": "gt", "value": 1}],
        "compute": {"double": "price * 2"},
        "sort": [{"column": "double", "descending": true}],
        "limit": 2, "columns": ["shop", "double"], "rename": {"shop": "seller"},
    });
    let result = select(options).unwrap();
    insta::assert_snapshot!(result.to_string(), @r#"{"columns":["seller","double"],"count":2,"matching":3,"dropped":1,"rows":[{"seller":"a","double":10.0},{"seller":"a","double":6.0}]}"#);
}

#[test]
fn rows_are_cut_from_either_end() {
    let all = select(json!({})).unwrap();
    let all = all["rows"].as_array().unwrap();
    let count = all.len();
    let last = select(json!({"last": 2})).unwrap();
    assert_eq!(last["rows"].as_array().unwrap()[..], all[count - 2..]);
    assert_eq!(last["matching"], count);
    let inner = select(json!({"offset": 1, "limit": 2, "last": 1})).unwrap();
    assert_eq!(inner["rows"].as_array().unwrap()[..], all[2..3]);
    assert_eq!(select(json!({"last": 99})).unwrap()["count"], count);
}

#[test]
fn repeated_rows_and_missing_values() {
    let result = select(json!({"columns": ["shop"], "distinct": true})).unwrap();
    assert_eq!(result["count"], 3);
    let sorted = select(json!({"sort": [{"column": "note", "descending": true}]})).unwrap();
    assert_eq!(
        sorted["rows"][0],
        json!({"shop": "b", "price": 1, "note": "x"})
    );
    assert_eq!(sorted["rows"][1]["note"], Value::Null);
    let either = json!([{"column": "shop", "op": "eq", "value": "b"}, {"column": "price", "op": "eq", "value": 5}]);
    assert_eq!(
        select(json!({"where": either, "any": true})).unwrap()["count"],
        2
    );
}

fn of(arguments: &Value) -> Result<Value, DataError> {
    let question: Select = serde_json::from_value(arguments.clone()).unwrap();
    question.answer(arguments, &Twice)
}

#[test]
fn equal_rows_are_one_however_they_are_written() {
    let rows = json!([
        {"a": 1, "b": {"x": 1, "y": 2}}, {"b": {"y": 2.0, "x": 1}, "a": 1.0},
        {"a": 2, "b": null}, {"a": 2}, {"a": "2"},
    ]);
    let result = of(&json!({"rows": rows, "distinct": true})).unwrap();
    assert_eq!(result["count"], 3);
    let chosen = json!({"rows": rows, "distinct": true, "columns": ["b"]});
    assert_eq!(of(&chosen).unwrap()["count"], 2);
}

#[test]
fn columns_that_only_other_rows_have_count_too() {
    let row = |index: usize| json!({format!("column {index:0>200}"): index});
    let rows: Vec<Value> = (0..600).map(row).collect();
    let error = of(&json!({"rows": rows})).unwrap_err();
    assert!(error.message.contains("would be larger than"), "{error}");
    assert_eq!(
        of(&json!({"rows": rows, "limit": 10})).unwrap()["count"],
        10
    );
}

#[test]
fn wrong_names_are_told() {
    for (options, message) in [
        (
            json!({"columns": ["x"]}),
            "there is no column `x`; the columns are `shop`, `price`, `note`",
        ),
        (
            json!({"rename": {"shop": "price"}}),
            "two columns would be named `price`",
        ),
        (
            json!({"rename": {"z": "y"}}),
            "there is no column `z` to rename; the columns are `shop`, `price`, `note`",
        ),
        (
            json!({"sort": [{"column": "x"}]}),
            "there is no column `x`; the columns are `shop`, `price`, `note`",
        ),
    ] {
        assert_eq!(select(options).unwrap_err().message, message);
    }
}
