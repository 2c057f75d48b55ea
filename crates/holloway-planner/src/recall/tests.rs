//! Do words and memory lead to the right tools?

use holloway_search::entry::Entry;

use super::*;

fn recall() -> Recall {
    let entry = |(id, description): (&str, &str)| Entry {
        id: id.to_owned(),
        description: description.to_owned(),
        ..Entry::default()
    };
    let entries = [
        ("search_train", "Search for trains between two cities"),
        ("train_ticket_booking", "Book a train ticket"),
        ("weather_query", "Look up the weather forecast of a city"),
        ("send_sms", "Send a text message to a phone"),
        ("pay_bill", "Pay a bill of electricity, water or gas"),
        (
            "currency_conversion",
            "Convert an amount of money into another currency",
        ),
    ];
    Recall::new(Arc::new(Index::new(entries.map(entry))))
}

fn ids(recall: &Recall, sequence: &Sequence) -> Vec<String> {
    let entries = sequence
        .tools
        .iter()
        .filter_map(|tool| recall.index.entry(*tool));
    entries.map(|entry| entry.id.clone()).collect()
}

fn run(request: &str, tools: &[&str]) -> PastRun {
    PastRun {
        request: request.to_owned(),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        ..PastRun::default()
    }
}

#[test]
fn what_is_asked_first_is_done_first() {
    let recall = recall();
    let request = "Look up the weather in Oslo, then send a text message to my sister";
    let found = recall.propose(request, 3);
    assert_eq!(ids(&recall, &found[0]), ["weather_query", "send_sms"]);
    assert_eq!(found[0].links, [(0, 1)]);
    assert_eq!(found.len(), 3);
    let sum: f32 = found.iter().map(|one| one.probability).sum();
    assert!(sum > 0.0 && sum <= 1.0001, "{found:?}");
    assert!(found[1].tools != found[0].tools && found[2].tools != found[1].tools);
}

#[test]
fn a_run_that_nobody_checked_counts_for_less() {
    let cities = ["Oslo", "Rome", "Graz", "Linz", "Kiel", "Bergen"];
    let chance = |unchecked: bool| {
        let mut recall = recall();
        let runs = cities.iter().cycle().take(12).map(|city| PastRun {
            unchecked,
            ..run(&format!("umbrella for {city}?"), &["weather_query"])
        });
        recall.learn(&runs.collect::<Vec<_>>());
        let found = recall.propose("umbrella for Turin?", 3);
        let own = found
            .iter()
            .find(|one| ids(&recall, one) == ["weather_query"]);
        own.map_or(0.0, |own| own.probability)
    };
    let (checked, unchecked) = (chance(false), chance(true));
    assert!(unchecked < checked, "{unchecked} of {checked}");
}

#[test]
fn memory_knows_what_no_word_says() {
    let mut recall = recall();
    let cities = [
        "the coast",
        "the hills",
        "my aunt",
        "the lake",
        "our office",
        "the fair",
    ];
    for round in 0..12 {
        for city in cities {
            let request = format!("I want a seat on the train to {city} in {round} days");
            recall.remember(&run(
                &request,
                &["search_train", "train_ticket_booking", "pay_bill"],
            ));
        }
    }
    assert_eq!(recall.len(), 72);
    let found = recall.propose("I want a seat on the train to the beach", 3);
    let wanted = ["search_train", "train_ticket_booking", "pay_bill"];
    let remembered = found.iter().find(|one| ids(&recall, one) == wanted);
    assert_eq!(remembered.map(|one| one.seen), Some(72), "{found:?}");
}

#[test]
fn runs_with_tools_that_are_gone_are_passed_over() {
    let mut recall = recall();
    recall.remember(&run("pay the water bill", &["pay_bill", "gone"]));
    recall.remember(&run("pay the water bill", &[]));
    recall.learn(&[run("pay the water bill", &["gone"])]);
    assert!(recall.is_empty());
    assert!(recall.nearest("pay the water bill").is_none());
    assert!(recall.refit().is_none() && !recall.wants_refit());
}

#[test]
fn odd_requests_and_catalogues_have_some_answer_or_none() {
    let recall = recall();
    let long = "and then pay the bill, ".repeat(5_000);
    for request in ["", " ,. ", "你好", "\u{0}\u{202e}", long.as_str()] {
        assert!(recall.propose(request, 3).len() <= 3, "{request:.20}");
    }
    let empty = Recall::new(Arc::new(Index::new([])));
    assert_eq!(empty.propose("pay the bill", 3), []);
}
