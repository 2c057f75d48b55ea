//! Which system calls are refused? Those that reach around the walls, that give new
//! powers, or that nobody but the system needs. Runtimes need nearly all others,
//! so that this is a list of what is shut, not of what is open.

use seccompiler::{BpfProgram, TargetArch, apply_filter, compile_from_json, sock_filter};
use serde_json::{Value, json};

use super::SandboxError;

/// What the filter has to make up for.
pub(super) struct Walls {
    pub(super) sockets: Sockets,
    /// No other process may be started.
    pub(super) single: bool,
    /// Processes, owners of files and shared memory are those of the machine.
    pub(super) shared_machine: bool,
    /// Signals would get out.
    pub(super) signals_out: bool,
}

/// Which kinds of sockets can be made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sockets {
    None,
    /// To other machines, not to programs of this one by path or name.
    Internet,
    /// The network and the names are its own.
    Local,
}

const EPERM: u32 = 1;
/// Makes libraries try the older way instead of giving up.
const ENOSYS: u32 = 38;

const ALWAYS: &[&str] = &[
    // Other processes.
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "pidfd_getfd",
    "kcmp",
    "move_pages",
    "migrate_pages",
    "perf_event_open",
    "userfaultfd",
    // Keys of the kernel.
    "keyctl",
    "add_key",
    "request_key",
    // Mounts and namespaces.
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "move_mount",
    "open_tree",
    "fsopen",
    "fsmount",
    "fspick",
    "fsconfig",
    "mount_setattr",
    "unshare",
    "setns",
    "open_by_handle_at",
    "name_to_handle_at",
    "fanotify_init",
    // The machine itself.
    "bpf",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "reboot",
    "swapon",
    "swapoff",
    "acct",
    "quotactl",
    "quotactl_fd",
    "syslog",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "sethostname",
    "setdomainname",
    "vhangup",
    "lookup_dcookie",
    "nfsservctl",
    "personality",
    // Memory that no process is charged for.
    "shmget",
    "memfd_secret",
];

/// Where a call exists on one kind of processor only.
const ALWAYS_X86: &[&str] = &["iopl", "ioperm", "modify_ldt", "uselib", "_sysctl"];

const ABSENT: &[&str] = &[
    // Its flags are in memory, where a filter cannot look.
    "clone3",
    // Goes around the filter.
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    // Memory that no process is charged for.
    "memfd_create",
];

/// Landlock does not look at these.
const SHARED_MACHINE: &[&str] = &[
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "fchown",
    "fchownat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "inotify_add_watch",
    "mq_open",
    "mq_unlink",
    "semget",
    "msgget",
    "ioprio_set",
];
const SHARED_MACHINE_X86: &[&str] = &["chmod", "chown", "lchown", "utime", "utimes", "futimesat"];

/// Calls whose first argument names a process; zero is oneself.
const ON_OTHERS: &[&str] = &[
    "prlimit64",
    "sched_setaffinity",
    "sched_setscheduler",
    "sched_setparam",
    "sched_setattr",
];

const SIGNALS: &[&str] = &["kill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"];

const NEW_NAMESPACES: &[u64] = &[
    0x0002_0000,
    0x0200_0000,
    0x0400_0000,
    0x0800_0000,
    0x1000_0000,
    0x2000_0000,
    0x4000_0000,
];
const THREAD: u64 = 0x0001_0000;

/// Puts text into the terminal as if it had been typed.
const TERMINAL_INPUT: &[u64] = &[0x5412, 0x541C];

const UNIX: u64 = 1;
const INTERNET: &[u64] = &[2, 10];
const NETLINK: u64 = 16;

/// From here on these calls are refused, for this process and all it starts.
pub(super) fn refuse(walls: &Walls) -> Result<(), SandboxError> {
    let absent = ABSENT.iter().map(|name| call(name, &[])).collect();
    for program in [
        compile(absent, ENOSYS)?,
        compile(refused(walls), EPERM)?,
        foreign_numbers(),
    ] {
        apply_filter(&program).map_err(failed)?;
    }
    Ok(())
}

