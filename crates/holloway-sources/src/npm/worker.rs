//! How does one Node process serve many calls at once? A task owns the process: it
//! passes messages on by number, and decides when the process must go.
//!
//! Invariant: every call gets exactly one answer, also when the process is killed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::sandbox::Warden;

use super::lines::{LastWords, Lines, Problem, Said, Silence};

/// How long the end of a process is waited for once it has closed its output.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// When a worker is replaced, and how patient we are with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerLimits {
    /// Time to load the package and list its tools.
    pub start: Duration,
    /// How long a cancelled call may go on before the worker is killed.
    pub grace: Duration,
    /// A worker without calls ends after this time.
    pub idle: Duration,
    /// Calls after which a worker makes room for a fresh one.
    pub calls: u64,
    /// Memory, in bytes, past which it does.
    pub memory_bytes: u64,
    /// The longest result, in characters of its JSON.
    pub result_characters: usize,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            grace: Duration::from_secs(2),
            idle: Duration::from_mins(5),
            calls: 1_000,
            memory_bytes: 384 << 20,
            result_characters: 8 << 20,
        }
    }
}

impl WorkerLimits {
    /// A character has at most three bytes, and the message has a frame.
    fn longest_line(&self) -> usize {
        self.result_characters * 3 + (1 << 20)
    }
}

/// Why a message got no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The tool failed.
    Tool(Problem),
    /// The worker ended while it was at it.
    Lost(String),
    /// The worker had ended before it got the message.
    Unsent,
}

type Reply = oneshot::Sender<Result<Value, Trouble>>;

enum Request {
    Send {
        id: u64,
        line: Vec<u8>,
        reply: Reply,
    },
    Cancel(u64),
    Close,
}

/// A running worker, as seen by those who call.
#[derive(Clone)]
pub(super) struct Worker {
    requests: mpsc::UnboundedSender<Request>,
    numbers: Arc<AtomicU64>,
    worn: Arc<AtomicBool>,
}

impl Worker {
    /// Takes charge of a process that was started with three pipes.
    pub(super) fn new(
        mut child: Child,
        limits: WorkerLimits,
        warden: Option<Warden>,
    ) -> Option<Self> {
        let (stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
        let (words, stderr) = (LastWords::default(), child.stderr.take()?);
        let (requests, inbox) = mpsc::unbounded_channel();
        let (outgoing, queue) = mpsc::unbounded_channel();
        let worn = Arc::new(AtomicBool::new(false));
        tokio::spawn(write_lines(stdin, queue));
        let errors = tokio::spawn(words.clone().listen(stderr));
        let tender = Tender {
            lines: Lines::new(stdout, limits.longest_line()),
            child,
            outgoing,
            words,
            limits,
            worn: Arc::clone(&worn),
            pending: HashMap::new(),
            done: 0,
            active: Instant::now(),
            errors,
            warden,
        };
        tokio::spawn(tender.tend(inbox));
        Some(Self {
            requests,
            numbers: Arc::new(AtomicU64::new(1)),
            worn,
        })
    }

    /// Whether new calls may go to it.
    pub(super) fn is_usable(&self) -> bool {
        !self.requests.is_closed() && !self.worn.load(Ordering::Relaxed)
    }

    /// Sends a message, given without its number. Dropping the future cancels the call.
    pub(super) async fn ask(&self, message: &Value) -> Result<Value, Trouble> {
        let id = self.numbers.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = oneshot::channel();
        let line = numbered(id, message);
        if self
            .requests
            .send(Request::Send { id, line, reply })
            .is_err()
        {
            return Err(Trouble::Unsent);
        }
        let mut cancel = CancelOnDrop {
            worker: self,
            id: Some(id),
        };
        let outcome = answer.await.unwrap_or(Err(Trouble::Unsent));
        cancel.id = None;
        outcome
    }

    #[cfg(test)]
    pub(super) async fn ended(&self) {
        self.requests.closed().await;
    }

    /// Ends it, whatever it is doing.
    pub(super) async fn close(&self) {
        if self.requests.send(Request::Close).is_ok() {
            self.requests.closed().await;
        }
    }
}

fn numbered(id: u64, message: &Value) -> Vec<u8> {
    let mut line = format!("{{\"id\":{id},").into_bytes();
    let text = message.to_string();
    line.extend_from_slice(text.strip_prefix('{').unwrap_or(&text).as_bytes());
    line.push(b'\n');
    line
}

struct CancelOnDrop<'a> {
    worker: &'a Worker,
    id: Option<u64>,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            // A worker that has ended needs no telling.
            let _ = self.worker.requests.send(Request::Cancel(id));
        }
    }
}

/// Apart from the reading, so that a worker that does not listen cannot block us.
async fn write_lines(mut stdin: ChildStdin, mut queue: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(line) = queue.recv().await {
        if stdin.write_all(&line).await.is_err() {
            return;
        }
    }
}

struct Pending {
    reply: Reply,
    /// Set when it was cancelled: when patience ends.
    until: Option<Instant>,
}

