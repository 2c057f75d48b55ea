//! Should a source be called at all right now? After failures in a row it is left
//! alone for a while, then tried with one call. Times are arguments.
//!
//! | state  | `ask`                         | `answered` | `failed`                        |
//! |--------|-------------------------------|------------|---------------------------------|
//! | closed | go                            | closed     | open after so many in a row     |
//! | open   | wait; after the pause a trial | closed     | open, as before                 |
//! | trial  | wait, unless it was forgotten | closed     | open, for twice as long         |

/// When a breaker opens, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Failures in a row until calls are no longer made.
    pub failures: u32,
    pub first_pause_ms: u64,
    /// Each pause is twice the one before, up to this.
    pub longest_pause_ms: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            failures: 5,
            first_pause_ms: 1_000,
            longest_pause_ms: 60_000,
        }
    }
}

/// Guards one source.
#[derive(Clone, Debug, Default)]
pub struct Breaker {
    thresholds: Thresholds,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until_ms: u64,
        pause_ms: u64,
    },
    /// One call is under way; whether it is answered decides.
    Trial {
        since_ms: u64,
        pause_ms: u64,
    },
}

impl Default for State {
    fn default() -> Self {
        Self::Closed { failures: 0 }
    }
}

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
    pub fn new(thresholds: Thresholds) -> Self {
        Self {
            thresholds,
            state: State::default(),
        }
    }

    /// Asks for a call; in the trial phase only one is let through at a time.
    pub fn ask(&mut self, now_ms: u64) -> Verdict {
        let (until_ms, pause_ms) = match self.state {
            State::Closed { .. } => return Verdict::Go,
            State::Open { until_ms, pause_ms } => (until_ms, pause_ms),
            // A trial that was cancelled never reports back; without an end it
            // would shut the source out for ever.
            State::Trial { since_ms, pause_ms } => (
                since_ms.saturating_add(self.thresholds.longest_pause_ms),
                pause_ms,
            ),
        };
        if now_ms < until_ms {
            return Verdict::Wait { until_ms };
        }
        self.state = State::Trial {
            since_ms: now_ms,
            pause_ms,
        };
        Verdict::Go
    }

    /// The source answered, be it with a tool's own failure.
    pub fn answered(&mut self) {
        self.state = State::default();
    }

    /// The source itself failed: it did not start, broke off, or did not answer.
    pub fn failed(&mut self, now_ms: u64) {
        self.state = match self.state {
            State::Closed { failures } if failures.saturating_add(1) < self.thresholds.failures => {
                State::Closed {
                    failures: failures + 1,
                }
            }
            State::Closed { .. } => self.open(now_ms, self.thresholds.first_pause_ms),
            // Calls from before it opened are no news.
            open @ State::Open { .. } => open,
            State::Trial { pause_ms, .. } => self.open(now_ms, pause_ms.saturating_mul(2)),
        };
    }

    fn open(&self, now_ms: u64, pause_ms: u64) -> State {
        let pause_ms = pause_ms.min(self.thresholds.longest_pause_ms);
        State::Open {
            until_ms: now_ms.saturating_add(pause_ms),
            pause_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays events such as `ask@10` and `fail@10`; gives the verdicts, `go` or the time to wait for.
    fn play(breaker: &mut Breaker, events: &str) -> String {
        let mut verdicts = Vec::new();
        for event in events.split_whitespace() {
            let (what, at) = event.split_once('@').unwrap_or((event, "0"));
            let now: u64 = at.parse().unwrap();
            match what {
                "ask" => verdicts.push(match breaker.ask(now) {
                    Verdict::Go => "go".to_owned(),
                    Verdict::Wait { until_ms } => until_ms.to_string(),
                }),
                "fail" => breaker.failed(now),
                "answer" => breaker.answered(),
                other => panic!("{other}"),
            }
        }
        verdicts.join(" ")
    }

    #[track_caller]
    fn check(events: &str, verdicts: &str) {
        let mut breaker = Breaker::new(Thresholds {
            failures: 2,
            first_pause_ms: 10,
            longest_pause_ms: 40,
        });
        assert_eq!(play(&mut breaker, events), verdicts, "{events}");
    }

    #[test]
    fn failures_in_a_row_open_it() {
        check("ask@0 fail@0 ask@1", "go go");
        check("fail@0 fail@1 ask@2 ask@10", "11 11");
        check("fail@0 answer fail@1 ask@2", "go");
    }

    #[test]
    fn one_trial_is_let_through_and_decides() {
        check("fail@0 fail@0 ask@10 ask@11 ask@12", "go 50 50");
        check("fail@0 fail@0 ask@10 answer ask@11 ask@11", "go go go");
        check("fail@0 fail@0 ask@10 answer fail@11 ask@11", "go go");
        check("fail@0 fail@0 ask@10 fail@12 ask@13", "go 32");
    }

    #[test]
    fn pauses_double_up_to_the_longest() {
        check(
            "fail@0 fail@0 ask@10 fail@10 ask@30 fail@30 ask@70 fail@70 ask@71 ask@110",
            "go go go 110 go",
        );
        check(
            "fail@0 fail@0 ask@10 fail@10 ask@30 answer fail@31 fail@31 ask@32",
            "go go 41",
        );
    }

    #[test]
    fn late_news_of_old_calls_does_not_lengthen_the_pause() {
        check("fail@0 fail@0 fail@5 fail@9 ask@9 ask@10", "10 go");
    }

    #[test]
    fn a_trial_that_never_reports_back_ends() {
        check("fail@0 fail@0 ask@10 ask@49 ask@50 ask@51", "go 50 go 90");
    }

    #[test]
    fn the_end_of_time_is_no_trouble() {
        let end = u64::MAX;
        check(
            &format!("fail@{end} fail@{end} ask@{end} fail@{end} ask@{end}"),
            "go go",
        );
    }

    #[test]
    fn five_failures_and_a_second_are_the_default() {
        let mut breaker = Breaker::default();
        assert_eq!(
            play(&mut breaker, "fail@0 fail@0 fail@0 fail@0 ask@0"),
            "go"
        );
        assert_eq!(play(&mut breaker, "fail@0 ask@0 ask@1000"), "1000 go");
    }
}
