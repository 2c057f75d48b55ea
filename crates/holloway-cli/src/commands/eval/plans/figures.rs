//! How are the figures of plans told? One line per method and number of remembered runs,
//! in percent.

use serde::Serialize;

use super::exam::Tally;
use super::folds::Remembering;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::units;

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) tools: usize,
    pub(super) requests: usize,
    /// Requests that need a tool that is not in the catalogue.
    pub(super) left_out: usize,
    /// How many runs there are to remember.
    pub(super) remembered: usize,
    /// What the weights of the binary have seen.
    pub(super) weights_fitted_on: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) folds: Option<usize>,
    #[serde(rename = "remember_ms", skip_serializing_if = "Option::is_none")]
    pub(super) remembering: Option<Remembering>,
    pub(super) rows: Vec<Row>,
}

/// In percent.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    method: String,
    requests: usize,
    node_f1: f64,
    link_f1: f64,
    exact: f64,
    exact_of_three: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument_name_f1: Option<f64>,
    us_per_request: f64,
}

impl Row {
    pub(super) fn of(method: String, tally: &Tally) -> Self {
        let means = tally.means.mean();
        let micros = tally.micros / means.requests.max(1) as f64;
        Self {
            method,
            requests: means.requests,
            node_f1: percent(means.nodes),
            link_f1: percent(means.links),
            exact: percent(means.exact),
            exact_of_three: percent(means.exact_of_three),
            argument_name_f1: tally.arguments().map(percent),
            us_per_request: (micros * 10.0).round() / 10.0,
        }
    }

    fn cells(&self) -> [String; 8] {
        let one = |number: f64| format!("{number:5.1}");
        let exact_of_three = one(self.exact_of_three);
        [
            self.method.clone(),
            self.requests.to_string(),
            one(self.node_f1),
            one(self.link_f1),
            one(self.exact),
            exact_of_three,
            self.argument_name_f1.map_or_else(|| "  –".to_owned(), one),
            format!("{:.0}", self.us_per_request),
        ]
    }
}

fn percent(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}

impl Figures {
    pub(super) fn text(&self) -> String {
        let rows: Vec<[String; 8]> = self.rows.iter().map(Row::cells).collect();
        let heading = [
            "METHOD",
            "REQUESTS",
            "NODE-F1",
            "LINK-F1",
            "EXACT",
            "OF 3",
            "ARGUMENTS",
            "µs",
        ];
        table(heading, &rows, Paint::stdout())
    }

    pub(super) fn note(&self) -> String {
        let mut note = format!(
            "{} over {}; OF 3: one of the first three plans is exact; µs is the time per request",
            units::count(self.requests, "request"),
            units::count(self.tools, "tool"),
        );
        if self.left_out > 0 {
            let left_out = units::count(self.left_out, "request");
            note =
                format!("{note}; {left_out} not counted: the catalogue lacks one of their tools");
        }
        if let Some(folds) = self.folds {
            note = format!("{note}; {folds} folds, each with runs of the others remembered");
        }
        if let Some(taken) = &self.remembering {
            note = format!(
                "{note}; {} remembered one by one: half within {} ms, 99 of 100 within {} ms, the longest {} ms",
                units::count(taken.runs, "run"),
                taken.half_within,
                taken.of_a_hundred_99_within,
                taken.longest,
            );
        }
        format!(
            "{note}; the weights were fitted on {}: requests of these are not new to them",
            self.weights_fitted_on
        )
    }
}
