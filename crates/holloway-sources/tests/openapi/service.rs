//! How do the tests reach a service? As the engine would: offers once, then calls.

use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::CallRequest;
use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::Offer;
use holloway_plan::tool::Effect;
use holloway_sources::ToolSource;
use holloway_sources::openapi::{OpenApiConfig, OpenApiSource};
use holloway_tools::Grants;
use holloway_tools::secrets::Secrets;
use serde_json::Value;

pub(crate) struct Service {
    source: OpenApiSource,
    offers: Vec<Offer>,
}

impl Service {
    pub(crate) async fn open(config: OpenApiConfig) -> Self {
        let source = source(config, Grants::default());
        let survey = source.survey().await.unwrap();
        assert_eq!(survey.notes, Vec::<String>::new());
        Self {
            source,
            offers: survey.offers,
        }
    }

    pub(crate) fn offer(&self, name: &str) -> &Offer {
        let mut found = self.offers.iter().filter(|offer| offer.id.name() == name);
        found.next().unwrap_or_else(|| panic!("there is no {name}"))
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.offers.iter().map(|offer| offer.id.name()).collect()
    }

    /// Checks the arguments and the result as the engine does.
    pub(crate) async fn call(
        &self,
        name: &str,
        arguments: Value,
    ) -> Result<Value, Box<ToolFailure>> {
        let offer = self.offer(name);
        assert_fits(&offer.input_schema, &arguments);
        let result = self.call_unchecked(name, arguments).await?;
        assert_fits(&offer.output_schema, &result);
        Ok(result)
    }

    pub(crate) async fn call_unchecked(
        &self,
        name: &str,
        arguments: Value,
    ) -> Result<Value, Box<ToolFailure>> {
        let output = self.source.call(&request(name, arguments)).await;
        output.map(|output| output.value).map_err(Box::new)
    }
}

pub(crate) fn source(config: OpenApiConfig, grants: Grants) -> OpenApiSource {
    let lookup = |name: &str| match name {
        "API_KEY" => Some("special-key".to_owned()),
        "TOKEN" => Some("t0ken".to_owned()),
        "LOGIN" => Some("ann:pässword".to_owned()),
        _ => None,
    };
    OpenApiSource::new(
        SourceId::new("openapi.test"),
        config,
        Secrets::new(Arc::new(lookup)),
        grants,
    )
}

pub(crate) fn request(name: &str, arguments: Value) -> CallRequest {
    CallRequest {
        tool: SourceId::new("openapi.test").tool(name),
        arguments: Arc::new(arguments),
        effect: Effect::Write,
        key: "run-1/node".into(),
        run: RunId::new("run-1"),
        node: "node".into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: holloway_engine::ports::CallLine::default(),
    }
}

#[track_caller]
fn assert_fits(schema: &Value, value: &Value) {
    if !schema.is_null() {
        let validator = jsonschema::validator_for(schema).unwrap();
        let problems: Vec<_> = validator
            .iter_errors(value)
            .map(|error| error.to_string())
            .collect();
        assert!(problems.is_empty(), "{value}: {problems:?}");
    }
}
