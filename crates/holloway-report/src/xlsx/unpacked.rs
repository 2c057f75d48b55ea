//! How large is a workbook when it is unpacked? It is measured before it is opened: a
//! small file can hold far more than it seems.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use crate::Error;

/// All parts of the file together.
const MOST_BYTES: u64 = 150_000_000;
/// Of a part that holds neither cells nor texts, such as the styles.
const MOST_OTHER: u64 = 16_000_000;
/// Formats that are opened whole, without a way to stop.
const MOST_WHOLE: usize = 4_000_000;

/// Refuses what would fill the memory when opened.
pub(super) fn check(bytes: &[u8]) -> Result<(), Error> {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return whole(bytes, "xls");
    };
    if archive.index_for_name("content.xml").is_some() {
        whole(bytes, "ods")?;
    }
    let mut total = 0;
    for index in 0..archive.len() {
        // What cannot be unpacked here is told by the reader.
        let Ok(part) = archive.by_index(index) else {
            continue;
        };
        let name = part.name().map(Cow::into_owned).unwrap_or_default();
        let large = ["worksheets/", "sharedStrings", "content.xml", "media/"];
        let most = if large.iter().any(|known| name.contains(known)) {
            MOST_BYTES
        } else {
            MOST_OTHER
        };
        // The directory may lie about the size: only counting is certain.
        let size = io::copy(&mut part.take(most + 1), &mut io::sink()).unwrap_or(0);
        total += size;
        if size > most || total > MOST_BYTES {
            return Err(Error::Input(format!(
                "the workbook is too large: unpacked, `{name}` brings it above {} MB; split it or save it as CSV",
                most / 1_000_000
            )));
        }
    }
    Ok(())
}

fn whole(bytes: &[u8], format: &str) -> Result<(), Error> {
    if bytes.len() <= MOST_WHOLE {
        return Ok(());
    }
    Err(Error::Input(format!(
        "the workbook is too large: of {format} files at most {} MB are read; save it as xlsx",
        MOST_WHOLE / 1_000_000
    )))
}
