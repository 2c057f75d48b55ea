//! Which step does what is said? One tool for as many conditions as it can be told, the rest to
//! the next; groups, joins and outliers each to the tool whose schema speaks of them.

use serde_json::{Map, Value, json};

use super::slots::{Slots, field, has_any, is_rows, names_rows};
use super::{Builder, Feed, Stage};
use crate::bind::shape::{Kind, Shape};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, stems, terms};
use crate::generate::assembly::Part;
use crate::request::conditions::{Condition, Group, How, Period, Side};

impl<'a> Builder<'a> {
    /// Steps that filter, sort, cut and choose: as few as the tools at hand allow.
    pub(super) fn select(&mut self, now: usize, said: &[usize], groups: &[usize]) -> Option<usize> {
        let mut left: Vec<(usize, Condition)> = Vec::new();
        for at in said {
            let condition = self.condition(*at)?.clone();
            left.push((*at, self.renamed(condition, groups)));
        }
        self.chosen(now, left)
    }

    /// The same for conditions that need not be those of the request.
    pub(super) fn chosen(
        &mut self,
        mut now: usize,
        mut left: Vec<(usize, Condition)>,
    ) -> Option<usize> {
        if !are_joined(&left) {
            return None;
        }
        while !left.is_empty() {
            let (mut slots, mut taken) = self.best_slots(&left)?;
            if taken.len() < left.len() {
                // Rows are filtered before they are cut, whatever was said first.
                let first = left.iter().map(|(_, one)| phase(one)).min();
                let next = left.iter().filter(|(_, one)| Some(phase(one)) == first);
                (slots, taken) = self.best_slots(&next.cloned().collect::<Vec<_>>())?;
            }
            let mut stage = Stage::new(slots.place, Part::Core);
            stage.gives = slots.gives()?;
            stage.feeds.push((slots.rows.name.clone(), Feed::One(now)));
            stage.arguments = slots.arguments;
            stage.said = slots.said;
            stage.asks_column = slots.asks_column;
            now = self.push(stage);
            left.retain(|(at, condition)| !taken.contains(&(*at, condition.clone())));
        }
        Some(now)
    }

