//! What does a call of a tool from outside cost? The same server through Holloway's
//! client and through the bare protocol library, call by call in turns, and one
//! table of that run.

// A measuring program prints its table and may stop at the first surprise.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bare;
mod figures;
mod ours;
mod package;
mod start;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use serde_json::Value;
use tokio::task::JoinSet;

use bare::Bare;
use figures::Figures;
use ours::{Ours, Prepared};

#[derive(Parser)]
#[command(about = "Measures what a call of an MCP tool costs, beside the bare protocol library")]
struct Arguments {
    /// Calls through each client.
    #[arg(long, default_value_t = 3_000)]
    calls: usize,
    /// Calls under way at once, for the second row.
    #[arg(long, default_value_t = 200)]
    at_once: usize,
    /// Servers to start, one after the other and together.
    #[arg(long, default_value_t = 10)]
    servers: usize,
    /// Where scripts/tool-servers installed the servers.
    #[arg(long, env = "HOLLOWAY_TEST_TOOLS")]
    tools: Option<PathBuf>,
}

/// A client with one open server.
pub(crate) trait Client: Send + Sync + 'static {
    fn echo(&self, message: String) -> impl Future<Output = Result<Value>> + Send;
}

fn main() -> Result<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == "confined") {
        return Ok(holloway_sources::sandbox::confined_main(words));
    }
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(measure(Arguments::parse()))?;
    Ok(ExitCode::SUCCESS)
}

async fn measure(arguments: Arguments) -> Result<()> {
    let tools = folder(arguments.tools)?;
    let command = server(&tools)?;
    let bare = Arc::new(Bare::start(&command).await?);
    let ours = Ours::start(&command).await?;
    let definition = ours.definition()?;
    let ours = Arc::new(Prepared { ours, definition });
    for _ in 0..200 {
        timed(&*bare).await?;
        timed(&*ours).await?;
    }
    let (mut bare_times, mut our_times) = (Vec::new(), Vec::new());
    for call in 0..arguments.calls {
        // Who goes first changes, so that neither always meets a warm processor.
        if call % 2 == 0 {
            bare_times.push(timed(&*bare).await?);
            our_times.push(timed(&*ours).await?);
        } else {
            our_times.push(timed(&*ours).await?);
            bare_times.push(timed(&*bare).await?);
        }
    }
    figures::head();
    let floor = Figures::of(bare_times)?;
    floor.show("bare library, one at a time", None);
    Figures::of(our_times)?.show("Holloway, one at a time", Some(&floor));
    let together = arguments.at_once;
    let floor = Figures::of(flood(&bare, together).await?)?;
    floor.show(&format!("bare library, {together} at once"), None);
    let figures = Figures::of(flood(&ours, together).await?)?;
    figures.show(&format!("Holloway, {together} at once"), Some(&floor));
    ours.ours.close().await;
    package::measure(&tools, arguments.calls).await?;
    start::measure(&command, arguments.servers).await
}

/// Milliseconds for one call.
async fn timed(client: &impl Client) -> Result<f64> {
    let began = Instant::now();
    let answer = client.echo("hello".to_owned()).await?;
    let taken = began.elapsed().as_secs_f64() * 1e3;
    ensure!(answer == "Echo: hello", "unexpected answer: {answer}");
    Ok(taken)
}

/// Rounds of calls that are all under way at once; each must get its own answer.
async fn flood<C: Client>(client: &Arc<C>, at_once: usize) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for _ in 0..10 {
        let began = Instant::now();
        let mut calls = JoinSet::new();
        for number in 0..at_once {
            let client = Arc::clone(client);
            calls.spawn(async move {
                let answer = client.echo(format!("{number}")).await?;
                ensure!(answer == format!("Echo: {number}"), "got {answer}");
                Ok(began.elapsed().as_secs_f64() * 1e3)
            });
        }
        while let Some(ended) = calls.join_next().await {
            times.push(ended??);
        }
    }
    Ok(times)
}

/// Where the servers and packages are.
fn folder(given: Option<PathBuf>) -> Result<PathBuf> {
    let usual = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/holloway/tools"));
    given.or_else(usual).context("no HOME")
}

/// The program of the reference server, whose `echo` does next to nothing.
fn server(tools: &Path) -> Result<String> {
    let program = tools.join("npm/node_modules/.bin/mcp-server-everything");
    let missing = || format!("{} is missing; run scripts/tool-servers", program.display());
    ensure!(program.exists(), missing());
    Ok(program.display().to_string())
}
