//! What does a caller's own section hold? A heading, text, and any result below it; or
//! blocks that are already made.

use serde_json::Value;

use super::{data, described, findings, pick};
use crate::Error;
use crate::clean;
use crate::model::{Block, Findings, Heading};

pub(crate) fn sections(value: &Value) -> Result<Vec<Block>, Error> {
    let mut blocks = Vec::new();
    match value {
        Value::Array(items) => {
            for item in items {
                blocks.extend(section(item)?);
            }
        }
        Value::Object(_) if is_section(value) => blocks = section(value)?,
        Value::Object(fields) => {
            for (name, value) in fields {
                blocks.extend(titled(&clean::words(name), value)?);
            }
        }
        other => blocks.extend(pick::text(other).map(|text| Block::Paragraph { text })),
    }
    Ok(blocks)
}

fn is_section(value: &Value) -> bool {
    ["type", "title", "heading"]
        .iter()
        .any(|name| value.get(name).is_some_and(Value::is_string))
}

fn section(value: &Value) -> Result<Vec<Block>, Error> {
    if value.get("type").is_some_and(Value::is_string)
        && let Ok(block) = serde_json::from_value::<Block>(value.clone())
    {
        return Ok(vec![block]);
    }
    let title = pick::string(value, &["title", "heading", "name"]).unwrap_or_default();
    titled(&title, value)
}

fn titled(title: &str, value: &Value) -> Result<Vec<Block>, Error> {
    let mut blocks = Vec::new();
    if !title.is_empty() {
        let level = pick::number(value, &["level"]).map_or(1, |level| level.clamp(1.0, 3.0) as u8);
        blocks.push(Block::Heading(Heading {
            text: title.to_owned(),
            level,
        }));
    }
    if !is_section(value) {
        blocks.extend(data::result("", value));
        return Ok(blocks);
    }
    if let Some(text) =
        pick::any(value, &["text", "markdown", "content", "body", "summary"]).and_then(pick::text)
    {
        blocks.push(Block::Paragraph { text });
    }
    if let Some(found) = value.get("findings").filter(|found| !found.is_null()) {
        blocks.push(Block::Findings(Findings {
            items: findings::findings(found)?,
            ..Findings::default()
        }));
    }
    blocks.extend(
        pick::any(value, &["data", "result"])
            .map(|result| data::result("", result))
            .unwrap_or_default(),
    );
    blocks.extend(
        pick::any(value, &["chart", "charts"])
            .map(described::charts)
            .unwrap_or_default(),
    );
    if let Some(tables) = pick::any(value, &["table", "tables"]) {
        blocks.extend(described::tables(tables)?);
    }
    if let Some(rows) = pick::list(value, &["rows"]) {
        blocks.extend(data::result("", &Value::Array(rows.clone())));
    }
    if let Some(inner) = pick::any(value, &["blocks", "sections"]) {
        blocks.extend(sections(inner)?);
    }
    Ok(blocks)
}
