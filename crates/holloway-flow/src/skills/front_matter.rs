//! What does a skill say about itself? The fields that the Agent Skills format knows,
//! with the limits it sets.

use std::collections::BTreeMap;

use holloway_plan::limits::Limits;
use holloway_plan::place::Place;
use holloway_plan::problem::did_you_mean;
use holloway_plan::source::Source;
use serde_json::{Map, Value};

use super::check::Remarks;

const FIELDS: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1024;
const LONGEST_COMPATIBILITY: usize = 500;

/// The fields as they are to be used.
#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) license: Option<String>,
    pub(super) compatibility: Option<String>,
    pub(super) allowed_tools: Vec<String>,
    pub(super) metadata: BTreeMap<String, String>,
}

/// `text` stands between the two `---` lines; `folder` is what the skill must be called.
pub(super) fn read(text: &str, folder: &str, remarks: &mut Remarks) -> Option<Front> {
    let limits = Limits {
        text_bytes: 16 << 10,
        nesting: 8,
        values: 400,
        ..Limits::default()
    };
    let source = match Source::parse(text, &limits) {
        Ok(source) => source,
        Err(problem) => {
            let line = problem.position.map_or(1, |at| at.line) + 1;
            let hint = problem.hint.as_deref();
            let hint = hint.unwrap_or("write YAML: `name: value`, texts with `:` in quotes");
            remarks.wrong(line, &problem.message, hint);
            return None;
        }
    };
    let Value::Object(fields) = &source.value else {
        remarks.wrong(
            2,
            "the front matter is no list of fields",
            "write `name: …` and `description: …`",
        );
        return None;
    };
    let mut reader = Reader {
        source: &source,
        fields,
        remarks,
    };
    reader.unknown_fields();
    Some(Front {
        name: reader.name(folder),
        description: reader.description(),
        license: reader.text("license"),
        compatibility: reader.compatibility(),
        allowed_tools: reader.allowed_tools(),
        metadata: reader.metadata(),
    })
}

struct Reader<'a> {
    source: &'a Source,
    fields: &'a Map<String, Value>,
    remarks: &'a mut Remarks,
}

impl Reader<'_> {
    /// The line in the file: the front matter begins on its second one.
    fn line(&self, field: &str) -> usize {
        self.source.position(&Place::default().field(field)).line + 1
    }

    fn unknown_fields(&mut self) {
        for field in self.fields.keys() {
            if !FIELDS.contains(&field.as_str()) {
                let hint = did_you_mean(field, FIELDS);
                let hint =
                    hint.unwrap_or_else(|| "put fields of your own under `metadata`".to_owned());
                let message = format!("the format has no field `{}`", shown(field));
                self.remarks.advice(self.line(field), message, hint);
            }
        }
    }

    fn name(&mut self, folder: &str) -> String {
        let line = self.line("name");
        let Some(name) = self.text("name") else {
            let hint = format!("add `name: {}`", shown(folder));
            self.remarks.wrong(line, "the skill has no `name`", hint);
            return String::new();
        };
        if let Some(reason) = bad_name(&name) {
            let message = format!("the name `{}` {reason}", shown(&name));
            let hint =
                "use 1 to 64 lower-case letters, digits and single hyphens, such as `web-scraping`";
            self.remarks.wrong(line, message, hint);
        } else if name != folder {
            let message = format!(
                "the skill is called `{name}`, its folder `{}`",
                shown(folder)
            );
            self.remarks.wrong(line, message, "give both the same name");
        }
        name
    }

    fn description(&mut self) -> String {
        let line = self.line("description");
        let description = self.text("description").unwrap_or_default();
        let length = description.chars().count();
        if description.trim().is_empty() {
            let hint = "say what the skill is for and when to use it; it is chosen by that";
            self.remarks
                .wrong(line, "the skill has no `description`", hint);
        } else if length > LONGEST_DESCRIPTION {
            let message = format!(
                "the description has {length} characters, {LONGEST_DESCRIPTION} are the most"
            );
            self.remarks.wrong(
                line,
                message,
                "say what it is for and when to use it; the rest belongs in sections",
            );
        }
        description
    }

    fn compatibility(&mut self) -> Option<String> {
        let text = self.text("compatibility")?;
        let length = text.chars().count();
        if length > LONGEST_COMPATIBILITY {
            let message = format!(
                "`compatibility` has {length} characters, {LONGEST_COMPATIBILITY} are the most"
            );
            self.remarks.wrong(
                self.line("compatibility"),
                message,
                "name only what the skill cannot do without",
            );
        }
        Some(text)
    }

    fn allowed_tools(&mut self) -> Vec<String> {
        let words = |text: &str| -> Vec<String> {
            let words = text.split([' ', ',', '\n']).filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        };
        match self.fields.get("allowed-tools") {
            Some(Value::Array(items)) => items
                .iter()
                .filter_map(Value::as_str)
                .flat_map(words)
                .collect(),
            _ => words(&self.text("allowed-tools").unwrap_or_default()),
        }
    }

    fn metadata(&mut self) -> BTreeMap<String, String> {
        let fields = match self.fields.get("metadata") {
            None | Some(Value::Null) => return BTreeMap::new(),
            Some(Value::Object(fields)) => fields,
            Some(_) => {
                self.remarks.wrong(
                    self.line("metadata"),
                    "`metadata` has no fields",
                    "write `metadata:` and `  version: \"1.0\"` below",
                );
                return BTreeMap::new();
            }
        };
        let mut metadata = BTreeMap::new();
        for (name, value) in fields {
            let text = value.as_str().map(str::to_owned);
            if text.is_none() {
                let place = Place::default().field("metadata").field(name);
                let line = self.source.position(&place).line + 1;
                let message = format!("`metadata.{}` is no text", shown(name));
                self.remarks.advice(
                    line,
                    message,
                    "put it in quotes: the format knows only texts here",
                );
            }
            metadata.insert(name.clone(), text.unwrap_or_else(|| value.to_string()));
        }
        metadata
    }

    /// A field that has to be a text.
    fn text(&mut self, field: &str) -> Option<String> {
        match self.fields.get(field)? {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Null => None,
            _ => {
                let message = format!("`{field}` is no text");
                self.remarks
                    .wrong(self.line(field), message, "put it in quotes");
                None
            }
        }
    }
}

/// Why it cannot be the name of a skill.
fn bad_name(name: &str) -> Option<String> {
    let length = name.chars().count();
    if length > LONGEST_NAME {
        return Some(format!(
            "has {length} characters, {LONGEST_NAME} are the most"
        ));
    }
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if let Some(odd) = name.chars().find(|c| !fits(*c)) {
        return Some(format!("holds `{}`", odd.escape_debug()));
    }
    let hyphens =
        name.is_empty() || name.starts_with('-') || name.ends_with('-') || name.contains("--");
    hyphens.then(|| "begins, ends or goes on with an empty word".to_owned())
}

/// What somebody wrote, short enough for a message.
fn shown(text: &str) -> String {
    crate::catalog::inspect::visible::shortened(text, 80)
}
