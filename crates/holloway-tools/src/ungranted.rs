//! What would a call be refused for? Told before it is made, from the arguments that are
//! known by then, together with the flag or setting that grants it.

use std::ffi::OsStr;
use std::path::Path;

use holloway_engine::failure::FailureName;
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Url;
use serde::Serialize;
use serde_json::Value;

use super::Grants;
use super::files::{Access, is_granted, locate};
use super::http::guard::Guard;

/// Tools that open what `url` or `urls` names; others only read it.
const OPENS: [&str; 10] = [
    "http-download",
    "http-fetch",
    "http-send",
    "page-fetch",
    "pages-fetch",
    "robots-check",
    "site-crawl",
    "sitemap-discover",
    "tls-check",
    "webhook-send",
];
/// How the schema of a parameter says that it is a path; `path` alone may lead into JSON.
const IS_PATH: &str = "granted folder";
/// More addresses than this are not looked at one by one.
const ADDRESSES: usize = 100;

/// Something that is not granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ungranted {
    /// What the call would do: "read /etc/hostname, outside the granted folders".
    pub what: String,
    /// What grants it: "--grant-folder /etc:ro".
    pub grant: String,
}

/// What a built-in tool lacks for a call with these arguments; those not known yet are left out.
pub fn ungranted(grants: &Grants, tool: &ToolSpec, arguments: &Value) -> Vec<Ungranted> {
    if tool.id.source() != "builtin" {
        return Vec::new();
    }
    let mut lacks = Vec::new();
    lacks.extend(match tool.id.name() {
        "email-send" if grants.mail.is_none() => Some(Ungranted {
            what: "send e-mail, and no mail server is granted".to_owned(),
            grant: "[grants.mail] with `server` and `from` in holloway.toml".to_owned(),
        }),
        "shell-run" if !grants.shell => Some(Ungranted {
            what: "run programs, which is not granted".to_owned(),
            grant: "--allow-shell, or `shell = true` under [grants]".to_owned(),
        }),
        _ => None,
    });
    let given = Given::of(tool, arguments);
    let files = given.uses(tool.effect);
    lacks.extend(files.filter_map(|(path, access)| file(grants, tool, path, access)));
    if OPENS.contains(&tool.id.name()) {
        lacks.extend(hosts(grants, arguments));
    }
    lacks
}

/// The paths of files and folders that a built-in tool is given, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Given<'a> {
    /// What it reads or changes, as its effect says.
    pub path: Option<&'a str>,
    /// What it copies or moves.
    pub from: Option<&'a str>,
    /// Where that goes: a file, or a folder for it.
    pub to: Option<&'a str>,
}

impl<'a> Given<'a> {
    pub fn of(tool: &ToolSpec, arguments: &'a Value) -> Self {
        let is_path = |name: &str| {
            let about = format!("/properties/{name}/description");
            let about = tool.input_schema.pointer(&about).and_then(Value::as_str);
            tool.id.source() == "builtin" && about.is_some_and(|about| about.contains(IS_PATH))
        };
        let given = |name: &str| {
            let value = arguments.get(name).filter(|_| is_path(name));
            value.and_then(Value::as_str)
        };
        Self {
            path: given("path"),
            from: given("from"),
            to: given("to"),
        }
    }

    /// The name that what is copied or moved keeps in a folder.
    pub(crate) fn name(&self) -> Option<&'a OsStr> {
        self.from.and_then(|from| Path::new(from).file_name())
    }

    /// What has to be there when the tool is called.
    pub fn read(&self, effect: Effect) -> Option<&'a str> {
        self.from
            .or_else(|| self.path.filter(|_| effect == Effect::Read))
    }

    /// What is there after the call, under each path that may be meant.
    pub fn made(&self, effect: Effect) -> Vec<String> {
        let inside = self.to.zip(self.name());
        let inside = inside.map(|(to, name)| Path::new(to).join(name).display().to_string());
        let path = self.path.filter(|_| effect != Effect::Read);
        let plain = path.or(self.to).map(str::to_owned);
        plain.into_iter().chain(inside).collect()
    }

    /// Each path with what is done there.
    fn uses(&self, effect: Effect) -> impl Iterator<Item = (&'a str, Access)> {
        let unless = |reads: bool| if reads { Access::Read } else { Access::Write };
        let path = (self.path, unless(effect == Effect::Read));
        // What is copied is only read.
        let from = (self.from, unless(effect != Effect::Destructive));
        let to = (self.to, Access::Write);
        let uses = [path, from, to].into_iter();
        uses.filter_map(|(path, access)| Some((path?, access)))
    }
}

