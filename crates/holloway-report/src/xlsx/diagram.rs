//! Which chart of a spreadsheet program shows this one? Native, so that people can
//! change it there.

use rust_xlsxwriter::{Chart as Diagram, ChartType};

use super::cells::{column_number, row_number};
use crate::chart::{Chart, Kind};
use crate::clean;

/// A chart over the sheet `name`, whose first row is a header.
pub(crate) fn diagram(chart: &Chart, name: &str, rows: usize, columns: usize) -> Option<Diagram> {
    let kind = match chart.kind {
        Kind::Bar if chart.stacked => ChartType::ColumnStacked,
        Kind::HorizontalBar if chart.stacked => ChartType::BarStacked,
        Kind::Bar => ChartType::Column,
        Kind::HorizontalBar | Kind::Gauge => ChartType::Bar,
        Kind::Line => ChartType::Line,
        Kind::Area => ChartType::Area,
        Kind::Scatter => ChartType::Scatter,
        Kind::Donut => ChartType::Doughnut,
        // Classes of values are no series of a native chart.
        Kind::Histogram => return None,
    };
    if rows == 0 || columns < 2 {
        return None;
    }
    let mut diagram = Diagram::new(kind);
    let last = row_number(rows);
    let series = if chart.kind == Kind::Scatter {
        1
    } else {
        columns - 1
    };
    for number in 0..series {
        let column = column_number(number + 1);
        diagram
            .add_series()
            .set_categories((name, 1, 0, last, 0))
            .set_values((name, 1, column, last, column))
            .set_name((name, 0, column));
    }
    if chart.title.is_empty() {
        diagram.title().set_hidden();
    } else {
        diagram.title().set_name(words(&chart.title).as_str());
    }
    if series < 2 && chart.kind != Kind::Donut {
        diagram.legend().set_hidden();
    }
    if matches!(chart.kind, Kind::HorizontalBar | Kind::Gauge) {
        // The first row belongs at the top, as in the table.
        diagram.y_axis().set_reverse();
    }
    let unit = words(&chart.unit);
    if !unit.is_empty() && chart.kind != Kind::Donut {
        diagram.y_axis().set_name(unit.as_str());
    }
    diagram.set_width(640).set_height(380);
    Some(diagram)
}

/// A text that starts with `=` would be read as the name of a cell.
fn words(text: &str) -> String {
    let text = clean::shorten(&clean::line(text), 200);
    text.trim_start_matches('=').trim_start().to_owned()
}
