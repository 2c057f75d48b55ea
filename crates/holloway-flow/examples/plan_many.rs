//! Does planning hold for ten thousand requests? Plans all of them over the built-in tools and 512
//! tools of other people, counts plans that are not sound and panics, and tells how long it takes.
//!
//!     cargo run --release -p holloway-flow --example plan_many -- BENCH [COUNT]
//!
//! BENCH holds `mcp-catalogue/tools.jsonl` and sets with a `requests.jsonl` each. Requests made from
//! the phrases of the lexicon fill up to COUNT, 12,000 unless said otherwise.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // reads files
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::path::{Path, PathBuf};

#[path = "plan_many/many.rs"]
mod many;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let bench = PathBuf::from(arguments.next().expect("the folder with the sets"));
    let count = arguments.next().and_then(|count| count.parse().ok());
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let planner = many::planner(&read(&bench.join("mcp-catalogue/tools.jsonl")));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench");
    let mut files: Vec<PathBuf> = [
        "requests/cases.jsonl",
        "requests/dev.jsonl",
        "everyday/dev.jsonl",
        "everyday/test.jsonl",
    ]
    .map(|file| own.join(file))
    .to_vec();
    let sets = std::fs::read_dir(&bench).expect("a folder").flatten();
    files.extend(sets.map(|set| set.path().join("requests.jsonl")));
    files.sort();
    let mut requests: Vec<String> = files
        .iter()
        .flat_map(|file| many::asked(&read(file)))
        .collect();
    let told = requests.len();
    let lacking = count.unwrap_or(12_000_usize).saturating_sub(told);
    requests.extend(many::spoken(lacking));
    println!("{told} requests of sets, {lacking} made of phrases");
    println!("{}", many::plan_all(&planner, &requests));
}
