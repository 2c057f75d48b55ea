//! How do nodes become steps? Calls, loops around calls, and tools that stand in when one fails.

use holloway_plan::draft::Draft;
use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::Effect;
use serde_json::{Value, json};

use super::Note;
use super::assemble::{Assembly, Node};
use super::choose::Chosen;
use super::inputs::is_taken;
use crate::catalogue::Place;
use crate::catalogue::shape::Shape;

const OBJECTIVE_AT_MOST: usize = 300;

impl Assembly<'_> {
    pub(super) fn draft(&self, chosen: &Chosen) -> Draft {
        let steps = self.nodes.iter().map(|node| self.step(node, chosen));
        let goals = self.frame.goals.iter().map(|goal| goal.text.as_str());
        let objective = plain(&goals.collect::<Vec<_>>().join("; "));
        Draft {
            version: "1.0".to_owned(),
            objective: Some(objective).filter(|text| !text.is_empty()),
            input: (!self.inputs.is_empty()).then(|| {
                let names = self.open_inputs();
                json!({"type": "object", "properties": self.inputs, "required": names})
            }),
            steps: steps.collect(),
            ..Draft::default()
        }
    }

    fn step(&self, node: &Node, chosen: &Chosen) -> Step {
        let goal = node.tool.goal.and_then(|goal| self.frame.goals.get(goal));
        let purpose = match goal {
            Some(goal) if node.tool.asked => plain(&goal.text),
            _ => plain(&node.tool.reason),
        };
        let name = self.catalogue.name_in_plans(node.tool.place);
        let mut call = Step {
            id: node.id.clone(),
            purpose: Some(purpose).filter(|purpose| !purpose.is_empty()),
            tool: name.map(str::to_owned),
            input: (!node.arguments.is_empty()).then(|| Value::Object(node.arguments.clone())),
            depends_on: node.follows.clone(),
            fallbacks: self.fallbacks(node, chosen),
            ..Step::default()
        };
        let Some(each) = &node.each else {
            return call;
        };
        let (id, purpose) = (call.id.clone(), call.purpose.take());
        let depends_on = std::mem::take(&mut call.depends_on);
        call.id = format!("{id}_each");
        Step {
            id,
            purpose,
            depends_on,
            kind: StepType::Loop,
            over: Some(Box::new(json!(each.over))),
            variable: Some(each.variable.clone()),
            concurrency: Some(self.settings.loop_concurrency),
            max_items: Some(self.settings.loop_items),
            step: Some(Box::new(call)),
            ..Step::default()
        }
    }

    /// Tools that take the same input and do no more harm, where no later step reads the result.
    fn fallbacks(&self, node: &Node, chosen: &Chosen) -> Vec<String> {
        let is_used = |place: &Place| chosen.tools.iter().any(|tool| tool.place == *place);
        let others = node.tool.others.iter();
        let fitting = others.filter(|other| !is_used(other) && self.can_stand_in(node, **other));
        let names = fitting.filter_map(|other| self.catalogue.name_in_plans(*other));
        names
            .take(self.settings.fallbacks)
            .map(str::to_owned)
            .collect()
    }

    fn can_stand_in(&self, node: &Node, other: Place) -> bool {
        let (Some(tool), Some(ports)) = (self.catalogue.tool(other), self.ports(other)) else {
            return false;
        };
        let harm = |effect: Effect| effect as u8;
        let own = Shape::of(&node.gives.input_schema);
        let takes = |name: &String| {
            let kind = own.field(name).map(Shape::kind);
            ports
                .input(name)
                .is_some_and(|port| Some(port.kind) == kind)
        };
        let given = |name: &str| node.arguments.contains_key(name);
        !ports.inputs.is_empty()
            && harm(tool.effect) <= harm(node.gives.effect)
            && node.arguments.keys().all(takes)
            && node
                .arguments
                .iter()
                .all(|(name, value)| is_taken(tool, name, value))
            && ports.needed().all(|port| given(&port.name))
            && !self.is_read(node)
    }

    /// Whether a later step reads the result.
    fn is_read(&self, node: &Node) -> bool {
        use crate::bind::Source::Earlier;
        let mut bindings = self.nodes.iter().flat_map(|node| &node.bindings);
        bindings.any(|own| matches!(&own.source, Earlier { step, .. } if *step == node.id))
    }

    pub(super) fn notes(&self) -> Vec<Note> {
        let notes = self.nodes.iter().map(|node| Note {
            step: node.id.clone(),
            tool: node.gives.id.to_string(),
            reason: node.tool.reason.clone(),
            bindings: node.bindings.clone(),
        });
        notes.collect()
    }

    pub(super) fn open_inputs(&self) -> Vec<String> {
        let open = self.inputs.iter();
        let open = open.filter(|(_, property)| property.get("default").is_none());
        open.map(|(name, _)| name.clone()).collect()
    }
}

/// A text that is read as such wherever it stands.
fn plain(text: &str) -> String {
    let plain = text.chars().filter(|letter| !"{}".contains(*letter));
    plain.take(OBJECTIVE_AT_MOST).collect()
}
