//! Which inputs of a plan are secret? Those whose name or schema says so: passwords, tokens,
//! keys. They are taken out before a run is written down, and a mark stands in their place.

use holloway_engine::mark::is_marked;
use holloway_plan::plan::Plan;
use holloway_plan::tool::full_schema;
use holloway_search::words::each_word;
use serde_json::{Map, Value};

use crate::secret_words::List;

/// A value that is taken out of an input: its place, as people type it, the value, and what
/// it must look like.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenOut {
    pub name: String,
    pub value: Value,
    pub schema: Option<Value>,
    /// Its place is one for secrets; else its text only looks like a mark.
    pub secret: bool,
}

/// Whether an input is secret, by its name and what its schema says.
pub fn is_secret(name: &str, schema: Option<&Value>) -> bool {
    let word = |key: &str| schema.and_then(|schema| schema.get(key));
    if says_secret(schema) {
        return true;
    }
    if word("type").and_then(Value::as_str) == Some("boolean") {
        return false;
    }
    let about = ["title", "description"].map(|key| word(key).and_then(Value::as_str));
    // The name of a secret tells nothing: whoever gets it looks the secret up.
    if about.iter().flatten().any(|text| names_one(text)) {
        return false;
    }
    is_called_secret(
        name,
        &about.into_iter().flatten().collect::<Vec<_>>().join(" "),
    )
}

/// "The name of a secret to sign with".
fn names_one(about: &str) -> bool {
    let words = words_of(about);
    let mut words = words.iter().map(String::as_str);
    words.find(|word| *word != "the") == Some("name") && words.next() == Some("of")
}

/// Whether the schema itself says so, whatever the name is.
fn says_secret(schema: Option<&Value>) -> bool {
    let word = |key: &str| schema.and_then(|schema| schema.get(key));
    let marked = List::Marks.words().any(|mark| {
        let said = word(mark);
        said.is_some_and(|said| said != &Value::Bool(false))
    });
    marked || word("format").and_then(Value::as_str) == Some("password")
}

fn is_called_secret(name: &str, about: &str) -> bool {
    let words = words(name);
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    let one = last.strip_suffix('s').unwrap_or(last);
    let before = before.last().map(String::as_str).unwrap_or_default();
    match one {
        "token" => !List::Places.has(before) && (last == one || before == "access"),
        "key" => {
            List::Opening.has(before)
                || words.len() == 1 && words_of(about).iter().any(|word| List::Spoken.has(word))
        }
        one => List::Names.has(one) || List::Names.has(&words.concat()),
    }
}

fn words(name: &str) -> Vec<String> {
    words_of(name)
}

fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_lowercase()));
    words
}

/// Visits every secret value of an input, however deep, and puts back what it is given. Values
/// that nobody gave stand as their default; what has a mark already is visited too.
pub fn visit_secrets<E>(
    plan: &Plan,
    input: &mut Value,
    visit: &mut impl FnMut(TakenOut) -> Result<Value, E>,
) -> Result<(), E> {
    let schema = plan.draft().input.clone().map(full_schema);
    if let Value::Object(fields) = input {
        add_defaults(fields, schema.as_ref());
    }
    visit_secrets_of(schema.as_ref(), input, visit)
}

/// The same for any object and its schema, and without defaults: the arguments of a tool, an
/// answer to a question.
pub fn visit_secrets_of<E>(
    schema: Option<&Value>,
    object: &mut Value,
    visit: &mut impl FnMut(TakenOut) -> Result<Value, E>,
) -> Result<(), E> {
    for (name, value) in object.as_object_mut().into_iter().flatten() {
        let schema = property(schema, name);
        visit_one(name, value, schema, is_secret(name, schema), visit)?;
    }
    Ok(())
}

fn property<'a>(schema: Option<&'a Value>, name: &str) -> Option<&'a Value> {
    schema?.get("properties")?.get(name)
}

fn add_defaults(fields: &mut Map<String, Value>, schema: Option<&Value>) {
    let properties = schema.and_then(|schema| schema.get("properties"));
    let properties = properties.and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        if let Some(default) = schema
            .get("default")
            .filter(|_| is_secret(name, Some(schema)))
        {
            fields
                .entry(name.clone())
                .or_insert_with(|| default.clone());
        }
    }
}

