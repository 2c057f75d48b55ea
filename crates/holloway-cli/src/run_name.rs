//! How are runs named, and which one is meant? New names sort by time and can be
//! typed; on the command line the beginning of one is enough, or `last`.

use holloway_engine::entry::RunId;
use holloway_store::{Found, RunFilter, RunStatus, RunSummary, Store, StoreError};

use crate::error::CliError;
use crate::session::Session;

/// No letters that look like digits.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Letters for the seconds since 1970, enough for a thousand years, and for chance.
const TIME_LETTERS: u32 = 7;
const CHANCE_LETTERS: u32 = 4;

/// A name for a run that begins now.
pub(crate) fn new(now_ms: u64) -> Result<RunId, CliError> {
    let time = letters(now_ms / 1_000, TIME_LETTERS);
    let chance = letters(random()?, CHANCE_LETTERS);
    Ok(RunId::new(format!("r{time}{chance}")))
}

/// A number nobody can foresee.
pub(crate) fn random() -> Result<u64, CliError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        CliError::failed(
            "internal",
            format!("the system gives no random numbers: {error}"),
        )
        .hint("check that /dev/urandom can be read")
    })?;
    Ok(u64::from_le_bytes(bytes))
}

fn letters(number: u64, count: u32) -> String {
    let letter = |place: u32| {
        let digit = (number >> (5 * place)) & 31;
        LETTERS
            .get(digit as usize)
            .map_or('0', |letter| char::from(*letter))
    };
    (0..count).rev().map(letter).collect()
}

/// The run that a word on the command line means.
pub(crate) fn find(word: &str, session: &Session) -> Result<RunSummary, CliError> {
    let store = session.store()?;
    if word == "last" {
        let filter = RunFilter {
            limit: 1,
            ..RunFilter::default()
        };
        let newest = store.runs(&filter)?.into_iter().next().ok_or_else(|| {
            CliError::usage("run-unknown", "there are no runs yet")
                .hint("start one with `holloway run PLAN`")
        })?;
        return whole(newest, store);
    }
    match store.find_run(word)? {
        Found::One(summary) => whole(*summary, store),
        Found::Missing => Err(
            CliError::usage("run-unknown", format!("there is no run `{word}`"))
                .hint("`holloway runs` lists the runs; `last` means the newest"),
        ),
        Found::Ambiguous(runs) => {
            let runs: Vec<&str> = runs.iter().map(RunId::as_str).collect();
            Err(
                CliError::usage("run-ambiguous", format!("several runs begin with `{word}`"))
                    .hint(format!("say more: {}", runs.join(", "))),
            )
        }
    }
}

/// A run whose line in the list can be read.
fn whole(summary: RunSummary, store: &Store) -> Result<RunSummary, CliError> {
    if summary.status != RunStatus::Damaged {
        return Ok(summary);
    }
    let damage = StoreError::Damaged {
        file: store.folder().to_owned(),
        reason: format!(
            "the line of run `{}` in the list of runs cannot be read",
            summary.run
        ),
    };
    Err(damage.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time_and_differ() {
        let earlier = new(1_700_000_000_000).unwrap();
        let later = new(1_700_000_001_000).unwrap();
        assert!(earlier < later);
        assert_eq!(earlier.as_str().len(), 12);
        assert_ne!(later, new(1_700_000_001_000).unwrap());
    }
}
