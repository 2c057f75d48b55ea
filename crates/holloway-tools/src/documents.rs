//! How do results become files that people open? Tools that read and write reports,
//! charts and sheets inside granted folders.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::ToolSpec;
use serde_json::Value;

use super::blocking::blocking;
use super::files::read::contents;
use super::files::write::Saving;
use super::made::Made;
use super::{Grants, Tool};

mod build;
mod chart;
mod csv_files;
mod markdown;
mod report;
mod sheets;

pub(crate) fn tools(grants: &Arc<Grants>, made: &Arc<Made>) -> Vec<Arc<dyn Tool>> {
    let filing = |spec, function| Filing::tool(spec, function, grants, made);
    let mut tools = vec![
        build::tool(),
        markdown::to_html_tool(),
        filing(report::spec(), report::write),
        filing(chart::spec(), chart::draw),
        filing(sheets::write_spec(), sheets::write),
        filing(sheets::read_spec(), sheets::read),
        filing(csv_files::write_spec(), csv_files::write),
        filing(csv_files::read_spec(), csv_files::read),
    ];
    tools.push(filing(markdown::html_spec(), markdown::write_html));
    tools.push(filing(markdown::pdf_spec(), markdown::write_pdf));
    tools
}

type Function = fn(&Value, &Files<'_>) -> Result<Value, ToolFailure>;

/// A tool that computes and then reads or writes a file.
struct Filing {
    spec: ToolSpec,
    function: Function,
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl Filing {
    fn tool(
        spec: ToolSpec,
        function: Function,
        grants: &Arc<Grants>,
        made: &Arc<Made>,
    ) -> Arc<dyn Tool> {
        Arc::new(Self {
            spec,
            function,
            grants: Arc::clone(grants),
            made: Arc::clone(made),
        })
    }
}

#[async_trait]
impl Tool for Filing {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let function = self.function;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let call = call.clone();
        let arguments = arguments.clone();
        blocking(move || {
            let saving = Saving {
                grants: &grants,
                made: &made,
                call: &call,
            };
            function(&arguments, &Files { saving }).map(CallOutput::from)
        })
        .await
    }
}

/// The granted folders, as one call sees them.
pub(crate) struct Files<'a> {
    saving: Saving<'a>,
}

impl Files<'_> {
    /// Replaces the file at once or not at all.
    pub(crate) fn save(&self, path: &str, bytes: &[u8]) -> Result<(), ToolFailure> {
        self.saving.save(path, bytes)
    }

    /// The whole file; a part of a table would be a wrong table.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, ToolFailure> {
        let grants = self.saving.grants;
        let limit = grants.byte_limit(None);
        let bytes = contents(grants, path, limit)?;
        if bytes.len() as u64 <= limit {
            return Ok(bytes);
        }
        let message = format!("`{path}` is larger than the granted {limit} bytes");
        Err(ToolFailure::limit(message).with_hint("raise `[grants] max_bytes`"))
    }
}

/// What a document could not be made from is the caller's to mend.
pub(crate) fn failure(error: holloway_report::Error) -> ToolFailure {
    match error {
        holloway_report::Error::Input(message) => ToolFailure::invalid(message),
        other => ToolFailure::permanent(other.to_string()),
    }
}

/// Schema of a path inside a granted folder.
pub(crate) fn path_schema() -> Value {
    serde_json::json!({"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"})
}

#[cfg(test)]
mod tests;
