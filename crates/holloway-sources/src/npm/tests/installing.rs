//! Is a finished package all that an install leaves, and is it run as it must be? A
//! script stands in for npm.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use super::*;

/// Notes how it was started and makes a package as npm would, unless told to fail.
const NPM: &str = r#"#!/bin/sh
printf '%s\n' "$@" > "$HOME/arguments"
env > "$HOME/environment"
[ -f "$HOME/fail" ] && { cat "$HOME/fail"; exit 1; }
mkdir -p node_modules/@test/tools
echo '{"name": "@test/tools", "version": "1.2.3"}' > node_modules/@test/tools/package.json
echo 'half' > half
[ -f "$HOME/hang" ] && exec sleep 600
echo "{\"packages\": {\"node_modules/@test/tools\": {\"integrity\": \"$(cat "$HOME/integrity")\"}}}" > package-lock.json
"#;

struct Bench {
    home: TempDir,
    installer: Installer,
}

fn bench() -> Bench {
    let home = tempfile::tempdir().unwrap();
    let npm = home.path().join("npm");
    write(home.path(), "npm", NPM);
    write(home.path(), "integrity", "sha512-one");
    fs::set_permissions(&npm, fs::Permissions::from_mode(0o755)).unwrap();
    let environment = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", home.path().to_str().unwrap()),
        ("npm_config_registry", "http://127.0.0.1:9/"),
        ("https_proxy", "http://127.0.0.1:8"),
        ("API_TOKEN", "secret"),
        ("NODE_OPTIONS", "--require=evil"),
    ];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let data = home.path().join("data");
    Bench {
        installer: Installer::new(data, npm, environment.into()),
        home,
    }
}

impl Bench {
    fn said(&self, file: &str) -> String {
        fs::read_to_string(self.home.path().join(file)).unwrap()
    }

    /// Everything in the folder of packages but the locks.
    fn left(&self) -> Vec<String> {
        let items = fs::read_dir(self.home.path().join("data/packages/npm")).unwrap();
        let names = items.map(|item| item.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !name.ends_with("lock")).collect()
    }
}

#[tokio::test]
async fn a_package_is_installed_once_without_scripts_and_pinned() {
    let bench = bench();
    let installed = bench.installer.install("@test/tools").await.unwrap();
    assert!(installed.fresh);
    let NpmConfig {
        package,
        version,
        integrity,
        lock,
        files,
        network,
        env,
    } = installed.config.clone();
    assert_eq!(
        (&*package, &*version, &*integrity),
        ("@test/tools", "1.2.3", "sha512-one")
    );
    assert_eq!(
        (lock.len(), files.len(), network, env.len()),
        (32, 32, false, 0)
    );
    assert_eq!(bench.left(), ["@test+tools@1.2.3"]);
    let arguments = bench.said("arguments");
    for flag in [
        "--ignore-scripts",
        "--allow-git=none",
        "--allow-remote=none",
        "--allow-file=none",
        "--allow-directory=none",
        "--git=/nonexistent/git",
        "--save-exact",
        "--omit=dev",
        "--no-audit",
        "--no-fund",
    ] {
        assert!(arguments.lines().any(|argument| argument == flag), "{flag}");
    }
    assert!(
        arguments.ends_with("--\n@test/tools@latest\n"),
        "{arguments}"
    );
    fs::remove_file(bench.home.path().join("arguments")).unwrap();
    let again = bench.installer.install("@test/tools@1.2.3").await.unwrap();
    assert_eq!((again.config, again.fresh), (installed.config, false));
    assert!(
        !bench.home.path().join("arguments").exists(),
        "npm was run again"
    );
}

#[tokio::test]
async fn npm_sees_only_its_own_settings() {
    let bench = bench();
    bench.installer.install("@test/tools").await.unwrap();
    let environment = bench.said("environment");
    let has = |name: &str| {
        environment
            .lines()
            .any(|line| line.starts_with(&format!("{name}=")))
    };
    for name in ["PATH", "HOME", "npm_config_registry", "https_proxy"] {
        assert!(has(name), "{name}");
    }
    for name in ["API_TOKEN", "NODE_OPTIONS"] {
        assert!(!has(name), "{name}");
    }
}

#[tokio::test]
async fn the_same_version_with_other_content_is_refused() {
    let bench = bench();
    let installed = bench.installer.install("@test/tools").await.unwrap();
    write(bench.home.path(), "integrity", "sha512-two");
    let error = bench.installer.install("@test/tools").await.unwrap_err();
    assert!(
        error.message.contains("integrity is sha512-two"),
        "{}",
        error.message
    );
    write(bench.home.path(), "integrity", "sha512-one");
    assert!(!bench.installer.install("@test/tools").await.unwrap().fresh);
    write(&installed.folder, "node_modules/@test/tools/more.js", "");
    let error = bench
        .installer
        .install("@test/tools@1.2.3")
        .await
        .unwrap_err();
    assert!(error.message.contains("files"), "{}", error.message);
}

#[tokio::test]
async fn a_checksum_that_is_no_sha512_is_refused() {
    let bench = bench();
    for integrity in ["sha1-x", ""] {
        write(bench.home.path(), "integrity", integrity);
        let error = bench.installer.install("@test/tools").await.unwrap_err();
        assert!(error.message.contains("checksum"), "{}", error.message);
        assert_eq!(bench.left(), [""; 0]);
    }
}

#[tokio::test]
async fn a_dropped_install_leaves_nothing_that_counts() {
    let mut bench = bench();
    write(bench.home.path(), "hang", "");
    bench.installer.timeout = Duration::from_millis(200);
    let error = bench.installer.install("@test/tools").await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Timeout);
    assert_eq!(bench.left(), [""; 0]);
    // As if the process had been killed: the next install clears it away.
    write(
        bench.home.path(),
        "data/packages/npm/.@test+tools@installing/half",
        "",
    );
    fs::remove_file(bench.home.path().join("hang")).unwrap();
    bench.installer.timeout = Duration::from_mins(1);
    assert!(
        bench
            .installer
            .install("@test/tools@1.2.3")
            .await
            .unwrap()
            .fresh
    );
    assert_eq!(bench.left(), ["@test+tools@1.2.3"]);
}

#[tokio::test]
async fn what_npm_says_is_told() {
    let mut bench = bench();
    let answer = r#"{"error": {"code": "E404", "summary": "Not Found"}}"#;
    write(bench.home.path(), "fail", answer);
    let error = bench.installer.install("@test/tools").await.unwrap_err();
    assert_eq!(
        error.message,
        "there is no package `@test/tools`, or it is private; npm said: E404 Not Found"
    );
    bench.installer.npm = bench.home.path().join("no-such-program");
    let error = bench.installer.install("@test/tools").await.unwrap_err();
    assert!(
        error.message.starts_with("npm does not start"),
        "{}",
        error.message
    );
    let error = bench.installer.install("../evil").await.unwrap_err();
    assert!(
        error.message.contains("not the name of a package"),
        "{}",
        error.message
    );
}
