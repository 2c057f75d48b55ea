//! What does a search cost? Catalogues of several sizes, recombined from tools that
//! are given, each measured in a process of its own: time to build, to ask, memory.

// A measuring program prints its table and may stop at the first surprise.
#![allow(clippy::print_stdout)]

mod catalogue;

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use holloway_search::index::Index;
use holloway_search::table::Table;
use serde::{Deserialize, Serialize};

use catalogue::Material;

#[derive(Parser)]
#[command(about = "Measures what a search costs, for catalogues of several sizes")]
struct Arguments {
    /// A folder of folders with `tools.jsonl` and `requests.jsonl`
    #[arg(long)]
    from: PathBuf,
    /// How many tools
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    sizes: Vec<usize>,
    /// How many requests for each size
    #[arg(long, default_value_t = 2_000)]
    requests: usize,
    /// How often each is asked; the fastest counts, so that other programs do not
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Measure one size in this process and print it as JSON
    #[arg(long, hide = true)]
    row: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    tools: usize,
    requests: usize,
    clauses: f64,
    table_ms: f64,
    index_ms: f64,
    p50_us: f64,
    p99_us: f64,
    /// On the processor, mean; what is left when other programs are busy too.
    processor_us: f64,
    memory_mb: f64,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(size) = arguments.row {
        let row = measure(&arguments, size)?;
        println!("{}", serde_json::to_string(&row)?);
        return Ok(());
    }
    println!(
        "{:>8} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10}",
        "tools",
        "requests",
        "clauses",
        "table ms",
        "index ms",
        "p50 µs",
        "p99 µs",
        "cpu µs",
        "memory MB"
    );
    for size in &arguments.sizes {
        let row = in_its_own_process(&arguments, *size)?;
        println!(
            "{:>8} {:>9} {:>8.1} {:>9.1} {:>9.0} {:>9.0} {:>9.0} {:>9.0} {:>10.1}",
            row.tools,
            row.requests,
            row.clauses,
            row.table_ms,
            row.index_ms,
            row.p50_us,
            row.p99_us,
            row.processor_us,
            row.memory_mb
        );
    }
    Ok(())
}

fn in_its_own_process(arguments: &Arguments, size: usize) -> Result<Row> {
    let output = Command::new(std::env::current_exe()?)
        .arg("--from")
        .arg(&arguments.from)
        .args(["--requests", &arguments.requests.to_string()])
        .args(["--repeats", &arguments.repeats.to_string()])
        .args(["--row", &size.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), said);
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn measure(arguments: &Arguments, size: usize) -> Result<Row> {
    let material = Material::read(&arguments.from)?;
    let requests = material.requests(arguments.requests);
    let entries = material.recombined(size);
    drop(material);
    let begun = Instant::now();
    let table = Table::shipped();
    let table_ms = begun.elapsed().as_secs_f64() * 1e3;
    let begun = Instant::now();
    let index = Index::with_table(entries, table);
    let index_ms = begun.elapsed().as_secs_f64() * 1e3;
    for request in requests.iter().take(100) {
        index.search(request, 20);
    }
    let mut times = Vec::new();
    let mut clauses = 0;
    let before = processor_us()?;
    for request in &requests {
        let mut fastest = f64::MAX;
        for _ in 0..arguments.repeats.max(1) {
            let begun = Instant::now();
            let query = index.read(request);
            let found = index.scores(&query).top(20);
            fastest = fastest.min(begun.elapsed().as_secs_f64() * 1e6);
            ensure!(found.len() == 20.min(size), "too few were found");
        }
        times.push(fastest);
        clauses += index.read(request).clauses.len().max(1);
    }
    let on_processor = processor_us()? - before;
    times.sort_by(f64::total_cmp);
    let at = |share: usize| {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().context("nothing was measured")
    };
    Ok(Row {
        tools: index.len(),
        requests: times.len(),
        clauses: clauses as f64 / times.len().max(1) as f64,
        table_ms,
        index_ms,
        p50_us: at(50)?,
        p99_us: at(99)?,
        processor_us: on_processor / (times.len() * arguments.repeats.max(1)).max(1) as f64,
        memory_mb: memory_mb()?,
    })
}

/// How long this process has been on a processor.
fn processor_us() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = status.split_whitespace().next();
    let nanoseconds: f64 = nanoseconds.context("the system does not tell")?.parse()?;
    Ok(nanoseconds / 1e3)
}

/// The most memory this process ever had.
fn memory_mb() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    let kilobytes: f64 = kilobytes.context("the system does not tell")?.parse()?;
    Ok(kilobytes / 1024.0)
}
