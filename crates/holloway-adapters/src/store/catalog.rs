//! Which sources and tools are there, and which names were added? What was
//! decided about them is kept here as it was decided.
//!
//! Invariant: a tool is only ever read as it was written, by its checksum. Its
//! health is not part of it: that follows from its signs each time it is read.

mod record;
mod signs;

use holloway_flow::catalog::health::{Health, health_of};
use holloway_flow::catalog::known::Known;
use holloway_flow::catalog::{CatalogTool, SourceId, SourceRecord};
use holloway_plan::tool::ToolId;
use rusqlite::{Connection, params};

use self::record::Record;
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
        self.tools_where(None)
    }

    /// The tools of one source by id, with their health. Blocks.
    pub fn tools_of(&self, source: &SourceId) -> Result<Vec<CatalogTool>, StoreError> {
        self.tools_where(Some(source.as_str()))
    }

    fn tools_where(&self, source: Option<&str>) -> Result<Vec<CatalogTool>, StoreError> {
        let (rows, noted) = self.read(|connection| {
            // One view of both tables, whatever is written meanwhile.
            let view = connection.unchecked_transaction()?;
            let rows = record::select(
                &view,
                "SELECT id, sum, tool_json FROM tools
                 WHERE ?1 IS NULL OR source = ?1 ORDER BY id",
                [source],
            )?;
            Ok((rows, signs::by_tool(&view, source)?))
        })?;
        let mut noted = self.understand(noted)?;
        let mut tools: Vec<CatalogTool> = self.open_records("tool", rows)?;
        for tool in &mut tools {
            let signs = noted.remove(tool.spec.id.as_str()).unwrap_or_default();
            tool.health = health_of(&signs);
        }
        Ok(tools)
    }

    /// Writes those of the tools that are new or differ; all or none. Blocks.
    pub fn put_tools(&self, tools: &[CatalogTool]) -> Result<(), StoreError> {
        let rows: Vec<_> = tools
            .iter()
            .map(|tool| {
                let id = &tool.spec.id;
                let tool = CatalogTool {
                    health: Health::default(),
                    ..tool.clone()
                };
                let record = Record::of("tool", id.as_str(), &tool)?;
                Ok((id.source().to_owned(), record))
            })
            .collect::<Result<_, StoreError>>()?;
        self.writer().change_blocking(Box::new(move |connection| {
            let mut put = connection.prepare_cached(
                "INSERT INTO tools (id, source, sum, tool_json) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE
                 SET sum = excluded.sum, tool_json = excluded.tool_json
                 WHERE (sum, tool_json) <> (excluded.sum, excluded.tool_json)",
            )?;
            for (source, record) in &rows {
                put.execute(params![record.id, source, record.sum, record.json])?;
            }
            Ok(())
        }))
    }

    /// Removes these tools and their signs; all or none. Blocks.
    pub fn remove_tools(&self, tools: &[ToolId]) -> Result<(), StoreError> {
        let tools = tools.to_vec();
        self.writer().change_blocking(Box::new(move |connection| {
            for tool in &tools {
                connection
                    .prepare_cached("DELETE FROM signs WHERE tool = ?1")?
                    .execute([tool.as_str()])?;
                connection
                    .prepare_cached("DELETE FROM tools WHERE id = ?1")?
                    .execute([tool.as_str()])?;
            }
            Ok(())
        }))
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
        let (told, hears) = std::sync::mpsc::channel();
        self.writer().change_blocking(Box::new(move |connection| {
            let removed = removal(connection).map_err(Failure::Failed)?;
            let _ = told.send(removed > 0);
            Ok(())
        }))?;
        // The work may have been done twice; the last time is the one that was kept.
        Ok(hears.iter().last().unwrap_or(false))
    }
}
