//! What can be called? Reads one operation of a description into what a request
//! needs; schemas stay in the document and are named by their pointers.

pub(crate) mod content;
pub(crate) mod parameter;

use oas3::spec::{ParameterIn, SecurityRequirement, Server};
use reqwest::{Method, Url};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::auth::{Scheme, Schemes};
use super::document::{Document, Flaw, join};
use super::{name, server};
use content::{Body, Shape};
use parameter::Parameter;

const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "head", "patch"];

/// One operation, ready to be offered and called.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// Unique within its service.
    pub(crate) name: String,
    pub(crate) method: Method,
    /// As in the description: `/pets/{petId}`.
    pub(crate) path: String,
    /// Where it stands in the document, and its path item.
    pub(crate) pointer: String,
    pub(crate) item_pointer: String,
    /// The address that its path is put after.
    pub(crate) base: Url,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
    /// What successful answers look like.
    pub(crate) answers: Vec<Shape>,
    /// Ways to prove who is calling, any of which will do: names of schemes.
    pub(crate) security: Vec<Vec<String>>,
}

/// Where requests go, as far as a person has said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Whereabouts {
    pub(crate) base_url: Option<Url>,
    pub(crate) origin: Option<Url>,
}

/// All operations that can be called, and what is wrong with the others.
pub(crate) fn read_all(
    document: &Document,
    schemes: &Schemes,
    whereabouts: &Whereabouts,
) -> (Vec<Operation>, Vec<Flaw>) {
    let (mut operations, mut flaws) = (Vec::new(), Vec::new());
    let mut names = name::Names::default();
    let paths = document.root.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        if path.starts_with("x-") {
            continue;
        }
        let pointer = join("/paths", path);
        if !path.starts_with('/') {
            flaws.push(Flaw::new(pointer, "a path begins with `/`"));
            continue;
        }
        match document.object(item, &pointer) {
            Ok((item, item_pointer)) => {
                let reader = Reader {
                    document,
                    schemes,
                    whereabouts,
                    path,
                    item,
                    item_pointer,
                };
                reader.read(&mut names, &mut operations, &mut flaws);
            }
            Err(flaw) => flaws.push(flaw),
        }
    }
    (operations, flaws)
}

struct Reader<'a> {
    document: &'a Document,
    schemes: &'a Schemes,
    whereabouts: &'a Whereabouts,
    path: &'a str,
    item: &'a Map<String, Value>,
    item_pointer: String,
}

impl Reader<'_> {
    fn read(
        &self,
        names: &mut name::Names,
        operations: &mut Vec<Operation>,
        flaws: &mut Vec<Flaw>,
    ) {
        for (method, value) in self.item {
            if !METHODS.contains(&method.as_str()) {
                continue;
            }
            let pointer = join(&self.item_pointer, method);
            let Some(fields) = value.as_object() else {
                flaws.push(Flaw::new(pointer, "an operation is an object"));
                continue;
            };
            match self.operation(method, fields, &pointer) {
                Ok(mut operation) => {
                    operation.name = names.give(&operation.name);
                    operations.push(operation);
                }
                Err(flaw) => flaws.push(flaw),
            }
        }
    }

    fn operation(
        &self,
        method: &str,
        fields: &Map<String, Value>,
        pointer: &str,
    ) -> Result<Operation, Flaw> {
        let operation_id = fields.get("operationId").and_then(Value::as_str);
        let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes())
            .map_err(|_| Flaw::new(pointer, "this is no HTTP method"))?;
        let security = self.security(fields, pointer)?;
        let lists = [(self.item, self.item_pointer.as_str()), (fields, pointer)];
        let mut parameters = parameter::read(self.document, self.path, &lists)?;
        parameters.retain(|parameter| !self.is_proof(parameter, &security));
        Ok(Operation {
            name: name::wanted(operation_id, method.as_str(), self.path),
            base: self.base(fields, pointer)?,
            path: self.path.to_owned(),
            pointer: pointer.to_owned(),
            item_pointer: self.item_pointer.clone(),
            method,
            parameters,
            body: content::body(self.document, fields, pointer)?,
            answers: content::answers(self.document, fields, pointer)?,
            security,
        })
    }

    /// Some descriptions list a key among the parameters too; it is not for callers.
    fn is_proof(&self, parameter: &Parameter, security: &[Vec<String>]) -> bool {
        let schemes = security.iter().flatten();
        schemes
            .filter_map(|name| self.schemes.get(name))
            .any(|scheme| match scheme {
                Scheme::Header(name) => {
                    parameter.location == ParameterIn::Header
                        && parameter.name.eq_ignore_ascii_case(name.as_str())
                }
                Scheme::Query(name) => {
                    parameter.location == ParameterIn::Query && parameter.name == *name
                }
                Scheme::Cookie(name) => {
                    parameter.location == ParameterIn::Cookie && parameter.name == *name
                }
                _ => false,
            })
    }

    fn security(
        &self,
        fields: &Map<String, Value>,
        pointer: &str,
    ) -> Result<Vec<Vec<String>>, Flaw> {
        // An empty list of the operation's own means: no proof at all.
        let (value, at) = match fields.get("security") {
            Some(own) => (Some(own), join(pointer, "security")),
            None => (self.document.root.get("security"), "/security".to_owned()),
        };
        let Some(value) = value else {
            return Ok(Vec::new());
        };
        let requirements: Vec<SecurityRequirement> = typed(value.clone(), &at)?;
        let names = requirements
            .into_iter()
            .map(|SecurityRequirement(schemes)| {
                schemes.into_iter().map(|(name, _)| name).collect()
            });
        Ok(names.collect())
    }

    fn base(&self, fields: &Map<String, Value>, pointer: &str) -> Result<Url, Flaw> {
        if let Some(base_url) = &self.whereabouts.base_url {
            return Ok(base_url.clone());
        }
        let (value, at) = self.server(fields, pointer);
        let server: Option<Server> = value.map(|value| typed(value.clone(), &at)).transpose()?;
        server::address(server.as_ref(), self.whereabouts.origin.as_ref())
            .map_err(|message| Flaw::new(at, message))
    }

    /// The first server of the innermost list that has one.
    fn server(&self, fields: &Map<String, Value>, pointer: &str) -> (Option<&Value>, String) {
        let first = |value: Option<&Value>| {
            let list = value.and_then(Value::as_array);
            list.is_some_and(|list| !list.is_empty())
        };
        for (holder, pointer) in [
            (fields.get("servers"), pointer),
            (self.item.get("servers"), &self.item_pointer),
        ] {
            if first(holder) {
                let at = format!("{pointer}/servers/0");
                return (self.document.root.pointer(&at), at);
            }
        }
        (
            self.document.root.pointer("/servers/0"),
            "/servers/0".to_owned(),
        )
    }
}

/// A piece of the description in the types of `oas3`.
pub(crate) fn typed<T: DeserializeOwned>(value: Value, pointer: &str) -> Result<T, Flaw> {
    serde_json::from_value(value).map_err(|error| Flaw::new(pointer, error.to_string()))
}

/// Only these fields of an object: what is read nowhere can break nothing.
pub(crate) fn only(fields: &Map<String, Value>, names: &[&str]) -> Value {
    let kept = names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), fields.get(*name)?.clone())));
    Value::Object(kept.collect())
}

#[cfg(test)]
mod tests;
