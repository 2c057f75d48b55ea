//! Which saved plan serves a frame? One whose `does` names every act that is asked for, takes the
//! source, and has an input or a word for every other part. Its inputs are filled in.

use holloway_plan::draft::Draft;
use holloway_plan::tool::does::{Does, Serves, Takes, is_a};
use serde_json::{Map, Value, json};

use crate::assemble::Account;
use crate::frame::acts::Acts;
use crate::frame::scene::{Scene, ending, is_page};
use crate::frame::{Frame, Part};

/// Stands between the acts that a plan does together: `prices+trend+report`.
const AND: char = '+';

/// The input that serves a part, where it is served by one.
struct By(Option<String>);

/// A saved plan with the inputs that a request gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    pub draft: Draft,
    pub accounts: Vec<Account>,
}

/// The first of these plans that serves everything.
pub fn serving(frame: &Frame, templates: &[Draft]) -> Option<Filled> {
    let mut filled = templates.iter().flat_map(|draft| {
        let lines = draft.does.iter();
        lines.filter_map(|does| fill(frame, draft, does))
    });
    filled.next()
}

fn fill(frame: &Frame, draft: &Draft, does: &Does) -> Option<Filled> {
    let acts: Vec<&str> = does.act.split(AND).collect();
    let asked: Vec<&str> = frame.goals.iter().map(|goal| goal.act.as_str()).collect();
    let all = asked.iter().all(|act| acts.contains(act));
    if !all || asked.first() != acts.first() || asked.len() < least(&acts) {
        return None;
    }
    let mut inputs = Map::new();
    let mut accounts = Vec::new();
    for (number, goal) in frame.goals.iter().enumerate() {
        let whole = goal.has("whole") || goal.has("recursive");
        for part in &goal.parts {
            // Saved plans go through sites.
            if !whole && part.text("url").is_some_and(is_page) && does.takes.iter().any(is_site) {
                return None;
            }
            let By(argument) = match part.slot.as_str() {
                "sources" => source(part, does, &mut inputs)?,
                _ => served(part, does, &mut inputs)?,
            };
            accounts.push(Account {
                goal: number,
                slot: part.slot.clone(),
                said: part.said.text.clone(),
                value: Some(part.value.clone()),
                step: draft.steps.first().map(|step| step.id.clone()),
                argument,
            });
        }
    }
    let mut draft = draft.clone();
    with_defaults(&mut draft, inputs)?;
    Some(Filled { draft, accounts })
}

fn is_site(takes: &Takes) -> bool {
    takes.argument == "site"
}

/// Gives files that the plan names by itself names that are free. Such a name stands in the
/// folder of the results.
pub fn with_free_names(draft: &mut Draft, scene: &Scene) {
    const FOLDER: &str = "{{ input.folder }}/";
    let folder = draft
        .input
        .as_ref()
        .and_then(|input| input.pointer("/properties/folder/default"));
    let Some(folder) = folder.and_then(Value::as_str).map(str::to_owned) else {
        return;
    };
    let Ok(mut steps) = serde_json::to_value(&draft.steps) else {
        return;
    };
    each_text(&mut steps, &mut |text| {
        let Some((stem, ending)) = text
            .strip_prefix(FOLDER)
            .and_then(|name| name.rsplit_once('.'))
        else {
            return;
        };
        let names = std::iter::once(format!("{stem}.{ending}"));
        let mut names = names.chain((2..).map(|number| format!("{stem}-{number}.{ending}")));
        if let Some(free) = names.find(|name| scene.file(&format!("{folder}/{name}")).is_none()) {
            *text = format!("{FOLDER}{free}");
        }
    });
    if let Ok(steps) = serde_json::from_value(steps) {
        draft.steps = steps;
    }
}

fn each_text(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| each_text(field, change)),
        _ => {}
    }
}

/// A plan that does several things is for requests that want more than one of them.
fn least(acts: &[&str]) -> usize {
    acts.len().min(2)
}

fn source(part: &Part, does: &Does, inputs: &mut Map<String, Value>) -> Option<By> {
    let (kind, value) = match (part.text("url"), part.text("path")) {
        (Some(url), _) => ("url".to_owned(), url),
        (None, Some(path)) => (Acts::table().kind_of_file(ending(path).as_deref()), path),
        (None, None) => ("folder".to_owned(), part.text("folder")?),
    };
    let free = does.takes.iter().find(|takes| {
        takes.kinds.iter().any(|wanted| is_a(&kind, wanted))
            && !inputs.contains_key(&takes.argument)
    })?;
    inputs.insert(free.argument.clone(), json!(value));
    Some(By(Some(free.argument.clone())))
}

