//! Which column is meant? Tools that look at rows ask for names of columns; where the rows
//! come from a result with known fields, one of these is proposed.

use holloway_search::words::stem;
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

impl Assembly<'_> {
    /// Proposes a field of the rows the node works on.
    pub(super) fn from_columns(&mut self, node: &mut Node, port: &Port) -> bool {
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
        let description = self
            .shape(node.place, port)
            .map(|shape| shape.text("description"));
        let words = stems(description.unwrap_or_default());
        ["column", "field"].iter().any(|word| {
            let word = stem(word);
            words.contains(&word) || port.terms.contains(&word)
        })
    }

    fn column(&self, node: &Node, port: &Port) -> Option<String> {
        let fields = self.fields_of_rows(node)?;
        let asked = stems(&self.ground.analysis.request);
        let description = self
            .shape(node.place, port)
            .map(|shape| shape.text("description"));
        let wants_number = stems(description.unwrap_or_default()).contains(&stem("number"));
        let named = |name: &&(String, Kind)| terms(&name.0).iter().any(|word| asked.contains(word));
        let counts = |name: &&(String, Kind)| {
            let usual = NUMBERS
                .iter()
                .any(|word| terms(&name.0).contains(&stem(word)));
            matches!(name.1, Kind::Number | Kind::Integer) || (name.1 == Kind::Any && usual)
        };
        let found = match wants_number || fields.iter().any(|field| counts(&field)) {
            true => fields
                .iter()
                .find(|field| counts(field) && named(field))
                .or_else(|| fields.iter().find(counts)),
            false => fields.iter().find(named),
        };
        found.map(|field| field.0.clone())
    }

    /// The fields of the items of the first list that the node reads from a result.
    fn fields_of_rows(&self, node: &Node) -> Option<Vec<(String, Kind)>> {
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
            let declared = items
                .fields()
                .map(|(name, field)| (name.to_owned(), field.kind()));
            let mut fields: Vec<(String, Kind)> = declared.collect();
            for name in items.required() {
                if !fields.iter().any(|(known, _)| known == name) {
                    fields.push((name.to_owned(), Kind::Any));
                }
            }
            (!fields.is_empty()).then_some(fields)
        })
    }
}
