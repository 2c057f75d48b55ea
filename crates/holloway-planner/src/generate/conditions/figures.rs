//! What is shown in the end? One figure, the names of the columns, a picture, or the table
//! itself, which needs no further step.

use serde_json::json;

use super::slots::{has_any, names_rows};
use super::stages::{alias, speaks_of};
use super::{Builder, Feed, Stage};
use crate::bind::shape::{Kind, Shape};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role, top};
use crate::generate::assembly::Part;
use crate::request::conditions::{Chart, Condition, Counted};

impl Builder<'_> {
    /// Adds the step that gives the figure that was asked for, if one was.
    pub(super) fn figure(&mut self, now: usize, groups: &[usize]) -> Option<bool> {
        let groups = self.groups(groups);
        if let [only] = groups.as_slice()
            && only.by.is_empty()
            && only.period.is_none()
        {
            let part = format!(".{}[0].{}", self.gives(now), alias(only));
            return self.tell(now, part).map(|()| true);
        }
        let counted = self
            .conditions
            .iter()
            .find_map(|said| match said.condition {
                Condition::Count(counted) => Some(counted),
                _ => None,
            });
        let names = self.has(|one| matches!(one, Condition::Names));
        let rows = self.gives(now);
        let part = match counted {
            Some(Counted::Rows | Counted::Files | Counted::Matches) => {
                match self.output(now, Kind::Integer, "count") {
                    Some(count) => format!(".{count}"),
                    None => format!(".{rows} | length"),
                }
            }
            Some(Counted::Columns) => {
                format!(".{} | length", self.output(now, Kind::List, "columns")?)
            }
            None if names => format!(".{}", self.output(now, Kind::List, "columns")?),
            _ => return Some(false),
        };
        self.tell(now, part).map(|()| true)
    }

    pub(super) fn output(&self, stage: usize, kind: Kind, name: &str) -> Option<String> {
        let place = self.stages.get(stage)?.place;
        let port = self.ground.catalogue.ports(place)?.output(name)?;
        (port.kind == kind && port.required).then(|| port.name.clone())
    }

    /// A step that gives nothing but a part of a result.
    pub(super) fn tell(&mut self, now: usize, part: String) -> Option<()> {
        self.give(Feed::Part(now, part))?;
        Some(())
    }

    /// A step that gives nothing but what it is fed, and where it stands.
    pub(super) fn give(&mut self, feed: Feed) -> Option<usize> {
        let found = self.find_tool(|tool, ports| {
            let mut needed = ports.needed();
            let value = needed.next().filter(|port| port.kind == Kind::Any)?;
            let alone = needed.next().is_none() && ports.inputs.len() == 1;
            let unchanged = speaks_of(&tool.description, &["unchanged"]);
            (alone && unchanged).then(|| value.name.clone())
        });
        let (place, port) = found?;
        let mut stage = Stage::new(place, Part::Form);
        stage.feeds.push((port, feed));
        Some(self.push(stage))
    }

    /// A picture of the table.
    pub(super) fn chart(&mut self, now: usize, said: usize, groups: &[usize]) -> Option<()> {
        let Some(Condition::Chart(chart)) = self.condition(said) else {
            return None;
        };
        let (place, ports) = self.drawer()?;
        let mut stage = Stage::new(place, Part::Form);
        stage.feeds.push((ports.rows, Feed::One(now)));
        if let Some((parameter, kind)) = self.kind(place, chart) {
            stage.arguments.insert(parameter.clone(), json!(kind));
            stage.said.push((parameter, said));
        }
        let groups = self.groups(groups);
        let (mut x, mut y) = (chart.x.clone(), chart.y.clone());
        if let Some(group) = groups.first() {
            let key = group.by.first().cloned();
            x = group.period.map(|_| "period".to_owned()).or(key);
            y = Some(alias(group));
        }
        // A histogram has only one axis of data.
        let is_histogram = chart.kind.as_deref() == Some("histogram");
        for (parameter, column) in [(ports.x, x.filter(|_| !is_histogram)), (ports.y, y)] {
            if let Some(column) = column {
                stage.arguments.insert(parameter.clone(), json!(column));
                stage.said.push((parameter, said));
            }
        }
        stage.writes = ports.path.map(|path| (path, "svg"));
        self.push(stage);
        Some(())
    }

    fn kind(&self, place: Place, chart: &Chart) -> Option<(String, String)> {
        let wanted = match &chart.kind {
            Some(kind) => kind.clone(),
            None if chart.over_time => "line".to_owned(),
            None => return None,
        };
        let parameter = self.choosing(place, &wanted)?;
        Some((parameter, wanted))
    }

    /// The tool that draws rows, by the names of its parameters.
    fn drawer(&self) -> Option<(Place, Axes)> {
        let near = |place: &Place| self.ground.near.get(place).copied().unwrap_or_default();
        let mut best: Option<(Place, Axes)> = None;
        for (place, tool) in self.ground.catalogue.tools() {
            let Some(ports) = self.ground.catalogue.ports(place) else {
                continue;
            };
            let input = |fits: &dyn Fn(&Port) -> bool| {
                let found = ports.inputs.iter().find(|port| fits(port));
                found.map(|port| port.name.clone())
            };
            let form = top(&tool.input_schema);
            let takes_text = |port: &Port| {
                let shape = form.and_then(|form| form.field(&port.name));
                shape.is_some_and(|shape: Shape<'_>| shape.allows(Kind::Text))
            };
            let rows = input(&|port| port.kind == Kind::List && names_rows(port));
            let x = input(&|port| port.name == "x" && takes_text(port));
            let y = input(&|port| port.name == "y" && takes_text(port));
            let path = input(&|port| port.role == Role::File);
            let others = ports.needed().any(|port| Some(&port.name) != rows.as_ref());
            let draws = speaks_of(&tool.description, &["chart", "plot", "graph"]);
            let (Some(rows), Some(x), Some(y)) = (rows, x, y) else {
                continue;
            };
            if others || !draws {
                continue;
            }
            if best
                .as_ref()
                .is_none_or(|(other, _)| near(&place) > near(other))
            {
                best = Some((place, Axes { rows, x, y, path }));
            }
        }
        best
    }
}

/// The parameters of a tool that draws.
struct Axes {
    rows: String,
    x: String,
    y: String,
    path: Option<String>,
}

/// Whether a parameter takes rows to be written.
pub(super) fn writes_rows(port: &Port) -> bool {
    port.kind == Kind::List && has_any(&port.terms, &["row", "record", "item", "data"])
}
