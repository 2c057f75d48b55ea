//! What is understood of everyday tables that were looked at: orders with two columns of
//! numbers, customers beside them, employees, books.

use super::super::super::surroundings::{Column, Holds, Table};
use super::*;

fn column(name: &str, holds: Holds, values: &[&str]) -> Column {
    Column {
        name: name.to_owned(),
        holds,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        repeats: !matches!(name, "order_id" | "name" | "Name" | "city" | "email"),
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
                    column("order_id", Numbers, &[]),
                    column("date", Dates, &["2026-01-03", "2026-03-01"]),
                    column("customer_id", Numbers, &[]),
                    column("product", Texts, &["Rope", "Stove"]),
                    column("category", Texts, &["Climbing", "Cooking"]),
                    column("quantity", Numbers, &[]),
                    column("amount", Numbers, &[]),
                    column("status", Texts, &["cancelled", "open", "paid"]),
                ],
            ),
            table(
                "customers.csv",
                vec![
                    column("customer_id", Numbers, &[]),
                    column("name", Texts, &["Alice Moor", "Bob Tanner"]),
                    column("city", Texts, &["Leeds", "Oslo"]),
                    column("email", Texts, &["a@example.com"]),
                ],
            ),
            table(
                "employees.csv",
                vec![
                    column("Name", Texts, &["Ann", "Ben"]),
                    column("Department", Texts, &["HR", "IT", "Sales"]),
                    column("Salary", Numbers, &[]),
                    column("Start Date", Dates, &["2019-03-01", "2022-07-15"]),
                    column("Manager", Texts, &["Yan", "Zoe"]),
                ],
            ),
            table(
                "books.json",
                vec![
                    column("title", Texts, &["Dune", "Emma"]),
                    column("author", Texts, &["Austen", "Herbert"]),
                    column("year", Numbers, &[]),
                    column("price", Numbers, &[]),
                ],
            ),
        ],
        folders: vec!["data".to_owned(), "logs".to_owned(), "notes".to_owned()],
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (found, unclear) = conditions(text, &named(text), &surroundings());
    let shown: Vec<String> = found.iter().map(|said| note(&said.condition)).collect();
    assert_eq!(shown, expected, "{text}: {unclear:?}");
}

#[track_caller]
fn refused(text: &str) {
    let (found, unclear) = conditions(text, &named(text), &surroundings());
    assert!(found.is_empty() && unclear.is_some(), "{text}: {found:?}");
}

#[test]
fn columns_are_left_out() {
    let email = ["without email"];
    check(
        "remove the email column from customers.csv and save it as public.csv",
        &email,
    );
    check("show customers.csv without the email column", &email);
    check("customers.csv without email", &email);
    check("leave out email from customers.csv", &email);
    check("show all columns of customers.csv except email", &email);
    check(
        "show me everything in employees.csv except salary and manager",
        &["without Salary+Manager"],
    );
    check(
        "drop the columns city and email from customers.csv and save the rest as c2.csv",
        &["without city+email"],
    );
    // Those are rows.
    check(
        "list the customers without an email in customers.csv",
        &["keep email Missing null"],
    );
    check(
        "remove customers without an email from customers.csv",
        &["keep email Present null"],
    );
    check(
        "remove the cancelled orders from orders.csv",
        &["keep status Other \"cancelled\""],
    );
    check(
        "show all but the cancelled orders in orders.csv",
        &["keep status Other \"cancelled\""],
    );
}

#[test]
fn columns_are_named_before_the_word_for_them() {
    let both = ["columns Name+Salary"];
    check("show the name and salary columns of employees.csv", &both);
    check(
        "show the name and salary of employees in employees.csv",
        &both,
    );
    check("only the name and salary from employees.csv", &both);
    check("show the email column of customers.csv", &["columns email"]);
}

#[test]
fn a_comparison_without_a_column_is_never_passed_over() {
    let large = "keep amount More 300";
    check("show me all orders over $300 from orders.csv", &[large]);
    check("show me all orders over 300 from orders.csv", &[large]);
    check(
        "count the orders over $300 in orders.csv",
        &["count Rows", large],
    );
    check("orders of more than 300 euros in orders.csv", &[large]);
    // The year or the price?
    refused("show everything over 10 in books.json");
    refused("everyone over 40 in employees.csv and their names");
}

#[test]
fn several_figures_of_several_columns() {
    check(
        "sum quantity and amount by product in orders.csv",
        &["Sum of quantity by product", "Sum of amount by product"],
    );
    check(
        "the total amount and the number of orders per category in orders.csv",
        &["Sum of amount by category", "Count of rows by category"],
    );
    check(
        "total quantity and average amount by product in orders.csv",
        &["Sum of quantity by product", "Mean of amount by product"],
    );
    check(
        "what is the median and standard deviation of amount in orders.csv",
        &["Median of amount by ", "Deviation of amount by "],
    );
    check(
        "what is the highest and the lowest salary in employees.csv?",
        &["Highest of Salary by ", "Lowest of Salary by "],
    );
    check(
        "what is the oldest employee start date in employees.csv?",
        &["Lowest of Start Date by "],
    );
    check(
        "Sum up the amount per category in orders.csv, biggest first, and save that as an Excel file totals.xlsx",
        &["Sum of amount by category", "sort amount down"],
    );
}

