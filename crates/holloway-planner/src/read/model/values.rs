//! What does a value in a slot mean? Columns, cells, files and operators are looked up in what is
//! there; a file, an address or a recipient that nobody named is refused.

use serde_json::{Map, Value, json};

mod cells;

use cells::cell;

use super::places::find;
use super::shapes::{Kind, Shapes, Slot};
use crate::frame::acts::Acts;
use crate::frame::scene::{Column, Holds, Scene, ending, plain};
use crate::read::spelling::is_slip;

/// Against what values are read.
pub(super) struct Values<'a> {
    pub(super) request: &'a str,
    pub(super) scene: &'a Scene,
    pub(super) table: &'static Shapes,
    /// Sources must stand in the request.
    pub(super) must_be_named: bool,
}

pub(super) struct Reading {
    pub(super) value: Value,
    pub(super) note: Option<String>,
}

type Read = Result<Reading, String>;

fn plainly(value: Value) -> Reading {
    Reading { value, note: None }
}

/// Whole numbers by name: `{"days": 30}`.
fn numbers(item: &Value, schema: &Value) -> Read {
    let known = schema.get("properties").and_then(Value::as_object);
    let said = item.as_object().into_iter().flatten();
    let of_schema = said.filter(|(name, value)| {
        known.is_some_and(|known| known.contains_key(*name)) && value.is_i64()
    });
    let numbers: Map<String, Value> = of_schema
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if numbers.is_empty() {
        return Err(format!("{item} has none of the numbers that are wanted"));
    }
    Ok(plainly(Value::Object(numbers)))
}

