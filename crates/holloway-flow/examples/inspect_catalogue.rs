//! How many real tools does inspection flag? Takes a file with one definition on
//! each line (`id`, `server`, `name`, `description`, `input_schema`, …) and lists what is found.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing)]

use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::inspect::Inspector;
use holloway_flow::catalog::offer::{Hints, Offer, QualityFacts};
use serde_json::Value;

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let offers: Vec<Offer> = text.lines().map(offer).collect();
    let mut flagged = 0;
    for one in &offers {
        let (own, others): (Vec<_>, Vec<_>) = offers
            .iter()
            .map(|offer| offer.id.clone())
            .partition(|id| id.source() == one.id.source());
        let findings = Inspector::new(&others, &own).inspect(one);
        flagged += usize::from(!findings.is_empty());
        for finding in findings {
            println!(
                "{} {:?} {} {}",
                one.id, finding.kind, finding.place, finding.shown
            );
        }
    }
    println!("{flagged} of {} flagged", offers.len());
}

fn offer(line: &str) -> Offer {
    let definition: Value = serde_json::from_str(line).unwrap();
    let text = |key: &str| definition[key].as_str().unwrap_or_default().to_owned();
    let source = SourceId::new(format!("mcp.{}", text("server").replace('/', "-")));
    let mut received = definition.clone();
    for ours in ["id", "server", "source", "answered_a_call"] {
        received.as_object_mut().unwrap().remove(ours);
    }
    Offer {
        id: source.tool(&text("name")),
        title: String::new(),
        description: text("description"),
        category: String::new(),
        input_schema: definition["input_schema"].clone(),
        output_schema: definition["output_schema"].clone(),
        hints: Hints::default(),
        definition: received,
        facts: QualityFacts::default(),
        findings: Vec::new(),
    }
}
