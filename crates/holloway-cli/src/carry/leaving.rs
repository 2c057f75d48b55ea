//! When may this process leave a run that is to pause? Once its calls have ended. A call that waits
//! for a person's answer never ends by itself, so it is left as it is; resuming takes it up again.

use std::time::Duration;

use holloway_engine::machine::Machine;
use tokio::sync::watch;

/// How long other calls may go on beside one that waits for an answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shared by those who want to leave and those who see how the run stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaving {
    wanted: watch::Sender<bool>,
    standing: watch::Sender<Standing>,
}

/// How a run stands, as far as it matters for leaving it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Standing {
    paused: bool,
    in_flight: u32,
    /// Calls that wait for an answer.
    asking: u32,
}

impl Standing {
    fn of(machine: &Machine) -> Self {
        let state = machine.state();
        Self {
            paused: machine.is_paused(),
            in_flight: state.in_flight,
            asking: state.tool_questions,
        }
    }

    /// Paused, but never at rest by itself.
    fn is_held_up(&self) -> bool {
        self.paused && self.asking > 0
    }

    fn others(&self) -> u32 {
        self.in_flight.saturating_sub(self.asking)
    }
}

impl Leaving {
    /// The run is to pause and this process to end.
    pub(super) fn begin(&self) {
        self.wanted.send_replace(true);
    }

    /// An entry was written.
    pub(super) fn note(&self, machine: &Machine) {
        self.set(Standing::of(machine));
    }

    fn set(&self, now: Standing) {
        self.standing.send_if_modified(|known| {
            let is_new = *known != now;
            *known = now;
            is_new
        });
    }

    /// Calls that can end by themselves.
    pub(super) fn waited_for(&self) -> u32 {
        self.standing.borrow().others()
    }

    /// Comes back when the run is to be left and would not come to rest by itself.
    pub(super) async fn held_up(&self) {
        let (mut wanted, mut standing) = (self.wanted.subscribe(), self.standing.subscribe());
        // Both ends are in this very value, so that waiting cannot fail.
        let _ = wanted.wait_for(|wanted| *wanted).await;
        loop {
            let _ = standing.wait_for(Standing::is_held_up).await;
            let alone = standing.wait_for(|now| now.others() == 0);
            let _ = tokio::time::timeout(PATIENCE, alone).await;
            if standing.borrow().is_held_up() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn standing(paused: bool, in_flight: u32, asking: u32) -> Standing {
        Standing {
            paused,
            in_flight,
            asking,
        }
    }

    /// Whether the process may leave at once.
    fn leaves(wanted: bool, now: Standing) -> bool {
        let leaving = Leaving::default();
        if wanted {
            leaving.begin();
        }
        leaving.set(now);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let _inside = runtime.enter();
        leaving.held_up().now_or_never().is_some()
    }

    #[test]
    fn only_calls_that_wait_for_an_answer_are_left() {
        assert!(leaves(true, standing(true, 1, 1)));
        assert!(!leaves(true, standing(true, 1, 0)), "it ends by itself");
        assert!(!leaves(true, standing(true, 2, 1)), "the other one may end");
        assert!(!leaves(true, standing(false, 1, 1)), "not written down yet");
        assert!(
            !leaves(false, standing(true, 1, 1)),
            "nobody wants to leave"
        );
    }

    #[test]
    fn what_can_end_by_itself_is_counted() {
        let leaving = Leaving::default();
        leaving.set(standing(false, 3, 1));
        assert_eq!(leaving.waited_for(), 2);
    }
}
