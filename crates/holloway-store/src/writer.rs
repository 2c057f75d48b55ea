//! Who changes the database? One thread. It takes all jobs that are waiting,
//! does them in one transaction, and answers them after that one sync. Where nobody else
//! writes, the thread that has a run's entries commits them itself: the way to another thread
//! and back would take as long as a good disk.
//!
//! Invariant: a job is answered with success only after its commit; a job that
//! fails never takes another one with it; the thread outlives every failure.

mod desk;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::StoreError;
use desk::Desk;

/// Jobs in one transaction at most.
const GROUP: usize = 4096;
/// How long nothing must come in before the writer does its housekeeping.
const IDLE: Duration = Duration::from_millis(200);
/// How long the writer looks for more before it sleeps.
const LOOK: Duration = Duration::from_micros(50);

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

/// What the writer thread is told.
enum Word {
    Do(Job),
    /// Others have committed, and the log may be long by now.
    Look,
}

/// The way to the writer thread. Dropping it waits until all jobs are done.
pub(super) struct Writer {
    words: Option<Sender<Word>>,
    thread: Option<JoinHandle<()>>,
    desk: Arc<Mutex<Desk>>,
    database: PathBuf,
}

impl Writer {
    pub(super) fn start(connection: Connection, database: &Path) -> Result<Self, StoreError> {
        let (words, incoming) = mpsc::channel();
        let desk = Arc::new(Mutex::new(Desk::new(connection, database)));
        let at_desk = Arc::clone(&desk);
        let thread = thread::Builder::new()
            .name("holloway-writer".to_owned())
            .spawn(move || serve(&at_desk, &incoming))
            .map_err(|error| StoreError::from_io(database, &error))?;
        Ok(Self {
            words: Some(words),
            thread: Some(thread),
            desk,
            database: database.to_owned(),
        })
    }

    /// Does a piece of a run's work: here if nobody else writes and the disk is quick, otherwise
    /// without holding a thread.
    pub(super) async fn change_of_run(&self, work: Work) -> Result<(), StoreError> {
        if let Some(outcome) = self.change_here(&work) {
            return outcome;
        }
        let (sender, receiver) = oneshot::channel();
        self.send(work, true, move |outcome| drop(sender.send(outcome)))?;
        receiver.await.unwrap_or_else(|_| Err(self.gone()))
    }

    /// Nothing if another thread or process is writing, or if the disk takes its time.
    fn change_here(&self, work: &Work) -> Option<Result<(), StoreError>> {
        let mut desk = match self.desk.try_lock() {
            Ok(desk) => desk,
            Err(TryLockError::Poisoned(desk)) => desk.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let outcome = desk.commit_here(work)?;
        let is_due = desk.committed(1);
        drop(desk);
        if is_due {
            let _ = self.words.as_ref().map(|words| words.send(Word::Look));
        }
        Some(outcome)
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
        self.words
            .as_ref()
            .and_then(|words| words.send(Word::Do(job)).ok())
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
        self.words = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn at(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The writer thread's work, until there will be no more.
fn serve(desk: &Mutex<Desk>, incoming: &Receiver<Word>) {
    let mut has_committed = false;
    while let Some(word) = wait(desk, incoming, has_committed) {
        let mut group = Vec::new();
        let words = std::iter::once(word).chain(incoming.try_iter().take(GROUP - 1));
        group.extend(words.filter_map(|word| match word {
            Word::Do(job) => Some(job),
            Word::Look => None,
        }));
        let mut desk = at(desk);
        let jobs = group.len();
        desk.commit(group);
        if desk.committed(jobs) {
            desk.look();
        }
        has_committed = jobs > 0;
    }
}

/// The next word; `None` when there will be no more.
fn wait(desk: &Mutex<Desk>, incoming: &Receiver<Word>, has_committed: bool) -> Option<Word> {
    if has_committed && let Some(word) = look_briefly(incoming) {
        return Some(word);
    }
    while at(desk).is_worth_emptying() {
        match incoming.recv_timeout(IDLE) {
            Ok(word) => return Some(word),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => at(desk).empty_if_idle(IDLE),
        }
    }
    incoming.recv().ok()
}

/// The next entries of a run arrive within microseconds of the last commit;
/// a thread that went to sleep in between would be woken later than that.
fn look_briefly(incoming: &Receiver<Word>) -> Option<Word> {
    let began = Instant::now();
    while began.elapsed() < LOOK {
        match incoming.try_recv() {
            Ok(word) => return Some(word),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    None
}
