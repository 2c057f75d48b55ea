//! What tools cannot reach although a folder above it is granted: Holloway's own data and
//! settings, sensitive places, and the home folder as a whole.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use crate::place::Place;

/// A home folder with keys and start-up files in it.
fn home() -> Place {
    let place = Place::new();
    place.file(".ssh/id_ed25519", "the key\n");
    place.file(".bashrc", "# mine\n");
    place.file("work/notes.txt", "notes\n");
    place.file("home/secrets.json", "{\"TOKEN\": \"the secret\"}\n");
    place.file("config/holloway/holloway.toml", "[run]\nconcurrency = 2\n");
    place
}

#[test]
fn the_home_folder_is_not_granted_by_itself() {
    let place = home();
    let nothing = place.run_at_home("tools call file-read --input path=work/notes.txt");
    let folder =
        place.run_at_home("tools call file-read --input path=notes.txt --grant-folder work");
    let whole =
        place.run_at_home("tools call file-read --input path=work/notes.txt --grant-folder .");
    place.check("home_not_granted", &[&nothing, &folder, &whole]);
}

#[test]
fn own_data_and_settings_are_out_of_reach_whatever_is_granted() {
    let place = home();
    symlink("home", place.path("alias")).unwrap();
    let grants = "--yes --grant-folder . --grant-folder home --grant-folder config/holloway";
    let call = |tool: &str, input: &str| place.run(&format!("tools call {tool} {input} {grants}"));
    let read = call("file-read", "--input path=home/secrets.json");
    let by_link = call("file-read", "--input path=alias/secrets.json");
    let database = call(
        "sqlite-query",
        "--input path=home/holloway.db --input 'sql=select 1'",
    );
    let settings = call(
        "file-write",
        "--input path=config/holloway/holloway.toml --input content=x",
    );
    place.check("own_data", &[&read, &by_link, &database, &settings]);
    assert_eq!(
        place.read("config/holloway/holloway.toml"),
        "[run]\nconcurrency = 2\n"
    );
    let listed = place.json("tools call file-list --input recursive=true");
    let entries = listed["output"]["entries"].as_array().unwrap();
    let inside = entries.iter().filter(|entry| {
        let path = entry["path"].as_str().unwrap();
        path.starts_with("home/") || path.starts_with(".ssh/")
    });
    assert_eq!(inside.count(), 0, "{listed}");
}

#[test]
fn a_sensitive_place_is_read_only_if_a_grant_names_it() {
    let place = home();
    let read = "tools call file-read --input path=.ssh/id_ed25519";
    let refused = place.run(read);
    let above = place.run(&format!("{read} --yes --grant-folder ."));
    let named = place.run(&format!("{read} --grant-folder .ssh:ro"));
    let append = "tools call jsonl-append --input path=.bashrc --input 'record={\"a\": 1}' --yes";
    let appended = place.run(append);
    assert_eq!(place.read(".bashrc"), "# mine\n");
    let by_name = place.run(&format!("{append} --grant-folder .bashrc"));
    assert_eq!(by_name.code, Some(0), "{by_name}");
    place.check("sensitive", &[&refused, &above, &named, &appended]);
}

#[test]
fn what_other_programs_obey_is_read_freely_and_written_only_by_name() {
    let place = Place::new();
    place.file("work/.git/HEAD", "ref: refs/heads/main\n");
    place.file("work/.github/workflows/ci.yml", "on: push\n");
    for path in ["work/.git/HEAD", "work/.github/workflows/ci.yml"] {
        let read = place.run(&format!("tools call file-read --input path={path}"));
        assert_eq!(read.code, Some(0), "{read}");
    }
    for path in [
        "work/.git/commondir",
        "work/.git/info/attributes",
        "work/vendor/.git",
        "work/.github/workflows/new.yml",
        "work/.vscode/tasks.json",
        "work/CLAUDE.md",
        "work/.env.prod",
        "work/sitecustomize.py",
    ] {
        let write = format!("tools call file-write --input path={path} --input content=x --yes");
        let refused = place.run(&write);
        assert_eq!(refused.code, Some(1), "{refused}");
        assert!(refused.stderr.contains("sensitive place"), "{refused}");
        assert!(!place.path(path).exists(), "{path}");
        place.file(path, "");
        let named = place.run(&format!("{write} --grant-folder {path}"));
        assert_eq!(named.code, Some(0), "{named}");
        assert_eq!(place.read(path), "x");
    }
}

