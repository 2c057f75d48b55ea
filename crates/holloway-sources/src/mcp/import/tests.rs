//! The files of the usual clients.

use std::fmt::Write as _;

use serde_json::json;

use super::*;

/// One line per server: name, what is run or reached, environment and headers, secrets.
fn summary(import: &Import) -> Vec<String> {
    let lines = import.servers.iter().map(|server| {
        let config = &server.config;
        let mut line = format!("{}: {}{}", server.name, config.command, config.url);
        for argument in &config.args {
            write!(line, " {argument}").unwrap();
        }
        for (name, value) in config.env.iter().chain(&config.headers) {
            write!(line, " [{name}={value}]").unwrap();
        }
        for (name, value) in &server.secrets {
            write!(line, " ({name}:{})", value.reveal()).unwrap();
        }
        line
    });
    lines.collect()
}

fn check(text: &str, expected: &[&str]) -> Import {
    let import = from_json("mcp.json", text).unwrap();
    assert_eq!(summary(&import), expected, "{text}");
    import
}

#[test]
fn claude_desktop_and_others_have_mcp_servers() {
    check(
        r#"{
          // what I use
          "mcpServers": {
            "GitHub (work)": {
              "command": "npx",
              "args": ["-y", "@modelcontextprotocol/server-github"],
              "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_abc", "LEVEL": 3,},
            },
            "files": {"command": "npx", "args": ["-y", "server-filesystem", "/data"]},
          },
        }"#,
        &[
            "github-work: npx -y @modelcontextprotocol/server-github [GITHUB_PERSONAL_ACCESS_TOKEN=${github-work.GITHUB_PERSONAL_ACCESS_TOKEN}] [LEVEL=3] (github-work.GITHUB_PERSONAL_ACCESS_TOKEN:ghp_abc)",
            "files: npx -y server-filesystem /data",
        ],
    );
}

#[test]
fn cursor_windsurf_and_gemini_have_addresses() {
    check(
        r#"{"mcpServers": {
            "cursor": {"url": "https://a/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
            "windsurf": {"serverUrl": "https://b/mcp", "headers": {"X-Api-Key": "k1234"}},
            "gemini": {"httpUrl": "https://c/stream", "headers": {"Authorization": "Bearer $KEY"}},
            "claude": {"type": "http", "url": "https://d/mcp?apiKey=hush"}
        }}"#,
        &[
            "cursor: https://a/mcp [Authorization=Bearer ${TOKEN}]",
            "windsurf: https://b/mcp [X-Api-Key=${windsurf.X-Api-Key}] (windsurf.X-Api-Key:k1234)",
            "gemini: https://c/stream [Authorization=Bearer ${KEY}]",
            "claude: https://d/mcp?apiKey=${claude.apiKey} (claude.apiKey:hush)",
        ],
    );
}

#[test]
fn the_old_transport_is_left_out_unless_its_address_is_new() {
    let import = check(
        r#"{"mcpServers": {
            "old": {"type": "sse", "url": "https://a/sse"},
            "older": {"url": "https://a/sse/"},
            "new": {"type": "sse", "url": "https://a/mcp"}
        }}"#,
        &["new: https://a/mcp"],
    );
    assert_eq!(import.notes.len(), 2);
    assert_eq!(import.servers[0].notes.len(), 1);
}

#[test]
fn vs_code_has_servers_and_inputs() {
    let import = check(
        r#"{
          "inputs": [{"type": "promptString", "id": "key", "description": "Key", "password": true}],
          "servers": {
            "search": {"type": "stdio", "command": "npx", "args": ["search"], "env": {"API_KEY": "${input:key}"}},
            "docs": {"type": "http", "url": "https://a/mcp"}
          }
        }"#,
        &[
            "search: npx search [API_KEY=${search.key}]",
            "docs: https://a/mcp",
        ],
    );
    assert_eq!(
        import.servers[0].notes,
        ["set the secret `search.key`: Key"]
    );
    check(
        r#"{"editor.fontSize": 12, "mcp": {"servers": {"a": {"command": "a"}}}}"#,
        &["a: a"],
    );
    check(r#"{"mcp.servers": {"a": {"command": "a"}}}"#, &["a: a"]);
}

#[test]
fn zed_has_context_servers() {
    check(
        r#"{"theme": "One", "context_servers": {
            "new": {"source": "custom", "command": "run", "args": ["x"], "env": {"A": "b"}},
            "old": {"command": {"path": "run", "args": ["y"], "env": {"A": "c"}}, "settings": {}}
        }}"#,
        &["new: run x [A=b]", "old: run y [A=c]"],
    );
}

