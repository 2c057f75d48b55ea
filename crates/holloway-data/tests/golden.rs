//! Are the figures those of SciPy, NumPy and pandas? The files in `golden` were written
//! by `scripts/scipy-compare --golden` from what those libraries say; `within` is how
//! near each figure must come, 1e-9 of its size unless rounding makes more uncertain.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use holloway_data::question::ask_by_name;
use serde_json::Value;

/// Every answer to one tool's cases; returns how many comparisons were made.
fn check(tool: &str, text: &str) -> usize {
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    let mut count = 0;
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let answer = ask_by_name(tool, &case["arguments"]).unwrap();
        let answer = answer.unwrap_or_else(|error| panic!("{tool}, {name}: {error}"));
        for expected in case["checks"].as_array().unwrap() {
            let at = expected["at"].as_str().unwrap();
            let found = answer
                .pointer(at)
                .unwrap_or_else(|| panic!("{tool}, {name}: no {at}"));
            assert!(
                is_near(found, &expected["expected"], expected["within"].as_f64()),
                "{tool}, {name}, {at}: {found} instead of {}",
                expected["expected"]
            );
            count += 1;
        }
    }
    count
}

fn is_near(found: &Value, expected: &Value, within: Option<f64>) -> bool {
    match (found.as_f64(), expected.as_f64(), within) {
        (Some(found), Some(expected), Some(within)) => (found - expected).abs() <= within,
        _ => found == expected,
    }
}

#[test]
fn figures_are_those_of_scipy_and_pandas() {
    let files = [
        ("data-compare", include_str!("golden/data-compare.json")),
        ("data-correlate", include_str!("golden/data-correlate.json")),
        ("data-describe", include_str!("golden/data-describe.json")),
        ("data-group", include_str!("golden/data-group.json")),
        ("data-histogram", include_str!("golden/data-histogram.json")),
        ("data-join", include_str!("golden/data-join.json")),
        ("data-outliers", include_str!("golden/data-outliers.json")),
        ("data-resample", include_str!("golden/data-resample.json")),
        ("data-trend", include_str!("golden/data-trend.json")),
    ];
    for (tool, text) in files {
        let count = check(tool, text);
        assert!(count >= 20, "{tool} has only {count} comparisons");
    }
}

#[test]
fn a_figure_that_is_off_is_noticed() {
    let (one, near) = (Value::from(1.0), Value::from(1.0 + 2e-9));
    assert!(is_near(&one, &one, Some(1e-9)));
    assert!(!is_near(&near, &one, Some(1e-9)));
    assert!(!is_near(&Value::Null, &one, Some(1e-9)));
}
