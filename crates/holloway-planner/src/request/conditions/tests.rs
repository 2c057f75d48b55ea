//! What is understood of a request about rows and files, and what is not.

use super::*;
use crate::request::named;

mod known;
mod tables;

/// What is understood, one condition per item, as a person would note it.
fn shown(text: &str) -> Vec<String> {
    let (found, _) = conditions(text, &named(text), &Surroundings::default());
    found.iter().map(|said| note(&said.condition)).collect()
}

fn note(condition: &Condition) -> String {
    match condition {
        Condition::Keep(keep) => {
            let or = if keep.or { "or " } else { "" };
            format!(
                "{or}keep {} {:?} {}",
                keep.column, keep.comparison, keep.value
            )
        }
        Condition::Sort { column, descending } => {
            format!("sort {column}{}", if *descending { " down" } else { "" })
        }
        Condition::First(count) => format!("first {count}"),
        Condition::Group(group) => {
            let period = group
                .period
                .map(|period| format!("{period:?} "))
                .unwrap_or_default();
            let column = group.column.as_deref().unwrap_or("rows");
            format!(
                "{:?} of {column} by {period}{}",
                group.how,
                group.by.join("+")
            )
        }
        Condition::Count(counted) => format!("count {counted:?}"),
        Condition::Unique { columns } => format!("unique {}", columns.join("+")),
        Condition::Rename { from, to } => format!("{from} -> {to}"),
        Condition::Columns(columns) => format!("columns {}", columns.join("+")),
        Condition::Without(columns) => format!("without {}", columns.join("+")),
        Condition::Join { on, how } => format!("join {how:?} on {}", on.join("+")),
        Condition::Chart(chart) => {
            let text = |part: &Option<String>| part.clone().unwrap_or("-".to_owned());
            let time = if chart.over_time {
                "time"
            } else {
                &text(&chart.x)
            };
            format!("chart {} {} over {time}", text(&chart.kind), text(&chart.y))
        }
        Condition::Files { folder, deep } => {
            format!("files {folder}{}", if *deep { " and below" } else { "" })
        }
        Condition::Find { text, folder } => format!("find {text} in {folder}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(text), expected, "{text}");
}

#[test]
fn rows_are_sorted_and_cut() {
    check(
        "sort sales.csv by revenue descending and save it as top.csv",
        &["sort revenue down"],
    );
    check(
        "sort sales.csv by region, then by unit price, largest first",
        &["sort region", "sort unit price down"],
    );
    check(
        "order orders.csv in descending order of amount",
        &["sort amount down"],
    );
    check("show the first 2 rows of sales.csv", &["first 2"]);
    check("show me 5 rows of sales.csv", &["first 5"]);
    check(
        "the ten largest orders in orders.csv by amount",
        &["sort amount down", "first 10"],
    );
    check(
        "top 3 rows of sales.csv by revenue",
        &["sort revenue down", "first 3"],
    );
    check(
        "the 3 lowest prices in prices.csv",
        &["sort prices", "first 3"],
    );
    check(
        "top 2 regions by total revenue in sales.csv",
        &["Sum of revenue by regions", "sort revenue down", "first 2"],
    );
}

#[test]
fn rows_are_cut_at_either_end() {
    check("the last 2 rows of orders.csv", &["last(2)"]);
    check("show me the final row of orders.csv", &["last(1)"]);
    check("rows 2 to 4 of orders.csv", &["skip(1)", "first 3"]);
    check("row 3 in orders.csv", &["skip(2)", "first 1"]);
    check(
        "sort orders.csv by amount and show the last three only",
        &["sort amount", "last(3)"],
    );
    for text in [
        // They may be the newest.
        "the last 2 orders in orders.csv",
        "the first 3 and the last 2 rows of orders.csv",
        "rows 4 to 2 of orders.csv",
        "orders.csv from last month",
    ] {
        check(text, &[]);
    }
}

#[test]
fn lines_of_a_text_are_cut_out() {
    let line = |from: &str, to: &str| format!("lines {{ from: {from}, to: {to} }}");
    check("first 3 lines of todo.txt", &[&line("none", "some(3)")]);
    check(
        "show the last line of todo.txt",
        &[&line("some(-1)", "none")],
    );
    check(
        "print lines 2 to 4 of todo.txt",
        &[&line("some(1)", "some(4)")],
    );
    check("line 5 of todo.txt", &[&line("some(4)", "some(5)")]);
    check("the first 3 lines of todo.txt that are empty", &[]);
    check("the first 3 lines of todo.txt and notes.txt", &[]);
}

#[test]
fn lines_that_hold_a_text_are_asked_for_and_counted() {
    check("is NOTE mentioned anywhere in src/", &["find NOTE in src/"]);
    check(
        "are there any NOTEs in todo.txt?",
        &["find NOTE in todo.txt"],
    );
    check("does todo.txt mention call", &["find call in todo.txt"]);
    check(
        "does any file in src/ contain parse",
        &["find parse in src/"],
    );
    check(
        "how many lines of todo.txt contain call",
        &["find call in todo.txt", "count Matches"],
    );
    check(
        "how many files in src/ mention parse",
        &["find parse in src/", "count Files"],
    );
    check(
        "count the lines in todo.txt that contain \"call Ann\"",
        &["find call Ann in todo.txt", "count Matches"],
    );
    check(
        "which lines in todo.txt mention call",
        &["find call in todo.txt"],
    );
    check("how many lines of todo.txt begin with call", &[]);
    check("is there a problem in todo.txt", &[]);
}

#[test]
fn rows_are_kept() {
    check(
        "how many rows of sales.csv have region North",
        &["count Rows", "keep region Equal \"North\""],
    );
    check(
        "keep only rows of orders.csv where amount is over 100 and status is paid",
        &["keep amount More 100", "keep status Equal \"paid\""],
    );
    check(
        "show rows of a.csv where price is between 10 and 20 or name contains pen",
        &[
            "keep price Between [10,20]",
            "or keep name Contains \"pen\"",
        ],
    );
    check(
        "filter orders.csv by status = open",
        &["keep status Equal \"open\""],
    );
    check(
        "rows of orders.csv with amount >= $1,000",
        &["keep amount AtLeast 1000"],
    );
    check(
        "list the orders with status paid in orders.csv",
        &["keep status Equal \"paid\""],
    );
    check(
        "rows of a.csv where city is not \"New York\"",
        &["keep city Other \"New York\""],
    );
    check(
        "rows of a.csv where email is missing",
        &["keep email Missing null"],
    );
    check(
        "rows of sales.csv where region is one of North, South or West",
        &["keep region OneOf [\"North\",\"South\",\"West\"]"],
    );
    check(
        "how many orders in orders.csv are paid",
        &["count Rows", "keep  Equal \"paid\""],
    );
}

#[test]
fn rows_come_to_figures() {
    check("how many rows has prices.csv", &["count Rows"]);
    check("how many orders are in orders.csv", &["count Rows"]);
    check(
        "how many different regions are in sales.csv",
        &["Distinct of regions by "],
    );
    check(
        "how many orders per customer are in orders.csv?",
        &["Count of rows by customer"],
    );
    check(
        "average price per category in products.csv",
        &["Mean of price by category"],
    );
    check(
        "what is the average price in products.csv",
        &["Mean of price by "],
    );
    check(
        "the sum of revenue in sales.csv by region",
        &["Sum of revenue by region"],
    );
    check(
        "group sales.csv by region and sum revenue, then make a bar chart",
        &["Sum of revenue by region", "chart bar - over -"],
    );
    check(
        "total revenue by month from sales.csv as a table",
        &["Sum of revenue by Month "],
    );
    check(
        "the highest price per category in products.csv",
        &["Highest of price by category"],
    );
    check(
        "total revenue by product in sales.csv, largest first",
        &["Sum of revenue by product", "sort revenue down"],
    );
    check("sort the customers in sales.csv by city", &["sort city"]);
    check(
        "group sales.csv by region and product",
        &["Count of rows by region+product"],
    );
}

#[test]
fn tables_change_their_shape() {
    check("remove duplicates from contacts.csv", &["unique "]);
    check(
        "remove duplicate rows from contacts.csv by email",
        &["unique email"],
    );
    check(
        "list the unique regions in sales.csv",
        &["columns regions", "unique "],
    );
    check(
        "rename column qty to quantity in a.csv",
        &["qty -> quantity"],
    );
    check(
        "show only the columns name and price of products.csv",
        &["columns name+price"],
    );
    check("which columns has sales.csv", &["names"]);
    check("merge a.csv and b.csv", &["stack"]);
    check("convert sales.csv to xlsx", &["convert"]);
    check("turn data.json into a spreadsheet", &["convert"]);
    check(
        "convert sales.csv to xlsx sorted by revenue",
        &["convert", "sort revenue"],
    );
    check("merge a.csv and b.csv on id", &["join Neither on id"]);
    check(
        "join orders.csv with customers.csv on customer_id",
        &["join Neither on customer_id"],
    );
    check(
        "left join orders.csv with customers.csv on customer_id and show the first 5 rows",
        &["join Left on customer_id", "first 5"],
    );
    check(
        "compare a.csv with b.csv and tell me what changed",
        &["changes"],
    );
    check("what changed between a.csv and b.csv?", &["changes"]);
}

#[test]
fn tables_are_looked_at() {
    check("find outliers in prices.csv", &["outliers"]);
    check(
        "Find outliers in the column price of prices.csv and save them as an Excel workbook",
        &["outliers", "columns price"],
    );
    check(
        "plot price over time from prices.csv",
        &["chart - price over time"],
    );
    check(
        "draw a bar chart of revenue by region from sales.csv",
        &["Sum of revenue by region", "chart bar - over -"],
    );
    check(
        "make a histogram of price from prices.csv",
        &["chart histogram price over -"],
    );
}

#[test]
fn files_are_spoken_of() {
    check("count the words in notes.txt", &["count Words"]);
    check("how many lines does notes.txt have", &["count Lines"]);
    check(
        "find all NOTE comments in the src folder",
        &["find NOTE in src"],
    );
    check(
        "search for \"retry\" in docs/guide",
        &["find retry in docs/guide"],
    );
    check(
        "list the five largest files in this folder",
        &[
            "files .",
            "keep kind Equal \"file\"",
            "sort size down",
            "first 5",
        ],
    );
    check(
        "how many files are in the src folder",
        &["files src", "keep kind Equal \"file\"", "count Files"],
    );
    check(
        "list all json files in the src folder and count them",
        &[
            "files src and below",
            "keep kind Equal \"file\"",
            "keep path EndsWith \".json\"",
        ],
    );
}

/// What is not about rows, or is not understood in full, says nothing.
#[test]
fn other_requests_say_nothing_about_rows() {
    for text in [
        "sort out my notes",
        "the first thing to do",
        "how many people live in Oslo",
        "compare the prices of two shops",
        "count to ten",
        "group my mails by sender",
        "find the largest city",
        "join the meeting at noon",
        "merge the pull request",
        "plot a course to the north",
        "summarise notes.txt",
        "convert notes.md to HTML",
        "convert sales.csv to PDF",
        "describe sales.csv and make a PDF report",
        "rename a.csv to b.csv",
        "show the rows of sales.csv where it hurts",
        "the total amount of paid orders in orders.csv",
        "sort the paid orders in orders.csv by amount",
        "average price of pens in sales.csv",
        "how many rows of sales.csv have region North in 2024",
        "the ten largest unpaid orders in orders.csv by amount",
        "sort the rows of sales.csv that are from Oslo by revenue",
        "",
    ] {
        check(text, &[]);
    }
}

#[test]
fn odd_texts_do_no_harm() {
    for text in [
        "a.csv by",
        "sort a.csv by",
        "where a.csv",
        "top 5 a.csv",
        "how many a.csv",
        "rename a.csv",
        "x.csv = = >= é ≥",
        "group a.csv by and sum",
    ] {
        conditions(text, &named(text), &Surroundings::default());
    }
    let long = "sort a.csv by x and ".repeat(2000);
    let (_, told) = conditions(&long, &named(&long), &Surroundings::default());
    assert!(told.is_some_and(|told| told.len() < 200));
}

#[test]
fn days_are_asked_for() {
    let shown = |text: &str| {
        let (found, _) = conditions(text, &named(text), &Surroundings::default());
        let notes = found.iter().map(|said| format!("{:?}", said.condition));
        notes.collect::<Vec<_>>().join("; ")
    };
    let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
    check(
        "what day of the week is 2026-12-24?",
        "Day { date: Some(\"2026-12-24\"), what: Weekday }",
    );
    check(
        "which weekday is Christmas this year",
        "Day { date: Some(\"Christmas this year\"), what: Weekday }",
    );
    check("what is today's date", "Day { date: None, what: Date }");
    check(
        "how many days until Christmas",
        "Between { from: None, to: Some(\"Christmas\"), unit: Days }",
    );
    check(
        "days between 2026-01-05 and 2026-03-01",
        "Between { from: Some(\"2026-01-05\"), to: Some(\"2026-03-01\"), unit: Days }",
    );
    check(
        "what date is 2 weeks before 2026-01-15",
        "Shift { date: Some(\"2026-01-15\"), by: [(Weeks, -2)], what: Date }",
    );
    check("how many days until the release", "");
    check("what day is the meeting with Bob", "");
}
