//! Was it what the person wanted? Only they can say; what follows from it is for the flow.

use std::io::IsTerminal as _;

use holloway_flow::remember::Outcome;

use super::keyboard;
use crate::carry::interrupts::Interrupts;
use crate::error::CliError;
use crate::print;
use crate::session::Session;

/// Asks the person at the terminal, where there is one.
pub(super) fn ask(
    may_ask: bool,
    interrupts: Option<&Interrupts>,
    session: &Session,
) -> Result<Outcome, CliError> {
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !terminal || session.json || !may_ask || !session.config()?.settings.ask.question {
        return Ok(Outcome::Unasked);
    }
    let listening = match interrupts {
        Some(interrupts) => interrupts.clone(),
        None => Interrupts::listen()?,
    };
    print::ask("Was this what you wanted? [Y/n] ");
    let key = keyboard::one_of(&['y', 'n', '\n'], &listening);
    print::note(match key {
        Some('n') => "no: it is not learned from; `holloway plan` with other words may do better",
        Some(_) => "yes",
        None => "",
    });
    // Without an answer nothing is learned, as after a no.
    Ok(match key {
        Some('n') | None => Outcome::Refused,
        Some(_) => Outcome::Confirmed,
    })
}
