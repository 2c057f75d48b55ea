//! Does every built-in tool say what it does? Plain words reach a tool by what it declares. Those
//! that declare nothing are listed here with the reason; plans, templates and models use them by name.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use holloway_tools::{Grants, Toolbox};

const WANTS_A_PROGRAM: &str = "needs a program, a query or a template that plain words do not hold";
const FOR_PLANS: &str = "takes values that only another step of a plan has";
const SAME: &str = "another tool does the same for a whole table, page or file";
const FOR_TESTS: &str = "stands for something else in demos and tests";

/// Tools that declare nothing, and why.
const SILENT: [(&str, &str); 29] = [
    ("shell-run", WANTS_A_PROGRAM),
    ("sqlite-execute", WANTS_A_PROGRAM),
    ("sqlite-query", WANTS_A_PROGRAM),
    ("template-render", WANTS_A_PROGRAM),
    ("html-extract", WANTS_A_PROGRAM),
    ("json-select", WANTS_A_PROGRAM),
    ("csv-format", FOR_PLANS),
    ("csv-parse", FOR_PLANS),
    ("data-compare", FOR_PLANS),
    ("http-send", FOR_PLANS),
    ("json-merge", FOR_PLANS),
    ("jsonl-append", FOR_PLANS),
    ("markdown-to-html", FOR_PLANS),
    ("webhook-send", FOR_PLANS),
    ("price-report", FOR_PLANS),
    ("accessibility-score", SAME),
    ("performance-score", SAME),
    ("security-score", SAME),
    ("seo-score", SAME),
    ("create-report", SAME),
    ("create_report", SAME),
    ("http-fetch", SAME),
    ("list-filter", SAME),
    ("list-group", SAME),
    ("list-sort", SAME),
    ("price-extract", SAME),
    ("stats-describe", SAME),
    ("echo", FOR_TESTS),
    ("fail", FOR_TESTS),
];

#[test]
fn every_tool_says_what_it_does_or_is_listed() {
    let specs = Toolbox::builtin(Grants::default()).specs();
    let silent = specs.iter().filter(|spec| spec.does.is_empty());
    let silent: BTreeSet<&str> = silent.map(|spec| spec.id.name()).collect();
    let listed: BTreeSet<&str> = SILENT.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        silent, listed,
        "declare what a new tool does, or say here why no plain words reach it"
    );
}

#[test]
fn a_line_speaks_only_of_arguments_that_the_tool_has() {
    for spec in Toolbox::builtin(Grants::default()).specs() {
        let known = spec.input_schema["properties"].as_object().unwrap();
        for does in &spec.does {
            for argument in does.arguments() {
                assert!(known.contains_key(argument), "{}: {argument}", spec.id);
            }
        }
    }
}
