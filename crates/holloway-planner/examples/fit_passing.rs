//! Which words of a request change nothing, and which weights tell them from the others?
//!
//!     fit_passing show PHRASINGS.jsonl   how the shipped weights judge, request by request
//!     fit_passing fit PHRASINGS.jsonl    weights for data/passing.toml
//!
//! Each line of PHRASINGS has a request and the texts in it that change nothing (`idle`). Words that do
//! change something are made beside these: where phrases are taken out of the lexicon, the words that
//! they took in are left over. A fifth of the requests judges weights that are fitted on the others.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // reads files
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing
)]

use std::ops::Range;

use holloway_planner::frame::scene::Scene;
use holloway_planner::lexicon::{EN_PHRASES, EN_WORDS, Lexicon};
use holloway_planner::measure::area_under_curve;
use holloway_planner::read::embedded::weighed;
use holloway_planner::read::passing::{ClauseSigns, Passing, PassingWeights, Weighed, WordSigns};
use serde_json::Value;

/// Lexicons that lack phrases, and how many of them each lacks: one of so many.
const LACKING: usize = 6;
const ONE_OF: usize = 6;
/// One of so many requests judges.
const FOLDS: usize = 5;
/// How sure words are passed over: at most so many of those that would be matter.
/// (texts that change nothing and were not marked count as such too, so that it is less).
const HARMLESS: [f32; 2] = [0.07, 0.2];
/// Of the words that change nothing, so many are left over rather than doubtful.
const DOUBTFUL: f32 = 0.25;

struct Phrasing {
    request: String,
    scene: Scene,
    idle: Vec<Range<usize>>,
    fold: usize,
}

type Seen<Signs> = Vec<(usize, String, Signs, bool)>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["show", path] => fit(path, true),
        ["fit", path] => fit(path, false),
        _ => println!("fit_passing show PHRASINGS | fit PHRASINGS"),
    }
}

fn fit(path: &str, show: bool) {
    let phrasings = phrasings(path);
    let lexicon = Lexicon::read(EN_WORDS, &EN_PHRASES).expect("English");
    let mut passing = Passing::shipped().copied().unwrap_or_default();
    let (clauses, _) = seen(&phrasings, &lexicon, &passing);
    passing.clause = judged(
        ("clause", HARMLESS[0]),
        passing.clause,
        &clauses,
        PassingWeights::<ClauseSigns>::chance,
        PassingWeights::<ClauseSigns>::fitted,
        show,
    );
    let (_, mut left) = seen(&phrasings, &lexicon, &passing);
    for number in 0..LACKING {
        let lacking = lacking(number);
        let (_, more) = seen(&phrasings, &lacking, &passing);
        let new = |one: &(usize, String, WordSigns, bool)| {
            !one.3
                && !left
                    .iter()
                    .any(|known| known.0 == one.0 && known.1 == one.1)
        };
        let more: Vec<_> = more.into_iter().filter(new).collect();
        left.extend(more);
    }
    passing.words = judged(
        ("words", HARMLESS[1]),
        passing.words,
        &left,
        PassingWeights::<WordSigns>::chance,
        PassingWeights::<WordSigns>::fitted,
        show,
    );
    if !show {
        println!(
            "# How much each sign counts for it that words change nothing; written by `fit_passing fit`."
        );
        println!("{}", toml::to_string(&passing).expect("weights"));
    }
}

