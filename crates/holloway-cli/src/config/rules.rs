//! What may a project's file set before somebody trusts it? Whatever is at least as strict as the
//! layers below. `rules.toml` says for every key what strict means; a key without a rule waits.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use holloway_engine::options::Consent;
use holloway_plan::tool::Effect;
use serde::Deserialize;
use toml::Value;

use super::folders;

/// What strict means for a key; `rules.toml` explains the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Rule {
    Neutral,
    Trust,
    Consent,
    Effect,
    Smaller,
    Limit,
    Interval,
    Off,
    Fewer,
    Folders,
    Inside,
}

/// The rules by key.
#[derive(Debug)]
pub(super) struct Rules(BTreeMap<String, Rule>);

/// What becomes of a value in a file that nobody trusts.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Verdict {
    /// What takes effect at once, if anything.
    pub(super) takes: Option<Value>,
    /// What a tool counts as at least.
    pub(super) at_least: Option<Effect>,
    /// Something of it waits for trust.
    pub(super) waits: bool,
}

impl Rules {
    pub(super) fn read() -> Self {
        type Written = BTreeMap<String, BTreeMap<String, Rule>>;
        // A list that cannot be read has no rules, and then everything waits.
        let written: Written = toml::from_str(include_str!("rules.toml")).unwrap_or_default();
        let rules = written.into_iter().flat_map(|(table, rules)| {
            let whole = move |(key, rule)| (format!("{table}.{key}"), rule);
            rules.into_iter().map(whole)
        });
        Self(rules.collect())
    }

    /// The rule of a key: its own, or that of the names it is one of.
    pub(super) fn of(&self, key: &str) -> Rule {
        let own = self.0.get(key);
        let named = || {
            let mut rules = self.0.iter();
            rules.find_map(|(pattern, rule)| {
                let start = pattern.strip_suffix('*')?;
                key.starts_with(start).then_some(rule)
            })
        };
        own.or_else(named).copied().unwrap_or(Rule::Trust)
    }

    /// Judges a value of an untrusted file by what the layers below say.
    pub(super) fn judge<'a>(
        &self,
        key: &str,
        value: &Value,
        below: impl Fn(&str) -> Option<&'a Value>,
    ) -> Verdict {
        let rule = self.of(key);
        if rule == Rule::Effect {
            return effect(key, value, below);
        }
        let before = below(key);
        match rule {
            Rule::Fewer => part(fewer(value, before)),
            Rule::Folders => part(folders::granted_already(value, before)),
            _ if before == Some(value) || is_as_strict(rule, value, before) => Verdict {
                takes: Some(value.clone()),
                ..Verdict::default()
            },
            _ => Verdict {
                waits: true,
                ..Verdict::default()
            },
        }
    }
}

/// A part that takes effect, and whether it is all of it.
fn part((kept, is_all): (Vec<Value>, bool)) -> Verdict {
    Verdict {
        takes: Some(Value::Array(kept)),
        at_least: None,
        waits: !is_all,
    }
}

fn is_as_strict(rule: Rule, value: &Value, before: Option<&Value>) -> bool {
    let number = |value: &Value| value.as_integer();
    let no_larger = |before: Option<i64>| match (number(value), before) {
        (Some(now), Some(before)) => now <= before,
        _ => false,
    };
    match rule {
        Rule::Neutral => true,
        Rule::Consent => match (consent(Some(value)), consent(before)) {
            (Some(now), Some(before)) => now >= before,
            _ => false,
        },
        Rule::Smaller => no_larger(before.and_then(number)),
        Rule::Limit => before.is_none() || no_larger(before.and_then(number)),
        Rule::Interval => {
            let hours = |value: &Value| number(value).filter(|hours| *hours > 0);
            match (hours(value), before.map(hours)) {
                (Some(now), Some(Some(before))) => now <= before,
                (Some(_), Some(None)) => true,
                _ => false,
            }
        }
        // Without a word below there may be no table that the key belongs to.
        Rule::Off => before.is_some() && value.as_bool() == Some(false),
        Rule::Inside => value.as_str().is_some_and(is_inside),
        Rule::Trust | Rule::Effect | Rule::Fewer | Rule::Folders => false,
    }
}

/// What `[approvals]` say, as a word that can be compared.
pub(super) fn consent(value: Option<&Value>) -> Option<Consent> {
    value?.clone().try_into().ok()
}

/// Whatever a file says that nobody trusts, a tool counts as no less than it did before.
fn effect<'a>(key: &str, value: &Value, below: impl Fn(&str) -> Option<&'a Value>) -> Verdict {
    let effect = |value: &Value| value.clone().try_into::<Effect>().ok();
    let source = key
        .rsplit_once('/')
        .map(|(source, _)| format!("{source}/*"));
    let before = below(key).or_else(|| below(&source?));
    let at_least = effect(value);
    let is_most = at_least == Some(Effect::Destructive);
    let before = before.and_then(effect);
    Verdict {
        takes: None,
        at_least,
        waits: !is_most && (before.is_none() || at_least < before),
    }
}

fn fewer(value: &Value, before: Option<&Value>) -> (Vec<Value>, bool) {
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let (wanted, before) = (list(Some(value)), list(before));
    let all = wanted.len();
    let kept: Vec<Value> = wanted
        .into_iter()
        .filter(|one| before.contains(one))
        .collect();
    let is_all = kept.len() == all && value.is_array();
    (kept, is_all)
}

/// A path downwards, through no folder that is hidden.
fn is_inside(path: &str) -> bool {
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        _ => false,
    };
    !path.is_empty() && Path::new(path).components().all(is_plain)
}

#[cfg(test)]
mod tests;
