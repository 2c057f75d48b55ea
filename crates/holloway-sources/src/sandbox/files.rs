//! Which files can be opened where there is no bubblewrap? Landlock, in the kernel
//! since 5.13, lets a process give up all files but those it names.
//!
//! What it leaves open: names and sizes of other files can still be seen.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use super::order::Order;
use super::{SandboxError, system};

/// Before this one, files could be emptied without being opened.
const OLDEST: ABI = ABI::V3;

/// The newest one tried.
const NEWEST: ABI = ABI::V7;

/// What runtimes want to know about the machine and themselves. Of other processes
/// not even the command line is to be seen.
const ABOUT: &[&str] = &[
    "/proc/self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/version",
    "/proc/sys/vm/overcommit_memory",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Gives up all files but those of the order. Says whether signals and abstract
/// sockets to the outside are shut too.
pub(super) fn restrict(order: &Order) -> Result<bool, SandboxError> {
    let abi = available().ok_or_else(unavailable)?;
    let status = build(order).map_err(refused)?;
    if status == RulesetStatus::NotEnforced {
        return Err(unavailable());
    }
    Ok(abi >= ABI::V6 as i32)
}

fn build(order: &Order) -> Result<RulesetStatus, RulesetError> {
    let all = AccessFs::from_all(NEWEST);
    let read = AccessFs::from_read(NEWEST);
    let mut rules = Ruleset::default()
        .handle_access(all)?
        .scope(Scope::from_all(NEWEST))?;
    if !order.network {
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let own = order.readable.iter().map(super::order::Text::path);
    let fixed = system::readable(order.network).chain(ABOUT.iter().map(Path::new));
    let readable: Vec<PathBuf> = own.chain(fixed.map(Path::to_owned)).collect();
    let writable = order.writable.iter().map(super::order::Text::path);
    let null = PathBuf::from("/dev/null");
    let status = rules
        .create()?
        .add_rules(path_beneath_rules(readable, read))?
        .add_rules(path_beneath_rules(writable.chain([null]), all))?
        .restrict_self()?;
    Ok(status.ruleset)
}

/// Shuts signals and abstract sockets to the outside, and nothing else.
pub(super) fn scope_only() -> bool {
    let shut = || -> Result<RulesetStatus, RulesetError> {
        let rules = Ruleset::default().scope(Scope::from_all(NEWEST))?;
        Ok(rules.create()?.restrict_self()?.ruleset)
    };
    shut().is_ok_and(|status| status == RulesetStatus::FullyEnforced)
}

/// The version of landlock here, if it is good enough. Asking means to give something
/// up, so that a thread is sacrificed.
pub(super) fn available() -> Option<i32> {
    let asked = std::thread::spawn(|| {
        let rules = Ruleset::default().handle_access(AccessFs::MakeBlock)?;
        Ok::<_, RulesetError>(rules.create()?.restrict_self()?.landlock)
    });
    match asked.join().ok()?.ok()? {
        LandlockStatus::Available {
            effective_abi,
            kernel_abi,
        } if effective_abi >= OLDEST => Some(kernel_abi.unwrap_or(effective_abi as i32)),
        _ => None,
    }
}

fn unavailable() -> SandboxError {
    SandboxError::new(
        "landlock is not available in the version that is needed (Linux 6.2 or later)",
        "install `bubblewrap`",
    )
}

fn refused(error: RulesetError) -> SandboxError {
    SandboxError::new(
        format!("landlock did not take the rules: {error}"),
        "install `bubblewrap`",
    )
}
