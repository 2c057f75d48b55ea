//! `holloway skills list`: every skill in one line.

use std::collections::BTreeMap;

use holloway_flow::skills::{Skill, Skills, Weight};
use holloway_plan::tool::{ToolId, ToolTable};
use serde_json::{Value, json};

use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line, units};
use crate::session::Session;
use crate::skill_library;

pub(super) fn run(session: &Session) -> Result<Exit, CliError> {
    let skills = skill_library::skills(session)?;
    let workbench = session.workbench(&Reach::default())?;
    let at_home = at_home(&skills, &workbench.table);
    let tools = |skill: &Skill| {
        at_home
            .get(skill.name.as_str())
            .cloned()
            .unwrap_or_default()
    };
    let unusable = skills.remarks().iter();
    let unusable = unusable.filter(|(_, remark)| remark.weight == Weight::Wrong);
    if session.json {
        let listed: Vec<Value> = skills
            .iter()
            .map(|skill| data(skill, &tools(skill)))
            .collect();
        let unusable: Vec<Value> = unusable
            .map(|(place, remark)| json!({"place": place, "line": remark.line, "message": remark.message}))
            .collect();
        print::object(&json!({ "skills": listed, "unusable": unusable }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<[String; 6]> = skills
        .iter()
        .map(|skill| row(skill, tools(skill).len()))
        .collect();
    let heading = ["SKILL", "FROM", "SECTIONS", "TOKENS", "TOOLS", "FOR"];
    print::result(&table(heading, &rows, Paint::stdout()))?;
    let mut places: Vec<&String> = unusable.map(|(place, _)| place).collect();
    places.dedup();
    if !places.is_empty() {
        let files = units::count(places.len(), "file");
        print::note(&format!(
            "{files} cannot be used; `holloway skills check` tells why"
        ));
    }
    Ok(Exit::Done)
}

/// The tools at hand by the skill they are at home in.
pub(super) fn at_home<'a>(skills: &'a Skills, tools: &ToolTable) -> BTreeMap<&'a str, Vec<ToolId>> {
    let mut found: BTreeMap<&str, Vec<ToolId>> = BTreeMap::new();
    for tool in tools.iter() {
        if let Some(home) = skills.home(tool) {
            found.entry(&home.name).or_default().push(tool.id.clone());
        }
    }
    found
}

fn row(skill: &Skill, tools: usize) -> [String; 6] {
    [
        skill.name.clone(),
        skill.origin.as_str().to_owned(),
        skill.sections.len().to_string(),
        skill.tokens().to_string(),
        tools.to_string(),
        one_line(&skill.description, 80),
    ]
}

fn data(skill: &Skill, tools: &[ToolId]) -> Value {
    json!({
        "name": skill.name,
        "description": skill.description,
        "from": skill.origin,
        "place": skill.place,
        "sections": skill.sections.len(),
        "tokens": skill.tokens(),
        "tools": tools,
    })
}
