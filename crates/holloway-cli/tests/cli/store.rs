//! `holloway store`, and what the other commands say of a damaged store.

use std::fs;

use crate::place::Place;

/// Three runs; the second entry of the second one says something else than was written.
fn damaged() -> Place {
    let place = Place::new();
    for name in ["one", "two", "three"] {
        let plan = format!(
            "version: '1.0'\nid: {name}\nsteps:\n  - {{id: a, tool: echo, input: {{value: {name}-said}}}}\n"
        );
        place.file("plan.yaml", &plan);
        place.run("run plan.yaml --quiet");
    }
    let file = place.path("home/holloway.db");
    let mut bytes = fs::read(&file).unwrap();
    let said = b"two-said";
    let places: Vec<usize> = bytes
        .windows(said.len())
        .enumerate()
        .filter_map(|(at, found)| (found == said).then_some(at))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at] = b'T';
    }
    fs::write(file, bytes).unwrap();
    place
}

fn database_line(ran: &crate::place::Ran) -> String {
    let mut lines = ran.stdout.lines();
    lines
        .find(|line| line.contains("database"))
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn damage_is_told_and_what_is_whole_is_saved() {
    let place = damaged();
    let doctor = place.run("doctor");
    assert!(
        database_line(&doctor).contains("is damaged (1 of 3 runs"),
        "{doctor}"
    );
    assert_eq!(doctor.code, Some(1));
    let listed = place.run("runs list");
    let name = listed
        .stdout
        .lines()
        .find(|line| line.contains(" two "))
        .unwrap();
    let name = name.split_whitespace().next().unwrap().to_owned();
    let shown = place.run(&format!("runs show {name}"));
    assert!(shown.stderr.contains("error[store-damaged]"), "{shown}");
    assert!(listed.stdout.contains("damaged"), "{listed}");
    let checked = place.run("store check");
    let data = place.json("store check");
    assert_eq!(data["ok"], false);
    let unasked = place.run("store repair");
    let repaired = place.run("store repair --yes");
    let again = place.run("store repair --yes");
    let whole = place.run("store check");
    let doctor = place.run("doctor");
    assert!(
        database_line(&doctor).contains("whole; can be read and written"),
        "{doctor}"
    );
    let listed = place.run("runs list");
    let runs = place.json("runs list");
    assert_eq!(runs["runs"].as_array().unwrap().len(), 2, "{listed}");
    let shown = place.run("runs show last");
    assert_eq!(shown.code, Some(0), "{shown}");
    let trail = |ran: &crate::place::Ran| ran.to_string();
    let folders = fs::read_dir(place.path("home")).unwrap().flatten();
    let kept = folders.map(|entry| entry.file_name().into_string().unwrap());
    let kept: Vec<String> = kept.filter(|file| file.starts_with("damaged-")).collect();
    assert_eq!(kept.len(), 1, "{}", trail(&repaired));
    assert!(
        place
            .path(&format!("home/{}/{name}.jsonl", kept[0]))
            .is_file()
    );
    place.file(
        "plan.yaml",
        "version: '1.0'\nid: four\nsteps:\n  - {id: a, tool: echo, input: {value: 4}}\n",
    );
    assert_eq!(place.run("run plan.yaml --quiet").stdout, "4\n");
    place.check("store", &[&checked, &unasked, &repaired, &again, &whole]);
}

#[test]
fn what_is_no_database_is_told_as_damaged() {
    let place = Place::new();
    place.file(
        "home/holloway.db",
        &"this is no database at all\n".repeat(400),
    );
    let listed = place.run("runs list");
    let doctor = place.run("doctor");
    assert!(
        database_line(&doctor).contains("is damaged (file is not a database)"),
        "{doctor}"
    );
    let checked = place.run("store check");
    let repaired = place.run("store repair --yes");
    let after = place.run("runs list");
    place.check("store_no_database", &[&listed, &checked, &repaired, &after]);
}

#[test]
fn a_store_that_is_in_use_is_not_repaired() {
    use crate::place::GATE;
    let place = damaged();
    place.file(
        "plan.yaml",
        &format!("version: '1.0'\nid: slow\nsteps:\n  - {GATE}\n"),
    );
    let going = place.start("run plan.yaml --allow-shell --yes");
    place.wait_for_first_step();
    let refused = place.run("store repair --yes");
    assert!(refused.stderr.contains("error[store-in-use]"), "{refused}");
    assert_eq!(refused.code, Some(1));
    place.open_gate();
    assert_eq!(going.finish().code, Some(0));
    assert_eq!(place.run("store repair --yes").code, Some(0));
}

#[test]
fn a_damaged_line_or_an_emptied_database_is_told_by_every_command() {
    let place = damaged();
    let file = place.path("home/holloway.db");
    let bytes = fs::read(&file).unwrap();
    let status = b"succeeded";
    let found = bytes
        .windows(status.len())
        .rposition(|found| found == status);
    let mut changed = bytes.clone();
    changed[found.unwrap() + 3] ^= 1;
    fs::write(&file, &changed).unwrap();
    let listed = place.json("runs list");
    let runs = listed["runs"].as_array().unwrap();
    let damaged = runs.iter().filter(|run| run["standing"] == "damaged");
    assert_eq!((runs.len(), damaged.count()), (3, 2), "{listed}");
    for typed in ["runs show last", "runs resume last", "runs trace last"] {
        for content in [&changed[..], &bytes[..1], &[]] {
            fs::write(&file, content).unwrap();
            let ran = place.run(typed);
            // The newest run is one of two that are damaged, or the store is.
            let is_told = ran.stderr.contains("error[store-damaged]");
            assert!(is_told || content.len() > 1, "{ran}");
            assert_eq!(fs::read(&file).unwrap().len(), content.len(), "{ran}");
        }
    }
    fs::write(&file, "").unwrap();
    let listed = place.run("runs list");
    assert!(
        listed
            .stderr
            .contains("holloway.db is damaged: it is empty"),
        "{listed}"
    );
    assert_eq!(place.run("store check").code, Some(1));
    assert_eq!(place.run("store repair --yes").code, Some(0));
    assert_eq!(place.run("runs list").code, Some(0));
}
