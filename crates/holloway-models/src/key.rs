//! How does a key get to the provider and nowhere else? It is looked up by name when a
//! request is made, sent in a header that is marked as secret, and taken out of everything
//! that comes back.

use reqwest::header::HeaderValue;

/// Where keys come from: filled by whoever knows the secrets of this machine.
pub trait Keys: Send + Sync {
    /// The key of this name, if there is one.
    fn key(&self, name: &str) -> Option<String>;
    /// The text without any key that was handed out.
    fn clean(&self, text: &str) -> String;
}

/// No keys: for servers that want none.
pub struct NoKeys;

impl Keys for NoKeys {
    fn key(&self, _name: &str) -> Option<String> {
        None
    }

    fn clean(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// The header's value; `None` when the key holds characters that no header can.
pub(crate) fn header(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
