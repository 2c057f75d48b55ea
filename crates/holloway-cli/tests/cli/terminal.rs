//! A person at a terminal: the binary on a terminal of its own, what it shows, and the keys that
//! are pressed.

use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::place::{Place, wait_for};

pub(crate) struct Terminal {
    child: Child,
    side: Arc<rustix::fd::OwnedFd>,
    seen: Arc<Mutex<Vec<u8>>>,
    reader: std::thread::JoinHandle<()>,
}

impl Place {
    /// Starts the binary at a terminal of this many columns.
    pub(crate) fn at_terminal(
        &self,
        typed: &str,
        columns: u16,
        around: &[(&str, &str)],
    ) -> Terminal {
        let side = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&side).unwrap();
        unlockpt(&side).unwrap();
        let size = Winsize {
            ws_row: 50,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&side, size).unwrap();
        let name = ptsname(&side, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let end = || Stdio::from(open(&name, flags, Mode::empty()).unwrap());
        let mut command: Command = self.command(typed);
        command
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .envs(around.iter().copied())
            .stdin(end())
            .stdout(end())
            .stderr(end());
        let child = command.spawn().unwrap();
        let side = Arc::new(side);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (reading, heard) = (Arc::clone(&side), Arc::clone(&seen));
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = rustix::io::read(&*reading, &mut buffer) {
                heard.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Terminal {
            child,
            side,
            seen,
            reader,
        }
    }
}

impl Terminal {
    /// All that was shown so far.
    pub(crate) fn screen(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }

    pub(crate) fn wait_for(&self, text: &str) {
        wait_for(text, || self.screen().contains(text).then_some(()));
    }

    /// Waits until a text was shown so many times.
    pub(crate) fn wait_for_times(&self, text: &str, times: usize) {
        wait_for(text, || {
            (self.screen().matches(text).count() >= times).then_some(())
        });
    }

    pub(crate) fn press(&self, keys: &str) {
        rustix::io::write(&*self.side, keys.as_bytes()).unwrap();
    }

    pub(crate) fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// What was shown, and the exit code.
    pub(crate) fn finish(mut self) -> (String, Option<i32>) {
        let child = std::cell::RefCell::new(&mut self.child);
        let status = wait_for("the end", || child.borrow_mut().try_wait().unwrap());
        // What was shown last may still be on its way.
        wait_for("all that was shown", || {
            self.reader.is_finished().then_some(())
        });
        (self.screen(), status.code())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Whatever a test found, nobody stays behind waiting for a key.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
