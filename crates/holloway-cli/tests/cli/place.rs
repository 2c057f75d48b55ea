//! A folder with a data folder inside it, and the binary started there.

use std::fmt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Long enough for a busy machine; a condition that holds is noticed at once.
const PATIENCE: Duration = Duration::from_mins(1);

/// A step that takes until the test opens the gate, or is over and its folder gone. Needs `--allow-shell --yes`.
pub(crate) const GATE: &str = "{id: wait, tool: shell-run, timeout_ms: 60000, \
     input: {command: 'until test -e open || ! test -e home; do sleep 0.02; done'}}";

pub(crate) struct Place {
    folder: TempDir,
    /// The home folder. It lies elsewhere, since a folder that contains it is not granted.
    user: TempDir,
}

/// Ends what a killed Holloway left at work here: a step that waits for a gate waits for ever once
/// the folder is gone.
impl Drop for Place {
    fn drop(&mut self) {
        let Ok(folder) = self.folder.path().canonicalize() else {
            return;
        };
        for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let is_here = std::fs::read_link(process.path().join("cwd"))
                .is_ok_and(|place| place.starts_with(&folder));
            let name = process.file_name();
            let number = name.to_str().and_then(|name| name.parse().ok());
            let pid = number.and_then(rustix::process::Pid::from_raw);
            if let (true, Some(pid)) = (is_here, pid) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

/// One start of the binary and what it gave.
pub(crate) struct Ran {
    typed: String,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// A start of the binary that has not ended.
pub(crate) struct Going {
    typed: String,
    child: Child,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            user: TempDir::new().unwrap(),
        }
    }

    /// A place with one plan in it, `plan.yaml`.
    pub(crate) fn with_plan(text: &str) -> Self {
        let place = Self::new();
        place.file("plan.yaml", text);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A file in the home folder.
    pub(crate) fn file_at_home(&self, name: &str, text: &str) {
        let path = self.user.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Lets the step [`GATE`] end.
    pub(crate) fn open_gate(&self) {
        self.file("open", "");
    }

    /// Waits until the first step of the newest run is at work.
    pub(crate) fn wait_for_first_step(&self) {
        self.wait_for_run("the first step", |shown| {
            shown["trace"]["entries"][0]["status"] == "running"
        });
    }

    /// Waits until a file contains a text.
    pub(crate) fn wait_for_text(&self, name: &str, text: &str) {
        wait_for(text, || self.read(name).contains(text).then_some(()));
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub(crate) fn command(&self, typed: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holloway"));
        command
            .args(words(typed))
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.user.path())
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("HOLLOWAY_HOME", self.path("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the binary to its end. Single quotes hold words together.
    pub(crate) fn run(&self, typed: &str) -> Ran {
        self.start(typed).finish()
    }

    pub(crate) fn start(&self, typed: &str) -> Going {
        Going {
            typed: typed.to_owned(),
            child: self.command(typed).spawn().unwrap(),
        }
    }

    /// Runs the binary with something on its standard input.
    pub(crate) fn run_with_input(&self, typed: &str, input: &str) -> Ran {
        use std::io::Write as _;
        let mut child = self.command(typed).stdin(Stdio::piped()).spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        Ran::of(typed, child.wait_with_output().unwrap())
    }

    /// Runs the binary with nobody at the other end of its output.
    pub(crate) fn run_closed(&self, typed: &str) -> Ran {
        let mut child = self.command(typed).spawn().unwrap();
        drop(child.stdout.take());
        Ran::of(typed, child.wait_with_output().unwrap())
    }

    /// Trusts the project's file as it is now, as a script does.
    pub(crate) fn trust(&self) {
        let shown = self.json("trust");
        let digest = shown["digest"].as_str().unwrap();
        let trusted = self.run(&format!("trust --digest {digest}"));
        assert_eq!(trusted.code, Some(0), "{trusted}");
    }

    /// How many runs planning learns from. No tool may look there, so the store is asked.
    pub(crate) fn remembered(&self) -> u64 {
        let store = holloway_store::Store::open(&self.path("home")).unwrap();
        store.remembered_runs().unwrap().len() as u64
    }

    /// Runs the binary where the current folder is the home folder.
    pub(crate) fn run_at_home(&self, typed: &str) -> Ran {
        let mut command = self.command(typed);
        let output = command.env("HOME", self.folder.path()).output().unwrap();
        Ran::of(typed, output)
    }

    /// Runs the binary where files are made for everybody unless it says otherwise.
    pub(crate) fn run_with_open_umask(&self, typed: &str) -> Ran {
        let command = self.command(typed);
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", "umask 0; exec \"$0\" \"$@\""])
            .arg(command.get_program())
            .args(command.get_args())
            .current_dir(self.folder.path())
            .env_clear()
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(Stdio::null());
        Ran::of(typed, shell.output().unwrap())
    }

    /// What a command says as JSON.
    pub(crate) fn json(&self, typed: &str) -> Value {
        let ran = self.run(&format!("{typed} --json"));
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"))
    }

    /// Waits until the newest run looks as wanted.
    pub(crate) fn wait_for_run(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        wait_for(what, || {
            let ran = self.run("runs show last --json");
            let shown: Value = serde_json::from_str(&ran.stdout).ok()?;
            wanted(&shown).then_some(shown)
        })
    }

    /// Compares with the stored snapshot of this name.
    #[track_caller]
    pub(crate) fn check(&self, name: &str, ran: &[&Ran]) {
        let text: Vec<String> = ran.iter().map(ToString::to_string).collect();
        let mut settings = insta::Settings::clone_current();
        let folder = self.folder.path().canonicalize().unwrap();
        for folder in [folder.as_path(), self.folder.path()] {
            settings.add_filter(&folder.display().to_string(), "[DIR]");
        }
        settings.add_filter(&self.user.path().display().to_string(), "[HOME]");
        settings.add_filter(r"\[DIR\]/(home)/", "[DATA]/");
        settings.add_filter(r"\br[0-9a-hjkmnp-tv-z]{11}\b", "rNNNNNNNNNNN");
        settings.add_filter(
            r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?",
            "2026-01-01 00:00:00",
        );
        // A column is as wide as what was measured.
        settings.add_filter(r"(?m)TIME +WHY$", "TIME  WHY");
        settings.add_filter(r"\b(\d+h )?(\d+m )?\d+(\.\d)?(s|ms)\b", "[DURATION]");
        settings.add_filter(r"damaged-\d{8}-\d{6}", "damaged-20260101-000000");
        settings.add_filter(r"process \d+( on [^ ]+)?", "process [PID]");
        settings.add_filter(r#""(at|created_ms|updated_ms|saved_ms|seed|since|pid|duration_ms|elapsed_ms|totalDurationMs|durationMs)": ?\d+"#, "\"$1\": [NUMBER]");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, text.join("\n")));
    }
}

impl Ran {
    pub(crate) fn of(typed: &str, output: Output) -> Self {
        Self {
            typed: typed.to_owned(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }

    /// The lines of stdout as JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let parse = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
        };
        self.stdout.lines().map(parse).collect()
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ holloway {}", self.typed.replace('\u{1b}', "\\x1b"))?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                writeln!(f, "--- {name}\n{}", text.trim_end())?;
            }
        }
        match self.code {
            Some(code) => writeln!(f, "--- exit {code}"),
            None => writeln!(f, "--- killed"),
        }
    }
}

impl Going {
    pub(crate) fn finish(self) -> Ran {
        Ran::of(&self.typed, self.child.wait_with_output().unwrap())
    }

    /// Ends the process as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn send(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
    }
}

/// The signals that end a program, which it hears unless the tests themselves were told to
/// outlive their terminal.
pub(crate) fn endings() -> Vec<rustix::process::Signal> {
    use rustix::process::Signal;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .is_some_and(|set| u64::from_str_radix(set.trim(), 16).unwrap_or_default() & 1 == 1);
    let mut endings = vec![Signal::TERM];
    endings.extend((!ignored).then_some(Signal::HUP));
    endings
}

/// Asks until there is an answer.
pub(crate) fn wait_for<T>(what: &str, ask: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn words(typed: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in typed.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => words.last_mut().unwrap().push(letter),
        }
    }
    words
}
