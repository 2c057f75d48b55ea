//! How is one tool called? With its arguments, in as many rounds as the server has
//! questions in between.

use std::collections::BTreeMap;
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallLine, CallRequest};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use serde_json::{Map, Value};

use super::connection::{Connection, Trouble};
use super::{answer, handler};

/// How often a server may come back with questions before it has a result.
const ROUNDS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

/// Why a call failed, and whether it may simply be made again.
pub(super) enum NoResult {
    /// The server was gone before anything was sent.
    NotSent,
    Failed(ToolFailure),
}

impl From<ToolFailure> for NoResult {
    fn from(failure: ToolFailure) -> Self {
        Self::Failed(failure)
    }
}

/// Makes the call on this connection.
pub(super) async fn call(
    connection: &Connection,
    request: &CallRequest,
    source: &str,
) -> Result<Value, NoResult> {
    let tool = request.tool.name();
    let mut params = CallToolRequestParams::new(tool.to_owned());
    params.arguments = Some(arguments(&request.arguments)?);
    for round in 0..ROUNDS {
        let call = ClientRequest::CallToolRequest(CallToolRequest::new(params.clone()));
        let result = match connection.ask(call, Some(&request.line)).await {
            Ok(result) => result,
            Err(Trouble::NotSent) if round == 0 => return Err(NoResult::NotSent),
            Err(trouble) => {
                let failure = answer::failure(trouble, source, &connection.last_words());
                return Err(failure.into());
            }
        };
        match result.get("resultType").and_then(Value::as_str) {
            Some("input_required") => {
                next_round(connection, &request.line, &mut params, &result, round).await?;
            }
            Some("task") => {
                let message = format!("`{tool}` answers with a task, which was not asked for");
                return Err(ToolFailure::permanent(message).uncertain().into());
            }
            _ => return Ok(answer::value(result)?),
        }
    }
    let message = format!("`{tool}` asked {ROUNDS} times for more and gave no result");
    Err(ToolFailure::permanent(message).uncertain().into())
}

fn arguments(arguments: &Value) -> Result<Map<String, Value>, ToolFailure> {
    match arguments {
        Value::Object(fields) => Ok(fields.clone()),
        Value::Null => Ok(Map::new()),
        _ => Err(ToolFailure::invalid("the arguments must be an object")),
    }
}

/// Answers what the server wants to know, for another round of the same call.
async fn next_round(
    connection: &Connection,
    line: &CallLine,
    params: &mut CallToolRequestParams,
    result: &Value,
    round: u32,
) -> Result<(), ToolFailure> {
    let asked = result.get("inputRequests").and_then(Value::as_object);
    let mut responses = BTreeMap::new();
    for (key, request) in asked.into_iter().flatten() {
        responses.insert(key.clone(), respond(connection, line, request).await?);
    }
    let state = result.get("requestState").and_then(Value::as_str);
    if responses.is_empty() {
        if state.is_none() {
            return Err(ToolFailure::permanent(
                "the server asks for input and does not say which",
            ));
        }
        tokio::time::sleep(PAUSE * (round + 1)).await;
    }
    params.input_responses = (!responses.is_empty()).then_some(responses);
    params.request_state = state.map(str::to_owned);
    Ok(())
}

async fn respond(
    connection: &Connection,
    line: &CallLine,
    request: &Value,
) -> Result<Value, ToolFailure> {
    let none = Value::Null;
    let params = request.get("params").unwrap_or(&none);
    let response = match request.get("method").and_then(Value::as_str) {
        Some("elicitation/create") => {
            let answer = handler::ask_raw(line, params).await;
            let answer = answer.map_err(|error| ToolFailure::permanent(error.message))?;
            serde_json::to_value(answer)
        }
        Some("roots/list") => serde_json::to_value(connection.handler.roots()),
        other => {
            let what = other.unwrap_or("something without a name");
            return Err(ToolFailure::permanent(format!(
                "the server asks for `{what}`, which this client does not give"
            )));
        }
    };
    Ok(response.unwrap_or_default())
}