/// Weights fitted on all, with limits and figures from parts that they were not fitted on.
fn judged<Signs: Copy>(
    (name, tolerated): (&str, f32),
    weights: PassingWeights<Signs>,
    seen: &Seen<Signs>,
    chance: impl Fn(&PassingWeights<Signs>, &Signs) -> f32,
    fitted: impl Fn(PassingWeights<Signs>, &[(Signs, bool)]) -> PassingWeights<Signs>,
    show: bool,
) -> PassingWeights<Signs> {
    let of = |is: &dyn Fn(usize) -> bool| -> Vec<(Signs, bool)> {
        let found = seen.iter().filter(|one| is(one.0));
        found.map(|one| (one.2, one.3)).collect()
    };
    let mut scored: Vec<(f32, bool)> = Vec::new();
    for fold in 0..FOLDS {
        let weights = fitted(weights, &of(&|at| at % FOLDS != fold));
        for one in seen.iter().filter(|one| one.0 % FOLDS == fold) {
            let score = chance(&weights, &one.2);
            scored.push((score, one.3));
            if show {
                println!(
                    "{name} {score:.2} {} {}",
                    if one.3 { "idle" } else { "tells" },
                    one.1
                );
            }
        }
    }
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut harmless, mut doubtful) = (1.0, 1.0);
    let all = scored.iter().filter(|one| one.1).count().max(1);
    let mut idle = 0;
    for (place, (score, is_idle)) in scored.iter().enumerate() {
        idle += usize::from(*is_idle);
        let wrong = (place + 1 - idle) as f32 / (place + 1) as f32;
        if wrong <= tolerated {
            harmless = *score;
        }
        if ((all - idle) as f32 / all as f32) >= DOUBTFUL {
            doubtful = *score;
        }
    }
    let passed = scored.iter().filter(|one| one.0 >= harmless);
    let (right, wrong): (Vec<&(f32, bool)>, Vec<_>) = passed.partition(|one| one.1);
    let area = area_under_curve(
        &scored
            .iter()
            .map(|one| (f64::from(one.0), one.1))
            .collect::<Vec<_>>(),
    );
    println!(
        "# {name}: {} seen, {all} change nothing; of these {} are passed over, and {} others; area {:.3}",
        scored.len(),
        right.len(),
        wrong.len(),
        area.unwrap_or_default()
    );
    PassingWeights {
        harmless,
        doubtful: doubtful.min(harmless),
        ..fitted(weights, &of(&|_| true))
    }
}

/// What is weighed in the requests, with whether it changes nothing.
fn seen(
    phrasings: &[Phrasing],
    lexicon: &Lexicon,
    passing: &Passing,
) -> (Seen<ClauseSigns>, Seen<WordSigns>) {
    let (mut clauses, mut words) = (Vec::new(), Vec::new());
    for phrasing in phrasings {
        let (one, other) = weighed(&phrasing.request, &phrasing.scene, lexicon, passing);
        clauses.extend(one.into_iter().filter_map(|one| labelled(phrasing, one)));
        words.extend(other.into_iter().filter_map(|one| labelled(phrasing, one)));
    }
    (clauses, words)
}

/// Whether most of its letters stand in texts that change nothing; nothing where it has no letter.
fn labelled<Signs>(
    phrasing: &Phrasing,
    one: Weighed<Signs>,
) -> Option<(usize, String, Signs, bool)> {
    let text = phrasing.request.get(one.at.clone())?.to_owned();
    let letters = text
        .char_indices()
        .filter(|(_, letter)| letter.is_alphanumeric());
    let places: Vec<usize> = letters.map(|(at, _)| one.at.start + at).collect();
    let idle = places
        .iter()
        .filter(|at| phrasing.idle.iter().any(|idle| idle.contains(at)));
    let share = idle.count() as f32 / places.len().max(1) as f32;
    (!places.is_empty()).then_some((phrasing.fold, text, one.signs, share > 0.8))
}

fn phrasings(path: &str) -> Vec<Phrasing> {
    let world: Scene =
        serde_json::from_str(include_str!("requests/phrasings-scene.json")).expect("a scene");
    let text = std::fs::read_to_string(path).expect("a file of phrasings");
    let lines = text.lines().enumerate();
    lines
        .map(|(fold, line)| {
            let line: Value = serde_json::from_str(line).expect("a phrasing");
            let request = line["request"].as_str().unwrap_or_default().to_owned();
            let idle = line["idle"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            let idle = idle.filter_map(|text| request.find(text).map(|at| at..at + text.len()));
            Phrasing {
                idle: idle.collect(),
                scene: named(&world, &request),
                request,
                fold,
            }
        })
        .collect()
}

/// Columns are known of the tables that the request names.
fn named(world: &Scene, request: &str) -> Scene {
    let mut scene = world.clone();
    let said = request.to_lowercase();
    for file in scene
        .files
        .iter_mut()
        .filter(|file| !said.contains(&file.name))
    {
        file.columns.clear();
    }
    scene
}

/// English without some of its phrases.
fn lacking(number: usize) -> Lexicon {
    let mut at = 0;
    let files = EN_PHRASES.map(|file| {
        let mut file: toml::Table = file.parse().expect("phrases");
        if let Some(toml::Value::Array(phrases)) = file.get_mut("phrase") {
            phrases.retain(|phrase| {
                at += 1;
                let idle = phrase.get("idle").is_some();
                idle || !(at * 7 + number).is_multiple_of(ONE_OF)
            });
        }
        toml::to_string(&file).expect("phrases")
    });
    Lexicon::read(EN_WORDS, &files.each_ref().map(String::as_str)).expect("English")
}
