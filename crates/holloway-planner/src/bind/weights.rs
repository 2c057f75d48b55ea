//! How much does each thing count that speaks for a candidate? Fitted by
//! `examples/fit-binding.rs` on two of every three of the 150 nestful and 700 Seal-Tools
//! requests of the development data (the third, by line, was held out): softmax over the
//! candidates of 4,640 parameters, held near values set by hand. The hand's values remain
//! where those requests have little to say: addresses, paths, phone numbers, lists, listed
//! values, and the five at the end; and for what goes without saying, which is kept below
//! what is said.

use super::features::{Feature, Features};

/// How much a value counts less that another parameter of the step already has.
pub const SPENT: f32 = 3.5;
pub const SPENT_RESULT: f32 = 1.5;
/// The same for single items where another parameter takes a list whole.
pub const SPENT_LIST: f32 = 4.0;

#[rustfmt::skip]
pub const WEIGHTS: [(Feature, f32); 85] = [
    (Feature::Omit, 0.29),
    (Feature::OmitRequired, -2.24),
    (Feature::OmitRequiredId, -0.12),
    (Feature::OmitPast, 2.63),
    (Feature::OmitNeverPast, -1.21),
    (Feature::Default, -3.00),
    (Feature::DefaultRequired, 4.00),
    (Feature::Only, 2.50),
    (Feature::Usual, 1.00),
    (Feature::Past, -0.35),
    (Feature::PastShare, 4.48),
    (Feature::Earlier, -3.93),
    (Feature::EarlierRequired, 1.47),
    (Feature::EarlierName, 3.26),
    (Feature::EarlierSameName, 1.10),
    (Feature::EarlierKinds, 1.08),
    (Feature::EarlierDistance, -0.47),
    (Feature::EarlierIds, 1.09),
    (Feature::EarlierSingle, 1.31),
    (Feature::EarlierOwner, 0.66),
    (Feature::EarlierEach, -0.50),
    (Feature::EarlierGather, -0.50),
    (Feature::EarlierPast, 4.11),
    (Feature::EarlierOptionalNamed, -0.33),
    (Feature::EarlierSaid, 0.34),
    (Feature::EarlierWhole, 0.03),
    (Feature::EarlierMentioned, 1.55),
    (Feature::EarlierPointed, 0.43),
    (Feature::Said, -2.48),
    (Feature::SaidRequired, 1.72),
    (Feature::Number, 1.03),
    (Feature::NumberBad, -0.86),
    (Feature::Quoted, 1.58),
    (Feature::Date, 3.63),
    (Feature::Time, 4.01),
    (Feature::Email, 4.85),
    (Feature::Url, 5.01),
    (Feature::Path, 5.01),
    (Feature::Phone, 5.00),
    (Feature::CodeId, 2.84),
    (Feature::QuotedId, 0.72),
    (Feature::Name, 1.26),
    (Feature::NamePlace, 1.83),
    (Feature::NameWords, 0.08),
    (Feature::MoneyAmount, 1.64),
    (Feature::NumberMoney, -0.20),
    (Feature::EntityBad, -2.67),
    (Feature::WantBad, -2.62),
    (Feature::Run, -1.70),
    (Feature::RunLong, -0.08),
    (Feature::RunVerb, -1.61),
    (Feature::RunId, -2.14),
    (Feature::RunWords, -0.15),
    (Feature::RunOptional, -0.11),
    (Feature::Before, 2.38),
    (Feature::After, 1.16),
    (Feature::Adjacent, 1.17),
    (Feature::CueNear, 0.94),
    (Feature::CueFar, 0.59),
    (Feature::CueWrong, -1.95),
    (Feature::Clause, -1.35),
    (Feature::OtherClause, -0.63),
    (Feature::Described, 0.71),
    (Feature::InDescription, 2.58),
    (Feature::Position, 0.20),
    (Feature::Length, -0.07),
    (Feature::Order, -0.91),
    (Feature::AsWritten, -0.41),
    (Feature::Used, -1.71),
    (Feature::SaidPast, 0.94),
    (Feature::Optional, -0.35),
    (Feature::OptionalNamed, 0.56),
    (Feature::Unlabelled, 0.23),
    (Feature::Several, -0.79),
    (Feature::SeveralFits, 3.00),
    (Feature::Choice, 2.50),
    (Feature::ChoiceOptional, -0.50),
    (Feature::Flag, 1.75),
    (Feature::RunOfTool, -2.18),
    (Feature::RunOfParameter, -2.28),
    (Feature::EarlierAlike, 2.20),
    (Feature::EarlierOtherSort, -1.50),
    (Feature::SeveralOne, -1.50),
    (Feature::SeveralOptional, -2.00),
    (Feature::EndingFits, 1.50),
];

/// All of them, by feature.
pub fn weights() -> Features {
    let mut weights = [0.0; Feature::ALL.len()];
    for (feature, weight) in &WEIGHTS {
        if let Some(own) = weights.get_mut(*feature as usize) {
            *own = *weight;
        }
    }
    weights
}

pub fn score(features: &Features, weights: &Features) -> f32 {
    let pairs = features.iter().zip(weights);
    pairs.map(|(feature, weight)| feature * weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_one_weight() {
        for feature in Feature::ALL {
            let own = WEIGHTS.iter().filter(|(other, _)| *other == feature);
            assert_eq!(own.count(), 1, "{feature:?}");
        }
    }
}
