//! `holloway tools search`: is there a tool for this, and why that one? Looks at the
//! tools there are, and at known packages and servers that could be added.

use clap::Args;
use holloway_flow::catalog::known::{self, Known};
use holloway_flow::discover::{Discovery, Found, kind_of};
use holloway_search::entry::Entry;
use holloway_search::lines;
use holloway_search::rank::{Health, Wish};
use serde_json::{Value, json};

use super::Samples;
use crate::error::{CliError, Exit};
use crate::input::text_of;
use crate::print::paint::Paint;
use crate::print::{self, one_line, units, visible};
use crate::session::Session;

/// A package is proposed only if it fits about as well as the best one.
const NEARLY: f32 = 0.5;
const PACKAGES_AT_MOST: usize = 5;
/// Shown when nothing fits well.
const NEAREST: usize = 3;
/// What a line takes when nobody looks at it.
const USUAL_WIDTH: usize = 120;

/// Find a tool, or a package or server that has one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  holloway tools search read a spreadsheet and draw a chart
  holloway tools search --category web fetch a page
  holloway tools search --from catalogue.jsonl --limit 3 \"weather in Oslo\"")]
pub(super) struct Arguments {
    /// What it should do, in plain words
    #[arg(required = true)]
    words: Vec<String>,
    /// Show this many of each
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = at_least_one)]
    limit: usize,
    /// Only tools of this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Search a catalogue in a file instead: one JSON object per line
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    #[command(flatten)]
    samples: Samples,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let words = arguments.words.join(" ");
    let (tools, packages) = match &arguments.from {
        Some(file) => (from_file(file, session)?, Vec::new()),
        None => (here(arguments, session)?, could_be_added(session)?),
    };
    let settings = &session.config()?.settings.search;
    let wish = Wish {
        limit: arguments.limit,
        weights: settings.weights(),
        category: arguments.category.as_deref(),
        always: &settings.always,
        ..Wish::default()
    };
    let mut found = tools.find(&words, &wish);
    let fits = !found.is_empty();
    if !fits && words.chars().any(char::is_alphanumeric) {
        let nearest = Wish {
            limit: wish.limit.min(NEAREST),
            fit_at_least: 0.0,
            ..wish.clone()
        };
        found = tools.find(&words, &nearest);
    }
    let proposed = proposed(&words, &packages, &wish);
    if session.json {
        let found: Vec<Value> = found.iter().map(|found| data(found, &tools)).collect();
        let kind = kind_of(&words);
        print::object(&json!({
            "request": words, "kind": kind, "fits": fits, "tools": found, "known": proposed
        }))?;
        return Ok(Exit::Done);
    }
    if found.is_empty() && proposed.is_empty() {
        print::note(
            "nothing fits; `holloway tools` lists all tools, `holloway tools known` all packages",
        );
        return Ok(Exit::Done);
    }
    let paint = Paint::stdout();
    if !fits && !found.is_empty() {
        print::note("nothing fits well; the nearest:");
    }
    for found in &found {
        if let Some(entry) = tools.index().entry(found.place) {
            print::result(&text(found, entry, paint))?;
        }
    }
    for package in proposed {
        print::result(&addable_text(package, paint))?;
    }
    Ok(Exit::Done)
}

/// The tools on the workbench, with what the catalogue knows of them.
fn here(arguments: &Arguments, session: &Session) -> Result<Discovery, CliError> {
    let workbench = session.workbench(&arguments.samples.reach())?;
    let tools = workbench
        .table
        .iter()
        .map(|tool| (&**tool, workbench.catalogued(tool)));
    Ok(Discovery::of_tools(tools))
}

fn from_file(file: &str, session: &Session) -> Result<Discovery, CliError> {
    let text = text_of(file, &session.folder)?;
    let entries = lines::tools(&text).map_err(|error| {
        let message = format!("{file}:{}: {}", error.line, error.what);
        CliError::usage("input-invalid", message)
            .hint("each line is one tool: {\"id\": …, \"name\": …, \"description\": …}")
    })?;
    Ok(Discovery::of_entries(entries))
}

fn proposed<'a>(words: &str, packages: &'a [Known], wish: &Wish<'_>) -> Vec<&'a Known> {
    let wish = Wish {
        limit: wish.limit.min(PACKAGES_AT_MOST),
        always: &[],
        ..wish.clone()
    };
    let found = Discovery::of_known(packages).find(words, &wish);
    let best = found.first().map_or(0.0, |found| found.hit.text);
    let near = found.iter().filter(|found| found.hit.text >= NEARLY * best);
    near.filter_map(|found| packages.get(found.place)).collect()
}

fn data(found: &Found, tools: &Discovery) -> Value {
    let entry = tools.index().entry(found.place);
    json!({
        "tool": entry.map(|entry| &entry.id),
        "description": entry.map(|entry| &entry.description),
        "category": entry.map(|entry| &entry.category),
        "rank": hundredths(found.hit.rank),
        "text": hundredths(found.hit.text),
        "qualityScore": hundredths(found.hit.repute.quality),
        "healthStatus": found.hit.repute.health,
        "uses": found.hit.repute.uses,
        "always": found.hit.always,
        "why": why(found),
        "reason": found.reason,
    })
}

/// Two lines: what it is, and why it is here; no longer than the terminal is wide.
fn text(found: &Found, entry: &Entry, paint: Paint) -> String {
    let terminal = console::Term::stdout();
    let width = match terminal.size_checked() {
        Some((_, columns)) if terminal.is_term() => usize::from(columns),
        _ => USUAL_WIDTH,
    };
    let id = visible(&entry.id);
    let room = width.saturating_sub(id.chars().count() + 2);
    let why = one_line(&why(found), width.saturating_sub(7));
    let head = format!(
        "{}  {}",
        paint.bold(&id),
        one_line(&entry.description, room)
    );
    format!("{}\n  {} {why}", head.trim_end(), paint.cyan("why:"))
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("must be a whole number".to_owned()),
    }
}

fn why(found: &Found) -> String {
    let hit = &found.hit;
    let mut parts = vec![found.reason.sentence()];
    if parts.iter().all(String::is_empty) {
        parts = vec!["near in meaning as a whole".to_owned()];
    }
    if hit.always {
        parts.push("always shown".to_owned());
    }
    if hit.of_kind {
        parts.push("of the kind asked for".to_owned());
    }
    match hit.repute.health {
        Health::Healthy if hit.repute.uses > 0 => {
            let uses = hit.repute.uses as usize;
            parts.push(format!("worked {}", units::count(uses, "time")));
        }
        Health::Broken => parts.push("broken at the moment".to_owned()),
        Health::Healthy | Health::Unknown => {}
    }
    parts.join("; ")
}

fn hundredths(number: f32) -> f64 {
    (f64::from(number) * 100.0).round() / 100.0
}

/// Everything in the index that is not there yet.
pub(in crate::commands) fn could_be_added(session: &Session) -> Result<Vec<Known>, CliError> {
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
