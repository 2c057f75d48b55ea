//! What becomes of many requests? Planned, refused, not sound or a panic, and how long each took.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use holloway_flow::flow::Planner;
use holloway_flow::skills::Skills;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_planner::frame::scene::Scene;
use holloway_planner::lexicon::Lexicon;
use holloway_planner::lexicon::pattern::Piece;
use holloway_planner::settings::GenerateSettings;
use serde_json::Value;

/// What can stand in the holes of phrases, by kind; some of it is nowhere to be found.
const FILLED: [(&str, &[&str]); 16] = [
    ("table", &["orders.csv", "staff.csv", "gone.csv"]),
    ("tables", &["orders.csv and staff.csv"]),
    ("document", &["notes.txt", "orders.csv", "letter.md"]),
    ("documents", &["notes.txt and letter.md"]),
    (
        "source",
        &["orders.csv", "notes.txt", "https://a.example/page"],
    ),
    ("url", &["https://a.example", "http://127.0.0.1:8123/x"]),
    ("folder", &["inbox", "archive", "nowhere"]),
    ("new", &["out.csv", "out.pdf", "new.txt"]),
    ("column", &["city", "qty", "salary", "statsu"]),
    ("columns", &["city and qty", "name, age"]),
    ("rows", &["orders", "people", "rows"]),
    ("value", &["Leeds", "paid", "IT"]),
    ("values", &["Leeds or Graz"]),
    (
        "measure",
        &["total qty", "average salary", "number of orders"],
    ),
    ("number", &["3", "1,200.50", "-7"]),
    ("quoted", &["\"storm\"", "'x'"]),
];

/// A planner over the built-in tools and those of these lines.
pub(crate) fn planner(lines: &str) -> Planner {
    let own = include_str!("../../../holloway-planner/tests/data/builtin-tools.jsonl").lines();
    let own = own.filter_map(|line| serde_json::from_str::<ToolSpec>(line).ok());
    let others = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let tools: Vec<ToolSpec> = own
        .chain(others.map(|line: Value| foreign(&line)))
        .collect();
    let scene = include_str!("../../../holloway-planner/tests/reading/scene.json");
    let scene: Scene = serde_json::from_str(scene).unwrap_or_default();
    let tools = tools.iter().map(|tool| (tool, None));
    Planner::new(tools, Skills::shipped(), GenerateSettings::default()).with_scene(scene)
}

/// A tool as its server declares it, in a set of tools.
fn foreign(line: &Value) -> ToolSpec {
    let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
    let schema = |name: &str| line.get(name).cloned().unwrap_or(Value::Null);
    let id = match text("server") {
        "" => text("id").to_owned(),
        server => format!("mcp.{}/{}", server.replace('/', "-"), text("name")),
    };
    let reads = line.pointer("/annotations/readOnlyHint") == Some(&Value::Bool(true));
    let mut tool = ToolSpec::named(id)
        .with_input(schema("input_schema"))
        .with_output(schema("output_schema"))
        .with_effect(if reads { Effect::Read } else { Effect::Write });
    text("description").clone_into(&mut tool.description);
    tool
}

/// The requests of a set.
pub(crate) fn asked(lines: &str) -> Vec<String> {
    let lines = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let request = |line: Value| {
        let said = ["query", "request"].iter().find_map(|name| line.get(name));
        said.and_then(Value::as_str).map(str::to_owned)
    };
    lines.filter_map(request).collect()
}

/// So many requests made of one to four phrases of the lexicon, always the same.
pub(crate) fn spoken(count: usize) -> Vec<String> {
    let mut dice = Dice(7);
    let languages = Lexicon::shipped();
    let request = |dice: &mut Dice| {
        let phrases = languages
            .get(dice.below(languages.len()))
            .map(|lexicon| &lexicon.phrases);
        let mut words: Vec<String> = Vec::new();
        for _ in 0..=dice.below(4) {
            let phrase = phrases.and_then(|phrases| phrases.get(dice.below(phrases.len())));
            let patterns = phrase
                .map(|phrase| phrase.patterns.as_slice())
                .unwrap_or_default();
            if let Some(pattern) = patterns.get(dice.below(patterns.len())) {
                say(&pattern.pieces, dice, &mut words);
            }
        }
        words.join(" ")
    };
    (0..count).map(|_| request(&mut dice)).collect()
}

fn say(pieces: &[Piece], dice: &mut Dice, words: &mut Vec<String>) {
    for piece in pieces {
        match piece {
            Piece::Word { text, .. } => words.push(text.clone()),
            Piece::Any(ways) => {
                if let Some(way) = ways.get(dice.below(ways.len())) {
                    say(way, dice, words);
                }
            }
            Piece::Maybe(inside) if dice.below(2) == 0 => say(inside, dice, words),
            Piece::Maybe(_) => {}
            Piece::Hole { kind, .. } => {
                let filled = FILLED.iter().find(|(own, _)| own == kind);
                let unknown: &[&str] = &["5", "Monday", "summer"];
                let ways = filled.map_or(unknown, |(_, ways)| *ways);
                words.extend(
                    ways.get(dice.below(ways.len()))
                        .map(|way| (*way).to_owned()),
                );
            }
        }
    }
}

/// Numbers that look drawn and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// What became of them.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) planned: usize,
    pub(crate) refused: usize,
    /// Plans that did not pass the checks, each with its request.
    pub(crate) unsound: Vec<String>,
    pub(crate) panics: Vec<String>,
    times: Vec<Duration>,
}

pub(crate) fn plan_all(planner: &Planner, requests: &[String]) -> Counted {
    let mut counted = Counted::default();
    for request in requests {
        let start = Instant::now();
        let planned = catch_unwind(AssertUnwindSafe(|| planner.plan(request)));
        counted.times.push(start.elapsed());
        match planned {
            Err(_) => counted.panics.push(request.clone()),
            Ok(planned) => {
                counted.planned += usize::from(!planned.cards.is_empty());
                counted.refused += usize::from(planned.cards.is_empty());
                // Without a model there is nothing else to note.
                let notes = planned.notes.iter();
                counted
                    .unsound
                    .extend(notes.map(|note| format!("{request}: {note}")));
            }
        }
    }
    counted.times.sort_unstable();
    counted
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, list) in [("not sound", &self.unsound), ("panic", &self.panics)] {
            for one in list.iter().take(20) {
                writeln!(f, "{what}: {one}")?;
            }
        }
        let at = |share: usize| {
            let place = self.times.len() * share / 100;
            let time = self
                .times
                .get(place.min(self.times.len().saturating_sub(1)));
            time.copied().unwrap_or_default().as_secs_f64() * 1_000.0
        };
        write!(
            f,
            "{} planned, {} refused, {} not sound, {} panics; p50 {:.1} ms, p99 {:.1} ms",
            self.planned,
            self.refused,
            self.unsound.len(),
            self.panics.len(),
            at(50),
            at(99)
        )
    }
}
