//! What is understood where the tables that are named were looked at before.

use super::super::super::surroundings::{Column, Holds, Table};
use super::*;

fn column(name: &str, holds: Holds, values: &[&str]) -> Column {
    Column {
        name: name.to_owned(),
        holds,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        repeats: name != "id",
    }
}

fn surroundings() -> Surroundings {
    use Holds::{Dates, Numbers, Texts};
    let table = |file: &str, columns: Vec<Column>| Table {
        file: file.to_owned(),
        columns,
    };
    Surroundings {
        tables: vec![
            table(
                "orders.csv",
                vec![
                    column("id", Texts, &["001", "002"]),
                    column("customer", Texts, &["Alice", "Bob"]),
                    column("status", Texts, &["cancelled", "open", "paid"]),
                    column("amount", Numbers, &[]),
                    column("date", Dates, &["2026-01-03", "2026-02-01"]),
                ],
            ),
            table(
                "sales.csv",
                vec![
                    column("Region", Texts, &["North", "South"]),
                    column("product", Texts, &["Widget", "Desk lamp"]),
                    column("units", Numbers, &[]),
                    column("revenue", Numbers, &[]),
                    column("price", Numbers, &[]),
                ],
            ),
            table(
                "customers.csv",
                vec![
                    column("customer", Texts, &["Alice", "Bob"]),
                    column("city", Texts, &["Berlin", "Paris"]),
                ],
            ),
        ],
        folders: vec!["src".to_owned(), "docs".to_owned()],
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (found, _) = conditions(text, &named(text), &surroundings());
    let shown: Vec<String> = found.iter().map(|said| note(&said.condition)).collect();
    assert_eq!(shown, expected, "{text}");
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let (found, unclear) = conditions(text, &named(text), &surroundings());
    assert!(found.is_empty(), "{text}: {found:?}");
    let unclear = unclear.unwrap_or_default();
    assert!(unclear.starts_with(expected), "{text}: {unclear}");
}

#[test]
fn values_say_which_rows_are_meant() {
    let paid = "keep status Equal \"paid\"";
    check("show the paid orders in orders.csv", &[paid]);
    check("orders.csv: only the ones that are paid", &[paid]);
    check(
        "list the open or cancelled orders in orders.csv",
        &["keep status OneOf [\"open\",\"cancelled\"]"],
    );
    check(
        "everything in orders.csv except cancelled orders",
        &["keep status Other \"cancelled\""],
    );
    check(
        "drop rows where status is open from orders.csv",
        &["keep status Other \"open\""],
    );
    check(
        "remove rows from orders.csv where status is open",
        &["keep status Other \"open\""],
    );
    check(
        "list Alice's paid orders in orders.csv",
        &["keep customer Equal \"Alice\"", paid],
    );
    check(
        "desk lamps in sales.csv for the North region",
        &[
            "keep product Equal \"Desk lamp\"",
            "keep Region Equal \"North\"",
        ],
    );
    check(
        "how many paid orders are in orders.csv",
        &["count Rows", paid],
    );
    check(
        "total paid amount per customer in orders.csv",
        &[paid, "Sum of amount by customer"],
    );
    check(
        "total amount of paid orders per customer in orders.csv",
        &["Sum of amount by customer", paid],
    );
    check(
        "total of paid orders in orders.csv",
        &["Sum of amount by ", paid],
    );
    check(
        "open orders in orders.csv sorted by amount",
        &["keep status Equal \"open\"", "sort amount"],
    );
    check("open orders.csv and sort it by amount", &["sort amount"]);
}

#[test]
fn comparisons_need_no_lead() {
    check("orders over 100 in orders.csv", &["keep amount More 100"]);
    check(
        "sales.csv rows with more than 5 units",
        &["keep units More 5"],
    );
    check(
        "orders between 2026-02-01 and 2026-03-10 in orders.csv",
        &["keep date Between [\"2026-02-01\",\"2026-03-10\"]"],
    );
    let february = [
        "keep date AtLeast \"2026-02-01\"",
        "keep date Less \"2026-03-01\"",
    ];
    check("orders from February in orders.csv", &february);
    check(
        "show the orders after 2026-02-28 in orders.csv",
        &["keep date AtLeast \"2026-03-01\""],
    );
    check(
        "plot revenue over time from sales.csv",
        &["chart - revenue over time"],
    );
}

#[test]
fn superlatives_ask_for_rows_or_for_what_each_comes_to() {
    let highest = ["Sum of revenue by Region", "sort revenue down", "first 1"];
    check(
        "which region has the highest revenue in sales.csv",
        &highest,
    );
    check(
        "which region has the highest revenue? it is in sales.csv",
        &highest,
    );
    check("the region with the highest revenue in sales.csv", &highest);
    check(
        "top 3 products by revenue in sales.csv",
        &["Sum of revenue by product", "sort revenue down", "first 3"],
    );
    // A sum of prices says nothing.
    check(
        "which product has the lowest price in sales.csv",
        &["sort price", "first 1"],
    );
    check(
        "who ordered most in orders.csv",
        &["Count of rows by customer", "sort count down", "first 1"],
    );
    check(
        "which customer spent the most in orders.csv",
        &["Sum of amount by customer", "sort amount down", "first 1"],
    );
    check(
        "the largest cancelled order in orders.csv",
        &[
            "sort amount down",
            "keep status Equal \"cancelled\"",
            "first 1",
        ],
    );
    check(
        "the highest amount in orders.csv",
        &["Highest of amount by "],
    );
    check(
        "show the 2 most recent orders in orders.csv",
        &["sort date down", "first 2"],
    );
    check(
        "sort orders.csv by amount and give me the top 3",
        &["sort amount down", "first 3"],
    );
    check(
        "rank regions by revenue in sales.csv",
        &["Sum of revenue by Region", "sort revenue down"],
    );
    check(
        "sort orders.csv from largest to smallest amount",
        &["sort amount down"],
    );
}

#[test]
fn figures_need_no_word_for_the_sum() {
    check(
        "revenue per region in sales.csv",
        &["Sum of revenue by Region"],
    );
    check("revenue by month from orders.csv and sales.csv", &[]);
    check(
        "amount by month from orders.csv",
        &["Sum of amount by Month "],
    );
    check(
        "monthly amount from orders.csv",
        &["Sum of amount by Month "],
    );
    check(
        "revenue and units by region in sales.csv",
        &["Sum of revenue by Region", "Sum of units by Region"],
    );
    check(
        "how much revenue did each region make in sales.csv",
        &["Sum of revenue by Region"],
    );
    check(
        "how many units were sold in each region in sales.csv",
        &["Sum of units by Region"],
    );
    check(
        "min and max amount in orders.csv",
        &["Lowest of amount by ", "Highest of amount by "],
    );
}

#[test]
fn columns_are_listed() {
    check(
        "list the customers in orders.csv",
        &["columns customer", "unique "],
    );
    check(
        "which products were sold in the North in sales.csv",
        &["keep Region Equal \"North\"", "columns product", "unique "],
    );
    check(
        "what is the revenue of South in sales.csv",
        &["Sum of revenue by ", "keep Region Equal \"South\""],
    );
    check("show me rows 2 to 4 of orders.csv", &["skip(1)", "first 3"]);
    refused("add a column tax = revenue * 2 to sales.csv", "");
}

#[test]
fn tables_meet_in_the_column_that_both_have() {
    check(
        "total amount per city from orders.csv and customers.csv",
        &["join Neither on customer", "Sum of amount by city"],
    );
    check(
        "which customers in orders.csv are not in customers.csv",
        &["join Alone on customer", "columns customer", "unique "],
    );
}

#[test]
fn another_table_adds_columns() {
    let all = "columns id+customer+status+amount+date+city";
    check(
        "add the city from customers.csv to orders.csv",
        &["join Right on customer", all],
    );
    check(
        "add to orders.csv the city from customers.csv",
        &["join Left on customer", all],
    );
    check(
        "show orders.csv with the city from customers.csv by customer",
        &["join Left on customer", all],
    );
    check(
        "add the city from customers.csv to orders.csv and save it as full.csv",
        &["join Right on customer", all],
    );
    refused("add the street from customers.csv to orders.csv", "street");
    refused("add the city from customers.csv into orders.csv", "");
    refused("add the rows of customers.csv to orders.csv", "");
}

#[test]
fn a_column_is_listed_without_duplicates() {
    check(
        "the products in sales.csv without duplicates",
        &["columns product", "unique "],
    );
    check("orders.csv without duplicates", &["unique "]);
    check(
        "export the paid orders of orders.csv as jsonl",
        &["keep status Equal \"paid\""],
    );
    check("the orders in orders.csv without duplicates", &["unique "]);
    refused(
        "the cheap products in sales.csv without duplicates",
        "cheap",
    );
}

#[test]
fn what_is_neither_column_nor_value_is_not_passed_over() {
    refused(
        "show the refunded orders in orders.csv",
        "refunded (not understood; orders.csv has the columns id, customer",
    );
    refused(
        "total of large orders in orders.csv",
        "large (not understood",
    );
    refused("sort sales.csv by profit", "profit");
    refused("total profit in sales.csv", "total profit");
    refused("how many blue orders are in orders.csv", "blue");
    refused("which files in docs are nice", "docs");
    // Which of two years is not said; which of two columns neither.
    refused("the biggest sale in sales.csv", "");
}

#[test]
fn folders_are_known_by_their_names() {
    check("find NOTE in src", &["find NOTE in src"]);
    check("find NOTE in the src folder", &["find NOTE in src"]);
    check("search src for \"parse\"", &["find parse in src"]);
    check("which files in src contain parse", &["find parse in src"]);
    check(
        "how often does NOTE appear in src",
        &["find NOTE in src", "count Matches"],
    );
    check("find Bob in todo.txt", &["find Bob in todo.txt"]);
    check("find mistakes in essay.txt", &[]);
    let files = "keep kind Equal \"file\"";
    check(
        "how many files are in src",
        &["files src", files, "count Files"],
    );
    check(
        "list the files in docs bigger than 10 kB",
        &["files docs", files, "keep size More 10000"],
    );
    check(
        "find all rust files",
        &["files . and below", files, "keep path EndsWith \".rs\""],
    );
}
