//! Does every error people can meet have a page, and every page an error?

use std::collections::{BTreeMap, BTreeSet};

use holloway_plan::problem::Code;

use super::tree::{assert_none, read, texts};

const PAGES: &str = "docs/errors/";

/// Every code, with the place that gives it out.
fn codes() -> BTreeMap<String, String> {
    let mut codes = BTreeMap::new();
    let plan = "crates/holloway-plan/src/problem.rs";
    codes.extend(Code::ALL.map(|code| (code.as_str().to_owned(), plan.to_owned())));
    for file in ["store/src/error.rs", "sources/src/lib.rs"] {
        let file = format!("crates/holloway-{file}");
        let arms = function(&read(&file), "fn code(");
        codes.extend(quoted(&arms).map(|code| (code.to_owned(), file.clone())));
    }
    let failures = "crates/holloway-engine/src/failure.rs";
    let names = function(&read(failures), "fn as_str(");
    let page = |name: &str| format!("failure-{}", name.to_lowercase().replace(' ', "-"));
    codes.extend(quoted(&names).map(|name| (page(name), failures.to_owned())));
    for file in texts()
        .iter()
        .filter(|file| file.is_source() && file.path.starts_with("crates/holloway-cli/"))
    {
        codes.extend(told(&file.text).map(|code| (code, file.path.clone())));
    }
    codes
}

fn pages() -> BTreeSet<String> {
    let pages = texts().into_iter().filter_map(|file| {
        let page = file.path.strip_prefix(PAGES)?.strip_suffix(".md")?;
        (page != "README").then(|| page.to_owned())
    });
    pages.collect()
}

#[test]
fn every_error_has_a_page() {
    let pages = pages();
    let unexplained: Vec<String> = codes()
        .into_iter()
        .filter(|(code, _)| !pages.contains(code))
        .map(|(code, place)| format!("{PAGES}{code}.md is missing ({place})"))
        .collect();
    assert_none(
        &unexplained,
        "Write the page: what happened, how to repair it.",
    );
}

#[test]
fn every_page_has_an_error() {
    let codes = codes();
    let orphans: Vec<String> = pages()
        .into_iter()
        .filter(|page| !codes.contains_key(page))
        .map(|page| format!("{PAGES}{page}.md explains a code that nothing gives out"))
        .collect();
    assert_none(&orphans, "Remove the page, or correct its name.");
}

/// From the head of a function to the end of its body.
fn function(source: &str, head: &str) -> String {
    let from = source
        .find(head)
        .unwrap_or_else(|| panic!("there is no `{head}`"));
    source[from..].split("\n    }\n").next().unwrap().to_owned()
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// The codes that a command's errors are made with: the first argument of `usage` and `failed`.
fn told(source: &str) -> impl Iterator<Item = String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let makers = [
        "Error::usage(",
        "Error::failed(",
        "Self::usage(",
        "Self::failed(",
    ];
    let after = makers
        .into_iter()
        .flat_map(move |maker| source.split(maker).skip(1));
    let code = after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
    code.map(str::to_owned)
}
