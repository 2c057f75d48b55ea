//! Does every tool keep to what it declares? Schemas compile, example arguments
//! fit, and the results of real calls fit too.

use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::notify::server::{MailServer, Mood};
use super::testing::{folder_grants, run};
use super::{Grants, Mail, MailSecurity, Toolbox};

fn all_tools(folder: &std::path::Path, server: &str, mail_port: u16) -> Toolbox {
    let grants = Grants {
        shell: true,
        private_hosts: vec![server.to_owned(), format!("127.0.0.1:{mail_port}")],
        mail: Some(Mail {
            server: "127.0.0.1".to_owned(),
            port: Some(mail_port),
            security: MailSecurity::None,
            user: None,
            password: None,
            from: "Reports <reports@example.com>".to_owned(),
        }),
        ..folder_grants(folder)
    };
    Toolbox::builtin(grants).with_samples()
}

/// These come first, in this order: others read what they write.
const FIRST: [&str; 4] = [
    "builtin/file-write",
    "builtin/jsonl-append",
    "builtin/sqlite-execute",
    "builtin/xlsx-write",
];

/// These come last, in this order: they take away what others read.
const LAST: [&str; 2] = ["builtin/file-move", "builtin/file-delete"];

/// The example of every tool, in an order in which each finds what it needs.
fn examples(toolbox: &Toolbox, server: &str) -> Vec<(ToolSpec, Value)> {
    let mut specs = toolbox.specs();
    specs.sort_by_key(|spec| {
        let id = spec.id.as_str();
        let first = FIRST.iter().position(|name| *name == id);
        let last = LAST.iter().position(|name| *name == id);
        (last, first.unwrap_or(FIRST.len()))
    });
    let with_example = specs.into_iter().map(|spec| {
        let example = spec.input_schema["examples"][0].to_string();
        let example = example.replace("https://example.com", &format!("http://{server}"));
        (spec, serde_json::from_str(&example).unwrap())
    });
    with_example.collect()
}

/// A server that says the same to everyone.
async fn start_server() -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut buffer = [0; 4096];
            let _some = stream.read(&mut buffer).await.unwrap();
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";
            stream.write_all(answer).await.ok();
        }
    });
    address
}

fn check(schema: &Value, value: &Value, what: &str) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let problems: Vec<_> = validator
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert!(problems.is_empty(), "{what}: {problems:?} in {value}");
}

#[tokio::test]
async fn every_result_fits_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let server = start_server().await;
    let mail = MailServer::start(Mood::Kind).await;
    let toolbox = all_tools(folder.path(), &server, mail.port);
    for (spec, arguments) in examples(&toolbox, &server) {
        let id = spec.id.as_str();
        assert!(arguments.is_object(), "{id} has no example");
        check(&spec.input_schema, &arguments, id);
        match run(&toolbox, id, arguments).await {
            Ok(value) => check(&spec.output_schema, &value, id),
            Err(failure) => assert_eq!(id, "builtin/fail", "{id}: {failure}"),
        }
    }
}

#[test]
fn every_tool_is_fully_declared() {
    let toolbox = all_tools(std::path::Path::new("/nowhere"), "localhost", 1);
    for spec in toolbox.specs() {
        let id = spec.id.as_str();
        let full = [&spec.title, &spec.category, &spec.description]
            .iter()
            .all(|text| !text.is_empty());
        assert!(full && spec.latency_ms.is_some(), "{id}");
        assert!(
            spec.description.contains("eturns"),
            "{id} does not say what it returns"
        );
        assert!(
            !spec.description.contains("  "),
            "{id} has a gap in its description"
        );
        for schema in [&spec.input_schema, &spec.output_schema] {
            jsonschema::meta::validate(schema).unwrap();
            jsonschema::validator_for(schema).unwrap();
        }
        let open = id.ends_with("create-report") || id.ends_with("create_report");
        assert_eq!(
            spec.input_schema["additionalProperties"],
            json!(open),
            "{id}"
        );
        check_defaults(&spec);
    }
}

/// A default must itself be a valid value, and never for a required property.
fn check_defaults(spec: &ToolSpec) {
    let properties = spec.input_schema["properties"].as_object().unwrap();
    for (name, schema) in properties {
        if let Some(default) = schema.get("default") {
            check(
                schema,
                default,
                &format!("default of {name} in {}", spec.id),
            );
            let required = spec.input_schema["required"].as_array();
            assert!(required.is_none_or(|required| !required.contains(&json!(name))));
        }
    }
}

#[tokio::test]
async fn wrong_arguments_are_validation_failures() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = all_tools(folder.path(), "localhost", 1);
    for spec in toolbox.specs() {
        for wrong in [
            json!(null),
            json!(7),
            json!([]),
            json!("text"),
            json!({"nonsense": 1}),
        ] {
            let id = spec.id.as_str();
            let is_report = id.contains("create") && wrong.is_object();
            if is_report {
                continue;
            }
            let outcome = run(&toolbox, id, wrong.clone()).await;
            let failure = outcome.expect_err(id);
            assert_eq!(
                failure.name.as_str(),
                "Validation failed",
                "{id} with {wrong}: {failure}"
            );
        }
    }
}

#[test]
fn effects_are_as_cautious_as_they_should_be() {
    let toolbox = all_tools(std::path::Path::new("/nowhere"), "localhost", 1);
    let specs = toolbox.specs();
    let writing = specs.iter().filter(|spec| spec.effect != Effect::Read);
    let lines: Vec<_> = writing
        .map(|spec| format!("{} {}", spec.id, spec.effect))
        .collect();
    let text = lines.join("\n");
    insta::assert_snapshot!(text, @r"
    builtin/chart-draw idempotent
    builtin/csv-write idempotent
    builtin/email-send write
    builtin/file-append write
    builtin/file-copy idempotent
    builtin/file-delete destructive
    builtin/file-move destructive
    builtin/file-write idempotent
    builtin/html-write idempotent
    builtin/http-download idempotent
    builtin/http-send write
    builtin/jsonl-append idempotent
    builtin/pdf-write idempotent
    builtin/report-write idempotent
    builtin/shell-run destructive
    builtin/sleep idempotent
    builtin/sqlite-execute write
    builtin/webhook-send write
    builtin/xlsx-write idempotent
    sample/escalate write
    sample/send_notification write
    ");
}
