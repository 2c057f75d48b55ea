//! What does each rule let through, and does every key have one?

use holloway_models::Provider;
use holloway_planner::settings::GenerateSettings;
use holloway_tools::{Folder, Grants, Mail, MailSecurity};
use toml::Table;

use super::*;
use crate::config::Retention;
use crate::config::layer::flat;
use crate::config::settings::{
    AskSettings, ContextSettings, RunSettings, SandboxSettings, SearchSettings, Settings,
    ToolSettings,
};

/// Settings in which every key has a value. All fields are written out, so that a new one does
/// not compile until it stands here, and then wants a rule.
fn everything() -> Settings {
    let GenerateSettings {
        strategies,
        profiles,
        deepest,
        fallbacks,
        folder,
        loop_concurrency,
        loop_items,
    } = GenerateSettings::default();
    Settings {
        run: RunSettings {
            concurrency: 1,
            max_retries: 1,
            default_timeout_ms: 1,
            memoize: true,
            max_value_bytes: 1,
            max_retained_bytes: 1,
            source_limits: [("mcp.a".to_owned(), 1)].into(),
        },
        approvals: holloway_engine::options::ApprovalPolicy {
            read: Consent::Allow,
            idempotent: Consent::Allow,
            write: Consent::Ask,
            destructive: Consent::Ask,
            replace: Consent::Ask,
            sensitive: Consent::Ask,
            steps: Consent::Ask,
        },
        grants: Grants {
            folders: vec![Folder {
                path: "/data".into(),
                writable: true,
            }],
            shell: true,
            private_hosts: vec!["localhost".to_owned()],
            browser: Some("chromium".into()),
            max_bytes: 1,
            mail: Some(Mail {
                server: "mail.example.com".to_owned(),
                port: Some(25),
                security: MailSecurity::None,
                user: Some("user".to_owned()),
                password: Some("${PASSWORD}".to_owned()),
                from: "a@example.com".to_owned(),
            }),
            webhook_secrets: vec!["HOOK".to_owned()],
            protected: holloway_tools::Protected::default(),
            led_to: BTreeMap::new(),
        },
        retention: Retention {
            older_than: "30d".parse().ok(),
            keep: Some(1),
        },
        tools: ToolSettings {
            samples: true,
            effects: [("mcp.a/b".to_owned(), Effect::Read)].into(),
            does: [("mcp.a/b".to_owned(), Vec::new())].into(),
            refresh_hours: 1,
        },
        search: SearchSettings {
            text: 0.1,
            quality: 0.1,
            health: 0.1,
            usage: 0.1,
            always: vec!["a/b".to_owned()],
        },
        planning: GenerateSettings {
            strategies,
            profiles,
            deepest,
            fallbacks,
            folder,
            loop_concurrency,
            loop_items,
        },
        ask: AskSettings { question: true },
        context: ContextSettings {
            told: true,
            threshold: 0.1,
            tokens: 1,
        },
        model: Some(holloway_models::Settings {
            provider: Provider::OpenAi,
            name: "m".to_owned(),
            base_url: Some("http://127.0.0.1/v1".to_owned()),
            key: Some("KEY".to_owned()),
            temperature: 0.1,
            max_tokens: 1,
            timeout_ms: 1,
            attempts: 1,
            price_in: 0.1,
            price_out: 0.1,
            early_start: true,
            share_tables: true,
            profile: holloway_models::settings::Profile::Capable,
            allow_plain_http: true,
            fallback: vec![holloway_models::Settings::new(Provider::OpenAi, "other")],
        }),
        sandbox: SandboxSettings {
            allow_unsandboxed: true,
        },
        sources: [("mcp.a".to_owned(), serde_json::Map::new())].into(),
    }
}

#[test]
fn every_key_has_a_rule_and_every_rule_a_key() {
    let rules = Rules::read();
    let keys: Vec<String> = flat(&Table::try_from(everything()).unwrap())
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    let fits = |pattern: &str, key: &str| match pattern.strip_suffix('*') {
        Some(start) => key.starts_with(start),
        None => key == pattern,
    };
    for key in &keys {
        let found: Vec<&String> = rules.0.keys().filter(|rule| fits(rule, key)).collect();
        assert_eq!(
            found.len(),
            1,
            "{key} wants one rule in rules.toml: {found:?}"
        );
    }
    for rule in rules.0.keys() {
        assert!(keys.iter().any(|key| fits(rule, key)), "{rule} is no key");
    }
}

