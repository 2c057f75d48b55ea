//! Hostile plans, by the way they attack; each with a part of what must be said against it.

#![allow(clippy::format_collect, clippy::format_push_string)] // plainer, and these are no hot paths

mod expressions;
mod order;
mod schemas;
mod shapes;
mod sizes;
mod texts;

/// One hostile plan.
pub(crate) struct Case {
    pub(crate) name: String,
    /// A part of the refusal.
    #[allow(dead_code)] // what is measured need not be read
    pub(crate) says: &'static str,
    make: Box<dyn Fn() -> String>,
}

impl Case {
    pub(crate) fn text(&self) -> String {
        (self.make)()
    }
}

type Way = (&'static str, fn(&mut Cases));

/// The ways of attack, each with its cases.
pub(crate) const WAYS: [Way; 6] = [
    ("texts", texts::add),
    ("sizes", sizes::add),
    ("shapes", shapes::add),
    ("schemas", schemas::add),
    ("order", order::add),
    ("expressions", expressions::add),
];

/// The cases of one way, or all of them.
pub(crate) fn cases(way: Option<&str>) -> Vec<Case> {
    let mut cases = Cases::default();
    for (_, add) in WAYS
        .iter()
        .filter(|(name, _)| way.is_none_or(|way| way == *name))
    {
        add(&mut cases);
    }
    cases.0
}

#[derive(Default)]
pub(crate) struct Cases(Vec<Case>);

impl Cases {
    /// A whole document, made when it is needed: some are megabytes long.
    fn made(
        &mut self,
        name: impl Into<String>,
        says: &'static str,
        make: impl Fn() -> String + 'static,
    ) {
        self.0.push(Case {
            name: name.into(),
            says,
            make: Box::new(make),
        });
    }

    /// A whole document.
    fn text(&mut self, name: impl Into<String>, says: &'static str, text: impl Into<String>) {
        let text = text.into();
        self.made(name, says, move || text.clone());
    }

    /// A plan given by its steps, in YAML's flow style.
    fn steps(&mut self, name: impl Into<String>, says: &'static str, steps: impl Into<String>) {
        self.text(name, says, plan(&steps.into()));
    }

    /// A plan of one tool step with more fields.
    fn step(&mut self, name: impl Into<String>, says: &'static str, fields: &str) {
        self.steps(name, says, format!("{{id: a, tool: work, {fields}}}"));
    }
}

fn plan(steps: &str) -> String {
    format!("version: '1.0'\nsteps: [{steps}]\n")
}

fn json_plan(steps: &str) -> String {
    format!(r#"{{"version": "1.0", "steps": [{steps}]}}"#)
}

/// `n` pieces with a comma in between.
fn listed(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect::<Vec<_>>().join(", ")
}
