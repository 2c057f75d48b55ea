//! How are times, sizes and prices said? Short, with the unit a person would use.

use holloway_engine::trace::time_text;

/// `850ms`, `1.2s`, `3m 05s`, `2h 10m`.
pub(crate) fn duration(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0 => format!("{ms}ms"),
        1..60 => format!("{}.{}s", seconds, ms % 1_000 / 100),
        60..3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// `2026-03-01 12:00:05` in UTC.
pub(crate) fn moment(at_ms: u64) -> String {
    let text = time_text(at_ms);
    text.get(..19)
        .map_or(text.clone(), |text| text.replace('T', " "))
}

/// `$0.0012`.
pub(crate) fn money(dollars: f64) -> String {
    if dollars < 0.01 {
        format!("${dollars:.4}")
    } else {
        format!("${dollars:.2}")
    }
}

/// `512.0 kB`.
pub(crate) fn bytes(number: u64) -> String {
    match number {
        0..1_000 => format!("{number} B"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        _ => format!("{:.1} MB", number as f64 / 1e6),
    }
}

/// `1 step`, `3 steps`.
pub(crate) fn count(number: usize, word: &str) -> String {
    match number {
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_the_unit_of_their_size() {
        let shown: Vec<String> = [0, 999, 1_250, 59_999, 60_000, 185_000, 7_800_000]
            .map(duration)
            .into();
        let expected = [
            "0ms", "999ms", "1.2s", "59.9s", "1m 00s", "3m 05s", "2h 10m",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn moments_are_plain() {
        assert_eq!(moment(1_772_366_405_123), "2026-03-01 12:00:05");
    }
}
