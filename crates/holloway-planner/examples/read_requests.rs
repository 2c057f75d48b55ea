//! What does the embedded reader make of requests? Reads lines `{request, scene?}` from standard
//! input and prints a frame each.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // reads and prints
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::io::BufRead as _;

use holloway_planner::frame::scene::Scene;
use holloway_planner::read::embedded::read;
use serde_json::Value;

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let case: Value = serde_json::from_str(&line).expect("JSON");
        let request = case["request"].as_str().unwrap_or_default();
        let scene: Scene = serde_json::from_value(case["scene"].clone()).unwrap_or_default();
        println!("{} {request}", case["id"].as_str().unwrap_or_default());
        for (rank, reading) in read(request, &scene).iter().take(2).enumerate() {
            println!("  {rank}: {:.2}", reading.score);
            for goal in &reading.frame.goals {
                let parts: Vec<String> = goal.parts.iter().map(|part| format!("{}={}", part.slot, part.value)).collect();
                println!("     {} {}", goal.act, parts.join(" "));
            }
            let left: Vec<&str> = reading.frame.leftover.iter().map(|said| said.text.as_str()).collect();
            if !left.is_empty() {
                println!("     LEFT {left:?}");
            }
            for note in &reading.frame.notes {
                println!("     note {note}");
            }
        }
    }
}
