//! What comes of exchanges with a capable model? Each file of `tests/cassettes` holds a request, the
//! files that are there, the model's answers in order, and how `ask` has to end.
//!
//! A cassette: `request`, `files` (name → content), `server` (an MCP server beside this file), `settings` (more of `[model]`), `flags`, `answers` (JSON, or text as it is), and
//! `expects` with any of `code`, `calls`, `made_by`, `answer_has`, `says`, `says_not`, `files` (name → text in
//! it), `absent` (files), `seconds` and `money` (what the plan may take). `{site}` stands for the address of the
//! demo shop, `{prices}` for that of the shops with prices. `bad-answers.jsonl` has exchanges with models and providers that are of no use.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, Ran};
use crate::recorded::Recorded;
use crate::shop::Shop;

const USUAL: &str = "--model always --plan quick --yes --no-question --json";

/// A cassette that was played.
struct Played {
    place: Place,
    ran: Ran,
    asked: Vec<Value>,
}

/// The demo shops with their prices, served as the README does.
struct Shops {
    address: String,
    server: Option<Child>,
}

impl Shops {
    /// Only where a cassette speaks of them.
    fn open(cassette: &Value) -> Self {
        let mut shops = Self {
            address: String::new(),
            server: None,
        };
        if !cassette.to_string().contains("{prices}") {
            return shops;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demos/prices/serve.py");
        let mut command = Command::new("python3");
        let command = command.arg(script).arg("0").stdout(Stdio::piped());
        let mut server = command.stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let address = lines.next().unwrap().unwrap();
        address.trim().clone_into(&mut shops.address);
        shops.server = Some(server);
        shops
    }
}

impl Drop for Shops {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

fn play(cassette: &Value, site: &str) -> Played {
    let shops = Shops::open(cassette);
    let filled = |value: &Value| -> Value {
        let text = value.to_string().replace("{site}", site);
        let text = text.replace("{prices}", &shops.address);
        serde_json::from_str(&text).unwrap()
    };
    let answers = cassette["answers"].as_array().unwrap();
    let model = Recorded::serve(answers.iter().map(filled).collect());
    let place = Place::new();
    for (name, content) in cassette["files"].as_object().into_iter().flatten() {
        place.file(name, content.as_str().unwrap());
    }
    if let Some(server) = cassette["server"].as_str() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cli")
            .join(server);
        let added = place.run(&format!(
            "tools add mcp:memory -- python3 {}",
            source.display()
        ));
        assert_eq!(added.code, Some(0), "{added}");
    }
    let settings = cassette["settings"].as_str().unwrap_or_default();
    place.file("holloway.toml", &model.settings(settings));
    place.trust();
    let request = filled(&cassette["request"]);
    let request = request.as_str().unwrap();
    let flags = cassette["flags"].as_str().unwrap_or(USUAL);
    let mut command = place.command("ask");
    let output = command
        .arg(request)
        .args(flags.split(' '))
        .output()
        .unwrap();
    let ran = Ran::of(request, output);
    Played {
        place,
        ran,
        asked: model.asked(),
    }
}

fn event<'a>(lines: &'a [Value], kind: &str) -> Option<&'a Value> {
    lines.iter().find(|line| line["event"] == kind)
}

