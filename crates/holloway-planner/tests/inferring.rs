//! Does inference say what tools do, and nothing that is not clear? Definitions of usual servers
//! with the lines that are right for them.

#![allow(clippy::unwrap_used)]

use holloway_plan::tool::ToolSpec;
use holloway_planner::infer::infer;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    #[serde(flatten)]
    tool: ToolSpec,
    expected: Vec<String>,
}

#[test]
fn definitions_say_what_tools_do() {
    let mut wrong = Vec::new();
    for line in include_str!("data/definitions.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let is_mcp = case.tool.id.source().starts_with("mcp.");
        let does = infer(&case.tool, is_mcp.then_some("text"));
        let found: Vec<String> = does.iter().map(ToString::to_string).collect();
        if found != case.expected {
            wrong.push(format!(
                "{}\n  {found:?}\n  {:?}",
                case.tool.id, case.expected
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
