//! Which names does a step see, and whose results are they? A step sees the
//! steps beside it, what surrounds it, the loop variables around it, and the
//! steps inside a `parallel` or `conditional` beside it; never inside a loop.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::step::{Step, StepType};

/// Where the value of a name is found while a plan runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Given to the plan from outside; `input` above all.
    Context(Arc<str>),
    /// A loop variable or accumulator, so many lists of steps further out.
    Variable { up: usize, name: Arc<str> },
    /// The result of a step: so many lists further out, then from step to inner step.
    Result {
        up: usize,
        way: Vec<Turn>,
        /// The same name in the other branch of the same conditional.
        otherwise: Option<Vec<Turn>>,
    },
}

/// One turn on the way to a step: which of the lists inside the last one, which step there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// 0 for the only list of a step, 0 and 1 for `then` and `otherwise`.
    pub branch: usize,
    pub node: usize,
}

impl Slot {
    /// The step of the innermost list that has to end before the value is there.
    pub fn dependency(&self) -> Option<usize> {
        self.dependency_above(0)
    }

    /// The same for the list that stands `depth` lists further out.
    pub fn dependency_above(&self, depth: usize) -> Option<usize> {
        match self {
            Self::Result { up, way, .. } if *up == depth => way.first().map(|turn| turn.node),
            _ => None,
        }
    }
}

/// The ways to the results that a name may stand for.
#[derive(Clone, Debug)]
struct Ways {
    way: Vec<Turn>,
    otherwise: Option<Vec<Turn>>,
}

/// The names visible in one list of steps.
#[derive(Clone, Debug, Default)]
pub struct Scope<'a> {
    around: Option<&'a Scope<'a>>,
    variables: Vec<Arc<str>>,
    results: FxHashMap<&'a str, Ways>,
    context: Vec<Arc<str>>,
}

impl<'a> Scope<'a> {
    /// The scope of a plan's own steps; `context` names what it is given.
    pub fn top(steps: &'a [Step], context: &[&str]) -> Self {
        let context = context.iter().map(|name| Arc::from(*name)).collect();
        Self {
            around: None,
            variables: Vec::new(),
            results: results(steps),
            context,
        }
    }

    /// The scope of steps inside a step of this one.
    pub fn inside(&'a self, steps: &'a [Step], variables: &[&str]) -> Self {
        let variables = variables.iter().map(|name| Arc::from(*name)).collect();
        Self {
            around: Some(self),
            variables,
            results: results(steps),
            context: Vec::new(),
        }
    }

    /// The value a name stands for, the innermost meaning first.
    pub fn find(&self, name: &str) -> Option<Slot> {
        let mut scope = self;
        let mut up = 0;
        loop {
            if let Some(name) = scope.variables.iter().find(|variable| &***variable == name) {
                return Some(Slot::Variable {
                    up,
                    name: Arc::clone(name),
                });
            }
            if let Some(Ways { way, otherwise }) = scope.results.get(name).cloned() {
                return Some(Slot::Result { up, way, otherwise });
            }
            if let Some(name) = scope.context.iter().find(|known| &***known == name) {
                return Some(Slot::Context(Arc::clone(name)));
            }
            scope = scope.around?;
            up += 1;
        }
    }

    /// Every visible name, for hints.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut scope = Some(self);
        while let Some(here) = scope {
            names.extend(here.variables.iter().map(ToString::to_string));
            names.extend(here.results.keys().map(ToString::to_string));
            names.extend(here.context.iter().map(ToString::to_string));
            scope = here.around;
        }
        names.sort();
        names.dedup();
        names
    }
}

/// The names that a step's inner steps see in addition.
pub fn variables_of(step: &Step) -> Vec<&str> {
    match step.kind {
        StepType::Loop => vec![step.variable.as_deref().unwrap_or("item"), "index"],
        StepType::Reduce => {
            let mut names = vec![step.variable.as_deref().unwrap_or("item"), "index"];
            names.extend(step.accumulate.as_deref());
            names
        }
        _ => Vec::new(),
    }
}

fn results(steps: &[Step]) -> FxHashMap<&str, Ways> {
    let mut names = FxHashMap::default();
    add_results(&mut names, steps, &[], 0);
    names
}

fn add_results<'a>(
    names: &mut FxHashMap<&'a str, Ways>,
    steps: &'a [Step],
    before: &[Turn],
    branch: usize,
) {
    for (node, step) in steps.iter().enumerate() {
        let mut way = before.to_vec();
        way.push(Turn { branch, node });
        if !step.id.is_empty() {
            add_result(names, &step.id, &way);
        }
        if let Some(output) = &step.output {
            add_result(names, output, &way);
        }
        match step.kind {
            StepType::Parallel => add_results(names, &step.steps, &way, 0),
            StepType::Conditional => {
                add_results(names, &step.then, &way, 0);
                add_results(names, &step.otherwise, &way, 1);
            }
            _ => {}
        }
    }
}

/// An outer name wins over one further in, an id over another step's output
/// name; the two branches of a conditional may give the same name.
fn add_result<'a>(names: &mut FxHashMap<&'a str, Ways>, name: &'a str, way: &[Turn]) {
    let known = names.entry(name).or_insert_with(|| Ways {
        way: way.to_vec(),
        otherwise: None,
    });
    let same_conditional = match (known.way.split_last(), way.split_last()) {
        (Some((one, before)), Some((other, also_before))) => {
            before == also_before && !before.is_empty() && one.branch != other.branch
        }
        _ => false,
    };
    if same_conditional && known.otherwise.is_none() {
        known.otherwise = Some(way.to_vec());
    }
}
