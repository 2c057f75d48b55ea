//! How do the stages stand in a plan? As nodes that read the ones before them, with where each
//! argument comes from.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::figures::writes_rows;
use super::{Each, Feed, Pipeline, Stage};
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::Role;
use crate::generate::assembly::{Assembly, Each as Loop, Node, Part, list_of};
use crate::generate::inputs::{Wish, clip};
use crate::generate::supply::joined;
use crate::request::Format;

/// How sure what was said so plainly is.
const SURE: f32 = 0.9;

impl Pipeline {
    /// The capabilities that the pipeline serves.
    pub(crate) fn covers(&self, capability: usize) -> bool {
        self.covered.contains(&capability)
    }

    /// Adds the stages to a plan.
    pub(crate) fn lay(&self, plan: &mut Assembly<'_>) {
        let mut nodes: Vec<usize> = Vec::new();
        for stage in &self.stages {
            let node = self.node(stage, &nodes, plan);
            nodes.push(plan.push(stage.place, node));
        }
        plan.table = self.table.as_ref().and_then(|(stage, path)| {
            let node = plan.nodes.get(*nodes.get(*stage)?)?;
            Some(joined(&node.id, path))
        });
        plan.told = self.told(&nodes, plan);
    }

    /// What is told where no table is wanted, as the text of a file: a figure, or lines that were
    /// found.
    fn told(&self, nodes: &[usize], plan: &Assembly<'_>) -> Option<String> {
        let (stage, node) = self.stages.last().zip(nodes.last())?;
        let node = plan.nodes.get(*node)?;
        let tool = plan.tool(stage.place).filter(|_| self.table.is_none())?;
        if stage.part == Part::Form && stage.writes.is_none() {
            return Some(format!("{{{{ {} }}}}\n", node.id));
        }
        let list = Shape::of(&tool.output_schema).field(&stage.gives)?;
        let lines = list.list_items().flatten()?;
        let is_found = lines.field("line").is_some() && lines.field("text").is_some();
        let list = joined(&node.id, &stage.gives);
        is_found.then(|| format!("{{% for found in {list} %}}{{{{ found.text }}}}\n{{% endfor %}}"))
    }

    fn node(&self, stage: &Stage, nodes: &[usize], plan: &mut Assembly<'_>) -> Node {
        let mut node = Node {
            place: stage.place,
            id: String::new(),
            arguments: stage.arguments.clone(),
            bindings: Vec::new(),
            reason: reason(stage, plan),
            each: None,
            result: None,
            part: stage.part,
            capability: capability(stage, plan),
            domain: None,
            read: FxHashSet::default(),
            // A table without rows is a table all the same.
            optional: true,
            may_fail: false,
            goes_on: false,
            follows: Vec::new(),
        };
        if let Some((parameter, entity)) = &stage.file {
            takes_file(&mut node, parameter, *entity, plan);
        }
        if let Some(each) = &stage.each {
            self.repeat(&mut node, each, nodes, plan);
        }
        for (parameter, feed) in &stage.feeds {
            self.feed(&mut node, parameter, feed, nodes, plan);
        }
        if let Some((parameter, ending)) = &stage.writes {
            let named = plan.target_called(ending);
            let path = named.unwrap_or_else(|| plan.result_path(ending));
            node.arguments.insert(parameter.clone(), json!(path));
        }
        if stage.asks_column {
            let step = plan.tool(stage.place).map_or("", |tool| tool.id.name());
            plan.inputs.ask(Wish {
                name: "column",
                shape: None,
                default: None,
                step,
            });
        }
        for (parameter, said) in &stage.said {
            let Some(said) = plan.ground.analysis.conditions.get(*said) else {
                continue;
            };
            let text = plan.ground.analysis.request.get(said.place.clone());
            let value = stage.arguments.get(parameter).cloned().unwrap_or_default();
            if !stage.arguments.contains_key(parameter) {
                continue;
            }
            node.bindings.push(Binding {
                entities: Vec::new(),
                parameter: parameter.clone(),
                source: Source::Words {
                    place: said.place.clone(),
                    value,
                },
                confidence: SURE,
                reason: format!("“{}”", clip(text.unwrap_or_default(), 60)),
            });
        }
        node
    }

    /// Makes a loop of a call, over the rows that another gives.
    fn repeat(&self, node: &mut Node, each: &Each, nodes: &[usize], plan: &mut Assembly<'_>) {
        let gives = self.stages.get(each.rows).map(|stage| stage.gives.clone());
        let gives = gives.unwrap_or_default();
        let maker = nodes.get(each.rows).and_then(|at| plan.nodes.get_mut(*at));
        let Some(maker) = maker else {
            return;
        };
        maker.read.insert(gives.clone());
        let variable = "one".to_owned();
        let value = format!("{{{{ {variable}.{} }}}}", each.field);
        node.arguments.insert(each.parameter.clone(), json!(value));
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: each.parameter.clone(),
            source: Source::Earlier {
                step: maker.id.clone(),
                path: gives.clone(),
            },
            confidence: 1.0,
            reason: format!("{} of each of {}", each.field, maker.id),
        });
        node.each = Some(Loop {
            over: joined(&maker.id, &gives),
            variable,
        });
        let tool = plan.tool(node.place);
        node.result = tool.map(|tool| list_of(&tool.output_schema));
    }

    fn feed(
        &self,
        node: &mut Node,
        parameter: &str,
        feed: &Feed,
        nodes: &[usize],
        plan: &mut Assembly<'_>,
    ) {
        let stages: Vec<usize> = match feed {
            Feed::One(stage) | Feed::Each(stage) | Feed::Part(stage, _) | Feed::Lines(stage, _) => {
                vec![*stage]
            }
            Feed::All(stages) => stages.clone(),
        };
        let mut texts = Vec::new();
        for at in stages {
            let gives = self.stages.get(at).map(|stage| stage.gives.clone());
            let gives = gives.unwrap_or_default();
            let Some(maker) = nodes.get(at).and_then(|at| plan.nodes.get_mut(*at)) else {
                continue;
            };
            maker.read.insert(gives.clone());
            let path = match feed {
                Feed::Part(_, part) => format!("{}{part}", maker.id),
                Feed::Lines(_, slice) => {
                    let text = joined(&maker.id, &gives);
                    format!("({text} | lines){slice} | join('\\n')")
                }
                Feed::Each(_) => format!("{} | map(attribute=\"{gives}\") | list", maker.id),
                Feed::One(_) | Feed::All(_) => joined(&maker.id, &gives),
            };
            texts.push(json!(format!("{{{{ {path} }}}}")));
            node.bindings.push(Binding {
                entities: Vec::new(),
                parameter: parameter.to_owned(),
                source: Source::Earlier {
                    step: maker.id.clone(),
                    path: gives.clone(),
                },
                confidence: 1.0,
                reason: format!("{gives} of {}", maker.id),
            });
        }
        let value = match (feed, texts.as_slice()) {
            (Feed::All(_), _) => Value::Array(texts),
            (_, [only, ..]) => only.clone(),
            (_, []) => Value::Null,
        };
        node.arguments.insert(parameter.to_owned(), value);
    }
}

