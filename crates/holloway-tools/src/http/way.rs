//! Where do redirects lead? A way that is gone one address at a time, so that whoever
//! goes it can look at every address before asking.

use holloway_engine::failure::ToolFailure;
use reqwest::Url;

use super::check_redirect;
use super::raw::{Ask, Raw};

/// From the first address to the last.
pub(crate) struct Way {
    ask: Ask,
    max_redirects: usize,
    passed: Vec<Url>,
    spent_ms: f64,
}

/// What an answer means for the way.
pub(crate) enum Step {
    /// It leads on: ask again.
    On,
    /// This is the answer, with the times of all that came before.
    End(Box<Raw>),
    TooMany,
}

impl Way {
    pub(crate) fn new(ask: Ask, max_redirects: usize) -> Self {
        Self {
            ask,
            max_redirects,
            passed: Vec::new(),
            spent_ms: 0.0,
        }
    }

    /// The address that comes next.
    pub(crate) fn url(&self) -> &Url {
        &self.ask.url
    }

    pub(crate) fn is_redirected(&self) -> bool {
        !self.passed.is_empty()
    }

    /// The question for that address, within the time that is left for all.
    pub(crate) fn ask(&self) -> Ask {
        let left = self.ask.timeout_ms.saturating_sub(self.spent_ms as u64);
        Ask {
            timeout_ms: left.max(1),
            ..self.ask.clone()
        }
    }

    pub(crate) fn step(&mut self, mut raw: Raw) -> Result<Step, ToolFailure> {
        if let Some(next) = raw.next {
            check_redirect(&self.ask.url, &next)?;
            if self.passed.len() >= self.max_redirects {
                return Ok(Step::TooMany);
            }
            self.spent_ms += raw.total_ms;
            // Conditions and keys are meant for the first address only.
            self.ask.headers.clear();
            self.passed.push(std::mem::replace(&mut self.ask.url, next));
            return Ok(Step::On);
        }
        raw.first_byte_ms += self.spent_ms;
        raw.total_ms += self.spent_ms;
        raw.redirects = std::mem::take(&mut self.passed);
        Ok(Step::End(Box::new(raw)))
    }
}
