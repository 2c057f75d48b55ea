//! How does what is said about rows become steps? Read the files, then one step for each thing
//! that is done to the table, bound by what the schemas of the tools at hand say. Where a tool
//! is missing for any of it, nothing is done here and the request is planned by its words.

use holloway_search::rank::Hit;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use slots::Slots;

use super::assembly::{Ground, Part};
use super::targets::is_file;
use crate::bind::shape::Kind;
use crate::catalogue::{Catalogue, Place};
use crate::request::conditions::{Comparison, Condition, Counted, Group, Keep, Said, is_target};
use crate::request::verbs::{Lead, is_light, lead};
use crate::request::{Analysis, Entity, EntityKind, Format};

mod figures;
mod lay;
mod slots;
mod sources;
mod stages;
mod texts;

/// Verbs that ask for nothing but to see what comes out, or to have it kept.
const SHOWS: [&str; 18] = [
    "download", "fetch", "show", "tell", "list", "print", "see", "view", "present", "read", "open",
    "load", "save", "get", "keep", "store", "export", "write",
];

/// Whether what is said about rows would be left to tools that can be told it. A tool of
/// another source that comes first for all of the request has its own way with a sheet.
pub(super) fn is_for_rows(catalogue: &Catalogue, hits: &[Vec<Hit>]) -> bool {
    let said = Condition::Keep(Keep {
        column: "column".to_owned(),
        comparison: Comparison::Equal,
        value: Value::from(1),
        or: false,
    });
    let telling = catalogue.tools().filter(|(place, _)| {
        let slots = Slots::of(catalogue, *place);
        slots.is_some_and(|mut slots| slots.take(0, &said) && slots.is_complete())
    });
    let sources: FxHashSet<&str> = telling.map(|(_, tool)| tool.id.source()).collect();
    let is_ours = |hits: &Vec<Hit>| {
        let first = hits.first().and_then(|hit| catalogue.tool(hit.place));
        first.is_none_or(|tool| sources.contains(tool.id.source()))
    };
    !sources.is_empty() && (hits.is_empty() || hits.iter().any(is_ours))
}

/// Whether something is said about rows or files that was understood.
pub(super) fn is_understood(analysis: &Analysis) -> bool {
    !analysis.conditions.is_empty()
}

/// What is said about rows of tables and was understood, where nothing comes of it: reading
/// the file would not be what was asked for.
pub(super) fn undone(analysis: &Analysis) -> Option<String> {
    use Condition::{Columns, First, Group, Join, Keep, Last, Skip, Sort, Unique, Without};
    let of_rows = |said: &&Said| {
        matches!(
            said.condition,
            Keep(_)
                | Sort { .. }
                | First(_)
                | Last(_)
                | Skip(_)
                | Group(_)
                | Join { .. }
                | Unique { .. }
                | Columns(_)
                | Without(_)
        )
    };
    let said = analysis.conditions.iter().find(of_rows)?;
    let text = analysis.request.get(said.place.clone())?;
    Some(format!(
        "{text} (not done by the tools at hand with the files that are named)"
    ))
}

/// What is done to tables and files, one after the other.
pub(super) struct Pipeline {
    stages: Vec<Stage>,
    /// The stage whose table can be written, and where in its result it is.
    table: Option<(usize, String)>,
    /// The capabilities that are served.
    covered: Vec<usize>,
}

/// A call of the pipeline.
struct Stage {
    place: Place,
    part: Part,
    arguments: Map<String, Value>,
    /// Parameters that take what former stages give.
    feeds: Vec<(String, Feed)>,
    /// A parameter that takes a file of the request.
    file: Option<(String, usize)>,
    /// A parameter for a file that is written, and its ending.
    writes: Option<(String, &'static str)>,
    /// Which parameter says which condition.
    said: Vec<(String, usize)>,
    /// Where in its result the table or text is.
    gives: String,
    /// Nobody said which column is meant.
    asks_column: bool,
    /// Gives a page as it is written.
    is_page: bool,
    /// Runs once for each row that a former stage gives, of which a parameter takes a field.
    each: Option<Each>,
}

struct Each {
    rows: usize,
    parameter: String,
    field: String,
}

enum Feed {
    One(usize),
    /// A list of what several give.
    All(Vec<usize>),
    /// A list of what each call of a loop gives.
    Each(usize),
    /// A part of a result, as an expression behind the name of the step.
    Part(usize, String),
    /// Lines of a text, as a slice of their list.
    Lines(usize, String),
}

impl Stage {
    fn new(place: Place, part: Part) -> Self {
        Self {
            place,
            part,
            arguments: Map::new(),
            feeds: Vec::new(),
            file: None,
            writes: None,
            said: Vec::new(),
            gives: String::new(),
            asks_column: false,
            is_page: false,
            each: None,
        }
    }
}

/// The making of a pipeline.
struct Builder<'a> {
    ground: Ground<'a>,
    conditions: &'a [Said],
    stages: Vec<Stage>,
    table: Option<(usize, String)>,
}

