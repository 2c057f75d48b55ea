//! What belongs to a thing that is made? "A document with a heading Agenda" asks for a document and
//! for its heading.

use std::ops::Range;

use holloway_search::words::stem;

use crate::frame::Belonging;
use crate::lexicon::lists::List;

/// Words that lead to what belongs to a thing.
static LEADS: List = List::named("read_belongings.leads");
static ARTICLES: List = List::named("read_belongings.articles");
/// Words that end the name of a thing.
static ENDS: List = List::named("read_belongings.ends");
/// A thing is named within so many words.
const WORDS: usize = 3;
const AT_MOST: usize = 4;

/// What belongs to the thing of a clause, and the stretch of the clause before it.
pub(super) fn belongings(text: &str) -> (Range<usize>, Vec<Belonging>) {
    let leads = LEADS.iter().filter_map(|lead| {
        let lead = format!(" {lead} ");
        Some((text.find(&lead)?, lead.len()))
    });
    let Some((at, length)) = leads.min() else {
        return (0..text.len(), Vec::new());
    };
    let items = text.get(at + length..).unwrap_or_default();
    let things = items.split(" and ").enumerate();
    let things = things.filter_map(|(at, item)| belonging(item, at == 0));
    (0..at, things.take(AT_MOST).collect())
}

/// The words for a thing that is named with an article: "the heading 'Prices 2026'".
fn belonging(item: &str, may_be_counted: bool) -> Option<Belonging> {
    let mut words = item.split_whitespace();
    let first = words.next()?.to_lowercase();
    // "a table of 5 rows and 2 columns" has no columns beside the table.
    let is_counted = may_be_counted && first.chars().all(|letter| letter.is_ascii_digit());
    let words: Vec<&str> = words.collect();
    let plain = |word: &&&str| {
        let mut letters = word.chars();
        letters.all(|letter| letter.is_lowercase() || letter == ',') && !ENDS.contains(word)
    };
    let count = words.iter().take(WORDS).take_while(plain).count();
    let said = words.get(count..).unwrap_or_default().join(" ");
    let said = ENDS.iter().fold(said.as_str(), |said, end| {
        said.strip_prefix(end).map_or(said, str::trim_start)
    });
    let marks = |letter: char| "\"'“”‘’.,;:".contains(letter);
    let named = ARTICLES.contains(&first.as_str()) || is_counted;
    (named && count > 0).then(|| Belonging {
        said: said.trim_matches(marks).to_owned(),
        words: words.iter().take(count).map(|word| stem(word)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_thing_is_named_with_an_article() {
        let (main, things) =
            belongings("create a.docx with a heading Agenda and the table of 2 rows");
        assert_eq!(main, 0..13);
        let found: Vec<(String, &str)> = things
            .iter()
            .map(|thing| (thing.words.join(" "), thing.said.as_str()))
            .collect();
        let expected = [("head".to_owned(), "Agenda"), ("tabl".to_owned(), "2 rows")];
        assert_eq!(found.len(), expected.len());
        assert_eq!(found.first().map(|thing| thing.1), Some("Agenda"));
    }
}
