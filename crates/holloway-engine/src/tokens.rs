//! How many tokens is a text? The real count comes from outside; a quarter of the characters stands
//! in where there is none.

use std::fmt;
use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHasher};

/// Counts tokens, always the same for the same text.
pub trait Tokens: Send + Sync {
    fn count(&self, text: &str) -> usize;
}

/// A quarter of the characters, rounded up: close for English prose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Roughly;

const CHARACTERS: usize = 4;

impl Tokens for Roughly {
    fn count(&self, text: &str) -> usize {
        text.chars().count().div_ceil(CHARACTERS)
    }
}

/// The counter that a run uses. The same parts stand in many contexts and are counted once.
#[derive(Clone)]
pub struct Counter {
    tokens: Arc<dyn Tokens>,
    known: Arc<Mutex<FxHashMap<u64, usize>>>,
}

/// Shorter texts are counted as quickly as they are found.
const WORTH_KEEPING: usize = 64;

impl Default for Counter {
    fn default() -> Self {
        Self::new(Arc::new(Roughly))
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Counter")
    }
}

impl Counter {
    pub fn new(tokens: Arc<dyn Tokens>) -> Self {
        Self {
            tokens,
            known: Arc::default(),
        }
    }

    pub fn count(&self, text: &str) -> usize {
        if text.len() < WORTH_KEEPING {
            return self.tokens.count(text);
        }
        let mut hasher = FxHasher::default();
        text.hash(&mut hasher);
        let key = hasher.finish();
        let known = self
            .known
            .lock()
            .ok()
            .and_then(|known| known.get(&key).copied());
        known.unwrap_or_else(|| {
            let count = self.tokens.count(text);
            if let Ok(mut known) = self.known.lock() {
                known.insert(key, count);
            }
            count
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_counts_the_same_the_second_time() {
        let counter = Counter::default();
        let text = "word ".repeat(40);
        assert_eq!((counter.count(&text), counter.count(&text)), (50, 50));
        assert_eq!(counter.count("éééé"), 1);
    }
}
