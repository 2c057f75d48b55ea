//! Is every large result the one that it is named after? Each file is read once.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::super::header::open_file;
use super::RecordsReport;

/// What they are called in a report.
pub(super) const KIND: &str = "large results";
const DIGEST_LENGTH: usize = 64;

/// The large results of a data folder, and what is known of them so far.
pub(in super::super) struct Blobs {
    folder: PathBuf,
    looked_at: BTreeMap<String, Option<&'static str>>,
}

impl Blobs {
    pub(in super::super) fn of(folder: &Path) -> Self {
        Self {
            folder: folder.join("blobs"),
            looked_at: BTreeMap::new(),
        }
    }

    /// What is wrong with a large result, if anything.
    pub(in super::super) fn damage(&mut self, digest: &str) -> Option<&'static str> {
        if let Some(known) = self.looked_at.get(digest) {
            return *known;
        }
        let parts = digest.split_at_checked(2);
        let found = match parts {
            Some((start, rest)) if digest.len() == DIGEST_LENGTH => {
                look(&self.folder.join(start).join(rest), digest)
            }
            _ => Some("has a name that is no digest"),
        };
        self.looked_at.insert(digest.to_owned(), found);
        found
    }

    /// All large results, those of no run too.
    pub(super) fn rest(mut self) -> RecordsReport {
        for digest in self.digests() {
            self.damage(&digest);
        }
        let mut report = RecordsReport {
            kind: KIND,
            ..RecordsReport::default()
        };
        for (digest, damage) in self.looked_at {
            match damage {
                Some(damage) => report.damaged.push(format!("{digest} {damage}")),
                None => report.whole += 1,
            }
        }
        report
    }

    fn digests(&self) -> Vec<String> {
        let names = |folder: &Path| {
            let files = fs::read_dir(folder).into_iter().flatten().flatten();
            let names = files.filter_map(|file| file.file_name().into_string().ok());
            names.collect::<Vec<String>>()
        };
        let starts = names(&self.folder).into_iter();
        let starts = starts.filter(|start| start.len() == 2);
        starts
            .flat_map(|start| {
                let rest = names(&self.folder.join(&start)).into_iter();
                rest.map(move |rest| format!("{start}{rest}"))
            })
            .collect()
    }
}

fn look(file: &Path, digest: &str) -> Option<&'static str> {
    match digest_of(file) {
        Ok(found) if found == digest => None,
        Ok(_) => Some("does not hold what was written"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some("is missing"),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Some("is not a file"),
        Err(_) => Some("cannot be read"),
    }
}

/// In pieces: large results need not fit into memory.
fn digest_of(file: &Path) -> io::Result<String> {
    let mut file = open_file(file)?;
    let mut hasher = blake3::Hasher::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 {
            return Ok(hasher.finalize().to_hex().to_string());
        }
        hasher.update(piece.get(..count).unwrap_or_default());
    }
}
