//! How does an answer become an analysis? Field by field: what is there and makes sense is
//! taken, the rest is noted. Whether it is true to the request is checked in `agree`.

use holloway_planner::request::{Constraints, Depth, EntityKind, Format, Need, Priority};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{find_json, number};

/// What a model said about a request; nothing of it is believed yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    pub need: Option<Need>,
    pub intent: String,
    pub entities: Vec<(EntityKind, String)>,
    pub capabilities: Vec<String>,
    pub constraints: Constraints,
    pub formats: Vec<Format>,
    pub notes: Vec<String>,
}

const MOST_ENTITIES: usize = 100;
const MOST_CAPABILITIES: usize = 40;
const LONGEST: usize = 300;

/// Reads an answer.
pub fn parse(answer: &str) -> Result<Said, String> {
    let value = find_json::find(answer)?;
    let fields = match &value {
        Value::Object(fields) => fields
            .get("analysis")
            .and_then(Value::as_object)
            .unwrap_or(fields),
        _ => return Err("found a list, expected an object".to_owned()),
    };
    let mut said = Said::default();
    said.need = said.word(fields, &["need"]);
    said.intent = first(fields, &["intent"]).map(text).unwrap_or_default();
    said.entities(fields);
    let capabilities = items(
        fields,
        &[
            "required_capabilities",
            "requiredCapabilities",
            "capabilities",
        ],
    );
    said.capabilities = capabilities
        .map(text)
        .filter(|text| !text.is_empty())
        .take(MOST_CAPABILITIES)
        .collect();
    said.constraints(fields);
    for format in items(
        fields,
        &["output_format", "outputFormat", "output_formats", "format"],
    ) {
        match known::<Format>(format) {
            Some(format) if said.formats.contains(&format) => {}
            Some(format) => said.formats.push(format),
            None => said.note("output_format", format),
        }
    }
    if said.intent.is_empty() && said.capabilities.is_empty() {
        return Err("neither `intent` nor `required_capabilities` is there".to_owned());
    }
    Ok(said)
}

impl Said {
    fn note(&mut self, field: &str, value: &Value) {
        let value: String = value.to_string().chars().take(60).collect();
        self.notes.push(format!(
            "`{field}`: {value} is none of the choices, left out"
        ));
    }

    fn word<T: DeserializeOwned>(
        &mut self,
        fields: &Map<String, Value>,
        names: &[&str],
    ) -> Option<T> {
        let value = first(fields, names).filter(|value| !value.is_null())?;
        let found = known(value);
        if found.is_none() {
            self.note(names.first().copied().unwrap_or_default(), value);
        }
        found
    }

    fn entities(&mut self, fields: &Map<String, Value>) {
        for entity in items(fields, &["entities"]).take(MOST_ENTITIES) {
            match entity {
                // The seed of this format has plain texts; their kind shows in the request.
                Value::String(_) => {
                    let written = text(entity);
                    if !written.is_empty() {
                        self.entities.push((EntityKind::Name, written));
                    }
                }
                Value::Object(parts) => {
                    let written = first(parts, &["text", "value", "name"])
                        .map(text)
                        .unwrap_or_default();
                    let kind = first(parts, &["kind", "type"]).and_then(known);
                    if !written.is_empty() {
                        self.entities
                            .push((kind.unwrap_or(EntityKind::Name), written));
                    }
                }
                other => self.note("entities", other),
            }
        }
    }

    fn constraints(&mut self, fields: &Map<String, Value>) {
        let Some(Value::Object(limits)) = fields.get("constraints") else {
            return;
        };
        let positive = |name: &str| {
            limits
                .get(name)
                .and_then(number)
                .filter(|limit| *limit > 0.0)
        };
        self.constraints = Constraints {
            seconds: positive("seconds"),
            money: positive("money"),
            priority: self
                .word::<Priority>(limits, &["priority"])
                .unwrap_or_default(),
            depth: self.word::<Depth>(limits, &["depth"]).unwrap_or_default(),
        };
    }
}

fn first<'a>(fields: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| fields.get(*name))
}

/// A list, or the one thing that stands where a list should.
fn items<'a>(fields: &'a Map<String, Value>, names: &[&str]) -> impl Iterator<Item = &'a Value> {
    let listed = match first(fields, names) {
        Some(Value::Array(items)) => items.as_slice(),
        Some(Value::Null) | None => &[],
        Some(single) => std::slice::from_ref(single),
    };
    listed.iter()
}

fn text(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    text.chars().take(LONGEST).collect()
}

fn known<T: DeserializeOwned>(value: &Value) -> Option<T> {
    let word = value.as_str()?.trim().to_lowercase();
    let word = match word.as_str() {
        "excel" => "xlsx",
        "md" => "markdown",
        "txt" => "text",
        word => word,
    };
    serde_json::from_value(Value::String(word.to_owned())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expected: Result<&str, &str>) {
        let found = parse(answer).map(|said| {
            let Said {
                need,
                intent,
                entities,
                capabilities,
                constraints,
                formats,
                notes,
            } = said;
            let limits = (
                constraints.seconds,
                constraints.money,
                constraints.priority,
                constraints.depth,
            );
            format!(
                "{need:?} {intent} {entities:?} {capabilities:?} {limits:?} {formats:?} {notes:?}"
            )
        });
        assert_eq!(
            found.as_deref().map_err(String::as_str),
            expected,
            "{answer}"
        );
    }

    #[test]
    fn an_answer_as_it_was_asked_for() {
        check(
            r#"{"need": "plan", "intent": "audit a site", "entities": [{"kind": "url", "text": "https://a.example"}],
               "required_capabilities": ["crawl", "check"], "constraints": {"priority": "speed", "depth": "quick", "seconds": 30},
               "output_format": ["pdf"]}"#,
            Ok(
                r#"Some(Plan) audit a site [(Url, "https://a.example")] ["crawl", "check"] (Some(30.0), None, Speed, Quick) [Pdf] []"#,
            ),
        );
    }

    #[test]
    fn forms_that_models_like() {
        check(
            "Here you go:\n```json\n{\"intent\": \"x\", \"entities\": [\"Berlin\", \"\", \"  \", {\"kind\": \"url\", \"text\": \" \"}, {\"type\": \"date\", \"value\": \"2026-01-01\"}, 5],\
             \"requiredCapabilities\": \"fetch\", \"output_format\": \"Excel\", \"constraints\": {\"seconds\": \"60\", \"money\": \"$2\"}}\n```",
            Ok(
                r#"None x [(Name, "Berlin"), (Date, "2026-01-01")] ["fetch"] (Some(60.0), Some(2.0), Balanced, Usual) [Xlsx] ["`entities`: 5 is none of the choices, left out"]"#,
            ),
        );
    }

    #[test]
    fn what_makes_no_sense_is_noted_or_refused() {
        check(
            r#"{"intent": "x", "need": "maybe", "output_format": ["hologram"], "constraints": {"seconds": -1, "priority": 3}}"#,
            Ok(
                r#"None x [] [] (None, None, Balanced, Usual) [] ["`need`: \"maybe\" is none of the choices, left out", "`priority`: 3 is none of the choices, left out", "`output_format`: \"hologram\" is none of the choices, left out"]"#,
            ),
        );
        check(
            "{\"a\": 1}",
            Err("neither `intent` nor `required_capabilities` is there"),
        );
        check("[{\"a\": 1}]", Err("found a list, expected an object"));
    }
}
