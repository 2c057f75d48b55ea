//! Which words of a text carry meaning? Words in lower case, without those that every
//! text of a language is full of.

use std::borrow::Cow;

/// English, German, French and Spanish words that say nothing about a subject.
const STOP: &str = "a about above after again all also am an and any are as at be because been before being below between \
both but by can could did do does doing down during each few for from further had has have having he her here hers him his \
how i if in into is it its just like may me might more most must my new no nor not now of off on once one only or other our \
out over own per same shall she should so some such than that the their them then there these they this those through to too \
two under until up us use very was we well were what when where which while who why will with would yes you your \
der die das den dem des ein eine einer eines einem einen und oder aber nicht ist sind war im am um zum zur mit von vom bei \
auf aus nach wie auch nur noch sich sie er es wir ihr ihre ihren sein seine hat haben wird werden kann als für über durch dass \
le la les un une et ou mais pas est sont dans sur pour par avec du de des ce cette ces il elle nous vous ils qui que se sa son \
el los las y o pero no es son en para por con del al su sus lo como más este esta";

pub(super) struct StopWords(rustc_hash::FxHashSet<&'static str>);

impl StopWords {
    pub(super) fn new() -> Self {
        Self(STOP.split_ascii_whitespace().collect())
    }

    /// Whether a word in lower case can be what a page is about.
    pub(super) fn means(&self, word: &str) -> bool {
        word.chars().nth(2).is_some()
            && !self.0.contains(word)
            && !word.chars().all(|c| c.is_ascii_digit())
    }
}

/// All words of a text in lower case, the meaningless too.
pub(super) fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let parts = parts.map(|part| part.trim_matches(['\'', '’']));
    parts.filter(|part| !part.is_empty()).map(lower)
}

/// Most words are in lower case already.
fn lower(word: &str) -> Cow<'_, str> {
    let settled = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if word.bytes().all(settled) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(word.to_lowercase())
    }
}
