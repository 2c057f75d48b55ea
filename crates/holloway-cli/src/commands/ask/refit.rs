//! How does planning adapt itself to a person's own runs? Every time there are twice as many of
//! them, weights are fitted while the plan runs, and kept for the next request.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use holloway_flow::flow::Planner;
use holloway_planner::recall::Refitted;

use super::super::planning::WEIGHTS;
use crate::error::CliError;
use crate::session::Session;

/// How long a person who has the answer may be kept waiting, and how long a script; what takes
/// longer is tried again by the next run.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Weights that are being fitted.
pub(super) struct Refit(Option<Receiver<Refitted>>);

impl Refit {
    /// Begins in the background where it would help.
    pub(super) fn begin(planner: &Arc<Planner>) -> Self {
        if !planner.wants_refit() {
            return Self(None);
        }
        let (sender, receiver) = channel();
        let planner = Arc::clone(planner);
        std::thread::spawn(move || {
            if let Some(refitted) = planner.refit() {
                // Who does not wait any more does without.
                let _ = sender.send(refitted);
            }
        });
        Self(Some(receiver))
    }

    /// Keeps the weights if they are there in time.
    pub(super) fn keep(self, session: &Session) -> Result<(), CliError> {
        let someone = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        let patience = if someone { PATIENCE.0 } else { PATIENCE.1 };
        let fitted = self
            .0
            .and_then(|fitting| fitting.recv_timeout(patience).ok());
        if let Some(weights) = fitted.and_then(|fitted| serde_json::to_value(fitted).ok()) {
            session.store()?.keep_learned(WEIGHTS, &weights)?;
        }
        Ok(())
    }
}
