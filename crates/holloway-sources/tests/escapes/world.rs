//! Where do attempts take place? In a folder with a package that can be read, a
//! folder that can be written, and an outside with something to steal.

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use holloway_sources::sandbox::{Confinement, Exceeded, Kind, Sandbox, Share, Wish};
use holloway_tools::secrets::SecretText;
use tempfile::TempDir;

pub(crate) const BOTH: [Kind; 2] = [Kind::Bubblewrap, Kind::Landlock];

/// Generous: it only keeps a broken sandbox from holding up the others.
const DEADLINE: Duration = Duration::from_mins(1);

/// Printed by each script once it has tried.
const TRIED: &str = "tried-it";

pub(crate) struct World {
    folder: TempDir,
    /// In files and variables outside; must never be seen.
    pub(crate) canary: String,
    pub(crate) confinement: Confinement,
}

pub(crate) struct Outcome {
    pub(crate) output: String,
    pub(crate) status: ExitStatus,
    pub(crate) exceeded: Option<Exceeded>,
}

impl Outcome {
    /// The script came to its end.
    pub(crate) fn tried(&self) -> &Self {
        assert!(
            self.output.contains(TRIED),
            "not even tried: {}",
            self.output
        );
        self
    }

    pub(crate) fn code(&self) -> i32 {
        let signal = self.status.signal().map(|signal| 128 + signal);
        self.status.code().or(signal).unwrap()
    }
}

pub(crate) fn random() -> String {
    let draw = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", draw(), draw())
}

pub(crate) fn sandbox(kind: Kind) -> Sandbox {
    let launcher = PathBuf::from(env!("CARGO_BIN_EXE_holloway-confined"));
    Sandbox::find(launcher, Wish::Only(kind)).unwrap()
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["package", "work", "outside"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        let canary = random();
        fs::write(root.join("outside/canary"), &canary).unwrap();
        fs::write(root.join("package/tool.txt"), "good-day").unwrap();
        let text = |name: &str| root.join(name).display().to_string();
        let environment = ["package", "work", "outside"]
            .map(|name| (name.to_uppercase(), SecretText::new(text(name))));
        let confinement = Confinement {
            folder: root.join("work"),
            readable: vec![root.join("package")],
            writable: vec![root.join("work")],
            environment: environment.to_vec(),
            ..Confinement::default()
        };
        Self {
            folder,
            canary,
            confinement,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: impl ToString) {
        let value = SecretText::new(value.to_string());
        self.confinement.environment.push((name.to_owned(), value));
    }

    pub(crate) fn share(mut self, change: impl FnOnce(&mut Share)) -> Self {
        change(&mut self.confinement.share);
        self
    }

    pub(crate) fn python(&self, kind: Kind, script: &str) -> Outcome {
        let script = format!("{PYTHON_START}\n{script}\nprint('{TRIED}', flush=True)\n");
        self.run(kind, "python3", &["-c", &script])
    }

    pub(crate) fn shell(&self, kind: Kind, script: &str) -> Outcome {
        self.run(kind, "sh", &["-c", &format!("{script}\necho {TRIED}")])
    }

    pub(crate) fn node(&self, kind: Kind, script: &str) -> Outcome {
        self.run(
            kind,
            "node",
            &["-e", &format!("{script}\nconsole.log('{TRIED}')")],
        )
    }

    pub(crate) fn run(&self, kind: Kind, program: &str, arguments: &[&str]) -> Outcome {
        let mut confinement = self.confinement.clone();
        confinement.program = OsString::from(program);
        confinement.arguments = arguments.iter().map(OsString::from).collect();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let sandbox = sandbox(kind);
            let mut command = sandbox.command(&confinement).unwrap();
            command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let child = command.spawn().unwrap();
            let warden = sandbox.watch(&child, confinement.share);
            let ended = tokio::time::timeout(DEADLINE, child.wait_with_output()).await;
            let ended = ended.expect("it does not end").unwrap();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Outcome {
                output: text(&ended.stdout) + &text(&ended.stderr),
                status: ended.status,
                exceeded: warden.verdict(),
            }
        })
    }
}

/// `attempt(function)` says what became of it and goes on.
const PYTHON_START: &str = "
import ctypes, os, socket, subprocess, sys, time
env = os.environ
libc = ctypes.CDLL(None, use_errno=True)
def attempt(function, *arguments):
    try:
        print('result:', function(*arguments), flush=True)
    except BaseException as error:
        print('refused:', type(error).__name__, flush=True)
def read(path):
    return open(path, errors='replace').read()
def write(path, text='x'):
    with open(path, 'w') as file: file.write(text)
";
