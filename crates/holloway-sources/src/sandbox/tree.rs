//! Which processes are below this one, and how much memory do they use?
//! Read from `/proc`, for there is no other way that needs no privilege.

use std::fs;

use rustix::param::page_size;
use rustix::process::Pid;

pub(super) struct Process {
    pub(super) pid: Pid,
    /// Children have 1.
    pub(super) depth: usize,
}

/// At most so many processes below, nearest first. Those that come and go meanwhile
/// may be missing. The bound is what makes this end: a bomb grows faster than it is read.
pub(super) fn below(root: Pid, most: usize) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut level = vec![root];
    for depth in 1.. {
        let mut next = Vec::new();
        for child in level.iter().flat_map(|pid| children(*pid)) {
            if found.len() >= most {
                return found;
            }
            found.push(Process { pid: child, depth });
            next.push(child);
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    found
}

fn children(parent: Pid) -> Vec<Pid> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero())) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for task in tasks.flatten() {
        match fs::read_to_string(task.path().join("children")) {
            Ok(text) => found.extend(text.split_whitespace().filter_map(pid)),
            // Kernels without this list are rare; there all processes are looked at.
            Err(_) if !listed() => return children_by_parent(parent),
            Err(_) => {}
        }
    }
    found
}

fn listed() -> bool {
    fs::exists("/proc/thread-self/children").unwrap_or(false)
}

fn children_by_parent(parent: Pid) -> Vec<Pid> {
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    all.flatten()
        .filter_map(|entry| pid(entry.file_name().to_str()?))
        .filter(|candidate| parent_of(*candidate) == Some(parent))
        .collect()
}

/// The fourth field of `stat`; the second is a name that may hold anything but ends with `)`.
fn parent_of(process: Pid) -> Option<Pid> {
    let text = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    pid(fields.split_whitespace().nth(1)?)
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

/// Bytes in memory, pages shared with others counted in full.
pub(super) fn resident(process: Pid) -> u64 {
    let read = || {
        let text = fs::read_to_string(format!("/proc/{}/statm", process.as_raw_nonzero())).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    read().unwrap_or(0) * page_size() as u64
}

/// Bytes in memory, pages shared with others counted in proportion. Slower.
pub(super) fn proportional(process: Pid) -> u64 {
    let read = || {
        let path = format!("/proc/{}/smaps_rollup", process.as_raw_nonzero());
        let text = fs::read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    read().map_or_else(|| resident(process), |kibibytes| kibibytes << 10)
}
