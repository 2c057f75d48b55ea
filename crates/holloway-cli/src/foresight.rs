//! What would a plan be refused for when it runs, and what would it change? Every call is
//! looked at with the arguments that are known before: those written in the plan, and inputs
//! that are given or have a default.

use holloway_engine::ports::ToolCaller as _;
use holloway_plan::plan::Plan;
use holloway_plan::problem::did_you_mean;
use holloway_plan::step::Step;
use holloway_plan::tool::full_schema;
use holloway_tools::Grants;
use holloway_tools::ungranted::{Given, Ungranted, is_absent, names_beside};
use serde_json::{Map, Value};

use crate::print::visible;
use crate::workbench::Workbench;

/// Names of a folder that are compared.
const LOOKED_AT: usize = 1_000;

/// What is known before a plan runs.
#[derive(Debug, Default)]
pub(crate) struct Foreseen {
    /// Everything it lacks, each once.
    pub(crate) lacks: Vec<Ungranted>,
    /// Files that are there, or in a sensitive place, and that it would change.
    pub(crate) replaces: Vec<String>,
    /// What it would read and is not there, with what was probably meant.
    pub(crate) absent: Vec<String>,
}

/// Looks at every call of a plan; `input` is what is given so far.
pub(crate) fn foreseen(plan: &Plan, input: &Value, workbench: &Workbench) -> Foreseen {
    let schema = plan.draft().input.clone().map(full_schema);
    let known = |name: &str| {
        input.get(name).cloned().or_else(|| {
            let properties = schema.as_ref()?.get("properties")?;
            properties.get(name)?.get("default").cloned()
        })
    };
    let mut foreseen = Foreseen::default();
    let (mut read, mut made): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    plan.draft().walk(&mut |step| {
        let Some(tool) = step.called_tool().and_then(|name| plan.tool(name)) else {
            return;
        };
        let arguments = arguments(step, &known);
        for lack in workbench.refusals(tool, &arguments) {
            if !foreseen.lacks.contains(&lack) {
                foreseen.lacks.push(lack);
            }
        }
        let file = workbench.toolbox.would_change(&tool.id, &arguments);
        let file = file.map(|changed| changed.path);
        foreseen
            .replaces
            .extend(file.filter(|file| !foreseen.replaces.contains(file)));
        let given = Given::of(tool, &arguments);
        read.extend(given.read(tool.effect).map(str::to_owned));
        made.extend(given.made(tool.effect));
    });
    // What the plan itself makes will be there.
    read.retain(|path| !made.contains(path) && is_absent(workbench.grants(), path));
    read.dedup();
    let told = read.iter().map(|path| not_there(path, workbench.grants()));
    foreseen.absent = told.collect();
    foreseen
}

/// A name is easily mistyped: what is beside it may have been meant.
fn not_there(path: &str, grants: &Grants) -> String {
    let told = format!("{path} is not there");
    let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
    let names = names_beside(grants, path, LOOKED_AT);
    match did_you_mean(name, names.iter().map(String::as_str)) {
        Some(guess) => format!("{told}; {guess}"),
        None => told,
    }
}

/// The arguments of a step as far as they are known.
fn arguments(step: &Step, known: &impl Fn(&str) -> Option<Value>) -> Value {
    let fields = step.input.as_ref().and_then(Value::as_object);
    let mut found = Map::new();
    for (name, value) in fields.into_iter().flatten() {
        let value = match value.as_str().map(|text| (text, input_named(text))) {
            Some((_, Some(input))) => known(input),
            Some((text, None)) if text.contains("{{") => None,
            _ => Some(value.clone()),
        };
        if let Some(value) = value {
            found.insert(name.clone(), value);
        }
    }
    Value::Object(found)
}

/// The input that a template stands for, where it is nothing else.
fn input_named(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let name = inner.trim().strip_prefix("input.")?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(name)
}

/// Two lines about something that is not granted.
pub(crate) fn sentence(lack: &Ungranted) -> (String, String) {
    (
        format!("it would {}", visible(&lack.what)),
        format!("to grant it: {}", visible(&lack.grant)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_input_is_known_before() {
        assert_eq!(input_named("{{ input.path }}"), Some("path"));
        assert_eq!(input_named("{{input.to}}"), Some("to"));
        assert_eq!(input_named("{{ input.path | upper }}"), None);
        assert_eq!(input_named("{{ file_read.content }}"), None);
        assert_eq!(input_named("notes.txt"), None);
    }
}