fn compile(rules: Vec<Value>, errno: u32) -> Result<BpfProgram, SandboxError> {
    let text = json!({"filter": {
        "mismatch_action": "allow",
        "match_action": {"errno": errno},
        "filter": rules,
    }});
    let processor = TargetArch::try_from(std::env::consts::ARCH).map_err(failed)?;
    let mut programs = compile_from_json(text.to_string().as_bytes(), processor).map_err(failed)?;
    programs
        .remove("filter")
        .ok_or_else(|| failed("no filter came out"))
}

fn refused(walls: &Walls) -> Vec<Value> {
    let x86 = cfg!(target_arch = "x86_64");
    let mut names: Vec<&str> = ALWAYS.to_vec();
    let mut rules = Vec::new();
    if x86 {
        names.extend(ALWAYS_X86);
    }
    for flag in NEW_NAMESPACES {
        rules.push(call("clone", &[has(0, *flag, *flag)]));
    }
    for request in TERMINAL_INPUT {
        rules.push(call("ioctl", &[is(1, "eq", *request)]));
    }
    if walls.single {
        rules.push(call("clone", &[has(0, THREAD, 0)]));
        names.extend(x86.then_some(["fork", "vfork"]).into_iter().flatten());
    }
    if walls.shared_machine {
        names.extend(SHARED_MACHINE);
        names.extend(x86.then_some(SHARED_MACHINE_X86).into_iter().flatten());
        rules.extend(on_others());
    }
    if walls.signals_out {
        names.extend(SIGNALS);
        rules.push(call(
            "tgkill",
            &[is(0, "ne", u64::from(std::process::id()))],
        ));
    }
    rules.extend(sockets(walls.sockets));
    rules.extend(names.into_iter().map(|name| call(name, &[])));
    rules
}

fn on_others() -> Vec<Value> {
    let first = |name: &&str| call(name, &[is(0, "ne", 0)]);
    let mut rules: Vec<Value> = ON_OTHERS.iter().map(first).collect();
    rules.push(call("setpriority", &[is(0, "ne", 0)]));
    rules.push(call("setpriority", &[is(1, "ne", 0)]));
    // Without a path it is about an open file.
    rules.push(call("utimensat", &[wide(1, "ne", 0)]));
    rules
}

fn sockets(allowed: Sockets) -> Vec<Value> {
    let mut families: Vec<u64> = Vec::new();
    if allowed == Sockets::None {
        return vec![call("socket", &[])];
    }
    families.extend(INTERNET);
    families.push(NETLINK);
    if allowed == Sockets::Local {
        families.push(UNIX);
    }
    let others: Vec<Value> = families.iter().map(|family| is(0, "ne", *family)).collect();
    // Of netlink only what tells about interfaces and routes.
    let netlink = [is(0, "eq", NETLINK), is(2, "ne", 0)];
    vec![call("socket", &others), call("socket", &netlink)]
}

fn call(name: &str, conditions: &[Value]) -> Value {
    if conditions.is_empty() {
        return json!({"syscall": name});
    }
    json!({"syscall": name, "args": conditions})
}

fn is(index: u8, operator: &str, value: u64) -> Value {
    json!({"index": index, "type": "dword", "op": operator, "val": value})
}

fn wide(index: u8, operator: &str, value: u64) -> Value {
    json!({"index": index, "type": "qword", "op": operator, "val": value})
}

fn has(index: u8, mask: u64, value: u64) -> Value {
    json!({"index": index, "type": "dword", "op": {"masked_eq": mask}, "val": value})
}

/// On x86 the same calls have a second set of numbers, from 2^30 on, which a filter
/// by number would not see.
fn foreign_numbers() -> BpfProgram {
    let line = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let (load, at_least, answer) = (0x20, 0x35, 0x06);
    let (allow, refuse) = (0x7fff_0000, 0x0005_0000 | ENOSYS);
    vec![
        line(load, 0, 0, 0),
        line(at_least, 0, 1, 0x4000_0000),
        line(answer, 0, 0, refuse),
        line(answer, 0, 0, allow),
    ]
}

fn failed(error: impl std::fmt::Debug) -> SandboxError {
    SandboxError::new(
        format!("the filter of system calls could not be set: {error:?}"),
        "the kernel needs seccomp, and the processor must be of a known kind",
    )
}
