//! Do the tools over tables fit together? The story of price watching, from scraped
//! text to a trend, and the ways it can go wrong.

use holloway_engine::failure::FailureName;
use serde_json::{Value, json};

use super::super::testing::builtin;

#[tokio::test]
async fn scraped_prices_become_trends() {
    let csv = "shop,day,text\n\
        A,2024-01-01,€ 1.299\nA,2024-01-02,€ 1.289\nA,2024-01-03,1.279 €\nA,2024-01-04,\"1.249,50 €\"\nA,2024-01-05,1.199 €\n\
        B,2024-01-01,\"1.310,00 €\"\nB,2024-01-02,sold out\nB,2024-01-03,\"was 1.310,00 € now 1.305,00 €\"\n";
    let loaded = builtin("data-load", json!({"text": csv})).await.unwrap();
    let arguments = json!({"rows": loaded["rows"], "column": "text", "decimal": "comma"});
    let priced = builtin("price-extract", arguments).await.unwrap();
    assert_eq!(
        (&priced["count"], &priced["without"]),
        (&json!(7), &json!([7]))
    );
    assert_eq!(priced["rows"][7]["amount"], 1305.0);
    assert_eq!(priced["rows"][7]["was"], 1310.0);
    let arguments =
        json!({"rows": priced["rows"], "value": "amount", "time": "day", "by": ["shop"]});
    let trend = builtin("data-trend", arguments).await.unwrap();
    let directions: Vec<&Value> = trend["series"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| &s["direction"])
        .collect();
    assert_eq!(directions, ["falling", "too few values"]);
}

#[tokio::test]
async fn formulas_are_worked_out_per_row() {
    let rows = json!([
        {"price": 2, "Unit count": 3, "text": "1.5"},
        {"price": null, "Unit count": 3, "text": "2"},
        {"price": 4, "Unit count": 0, "text": ""},
    ]);
    let compute = json!({
        "total": "price * row[\"Unit count\"]",
        "sum": "price + text",
        "label": "'cheap' if price and price < 3 else 'dear'",
        "twice": "total * 2",
    });
    let result = builtin("data-select", json!({"rows": rows, "compute": compute}))
        .await
        .unwrap();
    let pick = |name: &str| {
        result["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[name].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(json!(pick("total")), json!([6, null, 0]));
    assert_eq!(json!(pick("sum")), json!([3.5, null, null]));
    assert_eq!(json!(pick("label")), json!(["cheap", "dear", "dear"]));
    assert_eq!(json!(pick("twice")), json!([12, null, 0]));
}

#[tokio::test]
async fn wrong_formulas_name_row_and_column() {
    let failure = builtin(
        "data-select",
        json!({"rows": [{"a": 1}], "compute": {"b": "a +"}}),
    )
    .await
    .unwrap_err();
    assert_eq!(failure.name, FailureName::ValidationFailed);
    assert!(
        failure
            .message
            .starts_with("the computed column `b`: cannot read `a +`"),
        "{failure}"
    );
    let arguments = json!({"rows": [{"a": 1}, {"a": "x"}], "compute": {"b": "a * 2"}});
    let failure = builtin("data-select", arguments).await.unwrap_err();
    assert!(
        failure
            .message
            .starts_with("row 2, computed column `b` = a * 2:"),
        "{failure}"
    );
    let unknown = builtin(
        "data-select",
        json!({"rows": [{"a": 1}], "compute": {"b": "c * 2"}}),
    )
    .await
    .unwrap_err();
    assert_eq!(
        unknown.message,
        "there is no column `c`; the columns are `a`"
    );
}

#[tokio::test]
async fn pages_are_read_as_they_are_shown() {
    let html = "<style>.a{width:5€}</style><script>var p = '$99';</script>\
        <div><del>20,00 €</del> <b>15</b><sup>99</sup>&nbsp;€</div>\
        <p><span class='price-old'>$30</span><span>$25</span></p><p>Order no. 12</p>";
    let found = builtin("price-extract", json!({"html": html}))
        .await
        .unwrap();
    let prices: Vec<String> = found["prices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            format!(
                "{} {} {}",
                p["kind"].as_str().unwrap(),
                p["amount"],
                p["currency"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        prices,
        [
            "was 20.0 EUR",
            "price 15.99 EUR",
            "was 30.0 USD",
            "price 25.0 USD"
        ]
    );
    let nested = |depth: usize| format!("{}$5{}", "<div>".repeat(depth), "</div>".repeat(depth));
    let deep = builtin("price-extract", json!({"html": nested(400)}))
        .await
        .unwrap();
    assert_eq!(deep["count"], 1);
    let too_deep = builtin("price-extract", json!({"html": nested(100_000)}))
        .await
        .unwrap_err();
    assert_eq!(too_deep.name, FailureName::LimitExceeded);
    let unclosed = "<div></x>".repeat(60_000);
    let unclosed = builtin("price-extract", json!({"html": unclosed}))
        .await
        .unwrap_err();
    assert_eq!(unclosed.name, FailureName::LimitExceeded);
    let range = json!({"rows": [{"price": "$5-$10"}, {"price": "$7"}]});
    let found = builtin("price-extract", range).await.unwrap();
    assert_eq!(
        (
            &found["rows"][0]["ambiguous"],
            &found["rows"][1]["ambiguous"]
        ),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn failures_tell_who_has_to_change_something() {
    for (tool, arguments, name) in [
        ("data-load", json!({}), FailureName::ValidationFailed),
        ("data-group", json!({"rows": [1]}), FailureName::ToolFailed),
        (
            "data-trend",
            json!({"rows": [{"v": "x"}], "value": "v"}),
            FailureName::ToolFailed,
        ),
        (
            "data-join",
            json!({"left": vec![json!({"k": 1}); 2000], "right": vec![json!({"k": 1}); 2000], "on": ["k"]}),
            FailureName::LimitExceeded,
        ),
        (
            "price-extract",
            json!({"text": "5 €", "html": ""}),
            FailureName::ValidationFailed,
        ),
    ] {
        let failure = builtin(tool, arguments).await.unwrap_err();
        assert_eq!(failure.name, name, "{tool}: {failure}");
    }
}