/// What is not as expected.
fn differences(played: &Played, expects: &Value) -> Vec<String> {
    let Played { place, ran, asked } = played;
    let lines = ran.lines();
    let ready = event(&lines, "plans_ready").or(event(&lines, "no_plan"));
    let ready = ready.cloned().unwrap_or_default();
    let mut wrong = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            wrong.push(what);
        }
    };
    let texts = |name: &str| -> Vec<String> {
        let texts = expects[name].as_array().into_iter().flatten();
        texts
            .map(|text| text.as_str().unwrap().to_owned())
            .collect()
    };
    let code = &expects["code"];
    let one = [if code.is_null() {
        json!(0)
    } else {
        code.clone()
    }];
    let codes = code.as_array().map_or(&one[..], Vec::as_slice);
    check(
        codes.contains(&json!(ran.code)),
        format!("code {:?}, expected {code}", ran.code),
    );
    if let Some(calls) = expects["calls"].as_u64() {
        check(
            asked.len() as u64 == calls,
            format!("{} calls, expected {calls}", asked.len()),
        );
    }
    let plan = &ready["plans"][0];
    if let Some(maker) = expects["made_by"].as_str() {
        check(
            plan["made_by"] == maker,
            format!("made by {}, expected {maker}", plan["made_by"]),
        );
    }
    let answer = event(&lines, "answer")
        .cloned()
        .unwrap_or_default()
        .to_string();
    for text in texts("answer_has") {
        check(
            answer.contains(&text),
            format!("the answer lacks {text}: {answer}"),
        );
    }
    let said = format!("{}{}", ran.stdout, ran.stderr);
    for text in texts("says") {
        check(said.contains(&text), format!("nobody says {text}"));
    }
    for text in texts("says_not") {
        check(!said.contains(&text), format!("somebody says {text}"));
    }
    for (name, text) in expects["files"].as_object().into_iter().flatten() {
        let found = place.read(name);
        check(
            found.contains(text.as_str().unwrap()),
            format!("{name} holds {found:?}"),
        );
    }
    for name in texts("absent") {
        check(!place.path(&name).exists(), format!("{name} was made"));
    }
    for limit in ["seconds", "money"] {
        if let Some(most) = expects[limit].as_f64() {
            let budget = plan["plan"]["budget"][limit].as_f64();
            check(
                budget.is_some_and(|budget| budget <= most),
                format!("{limit}: {budget:?}, expected {most} at most"),
            );
        }
    }
    wrong
}

/// Calls, prompt tokens and the share of them that was asked before.
fn figures(played: &Played) -> String {
    let lines = played.ran.lines();
    let ready = event(&lines, "plans_ready").or(event(&lines, "no_plan"));
    let spent = ready
        .map(|ready| ready["spent"].clone())
        .unwrap_or_default();
    let (read, cached) = (spent["tokens_in"].as_u64(), spent["cached_tokens"].as_u64());
    format!(
        "{} calls, tokens {read:?}, of them cached {cached:?}",
        played.asked.len()
    )
}

#[test]
#[allow(clippy::print_stdout)] // what each exchange took
fn exchanges_end_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes");
    let shop = Shop::open();
    let mut wrong = Vec::new();
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let cassette: Value = serde_json::from_str(&text).unwrap();
        let played = play(&cassette, &shop.address);
        let name = file.file_stem().unwrap().to_string_lossy();
        println!("{name}: {}", figures(&played));
        let found = differences(&played, &cassette["expects"]);
        if !found.is_empty() {
            wrong.push(format!("{name}: {}\n{}", found.join("; "), played.ran));
        }
    }
    assert!(files.len() >= 10, "{}", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

const ORDERS: &str = "id,ordered_on,region,status,amount\n1,2026-01-05,North,paid,120.5\n2,2026-02-11,South,open,80\n\
    3,2026-03-31,South,paid,200\n4,2026-04-02,North,paid,500\n5,2026-03-15,North,open,60\n";
const NOTES: &str =
    "The roof is leaking. Kim calls the builder on Friday. The oven is still open.\n";

/// Each ends in a checked plan, a clear question or a refusal, or in the embedded planner's plan with a
/// note that says why; and no file that was there is changed.
#[test]
fn bad_answers_do_no_harm() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-answers.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let mut cassette: Value = serde_json::from_str(line).unwrap();
        cassette["files"] = json!({"orders.csv": ORDERS, "notes.txt": NOTES});
        let flags = "--model always --plan quick --yes --no-wait --no-question --json";
        cassette["flags"] = json!(flags);
        let played = play(&cassette, "");
        let mut found = differences(&played, &cassette["expects"]);
        for (name, content) in [("orders.csv", ORDERS), ("notes.txt", NOTES)] {
            if played.place.read(name) != content {
                found.push(format!("{name} was changed"));
            }
        }
        let said = format!("{}{}", played.ran.stdout, played.ran.stderr);
        let lines = played.ran.lines();
        let ready = event(&lines, "plans_ready").cloned().unwrap_or_default();
        let maker = ready["plans"][0]["made_by"].as_str().unwrap_or_default();
        if maker == "embedded planner" && !said.contains("recorded") {
            found.push("nothing says why the plan is our own".to_owned());
        }
        if said.contains("panicked") || said.contains("mistake in Holloway") {
            found.push("it broke".to_owned());
        }
        if !found.is_empty() {
            let name = &cassette["name"];
            wrong.push(format!("{name}: {}\n{}", found.join("; "), played.ran));
        }
    }
    assert!(text.lines().count() >= 40);
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

