//! What does a network error mean for the run? Whether a repeat may help, and
//! whether the other side may have acted already.

use std::error::Error;

use holloway_engine::failure::ToolFailure;
use reqwest::Method;

use super::guard;
use super::resolver::Refused;

pub fn from_reqwest(mut error: reqwest::Error, method: &Method) -> ToolFailure {
    if let Some(url) = error.url_mut() {
        // Queries often hold keys.
        url.set_query(None);
    }
    if let Some(refused) = find_refused(&error) {
        return guard::denied(&refused.host, refused.reason);
    }
    let message = chain(&error);
    if error.is_builder() {
        return ToolFailure::invalid(message);
    }
    let failure = ToolFailure::transient(message);
    // Before the connection stands, nothing can have been sent.
    if error.is_connect() || method.is_safe() {
        failure
    } else {
        failure.uncertain()
    }
}

fn find_refused(error: &reqwest::Error) -> Option<&Refused> {
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(refused) = cause.downcast_ref() {
            return Some(refused);
        }
        source = cause.source();
    }
    None
}

/// The whole reason: the outermost error alone says too little.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