fn served(part: &Part, does: &Does, inputs: &mut Map<String, Value>) -> Option<By> {
    let mut slots = does
        .slots
        .iter()
        .filter(|serves| serves.slot() == part.slot);
    slots.find_map(|serves| match serves {
        Serves::Always { value, .. } => {
            let same = part.value == json!(value) || part.value == json!(value == "true");
            same.then_some(By(None))
        }
        Serves::Argument {
            argument, field, ..
        } => {
            let value = match field {
                Some(field) => part.value.get(field)?,
                None => &part.value,
            };
            inputs.insert(argument.clone(), value.clone());
            Some(By(Some(argument.clone())))
        }
        Serves::Keyed { .. } => None,
    })
}

/// Puts values in as defaults. What the plan needs beside them must have one.
fn with_defaults(draft: &mut Draft, inputs: Map<String, Value>) -> Option<()> {
    let schema = draft.input.as_mut()?.as_object_mut()?;
    let properties = schema.get_mut("properties")?.as_object_mut()?;
    for (name, value) in inputs {
        let property = properties.get_mut(&name)?.as_object_mut()?;
        property.insert("default".to_owned(), value);
    }
    let properties = schema.get("properties")?.as_object()?;
    let lacks = |name: &Value| {
        let property = name.as_str().and_then(|name| properties.get(name));
        property.is_none_or(|property| property.get("default").is_none())
    };
    let required = schema.get("required").and_then(Value::as_array);
    let open = required.into_iter().flatten().any(lacks);
    (!open).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Goal, Said};

    fn template() -> Draft {
        serde_json::from_value(json!({
            "version": "1.0",
            "input": {"type": "object", "required": ["site"], "properties": {
                "site": {"type": "string"}, "pages": {"type": "integer", "default": 100}
            }},
            "steps": [{"id": "crawl", "tool": "site-crawl", "input": {"url": "{{ input.site }}"}}],
            "does": ["broken_links url:site -> file.html with pages=limit.rows whole is true"],
        }))
        .unwrap()
    }

    fn frame(act: &str, parts: &[(&str, Value)]) -> Frame {
        let part = |(slot, value): &(&str, Value)| Part::new(slot, value.clone(), Said::default());
        Frame {
            goals: vec![Goal {
                act: act.to_owned(),
                parts: parts.iter().map(part).collect(),
                ..Goal::default()
            }],
            ..Frame::default()
        }
    }

    #[test]
    fn files_that_are_there_keep_their_names() {
        let mut draft = template();
        draft.input = Some(json!({"properties": {"folder": {"default": "out"}}}));
        draft.steps = serde_json::from_value(json!([
            {"id": "page", "tool": "report-write", "input": {"path": "{{ input.folder }}/links.html"}},
            {"id": "list", "tool": "xlsx-write", "input": {"path": "{{ input.folder }}/links.xlsx"}},
        ]))
        .unwrap();
        let known = ["out/links.html", "out/links-2.html"].map(|name| crate::frame::scene::File {
            name: name.to_owned(),
            ..crate::frame::scene::File::default()
        });
        let scene = Scene {
            files: known.to_vec(),
            ..Scene::default()
        };
        with_free_names(&mut draft, &scene);
        let steps = serde_json::to_value(&draft.steps).unwrap();
        assert_eq!(steps[0]["input"]["path"], "{{ input.folder }}/links-3.html");
        assert_eq!(steps[1]["input"]["path"], "{{ input.folder }}/links.xlsx");
    }

    #[test]
    fn a_plan_serves_what_its_inputs_and_words_take() {
        let url = ("sources", json!({"url": "https://a.example/"}));
        let check = |act: &str, parts: &[(&str, Value)]| serving(&frame(act, parts), &[template()]);
        let filled = check("broken_links", &[url.clone(), ("whole", json!(true))]).unwrap();
        let input = filled.draft.input.unwrap();
        assert_eq!(input["properties"]["site"]["default"], "https://a.example/");
        let limited = check(
            "broken_links",
            &[url.clone(), ("limit", json!({"rows": 5}))],
        )
        .unwrap();
        let input = limited.draft.input.unwrap();
        assert_eq!(input["properties"]["pages"]["default"], 5);
        assert_eq!(check("broken_links", &[]), None);
        assert_eq!(check("links", std::slice::from_ref(&url)), None);
        assert_eq!(check("broken_links", &[url, ("order", json!({}))]), None);
    }
}
