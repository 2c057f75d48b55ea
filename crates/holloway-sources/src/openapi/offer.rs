//! What does an operation look like as a tool? Its parameters and its body become
//! one object of arguments, its answers of success one schema of results.

use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::{Hints, Offer, QualityFacts};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::answer;
use super::definition::Definitions;
use super::document::{Document, Flaw};
use super::operation::Operation;
use super::operation::content::{Body, Kind, Shape};
use super::operation::parameter::{BODY, Parameter};
use super::schema::{Direction, Piece, Schemas};

/// Makes offers of all operations of one description.
pub(crate) struct Offers<'a> {
    source: &'a SourceId,
    document: &'a Document,
    sent: Schemas<'a>,
    received: Schemas<'a>,
    definitions: Definitions<'a>,
}

impl<'a> Offers<'a> {
    pub(crate) fn new(source: &'a SourceId, document: &'a Document) -> Self {
        Self {
            source,
            document,
            sent: Schemas::new(document, Direction::Sent),
            received: Schemas::new(document, Direction::Received),
            definitions: Definitions::new(document),
        }
    }

    pub(crate) fn of(&mut self, operation: &Operation) -> Result<Offer, Flaw> {
        let own = self.document.root.pointer(&operation.pointer);
        let word = |name: &str| {
            let text = own.and_then(|own| own.get(name)?.as_str());
            text.unwrap_or_default().trim().to_owned()
        };
        let tag = own.and_then(|own| own.get("tags")?.get(0)?.as_str());
        let deprecated = own.and_then(|own| own.get("deprecated")) == Some(&Value::Bool(true));
        let input_schema = self.input(operation)?;
        let output_schema = self.output(operation)?;
        let description = describe(
            operation,
            &word("summary"),
            &word("description"),
            deprecated,
        );
        Ok(Offer {
            id: self.source.tool(&operation.name),
            title: word("summary"),
            category: tag.unwrap_or_default().to_owned(),
            hints: hints(&operation.method),
            definition: self.definitions.of(operation),
            facts: QualityFacts {
                has_parameters: !operation.parameters.is_empty() || operation.body.is_some(),
                has_returns: !output_schema.is_null(),
                ..QualityFacts::default()
            },
            findings: Vec::new(),
            description,
            input_schema,
            output_schema,
        })
    }

    fn input(&mut self, operation: &Operation) -> Result<Value, Flaw> {
        let mut properties = Map::new();
        let mut required: Vec<&str> = Vec::new();
        let mut pieces: Vec<Piece> = Vec::new();
        for parameter in &operation.parameters {
            let piece = self.schema(parameter.schema.as_deref())?;
            properties.insert(
                parameter.argument.clone(),
                parameter_schema(parameter, &piece),
            );
            pieces.push(piece);
            if parameter.required {
                required.push(&parameter.argument);
            }
        }
        if let Some(body) = &operation.body {
            let piece = self.schema(body.schema.as_deref())?;
            properties.insert(BODY.to_owned(), body_schema(body, &piece));
            pieces.push(piece);
            if body.required {
                required.push(BODY);
            }
        }
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
        }
        schema.insert("additionalProperties".to_owned(), json!(false));
        let pieces: Vec<&Piece> = pieces.iter().collect();
        self.sent.complete(&mut schema, &pieces)?;
        Ok(Value::Object(schema))
    }

    fn schema(&mut self, pointer: Option<&str>) -> Result<Piece, Flaw> {
        let Some(pointer) = pointer else {
            return Ok(Piece::default());
        };
        self.sent
            .convert(self.document.at(pointer, pointer)?, pointer)
    }

    /// `Value::Null` when the description does not say what comes back.
    fn output(&mut self, operation: &Operation) -> Result<Value, Flaw> {
        let mut choices = Vec::new();
        let mut pieces = Vec::new();
        for shape in &operation.answers {
            match shape {
                Shape::Json {
                    schema: Some(pointer),
                    ..
                } => {
                    let schema = self.document.at(pointer, pointer)?;
                    let piece = self.received.convert(schema, pointer)?;
                    choices.push(piece.value.clone());
                    pieces.push(piece);
                }
                Shape::Json { schema: None, .. } | Shape::Unknown => return Ok(Value::Null),
                Shape::Other { .. } => choices.push(answer::wrapped_schema()),
                Shape::Empty => choices.push(answer::empty_schema()),
            }
        }
        if let ([_], [only]) = (choices.as_slice(), pieces.as_slice()) {
            return self.received.alone(only);
        }
        let mut schema = match choices.len() {
            0 => return Ok(Value::Null),
            1 => choices
                .swap_remove(0)
                .as_object()
                .cloned()
                .unwrap_or_default(),
            _ => Map::from_iter([("anyOf".to_owned(), Value::Array(choices))]),
        };
        let pieces: Vec<&Piece> = pieces.iter().collect();
        self.received.complete(&mut schema, &pieces)?;
        Ok(Value::Object(schema))
    }
}

fn describe(operation: &Operation, summary: &str, description: &str, deprecated: bool) -> String {
    let text = [description, summary]
        .into_iter()
        .find(|text| !text.is_empty());
    let mut text = text.map_or_else(
        || format!("{} {}", operation.method, operation.path),
        str::to_owned,
    );
    if deprecated {
        text.insert_str(0, "Deprecated: the service may remove it. ");
    }
    text
}

/// From the method alone: what a description says in words or extensions is a claim.
fn hints(method: &Method) -> Hints {
    let read_only = method.is_safe();
    Hints {
        read_only: Some(read_only),
        destructive: Some(method == Method::DELETE),
        idempotent: Some(method.is_idempotent()),
        open_world: Some(true),
    }
}

fn parameter_schema(parameter: &Parameter, piece: &Piece) -> Value {
    let mut schema = piece.value.as_object().cloned().unwrap_or_default();
    describe_schema(&mut schema, &parameter.description);
    if parameter.deprecated {
        schema.insert("deprecated".to_owned(), json!(true));
    }
    Value::Object(schema)
}

fn describe_schema(schema: &mut Map<String, Value>, description: &str) {
    if !description.is_empty() {
        schema.insert("description".to_owned(), json!(description));
    }
}

fn body_schema(body: &Body, piece: &Piece) -> Value {
    let mut schema = match body.kind {
        Kind::Bytes => {
            let bytes = json!({"type": "string", "contentEncoding": "base64", "description": "Bytes, in base64"});
            bytes.as_object().cloned().unwrap_or_default()
        }
        Kind::Text => Map::from_iter([("type".to_owned(), json!("string"))]),
        Kind::Json | Kind::Form | Kind::Multipart => {
            piece.value.as_object().cloned().unwrap_or_default()
        }
    };
    describe_schema(&mut schema, &body.description);
    Value::Object(schema)
}

#[cfg(test)]
mod tests;
