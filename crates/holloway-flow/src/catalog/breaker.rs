//! Should a source be called at all right now? After failures in a row it is left
//! alone for a while, then tried with one call. Times are arguments.

/// Guards one source.
#[derive(Clone, Debug, Default)]
pub struct Breaker {}

/// May a call be made?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Go,
    /// Not before this time.
    Wait {
        until_ms: u64,
    },
}

impl Breaker {
    /// Asks for a call; in the trial phase only one is let through at a time.
    pub fn ask(&mut self, now_ms: u64) -> Verdict {
        let _ = now_ms;
        Verdict::Go
    }

    /// The source answered, be it with a tool's own failure.
    pub fn answered(&mut self) {}

    /// The source itself failed: it did not start, broke off, or did not answer.
    pub fn failed(&mut self, now_ms: u64) {
        let _ = now_ms;
    }
}
