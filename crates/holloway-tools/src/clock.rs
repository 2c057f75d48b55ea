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
