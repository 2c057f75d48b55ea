//! What do reading and assembling leave open? The signs by which a draft of a frame is likely right.

use super::Drafted;
use crate::read::check::Trouble;
use crate::read::choose::Understood;
use crate::sure::{Signs, number};

/// A reading that lies so far behind is out of question.
const FAR: f64 = 2.0;

impl Drafted {
    /// What speaks for a draft that was made from this reading, and against it.
    pub fn signs(&self, read: &Understood) -> Signs {
        let frame = &read.frame;
        let left = frame.leftover.iter();
        let left = left.map(|said| said.text.split_whitespace().count()).sum();
        let troubles =
            |is: fn(&Trouble) -> bool| read.troubles.iter().filter(|one| is(one)).count();
        let serves = |step: &str| {
            let mut accounts = self.serves.iter();
            accounts.any(|account| account.step.as_deref() == Some(step))
        };
        let helping = self.steps.iter().filter(|note| !serves(&note.step));
        Signs {
            framed: 1.0,
            clear: read.margin.clamp(-FAR, FAR) as f32,
            worth: (read.score / read.words.max(1) as f64) as f32,
            notes: number(frame.notes.len()),
            left: number(left),
            open: number(troubles(|one| matches!(one, Trouble::Open { .. }))),
            unfit: number(troubles(|one| matches!(one, Trouble::Unfit { .. }))),
            helping: number(helping.count()),
            unserved: number(self.missing.len()),
            inferred: number(self.inferred.len()),
            ..Signs::default()
        }
    }
}
