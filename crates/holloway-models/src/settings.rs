//! What does a person configure about a model? The table `[model]`: who, where, with which
//! key (by name), how long, how much. Checked before anything is sent.

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

pub use crate::small::Profile;

/// The table `[model]` of the configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub provider: Provider,
    /// As the provider calls it.
    pub name: String,
    /// Where it is, when it is not where the provider usually is: a server of your own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The name of the secret that holds the key; never the key itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(default = "temperature")]
    pub temperature: f64,
    /// Of one answer.
    #[serde(default = "max_tokens")]
    pub max_tokens: u32,
    /// For one answer, repeats and pauses included.
    #[serde(default = "timeout_ms")]
    pub timeout_ms: u64,
    /// How often a plan is asked for before the embedded planner takes over.
    #[serde(default = "attempts")]
    pub attempts: u32,
    /// US dollars for a million tokens of the question.
    #[serde(default)]
    pub price_in: f64,
    /// US dollars for a million tokens of the answer.
    #[serde(default)]
    pub price_out: f64,
    /// Whether safe first steps may begin while the plan is still being written.
    #[serde(default)]
    pub early_start: bool,
    /// Plain HTTP to another machine: everybody on the way reads the key and the request.
    #[serde(default)]
    pub allow_plain_http: bool,
    /// Whether columns and a few values of the tables that a request names are sent.
    #[serde(default = "yes")]
    pub share_tables: bool,
    /// What is expected of the model.
    #[serde(default)]
    pub profile: Profile,
    /// Models that are asked, in this order, where this one gives no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<Settings>,
}

fn yes() -> bool {
    true
}

fn temperature() -> f64 {
    holloway_engine::model::ask::TEMPERATURE
}

fn max_tokens() -> u32 {
    holloway_engine::model::ask::MAX_TOKENS
}

fn timeout_ms() -> u64 {
    holloway_engine::model::ask::TIMEOUT.as_secs() * 1_000
}

fn attempts() -> u32 {
    3
}

/// Keys are longer than any name of a secret needs to be.
const LONGEST_NAME: usize = 64;

/// Whose wire shape is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// OpenAI, and every server that speaks the same: llama.cpp, Ollama, vLLM.
    OpenAi,
    Anthropic,
    Gemini,
}

impl Provider {
    pub fn usual_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        }
    }
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`model.{key}`: {message}")]
pub struct BadSetting {
    pub key: &'static str,
    pub message: String,
    pub hint: &'static str,
}

fn bad(key: &'static str, message: impl Into<String>, hint: &'static str) -> BadSetting {
    BadSetting {
        key,
        message: message.into(),
        hint,
    }
}

impl Settings {
    /// With everything that has a default left at it.
    pub fn new(provider: Provider, name: impl Into<String>) -> Self {
        Self {
            provider,
            name: name.into(),
            base_url: None,
            key: None,
            temperature: temperature(),
            max_tokens: max_tokens(),
            timeout_ms: timeout_ms(),
            attempts: attempts(),
            price_in: 0.0,
            price_out: 0.0,
            early_start: false,
            allow_plain_http: false,
            share_tables: true,
            profile: Profile::Auto,
            fallback: Vec::new(),
        }
    }

    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// Where requests go, once everything about the settings is in order.
    pub fn checked(&self) -> Result<Url, BadSetting> {
        if self.name.trim().is_empty()
            || self.name.len() > 200
            || self.name.chars().any(char::is_control)
        {
            return Err(bad(
                "name",
                "a model has a name of 1 to 200 characters",
                "write it as the provider does",
            ));
        }
        self.check_figures()?;
        if self.fallback.iter().any(|other| !other.fallback.is_empty()) {
            return Err(bad(
                "fallback",
                "a model that stands in has none of its own",
                "list all of them under the first one",
            ));
        }
        let url = self.address()?;
        if self.key.as_deref().is_some_and(|key| !is_secret_name(key)) {
            // Whoever put the key itself here must not see it in a log.
            return Err(bad(
                "key",
                "it is not the name of a secret: a letter or `_`, then letters, digits, `_`, `.` and `-`, at most 64",
                "store the key with `holloway secrets set NAME` and write `key = \"NAME\"`",
            ));
        }
        if self.key.is_none() && self.base_url.is_none() {
            return Err(bad(
                "key",
                "the provider wants a key",
                "set `key` to the name of a secret, or `base_url` to a server of your own",
            ));
        }
        Ok(url)
    }

    fn check_figures(&self) -> Result<(), BadSetting> {
        if !(0.0..=2.0).contains(&self.temperature) {
            return Err(bad(
                "temperature",
                format!("{} is not between 0 and 2", self.temperature),
                "0.3 suits plans",
            ));
        }
        if self.max_tokens == 0 || self.timeout_ms == 0 {
            let key = if self.max_tokens == 0 {
                "max_tokens"
            } else {
                "timeout_ms"
            };
            return Err(bad(
                key,
                "0 leaves no room for an answer",
                "leave it out for the default",
            ));
        }
        if !(1..=10).contains(&self.attempts) {
            return Err(bad(
                "attempts",
                format!("{} is not between 1 and 10", self.attempts),
                "3 suits most models",
            ));
        }
        for (key, price) in [("price_in", self.price_in), ("price_out", self.price_out)] {
            if !(0.0..1e6).contains(&price) {
                return Err(bad(
                    key,
                    format!("{price} is no price of a million tokens"),
                    "US dollars, 0 or more",
                ));
            }
        }
        Ok(())
    }

    fn address(&self) -> Result<Url, BadSetting> {
        let hint = "write it as `https://host/v1`, or `http://127.0.0.1:8080/v1` for a server on this machine";
        let text = self
            .base_url
            .as_deref()
            .unwrap_or_else(|| self.provider.usual_url());
        let url = Url::parse(text)
            .map_err(|error| bad("base_url", format!("no address: {error}"), hint))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad(
                "base_url",
                "an address with a password in it is shown in messages",
                "use `key`",
            ));
        }
        if url.query().is_some() || url.fragment().is_some() || !url.has_host() {
            return Err(bad("base_url", "only a host and a path are taken", hint));
        }
        match url.scheme() {
            "https" => Ok(url),
            "http" if is_this_machine(&url) || self.allow_plain_http => Ok(url),
            "http" => Err(bad(
                "base_url",
                "plain HTTP to another machine shows the key and the request to everybody on the way",
                "use https, or set `allow_plain_http = true` if the network is yours alone",
            )),
            other => Err(bad("base_url", format!("`{other}` is not spoken"), hint)),
        }
    }
}

/// Whether it can be the name of a secret, and does not look like a key.
fn is_secret_name(name: &str) -> bool {
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let is_key = ["sk-", "AIza"].iter().any(|start| name.starts_with(start));
    begins_well && name.len() <= LONGEST_NAME && name.chars().all(is_inside) && !is_key
}

/// Whether the address leads to this machine and nowhere else.
pub(crate) fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests;
