//! How are the figures of a measurement told? One line per method, in percent.

use holloway_search::measure::Measure;
use serde::Serialize;

use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::units;

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) tools: usize,
    pub(super) requests: usize,
    /// Requests that need only tools that are not in the catalogue.
    pub(super) left_out: usize,
    /// Needs of all requests that no tool of the catalogue could serve.
    pub(super) missing: usize,
    pub(super) index_ms: f64,
    /// What the table of meanings was made from.
    pub(super) table: String,
    pub(super) rows: Vec<Row>,
}

/// In percent.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    method: String,
    #[serde(rename = "recall@1")]
    recall_1: f64,
    #[serde(rename = "recall@5")]
    recall_5: f64,
    #[serde(rename = "recall@10")]
    recall_10: f64,
    #[serde(rename = "recall@20")]
    recall_20: f64,
    #[serde(rename = "ndcg@10")]
    ndcg_10: f64,
    us_per_request: f64,
}

impl Row {
    pub(super) fn new(method: String, measure: Measure, micros: f64) -> Self {
        let percent = |share: f64| (share * 10_000.0).round() / 100.0;
        let [recall_1, recall_5, recall_10, recall_20] = measure.recall.map(percent);
        Self {
            method,
            recall_1,
            recall_5,
            recall_10,
            recall_20,
            ndcg_10: percent(measure.ndcg),
            us_per_request: (micros * 10.0).round() / 10.0,
        }
    }

    fn cells(&self) -> [String; 7] {
        let one = |number: f64| format!("{number:5.1}");
        [
            self.method.clone(),
            one(self.recall_1),
            one(self.recall_5),
            one(self.recall_10),
            one(self.recall_20),
            one(self.ndcg_10),
            format!("{:.0}", self.us_per_request),
        ]
    }
}

impl Figures {
    pub(super) fn text(&self) -> String {
        let rows: Vec<[String; 7]> = self.rows.iter().map(Row::cells).collect();
        let heading = ["METHOD", "R@1", "R@5", "R@10", "R@20", "NDCG@10", "µs"];
        table(heading, &rows, Paint::stdout())
    }

    pub(super) fn note(&self) -> String {
        let mut note = format!(
            "{} over {}; µs is the time per request",
            units::count(self.requests, "request"),
            units::count(self.tools, "tool"),
        );
        if self.left_out > 0 {
            let left_out = units::count(self.left_out, "request");
            note = format!("{note}; {left_out} not counted: the catalogue has none of their tools");
        }
        if self.missing > 0 {
            let missing = units::count(self.missing, "wanted tool");
            note = format!("{note}; {missing} not in the catalogue and not counted");
        }
        note
    }
}
