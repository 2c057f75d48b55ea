//! `holloway runs fork`.

use crate::place::Place;

#[test]
fn a_fork_takes_results_over() {
    let place = Place::with_plan(
        "version: '1.0'\nid: forked\nsteps:\n  - {id: a, tool: echo, input: {value: '{{input.x}}'}}\n  \
         - {id: b, tool: echo, input: {value: 'b {{input.y}}'}, depends_on: [a]}\n",
    );
    place.run("run plan.yaml --quiet --input x=1 --input y=1");
    let fork = place.run("runs fork last --from b --input y=2");
    let wrong = place.run("runs fork last --from c");
    let shown = place.run("runs show last");
    place.check("fork", &[&fork, &wrong, &shown]);
}

/// A gate, a call that is asked about, and a program.
const GATED: &str = "version: '1.0'\nid: gated\nexecution: sequential\nsteps:\n  \
    - {id: gate, type: approve, ask: 'Go on?'}\n  \
    - {id: inner, type: parallel, steps: [{id: inner_gate, type: approve, ask: 'Inside too?'}]}\n  \
    - {id: note, tool: file-append, input: {path: log.txt, content: one}}\n  \
    - {id: run, tool: shell-run, input: {command: 'echo ran >> ran.txt'}}\n";

#[test]
fn a_fork_takes_over_neither_yes_nor_grants() {
    let place = Place::with_plan(GATED);
    let first = place.run("run plan.yaml --quiet --yes --allow-shell");
    assert_eq!(first.code, Some(0), "{first}");
    assert_eq!(place.read("ran.txt"), "ran\n");
    let begun = place.json("runs show last")["run"]["run"].clone();
    let begun = begun.as_str().unwrap();
    // Every way to start anew from its results asks the gates and every call again.
    for command in [
        format!("runs fork {begun} --from note"),
        format!("runs fork {begun} --from run"),
        "run plan.yaml --from run".to_owned(),
    ] {
        let fork = place.run(&format!("{command} --quiet"));
        assert_eq!(fork.code, Some(130), "{fork}");
        let mut asked = Vec::new();
        for _ in 0..5 {
            let shown = place.json("runs show last");
            let Some(question) = shown["approvals"].get(0) else {
                break;
            };
            asked.push(question["text"].as_str().unwrap().to_owned());
            let name = question["approval"].as_str().unwrap();
            place.run(&format!("runs approve last {name}"));
            place.run("runs resume last --quiet");
        }
        assert_eq!(&asked[..2], ["Go on?", "Inside too?"], "{command}");
        assert!(
            asked[2..].iter().any(|text| text.contains("shell-run")),
            "{asked:?}"
        );
        // What was not granted again was refused.
        assert_eq!(place.read("ran.txt"), "ran\n", "{command}");
        let shown = place.run("runs show last");
        assert!(shown.stdout.contains("failed"), "{shown}");
    }
    let told = place.run(&format!("runs fork {begun} --from run --quiet --yes"));
    assert!(
        told.stderr.contains("to give it again: --allow-shell"),
        "{told}"
    );
    let again = place.run(&format!(
        "runs fork {begun} --from run --quiet --yes --allow-shell"
    ));
    assert_eq!(again.code, Some(0), "{again}");
    assert!(!again.stderr.contains("to give it again"), "{again}");
    assert_eq!(place.read("ran.txt"), "ran\nran\n");
}

#[test]
fn a_fork_reaches_no_folder_of_the_first_run() {
    let place = Place::new();
    place.file("outside/a.txt", "outside");
    place.file(
        "inside/plan.yaml",
        "version: '1.0'\nid: far\nsteps:\n  - {id: read, tool: file-read, input: {path: a.txt}}\n",
    );
    let run = |typed: &str| {
        let mut command = place.command(typed);
        command.current_dir(place.path("inside"));
        crate::place::Ran::of(typed, command.output().unwrap())
    };
    let first = run("run plan.yaml --quiet --grant-folder ../outside");
    assert_eq!(first.code, Some(0), "{first}");
    let fork = run("runs fork last --from read --quiet");
    assert_eq!(fork.code, Some(1), "{fork}");
    assert!(
        fork.stderr.contains("to give it again: --grant-folder"),
        "{fork}"
    );
}
