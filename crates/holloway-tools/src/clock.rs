//! What time is it? The one place where production code asks.

use std::time::{SystemTime, UNIX_EPOCH};

use holloway_engine::ports::Clock;

/// The machine's own clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |passed| passed.as_millis() as u64)
    }
}

/// The day as people write it, such as `16 November 2026`.
pub(crate) fn today() -> String {
    let now = i64::try_from(SystemClock.now_ms()).unwrap_or_default();
    let now = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    now.strftime("%-d %B %Y").to_string()
}
