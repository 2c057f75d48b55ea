//! Is what a package exports what it offers, whatever its package.json says?

use super::*;

const SCHEMA: &str = "{type: 'object', properties: {text: {type: 'string'}}, required: ['text']}";

/// The names offered, in order, and the notes.
async fn check(fixture: &Fixture, names: &[&str], notes: &[&str]) -> Vec<Offer> {
    let source = fixture.source().await;
    let offers = source.offers().await.unwrap();
    let found: Vec<_> = offers.iter().map(|offer| offer.id.name()).collect();
    assert_eq!(found, names);
    assert_eq!(source.notes(), notes);
    source.close().await;
    offers
}

fn tool(description: &str) -> String {
    format!(
        "{{description: '{description}', inputSchema: {SCHEMA}, execute: async ({{text}}) => ({{text}})}}"
    )
}

#[tokio::test]
async fn an_offer_says_what_the_module_says() {
    let text = format!(
        "export const echo = {}; export default echo; export const other = 3;",
        tool("Says it")
    );
    let fixture = Fixture::module(&text);
    let offers = check(&fixture, &["echo"], &[]).await;
    let schema =
        json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    assert_eq!(offers[0].id.as_str(), "npm.@test/tools/echo");
    assert_eq!(
        offers[0].definition,
        json!({
            "package": "@test/tools", "version": "1.0.0", "integrity": "sha512-made+up==",
            "export": "echo", "description": "Says it", "inputSchema": schema,
        })
    );
    assert_eq!(offers[0].input_schema, schema);
    assert_eq!(offers[0].hints.read_only, Some(true));
}

#[tokio::test]
async fn with_the_network_nothing_is_known_of_the_effect() {
    let mut fixture = Fixture::module(&format!("export const echo = {};", tool("Says it")));
    fixture.config.network = true;
    let offers = check(&fixture, &["echo"], &[]).await;
    assert_eq!(
        offers[0].hints,
        holloway_flow::catalog::offer::Hints::default()
    );
}

#[tokio::test]
async fn default_exports_are_tools_or_maps_of_them() {
    let alone = Fixture::module(&format!("export default {};", tool("alone")));
    check(&alone, &["default"], &[]).await;
    let map = Fixture::module(&format!(
        "export default {{a: {}, b: {}}};",
        tool("a"),
        tool("b")
    ));
    check(&map, &["a", "b"], &[]).await;
    let named = Fixture::module(&format!("export const tools = {{a: {}}};", tool("a")));
    check(&named, &["a"], &[]).await;
}

#[tokio::test]
async fn common_modules_and_odd_entries_are_found() {
    let common = format!(
        "exports.echo = {}; Object.defineProperty(exports, '__esModule', {{value: true}});",
        tool("echo")
    );
    let plain = r#"{"name": "@test/tools", "version": "1.0.0", "main": "index.js"}"#;
    check(
        &Fixture::new(&[("package.json", plain), ("index.js", &common)]),
        &["echo"],
        &[],
    )
    .await;
    let assigned = format!("module.exports = {{echo: {}}};", tool("echo"));
    check(
        &Fixture::new(&[("package.json", plain), ("index.js", &assigned)]),
        &["echo"],
        &[],
    )
    .await;
    let wrong = r#"{"name": "@test/tools", "version": "1.0.0", "type": "module", "exports": {".": "./build/nowhere.js"}}"#;
    let module = format!("export const echo = {};", tool("echo"));
    check(
        &Fixture::new(&[("package.json", wrong), ("dist/index.js", &module)]),
        &["echo"],
        &[],
    )
    .await;
    let conditions = r#"{"name": "@test/tools", "version": "1.0.0", "exports": {".": {"import": "./esm/a.mjs"}}}"#;
    check(
        &Fixture::new(&[("package.json", conditions), ("esm/a.mjs", &module)]),
        &["echo"],
        &[],
    )
    .await;
}

#[tokio::test]
async fn what_package_json_makes_up_is_noted_and_not_offered() {
    let manifest = r#"{"name": "@test/tools", "version": "1.0.0", "type": "module", "tpmjs": {"category": "text", "tools": [
        {"exportName": "echo", "description": "Lies", "parameters": [{"name": "text"}, {"name": "volume"}],
         "returns": {}, "aiAgent": {}},
        {"name": "phantom", "parameters": []}]}}"#;
    let module = format!(
        "export const echo = {}; export const extra = {};",
        tool("Says it"),
        tool("More")
    );
    let fixture = Fixture::new(&[("package.json", manifest), ("index.js", &module)]);
    let notes = [
        "package.json lists `phantom`, which the module does not export as a tool",
        "package.json gives `echo` a parameter `volume`, which it does not take",
    ];
    let offers = check(&fixture, &["echo", "extra"], &notes).await;
    assert_eq!(
        (&*offers[0].description, &*offers[0].category),
        ("Says it", "text")
    );
    assert!(offers[0].facts.rich);
    assert!(!offers[1].facts.rich && !offers[1].facts.has_parameters);
}

