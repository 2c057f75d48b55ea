//! How good is the search on a set of requests, and how long does one take? Without
//! building the program: `hit_rates TOOLS.jsonl REQUESTS.jsonl [TABLE.bin]`.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "this measures, and shows what it measured"
)]

use std::borrow::Cow;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use holloway_search::baseline::Method;
use holloway_search::index::Index;
use holloway_search::lines;
use holloway_search::measure::{DEPTHS, Measure, Places, wanted};
use holloway_search::table::Table;

/// How often each request is asked.
const TIMES: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args().skip(1);
    let (Some(tools), Some(requests)) = (files.next(), files.next()) else {
        return Err("expected TOOLS.jsonl REQUESTS.jsonl [TABLE.bin]".into());
    };
    let table = match files.next() {
        Some(file) => Arc::new(Table::read(Cow::Owned(std::fs::read(file)?))?),
        None => Table::shipped(),
    };
    let entries = lines::tools(&std::fs::read_to_string(tools)?)?;
    let requests = lines::requests(&std::fs::read_to_string(requests)?)?;
    let index = Index::with_table(entries, table);
    for method in Method::ALL {
        println!("{}", row(method, &index, &requests));
    }
    Ok(())
}

fn row(method: Method, index: &Index, requests: &[lines::Request]) -> String {
    let places = Places::of(index.entries());
    let depth = DEPTHS.into_iter().max().unwrap_or_default();
    let mut measure = Measure::default();
    let mut times: Vec<u128> = Vec::new();
    for request in requests {
        let search = || method.search(index, &request.query, depth);
        measure.add(&search(), &wanted(request, &places));
        times.push(fastest(search));
    }
    times.sort_unstable();
    let within = |share: usize| {
        times
            .get(times.len() * share / 100)
            .copied()
            .unwrap_or_default()
    };
    let measure = measure.mean();
    let [one, five, ten, _] = measure.recall.map(|recall| recall * 100.0);
    format!(
        "{:26} {one:.1} / {five:.1} / {ten:.1} / {:.1}  {} requests, p50 {} µs, p99 {} µs",
        method.as_str(),
        measure.ndcg * 100.0,
        measure.requests,
        within(50),
        within(99)
    )
}

/// In microseconds. Other programs can only make a search slower.
fn fastest(search: impl Fn() -> Vec<usize>) -> u128 {
    let times = (0..TIMES).map(|_| {
        let begin = Instant::now();
        black_box(search());
        begin.elapsed().as_micros()
    });
    times.min().unwrap_or_default()
}
