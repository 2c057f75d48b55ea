//! What speaks for the result of an earlier step?

use super::super::Earlier;
use super::{Feature, Set, Step};
use crate::catalogue::fit::{Fit, ResultPlace, places};
use crate::catalogue::parameter::{Parameter, Wants, by_words};
use crate::catalogue::ports::terms;
use crate::catalogue::shape::Shape;
use crate::lexicon::lists::{List, Rows};
use crate::read::spans::Word;

/// Steps further back are not looked at.
const STEPS_AT_MOST: usize = 24;

/// What an earlier step gives, looked through once for all parameters.
#[derive(Debug)]
pub struct Result<'a> {
    pub number: usize,
    pub step: &'a str,
    pub places: Vec<ResultPlace<'a>>,
    tool: &'a str,
    tool_terms: Vec<String>,
    is_single: bool,
}

pub(super) fn results<'a>(earlier: &[Earlier<'a>]) -> Vec<Result<'a>> {
    let from = earlier.len().saturating_sub(STEPS_AT_MOST);
    let steps = earlier.iter().enumerate().skip(from);
    let known = steps.filter(|(_, step)| !step.tool.output_schema.is_null());
    let result = |(number, step): (usize, &Earlier<'a>)| {
        let output = Shape::of(&step.tool.output_schema);
        Result {
            number,
            step: step.step,
            places: places(output),
            tool: step.tool.id.as_str(),
            tool_terms: terms(step.tool.id.name()),
            is_single: output.fields().count() == 1,
        }
    };
    known.map(result).collect()
}

/// Stems of names that mean nearly the same in schemas: texts, and lists of things.
static ALIKE: Rows = Rows::named("results.alike");

impl Step<'_, '_> {
    pub(super) fn earlier(
        &self,
        parameter: &Parameter<'_>,
        at: (usize, usize),
        fit: &Fit,
        set: &mut Set,
    ) {
        static IDS: List = List::named("results.ids");
        let result = self.results.iter().find(|result| result.number == at.0);
        let Some((result, place)) = result.and_then(|it| Some((it, it.places.get(at.1)?))) else {
            return;
        };
        let path = fit.path();
        let named = place.agrees(&parameter.stems);
        let field = &place.terms;
        let after = self.situation.earlier.len().saturating_sub(at.0 + 1);
        set.add(Feature::Earlier, 1.0);
        set.flag(Feature::EarlierRequired, parameter.expected);
        set.add(Feature::EarlierName, named);
        set.flag(Feature::EarlierSameName, named >= 0.95);
        set.flag(
            Feature::EarlierOptionalNamed,
            named >= 0.95 && !parameter.expected,
        );
        set.add(
            Feature::EarlierKinds,
            (fit.score() / (0.45 + 0.55 * named)).min(1.0),
        );
        set.add(Feature::EarlierDistance, after.min(6) as f32);
        let is_id = |term: &String| IDS.contains(&term.as_str());
        set.flag(
            Feature::EarlierIds,
            parameter.wants == Wants::Id && field.iter().any(is_id),
        );
        set.flag(Feature::EarlierSingle, result.is_single);
        set.flag(Feature::EarlierWhole, path.is_empty());
        let owner = &result.tool_terms;
        set.flag(
            Feature::EarlierOwner,
            parameter.stems.iter().any(|term| owner.contains(term)),
        );
        let described =
            |term: &String| term.len() > 2 && parameter.description.contains(term.as_str());
        set.flag(
            Feature::EarlierSaid,
            !field.is_empty() && field.iter().all(described),
        );
        set.flag(Feature::EarlierAlike, are_alike(field, parameter));
        set.flag(
            Feature::EarlierOtherSort,
            is_of_other_sort(field, parameter),
        );
        self.mentioned(field, set);
        set.flag(Feature::EarlierEach, matches!(fit, Fit::EachItem { .. }));
        set.flag(
            Feature::EarlierGather,
            matches!(fit, Fit::Gather { .. } | Fit::Collect { .. }),
        );
        if let Some(past) = self.situation.past {
            let share = past.joined(self.tool, parameter.name, result.tool, path);
            set.add(Feature::EarlierPast, share);
        }
    }

    /// Does the clause name the field, or point back with "it" and the like?
    fn mentioned(&self, field: &[String], set: &mut Set) {
        static POINTERS: List = List::named("results.pointers");
        let words = self.reading.words.get(self.reading.clause.clone());
        let words = words.unwrap_or_default();
        let says = |term: &String| words.iter().any(|word| word.stem == *term);
        set.flag(
            Feature::EarlierMentioned,
            !field.is_empty() && field.iter().all(says),
        );
        let points = |word: &Word| POINTERS.contains(&word.lower.as_str());
        set.flag(Feature::EarlierPointed, words.iter().any(points));
    }
}

fn are_alike(field: &[String], parameter: &Parameter<'_>) -> bool {
    let has =
        |group: &[&str], terms: &[String]| terms.iter().any(|term| group.contains(&term.as_str()));
    ALIKE
        .iter()
        .any(|group| has(group, field) && has(group, &parameter.stems))
}

/// A path is no text to be read, and an address no title.
fn is_of_other_sort(field: &[String], parameter: &Parameter<'_>) -> bool {
    let own = by_words(field).unwrap_or(Wants::Anything);
    let special = own.is_strict() || own == Wants::Id || parameter.wants.is_strict();
    special && own != parameter.wants
}

/// Is there any sign that this result is meant? Kinds alone are none.
pub(crate) fn has_sign(features: &super::Features) -> bool {
    const SIGNS: [Feature; 6] = [
        Feature::EarlierSameName,
        Feature::EarlierMentioned,
        Feature::EarlierAlike,
        Feature::EarlierSingle,
        Feature::EarlierIds,
        Feature::EarlierGather,
    ];
    let value = |feature: Feature| features.get(feature as usize).copied().unwrap_or_default();
    SIGNS.iter().any(|sign| value(*sign) > 0.0)
        || value(Feature::EarlierName) >= 0.3
        || value(Feature::EarlierPast) > 0.0
}
