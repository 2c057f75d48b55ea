//! How does a value stand in a cell? Numbers, dates and truths as themselves, text as
//! text even when it looks like a formula.

use rust_xlsxwriter::{Color, Format as Look, FormatAlign, Workbook, Worksheet};
use serde_json::Value;

use super::names::Names;
use crate::Error;
use crate::clean;
use crate::figure;
use crate::grid::Grid;
use crate::model::{Align, Block, Chart, Column, Format, Report, Table};
use crate::moment;

/// Excel's own bound.
const LONGEST_CELL: usize = 32_767;
const WIDEST: f64 = 60.0;
/// Days between Excel's first day and 1970-01-01.
const EPOCH: f64 = 25_569.0;
/// Below this a number keeps all its digits.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// A spreadsheet shows fifteen digits of a whole number, and zeros behind them.
const LONGEST_WHOLE: f64 = 1e15;

pub(crate) struct Sheets<'a> {
    workbook: &'a mut Workbook,
    names: Names,
    last: Option<(String, usize, usize)>,
    /// Cells whose text was longer than a cell can hold.
    pub(crate) cut: usize,
}

impl<'a> Sheets<'a> {
    pub(crate) fn new(workbook: &'a mut Workbook) -> Self {
        Self {
            workbook,
            names: Names::default(),
            last: None,
            cut: 0,
        }
    }

    pub(crate) fn table(&mut self, name: &str, table: &Table) -> Result<(), Error> {
        let name = self.names.free(name);
        let grid = Grid::new(table);
        let sheet = self.workbook.add_worksheet();
        sheet.set_name(&name)?;
        sheet.set_freeze_panes(1, 0)?;
        let dates: Vec<bool> = (0..grid.columns.len())
            .map(|column| is_dated(&grid, column))
            .collect();
        for (index, column) in grid.columns.iter().enumerate() {
            let place = column_number(index);
            let look = header().set_align(if column.align == Align::Right {
                FormatAlign::Right
            } else {
                FormatAlign::Left
            });
            sheet.write_string_with_format(0, place, &column.title, &look)?;
            sheet.set_column_width(place, width(&grid, index))?;
        }
        let looks: Vec<Look> = grid
            .columns
            .iter()
            .zip(&dates)
            .map(|(column, dated)| look(column, *dated))
            .collect();
        for (row_index, row) in grid.rows().iter().enumerate() {
            for (index, look) in looks.iter().enumerate() {
                let at = (row_number(row_index + 1), column_number(index));
                let dated = dates.get(index).copied().unwrap_or(false);
                self.cut += usize::from(cell(sheet, at, grid.value(row, index), look, dated)?);
            }
        }
        if !table.note.is_empty() {
            let at = row_number(grid.len() + 2);
            sheet.write_string_with_format(
                at,
                0,
                clean::shorten(&table.note, LONGEST_CELL),
                &Look::new().set_italic(),
            )?;
        }
        if !grid.columns.is_empty() && grid.len() > 0 {
            sheet.autofilter(
                0,
                0,
                row_number(grid.len()),
                column_number(grid.columns.len() - 1),
            )?;
        }
        self.last = Some((name, grid.len(), grid.columns.len()));
        Ok(())
    }

    /// Puts a chart beside the table that was written last.
    pub(crate) fn diagram(&mut self, chart: &Chart) -> Result<(), Error> {
        let Some((name, rows, columns)) = &self.last else {
            return Ok(());
        };
        let Some(diagram) = super::diagram::diagram(chart, name, *rows, *columns) else {
            return Ok(());
        };
        let sheet = self.workbook.worksheet_from_name(name)?;
        sheet.insert_chart(1, column_number(columns + 1), &diagram)?;
        Ok(())
    }

