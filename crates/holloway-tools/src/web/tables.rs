//! `tables-extract`: which tables are on this page? Their cells as rows with named
//! columns, with cells that span several rows or columns repeated.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::Effect;
use scraper::{ElementRef, Html};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::{Pure, within_limit};
use super::super::{Tool, arguments};
use super::document::{all, parse_whole, visible_text};
use super::source::{Source, properties};

const MAX_CELLS: usize = 200_000;
/// A cell spans no more than this; browsers stop at 1000 columns too.
const MAX_SPAN: usize = 1_000;

#[derive(Deserialize)]
struct Arguments {
    #[serde(flatten)]
    source: Source,
}

/// What all tables of a page may still take: small HTML can ask for large tables.
struct Room {
    cells: usize,
    bytes: usize,
}

impl Room {
    fn take_cells(&mut self, count: usize) -> Result<(), ToolFailure> {
        let left = self.cells.checked_sub(count);
        self.cells = left.ok_or_else(too_many_cells)?;
        Ok(())
    }

    fn take_bytes(&mut self, count: usize) -> Result<(), ToolFailure> {
        self.bytes = self.bytes.saturating_add(count);
        within_limit(self.bytes)
    }
}

fn too_many_cells() -> ToolFailure {
    ToolFailure::limit(format!("the tables have more than {MAX_CELLS} cells"))
}

#[derive(Clone)]
struct Cell {
    /// Shared by all places that the cell spans.
    text: Arc<str>,
    is_header: bool,
}

pub(crate) fn tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "tables-extract",
        title: "Extract tables from HTML",
        category: "web",
        description: "Reads the tables of a page. Use it to get figures from a web page into rows that statistics, CSV and chart \
            tools take. Returns `tables`, each with its caption, its `columns` and its `rows` as objects by column, and `rows`, those of the first table; cells that \
            span several rows or columns are repeated, and columns without a heading are called column 1, column 2 and so on.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(&[], properties(json!({}))),
        output: output(
            &["tables", "rows", "count"],
            json!({
                "tables": {"type": "array", "items": {"type": "object", "properties": {
                    "caption": {"type": "string"},
                    "columns": {"type": "array", "items": {"type": "string"}},
                    "rows": {"type": "array", "items": {"type": "object"}}
                }}},
                "rows": {"type": "array", "items": {"type": "object"}, "description": "The rows of the first table that has any"},
                "count": {"type": "integer"}
            }),
        ),
        example: json!({"html": "<table><tr><th>Tent</th><th>Price</th></tr><tr><td>Dune</td><td>129</td></tr></table>"}),
        does: &["tables page:page -> table:rows"],
    };
    Pure::tool(spec.builtin(), run)
}

fn run(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let (html, _) = arguments.source.read()?;
    let tables = tables(&parse_whole(&html)?)?;
    let rows = tables
        .iter()
        .filter_map(|table| table.get("rows")?.as_array());
    let rows = rows.into_iter().find(|rows| !rows.is_empty());
    Ok(json!({"rows": rows.cloned().unwrap_or_default(), "count": tables.len(), "tables": tables}))
}

/// All tables of a document, each with caption, columns and rows.
pub(super) fn tables(document: &Html) -> Result<Vec<Value>, ToolFailure> {
    let mut room = Room {
        cells: MAX_CELLS,
        bytes: 0,
    };
    let tables = all(document, "table").into_iter();
    tables.map(|table| read(table, &mut room)).collect()
}

fn read(table: ElementRef<'_>, room: &mut Room) -> Result<Value, ToolFailure> {
    let caption = table
        .child_elements()
        .find(|child| child.value().name() == "caption");
    let grid = grid(table, room)?;
    let width = grid.iter().map(Vec::len).max().unwrap_or_default();
    let has_heading = grid
        .first()
        .is_some_and(|row| !row.is_empty() && row.iter().all(|cell| cell.is_header));
    let heading = grid.first().filter(|_| has_heading);
    let heading = heading.map(Vec::as_slice).unwrap_or_default();
    // Before anything is copied: names are held several times while they are made.
    room.take_bytes(heading.iter().map(|cell| cell.text.len()).sum())?;
    let columns = columns(heading, width);
    let named: usize = columns.iter().map(String::len).sum();
    let mut rows = Vec::new();
    for row in grid.iter().skip(usize::from(has_heading)) {
        let texts: usize = row.iter().map(|cell| cell.text.len()).sum();
        // Short rows are filled up to the width of the table.
        room.take_cells(width - row.len())?;
        room.take_bytes(named + texts)?;
        let cells = columns.iter().enumerate().map(|(number, column)| {
            let text = row.get(number).map(|cell| &*cell.text);
            (column.clone(), json!(text))
        });
        rows.push(Value::Object(cells.collect::<Map<_, _>>()));
    }
    let caption = caption.map(visible_text).unwrap_or_default();
    room.take_bytes(caption.len())?;
    Ok(json!({"caption": caption, "rows": rows, "columns": columns}))
}

