//! Who ends a sandbox? A process that starts it and waits for two ends: that of the
//! program, and that of whoever wanted it. A signal tied to the parent would come
//! when its *thread* ends, so the process itself is watched.
//!
//! Invariant: when a holder ends, however it ends, everything below it ends.

use std::os::fd::{AsFd, IntoRawFd, OwnedFd};
use std::process::Command;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid,
    kill_process, pidfd_open, set_child_subreaper, set_parent_process_death_signal, setrlimit,
    setsid, test_kill_process, wait,
};

use super::order::Order;
use super::{Kind, SandboxError, bubblewrap, files, launcher, tree};

/// How often adopted processes that have ended are cleared away.
const REAP: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// Between two rounds of killing.
const ROUND: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 2_000_000,
};
const ROUNDS: usize = 2_000;
const AT_ONCE: usize = 1_000;

/// What to do with the child when the parent has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Orphaned {
    Kill,
    /// It is a keeper: it sees the end of the holder, and has others to kill first.
    Leave,
}

/// Holds the sandbox for the caller.
pub(super) fn hold(order: &Order) -> Result<u8, SandboxError> {
    close_strangers();
    wake_with_parent();
    let parent = watch_parent(order)?;
    if order.limited {
        // When memory runs out, this is what the kernel should end first.
        let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    }
    match order.kind {
        Kind::Bubblewrap => {
            let (mut command, arguments) = bubblewrap::command(order)?;
            let child = start(&mut command)?;
            drop(arguments);
            let end = await_end(&parent, child, Orphaned::Kill);
            end.map(|end| end.repeated(order.limited))
        }
        Kind::Landlock | Kind::Unsandboxed => {
            let order = Order {
                parent: std::process::id(),
                ..order.clone()
            };
            // Should somebody kill the keeper, what it has gathered comes here.
            let _ = set_child_subreaper(Some(getpid()));
            let child = start(&mut order.launch(launcher::KEEP)?)?;
            let end = await_end(&parent, child, Orphaned::Leave);
            if !has_ended(&parent) {
                sweep(false);
            }
            end.map(|end| end.repeated(order.limited))
        }
    }
}

/// Without a process namespace, whatever loses its parent is adopted here, so that
/// nothing gets away. This is not done by the holder itself: that one may be killed.
pub(super) fn keep(order: &Order) -> Result<u8, SandboxError> {
    wake_with_parent();
    let parent = watch_parent(order)?;
    let adopted = set_child_subreaper(Some(getpid()));
    adopted.map_err(|error| failed("gather stray processes", error))?;
    // A terminal of the caller must be out of reach.
    let _ = setsid();
    let fenced = fence(order.kind);
    let child = start(&mut order.launch(launcher::ENTER)?)?;
    let end = await_end(&parent, child, Orphaned::Kill);
    sweep(fenced);
    end.map(|end| end.repeated(order.limited))
}

/// A program without walls can stop those above it, and a stopped process sees no end. The
/// kernel lets it go on when its parent, or a thread of it, ends; to any other process that
/// signal means nothing.
fn wake_with_parent() {
    let _ = set_parent_process_death_signal(Some(Signal::CONT));
}

/// From here on this process can signal nobody but those it starts and what comes of
/// them. Whether that is so is tried on the parent, which must be out of reach.
fn fence(kind: Kind) -> bool {
    let shut = kind == Kind::Landlock && files::scope_only();
    let out_of_reach = || getppid().map(test_kill_process) == Some(Err(Errno::PERM));
    shut && out_of_reach()
}

/// Files that the caller itself inherited would be doors: shells, editors and build
/// tools leave some open.
fn close_strangers() {
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else {
        return;
    };
    let numbers: Vec<i32> = open
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect();
    for number in numbers {
        let _ = nix::unistd::close(number);
    }
}

fn watch_parent(order: &Order) -> Result<OwnedFd, SandboxError> {
    let parent = getppid()
        .filter(|pid| pid.as_raw_nonzero().get().unsigned_abs() == order.parent)
        .ok_or_else(|| {
            SandboxError::new(
                "whoever wanted this program has ended",
                "nothing was started",
            )
        })?;
    pidfd_open(parent, PidfdFlags::empty()).map_err(|error| failed("watch its parent", error))
}

