//! What does it cost to refuse each hostile plan? Runs every case in a process of
//! its own and prints milliseconds of processor time and peak memory, the worst first.
//!
//! `cargo run --release -p holloway-plan --example hostile_cost [how many to show]`

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout
)] // it measures

#[path = "../tests/hostile/cases.rs"]
mod cases;
#[path = "../tests/hostile/world.rs"]
mod world;

use std::process::Command;

const MOST_MILLISECONDS: f64 = 100.0;
const MOST_MEBIBYTES: f64 = 64.0;

struct Cost {
    name: String,
    milliseconds: f64,
    mebibytes: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("--case"), Some(index)) => measure_here(index.parse()?),
        (shown, _) => measure_all(shown.map_or(Ok(15), str::parse)?),
    }
}

/// The child's part: one case, its time and the peak of the whole process.
fn measure_here(index: usize) -> Result<(), Box<dyn std::error::Error>> {
    let case = cases::cases(None)
        .into_iter()
        .nth(index)
        .ok_or("no such case")?;
    let text = case.text();
    // Tables that are set up once per process are not what a plan costs.
    world::refusal(
        "{version: '1.0', steps: [{id: a, tool: x, when: 1 + 1, expect: [{schema: {}}]}]}",
    );
    let start = processor_milliseconds()?;
    let problems = world::refusal(&text);
    let milliseconds = processor_milliseconds()? - start;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .ok_or("no VmHWM")?;
    let kibibytes: f64 = peak.trim().trim_end_matches(" kB").parse()?;
    println!(
        "{milliseconds} {} {}",
        kibibytes / 1024.0,
        problems.is_some()
    );
    Ok(())
}

fn measure_all(shown: usize) -> Result<(), Box<dyn std::error::Error>> {
    let program = std::env::current_exe()?;
    let mut costs = Vec::new();
    for (index, case) in cases::cases(None).into_iter().enumerate() {
        let output = Command::new(&program)
            .args(["--case", &index.to_string()])
            .output()?;
        let line = String::from_utf8(output.stdout)?;
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [milliseconds, mebibytes, "true"] = fields.as_slice() else {
            return Err(
                format!("`{}` was not refused: {line} {}", case.name, output.status).into(),
            );
        };
        costs.push(Cost {
            name: case.name,
            milliseconds: milliseconds.parse()?,
            mebibytes: mebibytes.parse()?,
        });
    }
    costs.sort_by(|a, b| b.milliseconds.total_cmp(&a.milliseconds));
    print_some("slowest", &costs, shown);
    costs.sort_by(|a, b| b.mebibytes.total_cmp(&a.mebibytes));
    print_some("largest", &costs, shown);
    let over = costs
        .iter()
        .filter(|cost| cost.milliseconds > MOST_MILLISECONDS || cost.mebibytes > MOST_MEBIBYTES);
    println!(
        "{} cases, {} over {MOST_MILLISECONDS} ms or {MOST_MEBIBYTES} MiB",
        costs.len(),
        over.count()
    );
    measure_sound()
}

/// What a sound plan costs, to see that it grows with its size and no faster.
fn measure_sound() -> Result<(), Box<dyn std::error::Error>> {
    for steps in [2_500, 5_000, 10_000] {
        let text = world::sound(steps);
        let start = processor_milliseconds()?;
        let refused = world::refusal(&text).is_some();
        let milliseconds = processor_milliseconds()? - start;
        println!("{milliseconds:>9.2} ms  a sound plan of {steps} steps, refused: {refused}");
    }
    Ok(())
}

/// Time on the processor: what else the machine does has no part in it.
fn processor_milliseconds() -> Result<f64, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = text
        .split_whitespace()
        .next()
        .ok_or("no schedstat")?
        .parse()?;
    Ok(nanoseconds / 1e6)
}

fn print_some(title: &str, costs: &[Cost], shown: usize) {
    println!("{title}:");
    for cost in costs.iter().take(shown) {
        println!(
            "{:>9.2} ms {:>7.1} MiB  {}",
            cost.milliseconds, cost.mebibytes, cost.name
        );
    }
}
