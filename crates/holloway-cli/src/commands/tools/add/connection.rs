//! What can be said about how a source is reached? One set of flags; each kind of
//! source refuses those that mean nothing to it.

use std::collections::BTreeMap;

use clap::Args;

use crate::error::CliError;

#[derive(Debug, Args)]
pub(in super::super) struct Connection {
    /// The name it goes by, in place of one taken from what is added
    #[arg(long)]
    pub(super) name: Option<String>,
    /// The address of an MCP server that is already running
    #[arg(long)]
    pub(super) url: Option<String>,
    /// Where requests go, in place of what the description says
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// An environment variable; `${NAME}` stands for a secret
    #[arg(long, value_name = "K=V")]
    env: Vec<String>,
    /// A header of every request; `${NAME}` stands for a secret
    #[arg(long, value_name = "K=V")]
    header: Vec<String>,
    /// The key, token or `user:password` of a security scheme, as `${NAME}`
    #[arg(long, value_name = "SCHEME=V")]
    auth: Vec<String>,
    /// Let requests and keys go to this origin too, besides that of the description
    #[arg(long, value_name = "URL")]
    pub(super) accept_origin: Vec<String>,
    /// Run an MCP server in the sandbox
    #[arg(long)]
    pub(super) sandbox: bool,
    /// Let it use the network from inside the sandbox
    #[arg(long)]
    pub(super) network: bool,
    /// Let it read a folder from inside the sandbox
    #[arg(long, value_name = "DIR")]
    pub(super) read: Vec<String>,
    /// Let it read and write a folder from inside the sandbox
    #[arg(long, value_name = "DIR")]
    pub(super) write: Vec<String>,
    /// The command that starts an MCP server, or more arguments for one from a package
    #[arg(last = true, value_name = "COMMAND")]
    pub(super) command: Vec<String>,
}

impl Connection {
    pub(super) fn env(&self) -> Result<BTreeMap<String, String>, CliError> {
        pairs("--env", &self.env)
    }

    pub(super) fn headers(&self) -> Result<BTreeMap<String, String>, CliError> {
        pairs("--header", &self.header)
    }

    pub(super) fn auth(&self) -> Result<BTreeMap<String, String>, CliError> {
        pairs("--auth", &self.auth)
    }

    /// Whether it says what may be reached from inside the sandbox.
    pub(super) fn speaks_of_walls(&self) -> bool {
        self.network || !self.read.is_empty() || !self.write.is_empty()
    }

    /// Refuses flags that were given but would do nothing.
    pub(super) fn only_for(&self, kind: &str, allowed: &[&str]) -> Result<(), CliError> {
        let given = [
            ("--url", self.url.is_some()),
            ("--base-url", self.base_url.is_some()),
            ("--env", !self.env.is_empty()),
            ("--header", !self.header.is_empty()),
            ("--auth", !self.auth.is_empty()),
            ("--accept-origin", !self.accept_origin.is_empty()),
            ("--sandbox", self.sandbox),
            ("--network", self.network),
            ("--read", !self.read.is_empty()),
            ("--write", !self.write.is_empty()),
            ("-- COMMAND", !self.command.is_empty()),
        ];
        let useless = given
            .iter()
            .find(|(flag, given)| *given && !allowed.contains(flag));
        match useless {
            None => Ok(()),
            Some((flag, _)) => Err(CliError::usage(
                "usage",
                format!("{flag} means nothing for {kind}"),
            )
            .hint(format!("it takes {}", allowed.join(", ")))),
        }
    }
}

fn pairs(flag: &str, texts: &[String]) -> Result<BTreeMap<String, String>, CliError> {
    let mut pairs = BTreeMap::new();
    for text in texts {
        // What stands there may be a secret typed by mistake, so it is not repeated.
        let (name, value) = text.split_once('=').ok_or_else(|| {
            CliError::usage("usage", format!("{flag} takes NAME=VALUE"))
                .hint("the value may name a secret: NAME='${SECRET}'")
        })?;
        pairs.insert(name.to_owned(), value.to_owned());
    }
    Ok(pairs)
}