/// Owns the process.
struct Tender {
    child: Child,
    lines: Lines<ChildStdout>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    words: LastWords,
    limits: WorkerLimits,
    worn: Arc<AtomicBool>,
    pending: HashMap<u64, Pending>,
    done: u64,
    active: Instant,
    /// Hears stderr to its end.
    errors: JoinHandle<()>,
    warden: Option<Warden>,
}

/// Why the worker goes.
enum End {
    /// Nobody needs it.
    Unneeded,
    Because(String),
}

impl Tender {
    async fn tend(mut self, mut inbox: mpsc::UnboundedReceiver<Request>) {
        let end = self.serve(&mut inbox).await;
        inbox.close();
        let reason = match end {
            End::Unneeded => "it was closed".to_owned(),
            End::Because(reason) => reason,
        };
        // Answered before the process is buried: nobody should wait for that.
        for (_, pending) in self.pending.drain() {
            let _ = pending.reply.send(Err(Trouble::Lost(reason.clone())));
        }
        while let Some(request) = inbox.recv().await {
            if let Request::Send { reply, .. } = request {
                let _ = reply.send(Err(Trouble::Unsent));
            }
        }
        let _ = self.child.kill().await;
    }

    async fn serve(&mut self, inbox: &mut mpsc::UnboundedReceiver<Request>) -> End {
        let mut deserted = false;
        loop {
            if deserted && self.pending.is_empty() {
                return End::Unneeded;
            }
            let deadline = self.deadline();
            tokio::select! {
                request = inbox.recv(), if !deserted => match request {
                    Some(Request::Send { id, line, reply }) => self.pass_on(id, line, reply),
                    Some(Request::Cancel(id)) => self.cancel(id),
                    Some(Request::Close) => return End::Unneeded,
                    None => deserted = true,
                },
                said = self.lines.next() => match said {
                    Ok(said) => if let Some(end) = self.hear(said) { return end },
                    Err(silence) => return self.explain(silence).await,
                },
                () = tokio::time::sleep_until(deadline) => return self.late(),
            }
        }
    }

    /// When it must go unless something happens: a cancelled call, or nothing to do.
    fn deadline(&self) -> Instant {
        let patience = self.pending.values().filter_map(|call| call.until).min();
        let idle = self.active + self.limits.idle;
        let far = Instant::now() + Duration::from_hours(24);
        match patience {
            Some(patience) => patience,
            None if self.pending.is_empty() => idle,
            None => far,
        }
    }

    fn late(&self) -> End {
        if self.pending.is_empty() {
            return End::Unneeded;
        }
        let grace = self.limits.grace.as_millis();
        End::Because(format!(
            "a cancelled call did not stop within {grace} ms, so its worker was replaced"
        ))
    }

    fn pass_on(&mut self, id: u64, line: Vec<u8>, reply: Reply) {
        self.active = Instant::now();
        self.pending.insert(id, Pending { reply, until: None });
        // If the pipe is broken, so is the process, which its silence will tell.
        let _ = self.outgoing.send(line);
    }

    fn cancel(&mut self, id: u64) {
        if let Some(pending) = self.pending.get_mut(&id) {
            pending.until = Some(Instant::now() + self.limits.grace);
            let message = serde_json::json!({"op": "cancel"});
            let _ = self.outgoing.send(numbered(id, &message));
        }
    }

    fn hear(&mut self, said: Said) -> Option<End> {
        self.active = Instant::now();
        if let Some(Problem { name, message }) = said.fatal {
            let reason = format!("its code failed outside of any call: {name}: {message}");
            return Some(End::Because(reason));
        }
        let pending = self.pending.remove(&said.id)?;
        self.done += 1;
        if self.done >= self.limits.calls || said.rss > self.limits.memory_bytes {
            self.worn.store(true, Ordering::Relaxed);
        }
        let outcome = match said.error {
            Some(problem) => Err(Trouble::Tool(problem)),
            None => Ok(said.ok),
        };
        // Whoever asked may have gone.
        let _ = pending.reply.send(outcome);
        None
    }

    async fn explain(&mut self, silence: Silence) -> End {
        End::Because(match silence {
            Silence::TooLong => "it wrote a line longer than any result may be".to_owned(),
            Silence::Garbled => "it answered with something that is not JSON".to_owned(),
            Silence::Ended => self.epitaph().await,
        })
    }

    /// How the process ended, with its last words.
    async fn epitaph(&mut self) -> String {
        let all = async {
            let _ = (&mut self.errors).await;
            self.child.wait().await
        };
        // It closed its pipe, but a process that lingers is not waited for.
        let how = match tokio::time::timeout(LAST_WORDS, all).await {
            Ok(Ok(status)) => format!("it ended ({status})"),
            _ => "it closed its output".to_owned(),
        };
        if let Some(exceeded) = self.warden.as_ref().and_then(Warden::verdict) {
            return exceeded.to_string();
        }
        match self.words.text() {
            words if words.is_empty() => how,
            words => format!("{how} after saying: {words}"),
        }
    }
}
