//! `holloway skills`.

use crate::place::Place;

const TENTS: &str = "---
name: tents
description: How to buy and pitch tents. Use it for camping plans.
metadata:
  categories: \"camping\"
---

# Tents

## Choose by weather
<!-- tools: page-fetch, price-extract -->

Look at the seams first.

## Pitch
Flat ground, the door away from the wind.
";

#[test]
fn listed_and_shown() {
    let place = Place::new();
    let listed = place.run("skills");
    let shown = place.run("skills show seo");
    let section = place.run("skills show http-fetching --section 1");
    let unknown = place.run("skills show soe");
    let wrong = place.run("skills show seo --section 'Structure heading'");
    let none = place.run("skills show seo --section 9");
    let json = place.json("skills list");
    assert_eq!(json["skills"].as_array().unwrap().len(), 13);
    let shown_json = place.json("skills show seo");
    assert_eq!(shown_json["tokens"], json["skills"][9]["tokens"]);
    assert_eq!(shown_json["tools"], json["skills"][9]["tools"]);
    place.check(
        "skills",
        &[&listed, &shown, &section, &unknown, &wrong, &none],
    );
}

#[test]
fn what_ships_has_nothing_to_remark() {
    let place = Place::new();
    let checked = place.json("skills check");
    assert_eq!(checked["skills"], 13);
    assert_eq!(checked["remarks"], serde_json::json!([]), "{checked}");
}

#[test]
fn every_built_in_tool_that_does_work_has_a_home() {
    let place = Place::new();
    let skills = place.json("skills list");
    let at_home: Vec<&str> = skills["skills"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|skill| skill["tools"].as_array().unwrap())
        .filter_map(|tool| tool.as_str())
        .collect();
    let tools = place.json("tools list");
    let homeless: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["id"].as_str())
        .filter(|tool| !at_home.contains(tool))
        .collect();
    let expected = [
        "builtin/echo",
        "builtin/fail",
        "builtin/shell-run",
        "builtin/sleep",
    ];
    assert_eq!(homeless, expected);
}

#[test]
fn added_to_the_project_and_to_the_user() {
    let place = Place::new();
    place.file("mine/tents/SKILL.md", TENTS);
    place.file("mine/tents/scripts/pitch.sh", "echo up\n");
    let added = place.run("skills add mine/tents");
    assert_eq!(
        place.read(".agents/skills/tents/scripts/pitch.sh"),
        "echo up\n"
    );
    let again = place.run("skills add mine/tents/SKILL.md");
    let user = place.run("skills add mine --user");
    assert_eq!(place.read("home/skills/tents/SKILL.md"), TENTS);
    let better = TENTS.replace("Look at the seams", "Mind the seams");
    place.file("mine/tents/SKILL.md", &better);
    let replaced = place.run("skills add mine/tents --replace");
    assert_eq!(place.read(".agents/skills/tents/SKILL.md"), better);
    let itself = place.run("skills add .agents/skills/tents --replace");
    assert_eq!(place.read(".agents/skills/tents/SKILL.md"), better);
    let shown = place.run("skills show tents");
    assert_eq!(
        place.json("skills show tents")["replaces"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let nothing = place.run("skills add nowhere");
    let ran = [&added, &again, &user, &replaced, &itself, &shown, &nothing];
    // Where the data folder is.
    insta::with_settings!({filters => vec![(r"\S+home/skills", "[DATA]/skills")]}, {
        place.check("skills_add", &ran);
    });
}

#[test]
fn mistakes_are_told_and_keep_a_skill_out() {
    let place = Place::new();
    place.file(
        "bad/tent/SKILL.md",
        &TENTS.replace("page-fetch", "page-fetsh"),
    );
    place.file(
        "bad/empty/SKILL.md",
        "---\nname: empty\ndescribtion: x\n---\n",
    );
    std::fs::create_dir_all(place.path("none")).unwrap();
    let checked = place.run("skills check bad");
    let refused = place.run("skills add bad/tent");
    assert!(!place.path(".agents").exists());
    place.file(
        ".agents/skills/seo/SKILL.md",
        "---\nname: seo\n---\n## A\nx\n",
    );
    let listed = place.json("skills list");
    assert_eq!(
        listed["skills"][9]["from"], "shipped",
        "an unusable one replaces nothing"
    );
    assert_eq!(listed["unusable"].as_array().unwrap().len(), 1);
    let in_effect = place.run("skills check");
    let nothing = place.run("skills check none");
    place.check("skills_wrong", &[&checked, &refused, &in_effect, &nothing]);
}
