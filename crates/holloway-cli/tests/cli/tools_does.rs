//! What tools of sources do: inferred when they are added, declared in the configuration, and used
//! by plans.

use serde_json::{Value, json};

use crate::place::Place;

const SERVER: &str = include_str!("words_server.py");
/// The user's own settings.
const SETTINGS: &str = "config/holloway/holloway.toml";

/// A place with a server whose tools say nothing of what they do.
fn with_words() -> Place {
    let place = Place::new();
    place.file("words_server.py", SERVER);
    place.file("letter.txt", "Good morning\n");
    let added = place.run("tools add mcp:words -- python3 words_server.py");
    assert_eq!(added.code, Some(0), "{added}");
    place
}

fn shown(place: &Place, tool: &str) -> Value {
    let shown = place.run(&format!("tools show {tool} --json"));
    serde_json::from_str(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown}"))
}

#[test]
fn what_a_tool_does_is_inferred_and_overridden() {
    let place = with_words();
    let inferred = place.run("tools show translate_text");
    let unclear = place.run("tools show q7");
    let before = shown(&place, "translate_text");
    let line = "translate text:text -> text:text with target_language=text";
    assert_eq!(before["tool"]["inferred"], json!([line]));
    place.file(
        SETTINGS,
        "[tools.does]\n\"mcp.words/translate_text\" = [\"translate text:text -> text:text\"]\n",
    );
    let overridden = place.run("tools show translate_text");
    let after = shown(&place, "translate_text");
    assert_eq!(
        after["tool"]["does"],
        json!(["translate text:text -> text:text"])
    );
    assert_eq!(after["tool"]["inferred"], Value::Null);
    assert_eq!(after["pin"], before["pin"]);
    place.file(
        SETTINGS,
        "[tools.does]\n\"mcp.words/translate_text\" = []\n",
    );
    let off = shown(&place, "translate_text");
    assert_eq!(off["tool"]["does"], Value::Null);
    assert_eq!(off["tool"]["inferred"], Value::Null);
    place.check("tools_does", &[&inferred, &unclear, &overridden]);
}

#[test]
fn a_mistake_in_what_is_declared_is_told_with_its_place() {
    let place = with_words();
    let mut told = Vec::new();
    for line in [
        "\"mcp.words/q7\" = [\"spoonerize text:words\"]",
        "\"mcp.words/q7\" = [\"spoonerize words -> text\"]",
        "\"mcp.words/q7\" = [\"spoonerize text:word -> text\"]",
        "\"mcp.words/q8\" = [\"spoonerize text:words -> text\"]",
        "\"builtin/file-read\" = [\"read file:path -> text:content\"]",
    ] {
        place.file(SETTINGS, &format!("[tools.does]\n{line}\n"));
        told.push(place.run("tools show q7"));
    }
    assert!(told.iter().all(|ran| ran.code == Some(2)));
    place.check("tools_does_mistakes", &told.iter().collect::<Vec<_>>());
}

#[test]
fn a_project_that_is_not_trusted_declares_nothing() {
    let place = with_words();
    let line = "[tools.does]\n\"mcp.words/q7\" = [\"spoonerize text:words -> text:text\"]\n";
    place.file("holloway.toml", line);
    assert_eq!(shown(&place, "q7")["tool"]["does"], Value::Null);
    place.file(
        "holloway.toml",
        "[tools.does]\n\"mcp.words/translate_text\" = []\n",
    );
    let kept = shown(&place, "translate_text");
    assert!(kept["tool"]["inferred"].is_array(), "{kept}");
}

#[test]
fn an_inferred_line_makes_a_doubtful_plan_that_chance_does_not_take() {
    let place = with_words();
    let request = "'translate letter.txt into German'";
    let planned = place.run(&format!("plan {request}"));
    assert!(
        planned.stdout.contains("what the tool does was inferred"),
        "{planned}"
    );
    let by_chance = place.run(&format!("ask {request} --auto"));
    assert_eq!(by_chance.code, Some(2), "{by_chance}");
    place.check("tools_does_inferred", &[&by_chance]);
    let taken = place.run(&format!("ask {request} --plan 1 --no-question"));
    assert!(taken.stdout.contains("German: Good morning"), "{taken}");

    // What the user declares is no guess.
    place.file(
        SETTINGS,
        "[tools.does]\n\"mcp.words/translate_text\" = [\"translate text:text -> text:text with target_language=text\"]\n",
    );
    let planned = place.run(&format!("plan {request}"));
    assert!(!planned.stdout.contains("was inferred"), "{planned}");
    let by_chance = place.run(&format!("ask {request} --auto"));
    assert!(
        by_chance.stdout.contains("German: Good morning"),
        "{by_chance}"
    );
}

#[test]
fn a_tool_of_a_source_is_planned_with_an_act_that_nobody_has_heard_of() {
    let place = with_words();
    let request = "'spoonerize \"crushing blow\"'";
    let before = place.run(&format!("ask {request} --auto"));
    assert_ne!(before.code, Some(0), "{before}");
    place.file(
        SETTINGS,
        "[tools.does]\n\"mcp.words/q7\" = [\"spoonerize text:words -> text:text\"]\n",
    );
    let after = place.run(&format!("ask {request} --auto"));
    assert!(after.stdout.contains("brushing clow"), "{after}");
}
