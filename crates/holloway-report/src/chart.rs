//! What is a chart, and how is it drawn? Data in, a scene of shapes out; the scene
//! becomes SVG here and vectors in a PDF.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Severity;

mod axis;
mod bars;
mod data;
mod donut;
mod frame;
mod gauges;
mod histogram;
mod lines;
mod pen;
mod scatter;
pub(crate) mod scene;
mod svg;

pub(crate) use gauges::gauges;
pub use scene::Scene;
pub(crate) use svg::inline;

/// Numbers to be seen rather than read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chart {
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What there is to see, for readers who cannot see it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Names along the axis; ISO dates make it an axis of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    pub series: Vec<Series>,
    /// Bars of one label on top of each other instead of side by side.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stacked: bool,
    /// Of the values, such as `ms`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub x_title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub y_title: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    #[default]
    Bar,
    HorizontalBar,
    Line,
    Area,
    Scatter,
    Histogram,
    Donut,
    Gauge,
}

impl Kind {
    pub const NAMES: [&'static str; 8] = [
        "bar",
        "horizontal-bar",
        "line",
        "area",
        "scatter",
        "histogram",
        "donut",
        "gauge",
    ];
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// One per label; null leaves a gap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Option<f64>>,
    /// Gives the series the colour of this severity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// For scatter charts; of a line chart, values that stand apart from the line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    #[serde(default)]
    pub x: f64,
    pub y: f64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// In a line chart the date or label where it stands.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// Marked, and named when there is a label.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outlier: bool,
}

/// Width of every chart in its own units; heights follow from the data.
pub(crate) const WIDTH: f64 = 720.0;

impl Chart {
    pub fn scene(&self) -> Scene {
        let chart = data::prepared(self);
        if data::is_empty(&chart) {
            return frame::nothing(&chart);
        }
        match chart.kind {
            Kind::Bar => bars::upright(&chart),
            Kind::HorizontalBar => bars::lying(&chart),
            Kind::Line | Kind::Area => lines::draw(&chart),
            Kind::Scatter => scatter::draw(&chart),
            Kind::Histogram => histogram::draw(&chart),
            Kind::Donut => donut::draw(&chart),
            Kind::Gauge => gauges::draw(&chart),
        }
    }

    /// A file of its own.
    pub fn svg(&self) -> String {
        svg::file(&self.scene())
    }
}

#[cfg(test)]
mod tests;
