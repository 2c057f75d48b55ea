//! Does memory help yet? While it is young, every new run is first planned with it and
//! without it; memory is listened to once that has paid.

/// From this many runs on memory has always paid, and asking costs time.
const YOUNG: usize = 60;
/// Fewer runs must have paid well: the next request is seldom like one of them.
const FEW: usize = 10;
const PAID_WELL: f64 = 1.0;
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

    /// Takes so many runs in unasked, if that makes memory old enough; tells whether it did.
    pub(super) fn ages(&mut self, runs: usize) -> bool {
        let is_old = self.runs + runs >= YOUNG;
        if is_old {
            self.runs += runs;
        }
        is_old
    }

    /// Notes how good plans for a new run were, 0 to 1, with memory and without.
    pub(super) fn note(&mut self, with: f64, without: f64) {
        self.runs += 1;
        self.gained += with - without;
    }

    pub(super) fn trusts(&self) -> bool {
        match self.runs {
            0..FEW => self.gained > PAID_WELL,
            FEW..YOUNG => self.gained > PAID - self.runs as f64 / PATIENCE,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(notes: &[(f64, usize)], expected: bool) {
        let mut guard = Guard::default();
        for (gained, times) in notes {
            (0..*times).for_each(|_| guard.note(0.5 + gained, 0.5));
        }
        assert_eq!(guard.trusts(), expected, "{notes:?} {guard:?}");
        let runs: usize = notes.iter().map(|(_, times)| times).sum();
        assert_eq!(guard.asks(), runs < YOUNG);
    }

    #[test]
    fn a_few_runs_must_have_paid_well() {
        check(&[], false);
        check(&[(0.4, 2)], false);
        check(&[(0.4, 3)], true);
        check(&[(0.4, 3), (-0.5, 1)], false);
    }

    #[test]
    fn many_at_once_need_not_be_asked() {
        let mut guard = Guard::default();
        guard.note(0.0, 1.0);
        assert!(!guard.ages(YOUNG - 2) && guard.asks() && !guard.trusts());
        assert!(guard.ages(YOUNG - 1) && !guard.asks() && guard.trusts());
    }

    #[test]
    fn the_more_there_are_the_less_must_be_shown() {
        check(&[(0.01, 10)], false);
        check(&[(0.02, 10)], true);
        check(&[(0.0, 16)], true);
        check(&[(-0.03, 30)], false);
        check(&[(-0.5, 60)], true);
    }
}
