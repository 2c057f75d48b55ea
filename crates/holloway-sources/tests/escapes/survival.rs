//! Does anything live on? A process that breaks away from its parents, its session
//! and its terminal holds a lock; once the sandbox has ended, the lock is free.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use holloway_sources::sandbox::{Kind, Sandbox};
use rustix::fs::{FlockOperation, flock};
use tokio::io::{AsyncBufReadExt, BufReader as AsyncBufReader};
use tokio::process::{Child, Command};

use super::world::{BOTH, World, sandbox};

/// Breaks away, takes the lock, lets the first process know, and would write a file
/// if it were left alone.
const DAEMON: &str = "
import fcntl, os, signal, sys, time
for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(name, signal.SIG_IGN)
near, far = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    lock = open('lock', 'w')
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.write(far, b'x')
    for number in (0, 1, 2, near, far): os.close(number)
    time.sleep(20)
    open('alive', 'w').close()
    os._exit(0)
os.read(near, 1)
print('ready', flush=True)
";

const STAY: &str = "time.sleep(1000)";

fn daemon(world: &mut World, then: &str) {
    world.confinement.program = OsString::from("python3");
    let script = format!("{DAEMON}\n{then}");
    world.confinement.arguments = vec!["-c".into(), script.into()];
}

/// Waits for the lock. Had the daemon lived on, it would have written its file first.
fn nobody_lives(world: &World) {
    let lock = File::open(world.path("work/lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    assert!(!world.path("work/alive").exists(), "it lived on");
}

async fn ready(sandbox: &Sandbox, world: &World) -> Child {
    let mut command: Command = sandbox.command(&world.confinement).unwrap();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut output = AsyncBufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).await.unwrap();
    assert_eq!(line, "ready\n");
    child
}

#[tokio::test]
async fn after_the_program_ended() {
    for kind in BOTH {
        let mut world = World::new();
        daemon(&mut world, "");
        let sandbox = sandbox(kind);
        let mut child = ready(&sandbox, &world).await;
        let _warden = sandbox.watch(&child, world.confinement.share);
        assert!(child.wait().await.unwrap().success());
        nobody_lives(&world);
    }
}

#[tokio::test]
async fn after_the_warden_went() {
    for kind in BOTH {
        let mut world = World::new();
        daemon(&mut world, STAY);
        let sandbox = sandbox(kind);
        let child = ready(&sandbox, &world).await;
        drop(sandbox.watch(&child, world.confinement.share));
        nobody_lives(&world);
    }
}

#[tokio::test]
async fn after_the_child_was_dropped() {
    for kind in BOTH {
        let mut world = World::new();
        daemon(&mut world, STAY);
        drop(ready(&sandbox(kind), &world).await);
        nobody_lives(&world);
    }
}

const VICTIM: &str = "HOLLOWAY_TEST_VICTIM";

/// Not a test of its own: what the next one starts, and kills.
#[test]
fn victim() {
    let Ok(kind) = std::env::var(VICTIM) else {
        return;
    };
    let kind = if kind == "landlock" {
        Kind::Landlock
    } else {
        Kind::Bubblewrap
    };
    let mut world = World::new();
    daemon(&mut world, STAY);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let child = ready(&sandbox(kind), &world).await;
        let folder = world.path("work");
        writeln!(std::io::stdout(), "\nfolder={}", folder.display()).unwrap();
        std::future::pending::<()>().await;
        drop(child);
    });
}

#[test]
fn after_whoever_wanted_it_was_killed() {
    for kind in ["bubblewrap", "landlock"] {
        let mut victim = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "escapes::survival::victim", "--nocapture"])
            .env(VICTIM, kind)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let mut lines = lines.map_while(Result::ok);
        let folder = lines.find_map(|line| Some(line.strip_prefix("folder=")?.to_owned()));
        let folder = std::path::PathBuf::from(folder.unwrap());
        victim.kill().unwrap();
        victim.wait().unwrap();
        let lock = File::open(folder.join("lock")).unwrap();
        flock(&lock, FlockOperation::LockExclusive).unwrap();
        assert!(!folder.join("alive").exists(), "it lived on: {kind}");
        std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }
}
