//! What `holloway ask` says: the answer first, nothing for programs where a person reads, and
//! plainly what is not granted, not known or not there.

use crate::place::Place;

fn place() -> Place {
    let place = Place::new();
    place.file("notes.txt", "The fox is quick. The meeting is on Monday.\n");
    place.file("prices.csv", "shop,price\nA,10\nB,12\n");
    place
}

#[test]
fn the_answer_comes_first() {
    let place = place();
    let figure = place.run("ask 'how many rows has prices.csv' --auto --quiet");
    let table = place.run("ask 'list the files here' --auto --quiet");
    let text = place.run("ask 'read notes.txt' --auto --quiet");
    let file = place.run(
        "ask 'read prices.csv, describe the data and make a report' --plan quick --quiet --yes",
    );
    assert_eq!(figure.stdout, "2\n");
    assert_eq!(text.stdout, place.read("notes.txt"));
    for ran in [&figure, &table, &text, &file] {
        assert_eq!(ran.code, Some(0), "{ran}");
        assert!(!ran.stdout.contains(['{', '}', '"']), "{ran}");
    }
    let path = file.stdout.lines().last().unwrap();
    let path = path.trim_start_matches("file: ");
    assert!(place.path(path).is_file(), "{file}");
}

#[test]
fn programs_get_all_of_it() {
    let place = place();
    let ran = place.run("ask 'how many rows has prices.csv' --auto --json");
    let lines = ran.lines();
    let told = lines.iter().find(|line| line["event"] == "answer").unwrap();
    assert_eq!(told["answer"], "2");
    assert_eq!(told["result"], serde_json::json!([{"count": 2}]));
    let ended = lines
        .iter()
        .find(|line| line["type"] == "execution_complete");
    let rows = &ended.unwrap()["outputs"]["csv_read"]["rows"];
    assert_eq!(rows[1]["shop"], "B");
}

#[test]
fn what_is_not_granted_is_said_before_anything_runs() {
    let place = place();
    let mail = "ask 'send an e-mail to ada@example.com with the contents of notes.txt' --auto";
    let mail = place.run(mail);
    let folder = place.run("ask 'read /etc/hostname' --plan 1");
    let dry = place.run("ask 'read /etc/hostname' --plan 1 --json");
    let lines = dry.lines();
    let ready = lines.iter().find(|line| line["event"] == "plans_ready");
    let lacks = &ready.unwrap()["plans"][0]["ungranted"];
    assert!(lacks[0]["grant"].to_string().contains("--grant-folder"));
    let runs = place.json("runs");
    assert_eq!(runs["runs"].as_array().map_or(0, Vec::len), 0, "{runs}");
    place.check("ask_not_granted", &[&mail, &folder]);
}

#[test]
fn an_input_that_no_plan_takes_is_an_error() {
    let place = place();
    let bogus = place.run("ask 'read notes.txt' --input bogus=1 --auto --quiet");
    place.check("ask_unknown_input", &[&bogus]);
}

#[test]
fn a_part_that_no_tool_does_is_said_and_the_rest_is_not_run_unasked() {
    let place = place();
    let request = "ask 'read notes.txt, then translate it into French'";
    let refused = place.run(&format!("{request} --auto --quiet"));
    let chosen = place.run(&format!("{request} --plan 1 --json"));
    let error = chosen
        .lines()
        .into_iter()
        .find_map(|line| line.get("error").cloned());
    assert_eq!(error.unwrap()["code"], "part-missing");
    assert_eq!(place.json("runs")["runs"].as_array().map_or(0, Vec::len), 0);
    let by_chance = place.run(&format!("{request} --auto --quiet --partial"));
    assert_eq!(by_chance.code, Some(2), "{by_chance}");
    let partial = place.run(&format!("{request} --plan 1 --quiet --partial"));
    assert_eq!(partial.code, Some(0), "{partial}");
    assert!(partial.stdout.contains("The fox is quick."), "{partial}");
    assert!(refused.stderr.contains("holloway tools add"), "{refused}");
    for words in [
        "error[part-missing]",
        "“translate it into French”",
        "Read a file",
        "--partial",
    ] {
        assert!(refused.stderr.contains(words), "{words}: {refused}");
    }
}

#[test]
fn nothing_that_brought_nothing_is_remembered() {
    let place = place();
    place.file("notes.txt", "\n");
    let ran = place.run("ask 'read notes.txt' --auto --quiet");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(place.remembered(), 0);
    place.file("notes.txt", "Something.\n");
    place.run("ask 'read notes.txt' --auto --quiet");
    assert_eq!(place.remembered(), 1);
}

#[test]
fn a_tools_words_cannot_steer_the_terminal() {
    let place = place();
    let tool = serde_json::json!({
        "id": "odd/summarise\u{1b}[2J", "name": "summarise\u{1b}[2J",
        "description": "Summarises a text\u{1b}]0;mine\u{7} in a few words\u{9b}2J. Returns a summary.",
        "input_schema": {"type": "object", "required": ["text\u{1b}[3J"], "properties": {
            "text\u{1b}[3J": {"type": "string", "description": "The text\u{1b}[1A"}}},
        "output_schema": {"type": "object", "properties": {"summary": {"type": "string"}}},
    });
    place.file("tools.jsonl", &format!("{tool}\n"));
    for typed in [
        "plan 'summarise a text' --from tools.jsonl --why",
        "plan 'summarise a text' --from tools.jsonl -o -",
        "plan 'summarise \u{1b}[2Ja text' --from tools.jsonl --plan 9",
        "ask 'read \u{1b}]0;x\u{7} /etc/host\u{1b}[2Jname' --auto",
    ] {
        let ran = place.run(typed);
        for code in ['\u{1b}', '\u{7}', '\u{9b}'] {
            let shown = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!shown.contains(code), "{code:?} in {shown:?}");
        }
    }
    place.file("notes.txt", "A\u{1b}[2J text.\n");
    let ran = place.run("ask 'read notes.txt' --auto --quiet");
    assert!(!ran.stdout.contains('\u{1b}'), "{:?}", ran.stdout);
}

#[test]
fn nobody_reads_the_answer_any_more() {
    let place = place();
    let ran = place.run_closed("ask 'how many rows has prices.csv' --auto --quiet");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(!ran.stderr.contains("error"), "{ran}");
}
