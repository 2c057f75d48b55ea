//! What is in a workbook? Sheets with their names and typed cells; dates as ISO text.
//! Cells are taken one by one: two cells far apart do not fill the memory.

use std::collections::{HashMap, HashSet};
use std::io::Cursor;

use calamine::{Cell, Data, DataRef, Reader, Sheets, Xlsb, Xlsx, XlsxError};
use serde_json::{Map, Value};

use super::unpacked;
use crate::Error;
use crate::figure::decimal;

mod cell;
use cell::cell;

/// Cells given back, empty ones between filled ones included.
const MOST_CELLS: usize = 3_000_000;
/// Bytes of text given back; in rows by name, each row repeats the names.
const MOST_TEXT: usize = 300_000_000;

/// A sheet as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub name: String,
    pub columns: Vec<String>,
    pub rows: Vec<Value>,
    /// Rows in the file, without the header.
    pub count: usize,
}

/// Reads the sheets, or the one of this name. With `header`, the first row names the
/// columns and rows are objects; otherwise rows are lists.
pub fn read(
    bytes: &[u8],
    wanted: Option<&str>,
    header: bool,
    most: usize,
) -> Result<Vec<Sheet>, Error> {
    unpacked::check(bytes)?;
    let mut workbook = open(bytes)?;
    let names = workbook.sheet_names();
    if let Some(wanted) = wanted
        && !names.iter().any(|name| name == wanted)
    {
        return Err(Error::Input(format!(
            "there is no sheet `{wanted}`; the file has: {}",
            names.join(", ")
        )));
    }
    let mut sheets = Vec::new();
    let mut left = most;
    let mut room = Room {
        cells: MOST_CELLS,
        text: MOST_TEXT,
    };
    for name in names
        .into_iter()
        .filter(|name| wanted.is_none_or(|wanted| wanted == name))
    {
        let area = area(&mut workbook, &name, left + usize::from(header), &mut room)?;
        let sheet = sheet(name, area, header, left, &mut room)?;
        left = left.saturating_sub(sheet.rows.len());
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// Only formats whose cells can be taken one by one.
fn open(bytes: &[u8]) -> Result<Sheets<Cursor<&[u8]>>, Error> {
    match Xlsx::new(Cursor::new(bytes)) {
        Ok(workbook) => Ok(Sheets::Xlsx(workbook)),
        Err(error) => match Xlsb::new(Cursor::new(bytes)) {
            Ok(workbook) => Ok(Sheets::Xlsb(workbook)),
            Err(_) => Err(unreadable(error)),
        },
    }
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::Unreadable(error.to_string())
}

/// What may still be given back.
struct Room {
    cells: usize,
    text: usize,
}

impl Room {
    fn take_text(&mut self, bytes: usize) -> Result<(), Error> {
        self.text = self.text.checked_sub(bytes).ok_or_else(|| {
            Error::Input(format!(
                "the texts of the workbook are larger than {} MB; read fewer rows, or one sheet",
                MOST_TEXT / 1_000_000
            ))
        })?;
        Ok(())
    }
}

/// The filled part of a sheet, and the cells of its first rows.
#[derive(Default)]
struct Area {
    first_row: u32,
    last_row: u32,
    first_column: u32,
    last_column: u32,
    filled: usize,
    /// By row, then by column.
    cells: Vec<(u32, u32, Value)>,
}

impl Area {
    fn height(&self) -> usize {
        if self.filled == 0 {
            return 0;
        }
        (self.last_row - self.first_row) as usize + 1
    }

    fn width(&self) -> usize {
        if self.filled == 0 {
            return 0;
        }
        (self.last_column - self.first_column) as usize + 1
    }

    fn add(
        &mut self,
        place: (u32, u32),
        value: impl FnOnce() -> Data,
        most: usize,
        room: &mut Room,
    ) -> Result<(), Error> {
        let (row, column) = place;
        if self.filled == 0 {
            (self.first_row, self.last_row) = (row, row);
            (self.first_column, self.last_column) = (column, column);
        }
        if row < self.first_row {
            return Err(unreadable("its rows are not in order"));
        }
        self.filled += 1;
        self.last_row = self.last_row.max(row);
        self.first_column = self.first_column.min(column);
        self.last_column = self.last_column.max(column);
        if ((row - self.first_row) as usize) < most {
            if self.cells.len() >= MOST_CELLS {
                return Err(too_many(self));
            }
            let value = cell(&value());
            room.take_text(value.as_str().map_or(0, str::len))?;
            self.cells.push((row, column, value));
        }
        Ok(())
    }
}

fn too_many(area: &Area) -> Error {
    let shown = |number: usize| decimal(number as f64, 0);
    Error::Input(format!(
        "the sheet spans {} rows and {} columns with {} filled cells, and at most {} cells are read; \
         read fewer rows, or clear cells that stand far from the others",
        shown(area.height()),
        shown(area.width()),
        shown(area.filled),
        shown(MOST_CELLS)
    ))
}

fn area(
    workbook: &mut Sheets<Cursor<&[u8]>>,
    name: &str,
    most: usize,
    room: &mut Room,
) -> Result<Area, Error> {
    match workbook {
        Sheets::Xlsx(workbook) => match workbook.worksheet_cells_reader(name) {
            Ok(mut reader) => streamed(|| reader.next_cell().map_err(unreadable), most, room),
            // A sheet that is only a chart.
            Err(XlsxError::NotAWorksheet(_)) => Ok(Area::default()),
            Err(error) => Err(unreadable(error)),
        },
        Sheets::Xlsb(workbook) => {
            let mut reader = workbook.worksheet_cells_reader(name).map_err(unreadable)?;
            streamed(|| reader.next_cell().map_err(unreadable), most, room)
        }
        Sheets::Xls(_) | Sheets::Ods(_) => Err(unreadable("its format is not read")),
    }
}

fn streamed<'a>(
    mut next: impl FnMut() -> Result<Option<Cell<DataRef<'a>>>, Error>,
    most: usize,
    room: &mut Room,
) -> Result<Area, Error> {
    let mut area = Area::default();
    while let Some(cell) = next()? {
        let value = cell.get_value();
        if !matches!(value, DataRef::Empty) {
            area.add(
                cell.get_position(),
                || Data::from(value.clone()),
                most,
                room,
            )?;
        }
    }
    area.cells.sort_by_key(|(row, column, _)| (*row, *column));
    Ok(area)
}

fn sheet(
    name: String,
    area: Area,
    header: bool,
    most: usize,
    room: &mut Room,
) -> Result<Sheet, Error> {
    let (width, height) = (area.width(), area.height());
    let given = height.min(most + usize::from(header));
    room.cells = room
        .cells
        .checked_sub(given.saturating_mul(width))
        .ok_or_else(|| too_many(&area))?;
    let (first_row, first_column) = (area.first_row, area.first_column);
    let mut cells = area.cells.into_iter().peekable();
    let mut rows = (0..given).map(|index| {
        let mut row = vec![Value::Null; width];
        while let Some((_, column, value)) =
            cells.next_if(|(row, ..)| (*row - first_row) as usize == index)
        {
            if let Some(place) = row.get_mut((column - first_column) as usize) {
                *place = value;
            }
        }
        row
    });
    let columns = if header {
        rows.next().map(|row| titles(&row)).unwrap_or_default()
    } else {
        Vec::new()
    };
    let names: usize = columns.iter().map(String::len).sum();
    room.take_text(names.saturating_mul(given))?;
    let read = rows.map(|row| {
        if header {
            Value::Object(columns.iter().cloned().zip(row).collect::<Map<_, _>>())
        } else {
            Value::Array(row)
        }
    });
    Ok(Sheet {
        name,
        rows: read.collect(),
        count: height.saturating_sub(usize::from(header)),
        columns,
    })
}

/// Every column has a name of its own.
fn titles(row: &[Value]) -> Vec<String> {
    let mut taken = HashSet::new();
    // Where counting goes on, so that many equal names are not counted again and again.
    let mut last: HashMap<String, usize> = HashMap::new();
    let mut titles = Vec::new();
    for (index, cell) in row.iter().enumerate() {
        let text = match cell {
            Value::Null => String::new(),
            Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        };
        let base = if text.is_empty() {
            format!("column_{}", index + 1)
        } else {
            text
        };
        let mut title = base.clone();
        while !taken.insert(title.clone()) {
            let number = last.entry(base.clone()).or_insert(1);
            *number += 1;
            title = format!("{base}_{number}");
        }
        titles.push(title);
    }
    titles
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_xlsxwriter::Workbook;
    use serde_json::json;

    #[test]
    fn two_cells_far_apart_do_not_fill_the_memory() {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.write_number(0, 0, 1).unwrap();
        sheet.write_number(1_048_575, 16_383, 2).unwrap();
        let bytes = workbook.save_to_buffer().unwrap();
        let refused = read(&bytes, None, true, 10_000).unwrap_err().to_string();
        assert!(
            refused.starts_with(
                "the sheet spans 1,048,576 rows and 16,384 columns with 2 filled cells"
            ),
            "{refused}"
        );
        let sheets = read(&bytes, None, false, 1).unwrap();
        assert_eq!((sheets[0].rows.len(), sheets[0].count), (1, 1_048_576));
        assert_eq!(sheets[0].rows[0][0], 1);
    }

    #[test]
    fn a_sheet_begins_where_its_cells_begin() {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        for (row, column, text) in [(2, 3, "a"), (2, 4, "b"), (4, 2, "x")] {
            sheet.write_string(row, column, text).unwrap();
        }
        let bytes = workbook.save_to_buffer().unwrap();
        let sheets = read(&bytes, None, false, 10).unwrap();
        let expected = json!([[null, "a", "b"], [null, null, null], ["x", null, null]]);
        assert_eq!(json!(sheets[0].rows), expected);
    }

    #[test]
    fn a_file_that_unpacks_to_too_much_is_refused() {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        for row in 0..6_000 {
            sheet
                .write_string(row, 0, format!("{row:0>32000}"))
                .unwrap();
        }
        let bytes = workbook.save_to_buffer().unwrap();
        assert!(bytes.len() < 4_000_000, "{}", bytes.len());
        let refused = read(&bytes, None, true, 10).unwrap_err().to_string();
        assert!(refused.contains("above 150 MB"), "{refused}");
    }

    #[test]
    fn many_equal_names_are_numbered_quickly() {
        let names = titles(&vec![json!("a"); 16_384]);
        assert_eq!(names.last().unwrap(), "a_16384");
        let clash = [json!("a"), json!("a_2"), json!("a"), json!(null), json!(3)];
        assert_eq!(titles(&clash), ["a", "a_2", "a_3", "column_4", "3"]);
    }
}
