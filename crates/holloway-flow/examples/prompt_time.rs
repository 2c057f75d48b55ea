//! How long does it take to put together what a model is asked? Both questions, the search for tools
//! included, over the built-in tools and 512 tools of other people.
//!
//!     cargo run --release -p holloway-flow --example prompt_time -- BENCH
//!
//! BENCH holds `mcp-catalogue/tools.jsonl`. Prints the median and the 95th percentile in milliseconds.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // reads files and the clock
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use holloway_flow::flow::Planner;
use holloway_flow::model::prompt::plans::{PlanOrder, question};
use holloway_flow::model::prompt::{about_tokens, frame};
use holloway_plan::tool::ToolSpec;
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::request::RequestText;
use holloway_planner::settings::GenerateSettings;

#[path = "plan_many/many.rs"]
#[allow(dead_code)]
mod many;

/// Requests that are asked about.
const REQUESTS: usize = 500;
/// Tools that are shown, and their tokens.
const SHOWN: usize = 30;
const TOKENS: usize = 1_500;

fn main() {
    let bench = PathBuf::from(std::env::args().nth(1).expect("the folder with the sets"));
    let tools = std::fs::read_to_string(bench.join("mcp-catalogue/tools.jsonl"));
    let planner = many::planner(&tools.expect("a file with tools"));
    let settings = GenerateSettings::default();
    let mut took = Vec::new();
    let mut tokens = 0;
    for words in many::spoken(REQUESTS) {
        let request = RequestText::new(&words);
        let frame = request.understand(&Scene::default(), &[]).frame;
        let start = Instant::now();
        let first = frame::ask(&request, &Scene::default(), false);
        let tools = found(&planner, &words);
        let second = question(&PlanOrder {
            frame: &frame,
            strategies: &settings.strategies,
            tools: &tools,
            drafts: &[],
            context: "",
            tool_tokens: TOKENS,
            share_tables: true,
        });
        took.push(start.elapsed().as_secs_f64() * 1e3);
        tokens = tokens.max(about_tokens(&first.to_string()) + about_tokens(&second));
    }
    took.sort_by(f64::total_cmp);
    let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or(0.0);
    println!(
        "{} tools, {} requests: median {:.2} ms, 95 % {:.2} ms, at most {tokens} tokens",
        planner.catalogue().tools().count(),
        took.len(),
        at(50),
        at(95)
    );
}

fn found(planner: &Planner, words: &str) -> Vec<Arc<ToolSpec>> {
    let catalogue = planner.catalogue();
    let places = catalogue.index().search(words, SHOWN).into_iter();
    places
        .filter_map(|place| catalogue.tool(place).cloned())
        .collect()
}
