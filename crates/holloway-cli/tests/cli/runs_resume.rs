//! `holloway runs resume`.

use crate::place::{Place, Ran, wait_for};

#[test]
fn a_killed_run_goes_on_without_repeating_effects() {
    let place = Place::with_plan(
        "version: '1.0'\nid: killed\nsteps:\n  - id: each\n    type: loop\n    over: [1, 2, 3, 4, 5, 6]\n    as: n\n    \
         concurrency: 1\n    steps:\n      \
         - {id: note, tool: jsonl-append, input: {path: log.jsonl, record: {n: '{{n}}'}}}\n      \
         - {id: wait, tool: sleep, input: {ms: 80}, depends_on: [note]}\n",
    );
    // Killed again and again, each time a little further.
    let mut command = "run plan.yaml";
    for lines in [1, 2, 4] {
        let going = place.start(command);
        wait_for("another record", || {
            (place.read("log.jsonl").lines().count() >= lines).then_some(())
        });
        going.kill();
        command = "runs resume last";
    }
    let listed = place.json("runs list --status interrupted");
    assert_eq!(listed["runs"][0]["plan_id"], "killed");
    let resumed = place.run("runs resume last --quiet");
    place.check("resume_after_kills", &[&resumed]);
    let log = place.read("log.jsonl");
    let numbers: Vec<u64> = log
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["n"]
                .as_u64()
                .unwrap()
        })
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_call_in_doubt_is_asked_about() {
    let place = Place::with_plan(
        "version: '1.0'\nid: doubt\nsteps:\n  - {id: run, tool: shell-run, input: {program: sleep, args: ['30']}, timeout_ms: 60000}\n",
    );
    let going = place.start("run plan.yaml --allow-shell --yes");
    place.wait_for_first_step();
    going.kill();
    let paused = place.run("runs resume last --no-wait --quiet");
    let done = place.run("runs approve last a1 --done '{\"exit_code\": 0}'");
    let resumed = place.run("runs resume last --quiet");
    place.check("resume_in_doubt", &[&paused, &done, &resumed]);
}

#[test]
fn an_owned_run_is_refused_and_an_ended_one_too() {
    let place = Place::with_plan(
        "version: '1.0'\nid: long\nsteps:\n  - {id: wait, tool: sleep, input: {ms: 600000}, timeout_ms: 900000}\n",
    );
    let going = place.start("run plan.yaml");
    place.wait_for_first_step();
    let owned = place.run("runs resume last");
    let cancel = place.run("runs cancel last");
    let ran = going.finish();
    let ended = place.run("runs resume last");
    place.check("resume_refused", &[&owned, &cancel, &ran, &ended]);
}

/// A link that kept a folder from being written leads elsewhere when the run goes on.
#[test]
fn what_a_link_closed_stays_closed() {
    let place = Place::new();
    for name in ["data/a.txt", "other/a.txt"] {
        place.file(name, "mine");
    }
    place.file(
        "plan.yaml",
        "version: '1.0'\nid: near\nexecution: sequential\nsteps:\n  \
         - {id: gate, type: approve, ask: 'Go on?'}\n  - {id: write, tool: file-write, input: {path: data/new.txt, content: x}}\n",
    );
    let point_at = |target: &str| {
        std::fs::remove_file(place.path("keep")).ok();
        std::os::unix::fs::symlink(target, place.path("keep")).unwrap();
    };
    point_at("data");
    let asked = place.run("run plan.yaml --quiet --grant-folder . --grant-folder keep:ro");
    assert_eq!(asked.code, Some(130), "{asked}");
    place.run("runs approve last a1");
    point_at("other");
    let resumed = place.run("runs resume last --quiet");
    assert_ne!(resumed.code, Some(0), "{resumed}");
    assert!(!place.path("data/new.txt").exists(), "{resumed}");
}

/// A link that was granted leads elsewhere when the run goes on.
#[test]
fn a_granted_link_that_leads_elsewhere_falls_away() {
    let place = Place::new();
    for name in ["first", "second"] {
        place.file(&format!("outside/{name}/a.txt"), name);
    }
    place.file(
        "inside/plan.yaml",
        "version: '1.0'\nid: far\nexecution: sequential\nsteps:\n  \
         - {id: gate, type: approve, ask: 'Go on?'}\n  - {id: read, tool: file-read, input: {path: a.txt}}\n",
    );
    let run = |typed: &str| {
        let mut command = place.command(typed);
        command.current_dir(place.path("inside"));
        Ran::of(typed, command.output().unwrap())
    };
    let point_at = |target: &str| {
        std::fs::remove_file(place.path("link")).ok();
        std::os::unix::fs::symlink(target, place.path("link")).unwrap();
    };
    let begin = || {
        point_at("outside/first");
        let asked = run("run plan.yaml --quiet --grant-folder ../link");
        assert_eq!(asked.code, Some(130), "{asked}");
        run("runs approve last a1");
    };
    // A flag is a person's word for this run, and stays given.
    begin();
    let same = run("runs resume last --quiet");
    assert_eq!(same.code, Some(0), "{same}");
    assert!(same.stdout.contains("first"), "{same}");
    begin();
    point_at("outside/second");
    let moved = run("runs resume last --quiet");
    assert_eq!(moved.code, Some(1), "{moved}");
    assert!(!moved.stdout.contains("second"), "{moved}");
    assert!(
        moved
            .stderr
            .contains("outside/second now; to give it again"),
        "{moved}"
    );
    begin();
    point_at("outside/second");
    let again = run("runs resume last --quiet --grant-folder ../link");
    assert_eq!(again.code, Some(0), "{again}");
    assert!(again.stdout.contains("second"), "{again}");
}

/// The folder where a run began counts, not the one where it is resumed.
#[test]
fn a_run_is_resumed_from_anywhere() {
    let place = Place::new();
    place.file("elsewhere/notes.txt", "");
    place.file("inside/a.txt", "inside");
    place.file(
        "inside/plan.yaml",
        "version: '1.0'\nid: far\nexecution: sequential\nsteps:\n  \
         - {id: gate, type: approve, ask: 'Go on?'}\n  - {id: read, tool: file-read, input: {path: a.txt}}\n",
    );
    let run = |folder: &str, typed: &str| {
        let mut command = place.command(typed);
        command.current_dir(place.path(folder));
        Ran::of(typed, command.output().unwrap())
    };
    run("inside", "run plan.yaml --quiet");
    run("inside", "runs approve last a1");
    let resumed = run("elsewhere", "runs resume last --quiet");
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(resumed.stderr, "", "{resumed}");
}
