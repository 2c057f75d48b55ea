//! What does a step cost? Runs the same graphs on Holloway and on the floors
//! beneath it, each row in a process of its own, and prints one table with the
//! ratios of that run.

// A measuring program prints its table and may stop at the first surprise.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod crawl;
mod floor;
mod ours;
mod row;
mod shape;
mod table;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};

use row::Row;
use shape::Shape;

#[derive(Parser)]
#[command(about = "Measures what a step costs, beside the floor it stands on")]
struct Arguments {
    #[command(subcommand)]
    other: Option<Other>,
    /// Measure one row in this process and print it as JSON.
    #[arg(long, requires = "shape")]
    row: Option<Engine>,
    #[arg(long)]
    shape: Option<Shape>,
    /// Nodes (roughly, for layered graphs).
    #[arg(long, default_value_t = 1_000)]
    nodes: usize,
    /// Repeats of each row; the table shows the median.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Where journals and the floor's file are written; a folder on a real disk.
    #[arg(long, default_value = ".")]
    folder: std::path::PathBuf,
    /// Skip the rows with 10,000 and 100,000 nodes.
    #[arg(long)]
    short: bool,
    /// Print JSON lines instead of a table.
    #[arg(long)]
    json: bool,
}

/// What else can be measured.
#[derive(Subcommand)]
enum Other {
    /// How fast a site of 47 pages is found, fetched and checked in everything.
    Crawl(crawl::CrawlArguments),
}

/// What carries the graph out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Engine {
    /// In-degree counters and one JoinSet: the least a graph can cost on tokio.
    Joinset,
    /// One fdatasync of 4 KiB into a preallocated file per node of a chain.
    Fdatasync,
    /// Holloway without a journal.
    Memory,
    /// Holloway with its journal on disk.
    Durable,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(Other::Crawl(arguments)) = &arguments.other {
        return crawl::run(arguments);
    }
    match (arguments.row, arguments.shape) {
        (Some(engine), Some(shape)) => {
            let row = Row::measure(engine, shape, arguments.nodes, &arguments.folder)?;
            println!("{}", serde_json::to_string(&row)?);
            Ok(())
        }
        _ => table::print(
            &arguments.folder,
            arguments.repeats,
            arguments.short,
            arguments.json,
        ),
    }
}
