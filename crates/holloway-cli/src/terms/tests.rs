//! What is held of a run's terms, tried with grants, folders, links and policies.

use super::*;

fn folder(path: &Path, writable: bool) -> Folder {
    Folder {
        path: path.to_owned(),
        writable,
    }
}

/// What fell away, each with what gives it again.
#[track_caller]
fn check(terms: &Terms, configured: &Grants, expected: &[(&str, &str)]) -> Grants {
    let (held, lost) = terms.held(configured);
    let lost: Vec<(&str, &str)> = lost
        .iter()
        .map(|lost| (lost.what.as_str(), lost.give.as_str()))
        .collect();
    assert_eq!(lost, expected);
    held
}

#[test]
fn what_then_and_now_say_is_held_and_flags_stay_given() {
    let then = Grants {
        shell: true,
        private_hosts: vec!["a".to_owned(), "b".to_owned()],
        webhook_secrets: vec!["KEY".to_owned()],
        max_bytes: 5,
        ..Grants::default()
    };
    let mut terms = Terms {
        grants: then.clone(),
        ..Terms::default()
    };
    let held = check(&terms, &then, &[]);
    assert_eq!(held, then);
    let now = Grants {
        private_hosts: vec!["b".to_owned(), "c".to_owned()],
        max_bytes: 3,
        ..Grants::default()
    };
    let secret = (
        "the webhook secret KEY",
        "`webhook_secrets` in holloway.toml",
    );
    let lost = [
        ("programs", "--allow-shell"),
        ("the host a", "--allow-host a"),
        secret,
    ];
    let held = check(&terms, &now, &lost);
    assert_eq!(held.private_hosts, ["b"]);
    assert!(!held.shell && held.max_bytes == 3);
    terms.flags.shell = true;
    terms.flags.hosts = vec!["a".to_owned()];
    let held = check(&terms, &now, &[secret]);
    assert!(held.shell);
    assert_eq!(held.private_hosts, ["a", "b"]);
    // More than it began with is not given by itself.
    let held = check(&Terms::default(), &then, &[]);
    assert_eq!((held.shell, held.private_hosts.len()), (false, 0));
}

#[test]
fn folders_fall_away_when_they_are_not_granted_or_lead_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    for name in ["work", "first", "second"] {
        std::fs::create_dir(root.join(name)).unwrap();
    }
    let link = root.join("link");
    std::os::unix::fs::symlink("first", &link).unwrap();
    std::fs::write(root.join("work/.env"), "").unwrap();
    let mut grants = Grants {
        folders: vec![folder(&root.join("work"), true), folder(&link, true)],
        ..Grants::default()
    };
    grants.hold();
    let terms = |grants: &Grants| Terms {
        grants: grants.clone(),
        led_to: grants.led_to.clone(),
        ..Terms::default()
    };
    let all = Grants {
        folders: vec![folder(&root, true)],
        ..Grants::default()
    };
    let held = check(&terms(&grants), &all, &[]);
    assert!(held.folders.contains(&folder(&link, true)), "{held:?}");
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("second", &link).unwrap();
    let shown = link.display();
    let what = format!(
        "the folder {shown}, which led to {0}/first and leads to {0}/second now",
        root.display()
    );
    let give = format!("--grant-folder {shown}");
    let held = check(&terms(&grants), &all, &[(&what, &give)]);
    assert_eq!(held.folders, [folder(&root.join("work"), true)]);
    // A place that was granted by name is not granted by a folder above it.
    let env = folder(&root.join("work/.env"), false);
    grants.folders = vec![env.clone()];
    let named = format!("the folder {}", env.path.display());
    let give = format!("--grant-folder {}:ro", env.path.display());
    let held = check(&terms(&grants), &all, &[(&named, &give)]);
    assert_eq!(held.folders, []);
    let mut by_flag = terms(&grants);
    by_flag.flags.folders = vec![env.clone()];
    assert_eq!(check(&by_flag, &all, &[]).folders, [env]);
    // What may only be read now.
    grants.folders = vec![folder(&root.join("work"), true)];
    let reading = Grants {
        folders: vec![folder(&root, false)],
        ..Grants::default()
    };
    let work = root.join("work").display().to_string();
    let (what, give) = (
        format!("writing to {work}"),
        format!("--grant-folder {work}"),
    );
    let held = check(&terms(&grants), &reading, &[(&what, &give)]);
    assert_eq!(held.folders, [folder(&root.join("work"), false)]);
}

#[test]
fn the_stricter_policy_counts_and_yes_answers_only_questions() {
    let asks = ApprovalPolicy::default();
    let allows = asks.without_questions();
    let denies = ApprovalPolicy {
        write: Consent::Deny,
        ..asks
    };
    let mut terms = Terms::default();
    let (held, lost) = terms.approvals(asks, allows);
    assert_eq!((held, lost.len()), (asks, 0));
    let (held, lost) = terms.approvals(allows, asks);
    assert_eq!(held, asks);
    assert!(
        lost.iter()
            .any(|lost| lost.what == "`write` is asked about")
    );
    terms.flags.yes = true;
    let (held, lost) = terms.approvals(allows, asks);
    assert_eq!((held, lost.len()), (allows, 0));
    let (held, lost) = terms.approvals(allows, denies);
    assert_eq!(held.write, Consent::Deny);
    assert_eq!(
        lost,
        [Lost::new("`write` is denied", "`write` under [approvals]")]
    );
}

#[test]
fn terms_of_earlier_versions_are_grants_and_others_grant_nothing() {
    let read = |terms: Value| Terms::of_stored(&serde_json::json!({ "terms": terms }));
    assert!(read(serde_json::json!({"shell": true})).grants.shell);
    let unknown = read(serde_json::json!({"shell": true, "more": 1}));
    assert_eq!(unknown.grants, Grants::default());
    assert_eq!(read(Value::Null).grants, Grants::default());
}