impl Assembly<'_> {
    /// What a tool that writes files is given of the table that the request is about.
    pub(in crate::generate) fn table_for(&self, place: Place, form: Format) -> Map<String, Value> {
        let mut settled = Map::new();
        let Some(ports) = self.ports(place) else {
            return settled;
        };
        let Some(table) = self.table.clone().or_else(|| self.findings(form)) else {
            let text = ports.needed().find(|port| port.role == Role::Text);
            if let (Some(told), Some(text), Format::Text) = (&self.told, text, form) {
                settled.insert(text.name.clone(), json!(told));
            }
            return settled;
        };
        let rows = ports.inputs.iter().find(|port| writes_rows(port));
        let text = ports.needed().find(|port| port.role == Role::Text);
        if let Some(port) = rows {
            settled.insert(port.name.clone(), json!(format!("{{{{ {table} }}}}")));
        } else if let Some(port) = text {
            let value = if form == Format::JsonLines {
                format!("{{{{ {table} | map('tojson') | join('\\n') }}}}\n")
            } else {
                format!("{{{{ {table} | tojson(true) }}}}")
            };
            settled.insert(port.name.clone(), json!(value));
        }
        settled
    }

    /// What several steps found, one after the other: as rows they belong together.
    fn findings(&self, form: Format) -> Option<String> {
        use Format::{Csv, Json, JsonLines, Tsv, Xlsx};
        const FOUND: &str = "findings";
        if !matches!(form, Csv | Json | JsonLines | Tsv | Xlsx) {
            return None;
        }
        let finds = |node: &&Node| {
            let ports = self.ports(node.place);
            let mut outputs = ports.into_iter().flat_map(|ports| &ports.outputs);
            node.each.is_none()
                && outputs
                    .any(|port| port.name == FOUND && port.kind == Kind::List && port.required)
        };
        let lists = self.nodes.iter().filter(finds);
        let lists: Vec<String> = lists.map(|node| format!("{}.{FOUND}", node.id)).collect();
        (!lists.is_empty()).then(|| lists.join(" + "))
    }
}

/// A file of the request becomes an input of the plan.
fn takes_file(node: &mut Node, parameter: &str, entity: usize, plan: &mut Assembly<'_>) {
    let Some(file) = plan.ground.analysis.entities.get(entity) else {
        return;
    };
    let value = json!(file.text);
    let step = plan.tool(node.place).map_or("", |tool| tool.id.name());
    let port = plan
        .ports(node.place)
        .and_then(|ports| ports.input(parameter));
    let shape = port.and_then(|port| plan.shape(node.place, port));
    let name = plan.inputs.ask(Wish {
        name: parameter,
        shape,
        default: Some(value.clone()),
        step,
    });
    node.arguments.insert(
        parameter.to_owned(),
        json!(format!("{{{{ input.{name} }}}}")),
    );
    plan.reserved.insert(entity);
    node.bindings.push(Binding {
        entities: Vec::new(),
        parameter: parameter.to_owned(),
        source: Source::Request { entity, value },
        confidence: SURE,
        reason: "the file in the request".to_owned(),
    });
}

fn reason(stage: &Stage, plan: &Assembly<'_>) -> String {
    let analysis = plan.ground.analysis;
    let mut texts: Vec<String> = Vec::new();
    for (_, said) in &stage.said {
        let said = analysis.conditions.get(*said);
        let text = said.and_then(|said| analysis.request.get(said.place.clone()));
        let text = format!("“{}”", clip(text.unwrap_or_default(), 60));
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    match stage.part {
        _ if !texts.is_empty() => format!("the request says {}", texts.join(", ")),
        Part::Gap => "makes the rows that the request is about".to_owned(),
        _ => "gives what was asked for".to_owned(),
    }
}

/// The capability in whose words the first of its conditions stands.
fn capability(stage: &Stage, plan: &Assembly<'_>) -> Option<usize> {
    let analysis = plan.ground.analysis;
    let (_, said) = stage.said.first()?;
    let place = &analysis.conditions.get(*said)?.place;
    let holds = |text: &str| {
        let start = analysis.request.find(text);
        start.is_some_and(|start| start < place.end && place.start < start + text.len())
    };
    let found = analysis
        .capabilities
        .iter()
        .position(|one| holds(&one.text));
    found.or_else(|| (!analysis.capabilities.is_empty()).then_some(0))
}