const KEY: &str = "version: '1.0'\nid: key\nsteps:\n  \
    - {id: save, tool: file-write, approval: never, input: {path: .ssh/config, content: x}}\n";

#[test]
fn writing_to_a_sensitive_place_asks_a_person_whatever_is_allowed() {
    let place = home();
    place.file("plan.yaml", KEY);
    place.file(
        "config/holloway/holloway.toml",
        "[approvals]\nidempotent = \"allow\"\nwrite = \"allow\"\nreplace = \"allow\"\n",
    );
    let unnamed = place.run("run plan.yaml --quiet --yes");
    let asked = place.run("run plan.yaml --quiet --grant-folder .ssh");
    assert_eq!(place.read(".ssh/config"), "");
    let approved = place.run("runs approve last a1");
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(place.read(".ssh/config"), "x");
    place.check("sensitive_write", &[&unnamed, &asked, &approved, &resumed]);
    place.file(".ssh/config", "mine");
    let beforehand = place.run("run plan.yaml --quiet --yes --grant-folder .ssh");
    assert_eq!(beforehand.code, Some(0), "{beforehand}");
    place.file(
        "config/holloway/holloway.toml",
        "[approvals]\nsensitive = \"allow\"\n",
    );
    let setting = place.run("run plan.yaml --quiet");
    assert_eq!(setting.code, Some(2), "{setting}");
    assert!(setting.stderr.contains("`ask` or `deny`"), "{setting}");
}

#[test]
fn appending_to_what_the_run_did_not_make_asks_first() {
    for (tool, input) in [
        ("jsonl-append", "record: {a: 1}"),
        ("file-append", "content: more"),
        ("sqlite-execute", "sql: 'create table t(a)'"),
    ] {
        let place = Place::with_plan(&format!(
            "version: '1.0'\nid: add\nexecution: sequential\nsteps:\n  \
             - {{id: a, tool: {tool}, input: {{path: log, {input}}}}}\n"
        ));
        place.file("log", "mine\n");
        place.file(
            "config/holloway/holloway.toml",
            "[approvals]\nwrite = \"allow\"\n",
        );
        let stopped = place.run("run plan.yaml --quiet");
        assert!(
            stopped.stdout.contains("waiting for 1 approval"),
            "{stopped}"
        );
        assert!(
            stopped.stderr.contains("/log` is there already"),
            "{stopped}"
        );
        assert_eq!(place.read("log"), "mine\n", "{tool}");
        std::fs::remove_file(place.path("log")).unwrap();
        let new = place.run("run plan.yaml --quiet");
        assert_eq!(new.code, Some(0), "{new}");
    }
}

const SAVE: &str = "version: '1.0'\nid: save\nsteps:\n  \
    - {id: save, tool: file-write, input: {path: now/report.txt, content: new}}\n";

#[test]
fn a_yes_counts_for_the_file_that_the_question_named() {
    let place = Place::with_plan(SAVE);
    place.file("first/report.txt", "one\n");
    place.file("second/report.txt", "two\n");
    let point_at = |folder: &str| {
        std::fs::remove_file(place.path("now")).ok();
        symlink(folder, place.path("now")).unwrap();
    };
    point_at("first");
    let asked = place.run("run plan.yaml --quiet");
    let approved = place.run("runs approve last a1");
    point_at("second");
    let again = place.run("runs resume last --quiet");
    assert_eq!(place.read("second/report.txt"), "two\n");
    assert_eq!(place.read("first/report.txt"), "one\n");
    place.run("runs approve last a2");
    let done = place.run("runs resume last --quiet");
    assert_eq!(place.read("second/report.txt"), "new");
    place.check("retargeted", &[&asked, &approved, &again, &done]);
}