    pub(crate) fn overview(&mut self, report: &Report) -> Result<(), Error> {
        let name = self.names.free("Overview");
        let sheet = self.workbook.add_worksheet();
        sheet.set_name(&name)?;
        sheet.set_column_width(0, 34)?;
        sheet.set_column_width(1, 20)?;
        sheet.set_column_width(2, 40)?;
        let mut row = 0;
        let title = Look::new().set_bold().set_font_size(18);
        let muted = Look::new().set_font_color(Color::RGB(0x5b_6678));
        sheet.write_string_with_format(row, 0, clean::line(&report.title), &title)?;
        for text in [&report.subtitle, &report.date, &report.author] {
            if !text.is_empty() {
                row += 1;
                sheet.write_string_with_format(row, 0, clean::line(text), &muted)?;
            }
        }
        if !report.summary.trim().is_empty() {
            row += 2;
            let wrapped = Look::new().set_text_wrap().set_align(FormatAlign::Top);
            let summary = clean::shorten(&plain(&report.summary), LONGEST_CELL);
            let lines = summary.chars().count() / 90 + summary.lines().count() + 1;
            sheet.merge_range(row, 0, row, 2, &summary, &wrapped)?;
            sheet.set_row_height(row, (15 * lines.min(25)) as f64)?;
        }
        row += 2;
        for block in &report.blocks {
            if let Block::Figures { items } = block {
                for item in items {
                    sheet.write_string_with_format(
                        row,
                        0,
                        clean::line(&item.label),
                        &Look::new().set_bold(),
                    )?;
                    match item.value.as_f64() {
                        Some(number) if item.unit.is_empty() => sheet.write_number_with_format(
                            row,
                            1,
                            number,
                            &Look::new().set_align(FormatAlign::Left),
                        )?,
                        _ => sheet.write_string(
                            row,
                            1,
                            figure::with_unit(&figure::text(&item.value), &item.unit),
                        )?,
                    };
                    sheet.write_string_with_format(row, 2, clean::line(&item.change), &muted)?;
                    row += 1;
                }
            }
        }
        Ok(())
    }
}

/// Markdown without its marks.
fn plain(markdown: &str) -> String {
    use crate::rich::Part;
    let join = |spans: &[crate::rich::Span]| {
        spans
            .iter()
            .map(|span| span.text.as_str())
            .collect::<String>()
    };
    let lines = crate::rich::parts(markdown)
        .into_iter()
        .filter_map(|part| match part {
            Part::Paragraph(spans) | Part::Heading(_, spans) | Part::Quote(spans) => {
                Some(join(&spans))
            }
            Part::Item(_, marker, spans) => Some(format!("{marker} {}", join(&spans))),
            Part::Code(text) => Some(text),
            Part::Table(_) | Part::Rule => None,
        });
    lines.collect::<Vec<_>>().join("\n")
}

pub(crate) fn row_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

pub(crate) fn column_number(column: usize) -> u16 {
    u16::try_from(column).unwrap_or(u16::MAX)
}

fn header() -> Look {
    Look::new()
        .set_bold()
        .set_background_color(Color::RGB(0xe8_eef6))
        .set_border_bottom(rust_xlsxwriter::FormatBorder::Thin)
}

/// Every value is a date, and there is one.
fn is_dated(grid: &Grid<'_>, column: usize) -> bool {
    let format = grid
        .columns
        .get(column)
        .map_or(Format::Auto, |column| column.format);
    if !matches!(format, Format::Auto | Format::Date) {
        return false;
    }
    let mut values = grid
        .rows()
        .iter()
        .take(1000)
        .map(|row| grid.value(row, column))
        .filter(|value| !value.is_null())
        .peekable();
    values.peek().is_some() && values.all(|value| value.as_str().and_then(serial).is_some())
}

/// Excel has no days before 1900.
fn serial(text: &str) -> Option<f64> {
    moment::days(text)
        .map(|days| days + EPOCH)
        .filter(|serial| *serial >= 1.0)
}

