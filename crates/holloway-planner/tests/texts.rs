//! Which steps does a wish about texts and files lead to, and what is written where? Over the
//! built-in tools, one line per step with its arguments, inputs by their values.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::{Arc, LazyLock};

use holloway_plan::tool::ToolSpec;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::generate::{Drafted, GenerateSettings, generate, missing};
use holloway_planner::recall::Recall;
use holloway_planner::request::analyse;
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;
use serde_json::Value;

static BUILTIN: LazyLock<Catalogue> = LazyLock::new(|| {
    let lines = include_str!("data/builtin-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str::<ToolSpec>(line).unwrap());
    Catalogue::new(tools.map(|tool| {
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
});

fn drafts(request: &str) -> Vec<Drafted> {
    let analysis = analyse(request, &BUILTIN);
    let sequences = Recall::new(Arc::clone(BUILTIN.index())).propose(request, 3);
    let settings = GenerateSettings::default();
    generate(&analysis, &BUILTIN, &sequences, &settings)
}

fn outline(request: &str) -> Vec<String> {
    let drafts = drafts(request);
    let balanced = drafts.iter().find(|drafted| drafted.strategy == "balanced");
    let draft = &balanced
        .unwrap_or_else(|| panic!("{request}: no plan"))
        .draft;
    let inputs = draft
        .input
        .as_ref()
        .and_then(|input| input["properties"].as_object());
    let inputs = inputs.cloned().unwrap_or_default();
    let mut lines = Vec::new();
    draft.walk(&mut |step| {
        let Some(tool) = &step.tool else {
            return;
        };
        let mut line = tool.clone();
        for (name, value) in step.input.iter().filter_map(Value::as_object).flatten() {
            let mut value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            for (input, shape) in &inputs {
                let given = &shape["default"];
                let given = given
                    .as_str()
                    .map_or_else(|| given.to_string(), str::to_owned);
                value = value.replace(&format!("{{{{ input.{input} }}}}"), &given);
            }
            line = format!("{line} {name}={value}");
        }
        lines.push(line);
    });
    lines
}

#[track_caller]
fn check(request: &str, expected: &[&str]) {
    assert_eq!(outline(request), expected, "{request}");
}

/// What is told not to be done.
fn refused(request: &str) -> String {
    let drafts = drafts(request);
    assert!(drafts.is_empty(), "{request}: {drafts:?}");
    let missing = missing(&analyse(request, &BUILTIN), &BUILTIN);
    let parts = missing.into_iter().map(|part| part.capability);
    parts.collect::<Vec<_>>().join("; ")
}

#[test]
fn a_file_that_is_named_is_written_whole() {
    check(
        "Replace \"logo\" with \"emblem\" in notes.txt and save the result as notes2.txt",
        &[
            "file-read path=notes.txt",
            "text-replace text={{ file_read.content }} pattern=logo replacement=emblem",
            "file-write content={{ text_replace.text }} path=notes2.txt",
        ],
    );
    check(
        "append \"bye\" to draft1.txt and then count its lines",
        &[
            "file-append content=bye\n path=draft1.txt",
            "file-read path=draft1.txt",
            "text-stats text={{ file_read.content }}",
            "echo value={{ text_stats.lines }}",
        ],
    );
    check(
        "create a file called hello.txt containing \"Hello world\"",
        &["file-write content=Hello world path=hello.txt"],
    );
    check("empty notes.txt", &["file-write content= path=notes.txt"]);
}

#[test]
fn what_is_written_is_what_was_asked_for() {
    check(
        "write the number of rows of orders.csv into count.txt",
        &[
            "csv-read path=orders.csv",
            "echo value={{ csv_read.count }}",
            "file-write content={{ echo }}\n path=count.txt",
        ],
    );
    check(
        "save the number of words in notes.txt to words.txt",
        &[
            "file-read path=notes.txt",
            "text-stats text={{ file_read.content }}",
            "file-write content={{ text_stats.words }}\n path=words.txt",
        ],
    );
    check(
        "read notes.txt and write a summary of it to summary.txt",
        &[
            "file-read path=notes.txt",
            "text-summarise text={{ file_read.content }}",
            "file-write content={{ text_summarise.summary }} path=summary.txt",
        ],
    );
    check(
        "summarise notes.txt, then save the summary as s.txt and count its words",
        &[
            "file-read path=notes.txt",
            "text-summarise text={{ file_read.content }}",
            "file-write content={{ text_summarise.summary }} path=s.txt",
            "text-stats text={{ text_summarise.summary }}",
            "echo value={{ text_stats.words }}",
        ],
    );
    check(
        "send an email to ann@example.com with the summary of notes.txt",
        &[
            "file-read path=notes.txt",
            "text-summarise text={{ file_read.content }}",
            "email-send to=ann@example.com subject=Summary of notes.txt text={{ text_summarise.summary }}",
        ],
    );
    check(
        "find all lines with TODO in notes.txt and write them to todo.txt",
        &[
            "file-search query=TODO path=notes.txt",
            "file-write content={% for found in file_search.matches %}{{ found.text }}\n{% endfor %} path=todo.txt",
        ],
    );
    check(
        "turn readme.md into an HTML page named readme.html",
        &[
            "file-read path=readme.md",
            "html-write markdown={{ file_read.content }} path=readme.html",
        ],
    );
}

#[test]
fn two_files_are_two_steps() {
    check(
        "what changed between draft1.txt and draft2.txt?",
        &[
            "file-read path=draft1.txt",
            "file-read path=draft2.txt",
            "text-diff before={{ file_read.content }} after={{ file_read_2.content }}",
        ],
    );
    check(
        "delete draft1.txt and draft2.txt",
        &["file-delete path=draft1.txt", "file-delete path=draft2.txt"],
    );
    check(
        "read a.json, wait 6 seconds and then read b.json",
        &[
            "file-read path=a.json",
            "sleep ms=6000",
            "file-read path=b.json",
        ],
    );
    check(
        "overwrite draft2.txt with the contents of draft1.txt",
        &[
            "file-read path=draft1.txt",
            "file-write content={{ file_read.content }} path=draft2.txt",
        ],
    );
}

#[test]
fn a_file_that_is_only_read_is_not_changed() {
    check(
        "sort the lines of draft1.txt alphabetically",
        &[
            "file-read path=draft1.txt",
            "echo value={{ (file_read.content | lines) | sort | join('\\n') }}",
        ],
    );
    for request in [
        "shuffle the lines of draft1.txt",
        "If orders.csv has more than 50 rows, write \"big\" into size.txt, otherwise write \"small\"",
    ] {
        for drafted in drafts(request) {
            let text = drafted.draft.steps.iter();
            let writes = text.filter(|step| {
                let tool = step.tool.as_deref().unwrap_or_default();
                tool.ends_with("-write") || tool.ends_with("-append")
            });
            let paths = writes.filter_map(|step| step.input.as_ref()?["path"].as_str());
            let paths: Vec<&str> = paths.filter(|path| *path == "{{ input.path }}").collect();
            assert_eq!(paths, Vec::<&str>::new(), "{request}");
        }
    }
}

#[test]
fn each_file_that_is_found_is_meant() {
    let request = "find all files in notes containing the word \"pond\" and delete them";
    check(
        request,
        &[
            "file-search query=pond path=notes ignore_case=true",
            "data-select distinct_by=[\"path\"] ignore_case=true rows={{ file_search.matches }}",
            "file-delete path={{ one_file.path }}",
        ],
    );
    let lines = outline("count the words in every txt file in the notes folder");
    let tools: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let expected = [
        "file-list",
        "data-select",
        "file-read",
        "text-stats",
        "echo",
    ];
    assert_eq!(tools, expected);
}

#[test]
fn what_is_beyond_the_tools_is_told() {
    let chart = refused("plot temperature over day from temps.csv as a line chart in temp.png");
    assert!(chart.contains("name it temp.svg"), "{chart}");
    let open = refused("open notes.txt in Word");
    assert_eq!(open, "open notes.txt in Word");
    let longest = refused("what is the longest line in notes.txt?");
    assert!(longest.contains("longest line"), "{longest}");
    let cut = refused("remove the first line of notes.txt");
    assert_eq!(cut, "remove the first line of notes.txt");
}

#[test]
fn a_chart_is_called_as_the_request_says() {
    let request = "draw a bar chart of average salary per department from employees.csv and save it as salaries.svg";
    let lines = outline(request);
    assert!(
        lines.last().unwrap().contains("path=salaries.svg"),
        "{lines:?}"
    );
}

#[test]
fn pages_are_written_in_the_form_that_the_file_is_for() {
    check(
        "save the text of http://127.0.0.1:8080/ as page.txt",
        &[
            "page-fetch url=http://127.0.0.1:8080/",
            "html-text html={{ page_fetch.html }}",
            "file-write content={{ html_text.text }} path=page.txt",
        ],
    );
    check(
        "fetch http://127.0.0.1:8080/ and save it as page.md",
        &[
            "page-fetch url=http://127.0.0.1:8080/",
            "html-to-markdown html={{ page_fetch.html }}",
            "file-write content={{ html_to_markdown.markdown }} path=page.md",
        ],
    );
    check(
        "download http://127.0.0.1:8080/ to \"my page.html\"",
        &[
            "page-fetch url=http://127.0.0.1:8080/",
            "file-write content={{ page_fetch.html }} path=my page.html",
        ],
    );
}

#[test]
fn names_of_new_files_have_blanks() {
    check(
        "write \"Hello\" to hello there.txt",
        &["file-write content=Hello path=hello there.txt"],
    );
    check(
        "count the words on http://127.0.0.1:8080/ and write the number to my count.txt",
        &[
            "page-fetch url=http://127.0.0.1:8080/",
            "html-text html={{ page_fetch.html }}",
            "text-stats text={{ html_text.text }}",
            "file-write content={{ text_stats.words }}\n path=count.txt",
        ],
    );
}

#[test]
fn what_came_before_is_saved_and_not_what_is_quoted() {
    check_last(
        "replace \"color\" with \"colour\" in letter.txt and save it",
        "file-write content={{ text_replace.text }} path=out/replace-color.txt",
    );
}

#[test]
fn some_days_are_beyond_the_tools() {
    for request in [
        "how many working days between 2024-12-20 and 2025-01-06",
        "what is the last day of February 2024",
    ] {
        assert_eq!(refused(request), request);
    }
}

/// The last step of the balanced plan.
#[track_caller]
fn check_last(request: &str, expected: &str) {
    assert_eq!(outline(request).last().unwrap(), expected, "{request}");
}

#[test]
fn what_was_found_goes_into_files_as_rows_data_or_a_report() {
    check_last(
        "list the links of http://127.0.0.1:8080/ and save them as links.json",
        "file-write path=links.json content={{ links_extract | tojson(true) }}",
    );
    check_last(
        "audit the SEO of http://127.0.0.1:8080/ and save it as audit.html",
        "report-write report={{ report_build.report }} path=audit.html",
    );
    for (file, tool) in [("audit.csv", "csv-write"), ("audit.xlsx", "xlsx-write")] {
        let request =
            format!("audit http://127.0.0.1:8080/ for SEO and save the findings as {file}");
        let steps = outline(&request);
        let checks: Vec<&String> = steps
            .iter()
            .filter(|step| step.ends_with("pages={{ pages_fetch.pages }}"))
            .collect();
        assert!(checks.len() > 1, "{steps:?}");
        let found = checks.iter().map(|step| {
            let (check, _) = step.split_once(' ').unwrap();
            format!("{}.findings", check.replace('-', "_"))
        });
        let rows = found.collect::<Vec<_>>().join(" + ");
        let last = steps.last().unwrap();
        assert!(last.starts_with(tool), "{last}");
        assert!(last.contains(&format!("rows={{{{ {rows} }}}}")), "{last}");
        assert!(last.contains(&format!("path={file}")), "{last}");
    }
}

#[test]
fn a_file_that_is_yet_to_be_written_is_not_read() {
    for request in [
        "audit the SEO of http://127.0.0.1:8080/ and save it as audit.html",
        "list the links of http://127.0.0.1:8080/ and save them as links.json",
        "extract the links from http://127.0.0.1:8080/ to links.csv",
    ] {
        let steps: Vec<String> = drafts(request)
            .iter()
            .flat_map(|drafted| drafted.steps.iter().map(|step| step.tool.clone()))
            .collect();
        let reads = steps.iter().any(|step| step.ends_with("file-read"));
        assert!(!reads, "{request}: {steps:?}");
    }
}
