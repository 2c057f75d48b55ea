//! How does word get out? A webhook and e-mail, both only as far as the grants say.

use std::sync::Arc;

use super::Tool;
use super::http::Http;
use crate::secrets::Secrets;

mod email;
mod message;
mod smtp;
mod webhook;

#[cfg(test)]
pub(crate) mod server;

pub(crate) fn tools(http: &Arc<Http>, secrets: &Secrets) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(webhook::WebhookSend {
            http: Arc::clone(http),
            secrets: secrets.clone(),
        }),
        Arc::new(email::EmailSend {
            http: Arc::clone(http),
            secrets: secrets.clone(),
        }),
    ]
}
