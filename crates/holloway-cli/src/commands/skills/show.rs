//! `holloway skills show`: what does a skill say, which tools are at home in it, what does
//! each section take to load?

use clap::Args;
use holloway_flow::skills::{Section, Skill, Skills};
use holloway_plan::problem::did_you_mean;
use holloway_plan::tool::ToolId;
use serde_json::{Value, json};

use super::list::at_home;
use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, indented, one_line, visible};
use crate::session::Session;
use crate::skill_library;

/// Show a skill: where it comes from, its sections, the tools at home in it
#[derive(Debug, Args)]
pub(super) struct Arguments {
    name: String,
    /// Print one section as a step gets it, by its heading or number
    #[arg(long, value_name = "SECTION")]
    section: Option<String>,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let skills = skill_library::skills(session)?;
    let Some(skill) = skills.get(&arguments.name) else {
        return Err(missing(&arguments.name, &skills));
    };
    if let Some(wanted) = &arguments.section {
        let section = section(skill, wanted)?;
        if session.json {
            print::object(&section_data(section))?;
        } else {
            print::result(&visible(&section.markdown()))?;
        }
        return Ok(Exit::Done);
    }
    let workbench = session.workbench(&Reach::default())?;
    let tools = at_home(&skills, &workbench.table).remove(skill.name.as_str());
    let tools = tools.unwrap_or_default();
    if session.json {
        print::object(&data(skill, &tools, &skills))?;
    } else {
        print::result(&text(skill, &tools, &skills, Paint::stdout()))?;
    }
    Ok(Exit::Done)
}

fn missing(name: &str, skills: &Skills) -> CliError {
    let message = format!("there is no skill `{name}`");
    CliError::usage("skill-unknown", message)
        .some_hint(did_you_mean(name, skills.names()))
        .or_hint("`holloway skills` lists them")
}

/// By heading, by number, or by the beginning of a heading.
fn section<'a>(skill: &'a Skill, wanted: &str) -> Result<&'a Section, CliError> {
    let number: Option<usize> = wanted.parse().ok();
    let numbered = number.and_then(|number| skill.sections.get(number.checked_sub(1)?));
    let start = wanted.to_lowercase();
    let mut sections = skill.sections.iter();
    let begun = || sections.find(|section| section.title.to_lowercase().starts_with(&start));
    let found = skill.section(wanted).or(numbered).or_else(begun);
    found.ok_or_else(|| {
        let titles = skill.sections.iter().map(|section| section.title.as_str());
        let message = format!("`{}` has no section `{wanted}`", skill.name);
        CliError::usage("skill-unknown", message)
            .some_hint(did_you_mean(wanted, titles))
            .or_hint("`holloway skills show NAME` lists the sections")
    })
}

fn section_data(section: &Section) -> Value {
    json!({
        "title": section.title,
        "tools": section.tools,
        "tokens": section.tokens(),
        "line": section.line,
        "text": section.text,
    })
}

fn data(skill: &Skill, tools: &[ToolId], skills: &Skills) -> Value {
    let mut data = serde_json::to_value(skill).unwrap_or_default();
    let sections: Vec<Value> = skill.sections.iter().map(section_data).collect();
    let replaces: Vec<&str> = skills
        .replaced_by(&skill.name)
        .map(|other| other.place.as_str())
        .collect();
    if let Some(fields) = data.as_object_mut() {
        fields.insert("sections".to_owned(), json!(sections));
        fields.insert("tokens".to_owned(), json!(skill.tokens()));
        fields.insert("tools".to_owned(), json!(tools));
        fields.insert("replaces".to_owned(), json!(replaces));
    }
    data
}

fn text(skill: &Skill, tools: &[ToolId], skills: &Skills, paint: Paint) -> String {
    let rows: Vec<[String; 4]> = skill
        .sections
        .iter()
        .enumerate()
        .map(|(index, section)| {
            [
                (index + 1).to_string(),
                one_line(&section.title, 60),
                section.tokens().to_string(),
                one_line(&section.tools.join(", "), 200),
            ]
        })
        .collect();
    let mut facts = vec![format!("{} {}", paint.dim("from"), origin(skill))];
    for other in skills.replaced_by(&skill.name) {
        facts.push(format!("{} {}", paint.dim("replaces"), origin(other)));
    }
    let metadata = skill.metadata.iter();
    facts.extend(
        metadata.map(|(name, value)| format!("{} {}", paint.dim(&visible(name)), visible(value))),
    );
    facts.extend(
        skill
            .license
            .iter()
            .map(|license| format!("{} {}", paint.dim("license"), visible(license))),
    );
    let tools: Vec<&str> = tools.iter().map(ToolId::as_str).collect();
    let tools = if tools.is_empty() {
        "none".to_owned()
    } else {
        tools.join(", ")
    };
    [
        format!(
            "{}  about {} tokens",
            paint.bold(&skill.name),
            skill.tokens()
        ),
        indented(&skill.description),
        facts.join("\n"),
        table(["", "SECTION", "TOKENS", "NAMES"], &rows, paint),
        format!("{} {tools}", paint.dim("tools at home here:")),
    ]
    .join("\n\n")
}

fn origin(skill: &Skill) -> String {
    match skill.origin {
        holloway_flow::skills::Origin::Shipped => "Holloway".to_owned(),
        origin => format!("the {}: {}", origin.as_str(), visible(&skill.place)),
    }
}
