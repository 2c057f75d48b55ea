//! By which ways can a URL be requested? Both built-in tools, and a service whose
//! description names it as its server, to read and to write.

use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallRequest, ToolCaller};
use holloway_flow::catalog::SourceId;
use holloway_plan::tool::{Effect, ToolId};
use holloway_sources::ToolSource;
use holloway_sources::openapi::{OpenApiConfig, OpenApiSource};
use holloway_tools::secrets::Secrets;
use holloway_tools::{Grants, Toolbox};
use serde_json::{Value, json};

/// The outcome of each way, by its name.
pub(crate) type Outcomes = Vec<(&'static str, Result<Value, ToolFailure>)>;

/// Requests `url` by every way, with hosts granted by a person.
pub(crate) async fn every_way(url: &str, granted: &[String]) -> Outcomes {
    let grants = Grants {
        private_hosts: granted.to_vec(),
        ..Grants::default()
    };
    let toolbox = Toolbox::builtin(grants.clone());
    let mut outcomes = Outcomes::new();
    for tool in ["builtin/http-fetch", "builtin/http-send"] {
        let request = request(ToolId::new(tool), json!({"url": url}));
        let outcome = toolbox.call(request).await;
        outcomes.push((tool, outcome.map(|output| output.value)));
    }
    let config = OpenApiConfig {
        document: description(url),
        ..OpenApiConfig::default()
    };
    for name in ["get", "post"] {
        outcomes.push((name, service(config.clone(), grants.clone(), name).await));
    }
    outcomes
}

/// Calls a service at an address that a person named.
pub(crate) async fn at_base(base_url: &str, name: &str) -> Result<Value, ToolFailure> {
    let config = OpenApiConfig {
        document: description("https://api.example/"),
        base_url: base_url.to_owned(),
        ..OpenApiConfig::default()
    };
    service(config, Grants::default(), name).await
}

pub(crate) async fn service(
    config: OpenApiConfig,
    grants: Grants,
    name: &str,
) -> Result<Value, ToolFailure> {
    let id = SourceId::new("openapi.test");
    let request = request(id.tool(name), json!({}));
    let source = OpenApiSource::new(id, config, Secrets::none(), grants);
    source.call(&request).await.map(|output| output.value)
}

pub(crate) fn description(server: &str) -> Value {
    let operation = json!({"responses": {}});
    json!({"openapi": "3.1.0", "servers": [{"url": server}], "paths": {"/": {"get": operation, "post": operation}}})
}

fn request(tool: ToolId, arguments: Value) -> CallRequest {
    CallRequest {
        tool,
        arguments: Arc::new(arguments),
        effect: Effect::Read,
        key: "key".into(),
        run: RunId::new("run-1"),
        node: "node".into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: holloway_engine::ports::CallLine::default(),
    }
}
