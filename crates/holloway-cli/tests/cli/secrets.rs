//! `holloway secrets`.

use std::os::unix::fs::PermissionsExt as _;

use crate::place::Place;

#[test]
fn kept_listed_and_forgotten() {
    let place = Place::new();
    let none = place.run("secrets");
    let set = place.run_with_input("secrets set WIKI_TOKEN", "canary-77aa\n");
    let empty = place.run_with_input("secrets set OTHER", "\n");
    let wrong = place.run_with_input("secrets set 'A B=c'", "x");
    let listed = place.run("secrets list");
    let file = std::fs::metadata(place.path("home/secrets.json")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    let removed = place.run("secrets remove WIKI_TOKEN");
    let unknown = place.run("secrets remove WIKI_TOKEN --json");
    let runs = [&none, &set, &empty, &wrong, &listed, &removed, &unknown];
    for ran in runs {
        assert!(!ran.to_string().contains("canary"), "{ran}");
    }
    place.check("secrets", &runs);
    place.file("home/secrets.json", "{\"A\": \"canary-88bb");
    let damaged = place.run("secrets");
    assert!(!damaged.to_string().contains("canary"), "{damaged}");
    assert!(
        damaged.stderr.starts_with("error[secret-file]"),
        "{damaged}"
    );
    assert_eq!(damaged.code, Some(1));
}

#[test]
fn what_is_wrong_is_what_is_blamed() {
    let place = Place::new();
    let name = place.run("secrets set 'bad name'");
    assert!(
        name.stderr.contains("a secret's name has letters"),
        "{name}"
    );
    place.file("home", "not a folder");
    for typed in [
        "secrets",
        "ask 'how many rows has a.csv'",
        "plan 'read a.txt'",
        "runs",
    ] {
        let refused = place.run(typed);
        assert_eq!(refused.code, Some(1), "{refused}");
        assert!(
            refused
                .stderr
                .contains("error[store-folder]: HOLLOWAY_HOME is no folder"),
            "{refused}"
        );
    }
}
