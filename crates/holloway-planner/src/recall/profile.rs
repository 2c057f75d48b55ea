//! Which tools do the words of a request speak for? Requests that lean to the same tools
//! are alike even where they share no word.

use holloway_search::fusion::top;

use crate::catalogue::Place;

/// The tools beyond these say nothing.
const TOOLS: usize = 40;
/// How fast a tool counts less that falls behind the best one, per unit of spread.
const FALL: f32 = 0.5;
/// More than wanted is no more than that.
const WANTED: f32 = 1.2;

/// The likeliest tools and how far a request leans to each, of length one; nothing where
/// no tool stands out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Profile(Vec<(Place, f32)>);

impl Profile {
    /// By the score of every tool.
    pub(super) fn of(scores: &[f32]) -> Self {
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let least = scores.iter().copied().fold(f32::MAX, f32::min);
        if most - least < 1e-6 {
            return Self::default();
        }
        let score = |place: &Place| scores.get(*place).copied().unwrap_or(least);
        let best = top(scores, TOOLS).into_iter();
        Self::scaled(
            best.map(|place| (place, ((score(&place) - most) * FALL).exp()))
                .collect(),
        )
    }

    /// By how far each tool is wanted, about 0 to 1.
    pub(super) fn of_wanted(wanted: impl Iterator<Item = (Place, f32)>) -> Self {
        let mut leanings: Vec<(Place, f32)> = wanted
            .filter(|(_, wanted)| *wanted > 0.0)
            .map(|(place, wanted)| (place, wanted.min(WANTED)))
            .collect();
        leanings.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        leanings.truncate(TOOLS);
        Self::scaled(leanings)
    }

    fn scaled(mut leanings: Vec<(Place, f32)>) -> Self {
        let squares = leanings.iter().map(|(_, leaning)| leaning * leaning);
        let length = squares.sum::<f32>().sqrt().max(1e-9);
        for (_, leaning) in &mut leanings {
            *leaning /= length;
        }
        Self(leanings)
    }
}

/// The profiles of remembered requests, ready to be compared with others.
#[derive(Debug, Default)]
pub(super) struct Profiles {
    all: Vec<Profile>,
    /// Which requests lean to each tool, in their order.
    by_tool: Vec<Vec<(u32, f32)>>,
}

impl Profiles {
    pub(super) fn push(&mut self, profile: Profile) {
        let own = self.all.len() as u32;
        for (place, leaning) in &profile.0 {
            if self.by_tool.len() <= *place {
                self.by_tool.resize_with(place + 1, Vec::new);
            }
            if let Some(requests) = self.by_tool.get_mut(*place) {
                requests.push((own, *leaning));
            }
        }
        self.all.push(profile);
    }

    pub(super) fn get(&self, request: usize) -> Option<&Profile> {
        self.all.get(request)
    }

    /// The cosines with the first so many requests.
    pub(super) fn compare(&self, profile: &Profile, first: usize) -> Vec<f32> {
        let mut cosines = vec![0.0; first];
        for (place, leaning) in &profile.0 {
            for (request, other) in self.by_tool.get(*place).into_iter().flatten() {
                let Some(cosine) = cosines.get_mut(*request as usize) else {
                    break;
                };
                *cosine += leaning * other;
            }
        }
        cosines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_lean_to_the_same_tools_are_alike() {
        let mut profiles = Profiles::default();
        for scores in [[9.0, 1.0, 0.0], [8.0, 2.0, 0.0], [0.0, 0.0, 9.0]] {
            profiles.push(Profile::of(&scores));
        }
        let cosines = profiles.compare(&Profile::of(&[9.0, 1.0, 0.0]), 3);
        assert!((cosines[0] - 1.0).abs() < 1e-5, "{cosines:?}");
        assert!(cosines[1] > 0.9 && cosines[2] < 0.1, "{cosines:?}");
        assert_eq!(profiles.compare(&Profile::of(&[9.0, 1.0, 0.0]), 1).len(), 1);
    }

    #[test]
    fn what_is_not_wanted_does_not_count() {
        let wanted = |shares: &[f32]| Profile::of_wanted(shares.iter().copied().enumerate());
        assert_eq!(wanted(&[0.6, -0.3, 0.8]).0, [(2, 0.8), (0, 0.6)]);
        assert_eq!(wanted(&[0.0, 7.0]), wanted(&[-1.0, 1.0]));
        assert_eq!(wanted(&[-0.1, 0.0]), Profile::default());
    }

    #[test]
    fn where_no_tool_stands_out_there_is_no_profile() {
        assert_eq!(Profile::of(&[]), Profile::default());
        assert_eq!(Profile::of(&[0.5, 0.5]), Profile::default());
        let mut profiles = Profiles::default();
        profiles.push(Profile::default());
        assert_eq!(profiles.compare(&Profile::of(&[1.0, 2.0]), 1), [0.0]);
    }
}
