//! Are prices found wherever shops put them?

use serde_json::{Value, json};

use super::run;

/// Seller, product, date, price and currency.
type Row<'a> = (&'a str, &'a str, Option<&'a str>, f64, Option<&'a str>);

#[track_caller]
fn check(html: &str, expected: &[Row<'_>]) {
    let told = run(&json!({"pages": [{"url": "https://shop.example/p", "html": html}]})).unwrap();
    let rows: Vec<Value> = expected
        .iter()
        .map(|(seller, product, date, price, currency)| {
            json!({
                "page": "https://shop.example/p", "seller": seller, "product": product,
                "date": date, "price": price, "currency": currency,
            })
        })
        .collect();
    assert_eq!(told["rows"], json!(rows), "{html}");
}

#[test]
fn a_history_gives_a_row_for_each_day() {
    check(
        "<meta property='og:site_name' content='Alder &amp; Pine'><h1>Dune  tent</h1>
         <table><tr><th>Date<th>Price<th>Stock<tr><td>2026-01-01<td>€ 129,00<td>4<tr><td>2026-01-02<td>€ 127,50<td>3</table>",
        &[
            ("Alder & Pine", "Dune tent", Some("2026-01-01"), 129.0, Some("EUR")),
            ("Alder & Pine", "Dune tent", Some("2026-01-02"), 127.5, Some("EUR")),
        ],
    );
}

#[test]
fn a_list_names_its_products() {
    check(
        "<h1>Our tents</h1><table><tr><th>Tent<th>Costs<tr><td>Dune<td>$129.00<tr><td>Moor<td>$199.99</table>",
        &[
            ("shop.example", "Dune", None, 129.0, Some("USD")),
            ("shop.example", "Moor", None, 199.99, Some("USD")),
        ],
    );
}

#[test]
fn structured_data_and_text_are_looked_at_where_there_is_no_table() {
    check(
        r#"<script type="application/ld+json">{"@graph": [{"@type": "Product", "name": "Dune", "offers": {"@type": "Offer", "price": "129.00",
           "priceCurrency": "EUR", "seller": {"name": "Alder"}}}]}</script><p>$5 shipping"#,
        &[("Alder", "Dune", None, 129.0, Some("EUR"))],
    );
    check(
        "<h1>Moor</h1><main><p>Was <s>£250</s>, now £199.99 in 14 days</p></main>",
        &[("shop.example", "Moor", None, 199.99, Some("GBP"))],
    );
}

#[test]
fn a_page_without_a_price_is_named() {
    let page = json!({"url": "https://shop.example/about", "html": "<h1>About us</h1><table><tr><th>Year<th>Staff<tr><td>2020<td>many</table>"});
    let told = run(&json!({ "pages": [page] })).unwrap();
    assert_eq!(told["count"], 0);
    assert_eq!(told["without"], json!(["https://shop.example/about"]));
}

#[test]
fn a_long_name_is_not_repeated_whole_in_every_row() {
    let rows = "<tr><td>2026-01-01</td><td>€ 129,00</td></tr>".repeat(2_000);
    let html = format!(
        "<h1>{}</h1><table><tr><th>Date</th><th>Price</th></tr>{rows}</table>",
        "long ".repeat(80_000)
    );
    let url = format!("https://shop.example/{}", "p".repeat(5_000));
    let told = run(&json!({"pages": [{"url": url, "html": html}]})).unwrap();
    assert_eq!(told["count"], 2_000);
    let length = |field: &str| told["rows"][0][field].as_str().unwrap().chars().count();
    // The last of the 200 would be a space.
    assert_eq!([length("product"), length("page")], [199, 2_000]);
}

#[test]
fn what_is_no_amount_or_no_currency_is_left_out() {
    let offers = |fields: &str| {
        format!(
            r#"<h1>Dune</h1><script type="application/ld+json">{{"@type": "Offer", {fields}}}</script>"#
        )
    };
    for price in [r#""NaN""#, r#""inf""#, "-3"] {
        check(&offers(&format!(r#""price": {price}"#)), &[]);
    }
    check(
        &offers(r#""price": 5, "priceCurrency": "euros and more""#),
        &[("shop.example", "Dune", None, 5.0, None)],
    );
}

#[test]
fn prices_stand_apart_from_what_is_around_them() {
    let one = |price: &'static str, html: &str| {
        check(html, &[("shop.example", price, None, 129.0, Some("EUR"))]);
    };
    one(
        "Dune tent",
        "<main><h1>Dune tent</h1><p>Price: <b>€129.00</b></p><p>Light and dry, for two people.</p></main>",
    );
    one(
        "Dune tent",
        "<main><h1>Dune tent</h1><p>€129.00</p><p>Nice.</p></main>",
    );
}

#[test]
fn numbers_under_a_heading_that_says_price_are_prices() {
    check(
        "<h1>Price list</h1><table><tr><th>Product<th>Price<th>Stock<tr><td>Tent<td>129.00<td>4<tr><td>Stove<td>1,045.50<td>12</table>",
        &[
            ("shop.example", "Tent", None, 129.0, None),
            ("shop.example", "Stove", None, 1045.5, None),
        ],
    );
}
