//! Is a package that changed after it was accepted kept from starting?

use super::*;

const MODULE: &str = "export const who = {inputSchema: {}, execute: async () => 'me'};";

/// Starts the package after this change; expects the error to name `what`.
async fn check(what: &str, change: impl FnOnce(&Path)) {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    assert_eq!(call(&source, "who", json!({})).await.unwrap(), "me");
    source.close().await;
    change(&fixture.folder());
    let error = source.offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Package, "{what}");
    assert!(error.message.contains(what), "{what}: {}", error.message);
    let failure = call(&source, "who", json!({})).await.unwrap_err();
    assert!(!failure.retryable, "{what}");
}

#[tokio::test]
async fn another_version_lock_or_file_is_refused() {
    let package = "node_modules/@test/tools";
    check("version is 1.0.1, accepted was 1.0.0", |folder| {
        write(
            folder,
            &format!("{package}/package.json"),
            r#"{"version": "1.0.1"}"#,
        );
    })
    .await;
    check("lock file", |folder| {
        let lock = fs::read_to_string(folder.join("package-lock.json")).unwrap();
        write(folder, "package-lock.json", &format!("{lock} "));
    })
    .await;
    check("integrity", |folder| {
        let lock = fs::read_to_string(folder.join("package-lock.json")).unwrap();
        write(
            folder,
            "package-lock.json",
            &lock.replace("made+up", "another"),
        );
    })
    .await;
    check("files", |folder| {
        write(folder, &format!("{package}/index.js"), "export default 1;")
    })
    .await;
    check("files", |folder| {
        write(folder, "node_modules/extra/index.js", "")
    })
    .await;
    check("package.json", |folder| {
        fs::remove_file(folder.join(package).join("package.json")).unwrap()
    })
    .await;
    check("checksum", |folder| {
        write(
            folder,
            "package-lock.json",
            r#"{"packages": {"node_modules/x": {}}}"#,
        )
    })
    .await;
}

#[tokio::test]
async fn a_worker_script_that_was_changed_is_written_anew() {
    let fixture = Fixture::module(MODULE);
    let script = script::write(&fixture.folder()).unwrap();
    fs::write(&script, "process.exit(1)").unwrap();
    let source = fixture.source().await;
    assert_eq!(call(&source, "who", json!({})).await.unwrap(), "me");
}

#[tokio::test]
async fn a_package_without_a_pin_does_not_start() {
    let mut fixture = Fixture::module(MODULE);
    fixture.config.integrity = String::new();
    let error = fixture.source().await.offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Package);
}
