//! `shell-run`: what does this program say? Off unless granted. The program is attended: all
//! that it starts ends when it ends, when the call is dropped and when Holloway ends. Without
//! an attendant only its process group does.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, Command};

use super::attend::{Attend, Program};
use super::blocking::blocking;
use super::declaration::{Declaration, input, output};
use super::files::{Access, locate};
use super::{Grants, Tool, arguments};

const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// How long output may trickle in after the group was killed: only a process that
/// left the group can still hold it open.
const LAST_WORDS: Duration = Duration::from_secs(1);

pub(crate) fn tools(
    grants: &Arc<Grants>,
    attendant: Option<Arc<dyn Attend>>,
) -> Vec<Arc<dyn Tool>> {
    let grants = Arc::clone(grants);
    vec![Arc::new(ShellRun { grants, attendant })]
}

struct ShellRun {
    grants: Arc<Grants>,
    attendant: Option<Arc<dyn Attend>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    program: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    command: Option<String>,
    #[serde(default = "here")]
    cwd: String,
    #[serde(default)]
    stdin: String,
    max_bytes: Option<u64>,
}

fn here() -> String {
    ".".to_owned()
}

#[async_trait]
impl Tool for ShellRun {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "shell-run",
            title: "Run a program",
            category: "shell",
            description: "Runs a program with arguments, or a command line through /bin/sh, in a granted folder, and returns its \
                exit code and output. Use it only where no other tool does the job: the program can do whatever the \
                user may. A non-zero exit code is a result, not a failure. The environment holds only PATH; when the \
                call ends, everything it started ends. Must be granted.",
            effect: Effect::Destructive,
            latency_ms: 1000,
            input: input_schema(),
            output: output(
                &["exit_code", "signal", "stdout", "stderr", "truncated", "duration_ms"],
                json!({
                    "exit_code": {"type": ["integer", "null"], "description": "Null when a signal ended the program"},
                    "signal": {"type": ["integer", "null"]},
                    "stdout": {"type": "string"},
                    "stderr": {"type": "string"},
                    "truncated": {"type": "boolean", "description": "True when output went past the limit"},
                    "duration_ms": {"type": "integer"}
                }),
            ),
            example: json!({"command": "echo hello"}),
            does: &[],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        if !self.grants.shell {
            return Err(ToolFailure::denied("running programs is not granted")
                .with_hint("to allow it, set `shell = true` under `[grants]`"));
        }
        let arguments: Arguments = arguments::parse(arguments)?;
        let folder = working_folder(&self.grants, &arguments.cwd).await?;
        let limit = self.grants.byte_limit(arguments.max_bytes) as usize;
        let command = command(&arguments, folder, self.attendant.as_deref())?;
        run(command, arguments.stdin, limit)
            .await
            .map(CallOutput::from)
    }
}

fn input_schema() -> Value {
    let mut schema = input(
        &[],
        json!({
            "program": {"type": "string", "minLength": 1, "description": "A name found in PATH, or a path; gets `args` as they are"},
            "args": {"type": "array", "items": {"type": "string"}, "default": []},
            "command": {"type": "string", "minLength": 1, "description": "A command line for /bin/sh -c, instead of `program`"},
            "cwd": {"type": "string", "minLength": 1, "default": ".", "description": "Relative to a granted folder, or absolute inside one"},
            "stdin": {"type": "string", "default": "", "description": "Text for the standard input"},
            "max_bytes": {"type": "integer", "minimum": 1, "description": "The most kept of each output; the grant's limit if left out"}
        }),
    );
    if let Some(fields) = schema.as_object_mut() {
        let either = json!([{"required": ["program"]}, {"required": ["command"]}]);
        fields.insert("oneOf".to_owned(), either);
    }
    schema
}

async fn working_folder(grants: &Arc<Grants>, path: &str) -> Result<PathBuf, ToolFailure> {
    let grants = Arc::clone(grants);
    let path = path.to_owned();
    blocking(move || {
        let place = locate(&grants, &path, Access::Read)?;
        if place.real.is_dir() {
            return Ok(place.real);
        }
        Err(ToolFailure::permanent(format!(
            "`{}` is no folder",
            place.shown()
        )))
    })
    .await
}

