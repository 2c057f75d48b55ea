//! `holloway memory`: what planning remembers of runs, and how it forgets; and what never
//! gets there.

use std::path::Path;

use serde_json::{Value, json};

use crate::place::Place;
use crate::shop::Shop;

const REQUEST: &str = "how many rows has prices.csv";

/// A place in which one request was done.
fn with_run() -> (Place, Value) {
    let place = Place::new();
    place.file("prices.csv", "shop,price\nA,10\nB,12\n");
    let ran = place.run(&format!("ask '{REQUEST}' --plan 1 --quiet --json"));
    assert_eq!(ran.code, Some(0), "{ran}");
    let remembered = place.json("memory");
    (place, remembered)
}

/// Whether a text stands in any file below a folder.
fn holds(folder: &Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, text);
        }
        let bytes = std::fs::read(&path).unwrap();
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    })
}

#[test]
fn what_reached_its_goal_is_listed_shown_and_forgotten() {
    let (place, remembered) = with_run();
    let run = &remembered["remembered"][0];
    assert_eq!(run["request"], REQUEST);
    assert!(!run["tools"].as_array().unwrap().is_empty());
    let name = run["run"].as_str().unwrap();
    assert_eq!(
        place.json("memory show last"),
        place.json(&format!("memory show {name}"))
    );
    let listed = place.run("memory list");
    assert!(
        listed.stdout.contains(REQUEST) && listed.stdout.contains(name),
        "{listed}"
    );
    let shown = place.run("memory show last");
    assert!(
        shown.stdout.contains(run["tools"][0].as_str().unwrap()),
        "{shown}"
    );

    assert_eq!(
        place.json(&format!("memory forget {name}"))["forgotten"]["runs"],
        1
    );
    assert_eq!(place.json("memory")["all"], 0);
    let plans = &place.json("memory forget --all --plans --results")["forgotten"];
    assert!(plans["plans"].as_u64().unwrap() >= 1, "{plans}");
    assert_eq!(
        place.run("memory forget --plans").stdout,
        "there was nothing to forget\n"
    );
    // The run itself is kept, its plan with it.
    assert_eq!(place.json("runs show last")["run"]["run"], json!(name));
}

#[test]
fn wrong_words_are_told() {
    let (place, _) = with_run();
    let empty = Place::new();
    let nothing = empty.run("memory");
    let none = empty.run("memory show last");
    let unknown = place.run("memory show rxyz");
    let help = place.run("memory forget");
    place.check("memory_wrong", &[&nothing, &none, &unknown, &help]);
}

#[test]
fn keys_in_a_request_reach_no_file_and_no_event() {
    let shop = Shop::open();
    let place = Place::new();
    place.run_with_input("secrets set WIKI", "canary-kept-secret");
    let kept = std::fs::read(place.path("home/secrets.json")).unwrap();
    let address = shop
        .address
        .replace("http://", "http://ann:canary-password@");
    let request = format!(
        "fetch {address}index.html?token=canary-token&page=2 with canary-kept-secret and ghp_canary0123456789 and count its words"
    );
    let planned = place.run(&format!("plan '{request}' --json"));
    // What is not understood is not run; the address alone is.
    let counted = format!("how many words are on {address}index.html?token=canary-token&page=2");
    let asked = place.run(&format!(
        "ask '{counted}' --plan quick --yes --quiet --json"
    ));
    assert_eq!(asked.code, Some(0), "{asked}");
    // Where it has to be, and only there.
    std::fs::remove_file(place.path("home/secrets.json")).unwrap();
    assert!(
        String::from_utf8(kept)
            .unwrap()
            .contains("canary-kept-secret")
    );
    for ran in [&planned, &asked] {
        assert!(
            !ran.to_string()
                .replace(&request, "")
                .replace(&counted, "")
                .contains("canary"),
            "{ran}"
        );
        assert!(ran.stderr.contains("taken out of the request"), "{ran}");
    }
    assert!(!holds(&place.path("home"), "canary"));
    assert!(holds(&place.path("home"), "token=REDACTED&page=2"));
}

#[test]
fn a_long_request_is_kept_in_part() {
    let place = Place::new();
    place.file("prices.csv", "shop,price\nA,10\nB,12\n");
    let long = format!("{REQUEST}{}", " ".repeat(30_000));
    let ran = place.run(&format!("ask '{long}' --plan 1 --quiet --json"));
    assert_eq!(ran.code, Some(0), "{ran}");
    let remembered = place.json("memory show last");
    assert_eq!(
        remembered["request"].as_str().unwrap().chars().count(),
        2_000
    );
}

#[test]
fn weights_are_fitted_to_a_hundred_runs_of_ones_own() {
    use holloway_store::Store;
    const WEIGHTS: &str = "recall weights";
    let place = Place::new();
    place.file("prices.csv", "shop,price\nA,10\nB,12\n");
    let ask = "ask 'how many rows has prices.csv' --auto --quiet";
    let learned = |place: &Place| {
        let store = Store::open(&place.path("home")).unwrap();
        store.learned(WEIGHTS).unwrap()
    };
    place.run(ask);
    assert_eq!(learned(&place), None, "one run is not enough");
    {
        let store = Store::open(&place.path("home")).unwrap();
        for number in 0..99 {
            let (tools, request) = if number % 2 == 0 {
                (json!(["builtin/csv-read"]), format!("read table {number}"))
            } else {
                (
                    json!(["builtin/file-read", "builtin/text-stats"]),
                    format!("count the words of note {number}"),
                )
            };
            let past = json!({"request": request, "tools": tools, "links": [], "arguments": []});
            store.remember_run(&format!("r{number}"), &past).unwrap();
        }
    }
    let ran = place.run(ask);
    assert_eq!(ran.code, Some(0), "{ran}");
    let weights = learned(&place).unwrap();
    assert_eq!(weights["runs"], 100, "{weights}");
    // They are used, and fitted again only when there are twice as many runs.
    assert_eq!(place.run(ask).code, Some(0));
    assert_eq!(learned(&place).unwrap(), weights);
    place.run("memory forget r98");
    assert_eq!(
        learned(&place),
        None,
        "what was learned from it goes with it"
    );
}
