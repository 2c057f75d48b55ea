//! Which servers are there, how are they started, what must they answer? What
//! `servers.json` says, with its folders filled in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use holloway_sources::mcp::McpConfig;
use serde::Deserialize;
use serde_json::Value;

use crate::server::{LONG, Server};

/// One server of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    pub(super) name: String,
    command: String,
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// At least so many tools.
    pub(super) tools: usize,
    pub(super) calls: Vec<Call>,
}

/// A call and a look at its answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    arguments: Value,
    /// Where to look, as a JSON pointer.
    at: String,
    equals: Option<Value>,
    contains: Option<String>,
    /// The call must fail, and its message name this.
    fails: Option<String>,
}

/// All of them.
pub(super) fn servers() -> Vec<Listed> {
    serde_json::from_str(include_str!("servers.json")).unwrap()
}

pub(super) fn named(name: &str) -> Listed {
    servers().into_iter().find(|one| one.name == name).unwrap()
}

/// Where `scripts/tool-servers` puts them.
fn tools() -> PathBuf {
    let chosen = std::env::var_os("HOLLOWAY_TEST_TOOLS").map(PathBuf::from);
    let usual = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache/holloway/tools");
    let tools = chosen.unwrap_or_else(usual);
    assert!(
        tools.join("stamp").exists(),
        "the servers are not installed in {}; run scripts/tool-servers",
        tools.display()
    );
    tools
}

impl Listed {
    pub(super) fn server(&self, folder: &Path) -> Server {
        Server::new(&self.name, self.config(folder), folder)
    }

    pub(super) fn config(&self, folder: &Path) -> McpConfig {
        let filled = |text: &String| fill(text, folder);
        McpConfig {
            command: filled(&self.command),
            args: self.args.iter().map(filled).collect(),
            env: self
                .env
                .iter()
                .map(|(name, text)| (name.clone(), filled(text)))
                .collect(),
            start_timeout_ms: Some(LONG.as_millis() as u64),
            ..McpConfig::default()
        }
    }
}

impl Call {
    pub(super) fn arguments(&self, folder: &Path) -> Value {
        serde_json::from_str(&fill(&self.arguments.to_string(), folder)).unwrap()
    }

    /// What is wrong with the answer, if anything is.
    pub(super) fn judge(
        &self,
        answer: Result<Value, holloway_engine::failure::ToolFailure>,
    ) -> Option<String> {
        let value = match (answer, &self.fails) {
            (Err(failure), Some(words)) if failure.message.contains(words) => return None,
            (Err(failure), _) => return Some(format!("{failure:?}")),
            (Ok(value), Some(_)) => return Some(format!("it did not fail: {value}")),
            (Ok(value), None) => value,
        };
        let found = value.pointer(&self.at);
        let text = found.and_then(Value::as_str).unwrap_or_default();
        let equal = self
            .equals
            .as_ref()
            .is_none_or(|wanted| found == Some(wanted));
        let contained = self
            .contains
            .as_ref()
            .is_none_or(|words| text.contains(words));
        let looked = self.equals.is_some() || self.contains.is_some();
        (!(looked && equal && contained)).then(|| format!("{self:?} found {value}"))
    }
}

fn fill(text: &str, folder: &Path) -> String {
    text.replace("{tools}", tools().to_str().unwrap())
        .replace("{tmp}", folder.to_str().unwrap())
}

/// An empty folder with a git repository of one commit in it.
pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("repository");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=test", "-c", "user.email=test@localhost"]);
        let done = command
            .arg("-C")
            .arg(folder.path())
            .args(arguments)
            .output();
        assert!(done.unwrap().status.success(), "git {arguments:?}");
    };
    git(&["init", "--quiet", "repository"]);
    let inside = repository.to_str().unwrap();
    git(&[
        "-C",
        inside,
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "first",
    ]);
    folder
}
