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
/// What an xls file begins with, and a workbook with a password.
const COMPOUND: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// Refuses what would fill the memory when opened.
pub(super) fn check(bytes: &[u8]) -> Result<(), Error> {
    if bytes.starts_with(COMPOUND) {
        return Err(whole("an xls file, or has a password"));
    }
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return Err(Error::Unreadable("it is no xlsx or xlsb file".to_owned()));
    };
    if archive.index_for_name("content.xml").is_some() {
        return Err(whole("an ods file"));
    }
    let mut total = 0;
    for index in 0..archive.len() {
        // What cannot be unpacked here is told by the reader.
        let Ok(part) = archive.by_index(index) else {
            continue;
        };
        let name = part.name().map(Cow::into_owned).unwrap_or_default();
        let large = ["worksheets/", "sharedStrings", "media/"];
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

/// These formats are opened whole: a small file can take gigabytes, without a way to stop.
fn whole(what: &str) -> Error {
    Error::Input(format!(
        "the workbook is {what}, and only xlsx and xlsb are read; save it as .xlsx or .csv"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn check_refused(bytes: &[u8], expected: &str) {
        let refused = check(bytes).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }

    #[test]
    fn formats_that_are_opened_whole_are_refused() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        writer.start_file("content.xml", options).unwrap();
        let ods = writer.finish().unwrap().into_inner();
        check_refused(
            &ods,
            "is an ods file, and only xlsx and xlsb are read; save it as .xlsx or .csv",
        );
        let xls = [COMPOUND, &[0; 512]].concat();
        check_refused(&xls, "is an xls file, or has a password");
        check_refused(b"a,b", "no xlsx or xlsb file");
    }
}
