//! Which steps does a wish about rows and files lead to, and with which arguments? Over the
//! built-in tools, as an outline; and over another catalogue, by its schemas alone.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "rows/known.rs"]
mod known;

use std::sync::{Arc, LazyLock};

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_planner::catalogue::Catalogue;
use holloway_planner::generate::{Drafted, GenerateSettings, generate};
use holloway_planner::recall::Recall;
use holloway_planner::request::surroundings::Surroundings;
use holloway_planner::request::{analyse, analyse_in};
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;
use serde_json::{Value, json};

static BUILTIN: LazyLock<Catalogue> = LazyLock::new(|| {
    let lines = include_str!("data/builtin-tools.jsonl").lines();
    catalogue(lines.map(|line| serde_json::from_str::<ToolSpec>(line).unwrap()))
});

fn catalogue(tools: impl IntoIterator<Item = ToolSpec>) -> Catalogue {
    Catalogue::new(tools.into_iter().map(|tool| {
        let entry = Entry {
            id: tool.id.to_string(),
            name: tool.id.name().to_owned(),
            server: String::new(),
            description: format!("{}. {}", tool.title, tool.description),
            category: tool.category.clone(),
            parameters: Vec::new(),
        };
        let entry = entry.with_schema(&tool.input_schema);
        (tool, entry, Repute::default())
    }))
}

fn drafts(request: &str, catalogue: &Catalogue, known: &Surroundings) -> Vec<Drafted> {
    let analysis = analyse_in(request, catalogue, known);
    let sequences = Recall::new(Arc::clone(catalogue.index())).propose(request, 3);
    generate(
        &analysis,
        catalogue,
        &sequences,
        &GenerateSettings::default(),
    )
}

/// One line per step: the tool and the arguments that are no mere reference to data.
fn outline(request: &str, catalogue: &Catalogue) -> Vec<String> {
    outline_in(request, catalogue, &Surroundings::default())
}

fn outline_in(request: &str, catalogue: &Catalogue, known: &Surroundings) -> Vec<String> {
    let drafts = drafts(request, catalogue, known);
    let balanced = drafts.iter().find(|drafted| drafted.strategy == "balanced");
    let mut lines = Vec::new();
    if let Some(balanced) = balanced {
        balanced.draft.walk(&mut |step| {
            let tool = step.tool.clone().unwrap_or_default();
            let input = step.input.clone().unwrap_or(json!({}));
            let is_told = |name: &str, value: &Value| {
                let text = value.to_string();
                !text.contains("{{") || name == "value" || text.contains("input.column")
            };
            let said = input.as_object().into_iter().flatten();
            let said = said.filter(|(name, value)| is_told(name, value));
            let said: Vec<String> = said
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            lines.push(format!("{tool} {}", said.join(" ")).trim_end().to_owned());
        });
    }
    lines
}

#[track_caller]
fn check(request: &str, expected: &[&str]) {
    assert_eq!(outline(request, &BUILTIN), expected, "{request}");
}

#[test]
fn rows_and_lines_are_taken_from_either_end() {
    check(
        "the last 2 rows of sales.csv",
        &["csv-read", "data-select last=2"],
    );
    check(
        "rows 2 to 4 of sales.csv",
        &["csv-read", "data-select offset=1 limit=3"],
    );
    check(
        "first 3 lines of todo.txt",
        &[
            "file-read",
            r#"echo value="{{ (file_read.content | lines)[:3] | join('\\n') }}""#,
        ],
    );
    check(
        "how many files in src/ mention parse",
        &[
            r#"file-search query="parse" path="src/" ignore_case=true"#,
            r#"echo value="{{ file_search.files }}""#,
        ],
    );
}

#[test]
fn rows_are_written_line_by_line() {
    let drafts = drafts(
        "save sales.csv as JSON lines",
        &BUILTIN,
        &Surroundings::default(),
    );
    let written = drafts[0].draft.steps.last().unwrap();
    assert_eq!(written.tool.as_deref(), Some("file-write"));
    let input = written.input.as_ref().unwrap();
    let content = input["content"].as_str().unwrap();
    assert_eq!(
        content,
        "{{ csv_read.rows | map('tojson') | join('\\n') }}\n"
    );
    assert!(
        input["path"]
            .as_str()
            .unwrap()
            .ends_with("-json-lines.jsonl"),
        "{input}"
    );
}

