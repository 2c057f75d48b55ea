//! Which colours does a report use? Roles rather than values, so that paper, light and
//! dark screens can each choose. Series colours stay apart for colour-blind readers.

use crate::model::{Severity, Tone};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// Text that must be read.
    Ink,
    /// Text that helps.
    Muted,
    /// Lines that guide the eye.
    Grid,
    /// The empty part of a gauge.
    Track,
    Series(usize),
    Tone(Tone),
    Severity(Severity),
}

/// Blue, orange, teal, rose, violet, olive, sky, brown: they differ in lightness too.
const SERIES: [u32; 8] = [
    0x35_6fb8, 0xe0_8a1e, 0x1f_8f80, 0xc4_4f7d, 0x75_58c4, 0x8a_9a32, 0x58_a9d8, 0x8a_5a3c,
];

impl Colour {
    /// On white paper.
    pub(crate) fn on_paper(self) -> u32 {
        match self {
            Self::Ink => 0x1b_2433,
            Self::Muted => 0x5b_6678,
            Self::Grid => 0xe1_e5eb,
            Self::Track => 0xe6_e9ee,
            other => other.anywhere(),
        }
    }

    /// Where the background is unknown: dark enough for white, light enough for black.
    pub(crate) fn anywhere(self) -> u32 {
        match self {
            Self::Ink => 0x6b_7484,
            Self::Muted => 0x7a_8494,
            Self::Grid => 0x8a_94a4,
            Self::Track => 0x8a_94a4,
            Self::Series(index) => SERIES
                .get(index % SERIES.len())
                .copied()
                .unwrap_or_default(),
            Self::Tone(Tone::Good) => 0x1a_8f6e,
            Self::Tone(Tone::Fair) => 0xd0_8a0c,
            Self::Tone(Tone::Poor) => 0xc9_402f,
            Self::Tone(Tone::Neutral) => 0x35_6fb8,
            Self::Severity(Severity::Critical) => 0x9b_1c3c,
            Self::Severity(Severity::Serious) => 0xd9_6a2e,
            Self::Severity(Severity::Moderate) => 0xe0_b03c,
            Self::Severity(Severity::Minor) => 0x7f_a3cc,
        }
    }

    /// The class by which a style sheet can choose another value.
    pub(crate) fn class(self) -> Option<&'static str> {
        match self {
            Self::Ink => Some("ink"),
            Self::Muted => Some("muted"),
            Self::Grid => Some("grid"),
            Self::Track => Some("track"),
            _ => None,
        }
    }
}

pub(crate) fn hex(colour: u32) -> String {
    format!("#{colour:06x}")
}
