//! Do our findings agree with those of axe-core? The pages under `tests/axe` with what
//! axe found in them, as `scripts/axe-compare --write` recorded it in Chromium.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reads its fixtures"
)]

#[path = "axe/compare.rs"]
mod compare;

use std::path::Path;

/// What both must find of what either finds.
const LEAST: f64 = 0.9;

fn check(group: &str, least_pages: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/axe")
        .join(group);
    let expected = std::fs::read_to_string(folder.join("axe.json")).unwrap();
    let expected: compare::Expected = serde_json::from_str(&expected).unwrap();
    let comparison = compare::compare(&folder, &expected);
    let total = comparison.total();
    let agreement = total.agreement();
    assert_eq!(comparison.skipped, Vec::<String>::new());
    assert!(
        comparison.pages >= least_pages,
        "{} pages",
        comparison.pages
    );
    assert!(total.both >= 100, "only {} found by both", total.both);
    assert!(
        agreement >= LEAST,
        "{group}: {:.1} % against axe-core {}\n{}",
        agreement * 100.0,
        expected.axe,
        comparison.differences.join("\n")
    );
}

#[test]
fn pages_that_were_looked_at() {
    check("tune", 25);
}

#[test]
fn pages_that_were_held_back() {
    check("held", 16);
}
