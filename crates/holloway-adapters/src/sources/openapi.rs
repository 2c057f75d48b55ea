//! How are services with an OpenAPI description reached? Each operation becomes a
//! tool; its schema, its effect class and its request follow from the description.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpenApiConfig {
    /// Where the description came from: a file or an address.
    pub origin: String,
    /// The description as it was read, whole.
    pub document: Value,
    /// Where requests go, in place of what the description says; hosts named here by a
    /// person may be private.
    pub base_url: String,
    /// Headers of every request; texts may name secrets as `${NAME}`.
    pub headers: BTreeMap<String, String>,
    /// By the name of a security scheme: the key, token or `user:password`.
    pub auth: BTreeMap<String, String>,
}