const KEY: &str = "sk_live_4eC39HqLyjWDarjtT1zdp7dcKq8";
const CANARIES: [&str; 4] = [
    KEY,
    "hunter2-canary",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "top-secret-canary",
];

/// A folder with secrets in many places, and a model that is asked four times.
fn with_secrets(share: bool) -> (Place, Recorded) {
    let frame = json!({"language": "en", "goals": [{"act": "select", "sources": ["users.csv"], "limit": {"rows": 1}}]});
    let unfit = json!({"language": "en", "goals": [{"act": "select", "sources": ["users.csv"],
        "filters": [{"column": "name", "op": "eq", "value": "nobody"}]}]});
    let answers = [
        unfit.to_string(),
        frame.to_string(),
        json!({"search_tools": ["read a table"]}).to_string(),
        json!({"keep": ["thorough", "balanced", "quick"]}).to_string(),
    ];
    let model = Recorded::serve(answers.map(Value::String).to_vec());
    let place = Place::new();
    let [key, password, token, inside] = CANARIES;
    place.file(
        "users.csv",
        &format!("name,password,note,{key}\nAda,{password},{token},1\nBob,{password},plain,2\n"),
    );
    place.file(&format!("{key}.txt"), inside);
    place.file(&format!("backup-{key}.txt"), inside);
    place.file(&format!("keys-{token}/old.txt"), inside);
    place.file("plain.txt", inside);
    let share = format!("share_tables = {share}\n");
    place.file("holloway.toml", &model.settings(&share));
    place.trust();
    (place, model)
}

#[test]
fn nothing_secret_is_sent() {
    for share in [true, false] {
        for typed in ["ask", "plan"] {
            let (place, model) = with_secrets(share);
            let flags = match typed {
                "ask" => "--model always --plan quick --yes --no-question",
                _ => "--model always --show-prompt",
            };
            let ran = place.run(&format!(
                "{typed} 'the first row of users.csv by name' {flags}"
            ));
            let asked = model.asked();
            assert!(asked.len() >= 3, "{ran}");
            let sent = json!(asked).to_string();
            assert!(sent.contains("users.csv"), "{sent}");
            assert_eq!(sent.contains("Ada"), share, "{sent}");
            for canary in CANARIES {
                assert!(
                    !sent.contains(canary),
                    "{typed}, share_tables = {share}: {canary}"
                );
                assert!(typed == "ask" || !ran.stdout.contains(canary), "{ran}");
            }
        }
    }
}

#[test]
fn questions_share_most_of_their_beginning() {
    let (place, model) = with_secrets(true);
    place.run(
        "ask 'the first row of users.csv by name' --model always --plan quick --yes --no-question",
    );
    let asked = model.asked();
    let schema = |body: &Value| body["response_format"].to_string();
    assert!(asked.iter().all(|body| schema(body) == schema(&asked[0])));
    let system = |body: &Value| body["messages"][0].clone();
    assert!(asked.iter().all(|body| system(body) == system(&asked[0])));
}
