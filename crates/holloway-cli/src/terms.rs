//! What was a run granted when it began, and what of that holds now? A resumed run reaches what
//! both say: its terms of then, and the configuration of the folder it began in as it is now.
//! What a person gave this one run with flags stays given. What fell away is told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use holloway_engine::entry::RunId;
use holloway_engine::options::{ApprovalPolicy, Consent};
use holloway_tools::{Folder, Grants};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::config::Shared;
use crate::print::{self, visible};
use crate::session::Session;
use crate::workbench::Workbench;

/// What is kept beside a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Terms {
    /// All that was granted when it began.
    pub(crate) grants: Grants,
    /// What of that was given with flags.
    pub(crate) flags: Flags,
    /// Where it began.
    pub(crate) folder: PathBuf,
    /// Where each granted folder led.
    pub(crate) led_to: BTreeMap<PathBuf, PathBuf>,
}

/// What a person gives one run on the command line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Flags {
    pub(crate) folders: Vec<Folder>,
    pub(crate) hosts: Vec<String>,
    pub(crate) shell: bool,
    /// Every question is answered with yes beforehand.
    pub(crate) yes: bool,
}

/// Something that a run began with and that is not granted any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Lost {
    pub(crate) what: String,
    /// The flag or setting that gives it again.
    pub(crate) give: String,
}

impl Lost {
    fn new(what: impl Into<String>, give: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            give: give.into(),
        }
    }
}

impl Terms {
    /// The terms of a stored plan. Those of earlier versions are the grants alone; terms that
    /// cannot be read grant nothing.
    pub(crate) fn of_stored(stored: &Value) -> Self {
        let terms = stored.get("terms").cloned().unwrap_or_default();
        serde_json::from_value(terms.clone()).unwrap_or_else(|_| Self {
            grants: serde_json::from_value(terms).unwrap_or_default(),
            ..Self::default()
        })
    }

    /// The same for another run, to which nobody has given anything.
    pub(crate) fn without_flags(self) -> Self {
        Self {
            flags: Flags::default(),
            ..self
        }
    }

    /// Where the run began, if that is known and still there.
    pub(crate) fn folder(&self) -> Option<&Path> {
        Some(self.folder.as_path()).filter(|folder| folder.is_dir())
    }

    /// What of the grants holds under the configuration of now, and what does not.
    pub(crate) fn held(&self, configured: &Grants) -> (Grants, Vec<Lost>) {
        let mut lost = Vec::new();
        let then = &self.grants;
        let mut is_kept = |is_granted: bool, what: &str, give: &str| {
            if !is_granted {
                lost.push(Lost::new(what, give));
            }
            is_granted
        };
        let shell = then.shell
            && is_kept(
                configured.shell || self.flags.shell,
                "programs",
                "--allow-shell",
            );
        let hosts = then.private_hosts.iter().filter(|host| {
            let is_granted =
                configured.private_hosts.contains(host) || self.flags.hosts.contains(host);
            is_kept(
                is_granted,
                &format!("the host {host}"),
                &format!("--allow-host {host}"),
            )
        });
        let private_hosts = hosts.cloned().collect();
        let secrets = then.webhook_secrets.iter().filter(|name| {
            let is_granted = configured.webhook_secrets.contains(name);
            is_kept(
                is_granted,
                &format!("the webhook secret {name}"),
                "`webhook_secrets` in holloway.toml",
            )
        });
        let webhook_secrets = secrets.cloned().collect();
        let mail = configured.mail.clone().filter(|_| then.mail.is_some());
        if then.mail.is_some() {
            is_kept(mail.is_some(), "e-mail", "`[grants.mail]` in holloway.toml");
        }
        let folders = self.folders(configured, &mut lost);
        let grants = Grants {
            folders,
            shell,
            private_hosts,
            max_bytes: then.max_bytes.min(configured.max_bytes),
            mail,
            webhook_secrets,
            browser: configured.browser.clone(),
            ..Grants::default()
        };
        (grants, lost)
    }

