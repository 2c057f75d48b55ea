//! `holloway tools search`: is there a tool for this? Looks at the tools there are,
//! and at known packages and servers that could be added.

use clap::Args;
use holloway_flow::catalog::known::{self, Known};
use serde_json::json;

use super::Samples;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line};
use crate::session::Session;

/// Find a tool, or a package or server that has one
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// What it should do, in a few words
    words: Vec<String>,
    /// Show this many of each
    #[arg(long, default_value_t = 10, value_name = "N")]
    limit: usize,
    #[command(flatten)]
    samples: Samples,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let words = arguments.words.join(" ");
    let bench = session.bench(&arguments.samples.reach())?;
    let here: Vec<Known> = bench
        .table
        .iter()
        .map(|tool| Known {
            add: tool.id.to_string(),
            title: tool.title.clone(),
            description: tool.description.clone(),
            category: tool.category.clone(),
            tools: vec![tool.id.name().to_owned()],
            needs: Vec::new(),
            arguments: Vec::new(),
        })
        .collect();
    let there = could_be_added(session)?;
    let found = known::find(&words, &here, arguments.limit);
    let addable = known::find(&words, &there, arguments.limit);
    if session.json {
        let ids: Vec<&str> = found.iter().map(|tool| tool.add.as_str()).collect();
        print::object(&json!({"tools": ids, "known": addable}))?;
        return Ok(Exit::Done);
    }
    let paint = Paint::stdout();
    if found.is_empty() && addable.is_empty() {
        print::note(
            "nothing fits; `holloway tools` lists all tools, `holloway tools known` all packages",
        );
        return Ok(Exit::Done);
    }
    for tool in found {
        let described = one_line(&tool.description, 90);
        print::result(&format!("{}  {described}", paint.bold(&tool.add)))?;
    }
    for package in addable {
        print::result(&addable_text(package, paint))?;
    }
    Ok(Exit::Done)
}

/// Everything in the index that is not there yet.
pub(super) fn could_be_added(session: &Session) -> Result<Vec<Known>, CliError> {
    let mut all = known::shipped().clone();
    if session.has_store()? {
        all.extend(session.store()?.known_added()?);
        let sources = holloway_flow::catalog::Catalog::sources(session.store()?)?;
        let added: Vec<&str> = sources
            .iter()
            .filter_map(|source| source.package.as_ref())
            .map(|package| package.name.as_str())
            .collect();
        all.retain(|known| !added.contains(&package_name(&known.add)));
    }
    Ok(all)
}

fn package_name(add: &str) -> &str {
    add.rsplit(':').next().unwrap_or(add)
}

pub(super) fn addable_text(package: &Known, paint: Paint) -> String {
    let mut needs: Vec<String> = package
        .needs
        .iter()
        .map(|name| format!("needs {name}"))
        .collect();
    needs.extend(package.arguments.iter().map(|name| format!("takes {name}")));
    let needs = match needs.len() {
        0 => String::new(),
        _ => format!(" ({})", needs.join(", ")),
    };
    format!(
        "{}  {}{needs}\n  {} holloway tools add {}",
        paint.dim(&package.add),
        one_line(&package.description, 90),
        paint.cyan("not here yet:"),
        package.add
    )
}
