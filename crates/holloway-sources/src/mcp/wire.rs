//! What do all who use one connection know about it? Whether it still stands, who
//! waits for news of progress, which tools are being called.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use holloway_engine::ports::{CallLine, ToolProgress};
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio::time::Instant;

/// One connection, as transport, handler and calls share it.
pub(super) struct Wire {
    /// Why and when it ended, once it has.
    ended: watch::Sender<Option<(Arc<str>, Instant)>>,
    generation: Arc<AtomicU64>,
    /// The lines of calls under way, by the token of their progress.
    calls: Mutex<BTreeMap<i64, CallLine>>,
    /// Counts down: calls that have no token yet are the newest.
    about_to_call: AtomicI64,
}

/// Takes a call off the list when it ends, in whatever way.
pub(super) struct Listed<'a> {
    wire: &'a Wire,
    token: i64,
}

impl Wire {
    pub(super) fn new(generation: Arc<AtomicU64>) -> Self {
        Self {
            ended: watch::Sender::new(None),
            generation,
            calls: Mutex::default(),
            about_to_call: AtomicI64::new(i64::MAX),
        }
    }

    /// The first reason counts.
    pub(super) fn end(&self, reason: &str) {
        self.ended.send_if_modified(|ended| {
            let first = ended.is_none();
            ended.get_or_insert_with(|| (reason.into(), Instant::now()));
            first
        });
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.borrow().is_some()
    }

    pub(super) fn ended_at(&self) -> Option<Instant> {
        self.ended.borrow().as_ref().map(|(_, when)| *when)
    }

    /// Waits for the end and says why.
    pub(super) async fn end_reason(&self) -> Arc<str> {
        let mut ended = self.ended.subscribe();
        match ended.wait_for(Option::is_some).await {
            Ok(ended) => ended
                .as_ref()
                .map(|(why, _)| why.clone())
                .unwrap_or_default(),
            Err(_) => Arc::default(),
        }
    }

    /// Definitions may have changed. Costs no more than this, however often it is said.
    pub(super) fn changed(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// A call that is about to be sent. A quick server asks before its token is known here.
    pub(super) fn expect(&self, line: CallLine) -> Listed<'_> {
        let token = self.about_to_call.fetch_sub(1, Ordering::Relaxed);
        self.list(token, line)
    }

    pub(super) fn list(&self, token: i64, line: CallLine) -> Listed<'_> {
        self.calls().insert(token, line);
        Listed { wire: self, token }
    }

    /// Whom a question goes to. Over pipes a server does not say which call it asks
    /// for; the one that waits longest is the likeliest.
    pub(super) fn oldest_line(&self) -> CallLine {
        let calls = self.calls();
        let oldest = calls.first_key_value();
        oldest.map(|(_, line)| line.clone()).unwrap_or_default()
    }

    pub(super) fn progress(
        &self,
        token: i64,
        progress: f64,
        total: Option<f64>,
        message: Option<String>,
    ) {
        let line = self.calls().get(&token).cloned();
        if let Some(line) = line {
            line.progress(ToolProgress {
                progress,
                total,
                message,
            });
        }
    }

    /// Takes in what needs no answer. Says whether that is all there is to do.
    pub(super) fn take_note(&self, message: &Map<String, Value>) -> bool {
        if message.contains_key("id") {
            return false;
        }
        match message.get("method").and_then(Value::as_str) {
            Some("notifications/tools/list_changed") => self.changed(),
            Some("notifications/progress") => self.take_progress(message.get("params")),
            Some(
                "notifications/message"
                | "notifications/resources/updated"
                | "notifications/resources/list_changed"
                | "notifications/prompts/list_changed",
            ) => {}
            _ => return false,
        }
        true
    }

    fn take_progress(&self, params: Option<&Value>) {
        let Some(params) = params else { return };
        let token = match params.get("progressToken") {
            Some(Value::Number(number)) => number.as_i64(),
            Some(Value::String(text)) => text.parse().ok(),
            _ => None,
        };
        if let (Some(token), Some(progress)) =
            (token, params.get("progress").and_then(Value::as_f64))
        {
            let total = params.get("total").and_then(Value::as_f64);
            let message = params.get("message").and_then(Value::as_str);
            self.progress(token, progress, total, message.map(str::to_owned));
        }
    }

    fn calls(&self) -> std::sync::MutexGuard<'_, BTreeMap<i64, CallLine>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.wire.calls().remove(&self.token);
    }
}