fn start(command: &mut Command) -> Result<Pid, SandboxError> {
    let child = command.spawn().map_err(|error| {
        SandboxError::new(
            format!(
                "`{}` did not start: {error}",
                command.get_program().display()
            ),
            "see whether it can be run by hand",
        )
    })?;
    let_go_of_pipes();
    Ok(Pid::from_child(&child))
}

/// They are the program's. A copy kept here would hide that the program has closed
/// them: whoever reads its output would wait for an end that does not come.
fn let_go_of_pipes() {
    let mut nothing = std::fs::File::options();
    nothing.read(true).write(true);
    for number in [0, 1] {
        let _ = nix::unistd::close(number);
        // Takes the lowest number that is free, which is the one just closed.
        let _ = nothing
            .open("/dev/null")
            .map(OwnedFd::from)
            .map(OwnedFd::into_raw_fd);
    }
}

/// How the child ended, unless the parent ends first.
fn await_end(parent: &OwnedFd, child: Pid, then: Orphaned) -> Result<End, SandboxError> {
    let end = pidfd_open(child, PidfdFlags::empty())
        .map_err(|error| failed("watch what it started", error))?;
    loop {
        let mut watched = [
            PollFd::from_borrowed_fd(parent.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(end.as_fd(), PollFlags::IN),
        ];
        let _ = poll(&mut watched, Some(&REAP));
        let orphaned = watched.first().is_some_and(|fd| !fd.revents().is_empty());
        if orphaned && then == Orphaned::Kill {
            let _ = kill_process(child, Signal::KILL);
        }
        if let Some(end) = reap(child) {
            return Ok(end);
        }
        if orphaned {
            return Ok(End::Code(0));
        }
    }
}

fn has_ended(process: &OwnedFd) -> bool {
    let mut watched = [PollFd::from_borrowed_fd(process.as_fd(), PollFlags::IN)];
    poll(&mut watched, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

/// Clears away whoever has ended. How the child ended, once it is among them.
fn reap(child: Pid) -> Option<End> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == child => return Some(End::of(status)),
            Ok(Some(_)) => {}
            Ok(None) => return None,
            // It has no children: the one it had cannot be waited for.
            Err(_) => return Some(End::Code(1)),
        }
    }
}

/// How a process came to its end.
#[derive(Clone, Copy)]
enum End {
    Code(u8),
    Signal(i32),
}

impl End {
    fn of(status: WaitStatus) -> Self {
        match status.terminating_signal() {
            Some(signal) => Self::Signal(signal),
            None => Self::Code(code(status.exit_status().unwrap_or(1))),
        }
    }

    /// The code to end with. Where the program is only attended, this process ends by the same
    /// signal, so that whoever waits for it sees what happened to the program.
    fn repeated(self, is_limited: bool) -> u8 {
        let signal = match self {
            Self::Code(code) => return code,
            Self::Signal(signal) => signal,
        };
        if let (false, Ok(same)) = (is_limited, nix::sys::signal::Signal::try_from(signal)) {
            // There is nothing worth a dump here.
            let none = Rlimit {
                current: Some(0),
                maximum: Some(0),
            };
            let _ = setrlimit(Resource::Core, none);
            let _ = nix::sys::signal::raise(same);
        }
        // As shells do: a signal counts from 128.
        code(signal + 128)
    }
}

fn code(number: i32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// Kills until there is nobody left below.
fn sweep(fenced: bool) {
    for _ in 0..ROUNDS {
        if fenced {
            // All at once, so that no bomb outruns it.
            let everyone = nix::unistd::Pid::from_raw(-1);
            let _ = nix::sys::signal::kill(everyone, nix::sys::signal::Signal::SIGKILL);
        } else {
            for process in tree::below(getpid(), AT_ONCE) {
                let _ = kill_process(process.pid, Signal::KILL);
            }
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        if wait(WaitOptions::NOHANG).is_err() {
            return;
        }
        let _ = poll(&mut [], Some(&ROUND));
    }
}

fn failed(what: &str, error: Errno) -> SandboxError {
    SandboxError::new(
        format!("the sandbox could not {what}: {error}"),
        "Linux 5.4 or later is needed",
    )
}
