//! Which parameters of a tool say what is to be done to rows? Known by their names and shapes,
//! not by the name of the tool: a list of conditions with a column, an operator and a value; a
//! list of columns to sort by; a number of rows.

use holloway_plan::tool::ToolSpec;
use holloway_search::words::stem;
use serde_json::{Map, Value, json};

use crate::bind::shape::{Kind, Shape};
use crate::catalogue::ports::{Port, Ports, Role, terms, top};
use crate::catalogue::{Catalogue, Place};
use crate::request::conditions::{Comparison, Condition, Keep};

const COLUMN: [&str; 6] = ["column", "field", "key", "property", "attribute", "by"];
const NAMES_OF_ROWS: [&str; 6] = ["row", "item", "record", "data", "table", "entry"];

/// A tool that takes rows, and what of the conditions it can be told.
pub(super) struct Slots<'a> {
    pub(super) place: Place,
    tool: &'a ToolSpec,
    ports: &'a Ports,
    pub(super) rows: &'a Port,
    pub(super) arguments: Map<String, Value>,
    /// Which parameter says which condition.
    pub(super) said: Vec<(String, usize)>,
    pub(super) asks_column: bool,
}

impl<'a> Slots<'a> {
    /// A tool that takes rows and changes nothing.
    pub(super) fn of(catalogue: &'a Catalogue, place: Place) -> Option<Self> {
        let tool = catalogue.tool(place)?;
        let ports = catalogue.ports(place).filter(|ports| !ports.writes)?;
        let mut lists = ports.inputs.iter().filter(|port| is_rows(tool, port));
        let rows = lists.next()?;
        // Where two tables go in, rows are not just changed.
        lists.next().is_none().then_some(Self {
            place,
            tool,
            ports,
            rows,
            arguments: Map::new(),
            said: Vec::new(),
            asks_column: false,
        })
    }

    /// Whether it says that its rows are objects: it knows what a column is.
    pub(super) fn is_for_tables(&self) -> bool {
        let items = self.shape(&self.rows.name).and_then(Shape::list_items);
        items
            .flatten()
            .is_some_and(|items| items.kind() == Kind::Object)
    }

    /// The parameter of the result that holds rows again.
    pub(super) fn gives(&self) -> Option<String> {
        let lists = self.ports.outputs.iter();
        let mut lists = lists.filter(|port| port.kind == Kind::List && port.required);
        let same = lists.clone().find(|port| port.terms == self.rows.terms);
        same.or_else(|| lists.find(|port| names_rows(port)))
            .map(|port| port.name.clone())
    }

    /// Whether all that the tool cannot do without is there.
    pub(super) fn is_complete(&self) -> bool {
        let given =
            |port: &Port| port.at == self.rows.at || self.arguments.contains_key(&port.name);
        self.ports.needed().all(given)
    }

