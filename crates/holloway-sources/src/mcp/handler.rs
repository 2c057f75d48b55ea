//! What do servers ask of us? Questions for the user, the folders they may use;
//! everything else is declined politely.
#![allow(deprecated)] // roots and sampling are still asked for by servers of the older protocol

use std::path::PathBuf;
use std::sync::Arc;

use holloway_engine::ports::{CallLine, ToolAnswer, ToolQuestion};
use holloway_plan::schema_validator::foreign;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    CustomRequest, CustomResult, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorCode, ErrorData, FormElicitationCapability, Implementation,
    ListRootsResult, NumberOrString, ProgressNotificationParam, ProtocolVersion, Root,
    RootsCapabilities,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::{Value, json};

use super::surroundings::ClientName;
use super::wire::Wire;

/// Answers the requests of one server.
pub(super) struct Handler {
    pub(super) client: ClientName,
    /// Folders the configuration names; none means that roots are not offered.
    pub(super) roots: Vec<PathBuf>,
    pub(super) wire: Arc<Wire>,
}

impl Handler {
    pub(super) fn roots(&self) -> ListRootsResult {
        let roots = self.roots.iter().map(|folder| {
            let root = Root::new(address_of(folder));
            match folder.file_name() {
                Some(name) => root.with_name(name.to_string_lossy()),
                None => root,
            }
        });
        ListRootsResult::new(roots.collect())
    }
}

/// Puts a question before the user and checks the answer.
async fn ask(line: &CallLine, message: String, schema: Value) -> ElicitResult {
    let question = ToolQuestion {
        message,
        schema: schema.clone(),
    };
    match line.ask(question).await {
        ToolAnswer::Accept(content) if fits(&schema, &content) => {
            ElicitResult::new(ElicitationAction::Accept).with_content(content)
        }
        // An answer that does not fit must not reach the server as if it did.
        ToolAnswer::Accept(_) | ToolAnswer::Cancel => ElicitResult::new(ElicitationAction::Cancel),
        ToolAnswer::Decline => ElicitResult::new(ElicitationAction::Decline),
    }
}

/// The same for parameters in whatever form they came.
pub(super) async fn ask_raw(line: &CallLine, params: &Value) -> Result<ElicitResult, ErrorData> {
    if params.get("mode").is_some_and(|mode| mode == "url") {
        return Err(no_address());
    }
    let message = params.get("message").and_then(Value::as_str);
    let schema = params.get("requestedSchema").cloned();
    let message = message.unwrap_or_default().to_owned();
    let schema = schema.unwrap_or_else(|| json!({"type": "object"}));
    Ok(ask(line, message, schema).await)
}

/// Opening an address is the user's business, not the server's.
fn no_address() -> ErrorData {
    ErrorData::invalid_request(
        "this client answers questions as forms; it does not open addresses",
        None,
    )
}

fn fits(schema: &Value, content: &Value) -> bool {
    content.is_object()
        && foreign(schema)
            .validator
            .is_some_and(|validator| validator.is_valid(content))
}

fn address_of(folder: &std::path::Path) -> String {
    use std::fmt::Write as _;
    let mut address = "file://".to_owned();
    for byte in folder.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(byte) {
            address.push(char::from(*byte));
        } else {
            write!(address, "%{byte:02X}").ok();
        }
    }
    address
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        // Whether anybody is there to answer is known only when a call asks.
        let form = FormElicitationCapability::new().with_schema_validation(true);
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(form));
        if !self.roots.is_empty() {
            capabilities.roots = Some(RootsCapabilities::default());
        }
        let client = Implementation::new(self.client.name.clone(), self.client.version.clone());
        let mut config = ClientConfig::new(capabilities, client);
        config.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        config
    }

    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            "this client does not run a model for servers",
            None,
        ))
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        Ok(self.roots())
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asked = async {
            match request {
                ElicitRequestParams::FormElicitationParams {
                    message,
                    requested_schema,
                    ..
                } => {
                    let schema = serde_json::to_value(requested_schema).unwrap_or_default();
                    Ok(ask(&self.wire.oldest_line(), message, schema).await)
                }
                _ => Err(no_address()),
            }
        };
        tokio::select! {
            answer = asked => answer,
            () = context.ct.cancelled() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
            _ = self.wire.end_reason() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        // A question whose schema the types of the protocol do not know comes here.
        if request.method == "elicitation/create" {
            let params = request.params.unwrap_or_default();
            let line = self.wire.oldest_line();
            let answer = tokio::select! {
                answer = ask_raw(&line, &params) => answer?,
                _ = self.wire.end_reason() => ElicitResult::new(ElicitationAction::Cancel),
            };
            let answer = serde_json::to_value(answer).unwrap_or_default();
            return Ok(CustomResult::new(answer));
        }
        Err(ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            request.method,
            None,
        ))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let token = match params.progress_token.0 {
            NumberOrString::Number(number) => Some(number),
            NumberOrString::String(text) => text.parse().ok(),
        };
        if let Some(token) = token {
            self.wire
                .progress(token, params.progress, params.total, params.message);
        }
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.wire.changed();
    }
}
