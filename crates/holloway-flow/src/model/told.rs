//! What should people know about proposals? What was changed in them, and why some are not
//! the model's; what holds for several of them is told once.

use super::propose::{MadeBy, Proposal};

const REQUEST: &str = "the request";

/// What was heard so far.
#[derive(Debug, Default)]
pub struct Telling {
    notes: Vec<Same>,
    reasons: Vec<Same>,
    /// How many plans were proposed.
    plans: usize,
    /// What went wrong with the request speaks against asking for plans.
    gave_up: bool,
}

/// One sentence and what it holds for.
#[derive(Debug)]
struct Same {
    text: String,
    about: Vec<String>,
}

impl Telling {
    /// The analysis of a request.
    pub fn request<T>(&mut self, proposal: &Proposal<T>, ends_asking: bool) {
        self.gave_up = ends_asking;
        self.hear(REQUEST, proposal);
    }

    /// What was read is not used, and why.
    pub fn set_aside(&mut self, why: &str) {
        put(&mut self.reasons, why, REQUEST);
    }

    /// The plan of a strategy.
    pub fn plan<T>(&mut self, strategy: &str, proposal: &Proposal<T>) {
        self.plans += 1;
        self.hear(&format!("the {strategy} plan"), proposal);
    }

    fn hear<T>(&mut self, about: &str, proposal: &Proposal<T>) {
        for note in &proposal.notes {
            put(&mut self.notes, note, about);
        }
        if let MadeBy::Embedded { reason } = &proposal.made_by {
            put(&mut self.reasons, reason, about);
        }
    }

    /// As sentences, each once.
    pub fn told(self) -> Vec<String> {
        let notes = self.notes.iter();
        let notes = notes.map(|same| format!("{}: {}", same.about.join(", "), same.text));
        let reasons = self.reasons.iter().map(|same| self.reason(same));
        notes.chain(reasons).collect()
    }

    fn reason(&self, Same { text, about }: &Same) -> String {
        let plans = about.iter().filter(|about| about.as_str() != REQUEST);
        if plans.count() == self.plans {
            let not_asked = if self.gave_up {
                ", and so was not asked for plans"
            } else {
                ""
            };
            return format!("the embedded planner's plans are used: {text}{not_asked}");
        }
        let verb = if about.len() == 1 { "is" } else { "are" };
        format!("{} {verb} the embedded planner's: {text}", about.join(", "))
    }
}

fn put(sentences: &mut Vec<Same>, text: &str, about: &str) {
    match sentences.iter_mut().find(|same| same.text == text) {
        Some(same) if same.about.iter().any(|known| known == about) => {}
        Some(same) => same.about.push(about.to_owned()),
        None => sentences.push(Same {
            text: text.to_owned(),
            about: vec![about.to_owned()],
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(reason: &str, notes: &[&str]) -> Proposal<()> {
        let made_by = if reason.is_empty() {
            MadeBy::Model {
                name: "m".to_owned(),
            }
        } else {
            MadeBy::Embedded {
                reason: reason.to_owned(),
            }
        };
        Proposal {
            value: (),
            made_by,
            notes: notes.iter().map(|note| (*note).to_owned()).collect(),
        }
    }

    /// The request first, then the plans `a`, `b` and so on.
    #[track_caller]
    fn check(proposals: &[Proposal<()>], expected: &[&str]) {
        check_after(proposals, false, expected);
    }

    #[track_caller]
    fn check_after(proposals: &[Proposal<()>], ends_asking: bool, expected: &[&str]) {
        let mut telling = Telling::default();
        let (request, plans) = proposals.split_first().unwrap();
        telling.request(request, ends_asking);
        for (strategy, plan) in ["a", "b", "c"].into_iter().zip(plans) {
            telling.plan(strategy, plan);
        }
        assert_eq!(telling.told(), expected);
    }

    #[test]
    fn one_failure_is_told_once() {
        let silent = || proposal("nobody answers", &[]);
        let used = "the embedded planner's plans are used: nobody answers";
        check(&[silent(), silent(), silent()], &[used]);
        check(&[silent()], &[used]);
        let not_asked = format!("{used}, and so was not asked for plans");
        check_after(&[silent()], true, &[not_asked.as_str()]);
        check(&[proposal("", &[]), silent(), silent()], &[used]);
    }

    #[test]
    fn what_differs_is_told_apart() {
        let good = |notes: &[&str]| proposal("", notes);
        check(
            &[
                proposal("x", &[]),
                good(&["mended", "mended"]),
                proposal("y", &[]),
                good(&["mended"]),
            ],
            &[
                "the a plan, the c plan: mended",
                "the request is the embedded planner's: x",
                "the b plan is the embedded planner's: y",
            ],
        );
        check(
            &[proposal("x", &[]), proposal("x", &[]), good(&[])],
            &["the request, the a plan are the embedded planner's: x"],
        );
        check(&[good(&[]), good(&[])], &[]);
    }
}