    /// The tool that can be told most.
    fn best_slots(
        &self,
        left: &[(usize, Condition)],
    ) -> Option<(Slots<'a>, Vec<(usize, Condition)>)> {
        let near = |place: &Place| self.ground.near.get(place).copied().unwrap_or_default();
        let mut best: Option<(Slots<'a>, Vec<(usize, Condition)>)> = None;
        for (place, _) in self.ground.catalogue.tools() {
            let Some(mut slots) = Slots::of(self.ground.catalogue, place) else {
                continue;
            };
            let mut taken = Vec::new();
            for (at, condition) in left {
                if slots.take(*at, condition) {
                    taken.push((*at, condition.clone()));
                }
            }
            if taken.is_empty() || !slots.is_complete() || slots.gives().is_none() {
                continue;
            }
            let is_better = best.as_ref().is_none_or(|(other, most)| {
                let order = taken.len().cmp(&most.len());
                let order = order.then(slots.is_for_tables().cmp(&other.is_for_tables()));
                order
                    .then(near(&place).total_cmp(&near(&other.place)))
                    .is_gt()
            });
            if is_better {
                best = Some((slots, taken));
            }
        }
        best
    }

    /// What is said of a column after grouping is said of its figure.
    fn renamed(&self, condition: Condition, groups: &[usize]) -> Condition {
        let groups = self.groups(groups);
        let figure = |column: String| {
            let is_same = |group: &&&Group| {
                group
                    .column
                    .as_deref()
                    .is_some_and(|own| plain(own) == plain(&column))
            };
            let counts = |group: &&&Group| {
                group.how == How::Count
                    && ["count", "number", "rows"].contains(&plain(&column).as_str())
            };
            let spoken = |group: &&&Group| {
                let alias = alias(group);
                let how = alias.split('_').next().unwrap_or_default();
                plain(&alias) == plain(&column) || how == plain(&column)
            };
            let found = groups
                .iter()
                .find(|group| is_same(group) || counts(group) || spoken(group));
            found.map_or(column, |group| alias(group))
        };
        match condition {
            Condition::Sort { column, descending } => Condition::Sort {
                column: figure(column),
                descending,
            },
            other => other,
        }
    }

    /// What the rows of each group come to.
    pub(super) fn group(&mut self, now: usize, said: &[usize]) -> Option<usize> {
        let groups = self.groups(said);
        let first = *groups.first()?;
        if groups
            .iter()
            .any(|group| group.by != first.by || group.period != first.period)
        {
            return None;
        }
        let (slots, gives) = self.grouping(first, &groups, said)?;
        let mut stage = Stage::new(slots.place, Part::Core);
        stage.feeds.push((slots.rows.name.clone(), Feed::One(now)));
        stage.arguments = slots.arguments;
        stage.said = slots.said;
        stage.gives = gives;
        Some(self.push(stage))
    }

    fn grouping(
        &self,
        first: &Group,
        groups: &[&Group],
        said: &[usize],
    ) -> Option<(Slots<'a>, String)> {
        let near = |place: &Place| self.ground.near.get(place).copied().unwrap_or_default();
        let at = said.first().copied().unwrap_or_default();
        let mut best: Option<(Slots<'a>, String)> = None;
        for (place, _) in self.ground.catalogue.tools() {
            let Some(mut slots) = Slots::of(self.ground.catalogue, place) else {
                continue;
            };
            let told = keyed(&mut slots, first, at) && measured(&mut slots, groups, at);
            let Some(gives) = slots.gives().filter(|_| told && slots.is_complete()) else {
                continue;
            };
            let is_better = best
                .as_ref()
                .is_none_or(|(other, _)| near(&place) > near(&other.place));
            if is_better {
                best = Some((slots, gives));
            }
        }
        best
    }

    /// Two tables become one, or are held against each other.
    pub(super) fn meet(&mut self, tables: &[usize], said: usize) -> Option<usize> {
        let condition = self.condition(said)?;
        if tables.len() < 2 {
            return None;
        }
        if *condition == Condition::Stack {
            return self.stack(Feed::All(tables.to_vec()), said);
        }
        let [left, right] = tables else {
            return None;
        };
        let words: &[&str] = match condition {
            Condition::Changes => &["before", "old", "original"],
            _ => &["left", "first"],
        };
        let on: &[String] = match condition {
            Condition::Join { on, .. } => on,
            _ => &[],
        };
        let found = self.find_tool(|tool, ports| {
            let mut rows = ports
                .needed()
                .filter(|port| is_rows(tool, port) || takes_objects(tool, port));
            let (first, second) = (rows.next()?, rows.next()?);
            let named = has_any(&first.terms, words);
            let key = ports
                .inputs
                .iter()
                .find(|port| port.kind == Kind::List && has_any(&port.terms, &["on", "key"]));
            let others = ports.needed().any(|port| {
                port.at != first.at
                    && port.at != second.at
                    && key.is_none_or(|key| key.at != port.at)
            });
            let lists = ports.outputs.iter().filter(|port| port.kind == Kind::List);
            let gives = lists
                .clone()
                .find(|port| names_rows(port))
                .or_else(|| lists.clone().next())?;
            let joins = matches!(condition, Condition::Changes) || names_rows(gives);
            let known = on.is_empty() || key.is_some();
            (named && !others && known && joins).then(|| {
                (
                    first.name.clone(),
                    second.name.clone(),
                    key.map(|key| key.name.clone()),
                    gives.name.clone(),
                )
            })
        });
        let (place, (first, second, key, gives)) = found?;
        let mut stage = Stage::new(place, Part::Core);
        stage.feeds.push((first.clone(), Feed::One(*left)));
        stage.feeds.push((second, Feed::One(*right)));
        stage.said.push((key.clone().unwrap_or(first), said));
        if let Some(key) = key.filter(|_| !on.is_empty()) {
            stage.arguments.insert(key, json!(on));
        }
        if let Condition::Join { how, .. } = condition {
            let (name, value) = match how {
                Side::Neither => (None, ""),
                Side::Left => (self.choosing(place, "left"), "left"),
                Side::Right => (self.choosing(place, "right"), "right"),
                Side::Both => (self.choosing(place, "outer"), "outer"),
                Side::Alone => (self.choosing(place, "anti"), "anti"),
            };
            if *how != Side::Neither {
                stage.arguments.insert(name?, json!(value));
            }
        }
        stage.gives = gives;
        Some(self.push(stage))
    }

    /// The parameter that takes one of several words, this one among them.
    pub(super) fn choosing(&self, place: Place, word: &str) -> Option<String> {
        let tool = self.ground.catalogue.tool(place)?;
        let mut fields = Shape::of(&tool.input_schema).fields();
        let found = fields.find(|(_, field)| field.choices().contains(&&json!(word)));
        found.map(|(name, _)| name.to_owned())
    }

    pub(super) fn stack(&mut self, tables: Feed, said: usize) -> Option<usize> {
        let found = self.find_tool(|tool, ports| {
            let mut needed = ports.needed();
            let list = needed.next().filter(|port| port.kind == Kind::List)?;
            let shape = Shape::of(&tool.input_schema).field(&list.name)?;
            let inner = shape.list_items().flatten()?.list_items().flatten()?;
            let gives = ports
                .outputs
                .iter()
                .find(|port| port.kind == Kind::List && names_rows(port))?;
            let fits = inner.kind() == Kind::Object && needed.next().is_none();
            fits.then(|| (list.name.clone(), gives.name.clone()))
        });
        let (place, (list, gives)) = found?;
        let mut stage = Stage::new(place, Part::Core);
        stage.said.push((list.clone(), said));
        stage.feeds.push((list, tables));
        stage.gives = gives;
        Some(self.push(stage))
    }

    /// Values that stand apart, in one column or in all.
    pub(super) fn outliers(
        &mut self,
        now: usize,
        said: usize,
        columns: Option<usize>,
    ) -> Option<usize> {
        let column = columns.and_then(|at| self.condition(at));
        let column = match column {
            Some(Condition::Columns(names)) => match names.as_slice() {
                [only] => Some(only.clone()),
                _ => return None,
            },
            _ => None,
        };
        let found = self.find_tool(|tool, ports| {
            let about = terms(tool.id.name());
            let rows = ports.inputs.iter().find(|port| is_rows(tool, port))?;
            let named = ports.inputs.iter().find(|port| {
                port.kind == Kind::Text && has_any(&port.terms, &["column", "field"])
            })?;
            let mut lists = ports.outputs.iter().filter(|port| port.kind == Kind::List);
            let gives = lists.find(|port| has_any(&port.terms, &["outlier", "anomaly"]))?;
            // Some say by a mark that every column is meant.
            let shape = Shape::of(&tool.input_schema).field(&named.name);
            let examples = shape.and_then(|shape| shape.word("examples"));
            let takes_all = examples
                .and_then(Value::as_array)
                .is_some_and(|examples| examples.contains(&json!("*")));
            let known = column.is_some() || takes_all;
            let free = ports
                .needed()
                .all(|port| port.at == rows.at || (port.at == named.at && known));
            let fits = has_any(&about, &["outlier", "outliers", "anomaly", "anomalies"]) && free;
            fits.then(|| {
                let names = (rows.name.clone(), named.name.clone(), gives.name.clone());
                (names, takes_all && named.required)
            })
        });
        let (place, ((rows, named, gives), takes_all)) = found?;
        let mut stage = Stage::new(place, Part::Core);
        stage.said.push((rows.clone(), said));
        stage.feeds.push((rows, Feed::One(now)));
        if let (Some(column), Some(at)) = (column, columns) {
            stage.arguments.insert(named.clone(), json!(column));
            stage.said.push((named, at));
        } else if takes_all {
            stage.arguments.insert(named, json!("*"));
        }
        stage.gives = gives;
        Some(self.push(stage))
    }
}

/// Conditions are all joined by "and", or all by "or".
fn are_joined(left: &[(usize, Condition)]) -> bool {
    let keeps = left.iter().filter_map(|(_, condition)| match condition {
        Condition::Keep(keep) => Some(keep.or),
        _ => None,
    });
    let joints: Vec<bool> = keeps.skip(1).collect();
    joints.iter().all(|or| *or) || !joints.contains(&true)
}

/// What is done to rows before what.
fn phase(condition: &Condition) -> u8 {
    match condition {
        Condition::Keep(_) => 0,
        Condition::Unique { .. } => 1,
        Condition::Sort { .. } | Condition::First(_) | Condition::Last(_) | Condition::Skip(_) => 2,
        _ => 3,
    }
}

fn takes_objects(tool: &holloway_plan::tool::ToolSpec, port: &Port) -> bool {
    let shape = Shape::of(&tool.input_schema).field(&port.name);
    let items = shape.and_then(|shape| shape.list_items().flatten());
    items.is_some_and(|items| items.kind() == Kind::Object)
}

/// Tells a tool by what rows are put together.
fn keyed(slots: &mut Slots<'_>, group: &Group, at: usize) -> bool {
    if let Some(period) = group.period {
        let word = match period {
            Period::Day => "day",
            Period::Week => "week",
            Period::Month => "month",
            Period::Quarter => "quarter",
            Period::Year => "year",
        };
        let port = slots.port(&[Kind::Text], &["period", "interval", "frequency", "every"]);
        let takes = |port: &&Port| {
            let shape = slots.shape(&port.name);
            shape.is_some_and(|shape| shape.choices().contains(&&json!(word)))
        };
        let Some(port) = port.filter(takes) else {
            return false;
        };
        slots.put(&port.name, json!(word), at);
    }
    if group.by.is_empty() {
        return true;
    }
    if let Some(list) = slots.port(&[Kind::List], &["by", "group", "key"]) {
        return slots.put(&list.name, json!(group.by), at);
    }
    let one = slots.port(&[Kind::Text], &["by", "group"]);
    match (one, group.by.as_slice()) {
        (Some(one), [only]) => slots.put(&one.name, json!(only), at),
        _ => false,
    }
}

/// Tells a tool which figures are wanted.
fn measured(slots: &mut Slots<'_>, groups: &[&Group], at: usize) -> bool {
    let list = slots.port(
        &[Kind::List],
        &["aggregate", "measure", "metric", "figure", "aggregation"],
    );
    let Some(list) = list else {
        return false;
    };
    let items = slots
        .shape(&list.name)
        .and_then(|shape| shape.list_items().flatten());
    let fields: Vec<(&str, Shape<'_>)> = items.into_iter().flat_map(Shape::fields).collect();
    let mut figures: Vec<Value> = Vec::new();
    for group in groups {
        let function = fields.iter().find_map(|(name, shape)| {
            let word = function(group.how, &shape.choices())?;
            Some(((*name).to_owned(), word))
        });
        let Some((name, word)) = function else {
            return false;
        };
        let mut figure = Map::new();
        if let Some(column) = &group.column {
            let Some(field) = field(&fields, Kind::Text, &["column", "field"]) else {
                return false;
            };
            figure.insert(field.to_owned(), json!(column));
        }
        figure.insert(name, word);
        let Some(name) = field(&fields, Kind::Text, &["as", "alias", "name"]) else {
            return false;
        };
        figure.insert(name.to_owned(), json!(alias(group)));
        figures.push(Value::Object(figure));
    }
    slots.put(&list.name, Value::Array(figures), at)
}

fn function(how: How, choices: &[&Value]) -> Option<Value> {
    let words: &[&str] = match how {
        How::Count => &["count"],
        How::Sum => &["sum", "total"],
        How::Mean => &["mean", "average", "avg"],
        How::Median => &["median"],
        How::Deviation => &["stdev", "stddev", "std", "standard_deviation"],
        How::Lowest => &["min", "minimum"],
        How::Highest => &["max", "maximum"],
        How::Distinct => &["distinct", "nunique", "count_distinct", "unique"],
    };
    let is_word = |value: &&&Value| {
        value
            .as_str()
            .is_some_and(|own| words.contains(&own.to_lowercase().as_str()))
    };
    choices.iter().find(is_word).map(|value| (**value).clone())
}

/// What a figure is called in the result.
pub(super) fn alias(group: &Group) -> String {
    let column = group.column.as_deref().unwrap_or_default();
    let column = column
        .to_lowercase()
        .replace(|letter: char| !letter.is_alphanumeric(), "_");
    let how = match group.how {
        How::Count => return "count".to_owned(),
        How::Sum => "total",
        How::Mean => "average",
        How::Median => "median",
        How::Deviation => "deviation",
        How::Lowest => "lowest",
        How::Highest => "highest",
        How::Distinct => "different",
    };
    format!("{how}_{column}")
}

/// A name without case, blanks and marks.
pub(super) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a tool says that it is about something.
pub(super) fn speaks_of(description: &str, words: &[&str]) -> bool {
    let own: Vec<String> = stems(description).into_iter().collect();
    has_any(&own, words)
}