/// The cells by row and column; the places of spanned cells are filled.
fn grid(table: ElementRef<'_>, room: &mut Room) -> Result<Vec<Vec<Cell>>, ToolFailure> {
    let mut grid: Vec<Vec<Cell>> = Vec::new();
    // By column: the cell that still reaches down, and how many rows.
    let mut reaching: Vec<Option<(Cell, usize)>> = Vec::new();
    for row in rows(table) {
        let mut cells: Vec<Cell> = Vec::new();
        for element in row.child_elements() {
            if !matches!(element.value().name(), "td" | "th") {
                continue;
            }
            fill_down(&mut cells, &mut reaching);
            let cell = Cell {
                text: visible_text(element).into(),
                is_header: element.value().name() == "th",
            };
            // Tables inside of tables are read with each of them.
            room.take_bytes(cell.text.len())?;
            let below = span(element, "rowspan") - 1;
            for _ in 0..span(element, "colspan") {
                let column = cells.len();
                cells.push(cell.clone());
                reaching.resize(reaching.len().max(column + 1), None);
                if let Some(place) = reaching.get_mut(column) {
                    *place = (below > 0).then(|| (cell.clone(), below));
                }
            }
            if cells.len() > room.cells {
                return Err(too_many_cells());
            }
        }
        fill_down(&mut cells, &mut reaching);
        room.take_cells(cells.len())?;
        grid.push(cells);
    }
    Ok(grid)
}

/// Puts cells from the rows above where they reach to, up to the next free place.
fn fill_down(cells: &mut Vec<Cell>, reaching: &mut [Option<(Cell, usize)>]) {
    while let Some(Some((cell, rows))) = reaching.get_mut(cells.len()) {
        let column = cells.len();
        cells.push(cell.clone());
        *rows -= 1;
        if *rows == 0
            && let Some(place) = reaching.get_mut(column)
        {
            *place = None;
        }
    }
}

/// The rows of this table, not of tables inside it.
fn rows(table: ElementRef<'_>) -> Vec<ElementRef<'_>> {
    let mut rows = Vec::new();
    for child in table.child_elements() {
        match child.value().name() {
            "tr" => rows.push(child),
            "thead" | "tbody" | "tfoot" => rows.extend(
                child
                    .child_elements()
                    .filter(|row| row.value().name() == "tr"),
            ),
            _ => {}
        }
    }
    rows
}

fn span(cell: ElementRef<'_>, attribute: &str) -> usize {
    let span = cell
        .attr(attribute)
        .and_then(|span| span.trim().parse().ok());
    span.unwrap_or(1_usize).clamp(1, MAX_SPAN)
}

/// One name per column, no two alike.
fn columns(heading: &[Cell], width: usize) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut repeats: HashMap<String, usize> = HashMap::new();
    let mut columns = Vec::new();
    for number in 0..width {
        let named = heading.get(number).map(|cell| cell.text.to_string());
        let named = named.filter(|name| !name.is_empty());
        let plain = named.unwrap_or_else(|| format!("column {}", number + 1));
        let mut name = plain.clone();
        while !taken.insert(name.clone()) {
            let repeat = repeats.entry(plain.clone()).or_insert(1);
            *repeat += 1;
            name = format!("{plain} {repeat}");
        }
        columns.push(name);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: Value) {
        assert_eq!(
            run(&json!({"html": html})).unwrap()["tables"],
            expected,
            "{html}"
        );
    }

    #[test]
    fn rows_are_named_by_their_columns() {
        check(
            "<table><caption>Stock</caption><thead><tr><th>Tent<th>Price<tbody><tr><td>Dune<td>129<tr><td>Moor",
            json!([{"caption": "Stock", "columns": ["Tent", "Price"], "rows": [{"Tent": "Dune", "Price": "129"}, {"Tent": "Moor", "Price": null}]}]),
        );
        check(
            "<table><tr><td>a<td>b</table>",
            json!([{"caption": "", "columns": ["column 1", "column 2"], "rows": [{"column 1": "a", "column 2": "b"}]}]),
        );
    }

    #[test]
    fn spanning_cells_are_repeated() {
        check(
            "<table><tr><th>A<th colspan=2>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
            json!([{"caption": "", "columns": ["A", "B", "B 2"], "rows": [
                {"A": "1", "B": "2", "B 2": "3"},
                {"A": "1", "B": "4", "B 2": "5"},
            ]}]),
        );
    }

    #[test]
    fn inner_tables_are_tables_of_their_own() {
        let told =
            run(&json!({"html": "<table><tr><td>x<table><tr><td>y</table></table>"})).unwrap();
        assert_eq!(told["count"], 2);
        assert_eq!(told["tables"][0]["rows"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn hostile_spans_are_bounded() {
        let wide = "<tr><td colspan=999999 rowspan=999999>x".repeat(400);
        let failure = run(&json!({"html": format!("<table>{wide}</table>")})).unwrap_err();
        assert_eq!(failure.message, "the tables have more than 200000 cells");
    }

    fn check_refused(table: &str, expected: &str) {
        let failure = run(&json!({"html": format!("<table>{table}</table>")})).unwrap_err();
        assert_eq!(failure.message, expected);
    }

    #[test]
    fn what_spans_repeat_is_counted_before_it_is_copied() {
        let text = "x".repeat(1_000_000);
        let too_large = "the result would be larger than 67108864 bytes";
        check_refused(
            &format!("<tr><td colspan=1000 rowspan=1000>{text}"),
            too_large,
        );
        check_refused(&format!("<tr><th colspan=1000>{text}<tr><td>y"), too_large);
        let rows = "<tr>".repeat(20_000);
        let too_many = "the tables have more than 200000 cells";
        check_refused(&format!("<tr><td colspan=1000>x{rows}"), too_many);
        check_refused(
            &format!("<tr><td colspan=1000 rowspan=1000>x{rows}"),
            too_many,
        );
    }
}
