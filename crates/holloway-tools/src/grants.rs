//! What may the built-in tools reach? Nothing private unless it is written here:
//! folders, the shell, hosts inside the own network.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::protected::{Protected, resolved};

/// The `[grants]` table of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grants {
    /// Folders whose contents the file and SQLite tools may use.
    pub folders: Vec<Folder>,
    /// May programs be run?
    pub shell: bool,
    /// Hosts that may be reached although their address is private: a name, an
    /// address, either with a port, or a network such as `10.1.0.0/16`.
    pub private_hosts: Vec<String>,
    /// The most that one call reads or writes, in bytes.
    pub max_bytes: u64,
    /// The Chromium that pages are measured with, or `none`; found in the usual places if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<PathBuf>,
    /// Through which server e-mail may be sent; none unless it is written here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail: Option<Mail>,
    /// Names of secrets with which webhooks may be signed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub webhook_secrets: Vec<String>,
    /// What no grant opens. Not part of the configuration.
    #[serde(skip)]
    pub protected: Protected,
    /// Where each granted folder led when it was granted. Not part of the configuration.
    #[serde(skip)]
    pub led_to: BTreeMap<PathBuf, PathBuf>,
}

impl Default for Grants {
    fn default() -> Self {
        Self {
            folders: Vec::new(),
            shell: false,
            private_hosts: Vec::new(),
            max_bytes: 10 * 1024 * 1024,
            browser: None,
            mail: None,
            webhook_secrets: Vec::new(),
            protected: Protected::default(),
            led_to: BTreeMap::new(),
        }
    }
}

impl Grants {
    /// Remembers where the folders lead now: a link that is changed later is not followed.
    pub fn hold(&mut self) {
        let folders = self.folders.iter();
        let places = folders.map(|folder| (folder.path.clone(), resolved(&folder.path)));
        self.led_to = places.collect();
    }

    /// Where a folder led when it was granted and where it leads now, if that is elsewhere.
    pub fn moved(&self, folder: &Folder) -> Option<(&Path, PathBuf)> {
        let then = self.led_to.get(&folder.path)?;
        let now = resolved(&folder.path);
        (*then != now).then_some((then, now))
    }

    /// The smaller of what a call asks for and what is granted.
    pub fn byte_limit(&self, asked: Option<u64>) -> u64 {
        asked.map_or(self.max_bytes, |asked| asked.min(self.max_bytes))
    }
}

/// A folder with everything below it, or one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folder {
    pub path: PathBuf,
    #[serde(default)]
    pub writable: bool,
}

/// The grant that counts for a resolved path: the innermost one, and of several for one folder
/// the last.
pub fn deciding<'a>(folders: &'a [Folder], real: &Path) -> Option<&'a Folder> {
    let around = folders.iter().filter_map(|folder| {
        let place = resolved(&folder.path);
        let depth = place.components().count();
        real.starts_with(&place).then_some((depth, folder))
    });
    let innermost = around.max_by_key(|(depth, _)| *depth);
    innermost.map(|(_, folder)| folder)
}

/// A mail server and who writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    pub server: String,
    /// 587 for `starttls`, 465 for `tls` and 25 for `none` if left out.
    #[serde(default)]
    pub port: Option<u16>,
    #[serde(default)]
    pub security: MailSecurity,
    #[serde(default)]
    pub user: Option<String>,
    /// Names a secret, such as `${SMTP_PASSWORD}`; never the password itself.
    #[serde(default)]
    pub password: Option<String>,
    /// The sender of every message, such as `Reports <reports@example.com>`.
    pub from: String,
}

/// How the connection to a mail server is kept private.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// Plain at first, then encrypted; refused where the server cannot.
    #[default]
    Starttls,
    /// Encrypted from the first byte.
    Tls,
    /// Not at all: for a server on this machine.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_is_granted_by_default() {
        let grants: Grants = serde_json::from_value(json!({})).unwrap();
        assert_eq!(grants, Grants::default());
        assert!(grants.folders.is_empty() && grants.private_hosts.is_empty() && !grants.shell);
        assert_eq!(grants.max_bytes, 10_485_760);
    }

    #[test]
    fn a_misspelt_grant_is_refused() {
        for wrong in [
            json!({"folder": []}),
            json!({"folders": [{"path": "/data", "writeable": true}]}),
        ] {
            assert!(serde_json::from_value::<Grants>(wrong).is_err());
        }
    }

    #[test]
    fn a_folder_is_read_only_unless_said_otherwise() {
        let grants: Grants =
            serde_json::from_value(json!({"folders": [{"path": "/data"}]})).unwrap();
        assert!(grants.folders.iter().all(|folder| !folder.writable));
    }
}
