//! Which columns does a chart show? Behind a figure, its column goes by the name of the figure: of this
//! goal, or of those before it whose rows are drawn.

use serde_json::{Value, json};

use super::{Ground, Trouble, unfit};
use crate::frame::Goal;

const AXES: [&str; 2] = ["x", "y"];

pub(super) fn check(goal: &mut Goal, ground: &Ground<'_>, troubles: &mut Vec<Trouble>) {
    let mut figures = figures(goal);
    let mut grouped = grouped(goal);
    if figures.is_empty() {
        figures.clone_from(&ground.figures);
        grouped.clone_from(&ground.grouped);
    }
    let parts = goal.parts.iter_mut().filter(|part| part.slot == "column");
    for fields in parts.filter_map(|part| part.value.as_object_mut()) {
        for axis in AXES {
            let Some(named) = fields.get(axis).and_then(Value::as_str).map(str::to_owned) else {
                continue;
            };
            let figure = figures.iter().find(|(column, _)| *column == named);
            match figure.filter(|_| !grouped.contains(&named)) {
                Some((_, name)) => {
                    fields.insert(axis.to_owned(), json!(name));
                }
                None if ground.columns.is_empty() || ground.has(&named) => {}
                None if figures.iter().any(|(_, name)| *name == named) => {}
                None => troubles.push(unfit(format!("there is no column `{named}`"))),
            }
        }
    }
}

/// Columns with figures, and what these are called.
pub(super) fn figures(goal: &Goal) -> Vec<(String, String)> {
    let measures = goal.all("measures");
    let names = measures.filter_map(|part| {
        Some((
            part.text("column").unwrap_or_default().to_owned(),
            part.text("as")?.to_owned(),
        ))
    });
    names.collect()
}

/// Columns that figures are made by.
pub(super) fn grouped(goal: &Goal) -> Vec<String> {
    let columns = goal.all("group").filter_map(|part| part.text("column"));
    columns.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::check;
    use crate::frame::scene::{Column, File, Holds, Scene};
    use crate::frame::{Frame, Goal, Part, Said};

    fn goal(act: &str, parts: &[(&str, Value)]) -> Goal {
        let said = Said {
            text: act.to_owned(),
            at: 0..1,
        };
        let parts = parts.iter();
        Goal {
            act: act.to_owned(),
            said: said.clone(),
            parts: parts
                .map(|(slot, value)| Part::new(slot, value.clone(), said.clone()))
                .collect(),
            ..Goal::default()
        }
    }

    #[test]
    fn a_chart_shows_the_figure_by_its_name() {
        let column = |name: &str, holds| Column {
            name: name.to_owned(),
            holds,
            ..Column::default()
        };
        let file = File {
            name: "a.csv".to_owned(),
            columns: vec![column("who", Holds::Texts), column("paid", Holds::Numbers)],
        };
        let scene = Scene {
            files: vec![file],
            ..Scene::default()
        };
        let source = ("sources", json!({"path": "a.csv"}));
        let by = ("group", json!({"column": "who"}));
        let sum = ("measures", json!({"function": "sum", "column": "paid"}));
        let axes = |y: &str| ("column", json!({"x": "who", "y": y}));
        let bar = ("chart", json!("bar"));
        let drawn = |goals: &[Goal]| {
            let mut frame = Frame {
                goals: goals.to_vec(),
                ..Frame::default()
            };
            let troubles = check(&mut frame, &scene);
            let last = frame.goals.last().and_then(|goal| goal.first("column"));
            (last.unwrap().text("y").unwrap().to_owned(), troubles.len())
        };
        let one = |y: &str| {
            let all = [
                source.clone(),
                by.clone(),
                sum.clone(),
                bar.clone(),
                axes(y),
            ];
            drawn(&[goal("chart", &all)])
        };
        assert_eq!(one("paid"), ("paid_sum".to_owned(), 0));
        assert_eq!(one("paid_sum"), ("paid_sum".to_owned(), 0));
        assert_eq!(one("due"), ("due".to_owned(), 1));
        let first = goal("select", &[source.clone(), by.clone(), sum.clone()]);
        let second = goal("chart", &[bar.clone(), axes("paid")]);
        assert_eq!(drawn(&[first, second]), ("paid_sum".to_owned(), 0));
        let plain = goal("chart", &[source, bar, axes("paid")]);
        assert_eq!(drawn(&[plain]), ("paid".to_owned(), 0));
    }
}
