//! What does a schema allow? The few facts that planning needs of JSON Schema: kinds,
//! fields, items, and whether a value at hand satisfies it. All work is bounded.

use serde_json::{Map, Value};

/// References, alternatives and nesting are followed this far.
const DEEP: usize = 6;
const ALTERNATIVES: usize = 8;

/// A schema inside the document its references point into.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    root: &'a Value,
    schema: &'a Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Object,
    /// Nothing is said.
    Any,
}

impl<'a> Shape<'a> {
    /// A whole document.
    pub fn of(schema: &'a Value) -> Self {
        Self {
            root: schema,
            schema,
        }
    }

    /// Another schema of the same document.
    pub fn at(self, schema: &'a Value) -> Self {
        Self {
            root: self.root,
            schema,
        }
    }

    /// As it is written.
    pub fn schema(self) -> &'a Value {
        self.schema
    }

    pub fn word(self, word: &str) -> Option<&'a Value> {
        self.schema.get(word)
    }

    pub fn text(self, word: &str) -> &'a str {
        let own = self.word(word).and_then(Value::as_str);
        own.unwrap_or_default()
    }

    /// The forms a value may have, without null: references followed, alternatives listed.
    pub fn forms(self) -> Vec<Self> {
        let mut forms = Vec::new();
        self.collect(DEEP, &mut forms);
        forms
    }

    fn collect(self, deep: usize, forms: &mut Vec<Self>) {
        if forms.len() >= ALTERNATIVES || deep == 0 {
            return;
        }
        if let Some(target) = self.word("$ref").and_then(Value::as_str) {
            let target = target.strip_prefix('#').map(|path| self.root.pointer(path));
            if let Some(Some(target)) = target {
                self.at(target).collect(deep - 1, forms);
            }
            return;
        }
        for word in ["anyOf", "oneOf"] {
            if let Some(Value::Array(several)) = self.word(word) {
                for schema in several.iter().take(ALTERNATIVES) {
                    self.at(schema).collect(deep - 1, forms);
                }
                return;
            }
        }
        // What all of several say is too much to merge here: the first one speaks for them.
        if let Some(Value::Array(several)) = self.word("allOf")
            && self.word("type").is_none()
            && let Some(first) = several.first()
        {
            return self.at(first).collect(deep - 1, forms);
        }
        if self.word("type").and_then(Value::as_str) != Some("null") {
            forms.push(self);
        }
    }

    /// The kinds of one form.
    pub fn kinds(self) -> Vec<Kind> {
        let named: Vec<Kind> = match self.word("type") {
            Some(Value::String(name)) => kind(name).into_iter().collect(),
            Some(Value::Array(names)) => {
                let mut kinds = Vec::new();
                for kind in names.iter().filter_map(|name| kind(name.as_str()?)) {
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                kinds
            }
            _ => Vec::new(),
        };
        if !named.is_empty() {
            return named;
        }
        let values = match (self.word("const"), self.word("enum")) {
            (Some(value), _) => std::slice::from_ref(value),
            (None, Some(Value::Array(values))) => values,
            _ => &[],
        };
        if let Some(value) = values.iter().find(|value| !value.is_null()) {
            return vec![kind_of(value)];
        }
        if self.word("properties").is_some() {
            return vec![Kind::Object];
        }
        if self.word("items").is_some() {
            return vec![Kind::List];
        }
        vec![Kind::Any]
    }

    /// The first kind of the first form.
    pub fn kind(self) -> Kind {
        let form = self.forms().first().copied();
        let kinds = form.map(Self::kinds).unwrap_or_default();
        kinds.first().copied().unwrap_or(Kind::Any)
    }

    pub fn allows(self, kind: Kind) -> bool {
        let fits = |own: &Kind| {
            *own == kind || *own == Kind::Any || (*own == Kind::Number && kind == Kind::Integer)
        };
        self.forms()
            .into_iter()
            .any(|form| form.kinds().iter().any(fits))
    }

    /// The fields of one form, as declared.
    pub fn fields(self) -> impl Iterator<Item = (&'a str, Self)> {
        let fields = self.word("properties").and_then(Value::as_object);
        let fields = fields.into_iter().flat_map(Map::iter);
        fields.map(move |(name, schema)| (name.as_str(), self.at(schema)))
    }

    pub fn field(self, name: &str) -> Option<Self> {
        let fields = self.word("properties")?;
        fields.get(name).map(|schema| self.at(schema))
    }

    pub fn required(self) -> impl Iterator<Item = &'a str> {
        let names = self.word("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }

    pub fn is_required(self, name: &str) -> bool {
        self.required().any(|own| own == name)
    }

    /// What the items of a list look like.
    pub fn items(self) -> Option<Self> {
        let items = self.word("items")?;
        let items = items
            .as_array()
            .map_or(Some(items), |several| several.first());
        items.map(|schema| self.at(schema))
    }

    /// The items of the first form that is a list.
    pub fn list_items(self) -> Option<Option<Self>> {
        let is_list = |form: &Self| form.kinds().contains(&Kind::List);
        self.forms().into_iter().find(is_list).map(Self::items)
    }

    /// The values that are allowed, when they are listed.
    pub fn choices(self) -> Vec<&'a Value> {
        let mut choices = Vec::new();
        for form in self.forms() {
            match (form.word("const"), form.word("enum")) {
                (Some(value), _) => choices.push(value),
                (None, Some(Value::Array(values))) => choices.extend(values),
                _ => {}
            }
        }
        choices.retain(|value| !value.is_null());
        choices
    }

    /// Does the value satisfy the schema, as far as it can be told without its patterns?
    pub fn admits(self, value: &Value) -> bool {
        self.admits_within(value, DEEP)
    }

    fn admits_within(self, value: &Value, deep: usize) -> bool {
        let forms = self.forms();
        forms.is_empty() || forms.into_iter().any(|form| form.form_admits(value, deep))
    }

    fn form_admits(self, value: &Value, deep: usize) -> bool {
        let own = kind_of(value);
        let fits = |kind: Kind| {
            kind == own || kind == Kind::Any || (kind == Kind::Number && own == Kind::Integer)
        };
        if !self.kinds().into_iter().any(fits) {
            return false;
        }
        if self.word("const").is_some_and(|only| only != value) {
            return false;
        }
        if let Some(Value::Array(values)) = self.word("enum")
            && !values.contains(value)
        {
            return false;
        }
        if deep == 0 {
            return true;
        }
        match value {
            Value::Number(number) => self.number_fits(number.as_f64().unwrap_or_default()),
            Value::String(text) => self.text_fits(text),
            Value::Array(items) => self.list_fits(items, deep),
            Value::Object(fields) => self.object_fits(fields, deep),
            _ => true,
        }
    }

    fn bound(self, word: &str) -> Option<f64> {
        self.word(word).and_then(Value::as_f64)
    }

    fn number_fits(self, number: f64) -> bool {
        self.bound("minimum").is_none_or(|least| number >= least)
            && self.bound("maximum").is_none_or(|most| number <= most)
            && self
                .bound("exclusiveMinimum")
                .is_none_or(|least| number > least)
            && self
                .bound("exclusiveMaximum")
                .is_none_or(|most| number < most)
    }

    fn text_fits(self, text: &str) -> bool {
        let length = text.chars().count() as f64;
        let fits_format = match self.text("format") {
            "email" => text.contains('@') && !text.contains(char::is_whitespace),
            "uri" | "url" => text.contains("://"),
            "date" => is_date(text),
            "date-time" => text.get(..10).is_some_and(is_date) && text.len() > 10,
            _ => true,
        };
        fits_format
            && self.bound("minLength").is_none_or(|least| length >= least)
            && self.bound("maxLength").is_none_or(|most| length <= most)
    }

    fn list_fits(self, items: &[Value], deep: usize) -> bool {
        let length = items.len() as f64;
        self.bound("minItems").is_none_or(|least| length >= least)
            && self.bound("maxItems").is_none_or(|most| length <= most)
            && self
                .items()
                .is_none_or(|shape| items.iter().all(|item| shape.admits_within(item, deep - 1)))
    }

    fn object_fits(self, fields: &Map<String, Value>, deep: usize) -> bool {
        let closed = self.word("additionalProperties") == Some(&Value::Bool(false));
        self.required().all(|name| fields.contains_key(name))
            && fields.iter().all(|(name, value)| match self.field(name) {
                Some(shape) => shape.admits_within(value, deep - 1),
                None => !closed,
            })
    }
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "string" | "str" => Kind::Text,
        "integer" | "int" => Kind::Integer,
        "number" | "float" => Kind::Number,
        "boolean" | "bool" => Kind::Boolean,
        "array" | "list" => Kind::List,
        "object" | "dict" => Kind::Object,
        "null" => return None,
        _ => Kind::Any,
    })
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::String(_) => Kind::Text,
        Value::Number(number)
            if number.is_f64() && number.as_f64().is_none_or(|it| it.fract() != 0.0) =>
        {
            Kind::Number
        }
        Value::Number(_) => Kind::Integer,
        Value::Bool(_) => Kind::Boolean,
        Value::Array(_) => Kind::List,
        Value::Object(_) => Kind::Object,
        Value::Null => Kind::Any,
    }
}

/// `2026-03-18`
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests;
