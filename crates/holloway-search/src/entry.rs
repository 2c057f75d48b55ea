//! What of a tool is searched? Its name, server, description and parameters, cut
//! to lengths that no catalogue can blow up.

use serde::{Deserialize, Serialize};
use serde_json::Value;

const NAME_AT_MOST: usize = 200;
const DESCRIPTION_AT_MOST: usize = 1_200;
const PARAMETERS_AT_MOST: usize = 16;
const PARAMETER_DESCRIPTIONS_AT_MOST: usize = 800;

/// A tool as the search sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub id: String,
    pub name: String,
    /// Tools of one server help each other; empty when a tool stands alone.
    pub server: String,
    pub description: String,
    pub category: String,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    pub description: String,
}

/// The parts of an entry that are searched, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    Name,
    Server,
    Description,
    Parameters,
    ParameterDescriptions,
}

impl Field {
    pub const ALL: [Self; 5] = [
        Self::Name,
        Self::Server,
        Self::Description,
        Self::Parameters,
        Self::ParameterDescriptions,
    ];

    /// As people call it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Server => "source",
            Self::Description => "description",
            Self::Parameters => "parameters",
            Self::ParameterDescriptions => "what its parameters mean",
        }
    }

    /// Names are identifiers and come apart; descriptions are sentences.
    pub fn is_identifier(self) -> bool {
        matches!(self, Self::Name | Self::Server | Self::Parameters)
    }
}

impl Entry {
    /// With the parameters that a JSON Schema of the arguments declares.
    pub fn with_schema(mut self, schema: &Value) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten().take(PARAMETERS_AT_MOST);
        let text = |property: &Value| {
            let description = property.get("description").and_then(Value::as_str);
            cut(
                description.unwrap_or_default(),
                PARAMETER_DESCRIPTIONS_AT_MOST,
            )
        };
        self.parameters = properties
            .map(|(name, property)| Parameter {
                name: cut(name, NAME_AT_MOST),
                description: text(property),
            })
            .collect();
        self
    }

    /// Takes in what another description of the same tool says.
    pub(crate) fn join(&mut self, other: Self) {
        if !self.description.contains(&other.description) {
            self.description = format!("{} {}", self.description, other.description);
        }
        for parameter in other.parameters {
            if !self.parameters.iter().any(|own| own.name == parameter.name) {
                self.parameters.push(parameter);
            }
        }
    }

    /// No text longer than what is searched.
    pub fn shortened(mut self) -> Self {
        self.name = cut(&self.name, NAME_AT_MOST);
        self.server = cut(&self.server, NAME_AT_MOST);
        self.category = cut(&self.category, NAME_AT_MOST);
        self.description = cut(&self.description, DESCRIPTION_AT_MOST);
        self.parameters.truncate(PARAMETERS_AT_MOST);
        let mut left = PARAMETER_DESCRIPTIONS_AT_MOST;
        for parameter in &mut self.parameters {
            parameter.name = cut(&parameter.name, NAME_AT_MOST);
            parameter.description = cut(&parameter.description, left);
            // One for the space between two descriptions.
            left = left.saturating_sub(parameter.description.chars().count() + 1);
        }
        self
    }

    /// The text of a field.
    pub fn text(&self, field: Field) -> String {
        let joined = |text: fn(&Parameter) -> &str| {
            let texts: Vec<&str> = self.parameters.iter().map(text).collect();
            texts.join(" ")
        };
        match field {
            Field::Name if self.name.is_empty() => self.id.clone(),
            Field::Name => self.name.clone(),
            Field::Server => self.server.clone(),
            Field::Description => self.description.clone(),
            Field::Parameters => joined(|parameter| &parameter.name),
            Field::ParameterDescriptions => joined(|parameter| &parameter.description),
        }
    }
}

/// The first letters of a text.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_come_from_the_schema() {
        let schema = json!({"properties": {
            "city": {"description": "Where"}, "days": {"type": "integer"}, "odd": 3,
            "wrong": {"description": ["no text"]},
        }});
        let entry = Entry::default().with_schema(&schema);
        assert_eq!(entry.text(Field::Parameters), "city days odd wrong");
        assert_eq!(entry.text(Field::ParameterDescriptions).trim(), "Where");
        for no_schema in [json!(null), json!([1]), json!({"properties": 4})] {
            let entry = Entry::default().with_schema(&no_schema);
            assert_eq!(entry.parameters, []);
        }
    }

    #[test]
    fn nothing_is_longer_than_what_is_searched() {
        let long = "é".repeat(5_000);
        let parameter = Parameter {
            name: long.clone(),
            description: long.clone(),
        };
        let entry = Entry {
            id: "x".to_owned(),
            name: long.clone(),
            server: long.clone(),
            description: long.clone(),
            category: long,
            parameters: vec![parameter; 40],
        };
        let entry = entry.shortened();
        let lengths = Field::ALL.map(|field| entry.text(field).chars().count());
        // Descriptions that have no room are empty, with spaces between them.
        assert_eq!(lengths, [200, 200, 1_200, 16 * 201 - 1, 815]);
    }

    #[test]
    fn a_tool_without_a_name_is_found_by_its_id() {
        let entry = Entry {
            id: "git_diff".to_owned(),
            ..Entry::default()
        };
        assert_eq!(entry.text(Field::Name), "git_diff");
    }
}
