//! How much does each thing count that speaks for a candidate?

use super::features::{Feature, Features};

/// How much a value counts less that another parameter of the step already has.
pub const SPENT: f32 = 2.5;
pub const SPENT_RESULT: f32 = 1.5;

pub const WEIGHTS: [(Feature, f32); 73] = [
    (Feature::Omit, 0.0),
    (Feature::OmitRequired, -2.0),
    (Feature::OmitRequiredId, 0.0),
    (Feature::OmitPast, 2.0),
    (Feature::OmitNeverPast, -1.5),
    (Feature::Default, -3.0),
    (Feature::DefaultRequired, 4.0),
    (Feature::Only, 2.5),
    (Feature::Past, -1.0),
    (Feature::PastShare, 4.0),
    (Feature::Earlier, -3.0),
    (Feature::EarlierRequired, 1.0),
    (Feature::EarlierName, 3.0),
    (Feature::EarlierSameName, 1.0),
    (Feature::EarlierKinds, 1.5),
    (Feature::EarlierDistance, -0.2),
    (Feature::EarlierIds, 1.0),
    (Feature::EarlierSingle, 0.5),
    (Feature::EarlierOwner, 0.5),
    (Feature::EarlierEach, -0.5),
    (Feature::EarlierGather, -1.0),
    (Feature::EarlierPast, 4.0),
    (Feature::EarlierOptionalNamed, 0.0),
    (Feature::EarlierSaid, 0.3),
    (Feature::EarlierWhole, 0.0),
    (Feature::Said, -3.0),
    (Feature::SaidRequired, 2.0),
    (Feature::Number, 1.5),
    (Feature::NumberBad, -1.0),
    (Feature::Quoted, 1.5),
    (Feature::Date, 4.0),
    (Feature::Time, 4.0),
    (Feature::Email, 5.0),
    (Feature::Url, 5.0),
    (Feature::Path, 5.0),
    (Feature::Phone, 5.0),
    (Feature::CodeId, 3.0),
    (Feature::QuotedId, 0.5),
    (Feature::Name, 1.5),
    (Feature::NamePlace, 1.0),
    (Feature::NameWords, 0.5),
    (Feature::MoneyAmount, 2.0),
    (Feature::NumberMoney, 0.5),
    (Feature::EntityBad, -4.0),
    (Feature::WantBad, -4.0),
    (Feature::Run, -0.5),
    (Feature::RunLong, 0.2),
    (Feature::RunVerb, -1.5),
    (Feature::RunId, -2.0),
    (Feature::RunWords, 0.5),
    (Feature::RunOptional, -2.0),
    (Feature::Before, 2.0),
    (Feature::After, 1.5),
    (Feature::Adjacent, 1.0),
    (Feature::CueNear, 1.0),
    (Feature::CueFar, 0.7),
    (Feature::CueWrong, -2.0),
    (Feature::Clause, -1.0),
    (Feature::OtherClause, -0.5),
    (Feature::Described, 0.3),
    (Feature::InDescription, 0.7),
    (Feature::Position, -0.2),
    (Feature::Length, 0.1),
    (Feature::Order, -1.0),
    (Feature::AsWritten, -0.5),
    (Feature::Used, -0.5),
    (Feature::SaidPast, 1.0),
    (Feature::Optional, -1.0),
    (Feature::OptionalNamed, 0.7),
    (Feature::Unlabelled, -0.5),
    (Feature::Several, 0.0),
    (Feature::SeveralFits, 3.0),
    (Feature::Choice, 2.5),
];

/// The rest of them: too rare in what the others were fitted on.
pub const RARE: [(Feature, f32); 6] = [
    (Feature::ChoiceOptional, -0.5),
    (Feature::Flag, 1.5),
    (Feature::EarlierMentioned, 0.8),
    (Feature::EarlierPointed, 0.3),
    (Feature::RunOfTool, -1.0),
    (Feature::RunOfParameter, -2.0),
];

/// All of them, by feature.
pub fn weights() -> Features {
    let mut weights = [0.0; Feature::ALL.len()];
    for (feature, weight) in WEIGHTS.iter().chain(&RARE) {
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
