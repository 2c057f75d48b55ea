//! What is the answer of a run? The results that its plan names, what they hold in a word, and
//! whether a run brought anything at all.

pub mod harvest;
mod main_part;

use std::sync::Arc;

use holloway_engine::machine::Machine;
use holloway_engine::retained::Retained;
use holloway_plan::dag::BodyId;
use holloway_plan::draft::Execution;
use holloway_plan::path::Path;
use serde_json::Value;

use harvest::Harvest;
pub use main_part::{MainPart, main_part};

/// The results that the plan names as its answer; the last one where it names none.
pub fn answers_of(machine: &Machine, answer: &[Path]) -> Vec<Arc<Value>> {
    if answer.is_empty() {
        return result_of(machine).into_iter().collect();
    }
    let outputs = machine.outputs();
    let found = answer.iter().filter_map(|path| {
        let whole = outputs.get(path.root.as_str()).map(Retained::get)?;
        if path.rest.is_empty() {
            return Some(whole);
        }
        path.walk(&whole).ok().cloned().map(Arc::new)
    });
    found.collect()
}

/// The result of the last step that has one; of the last to end in a graph.
fn result_of(machine: &Machine) -> Option<Arc<Value>> {
    let dag = machine.dag();
    let state = machine.state();
    if dag.execution() == Execution::Graph {
        let last = state.frames.first()?.last?;
        let output = state.instances.get(last as usize)?.output.as_ref();
        return output.map(Retained::get);
    }
    let outputs = machine.outputs();
    let nodes = &dag.body(BodyId::TOP)?.nodes;
    nodes
        .iter()
        .rev()
        .find_map(|node| outputs.get(&*node.output).map(Retained::get))
}

/// Whether a run brought nothing that anybody could have wanted.
pub fn is_empty(results: &[Arc<Value>], harvest: &Harvest) -> bool {
    let said = harvest.summary.is_some() || !harvest.figures.kept.is_empty();
    let made = !harvest.files.is_empty() || harvest.changed;
    !said && !made && results.iter().all(|result| holds_nothing(result))
}

/// Whether a result only tells of a file that is listed anyway.
pub fn is_file(result: &Value, harvest: &Harvest) -> bool {
    let path = result.as_str().or_else(|| result.get("path")?.as_str());
    path.is_some_and(|path| harvest.files.iter().any(|file| file == path))
}

/// A figure or a text by itself, be it the only cell of a table.
pub fn single(result: &Value) -> Option<&Value> {
    match result {
        Value::Array(rows) => match rows.as_slice() {
            [Value::Object(cells)] if cells.len() == 1 => cells.values().next().and_then(single),
            _ => None,
        },
        Value::Null | Value::Object(_) => None,
        other => Some(other),
    }
}

fn holds_nothing(result: &Value) -> bool {
    match result {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => match main_part(fields) {
            Some(MainPart::Text(text)) => text.trim().is_empty(),
            Some(MainPart::List(_, list)) => list.is_empty(),
            None => fields.is_empty(),
        },
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_recognised() {
        for nothing in [
            json!(null),
            json!(""),
            json!([]),
            json!({"rows": [], "count": 0, "columns": ["a"]}),
            json!({"text": "  "}),
        ] {
            assert!(holds_nothing(&nothing), "{nothing}");
        }
        assert!(!holds_nothing(&json!({"mean": 0})));
        assert!(!holds_nothing(&json!(0)));
        let nothing = Arc::new(json!({"rows": [], "count": 0}));
        assert!(is_empty(&[nothing], &Harvest::default()));
    }

    #[test]
    fn a_file_that_was_written_is_something() {
        let harvest = Harvest {
            files: vec!["out/prices.json".to_owned()],
            ..Harvest::default()
        };
        let made = json!({"path": "out/prices.json", "bytes": 120});
        assert!(is_file(&made, &harvest));
        assert!(!is_file(&json!({"path": "other.json"}), &harvest));
        assert!(!is_empty(&[Arc::new(json!([]))], &harvest));
    }

    #[test]
    fn the_only_cell_of_a_table_is_a_figure() {
        assert_eq!(single(&json!([{"count": 3}])), Some(&json!(3)));
        assert_eq!(single(&json!("Kiel")), Some(&json!("Kiel")));
        assert_eq!(single(&json!([{"a": 1, "b": 2}])), None);
        assert_eq!(single(&json!({"a": 1})), None);
    }
}
