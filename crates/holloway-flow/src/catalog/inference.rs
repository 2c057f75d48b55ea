//! What does a tool of the catalogue do, where nobody says it? Inferred from its definition when it
//! is accepted, kept with it, and inferred again by a newer inference.

use std::collections::BTreeMap;

use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::Does;
use holloway_planner::infer::{VERSION, infer};

use super::{CatalogTool, Standing};

/// What the user says that tools do, by id. An empty list switches the inference off.
pub type DoesOverrides = BTreeMap<String, Vec<Does>>;

/// Where servers of this kind put the text of a result without a schema.
const MCP: &str = "mcp.";
const MCP_TEXT: &str = "text";

/// The tool with what its definition suggests that it does.
pub(super) fn inferred(mut tool: CatalogTool) -> CatalogTool {
    let is_mcp = tool.spec.id.source().starts_with(MCP);
    tool.spec.inferred = infer(&tool.spec, is_mcp.then_some(MCP_TEXT));
    tool.inference = VERSION;
    tool
}

/// The tool looked at again, where it may be used and another inference looked at it before.
pub fn renewed(tool: &CatalogTool) -> Option<CatalogTool> {
    let is_old = tool.standing == Standing::Ready && tool.inference != VERSION;
    is_old.then(|| inferred(tool.clone()))
}

/// What the user says goes in place of what was inferred, and counts as declared.
pub fn declare(tool: &mut ToolSpec, overrides: &DoesOverrides) {
    if let Some(does) = overrides.get(tool.id.as_str()) {
        tool.does.clone_from(does);
        tool.inferred.clear();
    }
}

/// An argument of the user's lines that a tool does not have.
pub fn unknown_argument<'a>(tool: &ToolSpec, does: &'a [Does]) -> Option<(&'a Does, &'a str)> {
    let known = tool.input_schema.get("properties");
    let has = |name: &str| known.is_some_and(|known| known.get(name).is_some());
    does.iter()
        .flat_map(|does| does.arguments().map(move |argument| (does, argument)))
        .find(|(_, argument)| !has(argument))
}

#[cfg(test)]
mod tests {
    use holloway_plan::tool::ToolId;
    use serde_json::{Value, json};

    use super::*;
    use crate::catalog::health::Health;

    fn tool(id: &str) -> CatalogTool {
        let mut spec = ToolSpec::named(id).with_input(json!({
            "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]
        }));
        spec.description = "Read a text file.".to_owned();
        CatalogTool {
            spec,
            effect_reason: String::new(),
            definition: Value::Null,
            package: None,
            standing: Standing::Ready,
            quality: 0.0,
            health: Health::default(),
            inference: 0,
        }
    }

    #[test]
    fn a_tool_is_looked_at_once_by_each_inference() {
        let before = tool("mcp.files/read_file");
        let after = renewed(&before).unwrap();
        assert_eq!(
            after.spec.inferred[0].to_string(),
            "read file:path -> text:text"
        );
        assert_eq!(after.spec.pin(), before.spec.pin());
        assert_eq!(renewed(&after), None);
        let held = CatalogTool {
            standing: Standing::Gone,
            ..before
        };
        assert_eq!(renewed(&held), None);
    }

    #[test]
    fn a_result_without_a_schema_is_a_text_only_where_its_source_says_so() {
        let other = renewed(&tool("openapi.files/read_file")).unwrap();
        let lines: Vec<String> = other
            .spec
            .inferred
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(lines, ["read_file -> file"]);
    }

    #[test]
    fn the_users_word_goes_in_place_of_what_was_inferred() {
        let known = renewed(&tool("mcp.files/read_file")).unwrap().spec;
        let line: Does = "knit file:path -> text".parse().unwrap();
        let overrides = DoesOverrides::from([
            ("mcp.files/read_file".to_owned(), vec![line.clone()]),
            ("mcp.other/read_file".to_owned(), Vec::new()),
        ]);
        let mut said = known.clone();
        declare(&mut said, &overrides);
        assert_eq!((said.does, said.inferred), (vec![line.clone()], Vec::new()));
        let mut off = known.clone();
        off.id = ToolId::new("mcp.other/read_file");
        declare(&mut off, &overrides);
        assert!(off.does.is_empty() && off.inferred.is_empty());
        assert_eq!(unknown_argument(&known, &[line]), None);
        let wrong: Does = "knit file:file -> text".parse().unwrap();
        let found = unknown_argument(&known, std::slice::from_ref(&wrong));
        assert_eq!(found, Some((&wrong, "file")));
    }
}
