//! Every command line that README.md and docs/*.md show runs as it is written, in a copy of what
//! the repository brings, beside the demo servers. Only the ports of these are others, so that
//! tests can run side by side.

mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use crate::place::{Place, Ran, wait_for};
use page::{Block, Command, How, blocks, mentioned, path_of};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages, by name.
fn pages() -> BTreeMap<String, String> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().flatten();
    let mut names: Vec<PathBuf> = docs.map(|file| file.path()).collect();
    names.push(root().join("README.md"));
    names.retain(|name| name.extension().is_some_and(|end| end == "md"));
    let pages = names.into_iter().map(|path| {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        (name, std::fs::read_to_string(path).unwrap())
    });
    pages.collect()
}

/// A copy of what commands use, and the servers that were started there.
struct Stage {
    place: Place,
    ports: BTreeMap<&'static str, u16>,
    servers: Vec<Child>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        for server in &mut self.servers {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

impl Stage {
    fn set() -> Self {
        let place = Place::new();
        for folder in ["examples", "demos"] {
            copy(&root().join(folder), &place.path(folder));
        }
        let free = || TcpListener::bind("127.0.0.1:0").unwrap();
        // Both are held until both are known, so that they differ.
        let (first, second) = (free(), free());
        let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
        let ports = BTreeMap::from([("8080", port(&first)), ("8081", port(&second))]);
        Self {
            place,
            ports,
            servers: Vec::new(),
        }
    }

    fn here(&self, typed: &str) -> String {
        let mut here = typed.to_owned();
        for (written, port) in &self.ports {
            here = here.replace(written, &port.to_string());
        }
        // The words of a command are held together by single quotes.
        if here.contains('\'') {
            here
        } else {
            here.replace('"', "'")
        }
    }

    fn play(&mut self, block: &Block) {
        if let How::AfterKill(plan) = &block.how {
            let going = self.place.start(&format!("run {plan} --quiet"));
            self.place
                .wait_for_run("a step that takes its time", |shown| {
                    let entries = shown["trace"]["entries"].as_array().unwrap();
                    entries.len() > 1 && entries[1]["status"] == "running"
                });
            going.kill();
        }
        for command in &block.commands {
            let typed = self.here(&command.typed);
            let place = &block.place;
            match typed.strip_prefix("holloway ") {
                None => self.serve(&typed, place),
                Some(typed) if block.how == How::AtTerminal => self.choose(typed, place),
                Some(typed) => {
                    let ran = self.place.run(typed);
                    let expected = if let How::Run(code) = block.how {
                        code
                    } else {
                        0
                    };
                    assert_eq!(ran.code, Some(expected), "{place}: {ran}");
                    has_shown(command, &ran, place);
                }
            }
        }
    }

    /// Starts a demo server, and waits until it listens.
    fn serve(&mut self, typed: &str, place: &str) {
        let words = typed.strip_suffix(" &");
        let words = words.unwrap_or_else(|| panic!("{place}: this would never end: {typed}"));
        let mut words = words.split(' ');
        let mut command = std::process::Command::new(words.next().unwrap());
        command.args(words.clone()).current_dir(self.place.path(""));
        let port: u16 = words.next_back().unwrap().parse().unwrap();
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            // A block before it has started the same server.
            return;
        }
        let quiet = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.servers.push(quiet.spawn().unwrap());
        wait_for(typed, || TcpStream::connect(("127.0.0.1", port)).ok());
    }

    /// The first plan is chosen; what is asked afterwards is answered with yes.
    fn choose(&self, typed: &str, place: &str) {
        let terminal = self.place.at_terminal(typed, 120, &[]);
        terminal.wait_for("let Holloway decide");
        terminal.press("1");
        terminal.wait_for("file:");
        terminal.wait_for("look deeper");
        terminal.press("y");
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(0), "{place}: {screen}");
    }
}

/// What a page shows below a command is what the command says, but for times and names of runs.
fn has_shown(command: &Command, ran: &Ran, place: &str) {
    let said = format!("{}\n{}", ran.stderr, ran.stdout);
    let said: BTreeSet<String> = said.lines().map(settled).collect();
    for line in command.shown.iter().map(|line| settled(line)) {
        let is_told = line.is_empty() || line == "…" || said.contains(&line);
        assert!(is_told, "{place}: the page shows `{line}`; {ran}");
    }
}

/// A line without what differs from run to run.
fn settled(line: &str) -> String {
    let is_time = |word: &str| {
        let number = word.trim_end_matches(['m', 's', 'h']);
        word.starts_with(|first: char| first.is_ascii_digit())
            && (number.len() < word.len() || word.contains([':', '-']))
    };
    let is_run = |word: &str| word.len() == 12 && word.starts_with("r1");
    let words = line.split_whitespace();
    let words = words.map(|word| {
        if is_time(word) || is_run(word) {
            "~"
        } else {
            word
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(file.file_name());
        if file.file_type().unwrap().is_dir() {
            copy(&file.path(), &target);
        } else {
            std::fs::copy(file.path(), target).unwrap();
        }
    }
}

#[test]
fn the_commands_of_the_readme_run_as_written() {
    play("README.md");
}

#[test]
fn the_commands_of_the_documentation_run_as_written() {
    for name in pages().keys().filter(|name| *name != "README.md") {
        play(name);
    }
}

fn play(name: &str) {
    let blocks = blocks(name, &pages()[name]);
    let is_run = |block: &&Block| !matches!(block.how, How::Synopsis | How::NotRun);
    let mut stage = None;
    for block in blocks.iter().filter(is_run) {
        if block.how == How::Anew {
            stage = None;
        }
        stage.get_or_insert_with(Stage::set).play(block);
    }
}

#[test]
fn what_is_not_run_is_counted() {
    let mut counts = Vec::new();
    for (name, text) in pages() {
        let (mut run, mut synopses, mut not_run) = (0, 0, 0);
        for block in blocks(&name, &text) {
            let count = match block.how {
                How::Synopsis => &mut synopses,
                How::NotRun => &mut not_run,
                _ => &mut run,
            };
            *count += block.commands.len();
        }
        if run + synopses + not_run > 0 {
            counts.push(format!(
                "{name}: {run} run, {synopses} looked up, {not_run} not run"
            ));
        }
    }
    insta::assert_snapshot!(counts.join("\n"));
}

#[test]
fn every_command_that_is_mentioned_is_there() {
    let mut paths = BTreeSet::new();
    for (name, text) in pages() {
        for path in mentioned(&text) {
            paths.insert((path, name.clone()));
        }
        for block in blocks(&name, &text) {
            let commands = block.commands.iter().filter(|_| block.how == How::Synopsis);
            for words in commands.filter_map(|command| command.typed.strip_prefix("holloway ")) {
                // `runs pause|cancel RUN` names two commands; what is in brackets may be left out.
                // What follows after a wide space explains it.
                let words = words.split("  ").next().unwrap_or_default();
                let words = words.replace(['[', ']', '|'], " | ");
                let path = path_of(words.split('|').next().unwrap_or_default());
                paths.extend(path.map(|path| (path, block.place.clone())));
            }
        }
    }
    let place = Place::new();
    let mut looked_up: BTreeMap<Vec<String>, bool> = BTreeMap::new();
    for (path, page) in paths {
        let is_there = *looked_up
            .entry(path.clone())
            .or_insert_with(|| place.run(&format!("{} --help", path.join(" "))).code == Some(0));
        assert!(
            is_there,
            "{page}: there is no command `holloway {}`",
            path.join(" ")
        );
    }
    assert!(looked_up.len() > 20, "{looked_up:?}");
}
