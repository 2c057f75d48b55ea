//! Can secrets of others be seen, and are its own kept from others?

use std::ffi::OsString;
use std::fs;
use std::process::Stdio;

use holloway_tools::secrets::SecretText;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

use super::world::{BOTH, World, random, sandbox};

/// Everything a program can learn about the processes around it.
const LOOK_AROUND: &str = "
for process in list(map(str, range(1, 6))) + ['self', str(os.getppid())] + [env.get('PARENT', '1')]:
    for name in ['environ', 'cmdline', 'maps', 'status']:
        try: print(process, name, read(f'/proc/{process}/{name}'))
        except OSError: pass
print(dict(env))
";

#[test]
fn the_environment_is_only_what_was_given() {
    for kind in BOTH {
        let outcome = World::new().run(kind, "env", &[]);
        let mut names: Vec<&str> = outcome
            .output
            .lines()
            .filter_map(|line| Some(line.split_once('=')?.0))
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["OUTSIDE", "PACKAGE", "WORK"], "{kind:?}");
    }
}

#[test]
fn the_environment_of_the_parent() {
    // Of this very process: cargo sets it for tests.
    let secret = env!("CARGO_MANIFEST_DIR");
    assert_eq!(std::env::var("CARGO_MANIFEST_DIR").unwrap(), secret);
    for kind in BOTH {
        let mut world = World::new();
        world.set("PARENT", std::process::id());
        let outcome = world.python(kind, LOOK_AROUND);
        let variable = format!("CARGO_MANIFEST_DIR={secret}");
        assert!(
            !outcome.tried().output.contains(&variable),
            "{}",
            outcome.output
        );
    }
}

#[test]
fn command_lines_outside() {
    let canary = random();
    // Waits for input that never comes; its command line is the canary.
    let mut other = std::process::Command::new("sh")
        .args(["-c", "read line", &canary])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    for kind in BOTH {
        let mut world = World::new();
        world.set("PARENT", other.id());
        let outcome = world.python(kind, LOOK_AROUND);
        assert!(
            !outcome.tried().output.contains(&canary),
            "{}",
            outcome.output
        );
        let outcome = world.shell(kind, "cat /proc/[0-9]*/cmdline; ps axww");
        assert!(
            !outcome.tried().output.contains(&canary),
            "{}",
            outcome.output
        );
    }
    drop(other.stdin.take());
    other.wait().unwrap();
}

/// Not even the launcher or bubblewrap may show what they hand over.
#[tokio::test]
async fn own_secrets_are_in_no_command_line() {
    for kind in BOTH {
        let secret = random();
        let world = World::new();
        let mut confinement = world.confinement.clone();
        confinement
            .environment
            .push(("TOKEN".to_owned(), SecretText::new(&secret)));
        confinement.program = OsString::from("sh");
        confinement.arguments = ["-c", "echo ready; read line; echo $TOKEN"]
            .map(OsString::from)
            .to_vec();
        assert!(!format!("{confinement:?}").contains(&secret));

        let sandbox = sandbox(kind);
        let mut command = sandbox.command(&confinement).unwrap();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let _warden = sandbox.watch(&child, confinement.share);
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        output.read_line(&mut text).await.unwrap();
        assert_eq!(text, "ready\n");

        let lines = command_lines();
        assert!(lines.iter().any(|line| line.contains("confined")));
        assert!(lines.iter().all(|line| !line.contains(&secret)));
        drop(child.stdin.take());
        output.read_to_string(&mut text).await.unwrap();
        assert!(text.contains(&secret), "the program itself has it");
    }
}

fn command_lines() -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .collect()
}

#[test]
fn what_the_launcher_was_told() {
    for kind in BOTH {
        let outcome = World::new().python(kind, LOOK_AROUND);
        assert!(
            !outcome.tried().output.contains("HOLLOWAY_CONFINED"),
            "{}",
            outcome.output
        );
    }
}