fn look(column: &Column, dated: bool) -> Look {
    let decimals = |default: u8| {
        let count = usize::from(column.decimals.unwrap_or(default).min(10));
        if count == 0 {
            String::new()
        } else {
            format!(".{}", "0".repeat(count))
        }
    };
    let unit = clean::line(&column.unit).replace('"', "");
    let unit = if unit.is_empty() {
        String::new()
    } else {
        format!("\" {unit}\"")
    };
    let pattern = match column.format {
        _ if dated => "yyyy-mm-dd".to_owned(),
        Format::Integer => format!("#,##0{unit}"),
        Format::Number => format!("#,##0{}{unit}", decimals(2)),
        Format::Percent => format!("0{}%", decimals(1)),
        Format::Auto if column.decimals.is_some() => format!("#,##0{}{unit}", decimals(2)),
        Format::Auto if !unit.is_empty() => format!("General{unit}"),
        _ => String::new(),
    };
    let look = Look::new().set_align(FormatAlign::Top);
    if pattern.is_empty() {
        look
    } else {
        look.set_num_format(pattern)
    }
}

/// Writes one cell; says whether its text was cut.
fn cell(
    sheet: &mut Worksheet,
    at: (u32, u16),
    value: &Value,
    look: &Look,
    dated: bool,
) -> Result<bool, Error> {
    let mut cut = false;
    match value {
        Value::Null => {}
        Value::Bool(truth) => {
            sheet.write_boolean_with_format(at.0, at.1, *truth, look)?;
        }
        Value::Number(number) => match number.as_f64().filter(|shown| {
            let most = if number.is_f64() {
                EXACT
            } else {
                LONGEST_WHOLE
            };
            shown.is_finite() && shown.abs() < most
        }) {
            Some(number) => {
                sheet.write_number_with_format(at.0, at.1, number, look)?;
            }
            // Long numbers are names of things: every digit counts.
            None => {
                sheet.write_string_with_format(at.0, at.1, number.to_string(), look)?;
            }
        },
        Value::String(text) => {
            if let Some(serial) = serial(text).filter(|_| dated) {
                let timed = serial.fract() != 0.0;
                let look = if timed {
                    look.clone().set_num_format("yyyy-mm-dd hh:mm")
                } else {
                    look.clone()
                };
                sheet.write_number_with_format(at.0, at.1, serial, &look)?;
            } else {
                let (text, short) = fitting(&clean::clean(text));
                cut = short;
                sheet.write_string_with_format(at.0, at.1, text, look)?;
            }
        }
        other => {
            let (text, short) = fitting(&clean::clean(&other.to_string()));
            cut = short;
            sheet.write_string_with_format(at.0, at.1, text, look)?;
        }
    }
    Ok(cut)
}

/// As much as a cell can hold, and whether that is less than all. Excel counts in
/// units of UTF-16.
fn fitting(text: &str) -> (String, bool) {
    if text.len() <= LONGEST_CELL || text.encode_utf16().count() <= LONGEST_CELL {
        return (text.to_owned(), false);
    }
    let mut room = LONGEST_CELL - 1;
    let kept = text.chars().take_while(|letter| {
        let fits = letter.len_utf16() <= room;
        room = room.saturating_sub(letter.len_utf16());
        fits
    });
    (format!("{}…", kept.collect::<String>()), true)
}

/// From the title and the first rows, in characters.
fn width(grid: &Grid<'_>, column: usize) -> f64 {
    let title = grid
        .columns
        .get(column)
        .map_or(0, |column| column.title.chars().count() + 3);
    let longest = grid.rows().iter().take(500).map(|row| {
        let text = grid.text(row, column);
        text.lines()
            .map(|line| line.chars().take(100).count())
            .max()
            .unwrap_or(0)
    });
    let longest = longest.max().unwrap_or(0).max(title);
    (longest as f64 + 2.0).clamp(8.0, WIDEST)
}
