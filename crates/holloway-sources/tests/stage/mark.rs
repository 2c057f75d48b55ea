//! Which processes has a test left behind? Each server is started with a mark in
//! its environment, which its children inherit.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const NAME: &str = "HOLLOWAY_TEST_MARK";
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A text that only the processes of one server carry.
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{}-{number}", std::process::id()))
    }

    /// For the environment of the server.
    pub(crate) fn variable(&self) -> (String, String) {
        (NAME.to_owned(), self.0.clone())
    }

    /// The ids and command lines of all processes that carry the mark.
    pub(crate) fn processes(&self) -> Vec<(u32, String)> {
        let wanted = format!("{NAME}={}", self.0).into_bytes();
        let ids = fs::read_dir("/proc").unwrap().filter_map(|item| {
            let name = item.ok()?.file_name();
            name.to_str()?.parse::<u32>().ok()
        });
        ids.filter(|id| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment
                .split(|byte| *byte == 0)
                .any(|one| one == wanted)
        })
        .map(|id| (id, command_line(id)))
        .collect()
    }

    /// Fails if some are still there after a while: a process that was killed needs a
    /// moment to go.
    pub(crate) async fn assert_none_left(&self, what: &str) {
        let mut left = self.processes();
        for _ in 0..200 {
            if left.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
            left = self.processes();
        }
        panic!("{what}: processes are left: {left:?}");
    }
}

fn command_line(id: u32) -> String {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}
