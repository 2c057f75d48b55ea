//! `holloway eval retrieval`.

use crate::place::{Place, Ran};

const TOOLS: &str = concat!(
    r#"{"id":"mail","name":"send_mail","description":"Sends a message"}"#,
    "\n\n",
    r#"{"id":"post","name":"post_letter","description":"Sends a letter"}"#,
    "\n",
    r#"{"id":"rain","name":"get_weather","description":"Tells the weather of a city"}"#,
    "\n",
);
const REQUESTS: &str = concat!(
    r#"{"id":"one","query":"weather of Oslo","tools":["rain"]}"#,
    "\n",
    r#"{"id":"two","query":"send a message, then tell the weather","tools":["rain",["mail","post"]]}"#,
    "\n",
    r#"{"id":"three","query":"drops from the sky","tools":["rain"]}"#,
    "\n",
    r#"{"id":"four","query":"dance","tools":["gone"]}"#,
    "\n",
);

/// Four words with the meanings the numbers say; `sky` is near to `weather`.
fn table() -> Vec<u8> {
    let words: [(&str, [i8; 2]); 4] = [
        ("weather", [127, 0]),
        ("sky", [120, 30]),
        ("message", [0, 127]),
        ("letter", [0, 120]),
    ];
    let header = r#"{"rows":4,"dimensions":2,"made_from":"four words"}"#;
    let vocabulary = words.map(|(word, _)| word).join("\n");
    let mut bytes = b"HWTABLE1".to_vec();
    for text in [header, &vocabulary] {
        bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes.extend([1f32; 4].iter().flat_map(|scale| scale.to_le_bytes()));
    bytes.extend(words.iter().flat_map(|(_, row)| row.map(i8::cast_unsigned)));
    bytes
}

fn place() -> Place {
    let place = Place::new();
    place.file("set/tools.jsonl", TOOLS);
    place.file("set/requests.jsonl", REQUESTS);
    std::fs::write(place.path("table.bin"), table()).unwrap();
    place
}

const EVAL: &str =
    "eval retrieval --tools set/tools.jsonl --requests set/requests.jsonl --table table.bin";

#[test]
fn four_methods_are_measured() {
    let place = place();
    let text = place.run(&format!("{EVAL} --out out.jsonl --top 2"));
    insta::with_settings!({filters => vec![(r"(?m)(\d\.\d +)\d+$", "$1[MICROS]")]}, {
        place.check("eval_retrieval", &[&text]);
    });
    let out = place.read("out.jsonl");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], r#"{"id":"one","tools":["rain","mail"]}"#);
    let json = place.json(EVAL);
    assert_eq!((&json["tools"], &json["left_out"]), (&3.into(), &1.into()));
    assert_eq!(json["table"], "four words");
    let by_words = &json["rows"][0];
    // Of three requests two have their words in the catalogue, and one needs two tools.
    assert_eq!(by_words["recall@1"], 50.0);
    assert_eq!(json["rows"][3]["recall@5"], 100.0);
}

#[test]
fn what_is_remembered_helps_and_what_is_measured_is_not_remembered() {
    let place = place();
    let learned = concat!(
        r#"{"id":"a","query":"letter","tools":["mail"]}"#,
        "\n",
        r#"{"id":"b","query":"weather of Oslo","tools":["mail"]}"#,
        "\n",
    );
    place.file("learn.jsonl", learned);
    let json = place.json(&format!("{EVAL} --learn learn.jsonl"));
    assert_eq!(json["rows"][4]["method"], "ours, with 1 remembered");
    assert_eq!(json["rows"].as_array().unwrap().len(), 5);
}

#[test]
fn a_quarter_is_for_validation() {
    let place = place();
    let line = r#"{"id":NUMBER,"query":"weather","tools":["rain"]}"#;
    let requests = (0..400).map(|number: u32| line.replace("NUMBER", &number.to_string()));
    let requests = requests.collect::<Vec<_>>().join("\n");
    place.file("set/requests.jsonl", &requests);
    let count = |split: &str| {
        let json = place.json(&format!("{EVAL} --split {split}"));
        json["requests"].as_u64().unwrap()
    };
    let (validation, training) = (count("validation"), count("training"));
    assert_eq!(validation + training, 400);
    assert!((70..130).contains(&validation), "{validation}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let place = place();
    place.file(
        "bad.jsonl",
        "{\"id\":\"a\",\"query\":\"q\",\"tools\":[\"rain\"]}\n{\"id\":2}\n",
    );
    place.file("empty.jsonl", "\n");
    let ran: Vec<Ran> = [
        "--tools gone.jsonl --requests set/requests.jsonl",
        "--tools bad.jsonl --requests bad.jsonl",
        "--tools empty.jsonl --requests bad.jsonl",
        "--tools set/tools.jsonl --requests set/requests.jsonl --table bad.jsonl",
        "--tools set/tools.jsonl --requests set/requests.jsonl --out no/such/folder",
        "--tools set/tools.jsonl",
    ]
    .map(|typed| place.run(&format!("eval retrieval {typed}")))
    .into();
    place.check("eval_retrieval_wrong", &ran.iter().collect::<Vec<_>>());
}

#[test]
fn plans_are_not_measured_over_tools_of_another_catalogue() {
    let place = Place::new();
    place.file(
        "tools.jsonl",
        "{\"id\": \"a\", \"name\": \"a\", \"description\": \"Reads a file\"}\n",
    );
    place.file(
        "requests.jsonl",
        "{\"id\": \"1\", \"query\": \"read a file\", \"tools\": [\"b\"]}\n",
    );
    let refused = place.run("eval plans --tools tools.jsonl --requests requests.jsonl");
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(
        refused.stderr.contains("no request whose tools"),
        "{refused}"
    );
}

#[test]
fn every_request_is_planned_from_the_other_folds() {
    let place = Place::new();
    let tool = |id: &str| format!("{{\"id\":\"{id}\",\"name\":\"{id}\",\"description\":\"\"}}\n");
    place.file(
        "tools.jsonl",
        &["read_file", "send_mail"].map(tool).concat(),
    );
    let request = |number: u32| {
        let tools = if number.is_multiple_of(2) {
            "read_file"
        } else {
            "send_mail"
        };
        format!("{{\"id\":{number},\"query\":\"errand {number}\",\"tools\":[\"{tools}\"]}}\n")
    };
    place.file("requests.jsonl", &(0..8).map(request).collect::<String>());
    let eval = "eval plans --tools tools.jsonl --requests requests.jsonl";
    let json = place.json(&format!("{eval} --folds 4"));
    assert_eq!(
        (&json["folds"], &json["remembered"]),
        (&4.into(), &6.into())
    );
    assert_eq!(json["remember_ms"]["runs"], 6);
    let rows = json["rows"].as_array().unwrap();
    let last = &rows[rows.len() - 3];
    assert_eq!(last["method"], "ours, 6 remembered");
    assert_eq!(last["requests"], 8);
    let parts = [&rows[rows.len() - 2], &rows[rows.len() - 1]];
    let parts = parts.map(|row| row["requests"].as_u64().unwrap());
    assert_eq!(parts.iter().sum::<u64>(), 8);
    assert!(
        json["weights_fitted_on"]
            .as_str()
            .unwrap()
            .contains("nestful")
    );
    let refused = place.run(&format!("{eval} --folds 1"));
    assert_eq!(refused.code, Some(2), "{refused}");
    let refused = place.run(&format!("{eval} --refit"));
    assert_eq!(refused.code, Some(2), "{refused}");
}
