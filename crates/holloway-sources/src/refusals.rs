//! What would a call of a source be refused for? Told from its configuration and the definition of
//! the tool, before anything is started or reached.

use std::collections::BTreeMap;

use holloway_tools::secrets::Secrets;
use holloway_tools::ungranted::{Ungranted, private_address};
use serde_json::Value;

use super::SourceConfig;
use super::open::Surroundings;
use super::openapi::{OpenApiConfig, hosts_named};

/// Everything that is lacking, as far as it is known before a call.
pub fn refusals(
    config: &SourceConfig,
    definition: &Value,
    around: &Surroundings,
) -> Vec<Ungranted> {
    match config {
        SourceConfig::OpenApi(config) => of_service(config, definition, around),
        SourceConfig::Mcp(config) => {
            let texts = config.env.values().chain(config.headers.values());
            let mut lacks = missing_secrets(texts, &around.secrets);
            if config.sandbox {
                let walls = around.strict_sandbox().err();
                lacks.extend(walls.map(|error| Ungranted {
                    what: format!("start a server that is to be confined: {error}"),
                    grant: error.hint.clone(),
                }));
            }
            lacks
        }
        SourceConfig::Npm(config) => {
            let mut lacks = missing_secrets(config.env.values(), &around.secrets);
            lacks.extend(around.sandbox().err().map(|error| Ungranted {
                what: format!("run the code of a package: {error}"),
                grant: error.hint.clone(),
            }));
            lacks
        }
    }
}

fn of_service(config: &OpenApiConfig, definition: &Value, around: &Surroundings) -> Vec<Ungranted> {
    let mut lacks = missing_secrets(config.headers.values(), &around.secrets);
    let server = definition.get("server").and_then(Value::as_str);
    let grants = hosts_named(config, &around.grants);
    lacks.extend(server.and_then(|server| private_address(&grants, server)));
    let is_told = config
        .headers
        .keys()
        .any(|name| name.eq_ignore_ascii_case("authorization"));
    if !is_told {
        lacks.extend(without_key(&config.auth, definition, &around.secrets));
    }
    lacks
}

/// An operation that asks for a key of which none is known. One of the alternatives is enough.
fn without_key(
    auth: &BTreeMap<String, String>,
    definition: &Value,
    secrets: &Secrets,
) -> Vec<Ungranted> {
    let alternatives = definition.get("security").and_then(Value::as_array);
    let alternatives: Vec<Vec<&str>> = alternatives
        .into_iter()
        .flatten()
        .map(|names| {
            let names = names.as_array().into_iter().flatten();
            names.filter_map(Value::as_str).collect()
        })
        .collect();
    let lacking = |names: &Vec<&str>| -> Vec<Ungranted> {
        let each = names.iter().map(|name| match auth.get(*name) {
            Some(text) => missing_secrets([text], secrets),
            None => vec![Ungranted {
                what: format!("call without a key, and `{name}` asks for one"),
                grant: format!("`auth.{name} = \"${{NAME}}\"` under [sources] in holloway.toml"),
            }],
        });
        each.flatten().collect()
    };
    let mut lacks = alternatives.iter().map(lacking);
    let first = lacks.next().unwrap_or_default();
    if first.is_empty() || lacks.any(|lacks| lacks.is_empty()) {
        return Vec::new();
    }
    first
}

fn missing_secrets<'a>(
    texts: impl IntoIterator<Item = &'a String>,
    secrets: &Secrets,
) -> Vec<Ungranted> {
    let missing = texts
        .into_iter()
        .filter_map(|text| secrets.resolve(text).err());
    let missing = missing.map(|missing| Ungranted {
        what: format!("need the secret {}, which is not kept here", missing.0),
        grant: format!("holloway secrets set {}", missing.0),
    });
    missing.collect()
}
