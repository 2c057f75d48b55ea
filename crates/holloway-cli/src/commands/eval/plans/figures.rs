//! How are the figures of plans told? One line per method and number of remembered runs,
//! in percent.

use holloway_planner::measure::Means;
use serde::Serialize;

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
    pub(super) fn new(method: String, means: Means, micros: f64) -> Self {
        Self {
            method,
            requests: means.requests,
            node_f1: percent(means.nodes),
            link_f1: percent(means.links),
            exact: percent(means.exact),
            exact_of_three: percent(means.exact_of_three),
            argument_name_f1: None,
            us_per_request: (micros * 10.0).round() / 10.0,
        }
    }

    /// How well arguments were named, 0 to 1, where that is known.
    pub(super) fn add_arguments(&mut self, f1: Option<f64>) {
        self.argument_name_f1 = f1.map(percent);
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
        note
    }
}
