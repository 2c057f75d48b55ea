//! Which rows of a damaged table can still be read? From the front up to the first page that
//! cannot be read, and from the back down to the last.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row};

/// The columns of a row, by name.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Columns(pub(in super::super) Vec<(String, Value)>);

impl Columns {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let names = row.as_ref().column_names();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let mut columns = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            // Text that is none is kept as bytes: it must not hide the rows behind it.
            let value = match row.get_ref(index)? {
                ValueRef::Text(bytes) if std::str::from_utf8(bytes).is_err() => {
                    Value::Blob(bytes.to_vec())
                }
                other => other.try_into()?,
            };
            columns.push((name, value));
        }
        Ok(Self(columns))
    }

    fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value)
    }

    pub(in super::super) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(in super::super) fn number(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// A column whose text is none; no column of ours holds bytes.
    pub(in super::super) fn garbled(&self) -> Option<&str> {
        let is_bytes = |column: &&(String, Value)| matches!(column.1, Value::Blob(_));
        self.0.iter().find(is_bytes).map(|(name, _)| name.as_str())
    }

    fn key(&self) -> Option<&Value> {
        self.0.first().map(|(_, value)| value)
    }
}

/// The rows of a table that can be read, and why others cannot.
pub(in super::super) fn rows(connection: &Connection, table: &str) -> (Vec<Columns>, Vec<String>) {
    let (mut rows, broken) = from_one_end(connection, table, "ASC");
    let Some(broken) = broken else {
        return (rows, Vec::new());
    };
    let (others, _) = from_one_end(connection, table, "DESC");
    let known = rows.len();
    for row in others {
        let seen = rows.iter().take(known).any(|own| own.key() == row.key());
        if !seen {
            rows.push(row);
        }
    }
    (rows, vec![format!("some rows cannot be read: {broken}")])
}

/// By the first column, which is the key of each of our tables.
fn from_one_end(
    connection: &Connection,
    table: &str,
    order: &str,
) -> (Vec<Columns>, Option<rusqlite::Error>) {
    let mut read = Vec::new();
    let mut go = || {
        let mut select =
            connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1 {order}"))?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            read.push(Columns::of(row)?);
        }
        Ok(())
    };
    let broken = go().err();
    (read, broken)
}

/// Whether the database has the table.
pub(in super::super) fn has_table(connection: &Connection, table: &str) -> bool {
    connection
        .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1")
        .and_then(|mut select| select.exists([table]))
        .unwrap_or(false)
}
