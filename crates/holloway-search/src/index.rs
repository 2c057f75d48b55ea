//! How is a catalogue searched? Built once from its entries, then asked with one
//! request after another; a request gives every tool a score.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::alignment::{Asked, Wording};
use crate::clauses::{bounded, clauses};
use crate::entry::{Entry, Field};
use crate::families::Families;
use crate::fusion::{ALONE, Blend, Parts, Servers, top};
use crate::lexical::{Lexical, Term};
use crate::literals::without_literals;
use crate::pieces::{Cutter, Understood};
use crate::table::{Table, to_length_one};
use crate::vectors::{Vector, Vectors};
use crate::words::spaced;

mod refine;

/// A catalogue ready to be searched.
#[derive(Debug)]
pub struct Index {
    entries: Vec<Entry>,
    table: Arc<Table>,
    lexical: Lexical,
    wording: Wording,
    vectors: Vectors,
    /// The number of its server, for every tool; empty when no tool has one.
    servers: Vec<u32>,
    /// What each server is about.
    server_meanings: Vectors,
    families: Families,
    blend: Blend,
}

/// A request, taken apart for one index.
#[derive(Clone, Debug)]
pub struct Query {
    pub text: String,
    /// The same without its literals: what is looked for.
    pub plain: String,
    /// Its parts; empty when it has only one.
    pub clauses: Vec<String>,
    /// How far the table knows its words.
    pub understood: Understood,
    pub(crate) terms: Vec<Term>,
    pub(crate) clause_terms: Vec<Vec<Term>>,
    pub(crate) asked: Vec<Asked>,
    pub(crate) meaning: Vector,
    pub(crate) clause_meanings: Vec<Vector>,
}

/// What a request gives to every tool, by place in the catalogue.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    pub parts: Parts,
    /// Words and meaning together, in units of their spread.
    pub fused: Vec<f32>,
    /// What memory adds, 0 to 1; empty when there is none.
    pub remembered: Vec<f32>,
}

impl Scores {
    /// The best tools, by their place in the catalogue.
    pub fn top(&self, count: usize) -> Vec<usize> {
        top(&self.fused, count)
    }
}