/// Whether a path that may be read leads to nothing.
pub fn is_absent(grants: &Grants, path: &str) -> bool {
    let place = locate(grants, path, Access::Read);
    place.is_ok_and(|place| {
        let found = place.directory.symlink_metadata(&place.relative);
        found.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    })
}

/// The names beside a path that may be read, at most so many.
pub fn names_beside(grants: &Grants, path: &str, most: usize) -> Vec<String> {
    let above = Path::new(path).parent().unwrap_or(Path::new(""));
    let folders = grants.folders.iter().map(|folder| folder.path.join(above));
    let mut names = Vec::new();
    for folder in folders {
        let place = locate(grants, &folder.to_string_lossy(), Access::Read);
        let entries = place
            .ok()
            .and_then(|place| place.directory.read_dir(&place.relative).ok());
        let entries = entries.into_iter().flatten().flatten().take(most);
        names.extend(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    }
    names
}

fn file(grants: &Grants, tool: &ToolSpec, path: &str, access: Access) -> Option<Ungranted> {
    let failure = locate(grants, path, access).err()?;
    if failure.name != FailureName::Denied {
        return None;
    }
    let (verb, mode) = match access {
        Access::Write => ("write", ""),
        Access::Read => ("read", ":ro"),
    };
    if is_granted(grants, path, access) {
        // In a granted folder, and refused all the same: the failure says why.
        return Some(Ungranted {
            what: format!("{verb} {path}, which is refused: {}", failure.message),
            grant: failure.hint.unwrap_or_default(),
        });
    }
    let above = Path::new(path).parent();
    let above = above.map_or_else(|| "/".into(), Path::to_string_lossy);
    let above = if above.is_empty() { ".".into() } else { above };
    let folder = if tool.id.name() == "file-list" {
        path.into()
    } else {
        above
    };
    Some(Ungranted {
        what: format!("{verb} {path}, which is outside the folders that are granted"),
        grant: format!("--grant-folder {folder}{mode}, or a folder under [[grants.folders]]"),
    })
}

fn hosts(grants: &Grants, arguments: &Value) -> Vec<Ungranted> {
    let guard = Guard::new(&grants.private_hosts);
    let one = arguments.get("url").and_then(Value::as_str);
    let many = arguments.get("urls").and_then(Value::as_array);
    let many = many.into_iter().flatten().take(ADDRESSES);
    let mut lacks: Vec<Ungranted> = Vec::new();
    for address in one.into_iter().chain(many.filter_map(Value::as_str)) {
        let lack = private(&guard, address);
        lacks.extend(lack.filter(|lack| !lacks.contains(lack)));
    }
    lacks
}

/// What it takes to reach an address, if it is private and not granted.
pub fn private_address(grants: &Grants, address: &str) -> Option<Ungranted> {
    private(&Guard::new(&grants.private_hosts), address)
}

fn private(guard: &Guard, address: &str) -> Option<Ungranted> {
    let host = Url::parse(address)
        .ok()
        .and_then(|url| refused(guard, &url))?;
    Some(Ungranted {
        what: format!("reach {host}, which is not on the public internet"),
        grant: format!("--allow-host {host}, or `private_hosts` under [grants]"),
    })
}

/// The host, if it is private by what the address says and not granted.
fn refused(guard: &Guard, url: &Url) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let is_plain = url.username().is_empty() && url.password().is_none();
    let refused = is_plain && guard.check(url).is_err();
    let host = url.host_str()?;
    refused.then(|| format!("{host}:{}", url.port_or_known_default().unwrap_or(80)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Folder, Mail, MailSecurity, Toolbox};
    use super::*;

    fn lacks(grants: &Grants, tool: &str, arguments: Value) -> Vec<(String, String)> {
        let toolbox = Toolbox::builtin(grants.clone());
        let specs = toolbox.specs();
        let spec = specs.into_iter().find(|spec| spec.id.name() == tool);
        let found = ungranted(grants, &spec.unwrap(), &arguments);
        let pair = |lack: Ungranted| (lack.what, lack.grant);
        found.into_iter().map(pair).collect()
    }

    #[test]
    fn every_kind_of_grant_is_told_with_what_gives_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display().to_string();
        let bare = Grants {
            folders: vec![Folder {
                path: folder.path().to_owned(),
                writable: false,
            }],
            ..Grants::default()
        };
        let check = |tool: &str, arguments: Value, what: &str, grant: &str| {
            let found = lacks(&bare, tool, arguments);
            let [(said, given)] = found.as_slice() else {
                panic!("{tool}: {found:?}");
            };
            assert!(said.contains(what) && given.contains(grant), "{found:?}");
        };
        check("email-send", json!({}), "send e-mail", "[grants.mail]");
        check(
            "shell-run",
            json!({"command": "ls"}),
            "run programs",
            "--allow-shell",
        );
        check(
            "file-read",
            json!({"path": "/etc/hostname"}),
            "read /etc/hostname",
            "--grant-folder /etc:ro",
        );
        check(
            "csv-write",
            json!({"path": format!("{path}/a.csv")}),
            "write ",
            &format!("--grant-folder {path},"),
        );
        check(
            "file-copy",
            json!({"from": "/etc/hostname"}),
            "read /etc/hostname",
            "--grant-folder /etc:ro",
        );
        check(
            "file-copy",
            json!({"from": "a.txt", "to": format!("{path}/b.txt")}),
            "write ",
            &format!("--grant-folder {path},"),
        );
        check(
            "file-move",
            json!({"from": format!("{path}/a.txt")}),
            "write ",
            &format!("--grant-folder {path},"),
        );
        check(
            "http-download",
            json!({"url": "http://127.0.0.1:8080/a"}),
            "reach 127.0.0.1:8080",
            "--allow-host 127.0.0.1:8080",
        );
        check(
            "page-fetch",
            json!({"url": "http://127.0.0.1:8080/a"}),
            "reach 127.0.0.1:8080",
            "--allow-host 127.0.0.1:8080",
        );
        check(
            "pages-fetch",
            json!({"urls": ["https://example.com", "http://localhost/"]}),
            "reach localhost:80",
            "--allow-host localhost:80",
        );
    }

    #[test]
    fn what_is_granted_or_not_known_yet_is_not_told() {
        let folder = tempfile::tempdir().unwrap();
        let grants = Grants {
            folders: vec![Folder {
                path: folder.path().to_owned(),
                writable: true,
            }],
            shell: true,
            private_hosts: vec!["127.0.0.1:8080".to_owned(), "localhost".to_owned()],
            mail: Some(Mail {
                server: "mail.example.com".to_owned(),
                port: None,
                security: MailSecurity::default(),
                user: None,
                password: None,
                from: "a@example.com".to_owned(),
            }),
            ..Grants::default()
        };
        for (tool, arguments) in [
            ("email-send", json!({})),
            ("shell-run", json!({})),
            ("file-read", json!({"path": "not-there.txt"})),
            ("file-read", json!({})),
            ("csv-write", json!({"path": "out/new.csv"})),
            ("file-copy", json!({"from": "a.txt", "to": "out/"})),
            ("file-move", json!({"from": "a.txt", "to": "b.txt"})),
            ("json-select", json!({"path": "/etc/passwd"})),
            ("page-fetch", json!({"url": "http://127.0.0.1:8080/"})),
            ("page-fetch", json!({"url": "http://localhost:99/"})),
            ("page-fetch", json!({"url": "https://example.com/"})),
            ("html-text", json!({"url": "http://10.0.0.1/"})),
        ] {
            assert_eq!(lacks(&grants, tool, arguments), [], "{tool}");
        }
    }

    #[test]
    fn what_is_copied_must_be_there_and_is_there_twice_afterwards() {
        let toolbox = Toolbox::builtin(Grants::default());
        let check = |tool: &str, arguments: Value, read: Option<&str>, made: &[&str]| {
            let specs = toolbox.specs();
            let spec = specs.into_iter().find(|spec| spec.id.name() == tool);
            let effect = spec.as_ref().unwrap().effect;
            let given = Given::of(&spec.unwrap(), &arguments);
            assert_eq!(given.read(effect), read, "{tool}");
            assert_eq!(given.made(effect), made, "{tool}");
        };
        check("file-read", json!({"path": "a"}), Some("a"), &[]);
        check("file-write", json!({"path": "a"}), None, &["a"]);
        check("json-select", json!({"path": "a"}), None, &[]);
        for tool in ["file-copy", "file-move"] {
            let arguments = json!({"from": "x/a", "to": "b"});
            check(tool, arguments, Some("x/a"), &["b", "b/a"]);
        }
    }
}
