//! Which settings can plans be made with? A file that came with a project sets them too, so
//! numbers, names and lists have bounds; the first that is broken is told by its key.

use std::ops::RangeInclusive;

use super::{GenerateSettings, Profile, Strategy};

/// One plan each: more than this nobody compares.
const STRATEGIES: RangeInclusive<usize> = 1..=8;
/// Of a strategy's name, in characters.
const NAME: RangeInclusive<usize> = 1..=40;
/// Of a folder's.
const FOLDER: RangeInclusive<usize> = 1..=200;
const STEPS: RangeInclusive<usize> = 1..=200;
const DEEPEST: RangeInclusive<usize> = 0..=8;
const FALLBACKS: RangeInclusive<usize> = 0..=5;
const LOOP_CONCURRENCY: RangeInclusive<usize> = 1..=64;
const LOOP_ITEMS: RangeInclusive<usize> = 1..=100_000;
/// Only how weights stand to each other counts.
const WEIGHT_AT_MOST: f64 = 1_000.0;

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` {problem}")]
pub struct BadSetting {
    /// Below `planning`: `profiles.speed.cost`.
    pub key: String,
    pub problem: String,
}

fn bad<T>(key: impl Into<String>, problem: String) -> Result<T, BadSetting> {
    let key = key.into();
    Err(BadSetting { key, problem })
}

impl GenerateSettings {
    /// Whether plans can be made with these.
    pub fn check(&self) -> Result<(), BadSetting> {
        within(
            "strategies",
            "strategies",
            self.strategies.len(),
            &STRATEGIES,
        )?;
        for (place, strategy) in self.strategies.iter().enumerate() {
            check_strategy(strategy)?;
            let before = self.strategies.iter().take(place);
            if before.into_iter().any(|known| known.name == strategy.name) {
                let problem = format!("has two strategies of the name `{}`", strategy.name);
                return bad("strategies", problem);
            }
        }
        let profiles = &self.profiles;
        check_profile("balanced", &profiles.balanced)?;
        check_profile("speed", &profiles.speed)?;
        check_profile("cost", &profiles.cost)?;
        check_profile("fidelity", &profiles.fidelity)?;
        within("deepest", "", self.deepest, &DEEPEST)?;
        within("fallbacks", "", self.fallbacks, &FALLBACKS)?;
        within(
            "loop_concurrency",
            "",
            self.loop_concurrency,
            &LOOP_CONCURRENCY,
        )?;
        within("loop_items", "", self.loop_items, &LOOP_ITEMS)?;
        within("folder", "characters", self.folder.chars().count(), &FOLDER)?;
        if self.folder.chars().any(char::is_control) {
            return bad("folder", "has characters that cannot be seen".to_owned());
        }
        Ok(())
    }
}

fn within(
    key: &str,
    what: &str,
    found: usize,
    range: &RangeInclusive<usize>,
) -> Result<(), BadSetting> {
    if range.contains(&found) {
        return Ok(());
    }
    let (least, most) = (range.start(), range.end());
    let problem = match what {
        "" => format!("is {found}; it goes from {least} to {most}"),
        what => format!("has {found} {what}; it takes {least} to {most}"),
    };
    bad(key, problem)
}

fn check_strategy(strategy: &Strategy) -> Result<(), BadSetting> {
    let Strategy { name, steps, .. } = strategy;
    let length = name.chars().count();
    if !NAME.contains(&length) {
        let (least, most) = (NAME.start(), NAME.end());
        let problem = format!("has a name of {length} characters; it takes {least} to {most}");
        return bad("strategies", problem);
    }
    let fits = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
    if !name.chars().all(fits) || name.trim() != name || name.parse::<u64>().is_ok() {
        let problem = format!(
            "has the name {name:?}; names are of letters, digits, blanks, `-`, `_` and `.`, and no mere numbers"
        );
        return bad("strategies", problem);
    }
    if !STEPS.contains(steps) {
        let (least, most) = (STEPS.start(), STEPS.end());
        let problem = format!("has {steps} steps for `{name}`; they go from {least} to {most}");
        return bad("strategies", problem);
    }
    Ok(())
}

fn check_profile(name: &str, profile: &Profile) -> Result<(), BadSetting> {
    let weights = [
        ("fidelity", profile.fidelity),
        ("speed", profile.speed),
        ("cost", profile.cost),
    ];
    for (field, weight) in weights {
        if !(0.0..=WEIGHT_AT_MOST).contains(&weight) {
            let key = format!("profiles.{name}.{field}");
            let problem = format!("is {weight}; weights go from 0 to {WEIGHT_AT_MOST}");
            return bad(key, problem);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::constraints::Priority;

    #[track_caller]
    fn check(change: impl FnOnce(&mut GenerateSettings), expected: &str) {
        let mut settings = GenerateSettings::default();
        change(&mut settings);
        let found = settings.check().err().map(|error| error.to_string());
        assert_eq!(found.unwrap_or_default(), expected);
    }

    fn named(name: &str) -> Strategy {
        Strategy {
            name: name.to_owned(),
            steps: 5,
            prefers: Priority::Cost,
        }
    }

    #[test]
    fn usual_settings_can_be_used() {
        check(|_| {}, "");
        check(|settings| settings.strategies = vec![named("eco 2")], "");
        check(|settings| settings.profiles.cost.speed = 0.0, "");
    }

    #[test]
    fn numbers_have_bounds() {
        check(
            |settings| settings.deepest = 9,
            "`deepest` is 9; it goes from 0 to 8",
        );
        check(
            |settings| settings.fallbacks = usize::MAX,
            "`fallbacks` is 18446744073709551615; it goes from 0 to 5",
        );
        check(
            |settings| settings.loop_concurrency = 0,
            "`loop_concurrency` is 0; it goes from 1 to 64",
        );
        check(
            |settings| settings.loop_items = 100_001,
            "`loop_items` is 100001; it goes from 1 to 100000",
        );
        check(
            |settings| settings.folder = "x".repeat(201),
            "`folder` has 201 characters; it takes 1 to 200",
        );
        check(
            |settings| settings.folder = "a\nb".to_owned(),
            "`folder` has characters that cannot be seen",
        );
    }

    #[test]
    fn weights_are_numbers_from_nought() {
        check(
            |settings| settings.profiles.speed.cost = f64::NAN,
            "`profiles.speed.cost` is NaN; weights go from 0 to 1000",
        );
        check(
            |settings| settings.profiles.balanced.fidelity = f64::INFINITY,
            "`profiles.balanced.fidelity` is inf; weights go from 0 to 1000",
        );
        check(
            |settings| settings.profiles.fidelity.speed = -0.1,
            "`profiles.fidelity.speed` is -0.1; weights go from 0 to 1000",
        );
    }

    #[test]
    fn strategies_are_few_and_told_apart() {
        check(
            |settings| settings.strategies.clear(),
            "`strategies` has 0 strategies; it takes 1 to 8",
        );
        check(
            |settings| settings.strategies = vec![named("a"); 9],
            "`strategies` has 9 strategies; it takes 1 to 8",
        );
        check(
            |settings| settings.strategies = vec![named("a"), named("a")],
            "`strategies` has two strategies of the name `a`",
        );
        check(
            |settings| settings.strategies = vec![named(&"x".repeat(41))],
            "`strategies` has a name of 41 characters; it takes 1 to 40",
        );
        for name in ["7", " a", "a\u{1b}b", "a/b"] {
            let told = format!(
                "`strategies` has the name {name:?}; names are of letters, digits, blanks, `-`, `_` and `.`, and no mere numbers"
            );
            check(|settings| settings.strategies = vec![named(name)], &told);
        }
        let many = Strategy {
            steps: 0,
            ..named("a")
        };
        check(
            |settings| settings.strategies = vec![many],
            "`strategies` has 0 steps for `a`; they go from 1 to 200",
        );
    }
}