impl Index {
    /// With the table of the binary.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Self {
        Self::with_table(entries, Table::shipped())
    }

    pub fn with_table(entries: impl IntoIterator<Item = Entry>, table: Arc<Table>) -> Self {
        let entries: Vec<Entry> = entries.into_iter().map(Entry::shortened).collect();
        let vectors = vectors(&entries, &table);
        let servers = servers(&entries);
        let lexical = Lexical::build(&entries);
        Self {
            wording: Wording::of(&lexical, &table),
            lexical,
            families: Families::of(&entries, &vectors),
            server_meanings: vectors.means(&servers),
            vectors,
            servers,
            blend: Blend::default(),
            entries,
            table,
        }
    }

    pub fn with_blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn entry(&self, place: usize) -> Option<&Entry> {
        self.entries.get(place)
    }

    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    pub(crate) fn lexical(&self) -> &Lexical {
        &self.lexical
    }

    pub(crate) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Takes a request apart.
    pub fn read(&self, request: &str) -> Query {
        let text = bounded(request);
        let mut clauses = clauses(&text);
        if clauses.len() < 2 {
            clauses.clear();
        }
        let plain = without_literals(&text);
        let plain_clauses: Vec<String> =
            clauses.iter().map(|part| without_literals(part)).collect();
        let meaning = self.table.meaning(&plain);
        let in_context = |part: &String| {
            let mut own = self.table.meaning(part);
            for (own, whole) in own.iter_mut().zip(&meaning) {
                *own += self.blend.context * whole;
            }
            to_length_one(&mut own);
            Vector::of(&own)
        };
        Query {
            understood: self.table.vocabulary().understands(&plain),
            asked: Wording::asked(&self.lexical, &self.table, &plain),
            terms: self.lexical.terms(&plain),
            clause_terms: plain_clauses
                .iter()
                .map(|part| self.lexical.terms(part))
                .collect(),
            clause_meanings: plain_clauses.iter().map(in_context).collect(),
            meaning: Vector::of(&meaning),
            clauses,
            plain,
            text,
        }
    }

    /// The score of every tool.
    pub fn scores(&self, query: &Query) -> Scores {
        let count = self.len();
        let mut words = vec![0.0; count];
        self.lexical.add(&query.terms, &mut words);
        let mut words_of_clause = Vec::new();
        if !query.clauses.is_empty() {
            let mut scratch = vec![0.0; count];
            words_of_clause = vec![0.0; count];
            self.lexical
                .best(&query.clause_terms, &mut scratch, &mut words_of_clause);
        }
        let (meaning, meaning_of_clause) =
            self.vectors.compare(&query.meaning, &query.clause_meanings);
        let parts = Parts {
            words,
            words_of_clause,
            meaning,
            meaning_of_clause,
        };
        let mut fused = self.blend.fuse(&parts, query.understood.known);
        self.lend(query, &parts.meaning, &mut fused);
        self.refine(query, &mut fused);
        Scores {
            parts,
            fused,
            remembered: Vec::new(),
        }
    }

    /// What each clause of a request gives to every tool: by its words, and by its meaning.
    pub fn by_clause(&self, query: &Query) -> Vec<(Vec<f32>, Vec<f32>)> {
        let clauses = query.clause_terms.iter().zip(&query.clause_meanings);
        let scores = |(terms, meaning): (&Vec<Term>, &Vector)| {
            let mut words = vec![0.0; self.len()];
            self.lexical.add(terms, &mut words);
            (words, self.vectors.compare(meaning, &[]).0)
        };
        clauses.map(scores).collect()
    }

    /// What tools gain from those that they belong to.
    fn lend(&self, query: &Query, meaning: &[f32], scores: &mut [f32]) {
        let near = |groups: &Vectors| groups.compare(&query.meaning, &[]).0;
        if !self.families.tools.is_empty() {
            let near = near(&self.families.meanings);
            let families = &self.families.tools;
            self.blend.share(families, &near, meaning, scores);
        }
        if !self.servers.is_empty() {
            let servers = Servers {
                of_tool: &self.servers,
                near: &near(&self.server_meanings),
            };
            self.blend.lend(&servers, meaning, scores);
        }
    }

    /// The score of every tool by words alone.
    pub fn words(&self, request: &str) -> Vec<f32> {
        let mut words = vec![0.0; self.len()];
        let terms = self.lexical.terms(&without_literals(&bounded(request)));
        self.lexical.add(&terms, &mut words);
        words
    }

    /// The score of every tool by meaning alone.
    pub fn meaning(&self, request: &str) -> Vec<f32> {
        let plain = without_literals(&bounded(request));
        let meaning = Vector::of(&self.table.meaning(&plain));
        self.vectors.compare(&meaning, &[]).0
    }

    /// The most that words alone could give a tool for this text.
    pub fn ceiling(&self, text: &str) -> f32 {
        self.lexical.ceiling(text)
    }

    /// The best tools for a request, by their place in the catalogue.
    pub fn search(&self, request: &str, count: usize) -> Vec<usize> {
        self.scores(&self.read(request)).top(count)
    }
}

/// The vector of a tool is the sum of its fields, each of length one and by its share.
fn vectors(entries: &[Entry], table: &Table) -> Vectors {
    let shares = table.fields();
    let share = |field| match field {
        Field::Name => shares.name,
        Field::Server => shares.server,
        Field::Description => shares.description,
        Field::Parameters => shares.parameters,
        Field::ParameterDescriptions => shares.parameter_descriptions,
    };
    let mut cutter = Cutter::new(table.vocabulary());
    let mut vectors = Vectors::new(table.dimensions());
    let mut part = vec![0.0; table.dimensions()];
    for entry in entries {
        let mut sum = vec![0.0; table.dimensions()];
        for field in Field::ALL {
            let text = entry.text(field);
            let text = if field.is_identifier() {
                spaced(&text)
            } else {
                text
            };
            part.fill(0.0);
            cutter.cut(&text, |row| table.add(row, &mut part));
            to_length_one(&mut part);
            let share = share(field);
            for (sum, part) in sum.iter_mut().zip(&part) {
                *sum += share * part;
            }
        }
        to_length_one(&mut sum);
        vectors.push(&Vector::of(&sum));
    }
    vectors
}

/// Tools of one server have one number.
fn servers(entries: &[Entry]) -> Vec<u32> {
    if entries.iter().all(|entry| entry.server.is_empty()) {
        return Vec::new();
    }
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let mut of_tool = Vec::with_capacity(entries.len());
    for entry in entries {
        let next = numbers.len() as u32;
        of_tool.push(match entry.server.as_str() {
            "" => ALONE,
            server => *numbers.entry(server).or_insert(next),
        });
    }
    of_tool
}
