//! Is a download whole or not there at all? Against a server on loopback that answers by path.

use std::fs;
use std::path::Path;

use holloway_engine::failure::FailureName;
use holloway_engine::ports::{MayReplace, ToolCaller as _};
use holloway_plan::tool::ToolId;

use super::super::super::Toolbox;
use super::super::super::testing::{folder_grants, request};
use super::super::server_tests::Server;
use super::*;

const TOOL: &str = "builtin/http-download";

struct Place {
    folder: tempfile::TempDir,
    server: Server,
    toolbox: Toolbox,
}

impl Place {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start().await;
        let toolbox = Toolbox::builtin(Grants {
            private_hosts: vec![server.address.clone()],
            ..folder_grants(folder.path())
        });
        Self {
            folder,
            server,
            toolbox,
        }
    }

    /// With more arguments than the address and the path.
    fn call(&self, address: &str, path: &str, more: Value) -> CallRequest {
        let mut arguments = json!({"url": self.server.url(address), "path": path});
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        CallRequest {
            may_replace: MayReplace::default(),
            ..request(TOOL, arguments, "key")
        }
    }

    async fn get(&self, address: &str, path: &str, more: Value) -> Result<Value, ToolFailure> {
        let output = self.toolbox.call(self.call(address, path, more)).await?;
        Ok(output.value)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    fn requests(&self) -> usize {
        self.server.requests.lock().unwrap().len()
    }
}

#[tokio::test]
async fn the_body_is_saved_byte_by_byte() {
    let place = Place::new().await;
    let saved = place.get("/png", "images/a.png", json!({})).await.unwrap();
    assert_eq!(
        saved,
        json!({"path": "images/a.png", "bytes": 6, "status": 200, "content_type": "image/png", "url": place.server.url("/png")})
    );
    let file = place.folder.path().join("images/a.png");
    assert_eq!(fs::read(file).unwrap(), b"\x89PNG\x00\xff");
    // What the run has made itself may be fetched again, from elsewhere too.
    let headers = json!({"headers": {"X-Token": "t"}});
    let moved = place.get("/moved", "images/a.png", headers).await.unwrap();
    assert_eq!(moved["url"], json!(place.server.url("/hello")));
    assert!(place.server.last_request().contains("x-token: t"));
    let file = place.folder.path().join("images/a.png");
    assert_eq!(fs::read(file).unwrap(), b"hello");
    assert_eq!(
        fs::read_dir(place.folder.path().join("images"))
            .unwrap()
            .count(),
        1
    );
    let empty = place.get("/nothing", "empty", json!({})).await.unwrap();
    assert_eq!(
        (&empty["bytes"], &empty["status"]),
        (&json!(0), &json!(204))
    );
}

#[tokio::test]
async fn what_fails_writes_nothing() {
    let place = Place::new().await;
    for (address, more, name, is_retryable) in [
        ("/missing", json!({}), FailureName::ToolFailed, false),
        ("/busy", json!({}), FailureName::ToolFailed, true),
        (
            "/long",
            json!({"max_bytes": 4999}),
            FailureName::LimitExceeded,
            false,
        ),
        ("/bomb", json!({}), FailureName::LimitExceeded, false),
        ("/cut-off", json!({}), FailureName::ToolFailed, true),
        ("/hang-up", json!({}), FailureName::ToolFailed, true),
        (
            "/never",
            json!({"timeout_ms": 50}),
            FailureName::Timeout,
            true,
        ),
        (
            "/half",
            json!({"timeout_ms": 300}),
            FailureName::Timeout,
            true,
        ),
        ("/loop", json!({}), FailureName::ToolFailed, false),
        ("/to-inside", json!({}), FailureName::Denied, false),
        ("/to-name", json!({}), FailureName::Denied, false),
        ("/to-file", json!({}), FailureName::Denied, false),
    ] {
        let failure = place.get(address, "new/a", more).await.unwrap_err();
        assert_eq!(failure.name, name, "{address}: {failure}");
        assert_eq!(failure.retryable, is_retryable, "{address}: {failure}");
        assert!(!failure.uncertain, "{address}: {failure}");
        assert_eq!(place.names(), [""; 0], "{address}");
    }
    let failure = place.get("/missing?key=secret", "a", json!({})).await;
    let message = failure.unwrap_err().message;
    assert!(
        message.ends_with("/missing answered with status 404 Not Found"),
        "{message}"
    );
    let exact = json!({"max_bytes": 5000});
    assert_eq!(place.get("/long", "a", exact).await.unwrap()["bytes"], 5000);
}

#[tokio::test]
async fn a_question_comes_before_the_request() {
    let place = Place::new().await;
    let root = place.folder.path().canonicalize().unwrap();
    let file = root.join("a.txt");
    fs::write(&file, "mine").unwrap();
    let shown = file.display().to_string();
    let call = place.call("/hello", "a.txt", json!({}));
    let foreseen = place
        .toolbox
        .would_change(&ToolId::new(TOOL), &call.arguments);
    assert_eq!(foreseen.unwrap().file, shown);
    let asked = place.toolbox.call(call.clone()).await.unwrap_err();
    assert_eq!(asked.replaces.as_ref(), Some(&shown), "{asked}");
    assert_eq!(
        (place.requests(), fs::read(&file).unwrap()),
        (0, b"mine".to_vec())
    );
    let allowed = CallRequest {
        may_replace: MayReplace::only(shown),
        ..call
    };
    // A yes does not make a half of a file good enough.
    let broken = CallRequest {
        arguments: Arc::new(json!({"url": place.server.url("/cut-off"), "path": "a.txt"})),
        ..allowed.clone()
    };
    assert!(place.toolbox.call(broken).await.is_err());
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    place.toolbox.call(allowed).await.unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"hello");
}

#[tokio::test]
async fn neither_place_nor_address_may_be_out_of_reach() {
    let place = Place::new().await;
    fs::create_dir(place.folder.path().join("sub")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", place.folder.path().join("out")).unwrap();
    let before = place.names();
    for (path, expected) in [
        ("../a", "outside the granted folders"),
        ("/etc/a", "outside the granted folders"),
        ("out", "leads outside its granted folder"),
        ("sub", "sub` is a folder"),
        (".env", "sensitive place"),
        (".git/hooks/pre-commit", "sensitive place"),
    ] {
        let failure = place.get("/hello", path, json!({})).await.unwrap_err();
        assert!(failure.message.contains(expected), "{path}: {failure}");
    }
    for url in [
        "http://127.0.0.1:1/",
        "http://169.254.169.254/",
        "file:///etc/passwd",
    ] {
        let call = request(TOOL, json!({"url": url, "path": "a"}), "key");
        let failure = place.toolbox.call(call).await.unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{url}: {failure}");
    }
    assert_eq!((place.requests(), place.names()), (0, before));
    assert!(!Path::new("/etc/a").exists());
}

#[tokio::test]
async fn a_file_that_appears_meanwhile_stays() {
    let place = Place::new().await;
    let file = place.folder.path().join("a.txt");
    let getting = place.get("/slow", "a.txt", json!({}));
    let appearing = async {
        while place.requests() == 0 {
            tokio::task::yield_now().await;
        }
        fs::write(&file, "mine").unwrap();
        place.server.go_on.notify_one();
    };
    let (got, ()) = tokio::join!(getting, appearing);
    assert!(got.unwrap_err().replaces.is_some());
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(place.names(), ["a.txt"]);
}
