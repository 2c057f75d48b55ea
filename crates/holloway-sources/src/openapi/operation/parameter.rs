//! What goes into the path, the query, headers and cookies? Parameters of the path
//! item and of the operation, each with the argument that fills it.

use std::collections::HashSet;

use oas3::spec::{Parameter as Declared, ParameterIn, ParameterStyle};
use reqwest::header::HeaderName;
use serde_json::{Map, Value};

use super::{only, typed};
use crate::openapi::document::{Document, Flaw, join};
use holloway_tools::http::RESERVED;

/// The name of the argument that holds the body.
pub(crate) const BODY: &str = "body";
/// We set this one ourselves; a description may name it as a parameter.
pub(crate) const KEY_HEADER: &str = "idempotency-key";
/// Parameters of these names are ignored, as OpenAPI says.
const IGNORED: [&str; 3] = ["accept", "content-type", "authorization"];

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// What the caller calls it.
    pub(crate) argument: String,
    /// What the service calls it.
    pub(crate) name: String,
    pub(crate) location: ParameterIn,
    pub(crate) style: ParameterStyle,
    pub(crate) explode: bool,
    pub(crate) allow_reserved: bool,
    pub(crate) required: bool,
    /// Written as JSON, because it is described by `content`.
    pub(crate) json: bool,
    pub(crate) description: String,
    pub(crate) deprecated: bool,
    /// Where its schema stands.
    pub(crate) schema: Option<String>,
}

/// Reads the lists of the path item and of the operation; the latter wins.
pub(crate) fn read(
    document: &Document,
    path: &str,
    lists: &[(&Map<String, Value>, &str)],
) -> Result<Vec<Parameter>, Flaw> {
    let mut found: Vec<Parameter> = Vec::new();
    for (holder, pointer) in lists {
        let list = holder.get("parameters").and_then(Value::as_array);
        for (index, value) in list.into_iter().flatten().enumerate() {
            let at = join(&join(pointer, "parameters"), &index.to_string());
            let (fields, at) = document.object(value, &at)?;
            let Some(parameter) = one(fields, &at)? else {
                continue;
            };
            found.retain(|known| !same_place(known, &parameter));
            found.push(parameter);
        }
    }
    found.retain(|parameter| {
        parameter.location != ParameterIn::Path || path.contains(&placeholder(&parameter.name))
    });
    refuse_gaps(
        path,
        &found,
        lists.last().map_or("", |(_, pointer)| pointer),
    )?;
    name_arguments(&mut found);
    Ok(found)
}

fn same_place(one: &Parameter, other: &Parameter) -> bool {
    one.name == other.name && one.location == other.location
}

pub(crate) fn placeholder(name: &str) -> String {
    format!("{{{name}}}")
}

fn one(fields: &Map<String, Value>, pointer: &str) -> Result<Option<Parameter>, Flaw> {
    let words = [
        "name",
        "in",
        "description",
        "required",
        "deprecated",
        "style",
        "explode",
        "allowReserved",
    ];
    let declared: Declared = typed(only(fields, &words), pointer)?;
    if declared.location == ParameterIn::Header && !is_header(&declared, pointer)? {
        return Ok(None);
    }
    let media = fields.get("content").and_then(Value::as_object);
    let media = media.and_then(|content| content.keys().next());
    let schema = match media {
        Some(media) => {
            let at = join(&join(pointer, "content"), media);
            fields
                .get("content")
                .and_then(|content| content.get(media)?.get("schema"))
                .map(|_| join(&at, "schema"))
        }
        None => fields.get("schema").map(|_| join(pointer, "schema")),
    };
    let style = declared.style.unwrap_or(match declared.location {
        ParameterIn::Query | ParameterIn::Cookie => ParameterStyle::Form,
        ParameterIn::Path | ParameterIn::Header => ParameterStyle::Simple,
    });
    let is_key = declared.name.eq_ignore_ascii_case(KEY_HEADER);
    Ok(Some(Parameter {
        argument: declared.name.clone(),
        explode: declared.explode.unwrap_or(style == ParameterStyle::Form),
        required: declared.location == ParameterIn::Path
            || (declared.required == Some(true) && !is_key),
        name: declared.name,
        location: declared.location,
        style,
        allow_reserved: declared.allow_reserved == Some(true),
        json: media.is_some(),
        description: declared.description.unwrap_or_default(),
        deprecated: declared.deprecated == Some(true),
        schema,
    }))
}

/// Headers that frame the message are never a caller's.
fn is_header(declared: &Declared, pointer: &str) -> Result<bool, Flaw> {
    let Ok(name) = HeaderName::try_from(declared.name.as_str()) else {
        let message = format!("`{}` cannot be the name of a header", declared.name);
        return Err(Flaw::new(pointer, message));
    };
    if IGNORED.contains(&name.as_str()) {
        return Ok(false);
    }
    let reserved = RESERVED.contains(&name.as_str()) || name == "cookie";
    if reserved && declared.required == Some(true) {
        let message = format!("the header `{name}` is set by the client itself");
        return Err(Flaw::new(pointer, message));
    }
    Ok(!reserved)
}

/// A path with a hole in it cannot be requested.
fn refuse_gaps(path: &str, parameters: &[Parameter], pointer: &str) -> Result<(), Flaw> {
    for name in holes(path) {
        let known = |parameter: &Parameter| {
            parameter.location == ParameterIn::Path && parameter.name == name
        };
        if !parameters.iter().any(known) {
            let message = format!("`{{{name}}}` in the path has no parameter");
            return Err(Flaw::new(pointer, message));
        }
    }
    Ok(())
}

fn holes(path: &str) -> impl Iterator<Item = &str> {
    let after = path.split('{').skip(1);
    after.filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// Two parameters of one name are told apart by where they go.
fn name_arguments(parameters: &mut [Parameter]) {
    let mut taken = HashSet::from([BODY.to_owned()]);
    for parameter in parameters {
        while !taken.insert(parameter.argument.clone()) {
            let place = match parameter.location {
                ParameterIn::Path => "path",
                ParameterIn::Query => "query",
                ParameterIn::Header => "header",
                ParameterIn::Cookie => "cookie",
            };
            parameter.argument = format!("{place}_{}", parameter.argument);
        }
    }
}
