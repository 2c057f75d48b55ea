//! Does memory help yet? While it is young, every new run is first planned with it and
//! without it; memory is listened to once that has paid.

/// From this many runs on memory has always paid, and asking costs time.
const YOUNG: usize = 60;
/// What must have been gained at first, in plans that are right altogether; the more runs
/// there are, the less, as memory that is larger than it was does better than it did.
const PAID: f64 = 0.5;
const PATIENCE: f64 = 30.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Guard {
    runs: usize,
    gained: f64,
}

impl Guard {
    /// Whether another run should be planned both ways.
    pub(super) fn asks(&self) -> bool {
        self.runs < YOUNG
    }

    /// Notes how good plans for a new run were, 0 to 1, with memory and without.
    pub(super) fn note(&mut self, with: f64, without: f64) {
        self.runs += 1;
        self.gained += with - without;
    }

    pub(super) fn trusts(&self) -> bool {
        self.runs >= YOUNG || self.gained > PAID - self.runs as f64 / PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_trusted_when_it_has_paid() {
        let mut guard = Guard::default();
        assert!(!guard.trusts());
        guard.note(0.9, 0.5);
        assert!(!guard.trusts());
        guard.note(0.9, 0.7);
        assert!(guard.trusts());
        guard.note(0.0, 1.0);
        assert!(!guard.trusts() && guard.asks());
        for _ in 0..60 {
            guard.note(0.0, 0.0);
        }
        assert!(guard.trusts() && !guard.asks());
    }
}
