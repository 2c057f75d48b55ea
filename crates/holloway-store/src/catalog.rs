//! Which sources and tools are there, and which names were added? What was
//! decided about them is kept here as it was decided.
//!
//! Invariant: a tool is only ever read as it was written, by its checksum. Its
//! health is not part of it: that follows from its signs each time it is read.

mod asked;
mod record;
mod signs;

use holloway_flow::catalog::health::{Health, health_of};
use holloway_flow::catalog::known::Known;
use holloway_flow::catalog::{CatalogTool, SourceId, SourceRecord};
use rusqlite::{Connection, params};

use self::record::Record;
pub(super) use self::record::sum as record_sum;
use super::writer::Failure;
use super::{Store, StoreError};

impl Store {
    /// All sources by id. Blocks.
    pub fn sources(&self) -> Result<Vec<SourceRecord>, StoreError> {
        let rows = self.read(|connection| {
            record::select(
                connection,
                "SELECT id, sum, source_json FROM sources ORDER BY id",
                [],
            )
        })?;
        self.open_records("source", rows)
    }

    /// Adds a source, or replaces what is known about it; its tools stay. Blocks.
    pub fn put_source(&self, source: &SourceRecord) -> Result<(), StoreError> {
        let record = Record::of("source", source.id.as_str(), source)?;
        self.writer().change_blocking(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO sources (id, sum, source_json) VALUES (?1, ?2, ?3)
                     ON CONFLICT (id) DO UPDATE
                     SET sum = excluded.sum, source_json = excluded.source_json
                     WHERE (sum, source_json) <> (excluded.sum, excluded.source_json)",
                )?
                .execute(params![record.id, record.sum, record.json])?;
            Ok(())
        }))
    }

    /// Removes a source with its tools and their signs; says whether there was one. Blocks.
    pub fn remove_source(&self, source: &SourceId) -> Result<bool, StoreError> {
        let source = source.as_str().to_owned();
        self.remove(move |connection| {
            connection.execute(
                "DELETE FROM signs WHERE tool IN (SELECT id FROM tools WHERE source = ?1)",
                [&source],
            )?;
            connection.execute("DELETE FROM tools WHERE source = ?1", [&source])?;
            connection.execute("DELETE FROM sources WHERE id = ?1", [&source])
        })
    }

    /// All tools by id, with their health. Blocks.
    pub fn tools(&self) -> Result<Vec<CatalogTool>, StoreError> {
        let (rows, noted) = self.read(|connection| {
            // One view of both tables, whatever is written meanwhile.
            let view = connection.unchecked_transaction()?;
            let rows = record::select(
                &view,
                "SELECT id, sum, tool_json FROM tools ORDER BY id",
                [],
            )?;
            Ok((rows, signs::by_tool(&view)?))
        })?;
        let mut noted = self.understand(noted)?;
        let mut tools: Vec<CatalogTool> = self.open_records("tool", rows)?;
        for tool in &mut tools {
            let signs = noted.remove(tool.spec.id.as_str()).unwrap_or_default();
            tool.health = health_of(&signs);
        }
        Ok(tools)
    }

    /// Writes those of the tools that are new or differ and whose source is there;
    /// all or none. Blocks.
    pub fn put_tools(&self, tools: &[CatalogTool]) -> Result<(), StoreError> {
        let rows = written(tools)?;
        self.writer()
            .change_blocking(Box::new(move |connection| Ok(put(connection, &rows)?)))
    }

    /// Writes the second of each pair if every first is what is kept now; says whether
    /// it did. Blocks.
    pub fn replace_tools(&self, pairs: &[(CatalogTool, CatalogTool)]) -> Result<bool, StoreError> {
        let (before, after): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
        let before: Vec<_> = before.into_iter().map(without_health).collect();
        let rows = written(&after)?;
        let database = self.database().to_owned();
        self.change_and_tell(move |connection| {
            for tool in &before {
                let query = "SELECT id, sum, tool_json FROM tools WHERE id = ?1";
                let kept = record::select(connection, query, [tool.spec.id.as_str()])?;
                let Some(kept) = kept.first() else {
                    return Ok(false);
                };
                if kept.open_in::<CatalogTool>("tool", &database)? != *tool {
                    return Ok(false);
                }
            }
            put(connection, &rows)?;
            Ok(true)
        })
    }

    /// Adds a package or server to those that can be added, in place of an earlier entry. Blocks.
    pub fn add_known(&self, known: &Known) -> Result<(), StoreError> {
        let record = Record::of("name", &known.add, known)?;
        self.writer().change_blocking(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO known (id, sum, known_json) VALUES (?1, ?2, ?3)
                     ON CONFLICT (id) DO UPDATE
                     SET sum = excluded.sum, known_json = excluded.known_json",
                )?
                .execute(params![record.id, record.sum, record.json])?;
            Ok(())
        }))
    }

    /// Removes what was added under a name; says whether there was such an entry. Blocks.
    pub fn remove_known(&self, add: &str) -> Result<bool, StoreError> {
        let add = add.to_owned();
        self.remove(move |connection| connection.execute("DELETE FROM known WHERE id = ?1", [&add]))
    }

    /// The packages and servers that were added, by name. Blocks.
    pub fn known_added(&self) -> Result<Vec<Known>, StoreError> {
        let rows = self.read(|connection| {
            record::select(
                connection,
                "SELECT id, sum, known_json FROM known ORDER BY id",
                [],
            )
        })?;
        self.open_records("name", rows)
    }

    /// Does a removal; says whether its last statement removed anything.
    fn remove(
        &self,
        removal: impl Fn(&Connection) -> rusqlite::Result<usize> + Send + 'static,
    ) -> Result<bool, StoreError> {
        self.change_and_tell(move |connection| Ok(removal(connection)? > 0))
    }

    /// Does a change; says what it says.
    fn change_and_tell(
        &self,
        change: impl Fn(&Connection) -> Result<bool, Failure> + Send + 'static,
    ) -> Result<bool, StoreError> {
        let (told, hears) = std::sync::mpsc::channel();
        self.writer().change_blocking(Box::new(move |connection| {
            let _ = told.send(change(connection)?);
            Ok(())
        }))?;
        // The work may have been done twice; the last time is the one that was kept.
        Ok(hears.iter().last().unwrap_or(false))
    }
}

/// Tools as rows, each with its source.
fn written(tools: &[CatalogTool]) -> Result<Vec<(String, Record)>, StoreError> {
    let row = |tool: &CatalogTool| {
        let tool = without_health(tool.clone());
        let id = &tool.spec.id;
        let record = Record::of("tool", id.as_str(), &tool)?;
        Ok((id.source().to_owned(), record))
    };
    tools.iter().map(row).collect()
}

fn without_health(tool: CatalogTool) -> CatalogTool {
    CatalogTool {
        health: Health::default(),
        ..tool
    }
}

fn put(connection: &Connection, rows: &[(String, Record)]) -> rusqlite::Result<()> {
    // A source may be removed while it is asked: its tools must not outlive it.
    let mut put = connection.prepare_cached(
        "INSERT INTO tools (id, source, sum, tool_json) SELECT ?1, ?2, ?3, ?4
         WHERE EXISTS (SELECT 1 FROM sources WHERE id = ?2)
         ON CONFLICT (id) DO UPDATE
         SET sum = excluded.sum, tool_json = excluded.tool_json
         WHERE (sum, tool_json) <> (excluded.sum, excluded.tool_json)",
    )?;
    for (source, record) in rows {
        put.execute(params![record.id, source, record.sum, record.json])?;
    }
    Ok(())
}
