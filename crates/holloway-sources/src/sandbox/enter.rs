//! How does the launcher become the program? Limits first, then the walls, then
//! `exec`: from there on nothing of the launcher is left.
//!
//! Invariant: the program starts behind every wall or not at all.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{
    Resource, Rlimit, Signal, set_parent_process_death_signal, setpriority_process, setrlimit,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::order::Order;
use super::syscalls::{Sockets, Walls};
use super::{Kind, SandboxError, files, syscalls};

const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What a runtime reserves but does not use; the warden counts what is used.
const RESERVED: u64 = 512 << 20;

const NICENESS: i32 = 10;

/// A process needs threads: so many for each, and some at least.
const THREADS: u64 = 16;
const FEWEST_THREADS: u64 = 256;

/// Returns only if there was nothing to start, or if it did not start.
pub(super) fn enter(order: &Order) -> Result<u8, SandboxError> {
    // The keeper sweeps on its own end; this is for the case that it is killed.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if order.limited {
        // Those who may have to end it must get the processor before it does.
        let _ = setpriority_process(None, NICENESS);
        limit(order)?;
    }
    match order.kind {
        Kind::Bubblewrap => inside_namespaces(order)?,
        Kind::Landlock => behind_landlock(order)?,
        Kind::Unsandboxed => {}
    }
    if order.probe {
        return Ok(0);
    }
    Err(become_program(order))
}

fn limit(order: &Order) -> Result<(), SandboxError> {
    let share = &order.share;
    let mut limits = vec![
        (Resource::Data, share.memory_bytes.saturating_add(RESERVED)),
        (Resource::Cpu, share.cpu_seconds),
        (Resource::Nofile, share.open_files),
        (Resource::Fsize, share.file_bytes),
        // Zero would still hand the dump to a program that collects dumps; one does not.
        (Resource::Core, 1),
    ];
    // Elsewhere this would count all processes of the user.
    if order.kind == Kind::Bubblewrap {
        let threads = (u64::from(share.processes) * THREADS).max(FEWEST_THREADS);
        limits.push((Resource::Nproc, threads));
    }
    for (resource, wanted) in limits {
        let most = rustix::process::getrlimit(resource).maximum;
        let bound = Some(most.map_or(wanted, |most| most.min(wanted)));
        let limit = Rlimit {
            current: bound,
            maximum: bound,
        };
        setrlimit(resource, limit).map_err(|error| {
            SandboxError::new(
                format!("the limit {resource:?} of {wanted} could not be set: {error}"),
                "choose another share in the configuration",
            )
        })?;
    }
    Ok(())
}

/// Bubblewrap has done the most. Abstract sockets belong to the network, so that a
/// shared network would share those of the desktop; landlock can tell them apart.
fn inside_namespaces(order: &Order) -> Result<(), SandboxError> {
    let scoped = files::scope_only();
    syscalls::refuse(&Walls {
        sockets: match (order.network, scoped) {
            (false, _) | (true, true) => Sockets::Local,
            (true, false) => Sockets::Internet,
        },
        single: order.share.processes == 1,
        shared_machine: false,
        signals_out: false,
    })
}

fn behind_landlock(order: &Order) -> Result<(), SandboxError> {
    drop_capabilities()?;
    let scoped = files::restrict(order)?;
    syscalls::refuse(&Walls {
        sockets: if order.network {
            Sockets::Internet
        } else {
            Sockets::None
        },
        single: order.share.processes == 1,
        shared_machine: true,
        signals_out: !scoped,
    })
}

/// Root is then a user like others. It stays so: what follows forbids new privileges.
fn drop_capabilities() -> Result<(), SandboxError> {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    set_capabilities(None, sets).map_err(|error| {
        SandboxError::new(
            format!("privileges could not be given up: {error}"),
            "install `bubblewrap`",
        )
    })
}

fn become_program(order: &Order) -> SandboxError {
    let Some(program) = find_program(order) else {
        return SandboxError::new(
            format!(
                "the program `{}` was not found",
                order.program.os().display()
            ),
            "name its whole path, below a readable folder if it is not part of the system",
        );
    };
    let error = Command::new(&program)
        .args(order.arguments.iter().map(super::order::Text::os))
        .current_dir(order.folder.path())
        .env_clear()
        .envs(order.environment.iter().map(|(name, value)| (name, value)))
        .exec();
    SandboxError::new(
        format!("`{}` did not start: {error}", program.display()),
        "the program and its folder must be part of the system, readable or writable",
    )
}

fn find_program(order: &Order) -> Option<PathBuf> {
    let program = order.program.path();
    if program.components().count() > 1 || program.is_absolute() {
        return Some(program);
    }
    let path = order.environment.iter().find(|(name, _)| name == "PATH");
    let path = path.map_or(DEFAULT_PATH, |(_, value)| value.as_str());
    path.split(':')
        .map(|folder| Path::new(folder).join(&program))
        .find(|candidate| candidate.is_file())
}
