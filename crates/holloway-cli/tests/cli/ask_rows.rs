//! `holloway ask` about local tables and files: everyday wishes on real files, and the figures
//! that must come out; and what is said where a column or a file is not there.

use serde_json::{Value, json};

use crate::place::Place;

const SALES: &str = "date,Region,product,revenue,units\n2024-01-05,North,Pen,100.5,10\n2024-01-20,South,Book,250,5\n\
    2024-02-03,North,Book,80,2\n2024-02-14,East,Pen,40.25,4\n2024-02-28,South,Lamp,300,3\n2024-03-01,North,Lamp,\"1,200\",1\n";
const ORDERS: &str = "order_id,customer_id,amount,status\n1,c1,50,paid\n2,c2,150,paid\n3,c1,220,open\n4,c3,101,Paid\n\
    5,c2,99.5,paid\n6,c4,310,cancelled\n";
const CUSTOMERS: &str = "customer_id,name\nc1,Ann\nc2,Ben\nc3,Cy\n";
const BEFORE: &str = "id,qty,name\n1,5,x\n2,6,y\n3,7,z\n";
const AFTER: &str = "id,qty,name\n1,5,x\n2,9,y\n4,1,w\n";

fn with_files() -> Place {
    let place = Place::new();
    for (name, text) in [
        ("sales.csv", SALES),
        ("orders.csv", ORDERS),
        ("customers.csv", CUSTOMERS),
        ("a.csv", BEFORE),
        ("b.csv", AFTER),
        ("contacts.csv", "name,email\nAnn,a@x\nBen,b@x\nAnn,a@x\n"),
        ("data.json", r#"[{"k": 1, "v": "a"}, {"k": 2, "v": "b"}]"#),
        ("sales report.csv", SALES),
        ("notes.txt", "One two three four.\n\nFive six seven.\n"),
        ("src/a.rs", "fn a() {}\n// TODO: more\n"),
        ("src/deep/b.py", "# TODO later\n# done\n"),
    ] {
        place.file(name, text);
    }
    place
}

/// The result of a request, and the files it made.
fn asked(place: &Place, request: &str) -> (Value, Value) {
    let ran = place.run(&format!(
        "ask '{request}' --auto --quiet --json --grant-folder ."
    ));
    let lines = ran
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answer = lines.into_iter().find(|line| line["event"] == "answer");
    let answer = answer.unwrap_or_else(|| panic!("{request}: {ran}"));
    assert_eq!(answer["status"], "succeeded", "{request}: {ran}");
    (answer["result"].clone(), answer["files"].clone())
}

/// What the rows of a result hold in a column.
fn column(result: &Value, name: &str) -> Value {
    let rows = result["rows"].as_array().into_iter().flatten();
    rows.map(|row| row[name].clone()).collect()
}

#[test]
fn figures_are_right() {
    let place = with_files();
    for (request, expected) in [
        ("how many rows of sales.csv have region North", json!(3)),
        ("how many rows of sales.csv have region north", json!(3)),
        ("how many rows has orders.csv", json!(6)),
        (
            "how many orders of orders.csv have amount over 100",
            json!(4),
        ),
        ("count the words in notes.txt", json!(7)),
        ("what is the total revenue in sales.csv", json!(1970.75)),
        ("how many different regions are in sales.csv", json!(3)),
        ("how many rows are in sales report.csv", json!(6)),
        (
            "what is the total revenue in \"sales report.csv\"",
            json!(1970.75),
        ),
        (
            "which columns has customers.csv",
            json!(["customer_id", "name"]),
        ),
        ("how many lines of notes.txt contain six", json!(1)),
        ("how many files in src mention TODO", json!(2)),
        (
            "the first 3 lines of notes.txt",
            json!("One two three four.\n\nFive six seven."),
        ),
        ("the last line of notes.txt", json!("Five six seven.")),
    ] {
        assert_eq!(asked(&place, request).0, expected, "{request}");
    }
}

#[test]
fn tables_are_right() {
    let place = with_files();
    for (request, name, expected) in [
        (
            "show the first 2 rows of sales.csv",
            "product",
            json!(["Pen", "Book"]),
        ),
        (
            "the two largest orders in orders.csv by amount",
            "order_id",
            json!([6, 3]),
        ),
        (
            "keep only rows of orders.csv where amount is over 100 and status is paid",
            "order_id",
            json!([2, 4]),
        ),
        (
            "group sales.csv by region and sum revenue",
            "total_revenue",
            json!([1380.5, 550.0, 40.25]),
        ),
        (
            "total revenue by month from sales.csv as a table",
            "total_revenue",
            json!([350.5, 420.25, 1200.0]),
        ),
        (
            "remove duplicates from contacts.csv",
            "name",
            json!(["Ann", "Ben"]),
        ),
        ("merge a.csv and b.csv", "id", json!([1, 2, 3, 1, 2, 4])),
        (
            "join orders.csv with customers.csv on customer_id",
            "name",
            json!(["Ann", "Ben", "Ann", "Cy", "Ben"]),
        ),
        (
            "rename column qty to quantity in a.csv",
            "quantity",
            json!([5, 6, 7]),
        ),
        ("the last 2 rows of orders.csv", "order_id", json!([5, 6])),
        ("rows 2 to 3 of orders.csv", "order_id", json!([2, 3])),
        (
            "add the name from customers.csv to orders.csv",
            "name",
            json!(["Ann", "Ben", "Ann", "Cy", "Ben", null]),
        ),
        (
            "the products in sales.csv without duplicates",
            "product",
            json!(["Pen", "Book", "Lamp"]),
        ),
        (
            "list the two largest files in the src folder",
            "path",
            json!(["src/a.rs"]),
        ),
    ] {
        assert_eq!(
            column(&asked(&place, request).0, name),
            expected,
            "{request}"
        );
    }
    let changed = asked(&place, "compare a.csv with b.csv and tell me what changed").0;
    assert_eq!(
        changed["changed"],
        json!([{"id": 2, "column": "qty", "before": 6, "after": 9}])
    );
    assert_eq!(changed["added"], json!([{"id": 4, "qty": 1, "name": "w"}]));
    let found = asked(&place, "find all TODO comments in the src folder").0;
    let lines = found["matches"].as_array().unwrap().iter();
    let lines: Vec<String> = lines
        .map(|line| format!("{}:{}", line["path"].as_str().unwrap(), line["line"]))
        .collect();
    assert_eq!(lines, ["src/a.rs:2", "src/deep/b.py:1"]);
}

#[test]
fn files_are_written_where_the_request_says_so() {
    let place = with_files();
    let (_, files) = asked(
        &place,
        "sort sales.csv by revenue descending and save it as top.csv",
    );
    assert_eq!(files, json!(["top.csv"]));
    let written = place.read("top.csv");
    let products: Vec<&str> = written
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(2))
        .collect();
    assert_eq!(products, ["Lamp", "Lamp", "Book", "Pen", "Book", "Pen"]);
    assert_eq!(place.read("sales.csv"), SALES);
    let (_, files) = asked(&place, "save a.csv as JSON lines");
    assert_eq!(
        place.read(files[0].as_str().unwrap()).lines().next(),
        Some(r#"{"id":1,"qty":5,"name":"x"}"#)
    );
    let (_, files) = asked(&place, "convert data.json to csv");
    assert_eq!(place.read(files[0].as_str().unwrap()), "k,v\n1,a\n2,b\n");
    let (_, files) = asked(
        &place,
        "group sales.csv by region and sum revenue, then make a bar chart",
    );
    let chart = place.read(files[0].as_str().unwrap());
    let title = "Bar chart of Total revenue: 3 values from 40.25 to 1380";
    assert!(chart.contains(title), "{chart}");
}

#[test]
fn what_is_not_there_is_told() {
    let place = with_files();
    for (request, told) in [
        (
            "sort sales.csv by turnover",
            "turnover (not understood; sales.csv has the columns date, Region (East, North, South)",
        ),
        ("sort nothing.csv by x", "nothing.csv` does not exist"),
        (
            "show the late orders in orders.csv",
            "late (not understood; orders.csv has the columns order_id, customer_id",
        ),
        (
            "change the status open to pending in orders.csv and save as pending.csv",
            "no tool for “change the status open to pending",
        ),
        (
            "how many files are in src that nobody needs",
            "not understood",
        ),
    ] {
        let ran = place.run(&format!("ask '{request}' --auto --quiet --grant-folder ."));
        assert_ne!(ran.code, Some(0), "{ran}");
        assert!(ran.stderr.contains(told), "{ran}");
    }
}

#[test]
fn words_are_looked_up_in_the_tables() {
    let place = with_files();
    for (request, expected) in [
        ("how many orders in orders.csv are paid", json!(4)),
        ("how many cancelled orders are in orders.csv", json!(1)),
        ("total of paid orders in orders.csv", json!(400.5)),
        (
            "average amount of the open or cancelled orders in orders.csv",
            json!(265.0),
        ),
        ("total revenue in sales.csv in February", json!(420.25)),
        ("how much revenue came from Lamp in sales.csv", json!(1500)),
        ("how many files are in src", json!(1)),
        ("how many python files are in src", json!(1)),
        ("how often does TODO appear in src", json!(2)),
        ("days between 2026-01-05 and 2026-03-01", json!(55)),
        ("what day of the week is 2026-12-24", json!("Thursday")),
        (
            "what is the date 30 days after 2026-11-16",
            json!("2026-12-16"),
        ),
    ] {
        assert_eq!(asked(&place, request).0, expected, "{request}");
    }
    for (request, name, expected) in [
        (
            "which region has the highest revenue in sales.csv",
            "Region",
            json!(["North"]),
        ),
        (
            "list the open or cancelled orders in orders.csv",
            "order_id",
            json!([3, 6]),
        ),
        (
            "everything in orders.csv except paid orders",
            "order_id",
            json!([3, 6]),
        ),
        (
            "sort sales.csv by revenue and give me the top 3",
            "revenue",
            json!([1200, 300, 250]),
        ),
        (
            "total amount per name from orders.csv and customers.csv",
            "total_amount",
            json!([270.0, 249.5, 101.0]),
        ),
        (
            "list the files in src smaller than 1 kB",
            "path",
            json!(["src/a.rs"]),
        ),
    ] {
        let found = column(&asked(&place, request).0, name);
        assert_eq!(found, expected, "{request}");
    }
}

#[test]
fn rows_that_are_copied_stay_as_they_are_written() {
    let place = Place::new();
    let codes = "sku,price,qty\n007,12.50,1e5\n010,3.00,\"1,200\"\n";
    place.file("codes.csv", codes);
    asked(&place, "sort codes.csv by qty and save it as sorted.csv");
    let sorted = "sku,price,qty\n010,3.00,\"1,200\"\n007,12.50,1e5\n";
    assert_eq!(place.read("sorted.csv"), sorted);
    asked(
        &place,
        "keep rows of codes.csv where price is over 5 and save them as big.csv",
    );
    assert_eq!(place.read("big.csv"), "sku,price,qty\n007,12.50,1e5\n");
    let (_, files) = asked(&place, "convert codes.csv to tsv");
    let written = place.read(files[0].as_str().unwrap());
    assert_eq!(
        written,
        "sku\tprice\tqty\n007\t12.50\t1e5\n010\t3.00\t1,200\n"
    );
}