#[test]
fn what_each_comes_to_across_tables() {
    check(
        "which city has the highest total amount? orders.csv and customers.csv",
        &[
            "join Neither on customer_id",
            "Sum of amount by city",
            "sort amount down",
            "first 1",
        ],
    );
    check(
        "Which customer spent the most in total? use orders.csv and customers.csv",
        &[
            "join Neither on customer_id",
            "Sum of amount by customer_id+name",
            "sort amount down",
            "first 1",
        ],
    );
    let with_city =
        "columns order_id+date+customer_id+product+category+quantity+amount+status+city";
    check(
        "Add the customer's city to each order (orders.csv, customers.csv) and save it as full.csv",
        &["join Left on customer_id", with_city],
    );
    refused("add the weather to each order (orders.csv, customers.csv)");
}

#[test]
fn values_that_would_have_to_be_worked_out_are_not_passed_over() {
    refused("give each employee in employees.csv a 5% raise and save the new table as raised.csv");
    refused("increase the price by 10% in books.json and save it as dearer.json");
    refused("sort employees.csv by salary and then double the salary");
}

#[test]
fn each_of_something_is_counted() {
    let each = ["Count of rows by Department"];
    check(
        "how many employees are there in each department in employees.csv",
        &each,
    );
    check(
        "how many employees does each department have? use employees.csv",
        &each,
    );
    check(
        "how many employees work in each department in employees.csv",
        &each,
    );
    check(
        "make a pie chart of orders by status from orders.csv",
        &["Count of rows by status", "chart donut - over -"],
    );
}

#[test]
fn words_that_say_nothing_more_are_passed_over() {
    check(
        "what is the average salary in the IT department? (employees.csv)",
        &["Mean of Salary by ", "keep Department Equal \"IT\""],
    );
    check(
        "show the average amount per category in orders.csv, but only for paid orders",
        &["Mean of amount by category", "keep status Equal \"paid\""],
    );
    check(
        "show the orders in orders.csv that are still open",
        &["keep status Equal \"open\""],
    );
    check(
        "orders from orders.csv with status paid or open",
        &["keep status OneOf [\"paid\",\"open\"]"],
    );
}

#[test]
fn what_comes_first_needs_no_verb() {
    check(
        "the 10 smallest orders in orders.csv by amount, cheapest first",
        &["sort amount", "first 10"],
    );
    check(
        "make an excel file out of employees.csv with the highest salary first",
        &["sort Salary down"],
    );
    check(
        "open orders in orders.csv, newest first",
        &["keep status Equal \"open\"", "sort date down"],
    );
    refused("the 10 smallest orders in orders.csv by amount, newest first");
}

#[test]
fn files_are_ranked_by_their_size() {
    let ranked = |folder: &str, count: u64| {
        let files = format!("files {folder}");
        let count = format!("first {count}");
        [
            files,
            "keep kind Equal \"file\"".to_owned(),
            "sort size down".to_owned(),
            count,
        ]
    };
    let check = |text: &str, folder: &str, count: u64| {
        let ranked = ranked(folder, count);
        check(text, &ranked.each_ref().map(String::as_str));
    };
    check(
        "list the three longest files in the notes folder",
        "notes",
        3,
    );
    check("which of the files in logs is the largest?", "logs", 1);
    check(
        "first list the files in data, then show me the biggest one",
        "data",
        1,
    );
    refused("which of the files in logs is the newest?");
}

#[test]
fn how_often_is_not_how_many_lines() {
    check(
        "how many times does the word \"logo\" appear in notes.txt?",
        &["find logo in notes.txt", "count Times"],
    );
    refused("show the first 10 lines of app.log, then count how many contain ERROR");
}

#[test]
fn tables_of_a_folder_are_taken_together() {
    let tables = "tables { folder: \"data\", ending: \"csv\" }";
    check(
        "merge all csv files in data into one file called all.csv",
        &[tables],
    );
    check(
        "total units over all csv files in data",
        &[tables, "Sum of units by "],
    );
    check(
        "merge the csv files in data and sum units by item",
        &[tables, "Sum of units by item"],
    );
    let (found, _) = conditions("for each csv in data total units", &[], &surroundings());
    assert_eq!(found, []);
}

#[test]
fn verbs_stand_for_columns() {
    let rich = "keep Salary AtLeast 45000";
    check(
        "Take employees.csv, keep only people earning at least 45000, sort them by start date and save them as rich.xlsx",
        &[rich, "sort Start Date"],
    );
    check("people earning 45000 or more in employees.csv", &[rich]);
    let more = "keep Salary More 45000";
    for amount in ["45k", "45,000", "$45,000", "45 thousand"] {
        let text = format!("how many people in employees.csv earn more than {amount}?");
        check(&text, &["count Rows", more]);
    }
    check(
        "which books in books.json cost less than 10 dollars?",
        &["keep price Less 10"],
    );
    check(
        "show the books in books.json published before 1950",
        &["keep year Less 1950"],
    );
    let late = "keep Start Date AtLeast \"2021-01-02\"";
    for day in ["2021-01-01", "1 January 2021", "January 1st, 2021"] {
        let text = format!("list everyone in employees.csv who started after {day}");
        check(&text, &[late]);
    }
    check(
        "list everyone in employees.csv who started after 1 January 2021, newest first",
        &[late, "sort Start Date down"],
    );
}
