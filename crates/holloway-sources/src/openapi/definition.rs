//! What exactly was offered? The operation as the description has it, with
//! everything it refers to and everything that decides where its request goes: what
//! is hashed, compared and shown when it changes.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::document::{Document, join, local_pointer};
use super::operation::Operation;

/// Collects definitions; each place is searched for references once.
pub(crate) struct Definitions<'a> {
    document: &'a Document,
    references: HashMap<String, Rc<Vec<String>>>,
}

impl<'a> Definitions<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        Self {
            document,
            references: HashMap::new(),
        }
    }

    pub(crate) fn of(&mut self, operation: &Operation) -> Value {
        let root = &self.document.root;
        let own = root
            .pointer(&operation.pointer)
            .cloned()
            .unwrap_or_default();
        let shared = format!("{}/parameters", operation.item_pointer);
        let shared = root.pointer(&shared).cloned();
        let mut definition = json!({
            "method": operation.method.as_str(),
            "path": operation.path,
            "server": operation.base.as_str(),
            "security": operation.security,
            "securitySchemes": self.schemes(operation),
            "operation": own,
        });
        if let (Some(shared), Some(fields)) = (shared, definition.as_object_mut()) {
            fields.insert("parameters".to_owned(), shared);
        }
        let references = self.closure(&definition);
        if let Some(fields) = definition.as_object_mut()
            && !references.is_empty()
        {
            fields.insert("references".to_owned(), Value::Object(references));
        }
        definition
    }

    fn schemes(&self, operation: &Operation) -> Value {
        let names = operation.security.iter().flatten();
        let found: BTreeMap<_, _> = names
            .filter_map(|name| {
                let at = join("/components/securitySchemes", name);
                Some((name, self.document.root.pointer(&at)?))
            })
            .collect();
        json!(found)
    }

    /// Everything that is referred to, by reference.
    fn closure(&mut self, value: &Value) -> Map<String, Value> {
        let mut found: BTreeMap<String, Value> = BTreeMap::new();
        let mut waiting = Vec::new();
        collect(value, &mut waiting);
        while let Some(reference) = waiting.pop() {
            if found.contains_key(&reference) {
                continue;
            }
            let Some(target) = self.target(&reference) else {
                continue;
            };
            let target = target.clone();
            waiting.extend(self.references_of(&reference, &target).iter().cloned());
            found.insert(reference, target);
        }
        found.into_iter().collect()
    }

    fn target(&self, reference: &str) -> Option<&'a Value> {
        let pointer = local_pointer(reference, "").ok()?;
        self.document.root.pointer(&pointer)
    }

    fn references_of(&mut self, reference: &str, target: &Value) -> Rc<Vec<String>> {
        if let Some(known) = self.references.get(reference) {
            return Rc::clone(known);
        }
        let mut inside = Vec::new();
        collect(target, &mut inside);
        let inside = Rc::new(inside);
        self.references
            .insert(reference.to_owned(), Rc::clone(&inside));
        inside
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref")
                && !references.contains(reference)
            {
                references.push(reference.clone());
            }
            fields.values().for_each(|inner| collect(inner, references));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect(inner, references)),
        _ => {}
    }
}