    pub(super) fn shape(&self, name: &str) -> Option<Shape<'a>> {
        top(&self.tool.input_schema)?.field(name)
    }

    /// The first parameter of a kind whose name has one of the words.
    pub(super) fn port(&self, kinds: &[Kind], words: &[&str]) -> Option<&'a Port> {
        let fits = |port: &&Port| {
            kinds.contains(&port.kind) && port.at != self.rows.at && has_any(&port.terms, words)
        };
        self.ports.inputs.iter().find(fits)
    }

    pub(super) fn put(&mut self, name: &str, value: Value, at: usize) -> bool {
        self.arguments.insert(name.to_owned(), value);
        self.note(name, at);
        true
    }

    fn note(&mut self, name: &str, at: usize) {
        let note = (name.to_owned(), at);
        if !self.said.contains(&note) {
            self.said.push(note);
        }
    }

    /// Adds to a list that a parameter takes.
    fn add(&mut self, name: &str, item: Value, at: usize) -> bool {
        let list = self.arguments.entry(name).or_insert_with(|| json!([]));
        let Value::Array(items) = list else {
            return false;
        };
        items.push(item);
        self.note(name, at);
        true
    }

    /// Tells the tool a condition, if it can be told.
    pub(super) fn take(&mut self, at: usize, condition: &Condition) -> bool {
        match condition {
            Condition::Sort { column, descending } => self.sort(at, column, *descending),
            Condition::Keep(keep) => self.keep(at, keep),
            Condition::First(count) => self.cut(at, &["limit", "top", "first", "head"], *count),
            Condition::Last(count) => self.cut(at, &["last", "tail"], *count),
            Condition::Skip(count) => self.cut(at, &["offset", "skip"], *count),
            Condition::Unique { columns } => self.unique(at, columns),
            Condition::Columns(columns) => {
                let port = self.port(&[Kind::List], &["column", "field"]);
                let port = port.filter(|port| port.terms.len() == 1 && self.takes_names(port));
                port.is_some_and(|port| self.put(&port.name, json!(columns), at))
            }
            Condition::Without(columns) => {
                let port = self.port(&[Kind::List], &["drop", "omit", "exclude", "except"]);
                let port = port.filter(|port| self.takes_names(port));
                port.is_some_and(|port| self.put(&port.name, json!(columns), at))
            }
            Condition::Rename { from, to } => self.rename(at, from, to),
            _ => false,
        }
    }

    fn takes_names(&self, port: &Port) -> bool {
        let items = self
            .shape(&port.name)
            .and_then(|shape| shape.list_items().flatten());
        items.is_some_and(|items| items.allows(Kind::Text))
    }

    /// The fields of the objects that a list takes.
    fn fields(&self, port: &Port) -> Vec<(&'a str, Shape<'a>)> {
        let items = self
            .shape(&port.name)
            .and_then(|shape| shape.list_items().flatten());
        items.into_iter().flat_map(Shape::fields).collect()
    }

    fn sort(&mut self, at: usize, column: &str, descending: bool) -> bool {
        if let Some(port) = self.port(&[Kind::List], &["sort", "order"]) {
            let fields = self.fields(port);
            let Some(name) = field(&fields, Kind::Text, &COLUMN) else {
                let plain = !descending && self.takes_names(port);
                return plain && self.add(&port.name, json!(column), at);
            };
            let mut item = Map::new();
            item.insert(name.to_owned(), json!(column));
            if descending {
                let Some((flag, value)) = downward(&fields) else {
                    return false;
                };
                item.insert(flag.to_owned(), value);
            }
            return self.add(&port.name, Value::Object(item), at);
        }
        let sorts = has_any(&terms(self.tool.id.name()), &["sort", "order", "rank"]);
        let by = self.port(&[Kind::Text], &["sort", "order"]);
        let by = by.or_else(|| self.port(&[Kind::Text], &COLUMN).filter(|_| sorts));
        let Some(by) = by.filter(|by| !self.arguments.contains_key(&by.name)) else {
            return false;
        };
        if descending {
            let all: Vec<(&str, Shape<'_>)> = self.all();
            let Some((flag, value)) = downward(&all).map(|(flag, value)| (flag.to_owned(), value))
            else {
                return false;
            };
            self.put(&flag, value, at);
        }
        self.put(&by.name, json!(column), at)
    }

    fn all(&self) -> Vec<(&'a str, Shape<'a>)> {
        let form = top(&self.tool.input_schema);
        form.into_iter().flat_map(Shape::fields).collect()
    }

    fn keep(&mut self, at: usize, keep: &Keep) -> bool {
        let column = if keep.column.is_empty() {
            json!("{{ input.column }}")
        } else {
            json!(keep.column)
        };
        let list = self.port(
            &[Kind::List],
            &["where", "filter", "condition", "predicate"],
        );
        let fields = match list {
            Some(list) => self.fields(list),
            None => self.all(),
        };
        let Some(name) = field(&fields, Kind::Text, &COLUMN) else {
            return false;
        };
        let operator = fields.iter().find_map(|(name, shape)| {
            let word = spoken(keep.comparison, &shape.choices())?;
            Some(((*name).to_owned(), word))
        });
        let value = fields
            .iter()
            .find(|(name, _)| has_any(&terms(name), &["value", "operand"]));
        let (Some((operator, word)), Some((value, _))) = (operator, value) else {
            return false;
        };
        let mut item = Map::new();
        item.insert(name.to_owned(), column);
        item.insert(operator, word);
        if !keep.value.is_null() {
            item.insert((*value).to_owned(), keep.value.clone());
        }
        if keep.or && !self.any(at) {
            return false;
        }
        if holds_text(&keep.value)
            && let Some(port) = self.port(&[Kind::Boolean], &["case"])
            && has_any(&port.terms, &["ignore", "insensitive"])
        {
            self.put(&port.name, json!(true), at);
        }
        self.asks_column |= keep.column.is_empty();
        match list {
            Some(list) => self.add(&list.name, Value::Object(item), at),
            // One condition at a time.
            None if self.arguments.contains_key(name) => false,
            None => {
                self.arguments.extend(item);
                self.note(name, at);
                true
            }
        }
    }

    /// One fitting condition is enough.
    fn any(&mut self, at: usize) -> bool {
        let port = self.port(&[Kind::Boolean], &["any", "or"]);
        port.is_some_and(|port| self.put(&port.name, json!(true), at))
    }

    fn cut(&mut self, at: usize, words: &[&str], count: u64) -> bool {
        let port = self.port(&[Kind::Integer], words);
        let free = port.filter(|port| !self.arguments.contains_key(&port.name));
        free.is_some_and(|port| self.put(&port.name, json!(count), at))
    }

    fn unique(&mut self, at: usize, columns: &[String]) -> bool {
        const SAID: [&str; 4] = ["distinct", "unique", "deduplicate", "duplicate"];
        if !columns.is_empty() {
            let list = self.port(&[Kind::List], &SAID);
            return list.is_some_and(|port| self.put(&port.name, json!(columns), at));
        }
        let flag = self.port(&[Kind::Boolean], &SAID);
        flag.is_some_and(|port| self.put(&port.name, json!(true), at))
    }

    fn rename(&mut self, at: usize, from: &str, to: &str) -> bool {
        let Some(port) = self.port(&[Kind::Object], &["rename"]) else {
            return false;
        };
        let names = self
            .arguments
            .entry(&port.name)
            .or_insert_with(|| json!({}));
        if let Value::Object(names) = names {
            names.insert(from.to_owned(), json!(to));
        }
        self.note(&port.name, at);
        true
    }
}

