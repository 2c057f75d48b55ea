//! How is a change committed? With the one connection that writes; whoever has it is the writer
//! at that moment.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use super::{Failure, Job, Work};
use crate::wal::Wal;
use crate::{BUSY, StoreError};

/// A thread that other work waits for commits only where that takes no longer.
const QUICK: Duration = Duration::from_millis(1);
/// After a slow commit, so many go to the writer thread before another try.
const ELSEWHERE: u32 = 32;

/// What the writer has before it.
pub(super) struct Desk {
    connection: Connection,
    wal: Wal,
    database: PathBuf,
    last: Instant,
    /// Commits that are left to the writer thread, because the disk was slow.
    elsewhere: u32,
}

impl Desk {
    pub(super) fn new(connection: Connection, database: &Path) -> Self {
        Self {
            connection,
            wal: Wal::of(database),
            database: database.to_owned(),
            last: Instant::now(),
            elsewhere: 0,
        }
    }

    /// Commits one change of a run without waiting for other processes; nothing if it should be
    /// done by the writer thread.
    pub(super) fn commit_here(&mut self, work: &Work) -> Option<Result<(), StoreError>> {
        if self.elsewhere > 0 {
            self.elsewhere -= 1;
            return None;
        }
        let began = Instant::now();
        // A connection that cannot be told not to wait is left to the thread, which may wait.
        self.connection.busy_timeout(Duration::ZERO).ok()?;
        let outcome = self.attempt([work].into_iter(), true);
        let _ = self.connection.busy_timeout(BUSY);
        if began.elapsed() > QUICK {
            self.elsewhere = ELSEWHERE;
        }
        match outcome {
            Ok(outcomes) => outcomes.into_iter().next(),
            Err(error) if is_busy(&error) => None,
            Err(error) => Some(Err(StoreError::from_sqlite(&self.database, &error))),
        }
    }

    /// Commits jobs together and answers them.
    pub(super) fn commit(&mut self, group: Vec<Job>) {
        if group.is_empty() {
            return;
        }
        let of_run = group.iter().any(|job| job.of_run);
        match self.attempt(group.iter().map(|job| &job.work), of_run) {
            Ok(outcomes) => {
                for (job, outcome) in group.into_iter().zip(outcomes) {
                    (job.reply)(outcome);
                }
            }
            // One of them may be the cause, so each gets its own chance; that another
            // process is writing is nobody's fault, and was waited for long enough.
            Err(error) if group.len() > 1 && !is_busy(&error) => {
                for job in group {
                    self.commit(vec![job]);
                }
            }
            Err(error) => {
                for job in group {
                    (job.reply)(Err(StoreError::from_sqlite(&self.database, &error)));
                }
            }
        }
    }

    fn attempt<'a>(
        &mut self,
        works: impl Iterator<Item = &'a Work>,
        of_run: bool,
    ) -> rusqlite::Result<Vec<Result<(), StoreError>>> {
        let transaction =
            Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        if of_run {
            self.wal.make_room();
        }
        let mut outcomes = Vec::new();
        for work in works {
            outcomes.push(match work(&transaction) {
                Ok(()) => Ok(()),
                Err(Failure::Refused(error)) => Err(error),
                Err(Failure::Failed(error)) => return Err(error),
            });
        }
        transaction.commit()?;
        Ok(outcomes)
    }

    /// After a commit; whether it is time to look at the log.
    pub(super) fn committed(&mut self, jobs: usize) -> bool {
        self.last = Instant::now();
        self.wal.committed(jobs)
    }

    /// Empties the log if it is long.
    pub(super) fn look(&mut self) {
        self.wal.look(&self.connection);
    }

    pub(super) fn is_worth_emptying(&self) -> bool {
        self.wal.worth_emptying()
    }

    /// Empties the log if nothing was committed for a while.
    pub(super) fn empty_if_idle(&mut self, idle: Duration) {
        if self.last.elapsed() >= idle {
            self.wal.empty(&self.connection);
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}