/// The steps for what a request says about rows and files, if all of it can be done.
pub(super) fn pipeline(ground: Ground<'_>) -> Option<Pipeline> {
    let conditions = &ground.analysis.conditions;
    // Braces would be taken for references in a plan.
    if conditions.is_empty() || ground.analysis.request.contains(['{', '}']) {
        return None;
    }
    let mut builder = Builder {
        ground,
        conditions,
        stages: Vec::new(),
        table: None,
    };
    builder.build()?;
    Some(Pipeline {
        stages: builder.stages,
        table: builder.table,
        covered: covered(ground.analysis),
    })
}

impl<'a> Builder<'a> {
    fn build(&mut self) -> Option<()> {
        let all = self.conditions.iter().map(|said| &said.condition);
        for (at, condition) in all.enumerate() {
            match condition {
                Condition::Find { .. } => return self.found(),
                Condition::Pick(picked) => return self.pick(at, *picked),
                Condition::Lines { from, to } => return self.lines(at, *from, *to),
                Condition::Reached { url } => return self.reached(at, url),
                Condition::Between { .. } | Condition::Day { .. } | Condition::Shift { .. } => {
                    return self.calendar(at);
                }
                Condition::Count(
                    Counted::Words
                    | Counted::Lines
                    | Counted::Characters
                    | Counted::Sentences
                    | Counted::Paragraphs,
                ) => return self.count_text(),
                _ => {}
            }
        }
        self.table()
    }

    /// Lines that hold a text, or how many.
    fn found(&mut self) -> Option<()> {
        if self.has(|one| *one == Condition::Count(Counted::Times)) {
            return self.times();
        }
        let found = self.find()?;
        let counts = |what: Counted| self.has(|one| *one == Condition::Count(what));
        if counts(Counted::Files) {
            let files = self.output(found, Kind::Integer, "files")?;
            return self.tell(found, format!(".{files}"));
        }
        if counts(Counted::Matches) {
            self.figure(found, &[])?;
        }
        Some(())
    }

    /// The table that is asked for, or a figure or a picture of it.
    fn table(&mut self) -> Option<()> {
        let mut now = self.start()?;
        if self.has(|one| matches!(one, Condition::Changes)) {
            return Some(());
        }
        let groups = self.of(|one| matches!(one, Condition::Group(_)));
        let is_outlier = |one: &Condition| matches!(one, Condition::Outliers);
        let (outliers, charts) = (
            self.of(is_outlier),
            self.of(|one| matches!(one, Condition::Chart(_))),
        );
        // Where values are compared, numbers and dates must be such.
        let compares = |one: &Condition| matches!(one, Condition::Keep(_) | Condition::Sort { .. });
        let figures = !groups.is_empty() || !outliers.is_empty() || !charts.is_empty();
        if figures || self.has(compares) && !self.is_copied() {
            now = self.typed(now);
        }
        let first = self.of(|one| matches!(one, Condition::Keep(_) | Condition::Unique { .. }));
        let last = self.of(|one| {
            matches!(
                one,
                Condition::Sort { .. }
                    | Condition::First(_)
                    | Condition::Last(_)
                    | Condition::Skip(_)
                    | Condition::Columns(_)
                    | Condition::Without(_)
                    | Condition::Rename { .. }
            )
        });
        let columns = self.of(|one| matches!(one, Condition::Columns(_)));
        if groups.is_empty() && outliers.is_empty() {
            let mut both = [first, last].concat();
            both.sort_unstable();
            now = self.select(now, &both, &[])?;
        } else if let [outlier, ..] = outliers.as_slice() {
            now = self.select(now, &first, &[])?;
            // The column that is named is the one that is looked at.
            now = self.outliers(now, *outlier, columns.first().copied())?;
            let others = last.into_iter().filter(|at| !columns.contains(at));
            now = self.select(now, &others.collect::<Vec<_>>(), &[])?;
        } else {
            now = self.select(now, &first, &[])?;
            now = self.group(now, &groups)?;
            now = self.select(now, &last, &groups)?;
        }
        if let [chart, ..] = charts.as_slice() {
            self.chart(now, *chart, &groups)?;
        } else if self.figure(now, &groups)? {
            return Some(());
        }
        self.table = Some((now, self.gives(now)));
        Some(())
    }

