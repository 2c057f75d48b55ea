//! Are schemas of the real zod, old and new, converted, and are its defaults filled in?

use std::fs;
use std::path::Path;

use holloway_sources::ToolSource as _;
use serde_json::{Value, json};

use super::place::{Local, install, request};

const MODULE: &str = r"
    import { z } from 'zod';
    const inputSchema = z.object({
        name: z.string().min(1).describe('Who'),
        size: z.enum(['s', 'l']).default('s'),
        count: z.number().int().max(9).optional(),
        either: z.union([z.literal(1), z.boolean()]).nullable(),
        rest: z.record(z.string(), z.array(z.string())),
    });
    export const echo = {description: 'Says it', inputSchema, execute: async (input) => input};
";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let target = to.join(item.file_name());
        if item.file_type().unwrap().is_dir() {
            copy(&item.path(), &target);
        } else {
            fs::copy(item.path(), target).unwrap();
        }
    }
}

/// A package of our own that uses this zod.
async fn check(zod: &str) {
    let installed = install(zod).await;
    let local = Local::new(MODULE);
    copy(
        &installed.folder.join("node_modules/zod"),
        &local.folder().join("node_modules/zod"),
    );
    let source = local.source().await;
    let offers = source.offers().await.unwrap();
    let schema = &offers[0].input_schema;
    assert_eq!(
        schema["properties"]["name"],
        json!({"type": "string", "minLength": 1, "description": "Who"})
    );
    assert_eq!(schema["properties"]["size"]["default"], "s");
    assert_eq!(schema["properties"]["count"]["maximum"], 9);
    let required: Vec<_> = schema["required"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(required, ["name", "either", "rest"]);
    let valid = jsonschema::validator_for(schema).unwrap();
    let given = json!({"name": "Ada", "either": null, "rest": {"a": ["b"]}});
    assert!(valid.is_valid(&given), "{schema:#}");
    for wrong in [
        json!({"name": ""}),
        json!({"name": "x", "either": 2, "rest": {}}),
    ] {
        assert!(!valid.is_valid(&wrong), "{wrong}");
    }
    let answer = source.call(&request(&offers[0].id, &given)).await.unwrap();
    assert_eq!(answer.value["size"], "s");
}

#[tokio::test]
async fn the_third_version_is_understood() {
    check("zod@3.23.8").await;
}

#[tokio::test]
async fn the_fourth_version_is_understood() {
    check("zod@4.1.12").await;
}
