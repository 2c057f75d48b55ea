//! Does memory help yet? While it is young, every new run is first planned with it and
//! without it. A handful of runs must have paid; more are listened to unless they did harm.

/// From this many runs on memory has always paid, and asking costs time.
const YOUNG: usize = 60;
/// From this many on it usually pays, on catalogues that the weights never saw too.
const FEW: usize = 10;
/// What a few runs must have gained, and what more may have lost, in plans that are right
/// altogether.
const PAID: f64 = 1.0;
const LOST: f64 = -1.0;
/// What was gained counts less with every later run: memory is larger now than it was.
const FADES: f64 = 0.93;

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
        self.gained = FADES * self.gained + with - without;
    }

    pub(super) fn trusts(&self) -> bool {
        match self.runs {
            0..FEW => self.gained > PAID,
            FEW..YOUNG => self.gained > LOST,
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
    fn a_few_runs_must_have_paid() {
        check(&[], false);
        check(&[(0.4, 2)], false);
        check(&[(0.4, 4)], true);
        check(&[(0.4, 4), (-0.5, 2)], false);
    }

    #[test]
    fn more_are_trusted_unless_they_did_harm() {
        check(&[(0.0, 10)], true);
        check(&[(-0.5, 10)], false);
        // What was long ago hardly counts.
        check(&[(-0.5, 10), (0.05, 20)], true);
        check(&[(-0.5, 60)], true);
    }
}
