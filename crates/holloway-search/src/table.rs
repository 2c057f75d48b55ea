//! What does a word mean? A table with one small vector per piece of a word, made
//! beforehand by `scripts/search-table` and shipped in the binary.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use thiserror::Error;

use crate::pieces::Vocabulary;

static SHIPPED: LazyLock<Arc<Table>> = LazyLock::new(|| {
    // A table that cannot be read is empty, and words alone decide; a test sees to it that it can.
    let read = Table::read(Cow::Borrowed(include_bytes!("../data/table.bin")));
    Arc::new(read.unwrap_or_default())
});
const MAGIC: &[u8; 8] = b"HWTABLE1";
const DIMENSIONS_AT_MOST: usize = 4_096;
const ROWS_AT_MOST: usize = 1_000_000;

/// Vectors of pieces, in whole numbers with one scale per row.
#[derive(Debug, Default)]
pub struct Table {
    vocabulary: Vocabulary,
    dimensions: usize,
    scales: Vec<f32>,
    cells: Cow<'static, [u8]>,
    cells_begin: usize,
    fields: FieldShares,
    made_from: String,
}

/// What each field of a tool adds to its vector.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct FieldShares {
    pub name: f32,
    pub server: f32,
    pub description: f32,
    pub parameters: f32,
    pub parameter_descriptions: f32,
}

impl Default for FieldShares {
    fn default() -> Self {
        Self {
            name: 0.83,
            server: 1.0,
            description: 1.14,
            parameters: 0.53,
            parameter_descriptions: 0.38,
        }
    }
}

#[derive(Deserialize)]
struct Header {
    rows: usize,
    dimensions: usize,
    #[serde(default)]
    fields: FieldShares,
    #[serde(default)]
    made_from: String,
}

/// Why bytes are not a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    #[error("it does not begin with HWTABLE1")]
    Magic,
    #[error("it ends too early: its {0} is cut off")]
    CutOff(&'static str),
    #[error("its header cannot be read: {0}")]
    Header(String),
    #[error("its vocabulary has {found} pieces, its header says {expected}")]
    Vocabulary { found: usize, expected: usize },
    #[error("it has {0} bytes after its last row")]
    TooLong(usize),
    #[error("row {0} has a scale that is no number")]
    Scale(usize),
}

impl Table {
    /// The table in the binary, opened when first asked for.
    pub fn shipped() -> Arc<Self> {
        Arc::clone(&SHIPPED)
    }

    /// From the bytes of a file; everything about them is checked.
    pub fn read(bytes: Cow<'static, [u8]>) -> Result<Self, TableError> {
        let mut reader = Reader {
            bytes: &bytes,
            at: 0,
        };
        if reader.take(MAGIC.len(), "beginning")? != MAGIC {
            return Err(TableError::Magic);
        }
        let length = reader.number("header")?;
        let header = reader.take(length, "header")?;
        let header: Header = serde_json::from_slice(header)
            .map_err(|error| TableError::Header(error.to_string()))?;
        if header.rows > ROWS_AT_MOST || header.dimensions > DIMENSIONS_AT_MOST {
            let said = format!(
                "{} rows of {} numbers are too many",
                header.rows, header.dimensions
            );
            return Err(TableError::Header(said));
        }
        let length = reader.number("vocabulary")?;
        let vocabulary = std::str::from_utf8(reader.take(length, "vocabulary")?)
            .map_err(|error| TableError::Header(format!("the vocabulary is no text: {error}")))?;
        let found = vocabulary.split_terminator('\n').count();
        if found != header.rows {
            let expected = header.rows;
            return Err(TableError::Vocabulary { found, expected });
        }
        let vocabulary = Vocabulary::new(vocabulary.split_terminator('\n'));
        let scales = scales(reader.take(header.rows * 4, "scales")?)?;
        let cells_begin = reader.at;
        reader.take(header.rows * header.dimensions, "rows")?;
        match bytes.len() - reader.at {
            0 => {}
            more => return Err(TableError::TooLong(more)),
        }
        Ok(Self {
            vocabulary,
            dimensions: header.dimensions,
            scales,
            cells: bytes,
            cells_begin,
            fields: header.fields,
            made_from: header.made_from,
        })
    }