impl Values<'_> {
    pub(super) fn read(&self, slot: &Slot, item: &Value) -> Read {
        match slot.kind {
            Kind::Source => self.source(item),
            Kind::Target => self.target(item),
            Kind::Name => self.name(item, "column"),
            Kind::Columned | Kind::Distinct => self.columned(item),
            Kind::Filter => self.filter(item),
            Kind::Measure => self.measure(item),
            Kind::Order => self.order(item),
            Kind::Limit => limit(item),
            Kind::Period => self.period(item),
            Kind::Compute => self.compute(item),
            Kind::Axes => self.axes(item),
            Kind::Choice => self.choice(item, &slot.choices),
            Kind::Text => text_of(item).map(|text| plainly(json!(text))),
            Kind::Quoted => {
                let text = text_of(item)?;
                self.named(&text).map(|()| plainly(json!(text)))
            }
            Kind::Number => item
                .as_u64()
                .or_else(|| item.as_str()?.trim().parse().ok())
                .map(|number| plainly(json!(number)))
                .ok_or_else(|| format!("{item} is no whole number")),
            Kind::Numbers => numbers(item, &slot.schema),
            Kind::Flag => Ok(plainly(json!(true))),
        }
    }

    fn named(&self, text: &str) -> Result<(), String> {
        match find(self.request, text) {
            Some(_) => Ok(()),
            None => Err(format!("the request does not name `{text}`")),
        }
    }

    fn source(&self, item: &Value) -> Read {
        let place = place_of(item)?;
        if place.contains("://") {
            let host = place.split_once("://").map_or(&*place, |(_, rest)| rest);
            self.named(host.trim_end_matches('/'))?;
            return Ok(plainly(json!({ "url": place })));
        }
        let place = place
            .strip_prefix("./")
            .filter(|rest| !rest.is_empty())
            .unwrap_or(&place);
        if place == "." || self.scene.is_folder(place) && ending(place).is_none() {
            return Ok(plainly(json!({ "folder": place })));
        }
        if self.must_be_named {
            self.named(place)?;
        }
        if self.scene.file(place).is_some() {
            return Ok(plainly(json!({ "path": place })));
        }
        let lower = place.to_lowercase();
        let mut files = self.scene.files.iter().map(|file| &file.name);
        if let Some(file) = files.find(|name| name.to_lowercase() == lower) {
            let note = format!("`{place}` was read as the file `{file}`");
            return Ok(Reading {
                value: json!({ "path": file }),
                note: Some(note),
            });
        }
        // A file that the request names and that is not there is told by the checks.
        match find(self.request, place) {
            Some(_) => Ok(plainly(json!({ "path": place }))),
            None => Err(format!(
                "there is no file `{place}`, and the request names none"
            )),
        }
    }

    /// A name that the request does not say is not taken; its ending is the form that is wanted.
    fn target(&self, item: &Value) -> Read {
        let place = place_of(item)?;
        if find(self.request, &place).is_some() {
            let folder = self.scene.is_folder(&place) && ending(&place).is_none();
            let field = if folder { "folder" } else { "path" };
            return Ok(plainly(json!({ field: place })));
        }
        let form = ending(&place).ok_or_else(|| format!("the request does not name `{place}`"))?;
        Ok(Reading {
            note: Some(format!(
                "the request does not name `{place}`; a free name is taken"
            )),
            value: json!({ "form": form }),
        })
    }

    /// The column that is meant, whatever its case and marks, or one slip away.
    fn column(&self, name: &str) -> (String, Option<String>) {
        let columns = || self.scene.columns().map(|column| column.name.as_str());
        if columns().any(|known| known == name) {
            return (name.to_owned(), None);
        }
        let bare = plain(name);
        let near = columns()
            .find(|known| plain(known) == bare)
            .or_else(|| columns().find(|known| is_slip(&bare, &plain(known))));
        match near {
            Some(near) => {
                let note = format!("`{name}` was read as the column `{near}`");
                (near.to_owned(), Some(note))
            }
            None => (name.to_owned(), None),
        }
    }

    fn name(&self, item: &Value, field: &str) -> Read {
        let name = item.get(field).unwrap_or(item);
        let (name, note) = self.column(&text_of(name)?);
        Ok(Reading {
            value: json!(name),
            note,
        })
    }

    fn columned(&self, item: &Value) -> Read {
        if item == &Value::Bool(true) {
            return Ok(plainly(json!(true)));
        }
        let Reading { value, note } = self.name(item, "column")?;
        Ok(Reading {
            value: json!({ "column": value }),
            note,
        })
    }

    fn axes(&self, item: &Value) -> Read {
        let fields = fields_of(item)?;
        let mut axes = Map::new();
        let mut notes = None;
        for axis in ["x", "y"] {
            if let Some(name) = fields.get(axis).and_then(Value::as_str) {
                let (name, note) = self.column(name);
                axes.insert(axis.to_owned(), json!(name));
                notes = notes.or(note);
            }
        }
        Ok(Reading {
            value: Value::Object(axes),
            note: notes,
        })
    }

    fn word(&self, item: &Value) -> Result<String, String> {
        let word = text_of(item)?.to_lowercase();
        Ok(self.table.ours(&word).to_owned())
    }

    fn choice(&self, item: &Value, choices: &[String]) -> Read {
        let word = self.word(item)?;
        if choices.contains(&word) {
            return Ok(plainly(json!(word)));
        }
        Err(format!("`{word}` is none of {}", choices.join(", ")))
    }

    fn measure(&self, item: &Value) -> Read {
        let Some(fields) = item.as_object() else {
            return Ok(plainly(json!({ "function": self.word(item)? })));
        };
        let function = fields
            .get("function")
            .ok_or("a figure lacks its function")?;
        let mut value = json!({ "function": self.word(function)? });
        let note = self.put_column(fields, &mut value);
        Ok(Reading { value, note })
    }

    fn order(&self, item: &Value) -> Read {
        let Some(fields) = item.as_object() else {
            let (column, note) = self.column(&text_of(item)?);
            let value = json!({"column": column, "descending": false});
            return Ok(Reading { value, note });
        };
        let down = |name: &str| {
            fields
                .get(name)
                .and_then(Value::as_bool)
                .unwrap_or_default()
        };
        let mut value = json!({ "descending": down("descending") });
        if down("alphabetical") {
            value = json!({"alphabetical": true, "descending": down("descending")});
        }
        let note = self.put_column(fields, &mut value);
        Ok(Reading { value, note })
    }

    fn period(&self, item: &Value) -> Read {
        let Some(fields) = item.as_object() else {
            return Ok(plainly(json!({ "period": self.word(item)? })));
        };
        let mut value =
            json!({ "period": self.word(fields.get("period").unwrap_or(&Value::Null))? });
        let note = self.put_column(fields, &mut value);
        Ok(Reading { value, note })
    }

    fn compute(&self, item: &Value) -> Read {
        let fields = fields_of(item)?;
        let mut value = json!({});
        for field in ["name", "left", "op", "right"] {
            let said = fields
                .get(field)
                .ok_or_else(|| format!("a new column lacks its `{field}`"))?;
            let side = matches!(field, "left" | "right");
            let said = match said.as_str().filter(|_| side) {
                Some(text) => match text.trim().parse::<f64>() {
                    Ok(number) => json!(number),
                    Err(_) => json!(self.column(text).0),
                },
                None => said.clone(),
            };
            put(&mut value, field, said);
        }
        Ok(plainly(value))
    }

    fn filter(&self, item: &Value) -> Read {
        let fields = fields_of(item)?;
        let op = self.word(fields.get("op").unwrap_or(&json!("eq")))?;
        let mut value = json!({ "op": op });
        let note = self.put_column(fields, &mut value);
        let name = value
            .get("column")
            .and_then(Value::as_str)
            .ok_or("a condition lacks its column")?;
        let column = self.scene.columns().find(|column| column.name == name);
        if let Some(other) = self.other_column(fields, column) {
            put(&mut value, "other", json!(other));
            return Ok(Reading { value, note });
        }
        if let Some(said) = fields.get("value").filter(|said| !said.is_null()) {
            let exact = Acts::table().operator(&op).exact;
            let said = match said {
                Value::Array(items) => Value::Array(
                    items
                        .iter()
                        .map(|one| cell(column, one, exact))
                        .collect::<Result<_, _>>()?,
                ),
                one => cell(column, one, exact)?,
            };
            put(&mut value, "value", said);
        }
        Ok(Reading { value, note })
    }

    /// The column of the same row that a condition compares with: named as such, or in place of a
    /// number.
    fn other_column(&self, fields: &Map<String, Value>, column: Option<&Column>) -> Option<String> {
        let named = |field: &str| fields.get(field).and_then(Value::as_str);
        if let Some(other) = named("other") {
            return Some(self.column(other).0);
        }
        let said = named("value")
            .filter(|_| column.is_some_and(|column| column.holds == Holds::Numbers))?;
        let mut columns = self.scene.columns().map(|column| column.name.as_str());
        columns
            .find(|name| plain(name) == plain(said))
            .map(str::to_owned)
    }

    fn put_column(&self, fields: &Map<String, Value>, value: &mut Value) -> Option<String> {
        let name = fields.get("column").and_then(Value::as_str)?;
        let (name, note) = self.column(name);
        put(value, "column", json!(name));
        note
    }
}

fn limit(item: &Value) -> Read {
    if let Some(rows) = item.as_u64() {
        return Ok(plainly(json!({ "rows": rows })));
    }
    let fields = fields_of(item)?;
    let counts = fields.iter().filter(|(_, count)| count.as_u64().is_some());
    let counts: Map<String, Value> = counts
        .map(|(name, count)| (name.clone(), count.clone()))
        .collect();
    if counts.is_empty() {
        return Err(format!("{item} is no number of rows"));
    }
    Ok(plainly(Value::Object(counts)))
}

fn place_of(item: &Value) -> Result<String, String> {
    let fields = ["path", "url", "folder", "file"];
    let inner = fields.iter().find_map(|field| item.get(field));
    text_of(inner.unwrap_or(item))
}

fn text_of(item: &Value) -> Result<String, String> {
    match item {
        Value::String(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(format!("{other} is no text")),
    }
}

fn fields_of(item: &Value) -> Result<&Map<String, Value>, String> {
    item.as_object()
        .ok_or_else(|| format!("{item} is no JSON object"))
}

fn put(value: &mut Value, field: &str, said: Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.insert(field.to_owned(), said);
    }
}