#[test]
fn codex_has_mcp_servers_in_toml() {
    let value = json!({"model": "m", "mcp_servers": {
        "local": {"command": "uvx", "args": ["tool"], "startup_timeout_sec": 2.5},
        "remote": {
            "url": "https://a/mcp",
            "bearer_token_env_var": "TOKEN",
            "env_http_headers": {"X-Team": "TEAM"}
        },
        "off": {"command": "x", "enabled": false}
    }});
    let import = from_value("config.toml", &value).unwrap();
    assert_eq!(
        summary(&import),
        [
            "local: uvx tool",
            "remote: https://a/mcp [Authorization=Bearer ${TOKEN}] [X-Team=${TEAM}]",
        ]
    );
    assert_eq!(import.servers[0].config.start_timeout_ms, Some(2_500));
    assert_eq!(import.notes, ["`off` is disabled there and was left out"]);
}

#[test]
fn opencode_has_mcp_with_lists() {
    check(
        r#"{"mcp": {
            "local": {"type": "local", "command": ["npx", "-y", "tool"], "environment": {"API_KEY": "{env:KEY}"}},
            "remote": {"type": "remote", "url": "https://a/mcp", "enabled": true}
        }}"#,
        &[
            "local: npx -y tool [API_KEY=${KEY}]",
            "remote: https://a/mcp",
        ],
    );
}

#[test]
fn continue_has_a_list() {
    let value = json!({"name": "mine", "mcpServers": [
        {"name": "My Search", "command": "npx", "args": ["search"]},
        {"name": "Remote", "type": "streamable-http", "url": "https://a/mcp",
         "requestOptions": {"headers": {"Authorization": "Bearer abc"}}},
        {"command": "nameless"}
    ]});
    let import = from_value("config.yaml", &value).unwrap();
    assert_eq!(
        summary(&import),
        [
            "my-search: npx search",
            "remote: https://a/mcp [Authorization=Bearer ${remote.Authorization}] (remote.Authorization:abc)",
            "server: nameless",
        ]
    );
}

#[test]
fn servers_alone_are_a_file_too() {
    check(
        r#"{"a": {"command": "x"}, "b": {"url": "http://y/mcp"}}"#,
        &["a: x", "b: http://y/mcp"],
    );
}

#[test]
fn names_are_safe_and_different() {
    check(
        r#"{"mcpServers": {"Git Hub": {"command": "a"}, "git-hub": {"command": "b"}, "GIT/HUB": {"command": "c"}, "日本": {"command": "d"}}}"#,
        &["git-hub: a", "git-hub-2: b", "git-hub-3: c", "server: d"],
    );
}

#[test]
fn odd_entries_are_left_out_with_a_note() {
    let import = check(
        r#"{"mcpServers": {"a": {"command": "x", "disabled": true}, "b": {}, "c": 7, "d": {"command": []}, "e": {"command": "npx tool --x"}, "f": {"command": "cmd", "args": ["/c", "npx", "tool"]}}}"#,
        &["e: npx tool --x", "f: npx tool"],
    );
    assert_eq!(import.notes.len(), 4);
    assert_eq!(import.servers[0].notes.len(), 1);
    assert_eq!(import.servers[1].notes.len(), 1);
}

#[test]
fn a_bad_file_says_where() {
    let error = from_json("mcp.json", "{\n  \"mcpServers\": {\n    oops\n  }\n}").unwrap_err();
    assert_eq!(error.place, Some((3, 5)));
    assert_eq!(
        error.message,
        "`mcp.json` line 3, column 5: key must be a string"
    );
    assert!(!error.hint.is_empty());
    for text in [
        "{}",
        "[]",
        "7",
        r#"{"mcpServers": 7}"#,
        r#"{"theme": {"a": 1}}"#,
    ] {
        let error = from_json("mcp.json", text).unwrap_err();
        assert_eq!(error.message, "`mcp.json` names no MCP servers", "{text}");
    }
}

#[test]
fn secrets_show_in_no_debug_text() {
    let text = r#"{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "hush-hush"}}}}"#;
    let import = from_json("mcp.json", text).unwrap();
    assert_eq!(import.servers[0].secrets.len(), 1);
    assert!(!format!("{import:?}").contains("hush-hush"));
}
