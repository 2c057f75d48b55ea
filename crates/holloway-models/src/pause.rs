//! When is the same request made again? After failures that pass by themselves, each time
//! twice as long, as long as the provider asks, and never past the end of the call.

use std::time::Duration;

use holloway_engine::model::ModelFailure;

/// How often and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pauses {
    /// How often the same is tried again.
    pub most: u32,
    /// Before the first time.
    pub first: Duration,
    /// The longest that is waited without being asked to.
    pub longest: Duration,
}

impl Default for Pauses {
    fn default() -> Self {
        Self {
            most: 3,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(8),
        }
    }
}

impl Pauses {
    /// How long to wait before the next try, if there is to be one. `tried` counts the
    /// tries so far, `left` is what remains of the call's time.
    pub fn before_next(
        &self,
        failure: &ModelFailure,
        tried: u32,
        left: Duration,
    ) -> Option<Duration> {
        if tried > self.most || !failure.retryable() {
            return None;
        }
        let doubled = self
            .first
            .saturating_mul(1 << tried.saturating_sub(1).min(16));
        let own = doubled.min(self.longest);
        let asked = match failure {
            ModelFailure::RateLimited { retry_after, .. } => *retry_after,
            _ => None,
        };
        // Whoever is told when to come back comes neither sooner nor much later.
        let pause = asked.unwrap_or(own);
        (pause < left).then_some(pause)
    }
}

/// What `retry-after-ms` and `retry-after` say; dates are left to our own pauses.
pub(crate) fn asked_for(header: impl Fn(&str) -> Option<String>) -> Option<Duration> {
    let number = |name: &str| header(name)?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms")
        .map(|ms| ms / 1_000.0)
        .or_else(|| number("retry-after"));
    Duration::try_from_secs_f64(seconds?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSES: Pauses = Pauses {
        most: 3,
        first: Duration::from_millis(100),
        longest: Duration::from_millis(300),
    };

    #[track_caller]
    fn check(failure: &ModelFailure, tried: u32, left_ms: u64, expected_ms: Option<u64>) {
        let pause = PAUSES.before_next(failure, tried, Duration::from_millis(left_ms));
        assert_eq!(
            pause,
            expected_ms.map(Duration::from_millis),
            "{failure:?} {tried} {left_ms}"
        );
    }

    fn server() -> ModelFailure {
        ModelFailure::Server {
            status: 503,
            message: String::new(),
        }
    }

    fn limited(after_ms: Option<u64>) -> ModelFailure {
        ModelFailure::RateLimited {
            retry_after: after_ms.map(Duration::from_millis),
            message: String::new(),
        }
    }

    #[test]
    fn pauses_double_up_to_the_longest() {
        for (tried, pause) in [(1, Some(100)), (2, Some(200)), (3, Some(300)), (4, None)] {
            check(&server(), tried, 10_000, pause);
        }
        check(
            &ModelFailure::Unreachable(String::new()),
            1,
            10_000,
            Some(100),
        );
    }

    #[test]
    fn the_provider_says_when_to_come_back() {
        check(&limited(Some(5_000)), 1, 10_000, Some(5_000));
        check(&limited(Some(0)), 3, 10_000, Some(0));
        check(&limited(None), 1, 10_000, Some(100));
        check(&limited(Some(5_000)), 1, 5_000, None);
        check(&server(), 1, 100, None);
    }

    #[test]
    fn what_does_not_pass_is_not_tried_again() {
        for failure in [
            ModelFailure::Refused {
                status: 401,
                message: String::new(),
            },
            ModelFailure::BadRequest {
                status: 400,
                message: String::new(),
            },
            ModelFailure::TimedOut(Duration::ZERO),
            ModelFailure::NoKey(String::new()),
            ModelFailure::Unreadable(String::new()),
        ] {
            check(&failure, 1, 10_000, None);
        }
    }

    #[test]
    fn headers_in_seconds_and_milliseconds() {
        let asked = |name: &'static str, value: &'static str| {
            asked_for(move |wanted| (wanted == name).then(|| value.to_owned()))
        };
        assert_eq!(asked("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(
            asked("retry-after", "0.5"),
            Some(Duration::from_millis(500))
        );
        assert_eq!(
            asked("retry-after-ms", "250"),
            Some(Duration::from_millis(250))
        );
        for value in ["-1", "NaN", "1e300", "Wed, 21 Oct 2026 07:28:00 GMT", ""] {
            assert_eq!(asked("retry-after", value), None, "{value}");
        }
    }
}
