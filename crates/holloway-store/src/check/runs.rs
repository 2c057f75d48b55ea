//! Is every run whole? Its line, its plan, each entry with its number and checksum, and every
//! large result that an entry names. What follows the first damage is not looked at.

use std::collections::{BTreeMap, BTreeSet};

use holloway_engine::entry::{Entry, RunId};
use holloway_engine::spill::blobs_of;
use rusqlite::types::{FromSql as _, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::super::journal::{OTHER_TIME, SEQ_BITS, place, seq_at, sum};
use super::super::status::RunStatus;
use super::blobs::Blobs;
use super::rows::{Columns, rows};
use super::{Damage, RunReport};

pub(super) fn check(connection: &Connection, blobs: &mut Blobs) -> Vec<RunReport> {
    let (lines, _) = rows(connection, "runs");
    let with_id = lines
        .into_iter()
        .filter_map(|line| Some((line.number("id")?, line)));
    let lines: BTreeMap<i64, Columns> = with_id.collect();
    let mut ids: BTreeSet<i64> = lines.keys().copied().collect();
    ids.extend(ids_of_entries(connection));
    ids.into_iter()
        .map(|id| one(connection, id, lines.get(&id), blobs))
        .collect()
}

/// The runs that entries belong to: a run's own line may be lost.
fn ids_of_entries(connection: &Connection) -> Vec<i64> {
    let next = |from: i64| -> rusqlite::Result<Option<i64>> {
        connection
            .prepare_cached("SELECT place FROM entries WHERE place >= ?1 ORDER BY place LIMIT 1")?
            .query_row([from], |row| row.get(0))
            .optional()
    };
    let mut ids = Vec::new();
    let mut from = 0;
    while let Ok(Some(found)) = next(from) {
        let id = found >> SEQ_BITS;
        ids.push(id);
        from = place(id.saturating_add(1), 0);
    }
    ids
}

fn one(connection: &Connection, id: i64, line: Option<&Columns>, blobs: &mut Blobs) -> RunReport {
    let name = line.and_then(|line| line.text("run"));
    let run = RunId::new(name.unwrap_or_default());
    let mut entries = 0;
    let mut status = RunStatus::Created;
    let mut damage = of_line(&run, line);
    if name.is_some() {
        let found = each_entry(connection, &run, id, |entry, _| {
            for digest in blobs_of(&entry) {
                if let Some(wrong) = blobs.damage(digest) {
                    let start: String = digest.chars().take(12).collect();
                    return Err(format!("its large result {start}… {wrong}"));
                }
            }
            entries = entry.seq;
            status = RunStatus::after(&entry).unwrap_or(status);
            Ok(())
        });
        damage = damage.or(found.err());
        // A torn table may show fewer entries than there were, and no other sign of it.
        let listed = line
            .and_then(|line| line.text("status"))
            .unwrap_or_default();
        if damage.is_none() && listed != status.as_str() {
            damage = Some(Damage {
                entry: Some(entries + 1),
                reason: format!("is missing: the run is listed as {listed}"),
            });
        }
    }
    RunReport {
        run: name.map_or_else(|| format!("run number {id}"), str::to_owned),
        entries,
        damage,
        id,
    }
}

/// What is wrong with a run's own line.
fn of_line(run: &RunId, line: Option<&Columns>) -> Option<Damage> {
    let damage = |reason: &str| {
        Some(Damage {
            entry: None,
            reason: reason.to_owned(),
        })
    };
    let Some(line) = line else {
        return damage("its line in the list of runs cannot be read");
    };
    if let Some(column) = line.garbled() {
        return damage(&format!("its `{column}` is no text"));
    }
    let Some(plan) = line.text("plan_json") else {
        return damage("its plan cannot be read");
    };
    if line.number("plan_sum") != Some(sum(run, 0, plan)) {
        return damage("its plan does not match its checksum");
    }
    let status = line.text("status").unwrap_or_default();
    if RunStatus::column_result(ValueRef::Text(status.as_bytes())).is_err() {
        return damage("its status is none that there is");
    }
    None
}

/// Shows `see` the entries of a run, each with its JSON, up to the first that is damaged.
pub(in super::super) fn each_entry(
    connection: &Connection,
    run: &RunId,
    id: i64,
    mut see: impl FnMut(Entry, &str) -> Result<(), String>,
) -> Result<(), Damage> {
    let mut next = 1;
    let mut read = || -> rusqlite::Result<Option<String>> {
        let mut select = connection.prepare_cached(
            "SELECT place, sum, body, at_ms FROM entries
             WHERE place > ?1 AND place < ?2 ORDER BY place",
        )?;
        let mut rows = select.query(params![place(id, 0), place(id + 1, 0)])?;
        while let Some(row) = rows.next()? {
            let (at, expected, body): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let at_ms: i64 = row.get(3)?;
            let wrong = if seq_at(at) != next {
                Some("is missing".to_owned())
            } else if sum(run, next, &body) != expected {
                Some("does not match its checksum".to_owned())
            } else {
                let entry = serde_json::from_str::<Entry>(&body);
                let entry = entry.map_err(|error| format!("cannot be read: {error}"));
                let seen = entry.and_then(|entry| {
                    if entry.at as i64 == at_ms {
                        see(entry, &body)
                    } else {
                        Err(OTHER_TIME.to_owned())
                    }
                });
                seen.err()
            };
            if wrong.is_some() {
                return Ok(wrong);
            }
            next += 1;
        }
        Ok(None)
    };
    let wrong = read().unwrap_or_else(|error| Some(format!("cannot be read: {error}")));
    match wrong {
        None => Ok(()),
        Some(reason) => Err(Damage {
            entry: Some(next),
            reason,
        }),
    }
}
