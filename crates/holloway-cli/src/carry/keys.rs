//! Which key was pressed, which line was typed? One key at a time, without the echo
//! and without waiting for a line; Ctrl-C still arrives as a signal. The terminal is
//! put back as it was found, however the waiting ends.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::form::Prompt;
use crate::print;

/// The terminal, giving single keys until dropped.
pub(crate) struct Keys {
    before: Termios,
}

impl Keys {
    pub(super) fn take() -> io::Result<Self> {
        Self::without(
            LocalModes::ICANON | LocalModes::ECHO,
            OptionalActions::Flush,
        )
    }

    /// Ctrl-C arrives as a key too: for before there is anybody to hear the signal. What was
    /// typed ahead counts.
    pub(crate) fn take_all() -> io::Result<Self> {
        let modes = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        Self::without(modes, OptionalActions::Now)
    }

    fn without(modes: LocalModes, when: OptionalActions) -> io::Result<Self> {
        let before = tcgetattr(stdin())?;
        let mut single = before.clone();
        single.local_modes -= modes;
        tcsetattr(stdin(), when, &single)?;
        Ok(Self { before })
    }

    /// A key, or nothing within the time.
    pub(crate) fn next(wait: Duration) -> io::Result<Option<char>> {
        let byte = byte(wait)?;
        Ok(byte.map(|byte| char::from(byte).to_ascii_lowercase()))
    }
}

/// What was typed first, or nothing within the time.
fn byte(wait: Duration) -> io::Result<Option<u8>> {
    if !has_input(wait)? {
        return Ok(None);
    }
    let mut byte = [0];
    match rustix::io::read(stdin(), &mut byte)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(byte.first().copied()),
    }
}

/// Whether something was typed within the time.
fn has_input(wait: Duration) -> io::Result<bool> {
    let terminal = stdin();
    let mut ready = [PollFd::new(&terminal, PollFlags::IN)];
    let wait = Timespec {
        tv_sec: wait.as_secs() as i64,
        tv_nsec: i64::from(wait.subsec_nanos()),
    };
    match poll(&mut ready, Some(&wait)) {
        Ok(0) | Err(rustix::io::Errno::INTR) => Ok(false),
        Ok(_) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// A line from the terminal; nothing at its end, or when it is not wanted any more.
pub(crate) fn line(look_every: Duration, wanted: impl Fn() -> bool) -> Option<String> {
    while wanted() {
        if has_input(look_every).ok()? {
            let mut line = String::new();
            return match io::stdin().read_line(&mut line) {
                Ok(1..) => Some(line),
                Ok(0) | Err(_) => None,
            };
        }
    }
    None
}

/// Asks on one line, with or without showing what is typed; nothing when the person stops, or
/// it is not wanted any more.
pub(crate) fn ask(
    prompt: &Prompt<'_>,
    look_every: Duration,
    wanted: impl Fn() -> bool,
) -> Option<String> {
    if !prompt.hidden {
        print::ask(prompt.text);
        return line(look_every, wanted);
    }
    let typed = {
        // Before anything is asked: whoever answers at once is not shown either. Ctrl-C is a key,
        // because the terminal would stay dumb were the program ended by the signal.
        let _keys = Keys::take_all().ok()?;
        print::ask(prompt.text);
        hidden_line(look_every, wanted)
    };
    print::note("");
    typed
}

/// What is typed up to the end of the line, while the terminal gives single keys.
fn hidden_line(look_every: Duration, wanted: impl Fn() -> bool) -> Option<String> {
    let mut typed: Vec<u8> = Vec::new();
    while wanted() {
        match byte(look_every).ok()? {
            None => {}
            Some(b'\n' | b'\r') => return String::from_utf8(typed).ok(),
            Some(3 | 4 | 27) => return None,
            Some(8 | 127) => rub_out(&mut typed),
            // Ctrl-U
            Some(21) => typed.clear(),
            Some(byte) => typed.push(byte),
        }
    }
    None
}

/// The last letter, whatever it is made of.
fn rub_out(typed: &mut Vec<u8>) {
    while let Some(byte) = typed.pop() {
        let goes_on = byte & 0b1100_0000 == 0b1000_0000;
        if !goes_on {
            break;
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_rubbed_out_whole() {
        let mut typed = "aé€".as_bytes().to_vec();
        rub_out(&mut typed);
        assert_eq!(typed, "aé".as_bytes());
        rub_out(&mut typed);
        assert_eq!(typed, b"a");
        rub_out(&mut typed);
        rub_out(&mut typed);
        assert!(typed.is_empty());
    }
}