/// What takes effect of a line of an untrusted file over the lines below it; `…` where something
/// waits.
#[track_caller]
fn check(key: &str, below: &str, value: &str, expected: &str) {
    let read = |text: &str| -> Option<Value> {
        let table: Table = toml::from_str(&format!("x = {text}")).ok()?;
        table.get("x").cloned()
    };
    let before = read(below);
    let verdict = Rules::read().judge(key, &read(value).unwrap(), |wanted| {
        before.as_ref().filter(|_| wanted == key)
    });
    let mut told = match (&verdict.takes, verdict.at_least) {
        (Some(value), _) => value.to_string(),
        (None, Some(effect)) => format!("at least {effect}"),
        (None, None) => String::new(),
    };
    if verdict.waits {
        told.push('…');
    }
    assert_eq!(told, expected, "{key}: {value} over {below}");
}

#[test]
fn approvals_only_get_stricter() {
    check("approvals.write", "'ask'", "'deny'", "\"deny\"");
    check("approvals.write", "'ask'", "'ask'", "\"ask\"");
    check("approvals.write", "'ask'", "'allow'", "…");
    check("approvals.read", "'allow'", "'ask'", "\"ask\"");
}

#[test]
fn limits_only_get_smaller() {
    check("run.concurrency", "4", "2", "2");
    check("run.concurrency", "4", "5", "…");
    check("grants.max_bytes", "10", "11", "…");
    check("run.source_limits.mcp.git", "", "9", "9");
    check("run.source_limits.mcp.git", "2", "9", "…");
    check("model.max_tokens", "", "9", "…");
    check("planning.loop_items", "1000", "100000", "…");
}

#[test]
fn sources_are_asked_no_less_often() {
    check("tools.refresh_hours", "24", "12", "12");
    check("tools.refresh_hours", "24", "48", "…");
    check("tools.refresh_hours", "24", "0", "…");
    check("tools.refresh_hours", "0", "48", "48");
}

#[test]
fn what_is_off_stays_off() {
    check("grants.shell", "false", "true", "…");
    check("grants.shell", "true", "false", "false");
    check("sandbox.allow_unsandboxed", "false", "true", "…");
    // The table of a model wants more than this key.
    check("model.early_start", "", "false", "…");
}

#[test]
fn of_a_list_only_what_is_granted_already_counts() {
    check("grants.private_hosts", "['a', 'b']", "['b']", "[\"b\"]");
    check("grants.private_hosts", "['a']", "['a', 'b']", "[\"a\"]…");
    check("grants.webhook_secrets", "", "['KEY']", "[]…");
    check("grants.private_hosts", "['a']", "[]", "[]");
}

#[test]
fn tools_count_as_no_less_than_before() {
    check(
        "tools.effects.mcp.a/b",
        "",
        "'destructive'",
        "at least destructive",
    );
    check("tools.effects.mcp.a/b", "", "'write'", "at least write…");
    check(
        "tools.effects.mcp.a/b",
        "'read'",
        "'write'",
        "at least write",
    );
    check(
        "tools.effects.mcp.a/b",
        "'write'",
        "'read'",
        "at least read…",
    );
    let below = Value::from("destructive");
    let verdict = Rules::read().judge("tools.effects.mcp.a/b", &Value::from("read"), |key| {
        (key == "tools.effects.mcp.a/*").then_some(&below)
    });
    assert!(verdict.waits, "what is said of the whole source is below");
}

#[test]
fn files_go_below_the_current_folder() {
    check("planning.folder", "'out'", "'made/here'", "\"made/here\"");
    for wrong in [
        "''",
        "'/etc'",
        "'../out'",
        "'a/../../b'",
        "'.git/hooks'",
        "'.'",
    ] {
        check("planning.folder", "'out'", wrong, "…");
    }
}

#[test]
fn what_has_no_rule_waits() {
    check("grants.everything", "", "true", "…");
    check("anything", "false", "false", "false");
    check("sources.mcp.a", "", "{ command = 'sh' }", "…");
    check("model.base_url", "", "'http://127.0.0.1'", "…");
    check("grants.mail.server", "", "'mail.example.com'", "…");
}
