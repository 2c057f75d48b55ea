//! Which column is meant? Tools that look at rows ask for names of columns; where the rows
//! come from a result with known fields, one of these is proposed.

use holloway_search::words::stem;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::assembly::{Assembly, Node};
use super::inputs::Wish;
use super::words::stems;
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};
use crate::catalogue::ports::{Port, terms};

/// Fields that usually hold a number.
const NUMBERS: [&str; 9] = [
    "amount", "value", "price", "total", "sum", "score", "count", "quantity", "number",
];

/// Fields that say where something was found or how it is measured, not what it is.
const NO_KEYS: [&str; 12] = [
    "page",
    "url",
    "link",
    "address",
    "path",
    "currency",
    "unit",
    "note",
    "text",
    "description",
    "id",
    "kind",
];
/// Words by which tools ask for columns to tell series apart.
const KEYS: [&str; 4] = ["key", "group", "series", "combination"];
/// More columns than this would leave series of one row each.
const KEYS_AT_MOST: usize = 3;

/// A field of the rows that a tool is given.
struct Column {
    name: String,
    kind: Kind,
    is_text: bool,
    is_date: bool,
}

impl Column {
    fn of(name: &str, field: Shape<'_>) -> Self {
        Self {
            name: name.to_owned(),
            kind: field.kind(),
            is_text: field.allows(Kind::Text) && field.text("format").is_empty(),
            is_date: field.text("format").starts_with("date"),
        }
    }

    /// Whether it names what a row is about.
    fn is_key(&self) -> bool {
        let is_other = |word: &str| terms(&self.name).contains(&stem(word));
        self.is_text && !NO_KEYS.iter().any(|word| is_other(word))
    }
}

impl Assembly<'_> {
    /// Optional columns: the date to order by, and what tells series apart. Without them
    /// rows of different things would be taken for one series.
    pub(super) fn try_optional_columns(&self, node: &mut Node, port: &Port) -> bool {
        if !self.is_column(node, port) {
            return false;
        }
        let Some(columns) = self.fields_of_rows(node) else {
            return false;
        };
        let asked = self.words_of(node, port);
        let asks = |word: &str| asked.contains(&stem(word));
        let (value, reason) = match port.kind {
            Kind::Text if asks("date") => {
                let Some(column) = columns.iter().find(|column| column.is_date) else {
                    return false;
                };
                (
                    json!(column.name),
                    format!("{} holds the dates", column.name),
                )
            }
            Kind::List if KEYS.iter().any(|word| asks(word)) => {
                let keys = columns.iter().filter(|column| column.is_key());
                let keys: Vec<&str> = keys
                    .map(|column| column.name.as_str())
                    .take(KEYS_AT_MOST)
                    .collect();
                if keys.is_empty() {
                    return false;
                }
                (
                    json!(keys),
                    format!("{} tell series apart", keys.join(" and ")),
                )
            }
            _ => return false,
        };
        node.arguments.insert(port.name.clone(), value.clone());
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Schema { value },
            confidence: 0.8,
            reason,
        });
        true
    }

    /// The words that describe a parameter, as stems.
    fn words_of(&self, node: &Node, port: &Port) -> FxHashSet<String> {
        let shape = self.shape(node.place, port);
        stems(
            shape
                .map(|shape| shape.text("description"))
                .unwrap_or_default(),
        )
    }

    /// Proposes a field of the rows the node works on.
    pub(super) fn try_columns(&mut self, node: &mut Node, port: &Port) -> bool {
        if port.kind != Kind::Text || !self.is_column(node, port) {
            return false;
        }
        let Some(column) = self.column(node, port) else {
            return false;
        };
        let step = self.tool(node.place).map_or("", |tool| tool.id.name());
        let name = self.inputs.ask(Wish {
            name: "column",
            shape: self.shape(node.place, port),
            default: Some(json!(column)),
            step,
        });
        node.arguments
            .insert(port.name.clone(), json!(format!("{{{{ input.{name} }}}}")));
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Schema {
                value: json!(column),
            },
            confidence: 0.6,
            reason: format!("a field of the rows it is given: {column}"),
        });
        true
    }

    fn is_column(&self, node: &Node, port: &Port) -> bool {
        let words = self.words_of(node, port);
        ["column", "field"].iter().any(|word| {
            let word = stem(word);
            words.contains(&word) || port.terms.contains(&word)
        })
    }

    fn column(&self, node: &Node, port: &Port) -> Option<String> {
        let fields = self.fields_of_rows(node)?;
        let asked = stems(&self.ground.analysis.request);
        let wants_number = self.words_of(node, port).contains(&stem("number"));
        let named = |column: &&Column| {
            let words = terms(&column.name);
            words.iter().any(|word| asked.contains(word))
        };
        let counts = |column: &&Column| {
            let words = terms(&column.name);
            let usual = NUMBERS.iter().any(|word| words.contains(&stem(word)));
            matches!(column.kind, Kind::Number | Kind::Integer)
                || (column.kind == Kind::Any && usual)
        };
        let found = if wants_number || fields.iter().any(|field| counts(&field)) {
            let mut both = fields.iter().filter(|field| counts(field) && named(field));
            both.next().or_else(|| fields.iter().find(counts))
        } else {
            fields.iter().find(named)
        };
        found.map(|column| column.name.clone())
    }

    /// The fields of the items of the first list that the node reads from a result.
    fn fields_of_rows(&self, node: &Node) -> Option<Vec<Column>> {
        node.bindings.iter().find_map(|binding| {
            let Source::Earlier { step, path } = &binding.source else {
                return None;
            };
            let at = self.nodes.iter().position(|node| node.id == *step)?;
            let schema: &Value = self.result(at)?;
            let mut shape = Shape::of(schema);
            for part in path.split('.').filter(|part| !part.is_empty()) {
                shape = shape.field(part.trim_end_matches("[]"))?;
            }
            let items = shape.list_items().flatten()?;
            let declared = items.fields();
            let mut fields: Vec<Column> = declared
                .map(|(name, field)| Column::of(name, field))
                .collect();
            for name in items.required() {
                if !fields.iter().any(|known| known.name == name) {
                    fields.push(Column {
                        name: name.to_owned(),
                        kind: Kind::Any,
                        is_text: false,
                        is_date: false,
                    });
                }
            }
            (!fields.is_empty()).then_some(fields)
        })
    }
}
