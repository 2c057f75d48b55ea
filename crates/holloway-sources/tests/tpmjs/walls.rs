//! Do the walls hold around a package, and is what it breaks made good?

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::ToolId;
use holloway_sources::ToolSource as _;
use holloway_sources::npm::NpmSource;
use holloway_sources::sandbox::{Kind, Wish};
use serde_json::{Value, json};

use super::place::{Local, request};

const MODULE: &str = r"
    import fs from 'node:fs';
    import os from 'node:os';
    const make = (execute) => ({inputSchema: {type: 'object'}, execute});
    export const works = make(async ({n}) => n + 1);
    export const environment = make(async () => Object.keys(process.env));
    export const reads = make(async () => fs.readFileSync('/etc/passwd', 'utf8'));
    export const writes = make(async () => fs.writeFileSync(os.tmpdir() + '/x', 'x'));
    export const spoils = make(async () => fs.writeFileSync(new URL(import.meta.url).pathname, 'x'));
    export const connects = make(async ({port}) => (await fetch('http://127.0.0.1:' + port)).text());
    export const hoards = make(async () => { const all = []; while (true) all.push(Buffer.alloc(16 << 20, 1)); });
    export const dies = make(async () => process.reallyExit(7));
";

async fn call(source: &NpmSource, name: &str, arguments: Value) -> Result<Value, ToolFailure> {
    let tool = ToolId::new(format!("npm.local/{name}"));
    let output = source.call(&request(&tool, &arguments)).await?;
    Ok(output.value)
}

#[tokio::test]
async fn only_walls_make_a_tool_harmless() {
    let local = Local::new(MODULE);
    for (wish, expected) in [
        (Wish::Only(Kind::Bubblewrap), Some(true)),
        (Wish::Only(Kind::Landlock), Some(true)),
        (Wish::IfPossible, Some(true)),
        (Wish::Only(Kind::Unsandboxed), None),
    ] {
        let source = local.source_with(wish).await;
        let offers = source.offers().await.unwrap();
        assert_eq!(offers[0].hints.read_only, expected, "{wish:?}");
        let result = call(&source, "works", json!({"n": 1})).await;
        assert_eq!(result.unwrap(), 2, "{wish:?}");
    }
}

#[tokio::test]
async fn what_is_not_granted_fails_and_the_next_call_works() {
    let local = Local::new(MODULE);
    let source = local.source().await;
    // Something listens, so that only the walls can be the reason.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for (name, words) in [
        ("reads", "restricted"),
        ("writes", "restricted"),
        ("spoils", "restricted"),
        ("connects", "fetch failed"),
        ("hoards", "it used more memory than the 512 MiB allowed"),
        ("dies", "it ended (exit status: 7)"),
    ] {
        let failure = call(&source, name, json!({"port": port}))
            .await
            .expect_err(name);
        assert!(
            failure.message.contains(words),
            "{name}: {}",
            failure.message
        );
        let next = call(&source, "works", json!({"n": 1})).await.unwrap();
        assert_eq!(next, 2, "after {name}");
    }
    assert_eq!(
        call(&source, "environment", json!({})).await.unwrap(),
        json!([])
    );
}
