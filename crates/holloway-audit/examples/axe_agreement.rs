//! How far do we agree with axe-core? Prints the agreement for a folder of pages and what
//! axe found there: `axe_agreement <folder> <axe.json> [--differences]`.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]
#![allow(clippy::disallowed_methods)]

#[path = "../tests/axe/compare.rs"]
mod compare;

use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, expected, rest @ ..] = arguments.as_slice() else {
        panic!("usage: axe_agreement <folder> <axe.json> [--differences]");
    };
    let expected = std::fs::read_to_string(expected).unwrap();
    let expected: compare::Expected = serde_json::from_str(&expected).unwrap();
    let comparison = compare::compare(Path::new(folder), &expected);
    let show = |name: &str, count: compare::Count| {
        let percent = count.agreement() * 100.0;
        println!(
            "{name:36} {:5} {:5} {:5} {percent:6.1} %",
            count.both, count.ours, count.axe
        );
    };
    println!("{:36} {:>5} {:>5} {:>5}", "rule", "both", "ours", "axe");
    for (rule, count) in &comparison.rules {
        show(rule, *count);
    }
    show("all", comparison.total());
    println!(
        "{} pages against axe-core {}; contrast undecided: {} here, {} there",
        comparison.pages, expected.axe, comparison.undecided, comparison.unsure
    );
    for skipped in &comparison.skipped {
        println!("not compared: {skipped}");
    }
    if rest.iter().any(|argument| argument == "--differences") {
        for difference in &comparison.differences {
            println!("{difference}");
        }
    }
}
