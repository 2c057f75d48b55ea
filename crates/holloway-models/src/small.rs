//! What is expected of a model, and which ones are known to be small? By the family or the billions of parameters in their names; the
//! list is `data/small.toml`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::settings::Settings;

/// What is expected of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// By the name of the model.
    #[default]
    Auto,
    /// Reads requests; plans are made from its reading by the embedded planner.
    Small,
    /// Reads requests and writes plans.
    Capable,
}

impl Settings {
    /// Whether the model is too small to write plans.
    pub fn is_small(&self) -> bool {
        match self.profile {
            Profile::Small => true,
            Profile::Capable => false,
            Profile::Auto => is_known(&self.name),
        }
    }
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    // A test reads it; were it broken, no model would be small.
    toml::from_str(include_str!("../data/small.toml")).unwrap_or_default()
});

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// A model with fewer billions of parameters is small.
    billions: f64,
    /// Parts of names.
    families: Vec<String>,
}

/// Whether a model of this name is small.
fn is_known(name: &str) -> bool {
    let name = name.to_lowercase();
    match billions(&name) {
        Some(billions) => billions < TABLE.billions,
        None => TABLE.families.iter().any(|part| name.contains(part)),
    }
}

/// The size in a name: 1.5 in `qwen2.5-coder-1.5b-instruct`, 0.135 in `SmolLM2-135M`.
fn billions(name: &str) -> Option<f64> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let mut sizes = words.filter_map(|word| {
        let (number, unit) = word.split_at_checked(word.len().checked_sub(1)?)?;
        let number: f64 = number.parse().ok()?;
        match unit {
            "b" => Some(number),
            "m" => Some(number / 1_000.0),
            _ => None,
        }
    });
    sizes.next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_models_are_known_by_their_names() {
        for (name, expected) in [
            ("qwen2.5-coder-1.5b-instruct", true),
            ("SmolLM2-135M", true),
            ("llama3.2:3b", true),
            ("TinyLlama", true),
            ("qwen3-8b", false),
            ("Llama-3.3-70B-Instruct", false),
            ("gpt-5-mini", false),
            ("", false),
        ] {
            assert_eq!(is_known(name), expected, "{name}");
        }
    }
}
