//! Which commands does a page of the documentation show? Blocks between fences, with a comment
//! before them, which a reader does not see, where they are not simply run.

/// A block with commands in it.
pub(super) struct Block {
    pub(super) place: String,
    pub(super) how: How,
    pub(super) commands: Vec<Command>,
}

/// What becomes of the commands of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Run, each with this exit code.
    Run(i32),
    /// Run in a folder in which nothing was made yet.
    Anew,
    /// Run by a person at a terminal, who chooses the first plan.
    AtTerminal,
    /// Run after a run of this plan was killed.
    AfterKill(String),
    /// Shows what can be written; only the commands are looked up.
    Synopsis,
    /// Cannot be run here.
    NotRun,
}

/// A line to be typed, and what the page shows below it.
#[derive(Debug, PartialEq)]
pub(super) struct Command {
    pub(super) typed: String,
    pub(super) shown: Vec<String>,
}

const PROGRAMS: [&str; 5] = ["holloway ", "python3 ", "make ", "cargo ", "scripts/"];

/// The blocks of a page that have commands in them.
pub(super) fn blocks(name: &str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut before = "";
    // What is open: nothing for a block in another language.
    let mut open: Option<Option<(usize, How, Vec<&str>)>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some("")) => open = Some(Some((number, how(before, name, number), Vec::new()))),
            (None, Some(_)) => open = Some(None),
            (Some(_), Some(_)) => {
                if let Some((number, how, lines)) = open.take().flatten() {
                    let commands = commands(&lines);
                    let place = format!("{name}:{number}");
                    if !commands.is_empty() {
                        blocks.push(Block {
                            place,
                            how,
                            commands,
                        });
                    }
                }
            }
            (Some(Some((_, _, lines))), None) => lines.push(line),
            (Some(None) | None, None) => {}
        }
        if !line.trim().is_empty() {
            before = line;
        }
    }
    blocks
}

fn how(comment: &str, name: &str, number: usize) -> How {
    let Some(said) = comment.strip_prefix("<!-- commands: ") else {
        return How::Run(0);
    };
    let said = said.strip_suffix(" -->").unwrap();
    if let Some(code) = said.strip_prefix("exit ") {
        return How::Run(code.parse().unwrap());
    }
    if let Some(plan) = said.strip_prefix("after a kill of ") {
        return How::AfterKill(plan.to_owned());
    }
    match said {
        "in a folder of their own" => How::Anew,
        "at a terminal" => How::AtTerminal,
        "synopsis" => How::Synopsis,
        said if said.starts_with("not run, ") => How::NotRun,
        said => panic!("{name}:{number}: nobody knows what `{said}` means"),
    }
}

fn commands(lines: &[&str]) -> Vec<Command> {
    let is_transcript = lines.iter().any(|line| line.starts_with("$ "));
    let mut commands: Vec<Command> = Vec::new();
    for line in lines {
        let typed = if is_transcript {
            line.strip_prefix("$ ")
        } else {
            let is_command = PROGRAMS.iter().any(|program| line.starts_with(program));
            is_command.then_some(*line)
        };
        match (typed, commands.last_mut()) {
            (Some(typed), _) => commands.push(Command {
                typed: without_comment(typed).to_owned(),
                shown: Vec::new(),
            }),
            (None, Some(command)) if is_transcript => command.shown.push((*line).to_owned()),
            (None, _) => {}
        }
    }
    commands
}

/// As a shell reads it.
fn without_comment(line: &str) -> &str {
    line.split(" # ").next().unwrap_or(line).trim_end()
}

/// Commands that stand within a sentence, as far as they are no placeholders.
pub(super) fn mentioned(text: &str) -> Vec<Vec<String>> {
    let outside: String = text.split("```").step_by(2).collect();
    let spans = outside.split('`').skip(1).step_by(2);
    spans
        .filter_map(|span| path_of(span.strip_prefix("holloway ")?))
        .collect()
}

/// The words that name a command: `runs show` of `runs show RUN`.
pub(super) fn path_of(words: &str) -> Option<Vec<String>> {
    let is_name = |word: &&str| {
        word.len() > 1
            && word
                .chars()
                .all(|letter| letter.is_ascii_lowercase() || letter == '-')
    };
    let path = words.split_whitespace().take_while(is_name);
    let path: Vec<String> = path
        .filter(|word| !word.starts_with('-'))
        .map(str::to_owned)
        .collect();
    (!path.is_empty()).then_some(path)
}

#[test]
fn blocks_are_found_with_what_is_said_before_them() {
    let text = "x\n```\nholloway a b   # c\nno command\n```\n<!-- commands: exit 2 -->\n\n```\n$ holloway c\nout\n```\n\
                ```toml\nholloway = 1\n```\n";
    let found = blocks("p", text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].commands[0].typed, "holloway a b");
    assert_eq!((&found[1].how, &*found[1].place), (&How::Run(2), "p:8"));
    assert_eq!(found[1].commands[0].shown, ["out"]);
    assert_eq!(
        mentioned("a `holloway runs show RUN` b"),
        [["runs", "show"]]
    );
}
