//! When is a server started, and when again? At first use, shared by all who come
//! at once; after a crash with growing pauses.
//!
//! Invariant: no lock is held while anything is waited for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::connection::Connection;
use super::start::Starter;
use crate::{SourceError, SourceErrorKind};

const FIRST_PAUSE: Duration = Duration::from_millis(250);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A server that stood this long starts afresh.
const GOOD_WHILE: Duration = Duration::from_mins(1);

type Outcome = Option<Result<Arc<Connection>, SourceError>>;

/// Keeps one server running for as long as it is used.
pub(super) struct Supervisor {
    pub(super) starter: Starter,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    phase: Phase,
    /// Starts and lives in a row that ended badly.
    failures: u32,
    not_before: Option<Instant>,
    /// How often everything was put down; a start of an earlier round counts no more.
    round: u64,
}

#[derive(Default)]
enum Phase {
    #[default]
    Idle,
    Starting {
        outcome: watch::Receiver<Outcome>,
        task: AbortHandle,
    },
    Up {
        connection: Arc<Connection>,
        since: Instant,
    },
}

impl Supervisor {
    pub(super) fn new(starter: Starter) -> Arc<Self> {
        Arc::new(Self {
            starter,
            state: Mutex::default(),
        })
    }

    /// The connection, made if there is none.
    pub(super) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, SourceError> {
        let mut outcome = match self.look() {
            Look::Up(connection) => return Ok(connection),
            Look::Starting(outcome) => outcome,
        };
        match outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or_else(|| Err(self.closed())),
            Err(_) => Err(self.closed()),
        }
    }

    fn look(self: &Arc<Self>) -> Look {
        let mut state = self.state();
        let former = match &state.phase {
            Phase::Up { connection, .. } if connection.is_open() => {
                return Look::Up(connection.clone());
            }
            Phase::Starting { outcome, .. } => return Look::Starting(outcome.clone()),
            Phase::Up { connection, since } => Some((connection.clone(), *since)),
            Phase::Idle => None,
        };
        if let Some((connection, since)) = &former {
            let ended = connection.wire.ended_at().unwrap_or_else(Instant::now);
            if ended.duration_since(*since) >= GOOD_WHILE {
                state.failures = 0;
            }
            state.failed(ended);
        }
        let (report, outcome) = watch::channel(None);
        let task = tokio::spawn(self.clone().start(
            former.map(|(connection, _)| connection),
            (state.round, state.not_before),
            report,
        ));
        state.phase = Phase::Starting {
            outcome: outcome.clone(),
            task: task.abort_handle(),
        };
        Look::Starting(outcome)
    }

    async fn start(
        self: Arc<Self>,
        former: Option<Arc<Connection>>,
        (round, not_before): (u64, Option<Instant>),
        report: watch::Sender<Outcome>,
    ) {
        if let Some(former) = former {
            former.kill().await;
        }
        if let Some(instant) = not_before {
            tokio::time::sleep_until(instant).await;
        }
        let result = self.starter.start().await.map(Arc::new);
        {
            let mut state = self.state();
            if state.round != round {
                return;
            }
            if let Ok(connection) = &result {
                state.phase = Phase::Up {
                    connection: connection.clone(),
                    since: Instant::now(),
                };
            } else {
                state.phase = Phase::Idle;
                state.failed(Instant::now());
            }
        }
        report.send_replace(Some(result));
    }

    /// Ends what runs. A later use starts it again.
    pub(super) async fn close(&self) {
        if let Some(connection) = self.put_down() {
            connection.close().await;
        }
    }

    /// Lets go of everything without waiting; programs are killed.
    pub(super) fn put_down(&self) -> Option<Arc<Connection>> {
        let mut state = self.state();
        state.failures = 0;
        state.not_before = None;
        state.round += 1;
        match std::mem::take(&mut state.phase) {
            Phase::Idle => None,
            Phase::Starting { task, .. } => {
                task.abort();
                None
            }
            Phase::Up { connection, .. } => Some(connection),
        }
    }

    fn closed(&self) -> SourceError {
        SourceError::new(
            SourceErrorKind::Start,
            format!("`{}` was closed while it was starting", self.starter.id),
            "try again",
        )
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Look {
    Up(Arc<Connection>),
    Starting(watch::Receiver<Outcome>),
}

impl State {
    fn failed(&mut self, when: Instant) {
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(when + pause(self.failures));
    }
}

/// Doubles with every failure.
fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pauses: Vec<u128> = (1..=9).map(|count| pause(count).as_millis()).collect();
        assert_eq!(
            pauses,
            [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]
        );
        assert_eq!(pause(u32::MAX), LONGEST_PAUSE);
    }
}
