//! Do the header cells of tables head something?

use super::catalog::{
    EMPTY_TABLE_HEADER, SCOPE_ATTR_VALID, TABLE_DUPLICATE_NAME, TD_HEADERS_ATTR, TH_HAS_DATA_CELLS,
};
use crate::accessibility::name::clean;
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

/// Larger tables are not looked at cell by cell.
const MOST_CELLS: usize = 3_000;

pub(crate) fn check(report: &mut Report) {
    report.each(&SCOPE_ATTR_VALID, &["td", "th"], |view, index| {
        view.tree.attr(index, "scope").is_some_and(|scope| {
            let known = matches!(
                scope.to_ascii_lowercase().as_str(),
                "row" | "col" | "rowgroup" | "colgroup"
            );
            view.tree.tag(index) == "td" || !known
        })
    });
    report.each(&TABLE_DUPLICATE_NAME, &["table"], |view, index| {
        let summary = clean(view.tree.attr(index, "summary").unwrap_or_default());
        let mut children = view.tree.children(index);
        let caption = children.find(|child| view.tree.tag(*child) == "caption");
        let caption = caption.map(|caption| view.visible_text(caption, true));
        !summary.is_empty()
            && caption.is_some_and(|caption| caption.to_lowercase() == summary.to_lowercase())
    });
    empty_headers(report);
    report.each(&TD_HEADERS_ATTR, &["table"], |view, index| {
        matches!(view.role_name(index), "table" | "grid" | "treegrid") && refers_badly(view, index)
    });
    report.each(&TH_HAS_DATA_CELLS, &["table"], |view, index| {
        let role = view.role(index);
        !role.is_some_and(super::super::aria::roles::Role::is_presentation)
            && has_idle_header(view, index)
    });
}

fn empty_headers(report: &mut Report) {
    let view = report.view;
    for index in view.tree.elements() {
        let header = match view.tree.attr(index, "role") {
            None => view.tree.tag(index) == "th",
            Some(role) => matches!(role, "rowheader" | "columnheader"),
        };
        if header && view.is_exposed(index) && view.content_name(index).is_empty() {
            report.hit(&EMPTY_TABLE_HEADER, index);
        }
    }
}

/// The cells of a table, not of tables inside it.
fn cells(view: &View, table: usize) -> Vec<usize> {
    let tree = &view.tree;
    let all = tree.inside(table).take(MOST_CELLS * 4);
    let own = all.filter(|index| {
        matches!(tree.tag(*index), "td" | "th")
            && tree.closest(*index, |up| tree.tag(up) == "table") == Some(table)
    });
    let mut cells: Vec<usize> = own.take(MOST_CELLS).collect();
    // The foot comes last, wherever it is written.
    cells.sort_by_key(|cell| view.is_within(*cell, &["tfoot"]));
    cells
}

fn refers_badly(view: &View, table: usize) -> bool {
    let tree = &view.tree;
    let cells = cells(view, table);
    let referring = cells
        .iter()
        .filter(|cell| tree.filled(**cell, "headers") && view.is_exposed(**cell));
    let mut ids = rustc_hash::FxHashMap::default();
    for cell in &cells {
        if let Some(id) = tree.attr(*cell, "id") {
            ids.insert(id, *cell);
        }
    }
    let is_header = |cell: usize| matches!(view.role_name(cell), "columnheader" | "rowheader");
    referring.into_iter().any(|cell| {
        let headers = tree.attr(*cell, "headers").unwrap_or_default();
        headers.split_ascii_whitespace().any(|id| {
            ids.get(id)
                .is_none_or(|header| header == cell || !is_header(*header))
        })
    })
}

/// A header cell with neither data below it nor beside it.
fn has_idle_header(view: &View, table: usize) -> bool {
    let tree = &view.tree;
    let grid = grid(view, table);
    let referred: Vec<&str> = cells(view, table)
        .into_iter()
        .filter_map(|cell| tree.attr(cell, "headers"))
        .flat_map(str::split_ascii_whitespace)
        .collect();
    let data = |cell: Option<&Option<usize>>| {
        cell.copied()
            .flatten()
            .is_some_and(|cell| tree.tag(cell) == "td")
    };
    for (row, line) in grid.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let Some(cell) = *cell else {
                continue;
            };
            let named = tree
                .attr(cell, "id")
                .is_some_and(|id| referred.contains(&id));
            if tree.tag(cell) != "th" || named || view.visible_text(cell, true).is_empty() {
                continue;
            }
            let below = grid.iter().skip(row + 1).any(|line| data(line.get(column)));
            let beside = line.iter().skip(column + 1).any(|cell| data(Some(cell)));
            let scope = tree.attr(cell, "scope").unwrap_or_default();
            let heads = match scope {
                "col" => below,
                "row" => beside,
                _ => below || beside,
            };
            if !heads {
                return true;
            }
        }
    }
    false
}

/// Rows of cells, with cells repeated where they span.
fn grid(view: &View, table: usize) -> Vec<Vec<Option<usize>>> {
    let tree = &view.tree;
    let mut rows: Vec<usize> = Vec::new();
    let mut grid: Vec<Vec<Option<usize>>> = Vec::new();
    let span = |cell: usize, name: &str| {
        let span = tree
            .attr(cell, name)
            .and_then(|span| span.trim().parse().ok());
        span.unwrap_or(1_usize).clamp(1, 100)
    };
    let mut filled = 0;
    for cell in cells(view, table) {
        let row = tree.parent(cell).unwrap_or(table);
        let line = rows
            .iter()
            .rposition(|known| *known == row)
            .unwrap_or_else(|| {
                rows.push(row);
                rows.len() - 1
            });
        let (wide, high) = (span(cell, "colspan"), span(cell, "rowspan"));
        while grid.len() < line + high {
            grid.push(Vec::new());
        }
        let free = grid.get(line).map_or(0, |line| {
            line.iter().position(Option::is_none).unwrap_or(line.len())
        });
        for line in grid.iter_mut().skip(line).take(high) {
            if line.len() < free + wide {
                line.resize(free + wide, None);
            }
            for place in line.iter_mut().skip(free).take(wide) {
                *place = Some(cell);
            }
        }
        filled += wide * high;
        if filled > MOST_CELLS * 4 {
            break;
        }
    }
    grid
}
