//! Servers that are programs of their own: how they are started, and that nothing
//! of them is left.

use std::path::Path;

use rustix::process::{Pid, test_kill_process};

use super::*;
use holloway_tools::secrets::Secrets;

const SERVER: &str = r#"
import json, os, subprocess, sys, time
child = subprocess.Popen(["sleep", "1000"])
print("starting up", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "initialize":
        answer["result"] = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}},
                            "serverInfo": {"name": "python", "version": "1"}}
    elif method == "tools/list":
        answer["result"] = {"tools": [{"name": "about", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call" and params["name"] == "crash":
        print("the end is near", file=sys.stderr, flush=True)
        os._exit(3)
    elif method == "tools/call":
        about = {"pid": os.getpid(), "child": child.pid, "cwd": os.getcwd(),
                 "key": len(sys.argv[2]), "env": dict(os.environ)}
        answer["result"] = {"content": [], "structuredContent": about}
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
if sys.argv[1] == "stubborn":
    time.sleep(1000)
"#;

fn source(folder: &Path, first: &str) -> McpSource {
    let script = folder.join("server.py");
    std::fs::write(&script, SERVER).unwrap();
    let script = script.display().to_string();
    let config = McpConfig {
        command: "python3".to_owned(),
        args: vec![script, first.to_owned(), "key=${KEY}".to_owned()],
        env: BTreeMap::from([("TOKEN".to_owned(), "${KEY}".to_owned())]),
        ..McpConfig::default()
    };
    let secrets = Secrets::new(Arc::new(|name| (name == "KEY").then(|| "hush".to_owned())));
    let mut around = McpSurroundings::new(secrets, folder.join("data"));
    around.environment = vec![("PATH".to_owned(), std::env::var("PATH").unwrap())];
    McpSource::new(SourceId::new("mcp.fake"), config, around)
}

async fn about(source: &McpSource) -> Value {
    source
        .call(&request("about", json!({})))
        .await
        .unwrap()
        .value
}

fn pid(about: &Value, name: &str) -> Pid {
    let number = about[name].as_i64().unwrap();
    Pid::from_raw(i32::try_from(number).unwrap()).unwrap()
}

/// A killed process may stay as a zombie until its parent has looked.
fn is_alive(pid: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let state = status
        .ok()
        .and_then(|text| text.rsplit_once(") ")?.1.chars().next());
    test_kill_process(pid).is_ok() && !matches!(state, None | Some('Z' | 'X'))
}

/// Killing is not instant; if it never happens the test ends by its own time-out.
async fn gone(pid: Pid) {
    while is_alive(pid) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_program_sees_what_it_was_given_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let source = source(folder.path(), "polite");
    assert_eq!(source.offers().await.unwrap().len(), 1);
    let about = about(&source).await;
    assert_eq!(about["key"], "key=hush".len());
    let cwd = std::fs::canonicalize(folder.path().join("data")).unwrap();
    assert_eq!(about["cwd"], cwd.display().to_string());
    let seen = about["env"].as_object().unwrap();
    assert!(seen.contains_key("PATH") && seen.contains_key("TOKEN"));
    // Every test has this one, so a program that inherits would have it too.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert!(!seen.contains_key("CARGO_MANIFEST_DIR"));
    source.close().await;
}

#[tokio::test]
async fn closing_leaves_no_process_even_of_a_stubborn_program() {
    for kind in ["polite", "stubborn"] {
        let folder = tempfile::tempdir().unwrap();
        let source = source(folder.path(), kind);
        let about = about(&source).await;
        assert!(is_alive(pid(&about, "pid")) && is_alive(pid(&about, "child")));
        source.close().await;
        gone(pid(&about, "pid")).await;
        gone(pid(&about, "child")).await;
    }
}

#[tokio::test]
async fn dropping_the_source_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let source = source(folder.path(), "stubborn");
    let about = about(&source).await;
    drop(source);
    gone(pid(&about, "pid")).await;
    gone(pid(&about, "child")).await;
}

#[tokio::test]
async fn a_crash_is_told_with_the_last_words_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let source = source(folder.path(), "polite");
    let first = about(&source).await;
    let failure = source.call(&request("crash", json!({}))).await.unwrap_err();
    assert!(failure.retryable && failure.uncertain, "{failure}");
    assert!(failure.message.contains("code 3"), "{failure}");
    assert!(failure.message.contains("the end is near"), "{failure}");
    let second = about(&source).await;
    assert_ne!(first["pid"], second["pid"]);
    gone(pid(&first, "child")).await;
    assert_eq!(source.generation(), 2);
    source.close().await;
}

async fn check_no_start(config: McpConfig, kind: SourceErrorKind, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut around = McpSurroundings::new(Secrets::none(), folder.path());
    around.environment = vec![("PATH".to_owned(), std::env::var("PATH").unwrap())];
    let source = McpSource::new(SourceId::new("mcp.fake"), config, around);
    let error = source.offers().await.unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(expected), "{error}");
    assert!(!error.hint.is_empty());
    let failure = source.call(&request("any", json!({}))).await.unwrap_err();
    assert!(!failure.uncertain, "{failure}");
}

fn running(command: &str, args: &[&str]) -> McpConfig {
    McpConfig {
        command: command.to_owned(),
        args: args.iter().map(|&one| one.to_owned()).collect(),
        ..McpConfig::default()
    }
}

#[tokio::test]
async fn a_program_that_does_not_start_says_why() {
    let missing = running("no-such-program-here", &[]);
    check_no_start(missing, SourceErrorKind::Start, "was not found").await;
    let failing = running("sh", &["-c", "echo no key given >&2; exit 7"]);
    check_no_start(failing.clone(), SourceErrorKind::Start, "code 7").await;
    check_no_start(failing, SourceErrorKind::Start, "no key given").await;
    let secret = running("sh", &["-c", "${NOT_SET}"]);
    check_no_start(secret, SourceErrorKind::Secret, "`NOT_SET`").await;
    let confined = McpConfig {
        sandbox: true,
        ..running("sh", &[])
    };
    check_no_start(confined, SourceErrorKind::Sandbox, "sandbox").await;
    let nowhere = McpConfig {
        cwd: "/no/such/folder".to_owned(),
        ..running("sh", &[])
    };
    check_no_start(nowhere, SourceErrorKind::Start, "no folder").await;
}
