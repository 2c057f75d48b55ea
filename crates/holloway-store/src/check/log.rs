//! Is the write-ahead log whole? SQLite reads it up to the first page that does not match its
//! checksum and passes over the rest without a word; what stands behind such a page was written
//! and can no longer be read.

use std::io::Read as _;
use std::path::Path;

use super::super::header::open_file;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// The magic number; the last bit says in which order the bytes of a checksum are read.
const MAGIC: u32 = 0x377f_0682;

/// What is wrong with the log beside a database, if anything.
pub(super) fn complaint(database: &Path) -> Option<String> {
    let mut file = database.as_os_str().to_owned();
    file.push("-wal");
    let mut bytes = Vec::new();
    let read = open_file(Path::new(&file)).and_then(|mut log| log.read_to_end(&mut bytes));
    read.ok()?;
    let header = bytes.get(..HEADER)?;
    if bytes.iter().all(|byte| *byte == 0) {
        return None;
    }
    let Some(log) = Log::of(header) else {
        return Some("the header of the log is damaged; what was written last is lost".to_owned());
    };
    let frames = bytes.get(HEADER..)?.chunks_exact(FRAME_HEADER + log.page);
    let mut sum = log.sum;
    let (mut is_broken, mut behind) = (false, 0);
    for frame in frames {
        // Frames of an earlier round of the log have other salts.
        if frame.get(8..16) != Some(log.salts.as_slice()) {
            if is_broken {
                continue;
            }
            is_broken = true;
            continue;
        }
        if is_broken {
            behind += 1;
            continue;
        }
        let head = frame.get(..8).unwrap_or_default();
        let page = frame.get(FRAME_HEADER..).unwrap_or_default();
        let next = log.checksum(log.checksum(sum, head), page);
        if Some(next) == pair(frame, 16) {
            sum = next;
        } else {
            is_broken = true;
            behind += 1;
        }
    }
    (behind > 0).then(|| {
        format!("{behind} pages of the log cannot be read; what was written last may be lost")
    })
}

/// What the header says.
struct Log {
    page: usize,
    salts: [u8; 8],
    is_big_endian: bool,
    sum: (u32, u32),
}

impl Log {
    fn of(header: &[u8]) -> Option<Self> {
        let magic = number(header, 0)?;
        let page = number(header, 8)? as usize;
        if magic & !1 != MAGIC || !page.is_power_of_two() || !(512..=65_536).contains(&page) {
            return None;
        }
        let mut log = Self {
            page,
            salts: header.get(16..24)?.try_into().ok()?,
            is_big_endian: magic & 1 == 1,
            sum: (0, 0),
        };
        log.sum = log.checksum((0, 0), header.get(..24)?);
        (Some(log.sum) == pair(header, 24)).then_some(log)
    }

    /// The checksum of SQLite, carried on over more bytes.
    fn checksum(&self, from: (u32, u32), bytes: &[u8]) -> (u32, u32) {
        let (mut one, mut two) = from;
        for words in bytes.chunks_exact(8) {
            let word = |at: usize| {
                let word = number(words, at).unwrap_or_default();
                if self.is_big_endian {
                    word
                } else {
                    word.swap_bytes()
                }
            };
            one = one.wrapping_add(word(0)).wrapping_add(two);
            two = two.wrapping_add(word(4)).wrapping_add(one);
        }
        (one, two)
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_be_bytes(word))
}

fn pair(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    Some((number(bytes, at)?, number(bytes, at + 4)?))
}
