//! Which steps does a wish about tables lead to whose columns and values are known, because
//! the files are there?

use holloway_planner::request::analyse_in;
use holloway_planner::request::surroundings::{Column, Holds, Surroundings, Table};

use super::{BUILTIN, outline_in};

/// What is known of the tables of these requests.
fn known() -> Surroundings {
    let column = |name: &str, holds: Holds, values: &[&str]| Column {
        name: name.to_owned(),
        holds,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        repeats: true,
    };
    let orders = vec![
        column("customer", Holds::Texts, &["Ann", "Ben"]),
        column("status", Holds::Texts, &["open", "paid"]),
        column("amount", Holds::Numbers, &[]),
    ];
    let customers = vec![
        column("customer", Holds::Texts, &["Ann", "Ben"]),
        column("city", Holds::Texts, &["Oslo", "Rome"]),
    ];
    let table = |file: &str, columns| Table {
        file: file.to_owned(),
        columns,
    };
    Surroundings {
        tables: vec![
            table("orders.csv", orders),
            table("customers.csv", customers),
        ],
        folders: vec!["src".to_owned()],
    }
}

#[track_caller]
fn check_known(request: &str, expected: &[&str]) {
    assert_eq!(
        outline_in(request, &BUILTIN, &known()),
        expected,
        "{request}"
    );
}

#[test]
fn values_of_known_tables_lead_to_their_columns() {
    check_known(
        "show the paid orders in orders.csv",
        &[
            "csv-read",
            "data-load",
            r#"data-select ignore_case=true where=[{"column":"status","op":"eq","value":"paid"}]"#,
        ],
    );
    check_known(
        "which customer has the highest amount in orders.csv",
        &[
            "csv-read",
            "data-load",
            r#"data-group by=["customer"] aggregates=[{"column":"amount","function":"sum","as":"total_amount"}]"#,
            r#"data-select sort=[{"column":"total_amount","descending":true}] limit=1"#,
        ],
    );
    check_known(
        "total amount per city from orders.csv and customers.csv",
        &[
            "csv-read",
            "csv-read",
            r#"data-join on=["customer"]"#,
            r#"data-group by=["city"] aggregates=[{"column":"amount","function":"sum","as":"total_amount"}]"#,
        ],
    );
}

#[test]
fn what_is_unknown_in_known_tables_is_told_with_what_there_is() {
    let analysis = analyse_in("show the late orders in orders.csv", &BUILTIN, &known());
    assert_eq!(
        analysis.unclear.as_deref(),
        Some(
            "late (not understood; orders.csv has the columns customer (Ann, Ben), status (open, paid), amount)"
        )
    );
}

#[test]
fn folders_texts_and_days_have_their_tools() {
    check_known(
        "find TODO in src",
        &[r#"file-search query="TODO" path="src""#],
    );
    check_known(
        "how many rust files are in src",
        &[
            r#"file-list limit=100000 recursive=true path="src""#,
            r#"data-select ignore_case=true where=[{"column":"kind","op":"eq","value":"file"},{"column":"path","op":"ends_with","value":".rs"}]"#,
            r#"echo value="{{ data_select.count }}""#,
        ],
    );
    check_known(
        "extract all headings from notes.md",
        &["file-read", "headings-extract"],
    );
    check_known(
        "find all email addresses in notes.md",
        &["file-read", r#"text-entities kinds=["email"]"#],
    );
    check_known(
        "how many days until Christmas",
        &[
            r#"date-difference to="Christmas""#,
            r#"echo value="{{ date_difference.days }}""#,
        ],
    );
    check_known(
        "what day of the week is 2026-12-24",
        &[
            r#"date-info date="2026-12-24""#,
            r#"echo value="{{ date_info.weekday }}""#,
        ],
    );
}

#[test]
fn what_stands_on_the_web_is_fetched_first() {
    check_known(
        "download http://127.0.0.1:8765/data.json and convert it to csv",
        &["http-fetch", "data-load", "csv-write"],
    );
    check_known(
        "fetch http://127.0.0.1:8765/todo.txt and count its words",
        &[
            "http-fetch",
            "text-stats",
            r#"echo value="{{ text_stats.words }}""#,
        ],
    );
    check_known(
        "count the words on http://127.0.0.1:8765/page",
        &[
            "page-fetch",
            "html-text",
            "text-stats",
            r#"echo value="{{ text_stats.words }}""#,
        ],
    );
}
