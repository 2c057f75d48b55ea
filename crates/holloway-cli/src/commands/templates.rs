//! `holloway templates`: plans that wait for input. Those that ship, and plans of your own
//! with their literals made into inputs.

mod save;

use std::collections::BTreeSet;

use clap::{Args, Subcommand};
use holloway_flow::template::shipped::{self, Template};
use holloway_plan::draft::Draft;
use holloway_plan::needs::needed_inputs;
use holloway_plan::problem::did_you_mean;
use holloway_plan::read::{read_text, read_value};
use holloway_plan::tool::full_schema;
use holloway_plan::write;
use serde_json::{Value, json};

use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line};
use crate::session::Session;

/// Look at plans that are ready to be filled in; make templates of your own plans
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the templates: what they are for and what they take
    List,
    /// Print a template, to read it or to begin a plan of your own
    Show {
        name: String,
    },
    Save(save::Arguments),
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command.unwrap_or(Action::List) {
        Action::List => list(session),
        Action::Show { name } => show(&name, session),
        Action::Save(arguments) => save::run(&arguments, session),
    }
}

/// A template as it is listed.
struct Listed {
    name: String,
    from: &'static str,
    draft: Draft,
}

/// Plans that wait for input, for planning.
pub(super) fn drafts(session: &Session) -> Result<Vec<Draft>, CliError> {
    let listed = listed(session)?.into_iter();
    Ok(listed.map(|listed| listed.draft).collect())
}

/// Saved plans that take input are templates too; they go before those that ship.
fn listed(session: &Session) -> Result<Vec<Listed>, CliError> {
    let mut all = Vec::new();
    if session.has_store()? {
        let store = session.store()?;
        for plan in store.saved_plans()? {
            let draft = store.saved_plan(&plan.id)?;
            let draft = draft.and_then(|plan| read_value(&plan, &session.limits).ok());
            all.extend(
                draft
                    .filter(|draft| draft.input.is_some())
                    .map(|draft| Listed {
                        name: plan.id,
                        from: "saved",
                        draft,
                    }),
            );
        }
    }
    for template in shipped::all() {
        let is_replaced = all
            .iter()
            .any(|listed: &Listed| listed.name == template.name);
        let draft = draft_of(template, session).filter(|_| !is_replaced);
        all.extend(draft.map(|draft| Listed {
            name: template.name.to_owned(),
            from: "shipped",
            draft,
        }));
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

fn draft_of(template: &Template, session: &Session) -> Option<Draft> {
    let document = read_text(template.text, &session.limits).ok()?;
    Some(document.draft)
}

fn list(session: &Session) -> Result<Exit, CliError> {
    let all = listed(session)?;
    if session.json {
        let all: Vec<Value> = all.iter().map(data).collect();
        print::object(&json!({ "templates": all }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<[String; 4]> = all
        .iter()
        .map(|listed| {
            let objective = listed.draft.objective.as_deref();
            [
                one_line(&listed.name, 40),
                listed.from.to_owned(),
                one_line(&inputs_in_words(&listed.draft), 60),
                one_line(objective.unwrap_or_default(), 90),
            ]
        })
        .collect();
    print::result(&table(
        ["TEMPLATE", "FROM", "TAKES", "FOR"],
        &rows,
        Paint::stdout(),
    ))?;
    print::note(
        "run one with `holloway run NAME --input field=value`; `holloway templates show NAME` explains it",
    );
    Ok(Exit::Done)
}

/// `site, [pages], [folder]`: what may be left out stands in brackets.
fn inputs_in_words(draft: &Draft) -> String {
    let needed = needed(draft);
    let word = |(name, _): &(String, Value)| {
        if needed.contains(name) {
            name.clone()
        } else {
            format!("[{name}]")
        }
    };
    properties(draft)
        .iter()
        .map(word)
        .collect::<Vec<_>>()
        .join(", ")
}

/// What must be given: what the schema asks for, and what steps cannot do without.
fn needed(draft: &Draft) -> BTreeSet<String> {
    let schema = draft.input.as_ref();
    let required = schema.and_then(|schema| schema.get("required")?.as_array());
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let required = required.map(str::to_owned);
    required.chain(needed_inputs(draft).into_keys()).collect()
}

fn properties(draft: &Draft) -> Vec<(String, Value)> {
    let schema = draft.input.clone().map(full_schema).unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    properties
        .map(|(name, property)| (name.clone(), property.clone()))
        .collect()
}

fn data(listed: &Listed) -> Value {
    json!({
        "name": listed.name,
        "from": listed.from,
        "objective": listed.draft.objective,
        "input": listed.draft.input,
        "needed": needed(&listed.draft),
    })
}

fn show(name: &str, session: &Session) -> Result<Exit, CliError> {
    let all = listed(session)?;
    let Some(found) = all.iter().find(|listed| listed.name == name) else {
        let names = all.iter().map(|listed| listed.name.as_str());
        return Err(
            CliError::usage("plan-not-found", format!("there is no template `{name}`"))
                .some_hint(did_you_mean(name, names))
                .or_hint("`holloway templates` lists them"),
        );
    };
    if session.json {
        let mut data = data(found);
        if let Some(fields) = data.as_object_mut() {
            let plan = serde_json::to_value(&found.draft).unwrap_or_default();
            fields.insert("plan".to_owned(), plan);
        }
        print::object(&data)?;
        return Ok(Exit::Done);
    }
    let text = match shipped::find(name).filter(|_| found.from == "shipped") {
        Some(template) => template.text.to_owned(),
        None => write::yaml(&found.draft),
    };
    print::result(text.trim_end())?;
    Ok(Exit::Done)
}