/// The same for a call that is asked about for its effect, before anything is known of the file.
#[test]
fn a_yes_to_a_call_counts_for_the_file_it_led_to_then() {
    let plan = "version: '1.0'\nid: add\nsteps:\n  \
        - {id: add, tool: file-append, input: {path: now, content: more}}\n";
    let place = Place::with_plan(plan);
    for name in ["first", "second"] {
        place.file(name, "mine\n");
    }
    symlink("first", place.path("now")).unwrap();
    place.run("run plan.yaml --quiet");
    place.run("runs approve last a1");
    std::fs::remove_file(place.path("now")).unwrap();
    symlink("second", place.path("now")).unwrap();
    let again = place.run("runs resume last --quiet");
    assert!(
        again.stderr.contains("/second` is there already"),
        "{again}"
    );
    assert_eq!(place.read("second"), "mine\n");
    // Without a change, one yes is enough.
    place.run("run plan.yaml --quiet");
    place.run("runs approve last a1");
    let done = place.run("runs resume last --quiet");
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(place.read("second"), "mine\nmore");
}

/// A link that is changed before the answer: what was shown counts, not what is there then.
#[test]
fn a_yes_counts_for_the_file_that_was_shown_and_not_for_the_one_found_when_answering() {
    let plan = "version: '1.0'\nid: add\nsteps:\n  \
        - {id: add, tool: file-append, input: {path: now, content: more}}\n";
    let place = Place::with_plan(plan);
    for name in ["first", "second"] {
        place.file(name, "mine\n");
    }
    symlink("first", place.path("now")).unwrap();
    let asked = place.run("run plan.yaml --quiet");
    let first = place.path("first").canonicalize().unwrap();
    let line = format!("changes    {}", first.display());
    assert!(asked.stderr.contains(&line), "{asked}");
    let shown = place.run("runs show last");
    assert!(shown.stdout.contains(&line), "{shown}");
    std::fs::remove_file(place.path("now")).unwrap();
    symlink("second", place.path("now")).unwrap();
    place.run("runs approve last a1");
    let again = place.run("runs resume last --quiet");
    assert!(
        again.stderr.contains("/second` is there already"),
        "{again}"
    );
    assert_eq!(
        (place.read("first"), place.read("second")),
        ("mine\n".into(), "mine\n".into())
    );
}

/// The question tells that the place is sensitive, and no yes to it outweighs the policy.
#[test]
fn a_yes_does_not_open_a_sensitive_place_that_is_denied() {
    let place = home();
    place.file(
        "plan.yaml",
        "version: '1.0'\nid: add\nsteps:\n  \
         - {id: add, tool: file-append, input: {path: .bashrc, content: more}}\n",
    );
    for (policy, text, code) in [
        ("deny", "# mine\n", Some(1)),
        ("ask", "# mine\nmore", Some(0)),
    ] {
        let settings = format!("[approvals]\nsensitive = \"{policy}\"\n");
        place.file("config/holloway/holloway.toml", &settings);
        let asked = place.run("run plan.yaml --quiet --grant-folder .bashrc");
        assert!(
            asked
                .stderr
                .contains("/.bashrc, which is in a sensitive place"),
            "{asked}"
        );
        place.run("runs approve last a1");
        let resumed = place.run("runs resume last --quiet");
        assert_eq!(resumed.code, code, "{resumed}");
        assert_eq!(place.read(".bashrc"), text, "{resumed}");
    }
}