    pub fn rows(&self) -> usize {
        self.scales.len()
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    pub fn fields(&self) -> FieldShares {
        self.fields
    }

    /// What the table was made from, in words.
    pub fn made_from(&self) -> &str {
        &self.made_from
    }

    /// The meaning of a text: the sum of its pieces, of length one; zero where none is known.
    pub fn meaning(&self, text: &str) -> Vec<f32> {
        let mut sum = self.sum(text);
        to_length_one(&mut sum);
        sum
    }

    /// The sum of the pieces of a text. The length of a word's sum is how much it tells.
    pub fn sum(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        for row in self.vocabulary.cut(text) {
            self.add(row, &mut sum);
        }
        sum
    }

    /// Adds the vector of a piece to a sum.
    pub fn add(&self, row: u32, sum: &mut [f32]) {
        let row = row as usize;
        let begin = self.cells_begin + row * self.dimensions;
        let cells = self.cells.get(begin..begin + self.dimensions);
        if let (Some(cells), Some(scale)) = (cells, self.scales.get(row)) {
            for (part, cell) in sum.iter_mut().zip(cells) {
                *part += scale * f32::from(i8::from_ne_bytes([*cell]));
            }
        }
    }
}

/// Gives the length it had. A vector of nothing stays zero.
pub fn to_length_one(vector: &mut [f32]) -> f32 {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 1e-9 {
        for part in vector {
            *part /= length;
        }
    }
    length
}

fn scales(bytes: &[u8]) -> Result<Vec<f32>, TableError> {
    let (numbers, _) = bytes.as_chunks::<4>();
    let scales: Vec<f32> = numbers
        .iter()
        .map(|number| f32::from_le_bytes(*number))
        .collect();
    match scales.iter().position(|scale| !scale.is_finite()) {
        Some(row) => Err(TableError::Scale(row)),
        None => Ok(scales),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], TableError> {
        let end = self.at.saturating_add(length);
        let taken = self
            .bytes
            .get(self.at..end)
            .ok_or(TableError::CutOff(what))?;
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self, what: &'static str) -> Result<usize, TableError> {
        let bytes = self.take(4, what)?;
        let bytes = bytes.try_into().map_err(|_| TableError::CutOff(what))?;
        Ok(u32::from_le_bytes(bytes) as usize)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A table in which words mean what the numbers beside them say.
    pub(crate) fn small_table(words: &[(&str, [i8; 4])]) -> Table {
        Table::read(Cow::Owned(bytes(words))).unwrap()
    }

    fn bytes(words: &[(&str, [i8; 4])]) -> Vec<u8> {
        let header = format!(
            r#"{{"rows":{},"dimensions":4,"made_from":"a test"}}"#,
            words.len()
        );
        let vocabulary: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let vocabulary = vocabulary.join("\n");
        let mut bytes = MAGIC.to_vec();
        for text in [&header, &vocabulary] {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        for _ in words {
            bytes.extend(0.5f32.to_le_bytes());
        }
        for (_, row) in words {
            bytes.extend(row.map(i8::cast_unsigned));
        }
        bytes
    }

    const WORDS: [(&str, [i8; 4]); 3] = [
        ("rain", [127, 0, 0, 0]),
        ("##y", [0, -127, 0, 0]),
        ("sun", [0, 0, 127, 0]),
    ];

    #[test]
    fn a_text_means_the_sum_of_its_pieces() {
        let table = small_table(&WORDS);
        let rainy = table.meaning("Rainy");
        let half = 0.5f32.sqrt();
        assert!((rainy[0] - half).abs() < 1e-6 && (rainy[1] + half).abs() < 1e-6);
        assert_eq!(table.meaning("sun, sun"), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(table.meaning("snow"), [0.0; 4]);
    }

    #[track_caller]
    fn check(change: impl Fn(&mut Vec<u8>), expected: TableError) {
        let mut bytes = bytes(&WORDS);
        change(&mut bytes);
        assert_eq!(Table::read(Cow::Owned(bytes)).unwrap_err(), expected);
    }

    #[test]
    fn damage_is_noticed() {
        check(|bytes| bytes[0] = b'X', TableError::Magic);
        check(Vec::clear, TableError::CutOff("beginning"));
        check(
            |bytes| bytes.truncate(bytes.len() - 1),
            TableError::CutOff("rows"),
        );
        check(|bytes| bytes.push(0), TableError::TooLong(1));
        check(|bytes| bytes[8..12].fill(255), TableError::CutOff("header"));
        check(
            |bytes| {
                let scales = bytes.len() - 3 * 4 - 3 * 4;
                bytes[scales + 4..scales + 8].copy_from_slice(&f32::NAN.to_le_bytes());
            },
            TableError::Scale(1),
        );
        let two_rows = |bytes: &mut Vec<u8>| {
            let at = bytes
                .windows(8)
                .position(|part| part == b"\"rows\":3")
                .unwrap();
            bytes[at + 7] = b'2';
        };
        check(
            two_rows,
            TableError::Vocabulary {
                found: 3,
                expected: 2,
            },
        );
    }

    #[test]
    fn the_shipped_table_can_be_read() {
        let bytes = include_bytes!("../data/table.bin");
        let table = Table::read(Cow::Borrowed(bytes)).unwrap();
        assert!(table.rows() > 0 && table.dimensions() > 0);
        assert_eq!(table.rows(), Table::shipped().rows());
    }
}
