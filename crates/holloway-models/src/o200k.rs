//! How many tokens is a text for the models that use o200k? Its vocabulary is in the binary, sorted
//! by length and bytes, so that nothing has to be built before the first count.
//!
//! `data/o200k.bin` is made by `scripts/o200k-table`: the longest length (2 bytes), how many tokens
//! each length has (4 bytes each), then the tokens of each length in order, each with its rank
//! (3 bytes). All numbers are little-endian.

use std::cmp::Ordering;
use std::sync::LazyLock;

use holloway_engine::tokens::Tokens;
use regex::Regex;

/// The tokenizer of o200k.
#[derive(Clone, Copy, Debug, Default)]
pub struct O200k;

static DATA: &[u8] = include_bytes!("../data/o200k.bin");

const RANK_BYTES: usize = 3;
/// Longer stretches without a break are cut: the work grows with the square of this.
const LONGEST_PIECE: usize = 256;

/// Where texts are cut before anything is merged, without the look-ahead of the original.
const PIECES: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"|\s*[\r\n]+",
    r"|\s+",
);

// A test uses it; were it broken, texts would be counted byte by byte.
static CUTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PIECES).ok());

impl Tokens for O200k {
    fn count(&self, text: &str) -> usize {
        pieces(text)
            .map(|piece| count_piece(piece.as_bytes()))
            .sum()
    }
}

/// The pieces of a text that are merged each on its own.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        let first = left.chars().next()?;
        let found = CUTS.as_ref().and_then(|cuts| cuts.find(left));
        let end = match found.filter(|found| found.start() == 0) {
            Some(found) => found.end() - given_back(found.as_str(), found.end() == left.len()),
            None => first.len_utf8(),
        };
        let (piece, rest) = left.split_at_checked(end)?;
        left = rest;
        Some(piece)
    })
}

/// The last of several spaces belongs to what follows them.
fn given_back(piece: &str, is_last: bool) -> usize {
    let ends_line = piece.ends_with(['\r', '\n']);
    let is_space = piece.chars().all(char::is_whitespace);
    if is_last || ends_line || !is_space || piece.chars().nth(1).is_none() {
        return 0;
    }
    piece.chars().next_back().map_or(0, char::len_utf8)
}

fn count_piece(piece: &[u8]) -> usize {
    if rank(piece).is_some() {
        return 1;
    }
    piece.chunks(LONGEST_PIECE).map(merged).sum()
}

/// How many tokens are left when the pair of the lowest rank is merged until none is known.
fn merged(piece: &[u8]) -> usize {
    let mut ends: Vec<usize> = (1..=piece.len()).collect();
    let pair = |ends: &[usize], at: usize| -> Option<u32> {
        let start = at
            .checked_sub(1)
            .map_or(Some(0), |before| ends.get(before).copied())?;
        rank(piece.get(start..*ends.get(at + 1)?)?)
    };
    let mut ranks: Vec<Option<u32>> = (0..ends.len()).map(|at| pair(&ends, at)).collect();
    loop {
        let known = ranks.iter().enumerate();
        let lowest = known
            .filter_map(|(at, rank)| Some((rank.as_ref().copied()?, at)))
            .min();
        let Some((_, at)) = lowest else {
            return ends.len();
        };
        ends.remove(at);
        ranks.remove(at);
        for near in [at.checked_sub(1), Some(at)].into_iter().flatten() {
            let now = pair(&ends, near);
            if let Some(rank) = ranks.get_mut(near) {
                *rank = now;
            }
        }
    }
}

/// The tokens of one length.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: usize,
    count: usize,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let longest = number(DATA.get(..2).unwrap_or_default());
    let mut start = 2 + 4 * longest;
    let groups = (1..=longest).map(|length| {
        let at = 2 + 4 * (length - 1);
        let count = number(DATA.get(at..at + 4).unwrap_or_default());
        let group = Group { start, count };
        start += count * (length + RANK_BYTES);
        group
    });
    groups.collect()
});

fn number(bytes: &[u8]) -> usize {
    let digits = bytes.iter().rev();
    digits.fold(0, |number, byte| (number << 8) | usize::from(*byte))
}

/// The rank of a token, if it is one.
fn rank(token: &[u8]) -> Option<u32> {
    let length = token.len();
    let group = GROUPS.get(length.checked_sub(1)?)?;
    let record = length + RANK_BYTES;
    let (mut low, mut high) = (0, group.count);
    while low < high {
        let middle = usize::midpoint(low, high);
        let at = group.start + middle * record;
        let found = DATA.get(at..at + length)?;
        match found.cmp(token) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => {
                let rank = number(DATA.get(at + length..at + record)?);
                return u32::try_from(rank).ok();
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted with the reference implementation.
    #[test]
    fn counts_are_those_of_the_reference() {
        let cases: Vec<(String, usize)> =
            serde_json::from_str(include_str!("../tests/o200k.json")).unwrap();
        assert!(cases.len() > 30);
        for (text, expected) in cases {
            assert_eq!(O200k.count(&text), expected, "{text:?}");
        }
    }

    #[test]
    fn every_text_is_cut_without_a_loss() {
        for text in [
            "",
            " ",
            "a  b",
            "x \n\n  y\t",
            "Ä́ö 12345 ```rust\r\n",
            "  ",
            "\u{200b}",
        ] {
            assert_eq!(pieces(text).collect::<String>(), text);
        }
    }

    #[test]
    fn a_long_stretch_is_no_trouble() {
        assert!(O200k.count(&"ab".repeat(50_000)) > 1_000);
        assert!(O200k.count(&" ".repeat(50_000)) > 100);
    }
}
