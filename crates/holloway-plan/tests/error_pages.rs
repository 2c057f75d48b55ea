//! Has every error code a page, and does the page show what really happens?

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // the pages are files

#[allow(dead_code)]
#[path = "rules/check.rs"]
mod check;

use std::path::PathBuf;

use holloway_plan::problem::Code;

fn pages() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

/// The text between the fences of the first block in a language.
fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, after) = page.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("\n```").unwrap().0
}

#[test]
fn every_code_has_its_page() {
    for code in Code::ALL {
        let page = std::fs::read_to_string(pages().join(format!("{}.md", code.as_str()))).unwrap();
        let first = page.lines().next().unwrap();
        assert!(
            first.ends_with(&format!("(`{}`)", code.as_str())),
            "{first}"
        );
        assert!(first.contains(code.title()), "{first}");
        assert!(page.contains("\n## How to mend it\n"), "{}", code.as_str());
        assert!(
            block(&page, "text").contains(code.title()),
            "{}",
            code.as_str()
        );
    }
}

#[test]
fn the_plans_on_the_pages_give_the_messages_on_the_pages() {
    // These two would need a plan of ten thousand steps, and another saved plan.
    let skipped = [Code::PlanTooLarge, Code::UnknownPlan];
    for code in Code::ALL.into_iter().filter(|code| !skipped.contains(code)) {
        let page = std::fs::read_to_string(pages().join(format!("{}.md", code.as_str()))).unwrap();
        let found = check::found(block(&page, "yaml"));
        assert!(
            found.contains(block(&page, "text")),
            "{}:\n{found}",
            code.as_str()
        );
    }
}
