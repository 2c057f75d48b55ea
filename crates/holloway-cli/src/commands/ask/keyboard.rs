//! Which key does a person press? One at a time; a terminal that is gone, Ctrl-C and a request
//! to end all mean: stop.

use std::time::Duration;

use crate::carry::interrupts::Interrupts;
use crate::carry::keys::Keys;

pub(super) const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Ctrl-C, the end of input and the escape key, as they arrive from a terminal.
const STOPS: [char; 4] = ['\u{3}', '\u{4}', '\u{1b}', 'q'];

/// Waits for one of these keys; nothing when the person stops.
pub(super) fn one_of(keys: &[char], interrupts: &Interrupts) -> Option<char> {
    let _taken = Keys::take_all().ok()?;
    loop {
        if interrupts.heard() {
            return None;
        }
        match Keys::next(LOOK_EVERY) {
            Ok(Some(key)) if STOPS.contains(&key) => return None,
            Ok(Some('\r')) if keys.contains(&'\n') => return Some('\n'),
            Ok(Some(key)) if keys.contains(&key) => return Some(key),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}