#[test]
fn a_grant_by_name_opens_what_it_names_and_the_innermost_grant_decides() {
    let place = home();
    place.file(".ssh/known_hosts", "hosts\n");
    place.file("work/keep/a.txt", "mine\n");
    place.file("work/keep/open/a.txt", "mine\n");
    let reads = |path: &str, grant: &str| {
        let read = format!("tools call file-read --input path={path} --grant-folder {grant}");
        place.run(&read).code
    };
    for (path, grant, expected) in [
        (".ssh/known_hosts", ".ssh/known_hosts", Some(0)),
        (".ssh/id_ed25519", ".ssh/known_hosts", Some(1)),
        (".ssh/id_ed25519", ".ssh/known_hosts:ro", Some(1)),
        (".ssh/id_ed25519", ".ssh:ro", Some(0)),
    ] {
        assert_eq!(reads(path, grant), expected, "{path} with {grant}");
    }
    let writes = |path: &str, grants: &str| {
        let input = format!("--input path={path} --input content=x");
        let wrote = place.run(&format!("tools call file-write {input} --yes {grants}"));
        (wrote.code == Some(0), wrote.stderr.contains("reading only"))
    };
    let (written, kept) = ((true, false), (false, true));
    let inner = "--grant-folder work/keep:ro --grant-folder work/keep/open";
    for (path, grants, expected) in [
        ("work/keep/a.txt", "--grant-folder work/keep:ro", kept),
        ("work/keep/new/b.txt", "--grant-folder work/keep:ro", kept),
        (
            "work/keep/../keep/a.txt",
            "--grant-folder work/keep:ro",
            kept,
        ),
        ("work/b.txt", "--grant-folder work/keep:ro", written),
        ("work/keep/a.txt", inner, kept),
        ("work/keep/open/a.txt", inner, written),
        ("work/b.txt", "--grant-folder .:ro", kept),
    ] {
        assert_eq!(writes(path, grants), expected, "{path} with {grants}");
    }
    assert_eq!(place.read("work/keep/a.txt"), "mine\n");
    symlink("keep", place.path("work/link")).unwrap();
    assert_eq!(
        writes("work/link/a.txt", "--grant-folder work/keep:ro"),
        kept
    );
}

fn open_to_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mode = path.symlink_metadata().unwrap().permissions().mode();
        if mode & 0o077 != 0 {
            found.push(format!("{} {mode:o}", path.display()));
        }
        if path.is_dir() {
            found.extend(open_to_others(&path));
        }
    }
    found
}

#[test]
fn what_is_kept_is_readable_by_its_owner_alone() {
    let place = Place::with_plan(SAVE);
    place.file("holloway.toml", "[sandbox]\nallow_unsandboxed = true\n");
    let ran = place.run_with_open_umask("run plan.yaml --quiet");
    assert_eq!(ran.code, Some(0), "{ran}");
    let digest = place.json("trust")["digest"].clone();
    let trusted = format!("trust --digest {}", digest.as_str().unwrap());
    let trusted = place.run_with_open_umask(&trusted);
    assert_eq!(trusted.code, Some(0), "{trusted}");
    let home = place.path("home");
    assert!(home.join("holloway.db").is_file());
    let mode = home.metadata().unwrap().permissions().mode();
    assert_eq!((mode & 0o777, open_to_others(&home)), (0o700, Vec::new()));
    // What a tool makes for its user follows the umask.
    let made = place.path("now/report.txt").metadata().unwrap();
    assert_eq!(made.permissions().mode() & 0o777, 0o666);
}

#[test]
fn a_granted_network_does_not_include_the_platforms_own_addresses() {
    let place = Place::new();
    let fetch = |url: &str, host: &str| {
        place.run(&format!(
            "tools call http-fetch --input url={url} --allow-host {host}"
        ))
    };
    let link_local = fetch("http://169.254.169.254/latest", "169.254.0.0/16");
    let everything = fetch("http://168.63.129.16/machine", "0.0.0.0/0");
    let name = fetch("http://metadata.google.internal/", "169.254.169.254");
    place.check("platform_addresses", &[&link_local, &everything, &name]);
}
