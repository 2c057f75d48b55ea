//! Is a tool ever taken for safer than it is, and is an honest one left usable?

use serde_json::Value;

use super::super::offer::{QualityFacts, Registry};
use super::*;

const NOTHING: Hints = Hints {
    read_only: None,
    destructive: None,
    idempotent: None,
    open_world: None,
};
const READ_ONLY: Hints = Hints {
    read_only: Some(true),
    ..NOTHING
};
const REPEATABLE: Hints = Hints {
    destructive: Some(false),
    idempotent: Some(true),
    ..NOTHING
};
const DESTRUCTIVE: Hints = Hints {
    destructive: Some(true),
    ..NOTHING
};

fn offer(id: &str, description: &str, hints: Hints) -> Offer {
    Offer {
        id: ToolId::new(id),
        title: String::new(),
        description: description.to_owned(),
        category: String::new(),
        input_schema: Value::Null,
        output_schema: Value::Null,
        hints,
        definition: Value::Null,
        facts: QualityFacts::default(),
        findings: Vec::new(),
    }
}

fn package(registry: Registry, name: &str) -> Package {
    Package {
        registry,
        name: name.to_owned(),
        version: "1.0.0".to_owned(),
        integrity: String::new(),
    }
}

#[track_caller]
fn check(id: &str, description: &str, hints: Hints, expected: &str) {
    let offer = offer(id, description, hints);
    let found = classify(&offer, None, &EffectOverrides::new());
    assert_eq!(format!("{}: {}", found.effect, found.reason), expected);
}

#[track_caller]
fn check_judged(package: &Package, tool: &str, hints: Hints, expected: Effect) {
    let offer = offer(&format!("mcp.any/{tool}"), "", hints);
    let found = classify(&offer, Some(package), &EffectOverrides::new());
    assert_eq!(found.effect, expected, "{tool}: {}", found.reason);
}

#[test]
fn hints_are_believed_where_nothing_speaks_against_them() {
    check(
        "mcp.a/get_pet",
        "Gets a pet.",
        READ_ONLY,
        "read: its source marks it as read-only",
    );
    check(
        "mcp.a/create_folder",
        "",
        REPEATABLE,
        "idempotent: its source marks it as safe to repeat and not destructive",
    );
    check(
        "mcp.a/tidy",
        "",
        DESTRUCTIVE,
        "destructive: its source marks it as destructive",
    );
    check(
        "mcp.a/tidy",
        "",
        Hints {
            read_only: Some(false),
            ..NOTHING
        },
        "write: its source marks it as writing",
    );
}

#[test]
fn what_is_not_declared_writes() {
    let silent = "its source says nothing about it";
    check(
        "mcp.a/get_pet",
        "",
        NOTHING,
        &format!("write: {silent}, so it is taken for a writing one"),
    );
    check(
        "mcp.a/drop_table",
        "",
        NOTHING,
        &format!("destructive: {silent}, and its name says `drop`"),
    );
}

#[test]
fn a_claim_does_not_outweigh_the_name() {
    check(
        "openapi.pets/deletePet",
        "",
        READ_ONLY,
        "destructive: its source marks it as read-only, but its name says `delete`",
    );
    check(
        "mcp.a/send_mail",
        "",
        READ_ONLY,
        "write: its source marks it as read-only, but its name says `send`",
    );
    check(
        "mcp.a/tidy",
        "Removes old files.",
        READ_ONLY,
        "destructive: its source marks it as read-only, but its description says `removes`",
    );
    check(
        "mcp.a/purge",
        "",
        REPEATABLE,
        "destructive: its source marks it as safe to repeat and not destructive, but its name says `purge`",
    );
    check(
        "mcp.a/get_pet",
        "",
        Hints {
            destructive: Some(true),
            ..READ_ONLY
        },
        "destructive: its source marks it as destructive",
    );
}

#[test]
fn a_repeatable_tool_must_be_said_not_to_destroy() {
    let only_idempotent = Hints {
        idempotent: Some(true),
        ..NOTHING
    };
    check(
        "mcp.a/ensure",
        "",
        only_idempotent,
        "write: its source says nothing about it, so it is taken for a writing one",
    );
}

#[test]
fn the_table_is_keyed_by_what_is_run() {
    let postgres = package(Registry::Npm, "@modelcontextprotocol/server-postgres");
    check_judged(&postgres, "query", READ_ONLY, Effect::Destructive);
    let same_name = package(Registry::Pypi, "@modelcontextprotocol/server-postgres");
    check_judged(&same_name, "query", READ_ONLY, Effect::Read);
    let notion = package(Registry::Npm, "@notionhq/notion-mcp-server");
    check_judged(&notion, "API-post-search", DESTRUCTIVE, Effect::Read);
    check_judged(&notion, "API-never-heard-of", NOTHING, Effect::Write);
    let excel = package(Registry::Pypi, "Excel_MCP.server");
    check_judged(&excel, "read_range", NOTHING, Effect::Read);
    check_judged(&excel, "clear_range", READ_ONLY, Effect::Destructive);
    let charts = package(Registry::Npm, "@antv/mcp-server-chart");
    check_judged(&charts, "generate_pie_chart", READ_ONLY, Effect::Write);
}

#[test]
fn the_table_does_not_weaken_a_claim_to_destroy() {
    let notion = package(Registry::Npm, "@notionhq/notion-mcp-server");
    for (hints, expected) in [
        (NOTHING, Effect::Read),
        (READ_ONLY, Effect::Read),
        (DESTRUCTIVE, Effect::Destructive),
    ] {
        check_judged(&notion, "API-get-user", hints, expected);
    }
    check_judged(&notion, "API-move-page", DESTRUCTIVE, Effect::Destructive);
    let sheets = package(Registry::Npm, "@negokaz/excel-mcp-server");
    check_judged(&sheets, "excel_read_sheet", DESTRUCTIVE, Effect::Read);
}

#[test]
fn a_note_on_the_judgement_is_told() {
    let postgres = package(Registry::Npm, "@modelcontextprotocol/server-postgres");
    let offer = offer("mcp.db/query", "", NOTHING);
    let found = classify(&offer, Some(&postgres), &EffectOverrides::new());
    assert!(
        found
            .reason
            .starts_with("judged for this package. Said to be read-only, but"),
        "{}",
        found.reason
    );
}

#[test]
fn the_users_word_is_the_last() {
    let sqlite = package(Registry::Pypi, "mcp-server-sqlite");
    let overrides = EffectOverrides::from([
        ("mcp.db/*".to_owned(), Effect::Read),
        ("mcp.db/write_query".to_owned(), Effect::Write),
    ]);
    for (tool, hints, expected) in [
        (
            "write_query",
            DESTRUCTIVE,
            "write: the configuration says so for `mcp.db/write_query`",
        ),
        (
            "delete_all",
            DESTRUCTIVE,
            "read: the configuration says so for `mcp.db/*`",
        ),
    ] {
        let offer = offer(&format!("mcp.db/{tool}"), "", hints);
        let found = classify(&offer, Some(&sqlite), &overrides);
        assert_eq!(format!("{}: {}", found.effect, found.reason), expected);
    }
    let elsewhere = offer("mcp.other/write_query", "", NOTHING);
    let found = classify(&elsewhere, Some(&sqlite), &overrides);
    assert_eq!(found.effect, Effect::Destructive);
}