    /// Whether rows go from one file into another as they are: then texts stay as they are
    /// written.
    pub(super) fn is_copied(&self) -> bool {
        use Condition::{Chart, Count, Group, Names, Outliers};
        let formats = &self.ground.analysis.formats;
        let as_text = formats
            .iter()
            .any(|form| matches!(form, Format::Csv | Format::Tsv));
        let others = formats
            .iter()
            .any(|form| !matches!(form, Format::Csv | Format::Tsv));
        let figures =
            |one: &Condition| matches!(one, Chart(_) | Count(_) | Group(_) | Names | Outliers);
        as_text && !others && !self.has(figures)
    }

    fn condition(&self, at: usize) -> Option<&'a Condition> {
        self.conditions.get(at).map(|said| &said.condition)
    }

    fn of(&self, is_one: impl Fn(&Condition) -> bool) -> Vec<usize> {
        let all = self.conditions.iter().enumerate();
        all.filter(|(_, said)| is_one(&said.condition))
            .map(|(at, _)| at)
            .collect()
    }

    fn has(&self, is_one: impl Fn(&Condition) -> bool) -> bool {
        self.conditions.iter().any(|said| is_one(&said.condition))
    }

    fn groups(&self, places: &[usize]) -> Vec<&'a Group> {
        let groups = places.iter().filter_map(|at| match self.condition(*at)? {
            Condition::Group(group) => Some(group),
            _ => None,
        });
        groups.collect()
    }

    fn push(&mut self, stage: Stage) -> usize {
        self.stages.push(stage);
        self.stages.len() - 1
    }

    fn gives(&self, at: usize) -> String {
        self.stages
            .get(at)
            .map(|stage| stage.gives.clone())
            .unwrap_or_default()
    }

    /// The files that are read, in order, each once.
    fn files(&self) -> Vec<(usize, &'a Entity)> {
        let analysis = self.ground.analysis;
        let mut files: Vec<(usize, &Entity)> = Vec::new();
        for (at, entity) in analysis.entities.iter().enumerate() {
            let is_known = files.iter().any(|(_, known)| known.text == entity.text);
            let is_source = is_file(entity) || entity.kind == EntityKind::Url;
            if is_source && !is_known && !self.is_target(entity) {
                files.push((at, entity));
            }
        }
        files
    }

    /// Whether a file is where the result goes.
    fn is_target(&self, file: &Entity) -> bool {
        let before = self.ground.analysis.before(file).to_lowercase();
        // A picture is not read for its rows.
        let is_picture = before.ends_with(" in ") && file.text.to_lowercase().ends_with(".svg");
        is_picture || is_target(before.split_whitespace().rev())
    }
}

/// The capabilities in whose words something is said about rows, and those that only ask to
/// be shown what comes out.
fn covered(analysis: &Analysis) -> Vec<usize> {
    let capabilities = analysis.capabilities.iter().enumerate();
    let covered = capabilities.filter(|(_, capability)| {
        let start = analysis.request.find(&capability.text);
        let place = start.map(|start| start..start + capability.text.len());
        let touches = |said: &Said| {
            place
                .as_ref()
                .is_none_or(|place| said.place.start < place.end && place.start < said.place.end)
        };
        let shows = match lead(&capability.text) {
            Lead::Verb { verb, .. } => is_light(verb) || SHOWS.contains(&verb),
            _ => true,
        };
        analysis.conditions.iter().any(touches) || shows
    });
    covered.map(|(at, _)| at).collect()
}
