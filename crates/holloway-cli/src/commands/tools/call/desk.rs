//! What does a tool have to say during a single call? Progress goes to stderr; a
//! question goes to the person, if one sits there, and is declined otherwise.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::ports::{CallListener, ToolAnswer, ToolProgress, ToolQuestion};

use crate::carry::{form, keys};
use crate::print;

/// How often it is looked whether something was typed.
const LOOK_EVERY: Duration = Duration::from_millis(100);

pub(super) struct Desk {
    quiet: bool,
    someone: bool,
}

impl Desk {
    pub(super) fn new(json: bool) -> Self {
        let someone = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        Self {
            quiet: json,
            someone: someone && !json,
        }
    }
}

#[async_trait]
impl CallListener for Desk {
    fn progress(&self, progress: ToolProgress) {
        if self.quiet {
            return;
        }
        let total = progress.total.map(|total| format!("/{total}"));
        let message = progress.message.unwrap_or_default();
        print::note(&format!(
            "· {}{} {}",
            progress.progress,
            total.unwrap_or_default(),
            print::one_line(&message, 100)
        ));
    }

    async fn ask(&self, question: ToolQuestion) -> ToolAnswer {
        if !self.someone {
            print::note("the tool asked a question; nobody is here, so it was declined");
            return ToolAnswer::Decline;
        }
        let answer = tokio::task::spawn_blocking(move || answer(&question)).await;
        answer.unwrap_or(ToolAnswer::Cancel)
    }
}

fn answer(question: &ToolQuestion) -> ToolAnswer {
    print::note(&format!("? {}", print::quoted(&question.message)));
    match typed("answer, decline or cancel? ").as_deref() {
        Some("a" | "answer" | "y" | "yes" | "") => {}
        Some("d" | "decline" | "n" | "no") => return ToolAnswer::Decline,
        _ => return ToolAnswer::Cancel,
    }
    let ask = |prompt: &form::Prompt<'_>| {
        if prompt.hidden {
            return keys::ask(prompt, LOOK_EVERY, || true);
        }
        typed(prompt.text)
    };
    form::fill(&question.schema, ask, print::note).map_or(ToolAnswer::Cancel, ToolAnswer::Accept)
}

/// A line from the person; nothing when they have gone.
fn typed(prompt: &str) -> Option<String> {
    let mut terminal = std::io::stderr();
    write!(terminal, "{prompt}")
        .and_then(|()| terminal.flush())
        .ok()?;
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim().to_owned())
}
