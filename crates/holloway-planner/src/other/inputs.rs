//! What does a plan ask for? Parameters that nobody said become inputs of the plan; steps that need the
//! same share one.

use std::sync::Arc;

use holloway_plan::schema_validator::foreign;
use holloway_plan::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::assemble::{Assembly, Node, is_template};
use super::names::identifier;
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, top};
use crate::catalogue::shape::{Kind, Shape};

impl Assembly<'_> {
    /// Makes what is still needed an input of the plan.
    pub(super) fn ask(&mut self, node: &mut Node) {
        let place = node.tool.place;
        let Some(ports) = self.ports(place) else {
            return;
        };
        let given = |port: &Port| node.arguments.contains_key(&port.name);
        let mut open: Vec<&Port> = ports.needed().filter(|port| !given(port)).collect();
        let one_of: Vec<&Port> = ports
            .one_of
            .iter()
            .filter_map(|at| ports.inputs.get(*at))
            .collect();
        // Who needs something else does without.
        if ports.needed().next().is_none() && !one_of.iter().any(|port| given(port)) {
            open.extend(one_of.first().copied().filter(|port| !port.required));
        }
        for port in open {
            let name = self.input_for(place, port);
            node.arguments
                .insert(port.name.clone(), json!(format!("{{{{ input.{name} }}}}")));
            node.bindings.push(Binding {
                parameter: port.name.clone(),
                source: Source::Input { name },
                entities: Vec::new(),
                confidence: 0.0,
                reason: "the request does not say it".to_owned(),
            });
        }
    }

    /// A text that would be read as an expression is a value of an input.
    pub(super) fn given_input(&mut self, place: Place, port: &Port, value: Value) -> Value {
        let name = format!("{}_{}", identifier(&port.name), self.inputs.len() + 1);
        let mut property = self.property(place, port);
        if let Some(property) = property.as_object_mut() {
            property.insert("default".to_owned(), value);
        }
        self.inputs.insert(name.clone(), property);
        json!(format!("{{{{ input.{name} }}}}"))
    }

    /// The name of the input for a parameter; steps that need the same share it.
    fn input_for(&mut self, place: Place, port: &Port) -> String {
        let property = self.property(place, port);
        let own = identifier(&port.name);
        let step = self.catalogue.tool(place);
        let step = step.map_or_else(String::new, |tool| identifier(tool.id.name()));
        let alike = |known: Option<&Value>| {
            known.is_none_or(|known| known.get("type") == property.get("type"))
        };
        let name = if alike(self.inputs.get(&own)) {
            own
        } else {
            format!("{step}_{own}")
        };
        self.inputs.entry(name.clone()).or_insert(property);
        name
    }

    fn property(&self, place: Place, port: &Port) -> Value {
        let mut property = Map::new();
        let shape = self.shape(place, port);
        let kind = match port.kind {
            Kind::Text => Some("string"),
            Kind::Integer => Some("integer"),
            Kind::Number => Some("number"),
            Kind::Boolean => Some("boolean"),
            Kind::List => Some("array"),
            Kind::Object => Some("object"),
            Kind::Any => None,
        };
        if let Some(kind) = kind {
            property.insert("type".to_owned(), json!(kind));
        }
        let about = shape.map_or("", |shape| shape.text("description"));
        if !about.is_empty() {
            property.insert("description".to_owned(), json!(about));
        }
        let choices = shape.map(Shape::choices).unwrap_or_default();
        if !choices.is_empty() {
            property.insert("enum".to_owned(), json!(choices));
        }
        Value::Object(property)
    }

    /// The schema of a parameter.
    fn shape(&self, place: Place, port: &Port) -> Option<Shape<'_>> {
        let schema = &self.catalogue.tool(place)?.input_schema;
        top(schema)?.field(&port.name)
    }
}

/// Leaves out what the tool would not take as it is said: `7623` where it wants a UUID. What it
/// cannot do without is asked for.
pub(super) fn drop_misfits(node: &mut Node) {
    let tool = Arc::clone(&node.gives);
    node.arguments
        .retain(|name, value| is_taken(&tool, name, value));
    let given = &node.arguments;
    node.bindings
        .retain(|binding| given.contains_key(&binding.parameter));
}

/// Whether a value fits what a tool says of a parameter, as far as it is known before the run.
pub(super) fn is_taken(tool: &ToolSpec, name: &str, value: &Value) -> bool {
    let field = top(&tool.input_schema).and_then(|shape| shape.field(name));
    let Some(field) = field.filter(|_| !is_template(value)) else {
        return true;
    };
    let validator = foreign(field.schema()).validator;
    validator.is_none_or(|validator| validator.is_valid(value))
}