fn command(
    arguments: &Arguments,
    folder: PathBuf,
    attendant: Option<&dyn Attend>,
) -> Result<Command, ToolFailure> {
    let (program, before): (&str, Vec<&str>) = match (&arguments.program, &arguments.command) {
        (Some(program), None) => (program, Vec::new()),
        (None, Some(line)) => ("/bin/sh", vec!["-c", line, "sh"]),
        _ => return Err(ToolFailure::invalid("give either `program` or `command`")),
    };
    let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    require_program(program, &path, &folder)?;
    let all = before
        .into_iter()
        .chain(arguments.args.iter().map(String::as_str));
    let mut command = if let Some(attendant) = attendant {
        attendant.command(&Program {
            program: program.into(),
            arguments: all.map(OsString::from).collect(),
            folder,
            search: path,
        })?
    } else {
        let mut command = Command::new(program);
        command.args(all).current_dir(folder);
        command.env_clear().env("PATH", path);
        command
    };
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    Ok(command)
}

/// Told here: the attendant could only say it in the output of the program.
fn require_program(program: &str, path: &OsStr, folder: &Path) -> Result<(), ToolFailure> {
    let is_there = if program.contains('/') {
        folder.join(program).is_file()
    } else {
        std::env::split_paths(path).any(|folder| folder.join(program).is_file())
    };
    if is_there {
        return Ok(());
    }
    let message = format!("the program did not start: there is no `{program}`");
    Err(ToolFailure::permanent(message).with_hint("give a name that is in PATH, or a path"))
}

/// Kills every process of the group when dropped.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            // An error means that nobody is left.
            kill_process_group(leader, Signal::KILL).ok();
        }
    }
}

async fn run(mut command: Command, stdin: String, limit: usize) -> Result<Value, ToolFailure> {
    let started = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| ToolFailure::permanent(format!("the program did not start: {error}")))?;
    let group = Group::of(&child);
    let feeding = feed(child.stdin.take(), stdin);
    let mut stdout = Kept::new(limit);
    let mut stderr = Kept::new(limit);
    let reading = {
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = (&mut stdout, &mut stderr);
        async move { tokio::join!(stdout.read(out), stderr.read(err), feeding) }
    };
    let status = wait(&mut child, group, reading).await?;
    Ok(result(status, &stdout, &stderr, started.elapsed()))
}

/// Waits for the program, not for its output: what it left in the background is
/// killed and then the output ends too.
async fn wait(
    child: &mut Child,
    group: Group,
    reading: impl Future,
) -> Result<ExitStatus, ToolFailure> {
    let mut reading = std::pin::pin!(reading);
    let mut finished = false;
    let status = loop {
        tokio::select! {
            status = child.wait() => break status,
            _ = &mut reading, if !finished => finished = true,
        }
    };
    drop(group);
    if !finished {
        tokio::time::timeout(LAST_WORDS, reading).await.ok();
    }
    status.map_err(|error| ToolFailure::permanent(format!("waiting failed: {error}")).uncertain())
}

async fn feed(pipe: Option<ChildStdin>, text: String) {
    if let Some(mut pipe) = pipe {
        // A program need not read what it is given.
        pipe.write_all(text.as_bytes()).await.ok();
    }
}

/// The beginning of an output; the rest is read and dropped so that nothing blocks.
struct Kept {
    bytes: Vec<u8>,
    limit: usize,
    truncated: bool,
}

impl Kept {
    fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            limit,
            truncated: false,
        }
    }

    async fn read(&mut self, pipe: Option<impl AsyncRead + Unpin>) {
        let Some(mut pipe) = pipe else { return };
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(count) = pipe.read(&mut buffer).await
            && count > 0
        {
            let room = self.limit - self.bytes.len();
            self.bytes.extend(buffer.iter().take(count.min(room)));
            self.truncated |= count > room;
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

fn result(status: ExitStatus, stdout: &Kept, stderr: &Kept, elapsed: Duration) -> Value {
    use std::os::unix::process::ExitStatusExt as _;
    json!({
        "exit_code": status.code(),
        "signal": status.signal(),
        "stdout": stdout.text(),
        "stderr": stderr.text(),
        "truncated": stdout.truncated || stderr.truncated,
        "duration_ms": elapsed.as_millis() as u64,
    })
}

#[cfg(test)]
mod tests;
