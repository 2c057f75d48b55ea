//! JSON Schemas written in plans.

use super::check::{check, check_plan};

#[test]
fn schemas_are_valid() {
    check_plan(
        r"version: '1.0'
input: {type: objekt}
steps:
- {id: a, tool: summarize}",
        r#"2:1 Validation failed in field `input`: this is no usable JSON Schema: "objekt" is not valid under any of the schemas listed in the 'anyOf' keyword at `/type`
  hint: write a JSON Schema, such as `{type: object, required: [url], properties: {url: {type: string}}}`"#,
    );
    check(
        r"- id: a
  tool: summarize
  expect:
  - schema: {required: url, type: object}",
        r#"6:5 Validation failed in step `a`, field `expect[0].schema`: this is no usable JSON Schema: "url" is not of type "array" at `/required`
  hint: write a JSON Schema, such as `{type: object, required: [url], properties: {url: {type: string}}}`"#,
    );
}

#[test]
fn schemas_are_cheap_to_check() {
    check_plan(
        r"version: '1.0'
input: {$ref: '#'}
steps:
- {id: a, tool: summarize}",
        r"2:1 Validation failed in field `input`: this is no usable JSON Schema: `$ref: #` leads back to itself without looking deeper
  hint: write a JSON Schema, such as `{type: object, required: [url], properties: {url: {type: string}}}`",
    );
    check(
        r"- {id: a, tool: summarize, expect: [{schema: {type: string, pattern: '(a+)+\1'}}]}",
        r#"3:38 Validation failed in step `a`, field `expect[0].schema`: this is no usable JSON Schema: "(a+)+\\1" is not a "regex" at `/pattern`
  hint: patterns of plans are short and neither look around nor refer back"#,
    );
    check(
        "- {id: a, tool: summarize, expect: [{schema: {$ref: 'https://example.com/x.json'}}]}",
        r"3:38 Validation failed in step `a`, field `expect[0].schema`: this is no usable JSON Schema: `$ref: https://example.com/x.json` leads nowhere inside it
  hint: write a JSON Schema, such as `{type: object, required: [url], properties: {url: {type: string}}}`",
    );
}
