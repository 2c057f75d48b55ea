//! `holloway ask` about local tables and files: everyday wishes on real files, and the figures
//! that must come out; and what is said where a column or a file is not there.

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

/// What a request answers.
fn answer(place: &Place, request: &str) -> String {
    let ran = place.run(&format!("ask '{request}' --auto --quiet --grant-folder ."));
    assert_eq!(ran.code, Some(0), "{request}: {ran}");
    ran.stdout
}

#[test]
fn figures_are_right() {
    let place = with_files();
    for (request, expected) in [
        ("how many rows of sales.csv have region North", "3"),
        ("how many rows has orders.csv", "6"),
        ("how many orders of orders.csv have amount over 100", "4"),
        ("count the words in notes.txt", "7"),
        ("what is the total revenue in sales.csv", "1970.75"),
        ("how many different regions are in sales.csv", "3"),
        ("how many rows are in sales report.csv", "6"),
        // Whatever the case it is written in.
        ("how many orders in orders.csv are paid", "4"),
        ("how many cancelled orders are in orders.csv", "1"),
    ] {
        assert_eq!(answer(&place, request).trim(), expected, "{request}");
    }
}

#[test]
fn tables_are_right() {
    let place = with_files();
    for (request, has, lacks) in [
        ("show the first 2 rows of sales.csv", "South", "East"),
        (
            "the two largest orders in orders.csv by amount",
            "310",
            "150",
        ),
        (
            "keep only rows of orders.csv where amount is over 100 and status is paid",
            "101",
            "220",
        ),
        ("group sales.csv by region and sum revenue", "1380.5", "Pen"),
        ("the last 2 rows of orders.csv", "99.5", "101"),
        (
            "join orders.csv with customers.csv on customer_id",
            "Cy",
            "c4",
        ),
        (
            "compare a.csv with b.csv and tell me what changed",
            "1 row added",
            "unknown",
        ),
        ("which columns has customers.csv", "customer_id", "Ann Ann"),
        ("the first 2 lines of notes.txt", "One two", "Five"),
    ] {
        let found = answer(&place, request);
        assert!(
            found.contains(has) && !found.contains(lacks),
            "{request}: {found}"
        );
    }
    // What is read stays as it is.
    assert_eq!(
        answer(&place, "remove duplicates from contacts.csv")
            .matches("Ann")
            .count(),
        1
    );
    assert_eq!(place.read("contacts.csv").matches("Ann").count(), 2);
}

#[test]
fn files_are_written_where_the_request_says_so() {
    let place = with_files();
    answer(
        &place,
        "sort sales.csv by revenue descending and save it as top.csv",
    );
    let top = place.read("top.csv");
    assert!(top.lines().nth(1).unwrap().contains("Lamp"), "{top}");
    // Rows that are copied stay as they are written.
    assert!(top.contains("\"1,200\""), "{top}");
    answer(&place, "convert data.json to csv");
    assert_eq!(place.read("data.csv"), "k,v\n1,a\n2,b\n");
}

#[test]
fn what_is_not_there_or_not_clear_is_told() {
    let place = with_files();
    for (request, code, words) in [
        ("sort nothing.csv by x", "no-plan", "nothing.csv"),
        ("show the late orders in orders.csv", "no-plan", "late"),
        (
            "how many files are in src that nobody needs",
            "no-plan",
            "nobody needs",
        ),
        (
            "change the status open to pending in orders.csv and save as pending.csv",
            "no-plan",
            "pending",
        ),
        ("what is the average in sales.csv", "answer-needed", "units"),
    ] {
        let ran = place.run(&format!("ask '{request}' --auto --quiet --grant-folder ."));
        assert_eq!(
            ran.code,
            Some(2).filter(|_| code == "answer-needed").or(Some(1)),
            "{ran}"
        );
        assert!(
            ran.stderr.contains(&format!("error[{code}]")),
            "{request}: {ran}"
        );
        assert!(ran.stderr.contains(words), "{request}: {ran}");
    }
}

#[test]
fn an_open_question_is_answered_by_a_flag() {
    let place = with_files();
    let ran = place.run(
        "ask 'what is the average in sales.csv' --answer units --auto --quiet --grant-folder .",
    );
    assert!(ran.stdout.trim().starts_with("4.16"), "{ran}");
}

#[test]
fn a_request_goes_on_with_the_last_answer() {
    let place = with_files();
    answer(&place, "show the orders in orders.csv with amount over 90");
    let ran = place
        .run("ask 'now only those with status open' --after last --auto --quiet --grant-folder .");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(
        ran.stdout.contains("220") && !ran.stdout.contains("150"),
        "{ran}"
    );
}

#[test]
fn the_same_request_takes_the_same_plan() {
    let place = with_files();
    let chosen = || {
        let ran = place.run("ask 'how many rows has orders.csv' --auto --quiet --json");
        let lines = ran.lines();
        let line = lines.iter().find(|line| line["event"] == "auto_selected");
        line.unwrap()["plan"].clone()
    };
    assert_eq!(chosen(), chosen());
}

#[test]
fn why_tells_what_each_part_was_read_as_and_what_serves_it() {
    let place = with_files();
    let ran = place.run("plan 'how many cancelled orders are in orders.csv' --why");
    assert_eq!(ran.code, Some(0), "{ran}");
    let parts: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.contains('→'))
        .collect();
    let filter = parts.iter().find(|line| line.contains("filters: "));
    let filter = filter.unwrap_or_else(|| panic!("{ran}"));
    assert!(
        filter.contains("status") && filter.contains("cancelled"),
        "{filter}"
    );
    assert!(filter.ends_with("→ data_select, where"), "{filter}");
}

#[test]
fn a_template_whose_objective_has_words_of_the_request_is_near_to_it() {
    let place = with_files();
    let ran = place.run("plan 'make a grumpy inventory of every sitemap' --json");
    let near = ran.stdout.lines().find(|line| line.contains("\"no_plan\""));
    let near: serde_json::Value = serde_json::from_str(near.unwrap_or_default()).unwrap();
    let names: Vec<&str> = near["near"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert!(names.contains(&"sitemap-inventory"), "{ran}");
}
