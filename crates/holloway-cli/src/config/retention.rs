//! How long are runs kept? For ever, unless the configuration or a command says otherwise.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The `[retention]` table. With both, a run goes only when it is older and not among the newest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Retention {
    /// Only runs whose last entry is older than this go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) older_than: Option<Age>,
    /// The newest so many stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keep: Option<usize>,
}

impl Retention {
    pub(crate) fn is_empty(&self) -> bool {
        self.older_than.is_none() && self.keep.is_none()
    }

    /// The time before which runs go.
    pub(crate) fn before(&self, now_ms: u64) -> Option<u64> {
        self.older_than.map(|age| now_ms.saturating_sub(age.ms))
    }
}

/// A time such as `30d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Age {
    count: u64,
    unit: Unit,
    ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Minutes,
    Hours,
    Days,
    Weeks,
}

impl Unit {
    const ALL: [Self; 4] = [Self::Minutes, Self::Hours, Self::Days, Self::Weeks];

    fn letter(self) -> char {
        match self {
            Self::Minutes => 'm',
            Self::Hours => 'h',
            Self::Days => 'd',
            Self::Weeks => 'w',
        }
    }

    fn minutes(self) -> u64 {
        match self {
            Self::Minutes => 1,
            Self::Hours => 60,
            Self::Days => 24 * 60,
            Self::Weeks => 7 * 24 * 60,
        }
    }
}

impl FromStr for Age {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("`{text}` is not a time such as 90m, 12h, 30d or 8w");
        let mut letters = text.trim().chars();
        let letter = letters.next_back().ok_or_else(refused)?;
        let unit = Unit::ALL.into_iter().find(|unit| unit.letter() == letter);
        let unit = unit.ok_or_else(refused)?;
        let count: u64 = letters.as_str().parse().map_err(|_| refused())?;
        let minutes = count.checked_mul(unit.minutes());
        let ms = minutes.and_then(|minutes| minutes.checked_mul(60_000));
        Ok(Self {
            count,
            unit,
            ms: ms.ok_or_else(refused)?,
        })
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, self.unit.letter())
    }
}

impl Serialize for Age {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Age {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_a_number_and_a_letter() {
        let ms = |text: &str| text.parse::<Age>().map(|age| age.ms).ok();
        assert_eq!(ms("90m"), Some(5_400_000));
        assert_eq!(ms("12h"), Some(43_200_000));
        assert_eq!(ms("30d"), Some(2_592_000_000));
        assert_eq!(ms("1w"), ms("7d"));
        assert_eq!(ms("0d"), Some(0));
        for text in [
            "",
            "d",
            "30",
            "-1d",
            "1.5d",
            "30 days",
            "99999999999999999w",
            "3ü",
        ] {
            assert_eq!(ms(text), None, "{text}");
        }
        assert_eq!("8w".parse::<Age>().unwrap().to_string(), "8w");
    }
}
