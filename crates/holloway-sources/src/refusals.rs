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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::{Arc, OnceLock};

    use serde_json::json;

    use super::*;
    use crate::npm::NpmConfig;
    use crate::sandbox::{Sandbox, SandboxError};

    /// A machine on which no sandbox works and one secret is kept.
    fn around() -> Surroundings {
        let sandbox: OnceLock<Result<Sandbox, SandboxError>> = OnceLock::new();
        let error = SandboxError {
            message: "no sandbox works here".to_owned(),
            hint: "install bubblewrap".to_owned(),
        };
        sandbox.set(Err(error)).unwrap();
        let kept = |name: &str| (name == "KEPT").then(|| "value".to_owned());
        Surroundings {
            secrets: Secrets::new(Arc::new(kept)),
            folder: PathBuf::new(),
            environment: BTreeMap::new(),
            installing: BTreeMap::new(),
            launcher: PathBuf::new(),
            unsandboxed: false,
            grants: Arc::default(),
            sandbox: Arc::new(sandbox),
        }
    }

    fn told(config: &SourceConfig, definition: &Value) -> Vec<String> {
        let lacks = refusals(config, definition, &around()).into_iter();
        lacks
            .map(|lack| format!("{} / {}", lack.what, lack.grant))
            .collect()
    }

    #[test]
    fn a_package_needs_a_sandbox_and_its_secrets() {
        let env = [("A", "${KEPT}"), ("B", "${GONE}")];
        let config = SourceConfig::Npm(NpmConfig {
            env: env
                .map(|(name, text)| (name.to_owned(), text.to_owned()))
                .into(),
            ..NpmConfig::default()
        });
        assert_eq!(
            told(&config, &json!({})),
            [
                "need the secret GONE, which is not kept here / holloway secrets set GONE",
                "run the code of a package: no sandbox works here / install bubblewrap",
            ]
        );
    }

    #[test]
    fn one_of_several_keys_is_enough_for_a_service() {
        let config = |auth: &[(&str, &str)]| {
            let auth = auth
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
            SourceConfig::OpenApi(OpenApiConfig {
                auth: auth.collect(),
                ..OpenApiConfig::default()
            })
        };
        let definition =
            json!({"server": "https://api.example/v1", "security": [["key"], ["token", "user"]]});
        assert!(told(&config(&[("key", "${KEPT}")]), &definition).is_empty());
        let both = [("token", "${KEPT}"), ("user", "plain")];
        assert!(told(&config(&both), &definition).is_empty());
        assert_eq!(told(&config(&both[..1]), &definition).len(), 1);
        let optional = json!({"server": "https://api.example/v1", "security": [["key"], []]});
        assert!(told(&config(&[]), &optional).is_empty());
        let inside = json!({"server": "http://10.0.0.7/v1", "security": []});
        assert!(told(&config(&[]), &inside)[0].contains("--allow-host 10.0.0.7:80"));
    }
}
