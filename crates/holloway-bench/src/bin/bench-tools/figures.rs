//! Which few numbers stand for many times?

use anyhow::{Context, Result};

/// Milliseconds.
pub(crate) struct Figures {
    middle: f64,
    worst: f64,
    count: usize,
}

impl Figures {
    pub(crate) fn of(mut times: Vec<f64>) -> Result<Self> {
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times.get((times.len() * share / 100).min(times.len() - 1));
        let nothing = "nothing was measured";
        Ok(Self {
            middle: *at(50).context(nothing)?,
            worst: *at(99).context(nothing)?,
            count: times.len(),
        })
    }

    /// One line of the table, with the difference to its floor.
    pub(crate) fn show(&self, name: &str, floor: Option<&Self>) {
        let over = floor.map_or_else(String::new, |floor| {
            format!(
                "{:+.3} ms / {:+.3} ms",
                self.middle - floor.middle,
                self.worst - floor.worst
            )
        });
        println!(
            "{name:<32} {:>7} {:>9.3} {:>9.3}  {over}",
            self.count, self.middle, self.worst
        );
    }
}

pub(crate) fn head() {
    println!(
        "{:<32} {:>7} {:>9} {:>9}  above the floor (p50 / p99)",
        "MCP over stdio, echo", "calls", "p50 ms", "p99 ms"
    );
}
