//! Can it get hold of other processes, or of powers it was not given?

use std::fs;
use std::process::{Child, Command, Stdio};

use super::world::{BOTH, World};

/// A process outside that waits for the test to end.
struct Bystander(Child);

impl Bystander {
    fn new() -> Self {
        let mut command = Command::new("sh");
        let waiting = command
            .args(["-c", "read line"])
            .stdin(Stdio::piped())
            .spawn();
        Self(waiting.unwrap())
    }

    fn unharmed(&mut self) {
        assert_eq!(self.0.try_wait().unwrap(), None);
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        assert!(status.contains("TracerPid:\t0"));
        assert!(!status.contains("State:\tT"));
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn bystander_unharmed(script: &str) {
    for kind in BOTH {
        let mut bystander = Bystander::new();
        let mut world = World::new();
        world.set("OTHER", bystander.0.id());
        world.set("PARENT", std::process::id());
        world.python(kind, script).tried();
        bystander.unharmed();
    }
}

#[test]
fn signals_to_processes_outside() {
    bystander_unharmed(
        "
import signal
for name in ('OTHER', 'PARENT'):
    attempt(os.kill, int(env[name]), signal.SIGSTOP)
    attempt(os.kill, int(env[name]), signal.SIGKILL)
    attempt(os.killpg, int(env[name]), signal.SIGKILL)
    attempt(lambda: signal.pidfd_send_signal(os.pidfd_open(int(env[name])), signal.SIGKILL))
",
    );
}

#[test]
fn tracing_processes_outside() {
    bystander_unharmed(
        "
for name in ('OTHER', 'PARENT'):
    for request in (16, 0x4206):
        print('attach', libc.ptrace(request, int(env[name]), 0, 0))
    attempt(lambda: os.open(f'/proc/{env[name]}/mem', os.O_RDWR))
    print('steal', libc.syscall(438, os.pidfd_open(int(env[name])), 0, 0) if os.path.exists(f'/proc/{env[name]}') else -1)
",
    );
}

#[test]
fn limits_and_priorities_of_processes_outside() {
    bystander_unharmed(
        "
import resource
attempt(resource.prlimit, int(env['OTHER']), resource.RLIMIT_CPU, (0, 0))
attempt(os.setpriority, os.PRIO_PROCESS, int(env['OTHER']), 19)
attempt(os.setpriority, os.PRIO_USER, os.getuid(), 19)
attempt(os.sched_setaffinity, int(env['OTHER']), {0})
",
    );
    let own = fs::read_to_string("/proc/self/stat").unwrap();
    let priority = own
        .rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .nth(16)
        .unwrap()
        .to_owned();
    assert_ne!(priority, "19");
}

/// Each of these must fail; the numbers are those of this kind of processor.
fn refused_calls(calls: &[(&str, &str)]) {
    for kind in BOTH {
        for (name, call) in calls {
            let outcome = World::new().python(kind, &format!("print('answer', {call})"));
            let refused = outcome.tried().output.contains("answer -1");
            assert!(refused, "{kind:?} {name}: {}", outcome.output);
        }
    }
}

#[test]
fn namespaces_and_mounts() {
    refused_calls(&[
        ("a user namespace", "libc.unshare(0x10000000)"),
        ("a mount namespace", "libc.unshare(0x20000)"),
        (
            "another's namespace",
            "libc.setns(os.open('/proc/self/cwd', os.O_RDONLY), 0)",
        ),
        ("a mount", "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)"),
        ("no mount", "libc.umount2(b'/proc', 2)"),
        ("another root", "libc.chroot(b'.')"),
        (
            "swapping roots",
            "libc.pivot_root(b'.', b'.') if hasattr(libc, 'pivot_root') else -1",
        ),
    ]);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn calls_only_the_system_needs() {
    refused_calls(&[
        ("keyctl", "libc.syscall(250, 0, -3, 0)"),
        ("add_key", "libc.syscall(248, b'user', b'a', b'b', 1, -3)"),
        ("bpf", "libc.syscall(321, 0, 0, 0)"),
        ("perf_event_open", "libc.syscall(298, 0, 0, 0, 0, 0)"),
        ("userfaultfd", "libc.syscall(323, 0)"),
        (
            "io_uring_setup",
            "libc.syscall(425, 8, ctypes.create_string_buffer(256))",
        ),
        (
            "clone into a user namespace",
            "libc.syscall(56, 0x10000011, 0, 0, 0, 0)",
        ),
        (
            "clone3",
            "libc.syscall(435, ctypes.create_string_buffer(88), 88)",
        ),
        (
            "process_vm_readv",
            "libc.syscall(310, os.getppid(), 0, 0, 0, 0, 0)",
        ),
        ("open_tree", "libc.syscall(428, -100, b'/', 1)"),
        ("fsopen", "libc.syscall(430, b'proc', 0)"),
        ("kexec_load", "libc.syscall(246, 0, 0, 0, 0)"),
        ("init_module", "libc.syscall(175, 0, 0, b'')"),
        (
            "syslog",
            "libc.syscall(103, 3, ctypes.create_string_buffer(64), 64)",
        ),
        ("personality", "libc.syscall(135, 0x0040000)"),
        ("memfd_create", "libc.syscall(319, b'x', 0)"),
        ("shmget", "libc.syscall(29, 0, 4096, 0o1600)"),
        ("sethostname", "libc.syscall(170, b'x', 1)"),
        ("the second set of numbers", "libc.syscall(0x40000000 + 39)"),
    ]);
}

#[test]
fn typing_into_the_terminal() {
    for kind in BOTH {
        let script = "
import fcntl
for number in range(3):
    attempt(fcntl.ioctl, number, 0x5412, b'x')
attempt(lambda: fcntl.ioctl(os.open('/dev/tty', os.O_RDWR), 0x5412, b'x') or 'typed')
attempt(lambda: fcntl.ioctl(os.openpty()[1], 0x5412, b'x') or 'typed')
print('session', os.getsid(0) not in (0, int(env['SESSION'])))
";
        let mut world = World::new();
        world.set("SESSION", own_session());
        let outcome = world.python(kind, script);
        let output = &outcome.tried().output;
        assert!(!output.contains("typed"), "{output}");
        assert!(output.contains("session True"), "{output}");
    }
}

/// The session of this process: 0 where its leader lives outside the process namespace, as in a container.
fn own_session() -> i32 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, after_the_name) = stat.rsplit_once(')').unwrap();
    after_the_name
        .split_whitespace()
        .nth(3)
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn a_dump_of_its_memory() {
    for kind in BOTH {
        let world = World::new();
        let outcome = world.shell(
            kind,
            "ulimit -c unlimited; sh -c 'kill -ABRT $$'; ulimit -c",
        );
        assert!(
            !outcome.tried().output.contains("unlimited\n"),
            "{}",
            outcome.output
        );
        assert_eq!(fs::read_dir(world.path("work")).unwrap().count(), 0);
    }
}

#[test]
fn a_second_process_where_one_is_allowed() {
    for kind in BOTH {
        let world = World::new().share(|share| share.processes = 1);
        let script = "
attempt(lambda: os.fork() >= 0 and 'started')
attempt(lambda: os.posix_spawn('/bin/true', ['true'], {}) and 'started')
attempt(lambda: subprocess.run(['true']) and 'started')
import threading
t = threading.Thread(target=lambda: print('thread works')); t.start(); t.join()
";
        let outcome = world.python(kind, script);
        let output = &outcome.tried().output;
        assert!(!output.contains("started"), "{output}");
        assert!(output.contains("thread works"), "{output}");
    }
}
