//! Which model proposes plans? The one of `[model]`, if there is one; its key is a secret
//! of this machine, looked up by name when it is sent.

use std::sync::Arc;

use holloway_models::{Client, Keys};
use holloway_tools::secrets::Secrets;

use crate::error::CliError;
use crate::secret_file::SecretFile;
use crate::session::Session;

/// The model that is configured.
pub(crate) fn configured(session: &Session) -> Result<Option<Client>, CliError> {
    let Some(settings) = session.config()?.settings.model.clone() else {
        return Ok(None);
    };
    let keys = Arc::new(Kept(SecretFile::open()?.secrets()));
    let client = Client::new(settings, keys).map_err(|error| {
        let hint = error.hint;
        CliError::usage("config-invalid", error.to_string()).hint(hint)
    })?;
    Ok(Some(client))
}

/// The secrets of this machine as keys.
struct Kept(Secrets);

impl Keys for Kept {
    fn key(&self, name: &str) -> Option<String> {
        let secret = self.0.resolve(&format!("${{{name}}}")).ok()?;
        Some(secret.reveal().to_owned())
    }

    fn clean(&self, text: &str) -> String {
        self.0.clean(text)
    }
}
