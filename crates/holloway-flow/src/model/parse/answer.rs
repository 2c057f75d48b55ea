//! What does an answer to the question for plans hold? Plans with their strategies, drafts that
//! are kept, words to search tools with. The shape is read with patience.

use serde_json::{Map, Value};

use holloway_engine::model::find_json;

/// Words of one search, and searches of one answer.
const LONGEST_WORDS: usize = 200;
const MOST_SEARCHES: usize = 5;
const MOST_PLANS: usize = 12;

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Strategies whose draft of our own is kept.
    pub keep: Vec<String>,
    /// Strategies and the plan for them, as written.
    pub plans: Vec<(Vec<String>, Value)>,
    /// What tools are looked for with.
    pub search: Vec<String>,
}

/// Reads an answer about these strategies. A plan that names none is for all that nothing else
/// is said of.
pub fn read(answer: &str, strategies: &[&str]) -> Result<Answer, String> {
    let value = find_json::find(answer)?;
    let mut read = match value {
        Value::Object(fields) if is_ours(&fields) => of_fields(&fields),
        // A plan alone, or a list of steps.
        other => Answer {
            plans: vec![(Vec::new(), other)],
            ..Answer::default()
        },
    };
    read.keep.retain(|name| strategies.contains(&name.as_str()));
    read.plans.truncate(MOST_PLANS);
    let mut named: Vec<String> = read.keep.clone();
    // A plan for strategies that nobody asked for is no plan for the others.
    let known =
        |of: &[String]| of.is_empty() || of.iter().any(|name| strategies.contains(&name.as_str()));
    read.plans.retain(|(of, _)| known(of));
    for (of, _) in &mut read.plans {
        of.retain(|name| strategies.contains(&name.as_str()));
        named.extend(of.iter().cloned());
    }
    let rest: Vec<String> = strategies
        .iter()
        .filter(|name| !named.iter().any(|known| known == *name))
        .map(|name| (*name).to_owned())
        .collect();
    if let Some((of, _)) = read.plans.iter_mut().find(|(of, _)| of.is_empty()) {
        *of = rest;
    }
    read.plans.retain(|(of, _)| !of.is_empty());
    if read == Answer::default() {
        return Err(
            "it has no `plans`, no `keep` and no `search_tools` that can be used".to_owned(),
        );
    }
    Ok(read)
}

fn is_ours(fields: &Map<String, Value>) -> bool {
    ["plans", "keep", "search_tools"]
        .iter()
        .any(|name| fields.contains_key(*name))
}

fn of_fields(fields: &Map<String, Value>) -> Answer {
    let plans = match fields.get("plans") {
        Some(Value::Array(plans)) => plans.iter().map(plan).collect(),
        // By the names of their strategies.
        Some(Value::Object(plans)) if !plans.contains_key("steps") => plans
            .iter()
            .map(|(name, plan)| (vec![name.clone()], plan.clone()))
            .collect(),
        Some(one @ Value::Object(_)) => vec![plan(one)],
        _ => Vec::new(),
    };
    let search = texts(fields.get("search_tools")).into_iter();
    let search = search.map(|words| words.chars().take(LONGEST_WORDS).collect::<String>());
    Answer {
        keep: texts(fields.get("keep")),
        plans,
        search: search
            .filter(|words| !words.trim().is_empty())
            .take(MOST_SEARCHES)
            .collect(),
    }
}

fn plan(value: &Value) -> (Vec<String>, Value) {
    let mut value = value.clone();
    let mut of = Vec::new();
    if let Some(fields) = value.as_object_mut() {
        for name in ["strategies", "strategy"] {
            let said = fields.remove(name);
            of.extend(texts(said.as_ref()));
        }
    }
    (of, value)
}

/// A text or a list of texts.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => {
            let texts = items.iter().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expected: &str) {
        let found = match read(answer, &["thorough", "quick"]) {
            Ok(read) => {
                let plans = read.plans.iter();
                let plans = plans.map(|(of, plan)| format!("{}={plan}", of.join("+")));
                let plans: Vec<String> = plans.collect();
                format!(
                    "keep {:?} plans {plans:?} search {:?}",
                    read.keep, read.search
                )
            }
            Err(why) => why,
        };
        assert_eq!(found.replace('\\', ""), expected, "{answer}");
    }

    #[test]
    fn answers_of_many_shapes_are_read() {
        check(
            r#"{"plans": [{"strategies": ["quick"], "steps": [1]}, {"strategy": "thorough", "steps": [2]}]}"#,
            r#"keep [] plans ["quick={"steps":[1]}", "thorough={"steps":[2]}"] search []"#,
        );
        check(
            r#"{"plans": {"quick": {"steps": [1]}}, "keep": "thorough"}"#,
            r#"keep ["thorough"] plans ["quick={"steps":[1]}"] search []"#,
        );
        check(
            r#"{"steps": [{"id": 1}]}"#,
            r#"keep [] plans ["thorough+quick={"steps":[{"id":1}]}"] search []"#,
        );
        check(
            r#"[{"id": 1}]"#,
            r#"keep [] plans ["thorough+quick=[{"id":1}]"] search []"#,
        );
        check(
            r#"{"search_tools": ["send mail", "", 3]}"#,
            r#"keep [] plans [] search ["send mail"]"#,
        );
    }

    #[test]
    fn what_names_no_strategy_is_for_the_rest() {
        check(
            r#"{"plans": [{"strategies": ["quick", "wild"], "steps": [1]}, {"steps": [2]}, {"strategies": ["wild"], "steps": [3]}]}"#,
            r#"keep [] plans ["quick={"steps":[1]}", "thorough={"steps":[2]}"] search []"#,
        );
        check(
            r#"{"keep": ["wild"]}"#,
            "it has no `plans`, no `keep` and no `search_tools` that can be used",
        );
    }
}
