//! Does the program run as said, and does everything it started end with it?

use holloway_engine::failure::FailureName;
use rustix::process::test_kill_process;

use super::super::Toolbox;
use super::super::testing::{builtin, folder_grants, run};
use super::*;

fn granted() -> (tempfile::TempDir, Toolbox) {
    let folder = tempfile::tempdir().unwrap();
    let grants = Grants {
        shell: true,
        ..folder_grants(folder.path())
    };
    (folder, Toolbox::builtin(grants))
}

async fn shell(toolbox: &Toolbox, arguments: Value) -> Result<Value, ToolFailure> {
    run(toolbox, "builtin/shell-run", arguments).await
}

/// Waits until the file holds a process id.
async fn read_pid(path: PathBuf) -> Pid {
    loop {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if text.ends_with('\n') {
            return Pid::from_raw(text.trim().parse().unwrap()).unwrap();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A killed process may stay as a zombie until its new parent has looked.
fn is_running(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let state = stat
        .ok()
        .and_then(|stat| stat.rsplit(") ").next()?.chars().next());
    test_kill_process(pid).is_ok() && !matches!(state, None | Some('Z' | 'X'))
}

async fn gone(pid: Pid) {
    let wait = async {
        while is_running(pid) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), wait)
        .await
        .expect("still running");
}

#[tokio::test]
async fn without_the_grant_nothing_runs() {
    let failure = builtin("shell-run", json!({"command": "echo hello"}))
        .await
        .unwrap_err();
    assert_eq!(failure.name, FailureName::Denied);
    assert!(failure.hint.unwrap().contains("shell = true"));
}

#[tokio::test]
async fn output_exit_code_and_folder_are_those_of_the_program() {
    let (folder, toolbox) = granted();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let arguments =
        json!({"command": "pwd; cat; echo oops >&2; exit 3", "cwd": "sub", "stdin": "given"});
    let result = shell(&toolbox, arguments).await.unwrap();
    assert_eq!(result["exit_code"], 3);
    assert!(result["stdout"].as_str().unwrap().ends_with("/sub\ngiven"));
    assert_eq!(result["stderr"], "oops\n");
}

#[tokio::test]
async fn arguments_are_passed_as_they_are() {
    let (_folder, toolbox) = granted();
    let arguments = json!({"program": "printf", "args": ["%s|", "$HOME; ls", "*"]});
    let result = shell(&toolbox, arguments).await.unwrap();
    assert_eq!(result["stdout"], "$HOME; ls|*|");
}

#[tokio::test]
async fn the_environment_holds_only_the_path() {
    let (_folder, toolbox) = granted();
    let result = shell(&toolbox, json!({"program": "env"})).await.unwrap();
    let names: Vec<_> = result["stdout"].as_str().unwrap().lines().collect();
    assert!(
        names.iter().all(|line| line.starts_with("PATH=")),
        "{names:?}"
    );
}

#[tokio::test]
async fn long_output_is_cut() {
    let (_folder, toolbox) = granted();
    let arguments = json!({"command": "head -c 1000000 /dev/zero | tr '\\0' x", "max_bytes": 10});
    let result = shell(&toolbox, arguments).await.unwrap();
    assert_eq!(
        (&result["stdout"], &result["truncated"]),
        (&json!("xxxxxxxxxx"), &json!(true))
    );
}

#[tokio::test]
async fn the_working_folder_must_be_granted() {
    let (_folder, toolbox) = granted();
    for cwd in ["/", "..", "/tmp/.."] {
        let failure = shell(&toolbox, json!({"command": "pwd", "cwd": cwd}))
            .await
            .unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{cwd}");
    }
}

#[tokio::test]
async fn a_dropped_call_kills_children_of_children() {
    let (folder, toolbox) = granted();
    let command = "sh -c 'sh -c \"echo \\$\\$ >inner; sleep 600\" & echo $$ >outer; wait'";
    let call = shell(&toolbox, json!({"command": command}));
    let pids = async {
        let inner = read_pid(folder.path().join("inner")).await;
        (inner, read_pid(folder.path().join("outer")).await)
    };
    let (inner, outer) = tokio::select! {
        ended = call => panic!("ended by itself: {ended:?}"),
        pids = pids => pids,
    };
    gone(inner).await;
    gone(outer).await;
}

#[tokio::test]
async fn what_is_left_in_the_background_ends_with_the_program() {
    let (folder, toolbox) = granted();
    let command = "sh -c 'echo $$ >inner; sleep 600' & while ! [ -s inner ]; do :; done; echo done";
    let result = shell(&toolbox, json!({"command": command})).await.unwrap();
    assert_eq!(result["stdout"], "done\n");
    gone(read_pid(folder.path().join("inner")).await).await;
}
