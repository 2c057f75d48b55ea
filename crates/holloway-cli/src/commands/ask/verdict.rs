//! Was it what the person wanted? Only they can say; what they did not want is not remembered.

use std::io::IsTerminal as _;

use super::keyboard;
use crate::carry::interrupts::Interrupts;
use crate::error::CliError;
use crate::print;
use crate::session::Session;

/// Asks the person at the terminal. Where nobody can be asked, a run that reached its goal counts.
pub(super) fn is_wanted(
    may_ask: bool,
    interrupts: Option<&Interrupts>,
    session: &Session,
) -> Result<bool, CliError> {
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !terminal || session.json || !may_ask || !session.config()?.settings.ask.question {
        return Ok(true);
    }
    let listening = match interrupts {
        Some(interrupts) => interrupts.clone(),
        None => Interrupts::listen()?,
    };
    print::ask("Was this what you wanted? [Y/n] ");
    let key = keyboard::one_of(&['y', 'n', '\n'], &listening);
    let wanted = key.is_some_and(|key| key != 'n');
    print::note(match key {
        Some('n') => "no: it is not learned from; `holloway plan` with other words may do better",
        Some(_) => "yes",
        None => "",
    });
    Ok(wanted)
}