    fn folders(&self, configured: &Grants, lost: &mut Vec<Lost>) -> Vec<Folder> {
        let then = Grants {
            folders: self.grants.folders.clone(),
            led_to: self.led_to.clone(),
            ..Grants::default()
        };
        let mut wanted = Vec::new();
        // What a link kept from being written stays so, wherever the link leads now.
        let mut closed = Vec::new();
        for folder in &then.folders {
            match then.moved(folder) {
                None => wanted.push(folder.clone()),
                Some((before, now)) => {
                    if !folder.writable {
                        closed.push(before.to_owned());
                    }
                    let (before, now) = (before.display(), now.display());
                    let what = format!(
                        "the folder {}, which led to {before} and leads to {now} now",
                        folder.path.display()
                    );
                    lost.push(Lost::new(what, again(folder)));
                }
            }
        }
        let mut granted = configured.folders.clone();
        granted.extend(self.flags.folders.iter().cloned());
        let Shared { mut kept, lacking } = Shared::of(&wanted, &granted);
        for folder in lacking {
            let path = folder.path.display();
            let is_read = kept.iter().any(|kept| leads_to(&folder, &kept.path));
            let what = if is_read {
                format!("writing to {path}")
            } else {
                format!("the folder {path}")
            };
            lost.push(Lost::new(what, again(&folder)));
        }
        // A place that is granted by its name keeps that name.
        for kept in &mut kept {
            if let Some(named) = wanted.iter().find(|named| leads_to(named, &kept.path)) {
                kept.path.clone_from(&named.path);
            }
        }
        for path in closed {
            let is_open = |kept: &Folder| kept.writable && path.starts_with(real(&kept.path));
            if kept.iter().any(is_open) {
                kept.push(Folder {
                    path: path.clone(),
                    writable: false,
                });
            }
        }
        kept
    }

    /// The policy that a run goes on with: of its own and that of now, the stricter.
    pub(crate) fn approvals(
        &self,
        then: ApprovalPolicy,
        configured: ApprovalPolicy,
    ) -> (ApprovalPolicy, Vec<Lost>) {
        let now = if self.flags.yes {
            configured.without_questions()
        } else {
            configured
        };
        let held = then.stricter_of(now);
        let changed = then.named().into_iter().zip(held.named());
        let lost = changed.filter(|(then, held)| then != held);
        let lost = lost.map(|(_, (name, consent))| {
            let word = match consent {
                Consent::Deny => "denied",
                Consent::Allow | Consent::Ask => "asked about",
            };
            Lost::new(
                format!("`{name}` is {word}"),
                format!("`{name}` under [approvals]"),
            )
        });
        (held, lost.collect())
    }
}

impl Flags {
    /// Whether one of these gives again what was lost.
    fn give(&self, lost: &Lost) -> bool {
        let mut flags: Vec<String> = self.folders.iter().map(again).collect();
        flags.extend(self.hosts.iter().map(|host| format!("--allow-host {host}")));
        flags.extend(self.shell.then(|| "--allow-shell".to_owned()));
        flags.contains(&lost.give)
    }
}

/// Says in one line what a run began with, is not granted now, and is not given again.
pub(crate) fn tell(run: &RunId, lost: &[Lost], workbench: &Workbench, session: &Session) {
    let lost: Vec<&Lost> = lost
        .iter()
        .filter(|lost| !workbench.flags().give(lost))
        .collect();
    if lost.is_empty() {
        return;
    }
    if session.json {
        let event = json!({"event": "grants_fell_away", "run": run, "lost": lost});
        return print::note(&event.to_string());
    }
    let list = |part: fn(&Lost) -> &str| {
        let parts: Vec<&str> = lost.iter().map(|lost| part(lost)).collect();
        visible(&parts.join(", "))
    };
    print::note(&format!(
        "run {run} began with more than is granted now: {}; to give it again: {}",
        list(|lost| &lost.what),
        list(|lost| &lost.give)
    ));
}

fn again(folder: &Folder) -> String {
    let mode = if folder.writable { "" } else { ":ro" };
    format!("--grant-folder {}{mode}", folder.path.display())
}

fn leads_to(folder: &Folder, real: &Path) -> bool {
    folder.path.canonicalize().is_ok_and(|path| path == real) || folder.path == real
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests;
