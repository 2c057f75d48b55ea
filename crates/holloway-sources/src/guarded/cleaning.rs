//! What must not come back from a source? Secrets: in results, in failures, in what
//! a tool says while it works, and in definitions.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{
    CallLine, CallListener, CallOutput, CallRequest, ToolAnswer, ToolProgress, ToolQuestion,
};
use holloway_flow::catalog::offer::Offer;

use super::GuardedSource;
use holloway_tools::secrets::Secrets;

impl GuardedSource {
    /// What a tool says while it works is cleaned like its result.
    pub(super) fn with_clean_line(&self, request: &CallRequest) -> CallRequest {
        let listener = CleanLine {
            line: request.line.clone(),
            secrets: self.secrets.clone(),
        };
        CallRequest {
            line: CallLine::new(Arc::new(listener)),
            ..request.clone()
        }
    }

    /// A definition may repeat a key that its source was started with.
    pub(super) fn clean_offer(&self, offer: &mut Offer) {
        offer.title = self.secrets.clean(&offer.title);
        offer.description = self.secrets.clean(&offer.description);
        for value in [
            &mut offer.definition,
            &mut offer.input_schema,
            &mut offer.output_schema,
        ] {
            self.secrets.clean_value(value);
        }
    }

    pub(super) async fn cleaned(
        &self,
        result: Result<CallOutput, ToolFailure>,
    ) -> Result<CallOutput, ToolFailure> {
        match result {
            Ok(output) => Ok(CallOutput {
                value: self.secrets.clean_large(output.value).await?,
                usage: output.usage,
            }),
            Err(mut failure) => {
                failure.message = self.secrets.clean(&failure.message);
                failure.hint = failure.hint.map(|hint| self.secrets.clean(&hint));
                Err(failure)
            }
        }
    }
}

/// Cleans what a tool says while it works.
struct CleanLine {
    line: CallLine,
    secrets: Secrets,
}

#[async_trait]
impl CallListener for CleanLine {
    fn progress(&self, mut progress: ToolProgress) {
        let message = progress.message.as_deref();
        progress.message = message.map(|message| self.secrets.clean(message));
        self.line.progress(progress);
    }

    async fn ask(&self, mut question: ToolQuestion) -> ToolAnswer {
        question.message = self.secrets.clean(&question.message);
        self.secrets.clean_value(&mut question.schema);
        self.line.ask(question).await
    }
}