/// Whether a parameter takes rows: a list of objects, or of anything under such a name.
pub(super) fn is_rows(tool: &ToolSpec, port: &Port) -> bool {
    if port.kind != Kind::List || port.role != Role::Other {
        return false;
    }
    let shape = top(&tool.input_schema).and_then(|form| form.field(&port.name));
    let items = shape.and_then(Shape::list_items);
    match items {
        Some(Some(items)) => {
            items.kind() == Kind::Object && items.fields().next().is_none() && names_rows(port)
                || (items.kind() == Kind::Object
                    && port.required
                    && items.fields().next().is_none())
        }
        Some(None) => port.required && names_rows(port),
        None => false,
    }
}

pub(super) fn names_rows(port: &Port) -> bool {
    has_any(&port.terms, &NAMES_OF_ROWS)
}

/// Whether words of a name are among these.
pub(super) fn has_any(terms: &[String], words: &[&str]) -> bool {
    words.iter().any(|word| terms.contains(&stem(word)))
}

pub(super) fn field<'s>(
    fields: &[(&'s str, Shape<'_>)],
    kind: Kind,
    words: &[&str],
) -> Option<&'s str> {
    let fits = |(name, shape): &&(&str, Shape<'_>)| {
        shape.allows(kind) && has_any(&terms(name), words) && shape.choices().is_empty()
    };
    fields.iter().find(fits).map(|(name, _)| *name)
}

/// How a schema says that the largest come first.
fn downward<'s>(fields: &[(&'s str, Shape<'_>)]) -> Option<(&'s str, Value)> {
    fields.iter().find_map(|(name, shape)| {
        let own = terms(name);
        if shape.allows(Kind::Boolean) && has_any(&own, &["descending", "desc", "reverse"]) {
            return Some((*name, json!(true)));
        }
        if shape.allows(Kind::Boolean) && has_any(&own, &["ascending", "asc"]) {
            return Some((*name, json!(false)));
        }
        let choices = shape.choices();
        let down = |value: &&&Value| {
            value
                .as_str()
                .is_some_and(|word| word.to_lowercase().starts_with("desc"))
        };
        choices
            .iter()
            .find(down)
            .map(|value| (*name, (**value).clone()))
    })
}

/// The word that a list of operators has for a comparison.
fn spoken(comparison: Comparison, choices: &[&Value]) -> Option<Value> {
    let words: &[&str] = match comparison {
        Comparison::Equal => &["eq", "==", "=", "equals", "equal", "is"],
        Comparison::Other => &["ne", "!=", "neq", "not_equal", "not_equals", "<>"],
        Comparison::Less => &["lt", "<", "less_than", "less"],
        Comparison::AtMost => &["lte", "<=", "le", "less_or_equal"],
        Comparison::More => &["gt", ">", "greater_than", "greater", "more"],
        Comparison::AtLeast => &["gte", ">=", "ge", "greater_or_equal"],
        Comparison::Between => &["between", "range"],
        Comparison::OneOf => &["in", "one_of", "any_of"],
        Comparison::Contains => &["contains", "includes", "like"],
        Comparison::StartsWith => &["starts_with", "startswith", "prefix"],
        Comparison::EndsWith => &["ends_with", "endswith", "suffix"],
        Comparison::Missing => &["missing", "is_null", "empty", "null"],
        Comparison::Present => &["present", "not_null", "exists"],
    };
    let is_word = |value: &&&Value| {
        let own = value
            .as_str()
            .unwrap_or_default()
            .to_lowercase()
            .replace('-', "_");
        words.contains(&own.as_str())
    };
    choices.iter().find(is_word).map(|value| (**value).clone())
}

fn holds_text(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(items) => items.iter().any(holds_text),
        _ => false,
    }
}
