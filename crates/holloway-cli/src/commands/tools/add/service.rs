//! How is a service with an OpenAPI description added? Its description is read, every
//! origin that it sends to is shown, and those that are not its own are asked about.

use std::io::IsTerminal as _;

use holloway_flow::catalog::SourceId;
use holloway_sources::SourceConfig;
use holloway_sources::mcp::import::take_from;
use holloway_sources::openapi::{
    Destination, OpenApiConfig, OpenApiSource, Survey, origin_of, read_document,
};
use holloway_tools::secrets::SecretText;
use serde_json::Value;

use super::Candidate;
use super::connection::Connection;
use super::what::{kept_apart, safe_name};
use crate::error::CliError;
use crate::outside::Outside;
use crate::print::{self, units};
use crate::runtime;
use crate::session::Session;

const FLAGS: &[&str] = &["--base-url", "--header", "--auth", "--accept-origin"];

/// Names of operations shown for one origin.
const SHOWN: usize = 3;

pub(super) fn candidate(
    origin: &str,
    connection: &Connection,
    outside: &Outside,
    session: &Session,
) -> Result<Candidate, CliError> {
    connection.only_for("a service", FLAGS)?;
    let here = session.folder.clone();
    let read = runtime::run(read_document(origin, &here, &outside.around().grants))??;
    let mut config = OpenApiConfig {
        origin: read.origin,
        document: read.document,
        base_url: connection.base_url.clone().unwrap_or_default(),
        headers: connection.headers()?,
        auth: connection.auth()?,
        accepted_origins: None,
    };
    config.accept_own_origin();
    let name = match &connection.name {
        Some(name) => safe_name(name)?,
        None => safe_name(&read.title)?,
    };
    refuse_unknown_schemes(&config)?;
    let id = SourceId::new(format!("openapi.{name}"));
    let survey = survey(&id, &config, outside)?;
    let mut notes = survey.notes.clone();
    notes.extend(settle_origins(&survey, connection, &mut config, session)?);
    let mut secrets = take_from(&name, &mut config.headers);
    notes.extend(kept_apart(&secrets));
    for (scheme, text) in &mut config.auth {
        // Whatever stands here is a key, however it looks.
        if !text.contains("${") {
            let secret = format!("{name}.{scheme}");
            secrets.push((secret.clone(), SecretText::new(text.as_str())));
            *text = format!("${{{secret}}}");
        }
    }
    Ok(Candidate {
        id,
        config: SourceConfig::OpenApi(config),
        package: None,
        notes,
        secrets,
    })
}

fn survey(id: &SourceId, config: &OpenApiConfig, outside: &Outside) -> Result<Survey, CliError> {
    let around = outside.around();
    let grants = (*around.grants).clone();
    let source = OpenApiSource::new(id.clone(), config.clone(), around.secrets.clone(), grants);
    Ok(runtime::run(source.survey())??)
}

/// Says where requests go, and accepts the origins that a person wants.
fn settle_origins(
    survey: &Survey,
    connection: &Connection,
    config: &mut OpenApiConfig,
    session: &Session,
) -> Result<Vec<String>, CliError> {
    let wanted = wanted(&connection.accept_origin, &survey.destinations)?;
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let mut notes = Vec::new();
    for destination in &survey.destinations {
        let origin = &destination.origin;
        let what = operations(destination);
        if destination.accepted {
            notes.push(format!("{what} to {origin}"));
        } else if wanted.contains(origin) || (terminal && !session.json && ask(origin, &what)?) {
            config.accept_origin(origin);
            notes.push(format!("{what} to {origin}, as accepted"));
        } else {
            notes.push(format!(
                "{what} to {origin}, which was not accepted; `--accept-origin {origin}` accepts it"
            ));
        }
    }
    if !survey.only_named.is_empty() {
        let named = survey.only_named.join(", ");
        notes.push(format!("nothing is sent to {named}, which it also names"));
    }
    Ok(notes)
}

/// The origins of a flag, each of which the description must send to.
fn wanted(flags: &[String], destinations: &[Destination]) -> Result<Vec<String>, CliError> {
    let known = || destinations.iter().map(|known| known.origin.as_str());
    let checked = flags.iter().map(|text| {
        let origin = origin_of(text).filter(|origin| known().any(|known| known == origin));
        origin.ok_or_else(|| {
            let known: Vec<&str> = known().collect();
            let message = format!("--accept-origin {text}: the service sends nothing there");
            CliError::usage("usage", message).hint(format!("it sends to {}", known.join(", ")))
        })
    });
    checked.collect()
}

/// `3 operations send (a, b, c)`.
fn operations(destination: &Destination) -> String {
    let names = &destination.operations;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let verb = if names.len() == 1 { "sends" } else { "send" };
    format!(
        "{} ({}{more}) {verb}",
        units::count(names.len(), "operation"),
        shown.join(", ")
    )
}

fn ask(origin: &str, what: &str) -> Result<bool, CliError> {
    print::note(&format!(
        "{what} requests and keys to {origin}, not to where the description is. Accept it? yes or no"
    ));
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    read.map_err(|error| {
        CliError::failed("input-invalid", format!("no answer could be read: {error}"))
            .hint("give the answer with `--accept-origin ORIGIN`")
    })?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// A key for a scheme that the description does not have would never be used.
fn refuse_unknown_schemes(config: &OpenApiConfig) -> Result<(), CliError> {
    let schemes = config.document.pointer("/components/securitySchemes");
    let schemes = schemes.and_then(Value::as_object);
    let known: Vec<&str> = schemes
        .into_iter()
        .flat_map(|schemes| schemes.keys().map(String::as_str))
        .collect();
    let unknown = config
        .auth
        .keys()
        .find(|name| !known.contains(&name.as_str()));
    match unknown {
        None => Ok(()),
        Some(name) => Err(CliError::usage(
            "usage",
            format!("the description has no security scheme `{name}`"),
        )
        .hint(match known.len() {
            0 => "it has none; give a key with --header".to_owned(),
            _ => format!("it has {}", known.join(", ")),
        })),
    }
}
