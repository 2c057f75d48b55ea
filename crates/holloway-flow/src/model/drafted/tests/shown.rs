//! Does a plan that compares, adds up, orders or cuts otherwise than it is asked show as such?

use super::*;

fn query(more: Value) -> Value {
    let mut input = json!({"rows": []});
    let fields = more.as_object().unwrap().clone();
    input.as_object_mut().unwrap().extend(fields);
    step("one", "x/query", input)
}

/// A plan of one query, for a goal with one part.
#[track_caller]
fn one(input: Value, slot: &str, part: Value, missing: &[&str]) {
    check(
        json!([query(input)]),
        &[("select", json!({ slot: part }))],
        missing,
        &[],
    );
}

#[test]
fn operators_count() {
    let condition = |op: &str, value: Value| json!({"column": "amount", "op": op, "value": value});
    let where_ = |op: &str, value: Value| json!({"where": [condition(op, value)]});
    one(
        where_("gt", json!(100)),
        "filters",
        condition("gt", json!(100)),
        &[],
    );
    one(
        where_("gt", json!("100")),
        "filters",
        condition("gt", json!(100)),
        &[],
    );
    let told = |op: &str| {
        format!(
            "step `one` keeps only rows where `amount {op} 100`, which the request does not say"
        )
    };
    for op in ["lt", "gte", "ne"] {
        let wrong = where_(op, json!(100));
        one(
            wrong,
            "filters",
            condition("gt", json!(100)),
            &["filters", &told(op)],
        );
    }
    one(
        json!({}),
        "filters",
        condition("gt", json!(100)),
        &["filters"],
    );
    // In an expression, by its sign.
    let any = |text: &str| json!([step("x", "y/any", json!({ "text": text }))]);
    let goal = [(
        "select",
        json!({"filters": condition("gt", json!(100)), "other": {"column": "amount", "value": "100"}}),
    )];
    check(any("amount > 100"), &goal, &[], &[]);
    check(any("amount <= 100"), &goal, &["filters"], &[]);
}

#[test]
fn functions_count() {
    let figure = |function: &str| json!({"function": function, "column": "amount"});
    let wanted = json!({"function": "mean", "column": "amount", "as": "amount_mean"});
    one(
        json!({"aggregates": [figure("mean")]}),
        "measures",
        wanted.clone(),
        &[],
    );
    one(
        json!({"aggregates": [figure("sum")]}),
        "measures",
        wanted.clone(),
        &["measures"],
    );
    let goal = [("select", json!({ "measures": wanted }))];
    let any = |text: &str| json!([step("x", "y/any", json!({ "text": text }))]);
    check(any("avg(amount)"), &goal, &[], &[]);
    check(any("sum(amount)"), &goal, &["measures"], &[]);
    let count = json!({"function": "count", "as": "count"});
    one(
        json!({"aggregates": [{"function": "count"}]}),
        "measures",
        count,
        &[],
    );
}

#[test]
fn order_and_number_of_rows_count() {
    let order = |down: bool| json!({"column": "amount", "descending": down});
    one(json!({"sort": [order(true)]}), "order", order(true), &[]);
    one(
        json!({"sort": [{"column": "amount"}]}),
        "order",
        order(true),
        &["order"],
    );
    one(
        json!({"sort": [{"column": "amount"}]}),
        "order",
        order(false),
        &[],
    );
    one(json!({}), "order", order(false), &["order"]);
    one(json!({"limit": 3}), "limit", json!({"rows": 3}), &[]);
    let told = "step `one` takes 30 of what is there, which the request does not say";
    one(
        json!({"limit": 30}),
        "limit",
        json!({"rows": 3}),
        &["limit", told],
    );
    one(json!({}), "limit", json!({"rows": 3}), &["limit"]);
    one(
        json!({"by": ["region"]}),
        "group",
        json!({"column": "region"}),
        &[],
    );
    one(
        json!({"by": ["status"]}),
        "group",
        json!({"column": "region"}),
        &["group"],
    );
}

#[test]
fn flags_forms_and_reckoning_count() {
    one(json!({"distinct": true}), "distinct", json!(true), &[]);
    one(
        json!({"distinct": false}),
        "distinct",
        json!(true),
        &["distinct"],
    );
    one(json!({"deep": true}), "recursive", json!(true), &[]);
    one(json!({}), "recursive", json!(true), &["recursive"]);
    let reckon = |formula: &str| json!({"compute": {"total": formula}});
    let wanted = json!({"name": "total", "left": "price", "op": "*", "right": "pieces"});
    one(reckon("price * pieces"), "compute", wanted.clone(), &[]);
    one(reckon("price + pieces"), "compute", wanted, &["compute"]);
    let saved = |path: &str| json!([step("x", "y/any", json!({ "path": path }))]);
    let goal = [("select", json!({"form": "pdf"}))];
    check(saved("out.pdf"), &goal, &[], &[]);
    check(saved("out.html"), &goal, &["form"], &[]);
}

#[test]
fn rows_that_are_left_out_unasked_are_told() {
    let paid = json!({"column": "status", "op": "eq", "value": "paid"});
    let open = json!({"column": "status", "op": "in", "value": ["open"]});
    let told = |what: &str| format!("step `one` {what}, which the request does not say");
    one(
        json!({"where": [paid, open]}),
        "filters",
        paid.clone(),
        &[&told("keeps only rows where `status in [\"open\"]`")],
    );
    one(
        json!({"where": [paid], "limit": 10}),
        "filters",
        paid.clone(),
        &[&told("takes 10 of what is there")],
    );
    // One row answers which is the largest; a pattern is said in another slot.
    let figure = json!({"function": "max", "column": "amount"});
    one(
        json!({"sort": [{"column": "amount", "descending": true}], "limit": 1}),
        "measures",
        figure,
        &[],
    );
    let has = json!({"column": "line", "op": "contains", "value": "ERROR"});
    one(json!({"where": [has]}), "pattern", json!("error"), &[]);
    // What is known only in the run says nothing.
    let late = json!({"column": "status", "op": "eq", "value": "{{input.which}}"});
    let steps = json!([query(json!({"where": [late]}))]);
    check(
        steps,
        &[("select", json!({"filters": paid}))],
        &["filters"],
        &[],
    );
}

#[test]
fn the_figure_that_is_read_is_the_one_that_is_asked_for() {
    let read = step("text", "x/read", json!({"path": "a.txt"}));
    let count = step("count", "x/count", json!({"text": "{{text.text}}"}));
    let shown = |field: &str| {
        step(
            "shown",
            "y/any",
            json!({"text": format!("{{{{count.{field}}}}}")}),
        )
    };
    let goal = [(
        "count",
        json!({"sources": {"path": "a.txt"}, "unit": "words"}),
    )];
    check(json!([read, count, shown("words")]), &goal, &[], &[]);
    check(json!([read, count, shown("lines")]), &goal, &["unit"], &[]);
}
