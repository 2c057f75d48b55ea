//! Does each limit bite? A program that takes too much is stopped, by the kernel or
//! by the warden, and says nothing good afterwards.

use std::fs;

use holloway_sources::sandbox::{Exceeded, Kind};

use super::world::{BOTH, World};

const MIB: u64 = 1 << 20;

#[test]
fn memory_of_one_process() {
    for kind in BOTH {
        let world = World::new().share(|share| share.memory_bytes = 64 * MIB);
        let script = "
hoard = []
while True: hoard.append(bytearray(os.urandom(1 << 20)))
";
        let outcome = world.python(kind, script);
        assert_eq!(
            outcome.exceeded,
            Some(Exceeded::Memory { allowed: 64 * MIB })
        );
        assert_ne!(outcome.code(), 0);
    }
}

#[test]
fn memory_of_one_process_at_once() {
    for kind in BOTH {
        let world = World::new().share(|share| share.memory_bytes = 64 * MIB);
        let outcome = world.python(kind, "attempt(lambda: len(bytearray(4 << 30)))");
        assert!(
            outcome.tried().output.contains("refused: MemoryError"),
            "{}",
            outcome.output
        );
    }
}

#[test]
fn memory_of_node() {
    for kind in BOTH {
        let world = World::new().share(|share| share.memory_bytes = 128 * MIB);
        let script = "const hoard = []; for (;;) hoard.push(Buffer.alloc(1 << 20, 1));";
        let outcome = world.node(kind, script);
        assert_eq!(
            outcome.exceeded,
            Some(Exceeded::Memory { allowed: 128 * MIB })
        );
    }
}

/// Each takes little.
#[test]
fn memory_of_many_processes() {
    for kind in BOTH {
        let world = World::new().share(|share| share.memory_bytes = 96 * MIB);
        let script = "
for _ in range(8):
    if os.fork() == 0:
        hoard = os.urandom(24 << 20)
        while True: time.sleep(1)
while True: time.sleep(1)
";
        let outcome = world.python(kind, script);
        assert_eq!(
            outcome.exceeded,
            Some(Exceeded::Memory { allowed: 96 * MIB })
        );
    }
}

/// Bombs of bounded size: should a limit fail, the machine must not. Seven doublings
/// are 128 processes, which wait to be ended, but not for ever.
const BOMB: &str = "
import signal
for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(name, signal.SIG_IGN)
signal.alarm(30)
";

#[test]
fn processes_that_double() {
    for kind in BOTH {
        let world = World::new().share(|share| share.processes = 16);
        let script =
            format!("{BOMB}\nfor _ in range(7): os.fork(); signal.alarm(30)\ntime.sleep(20)");
        let outcome = world.python(kind, &script);
        assert_eq!(outcome.exceeded, Some(Exceeded::Processes { allowed: 16 }));
    }
}

#[test]
fn processes_that_leave_their_parents() {
    for kind in BOTH {
        let world = World::new().share(|share| share.processes = 16);
        let script = format!(
            "{BOMB}
for _ in range(64):
    if os.fork() == 0:
        os.setsid()
        if os.fork(): os._exit(0)
        signal.alarm(30)
        time.sleep(20)
time.sleep(20)"
        );
        let outcome = world.python(kind, &script);
        assert_eq!(outcome.exceeded, Some(Exceeded::Processes { allowed: 16 }));
    }
}

#[test]
fn processor_time() {
    for kind in BOTH {
        let world = World::new().share(|share| share.cpu_seconds = 1);
        let outcome = world.python(kind, "while True: pass");
        assert_eq!(outcome.exceeded, None);
        assert!(
            outcome.code() > 128,
            "ended by a signal: {}",
            outcome.code()
        );
    }
}

#[test]
fn the_size_of_a_file() {
    for kind in BOTH {
        let world = World::new().share(|share| share.file_bytes = MIB);
        let script = "
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def fill():
    with open('large', 'wb', buffering=0) as file:
        for _ in range(64): file.write(bytes(1 << 20))
        return 'filled'
attempt(fill)
attempt(os.truncate, 'large', 1 << 30)
";
        let outcome = world.python(kind, script);
        assert!(
            !outcome.tried().output.contains("filled"),
            "{}",
            outcome.output
        );
        assert!(fs::metadata(world.path("work/large")).unwrap().len() <= MIB);
    }
}

#[test]
fn open_files() {
    for kind in BOTH {
        let world = World::new().share(|share| share.open_files = 32);
        let script = "
import resource
attempt(resource.setrlimit, resource.RLIMIT_NOFILE, (4096, 4096))
count = 0
try:
    while count < 100: os.dup(0); count += 1
except OSError: pass
print('got', count < 32)
";
        let outcome = world.python(kind, script);
        assert!(
            outcome.tried().output.contains("got True"),
            "{}",
            outcome.output
        );
    }
}

/// Files in memory are nobody's own, so the warden does not see them.
#[test]
fn file_systems_in_memory() {
    let world = World::new().share(|share| share.memory_bytes = 16 * MIB);
    let script = "
def fill(folder):
    total = 0
    for number in range(64):
        with open(f'{folder}/{number}', 'wb', buffering=0) as file:
            for _ in range(16):
                if file.write(bytes(1 << 20)) < 1 << 20: raise OSError
                total += 1
                if total > 32: return 'filled'
for folder in ('/tmp', '/dev/shm', '/dev', '/', '/run', '/home', os.path.dirname(env['WORK'])):
    attempt(fill, folder)
";
    let outcome = world.python(Kind::Bubblewrap, script);
    assert!(
        !outcome.tried().output.contains("filled"),
        "{}",
        outcome.output
    );
    assert_eq!(outcome.exceeded, None);
}