#[tokio::test]
async fn factories_are_called_only_if_listed_and_without_arguments() {
    let manifest = r#"{"name": "@test/tools", "version": "1.0.0", "type": "module", "tpmjs": {"tools": [
        {"name": "createEcho"}, {"name": "createKeyed"}, {"name": "createBroken"}]}}"#;
    let module = format!(
        "export function createEcho(options = {{}}) {{ return {0}; }}
         export function createKeyed(key) {{ return {0}; }}
         export function createBroken() {{ throw new Error('no'); }}
         export function unlisted() {{ return {0}; }}",
        tool("made")
    );
    let fixture = Fixture::new(&[("package.json", manifest), ("index.js", &module)]);
    let notes = [
        "package.json lists `createKeyed`, which the module does not export as a tool",
        "package.json lists `createBroken`, which the module does not export as a tool",
    ];
    check(&fixture, &["createEcho"], &notes).await;
    let source = fixture.source().await;
    let result = call(&source, "createEcho", json!({"text": "x"})).await;
    assert_eq!(result.unwrap(), json!({"text": "x"}));
}

#[tokio::test]
async fn schemas_of_many_kinds_become_json_schema() {
    let module = r"
        const zod = (typeName, more = {}) => ({_def: {typeName, ...more}, description: more.description});
        const shape = {
            name: zod('ZodString', {checks: [{kind: 'min', value: 1}, {kind: 'email'}], description: 'Who'}),
            age: zod('ZodOptional', {innerType: zod('ZodNumber', {checks: [{kind: 'int'}, {kind: 'max', value: 9, inclusive: true}]})}),
            size: zod('ZodDefault', {innerType: zod('ZodEnum', {values: ['s', 'l']}), defaultValue: () => 's'}),
            tags: zod('ZodArray', {type: zod('ZodUnion', {options: [zod('ZodLiteral', {value: 1}), zod('ZodNullable', {innerType: zod('ZodBoolean')})]})}),
            rest: zod('ZodRecord', {valueType: zod('ZodAny')}),
        };
        const execute = async (input) => input;
        export const three = {execute, parameters: zod('ZodObject', {shape: () => shape})};
        export const wrapped = {execute, inputSchema: {[Symbol.for('vercel.ai.schema')]: true, get jsonSchema() { return Promise.resolve({type: 'object'}); }}};
        export const lazy = {execute, inputSchema: () => wrapped.inputSchema};
        export const vali = {execute, inputSchema: {kind: 'schema', type: 'object', '~standard': {}, entries: {
            a: {kind: 'schema', type: 'optional', wrapped: {kind: 'schema', type: 'string'}}, b: {kind: 'schema', type: 'number'}}}};
        export const spoken = {execute, inputSchema: {'~standard': {vendor: 'x', jsonSchema: {input: () => ({type: 'object', title: 'x'})}}}};
        export const strange = {execute, inputSchema: {'~standard': {vendor: 'odd'}}};
        export const none = {execute, outputSchema: {type: 'string'}};
    ";
    let notes = [
        "the input of `strange` cannot be expressed as JSON Schema: schemas of odd are not understood",
    ];
    let names = [
        "lazy", "none", "spoken", "strange", "three", "vali", "wrapped",
    ];
    let offers = check(&Fixture::module(module), &names, &notes).await;
    let schema = |name: &str| {
        let found = offers.iter().find(|offer| offer.id.name() == name);
        found.unwrap().input_schema.clone()
    };
    assert_eq!(
        schema("three"),
        json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1, "format": "email", "description": "Who"},
                "age": {"type": "integer", "maximum": 9},
                "size": {"enum": ["s", "l"], "default": "s"},
                "tags": {"type": "array", "items": {"anyOf": [{"const": 1}, {"anyOf": [{"type": "boolean"}, {"type": "null"}]}]}},
                "rest": {"type": "object", "additionalProperties": {}},
            },
            "required": ["name", "tags", "rest"],
            "additionalProperties": false,
        })
    );
    let properties = json!({"a": {"type": "string"}, "b": {"type": "number"}});
    assert_eq!(
        schema("vali"),
        json!({"type": "object", "properties": properties, "required": ["b"]})
    );
    assert_eq!(schema("spoken"), json!({"type": "object", "title": "x"}));
    for name in ["wrapped", "lazy"] {
        assert_eq!(schema(name), json!({"type": "object"}), "{name}");
    }
    assert_eq!(
        (schema("strange"), schema("none")),
        (Value::Null, Value::Null)
    );
    assert_eq!(offers[1].output_schema, json!({"type": "string"}));
}

#[tokio::test]
async fn a_module_that_throws_is_an_error_with_its_words() {
    let fixture = Fixture::module("console.log('hello'); throw new RangeError('out of tools');");
    let error = fixture.source().await.offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Start);
    assert_eq!(
        error.message,
        "`@test/tools` cannot be loaded: RangeError: out of tools"
    );
}

#[tokio::test]
async fn a_module_that_never_ends_loading_is_given_up() {
    for module in [
        "while (true) {}",
        "await new Promise((done) => setTimeout(done, 1e9));",
    ] {
        let limits = WorkerLimits {
            start: std::time::Duration::from_millis(300),
            ..WorkerLimits::default()
        };
        let fixture = Fixture::module(module);
        let source = fixture.source().await.with_limits(limits);
        let error = source.offers().await.unwrap_err();
        assert_eq!(error.kind, SourceErrorKind::Timeout, "{module}");
    }
}
