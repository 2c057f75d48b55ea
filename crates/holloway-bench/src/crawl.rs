//! How fast is a site audited? A site of 47 pages is served on loopback by a process
//! of its own; another finds, fetches, parses and checks all of it, several times.

mod audit;
mod server;
mod site;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::floor::median;

#[derive(Args)]
pub(crate) struct CrawlArguments {
    /// Serve the site and print its address.
    #[arg(long, hide = true)]
    serve: bool,
    /// Measure the site at this address once and print the result as JSON.
    #[arg(long, hide = true)]
    measure: Option<String>,
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// What one audit took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) pages: usize,
    pub(crate) assets: usize,
    pub(crate) html_bytes: u64,
    pub(crate) findings: usize,
    pub(crate) discover_ms: f64,
    pub(crate) fetch_ms: f64,
    pub(crate) assets_ms: f64,
    pub(crate) audit_ms: f64,
    pub(crate) pages_per_second: f64,
    pub(crate) peak_rss_mb: f64,
}

pub(crate) fn run(arguments: &CrawlArguments) -> Result<()> {
    if arguments.serve {
        return server::run();
    }
    if let Some(address) = &arguments.measure {
        println!("{}", serde_json::to_string(&audit::measure(address)?)?);
        return Ok(());
    }
    let server = Server::start()?;
    let mut rounds = Vec::new();
    for round in 0..arguments.repeats.max(1) {
        eprintln!("round {} of {}", round + 1, arguments.repeats.max(1));
        rounds.push(measure_apart(&server.address)?);
    }
    show(&middle(&rounds)?, arguments.json)
}

/// The server in a process of its own, so that its memory is not counted.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["crawl", "--serve"])
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the server")?;
        let output = child.stdout.take().context("the server has no output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        let address = address.trim().to_owned();
        ensure!(!address.is_empty(), "the server did not start");
        Ok(Self { child, address })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It serves until it is ended.
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

fn measure_apart(address: &str) -> Result<Measured> {
    let output = Command::new(std::env::current_exe()?)
        .args(["crawl", "--measure", address])
        .output()
        .context("cannot start a round")?;
    ensure!(
        output.status.success(),
        "a round failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn middle(rounds: &[Measured]) -> Result<Measured> {
    let of = |field: fn(&Measured) -> f64| median(rounds.iter().map(field).collect());
    let first = rounds.first().context("nothing was measured")?;
    Ok(Measured {
        discover_ms: of(|round| round.discover_ms)?,
        fetch_ms: of(|round| round.fetch_ms)?,
        assets_ms: of(|round| round.assets_ms)?,
        audit_ms: of(|round| round.audit_ms)?,
        pages_per_second: of(|round| round.pages_per_second)?,
        peak_rss_mb: rounds
            .iter()
            .map(|round| round.peak_rss_mb)
            .fold(0.0, f64::max),
        ..first.clone()
    })
}

fn show(measured: &Measured, json: bool) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string(measured)?);
        return Ok(());
    }
    let kilobytes = measured.html_bytes as f64 / 1024.0 / measured.pages.max(1) as f64;
    println!(
        "{} pages of {kilobytes:.0} KB, {} assets, {} findings",
        measured.pages, measured.assets, measured.findings
    );
    println!(
        "{:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "find ms", "fetch ms", "assets ms", "audit ms", "pages/s", "RSS MB"
    );
    println!(
        "{:>10.1} {:>10.1} {:>10.1} {:>10.1} {:>10.1} {:>10.1}",
        measured.discover_ms,
        measured.fetch_ms,
        measured.assets_ms,
        measured.audit_ms,
        measured.pages_per_second,
        measured.peak_rss_mb
    );
    Ok(())
}