fn visit_one<E>(
    name: &str,
    value: &mut Value,
    schema: Option<&Value>,
    secret: bool,
    visit: &mut impl FnMut(TakenOut) -> Result<Value, E>,
) -> Result<(), E> {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                let schema = property(schema, key);
                let secret = secret || is_secret(key, schema);
                visit_one(&format!("{name}.{key}"), field, schema, secret, visit)?;
            }
        }
        Value::Array(items) => {
            let schema = schema.and_then(|schema| schema.get("items"));
            for item in items {
                visit_one(name, item, schema, secret, visit)?;
            }
        }
        _ if hides(value, schema, secret) => {
            *value = visit(TakenOut {
                name: name.to_owned(),
                value: value.take(),
                schema: schema.cloned(),
                secret: secret || says_secret(schema),
            })?;
        }
        _ => {}
    }
    Ok(())
}

/// Yes and no are hidden only where the schema says so: a switch among secrets tells nothing.
fn hides(value: &Value, schema: Option<&Value>, secret: bool) -> bool {
    match value {
        Value::String(_) | Value::Number(_) => secret || is_marked(value),
        Value::Bool(_) => says_secret(schema),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_and_schemas_say_what_is_secret() {
        let check = |name: &str, schema: Value, expected: bool| {
            assert_eq!(is_secret(name, Some(&schema)), expected, "{name} {schema}");
        };
        for name in [
            "password",
            "userPassword",
            "db-passwd",
            "token",
            "access_token",
            "accessTokens",
            "api_key",
            "apiKey",
            "APIKEY",
            "client_secret",
            "credentials",
            "private_key",
            "pin",
            "githubPat",
            "secrets",
        ] {
            check(name, json!({"type": "string"}), true);
        }
        for name in [
            "key",
            "sort_key",
            "primaryKey",
            "keyword",
            "keys",
            "page_token",
            "nextToken",
            "max_tokens",
            "token_count",
            "passenger",
            "path",
            "secretary",
            "url",
        ] {
            check(name, json!({"type": "string"}), false);
        }
        check("key", json!({"description": "Your API key"}), true);
        check(
            "key",
            json!({"description": "Which column to join by"}),
            false,
        );
        check("word", json!({"format": "password"}), true);
        check("word", json!({"writeOnly": true}), true);
        check("word", json!({"x-secret": false}), false);
        check("secret", json!({"type": "boolean"}), false);
        check(
            "secret",
            json!({"description": "The name of a secret to sign with"}),
            false,
        );
    }

    #[test]
    fn every_secret_is_visited_wherever_it_stands() {
        let schema = json!({
            "login": {"type": "object", "properties": {"user": {}, "password": {}}},
            "credentials": {"type": "object"}, "city": {}, "tokens": {}, "pin": {"default": 1234},
            "consent": {"type": "boolean", "writeOnly": true},
            "list": {"items": {"properties": {"api_key": {}}}}});
        let mut input = json!({
            "login": {"user": "ann", "password": "p1"}, "credentials": {"a": "c1", "b": ["c2"]},
            "city": "Graz", "list": [{"api_key": "k1"}], "secret": true, "consent": true});
        let plan = plan(&schema);
        let mut seen = Vec::new();
        let done: Result<(), ()> = visit_secrets(&plan, &mut input, &mut |taken| {
            seen.push(format!("{}={}", taken.name, taken.value));
            Ok(json!("*"))
        });
        assert_eq!(done, Ok(()));
        seen.sort();
        assert_eq!(
            seen,
            [
                "consent=true",
                "credentials.a=\"c1\"",
                "credentials.b=\"c2\"",
                "list.api_key=\"k1\"",
                "login.password=\"p1\"",
                "pin=1234",
            ]
        );
        assert_eq!(
            input,
            json!({
                "login": {"user": "ann", "password": "*"}, "credentials": {"a": "*", "b": ["*"]},
                "city": "Graz", "list": [{"api_key": "*"}], "secret": true, "pin": "*", "consent": "*"})
        );
    }

    fn plan(properties: &Value) -> Plan {
        use holloway_plan::limits::Limits;
        use holloway_plan::read::read_value;
        use holloway_plan::tool::{ToolSpec, ToolTable};
        use holloway_plan::validate::{NoPlans, Surroundings, validate};
        let limits = Limits::default();
        let tools = ToolTable::new([ToolSpec::named("x/do")]);
        let around = Surroundings {
            tools: &tools,
            plans: &NoPlans,
            context: &[],
            limits: &limits,
        };
        let document = json!({"version": "1.0", "input": {"type": "object", "properties": properties},
            "steps": [{"id": "a", "tool": "do", "input": {}}]});
        validate(&read_value(&document, &limits).unwrap(), &around).unwrap()
    }
}
