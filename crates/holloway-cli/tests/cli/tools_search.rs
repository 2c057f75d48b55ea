//! `holloway tools search`.

use serde_json::Value;

use crate::place::{Place, Ran};

const CATALOGUE: &str = concat!(
    r#"{"id":"git/diff","name":"git_diff","server":"npm:git","description":"Shows changes between commits"}"#,
    "\n",
    r#"{"id":"mail/send","name":"sendMail","description":"Sends a message","input_schema":{"properties":{"recipient":{"description":"Who gets the letter"}}}}"#,
    "\n",
    r#"{"id":"rain","name":"get_weather","category":"web","description":"Tells the weather of a city"}"#,
    "\n",
);

fn ids(found: &Value) -> Vec<&str> {
    let tools = found["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["tool"].as_str().unwrap())
        .collect()
}

#[test]
fn what_fits_comes_first_and_says_why() {
    let place = Place::new();
    let found = place.json("tools search parse csv text into rows");
    assert_eq!(ids(&found)[0], "builtin/csv-parse");
    let first = &found["tools"][0];
    assert!(first["why"].as_str().unwrap().contains("“csv”"), "{first}");
    assert_eq!(first["healthStatus"], "HEALTHY");
    assert_eq!(found["kind"], "file-generation");
    let text = place.run("tools search parse csv text into rows --limit 2");
    let lines: Vec<&str> = text.stdout.lines().collect();
    assert!(lines[0].starts_with("builtin/csv-parse  "), "{text}");
    assert!(lines[1].starts_with("  why: "), "{text}");
}

#[test]
fn packages_that_could_be_added_are_proposed() {
    let place = Place::new();
    let found = place.json("tools search notion");
    assert_eq!(
        found["known"][0]["add"],
        "mcp:npm:@notionhq/notion-mcp-server"
    );
    let text = place.run("tools search notion");
    assert!(
        text.stdout.contains("holloway tools add mcp:npm:@notionhq"),
        "{text}"
    );
}

#[test]
fn a_catalogue_in_a_file_is_searched() {
    let place = Place::new();
    place.file("tools.jsonl", CATALOGUE);
    let search = |words: &str| place.json(&format!("tools search --from tools.jsonl {words}"));
    assert_eq!(ids(&search("'how is the weather in Oslo'"))[0], "rain");
    assert_eq!(
        ids(&search("what changed since the last commit"))[0],
        "git/diff"
    );
    assert_eq!(ids(&search("letter")), ["mail/send"]);
    assert_eq!(ids(&search("weather --category web")), ["rain"]);
    let both = search("'tell me the weather of Oslo, then send a message to Ann'");
    let clause = |id: &str| {
        let tools = both["tools"].as_array().unwrap().iter();
        let tool = tools.clone().find(|tool| tool["tool"] == id).unwrap();
        tool["reason"]["clause"].clone()
    };
    assert_eq!(clause("mail/send"), "send a message to Ann");
    assert_eq!(clause("rain"), "tell me the weather of Oslo");
}

#[test]
fn what_is_always_shown_is_shown() {
    let place = Place::new();
    place.file("tools.jsonl", CATALOGUE);
    place.file("holloway.toml", "[search]\nalways = [\"git/diff\"]\n");
    let found = place.json("tools search --from tools.jsonl weather");
    assert_eq!(ids(&found), ["rain", "git/diff"]);
    assert_eq!(found["tools"][1]["always"], true);
}

#[test]
fn mistakes_are_told() {
    let place = Place::new();
    place.file("wrong.jsonl", "{\"id\":\"a\"}\n{\"name\":\"b\"}\n");
    let ran: Vec<Ran> = [
        "tools search --from gone.jsonl weather",
        "tools search --from wrong.jsonl weather",
        "tools search --from wrong.jsonl weather --json",
        "tools search",
    ]
    .map(|typed| place.run(typed))
    .into();
    place.check("tools_search_wrong", &ran.iter().collect::<Vec<_>>());
    place.file("tools.jsonl", CATALOGUE);
    let nothing = place.run("tools search --from tools.jsonl …!");
    assert_eq!((nothing.code, nothing.stdout.as_str()), (Some(0), ""));
    assert!(nothing.stderr.starts_with("nothing fits"), "{nothing}");
}
