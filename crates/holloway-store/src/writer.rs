//! Who changes the database? One thread. It takes all jobs that are waiting,
//! does them in one transaction, and answers them after that one sync.
//!
//! Invariant: a job is answered with success only after its commit; a job that
//! fails never takes another one with it; the thread outlives every failure.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::StoreError;
use super::wal::Wal;

/// Jobs in one transaction at most.
const GROUP: usize = 4096;
/// How long nothing must come in before the writer does its housekeeping.
const IDLE: Duration = Duration::from_millis(200);
/// How long the writer looks for more before it sleeps.
const LOOK: Duration = Duration::from_micros(50);
/// How long a run stays awake for its sync, letting others work meanwhile: a sync
/// of a good disk is over before a sleeping thread would be back.
const STAY_AWAKE: Duration = Duration::from_micros(200);

/// Why a job was not done.
pub(super) enum Failure {
    /// It makes no sense; nothing was written by it.
    Refused(StoreError),
    /// The database failed; the whole transaction is rolled back.
    Failed(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error)
    }
}

/// A change. It may be tried twice, and checks everything before it writes anything.
pub(super) type Work = Box<dyn Fn(&Connection) -> Result<(), Failure> + Send>;
type Reply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

struct Job {
    work: Work,
    reply: Reply,
    /// More like it will follow soon.
    of_run: bool,
}

/// The way to the writer thread. Dropping it waits until all jobs are done.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    database: PathBuf,
}

impl Writer {
    pub(super) fn start(connection: Connection, database: &Path) -> Result<Self, StoreError> {
        let (jobs, incoming) = mpsc::channel();
        let desk = Desk {
            connection,
            wal: Wal::of(database),
            database: database.to_owned(),
        };
        let thread = thread::Builder::new()
            .name("holloway-writer".to_owned())
            .spawn(move || desk.serve(&incoming))
            .map_err(|error| StoreError::from_io(database, &error))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            database: database.to_owned(),
        })
    }

    /// Does a piece of a run's work and waits for it without holding a thread.
    pub(super) async fn change_of_run(&self, work: Work) -> Result<(), StoreError> {
        let (sender, mut receiver) = oneshot::channel();
        self.send(work, true, move |outcome| drop(sender.send(outcome)))?;
        let began = Instant::now();
        while began.elapsed() < STAY_AWAKE {
            match receiver.try_recv() {
                Ok(outcome) => return outcome,
                Err(oneshot::error::TryRecvError::Closed) => return Err(self.gone()),
                Err(oneshot::error::TryRecvError::Empty) => tokio::task::yield_now().await,
            }
        }
        receiver.await.unwrap_or_else(|_| Err(self.gone()))
    }

    /// Does the work and waits for it.
    pub(super) fn change_blocking(&self, work: Work) -> Result<(), StoreError> {
        self.change_and_wait(work, false)
    }

    /// The same for work that a run's entries will follow.
    pub(super) fn begin_run(&self, work: Work) -> Result<(), StoreError> {
        self.change_and_wait(work, true)
    }

    fn change_and_wait(&self, work: Work, of_run: bool) -> Result<(), StoreError> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.send(work, of_run, move |outcome| drop(sender.send(outcome)))?;
        receiver.recv().unwrap_or_else(|_| Err(self.gone()))
    }

    /// Leaves the work to be done soon; nobody hears whether it was.
    pub(super) fn change_later(&self, work: Work) {
        let _ = self.send(work, false, |_| ());
    }

    fn send(
        &self,
        work: Work,
        of_run: bool,
        reply: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        let job = Job {
            work,
            reply: Box::new(reply),
            of_run,
        };
        self.jobs
            .as_ref()
            .and_then(|jobs| jobs.send(job).ok())
            .ok_or_else(|| self.gone())
    }

    fn gone(&self) -> StoreError {
        StoreError::WriterGone {
            file: self.database.clone(),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the writer thread has before it.
struct Desk {
    connection: Connection,
    wal: Wal,
    database: PathBuf,
}

impl Desk {
    fn serve(mut self, incoming: &Receiver<Job>) {
        while let Some(first) = self.wait(incoming) {
            let mut group = vec![first];
            group.extend(incoming.try_iter().take(GROUP - 1));
            let jobs = group.len();
            self.commit(group);
            self.wal.committed(&self.connection, jobs);
        }
    }

    /// The next job; `None` when there will be no more.
    fn wait(&mut self, incoming: &Receiver<Job>) -> Option<Job> {
        if let Some(job) = look_briefly(incoming) {
            return Some(job);
        }
        if self.wal.worth_emptying() {
            match incoming.recv_timeout(IDLE) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.wal.empty(&self.connection),
            }
        }
        incoming.recv().ok()
    }

    fn commit(&mut self, group: Vec<Job>) {
        match self.attempt(&group) {
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

    fn attempt(&mut self, group: &[Job]) -> rusqlite::Result<Vec<Result<(), StoreError>>> {
        let transaction =
            Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        if group.iter().any(|job| job.of_run) {
            self.wal.make_room();
        }
        let mut outcomes = Vec::with_capacity(group.len());
        for job in group {
            outcomes.push(match (job.work)(&transaction) {
                Ok(()) => Ok(()),
                Err(Failure::Refused(error)) => Err(error),
                Err(Failure::Failed(error)) => return Err(error),
            });
        }
        transaction.commit()?;
        Ok(outcomes)
    }
}

/// The next entries of a chain arrive within microseconds of the last commit;
/// a thread that went to sleep in between would be woken later than that.
fn look_briefly(incoming: &Receiver<Job>) -> Option<Job> {
    let began = Instant::now();
    while began.elapsed() < LOOK {
        match incoming.try_recv() {
            Ok(job) => return Some(job),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    None
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}
