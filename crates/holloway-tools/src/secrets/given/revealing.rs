//! How is a tool called with secrets? They take the place of their marks in the arguments, the
//! result is judged with them, and what comes back has marks again.
//!
//! Invariant: whatever is told about a result that holds a secret does not hold it.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::checks::misfit;
use holloway_engine::entry::Unmet;
use holloway_engine::expected::Expected;
use holloway_engine::failure::ToolFailure;
use holloway_engine::mark::Issued;
use holloway_engine::ports::{
    CallLine, CallListener, CallOutput, CallRequest, Changed, ToolAnswer, ToolCaller, ToolProgress,
    ToolQuestion,
};
use holloway_plan::size::exceeds;
use holloway_plan::tool::{ToolId, ToolTable};
use serde_json::Value;

use super::{GivenSecrets, Known};
use crate::model::SOURCE;
use crate::secrets::{LARGE, aside};

/// Tools that are called with the secrets in place of their marks.
pub struct Revealing {
    pub tools: Arc<dyn ToolCaller>,
    pub secrets: GivenSecrets,
    /// What arguments and results must look like once the secrets are in them.
    pub table: ToolTable,
}

impl Revealing {
    /// The arguments with the secrets, which nobody could check before.
    fn filled(&self, known: &Known, request: &CallRequest) -> Result<Arc<Value>, ToolFailure> {
        let mut arguments = Arc::clone(&request.arguments);
        // A model is told of secrets by their marks alone.
        if request.tool.source() == SOURCE {
            return Ok(arguments);
        }
        if !known.is_in(&arguments) {
            return Ok(arguments);
        }
        known.reveal(Arc::make_mut(&mut arguments));
        let schema = self.table.get(&request.tool).map(|tool| &tool.input_schema);
        match misfit(schema, &arguments, &Issued::new()) {
            None => Ok(arguments),
            Some(complaint) => {
                let message = format!("input of `{}`: {complaint}", request.tool);
                Err(ToolFailure::invalid(known.hidden(&message)))
            }
        }
    }
}

#[async_trait]
impl ToolCaller for Revealing {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        let hiding = Hiding {
            secrets: self.secrets.clone(),
            line: request.line.clone(),
        };
        let arguments = self.filled(&self.secrets.known(), &request)?;
        let tool = self.table.get(&request.tool);
        let wanted = Wanted {
            tool: request.tool.clone(),
            schema: tool.map(|tool| tool.output_schema.clone()),
            expected: request.expected.clone(),
            arguments: Arc::clone(&arguments),
        };
        // Also without any: what the tool asks during its call may be answered with one.
        let request = CallRequest {
            arguments,
            line: CallLine::new(Arc::new(hiding)),
            ..request
        };
        let result = self.tools.call(request).await;
        let known = self.secrets.known();
        match result {
            _ if known.values.is_empty() => result,
            Ok(output) => {
                let is_large = exceeds(&output.value, LARGE);
                aside(is_large, move || known.given_back(output, &wanted)).await?
            }
            Err(mut failure) => {
                failure.message = known.hidden(&failure.message);
                failure.hint = failure.hint.map(|hint| known.hidden(&hint));
                failure.replaces = failure.replaces.map(|file| known.hidden(&file));
                Err(failure)
            }
        }
    }

    fn would_change(&self, tool: &ToolId, arguments: &Value) -> Option<Changed> {
        self.tools.would_change(tool, arguments)
    }
}

/// What a result must be like.
struct Wanted {
    tool: ToolId,
    schema: Option<Value>,
    expected: Expected,
    arguments: Arc<Value>,
}

impl Known {
    /// A result with marks in place of secrets, once it was judged with the secrets.
    fn given_back(
        &self,
        mut output: CallOutput,
        wanted: &Wanted,
    ) -> Result<CallOutput, ToolFailure> {
        self.defuse(&mut output.value);
        let mut hidden = output.value.clone();
        self.hide(&mut hidden);
        if hidden != output.value {
            self.judge(Arc::new(output.value), wanted)?;
        }
        Ok(CallOutput {
            value: hidden,
            ..output
        })
    }

    /// The run judges by marks, which leave open what only the secret decides.
    fn judge(&self, result: Arc<Value>, wanted: &Wanted) -> Result<(), ToolFailure> {
        if let Some(complaint) = misfit(wanted.schema.as_ref(), &result, &Issued::new()) {
            let message = format!("output of `{}`: {complaint}", wanted.tool);
            return Err(ToolFailure::invalid(self.hidden(&message)).happened());
        }
        let fill = |value: &mut Value| self.reveal(value);
        let unmet = wanted.expected.unmet(&result, &wanted.arguments, &fill);
        if unmet.is_empty() {
            return Ok(());
        }
        Err(ToolFailure::unmet(self.hidden(&Unmet::sentence(&unmet))))
    }
}

/// The line of a call: secrets go in, and none comes out.
struct Hiding {
    secrets: GivenSecrets,
    line: CallLine,
}

#[async_trait]
impl CallListener for Hiding {
    fn progress(&self, mut progress: ToolProgress) {
        let known = self.secrets.known();
        progress.message = progress.message.map(|message| known.hidden(&message));
        self.line.progress(progress);
    }

    async fn ask(&self, mut question: ToolQuestion) -> ToolAnswer {
        let known = self.secrets.known();
        question.message = known.hidden(&question.message);
        known.defuse(&mut question.schema);
        known.hide(&mut question.schema);
        match self.line.ask(question).await {
            ToolAnswer::Accept(mut content) => {
                self.secrets.reveal(&mut content);
                ToolAnswer::Accept(content)
            }
            other => other,
        }
    }
}