#[test]
fn rows_are_chosen_and_ordered() {
    check(
        "sort sales.csv by revenue descending and save it as top.csv",
        &[
            "csv-read numbers=false",
            r#"data-select sort=[{"column":"revenue","descending":true}]"#,
            "csv-write",
        ],
    );
    check(
        "show the first 2 rows of sales.csv",
        &["csv-read", "data-select limit=2"],
    );
    check(
        "the ten largest orders in orders.csv by amount",
        &[
            "csv-read",
            "data-load",
            r#"data-select sort=[{"column":"amount","descending":true}] limit=10"#,
        ],
    );
    check(
        "keep only rows of orders.csv where amount is over 100 and status is paid",
        &[
            "csv-read",
            "data-load",
            r#"data-select where=[{"column":"amount","op":"gt","value":100},{"column":"status","op":"eq","value":"paid"}] ignore_case=true"#,
        ],
    );
    check(
        "remove duplicates from contacts.csv",
        &["csv-read", "data-select distinct=true"],
    );
    check(
        "rename column qty to quantity in a.csv",
        &["csv-read", r#"data-select rename={"qty":"quantity"}"#],
    );
}

#[test]
fn figures_are_the_last_step() {
    check(
        "how many rows of sales.csv have region North",
        &[
            "csv-read",
            "data-load",
            r#"data-select ignore_case=true where=[{"column":"region","op":"eq","value":"North"}]"#,
            r#"echo value="{{ data_select.count }}""#,
        ],
    );
    check(
        "how many rows has prices.csv",
        &["csv-read", r#"echo value="{{ csv_read.count }}""#],
    );
    check(
        "count the words in notes.txt",
        &[
            "file-read",
            "text-stats",
            r#"echo value="{{ text_stats.words }}""#,
        ],
    );
    check(
        "which columns has sales.csv",
        &["csv-read", r#"echo value="{{ csv_read.columns }}""#],
    );
    check(
        "what is the average price in products.csv",
        &[
            "csv-read",
            "data-load",
            r#"data-group aggregates=[{"column":"price","function":"mean","as":"average_price"}]"#,
            r#"echo value="{{ data_group.rows[0].average_price }}""#,
        ],
    );
    // Which column holds what is said, only the person can tell.
    check(
        "how many orders in orders.csv are paid",
        &[
            "csv-read",
            "data-load",
            r#"data-select ignore_case=true where=[{"column":"{{ input.column }}","op":"eq","value":"paid"}]"#,
            r#"echo value="{{ data_select.count }}""#,
        ],
    );
}

#[test]
fn groups_are_summed_up_and_drawn() {
    check(
        "average price per category in products.csv",
        &[
            "csv-read",
            "data-load",
            r#"data-group by=["category"] aggregates=[{"column":"price","function":"mean","as":"average_price"}]"#,
        ],
    );
    check(
        "group sales.csv by region and sum revenue, then make a bar chart",
        &[
            "csv-read",
            "data-load",
            r#"data-group by=["region"] aggregates=[{"column":"revenue","function":"sum","as":"total_revenue"}]"#,
            r#"chart-draw kind="bar" x="region" y="total_revenue""#,
        ],
    );
    check(
        "total revenue by month from sales.csv as a table",
        &[
            "csv-read",
            "data-load",
            r#"data-resample period="month" aggregates=[{"column":"revenue","function":"sum","as":"total_revenue"}]"#,
        ],
    );
    check(
        "top 2 regions by total revenue in sales.csv",
        &[
            "csv-read",
            "data-load",
            r#"data-group by=["regions"] aggregates=[{"column":"revenue","function":"sum","as":"total_revenue"}]"#,
            r#"data-select sort=[{"column":"total_revenue","descending":true}] limit=2"#,
        ],
    );
    check(
        "plot price over time from prices.csv",
        &[
            "csv-read",
            "data-load",
            r#"chart-draw kind="line" y="price""#,
        ],
    );
    check(
        "find outliers in prices.csv",
        &["csv-read", "data-load", r#"data-outliers column="*""#],
    );
}

#[test]
fn tables_meet_and_change_their_kind() {
    check(
        "merge a.csv and b.csv",
        &["csv-read", "csv-read", "data-stack"],
    );
    check(
        "join orders.csv with customers.csv on customer_id",
        &["csv-read", "csv-read", r#"data-join on=["customer_id"]"#],
    );
    check(
        "compare a.csv with b.csv and tell me what changed",
        &["csv-read", "csv-read", "data-changes"],
    );
    check("convert sales.csv to xlsx", &["csv-read", "xlsx-write"]);
    check(
        "convert data.json to csv",
        &["file-read", "data-load", "csv-write"],
    );
}

#[test]
fn columns_are_left_out_and_all_others_stay() {
    check(
        "drop the column zip from contacts.csv and save the rest as c2.csv",
        &[
            "csv-read numbers=false",
            r#"data-select drop=["zip"]"#,
            "csv-write",
        ],
    );
}

#[test]
fn tables_of_a_folder_become_one() {
    check(
        "merge all csv files in data/ into one file called all.csv",
        &[
            r#"file-list limit=100000 path="data/""#,
            r#"data-select ignore_case=true where=[{"column":"kind","op":"eq","value":"file"},{"column":"path","op":"ends_with","value":".csv"}]"#,
            "",
            "csv-read numbers=false",
            "data-stack",
            "csv-write",
        ],
    );
}

#[test]
fn a_word_is_counted_as_often_as_it_stands_there() {
    check(
        "how many times does the word \"logo\" appear in notes.txt?",
        &[
            "file-read",
            r#"text-extract limit=100000 pattern="\\blogo\\b" ignore_case=true"#,
            r#"echo value="{{ text_extract.count }}""#,
        ],
    );
}

#[test]
fn folders_are_looked_through() {
    check(
        "find all TODO comments in the src folder",
        &[r#"file-search query="TODO" path="src""#],
    );
    check(
        "list the five largest files in this folder",
        &[
            "file-list limit=100000",
            r#"data-select ignore_case=true where=[{"column":"kind","op":"eq","value":"file"}] sort=[{"column":"size","descending":true}] limit=5"#,
        ],
    );
    // A list says how many it holds.
    let listed = outline("list all json files in this folder", &BUILTIN);
    assert_eq!(listed.len(), 2);
    let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    check("list all json files in this folder and count them", &listed);
}

/// Requests that are not about tables are not drawn to the tools for them.
#[test]
fn other_requests_are_planned_by_their_words() {
    for request in [
        "sort out my notes",
        "the first thing to do",
        "summarise notes.txt",
        "how many people live in Oslo",
        "compare the prices of two shops",
    ] {
        let analysis = analyse(request, &BUILTIN);
        assert_eq!(analysis.conditions, [], "{request}");
        let tools = outline(request, &BUILTIN);
        let is_told = |line: &String| line.starts_with("data-") && line.contains('=');
        assert!(!tools.iter().any(is_told), "{request}: {tools:?}");
    }
}

/// Nothing here knows our tools: another catalogue is bound by its schemas alone.
#[test]
fn other_catalogues_are_told_in_their_own_words() {
    let rows = json!({"type": "array", "items": {"type": "object"}});
    let gives = json!({"type": "object", "required": ["records"], "properties": {"records": rows}});
    let tool = |name: &str, description: &str, input: Value| {
        let mut tool = ToolSpec::named(format!("mcp.grid/{name}"))
            .with_effect(Effect::Read)
            .with_input(input)
            .with_output(gives.clone());
        tool.description = description.to_owned();
        tool
    };
    let tools = [
        tool(
            "csv_open",
            "Opens a CSV file",
            json!({"type": "object", "required": ["file"], "properties": {"file": {"type": "string"}}}),
        ),
        tool(
            "order_records",
            "Orders records",
            json!({"type": "object", "required": ["records", "order_by"], "properties": {
                "records": rows, "order_by": {"type": "string"}, "direction": {"type": "string", "enum": ["asc", "desc"]}, "top": {"type": "integer"}}}),
        ),
        tool(
            "filter_records",
            "Filters records",
            json!({"type": "object", "required": ["records", "filters"], "properties": {
                "records": rows, "filters": {"type": "array", "items": {"type": "object", "properties": {
                    "field": {"type": "string"}, "operator": {"type": "string", "enum": ["==", ">", "<"]}, "value": {}}}}}}),
        ),
    ];
    let grid = catalogue(tools);
    let request = "show the 3 largest orders in orders.csv by amount where status is paid";
    assert_eq!(
        outline(request, &grid),
        [
            "csv_open",
            r#"filter_records filters=[{"field":"status","operator":"==","value":"paid"}]"#,
            r#"order_records direction="desc" order_by="amount" top=3"#,
        ]
    );
}
