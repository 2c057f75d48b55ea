//! Do the words of the languages reach what is there? Every domain leads to a tool, every act has a
//! phrase; and what only tells something is told from what limits.

use holloway_planner::frame::acts::{Act, Acts};
use holloway_planner::lexicon::Phrase;
use holloway_planner::read::choose::understand;

use super::{languages, scene};

/// A word for a domain that no tool checks would lead to a plan that leaves it out.
#[test]
fn every_domain_that_has_a_word_is_covered_by_a_tool() {
    let tools = include_str!("../data/builtin-tools.jsonl");
    for lexicon in languages() {
        for (word, domain) in &lexicon.words.domains {
            let covered = [" ", "\""].map(|end| format!("domains is {domain}{end}"));
            let part = format!("domains is {domain}.");
            let known = covered.iter().any(|line| tools.contains(line)) || tools.contains(&part);
            assert!(known, "{}: `{word}` is `{domain}`", lexicon.language);
        }
    }
}

#[test]
fn every_act_has_a_phrase_or_is_only_a_step_of_others() {
    let acts = Acts::table();
    let [english, _] = languages();
    for (name, act) in &acts.acts {
        let follows = |other: &Act| {
            let concludes = other.concludes.as_ref() == Some(name);
            other.follows.contains(name) || other.measures.contains(name) || concludes
        };
        let said = |phrase: &Phrase| phrase.act.as_ref() == Some(name);
        let reached = act.helps || acts.acts.values().any(follows);
        assert!(
            reached || english.phrases.iter().any(said),
            "no phrase says `{name}`"
        );
    }
}

#[test]
fn a_time_to_wait_is_understood() {
    for request in [
        "wait 5 seconds",
        "Please wait for 5 seconds.",
        "warte 5 Sekunden",
    ] {
        let understood = understand(request, &scene());
        assert_eq!(understood.troubles, [], "{request}");
        let goal = &understood.frame.goals[0];
        let limit = goal.first("limit").map(|part| part.value["ms"].as_f64());
        assert_eq!(
            (goal.act.as_str(), limit),
            ("wait", Some(Some(5000.0))),
            "{request}"
        );
    }
}

#[test]
fn words_that_only_tell_something_are_passed_over_and_others_are_not() {
    let passed = |request: &str| {
        let understood = understand(request, &scene());
        let is_passed = |note: &&String| note.starts_with("passed over");
        let passed = understood.frame.notes.iter().any(|note| is_passed(&note));
        let frame = &understood.frame;
        // Either way the words are told.
        (
            passed || !frame.doubtful.is_empty(),
            frame.leftover.is_empty(),
        )
    };
    for request in [
        "The courier asked for it. How many rows has orders.csv?",
        "The auditors come again. Show orders.csv.",
    ] {
        assert_eq!(passed(request), (true, true), "{request}");
    }
    for request in [
        "Show orders.csv, but not the strange ones.",
        "Show orders.csv and translate the comments.",
    ] {
        let (told, claimed) = passed(request);
        assert!(told || !claimed, "{request}");
    }
}
