//! How does a table stand on a page? Header cells with scope, numbers to the right.

use std::fmt::Write as _;

use crate::clean::{escape, shorten};
use crate::grid::Grid;
use crate::model::{Align, Table};

const LONGEST_CELL: usize = 2000;
/// Up to this many characters a text stays on one line.
const SHORT: usize = 14;

pub(crate) fn html(table: &Table) -> String {
    let grid = Grid::new(table);
    let name = match crate::clean::line(&table.title).as_str() {
        "" => "Table".to_owned(),
        title => escape(title),
    };
    // Where it is wider than the screen, the keyboard has to reach it to scroll.
    let mut html = format!(
        "<div class=\"table\" role=\"group\" aria-label=\"{name}\" tabindex=\"0\"><table>\n"
    );
    if !table.title.is_empty() {
        writeln!(
            html,
            "<caption>{}</caption>",
            escape(&crate::clean::line(&table.title))
        )
        .ok();
    }
    html.push_str("<thead><tr>");
    for column in &grid.columns {
        write!(
            html,
            "<th scope=\"col\"{}>{}</th>",
            class(column.align),
            escape(&column.title)
        )
        .ok();
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in grid.rows() {
        html.push_str("<tr>");
        for (column, text) in grid.columns.iter().zip(grid.texts(row)) {
            let class = match class(column.align) {
                "" if text.chars().count() <= SHORT => " class=\"short\"",
                other => other,
            };
            let text = escape(&shorten(&text, LONGEST_CELL)).replace('\n', "<br>");
            write!(html, "<td{class}>{text}</td>").ok();
        }
        html.push_str("</tr>\n");
    }
    if grid.len() == 0 {
        let columns = grid.columns.len().max(1);
        writeln!(
            html,
            "<tr><td colspan=\"{columns}\" class=\"empty\">No rows</td></tr>"
        )
        .ok();
    }
    html.push_str("</tbody>\n</table></div>\n");
    if !table.note.is_empty() {
        writeln!(html, "<p class=\"note\">{}</p>", escape(&table.note)).ok();
    }
    html
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Right => " class=\"right\"",
        Align::Center => " class=\"center\"",
        Align::Auto | Align::Left => "",
    }
}
