//! How do the rows compare? Measures every row several times, interleaved, and
//! prints medians and the ratios to the floor of the same run.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::row::Row;
use crate::shape::Shape;
use crate::{Engine, floor};

/// Measures and prints everything.
pub(crate) fn print(folder: &Path, repeats: usize, short: bool, json: bool) -> Result<()> {
    let mut wanted = Vec::new();
    for shape in Shape::ALL {
        wanted.push((Engine::Joinset, shape, 1_000));
        wanted.push((Engine::Memory, shape, 1_000));
        wanted.push((Engine::Durable, shape, 1_000));
    }
    let sizes: &[usize] = if short {
        &[100]
    } else {
        &[100, 10_000, 100_000]
    };
    for size in sizes {
        wanted.extend(Shape::ALL.map(|shape| (Engine::Memory, shape, *size)));
    }
    let mut rows: Vec<Vec<Row>> = wanted.iter().map(|_| Vec::new()).collect();
    for round in 0..repeats {
        eprintln!("round {} of {repeats}", round + 1);
        for (place, (engine, shape, nodes)) in rows.iter_mut().zip(&wanted) {
            place.push(measure_apart(*engine, *shape, *nodes, folder)?);
        }
    }
    let medians = rows.into_iter().map(middle).collect::<Result<Vec<_>>>()?;
    if json {
        for row in &medians {
            println!("{}", serde_json::to_string(row)?);
        }
        return Ok(());
    }
    show(&medians);
    Ok(())
}

/// A fresh process for each row, so that memory and caches are its own.
fn measure_apart(engine: Engine, shape: Shape, nodes: usize, folder: &Path) -> Result<Row> {
    let engine = serde_json::to_value(engine)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args([
        "--row",
        engine.as_str().unwrap_or_default(),
        "--shape",
        shape.as_str(),
    ]);
    command
        .args(["--nodes", &nodes.to_string()])
        .arg("--folder")
        .arg(folder);
    let output = command.output().context("cannot start a row")?;
    ensure!(
        output.status.success(),
        "a row failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn middle(rows: Vec<Row>) -> Result<Row> {
    let us_per_step = floor::median(rows.iter().map(|row| row.us_per_step).collect())?;
    let floors: Vec<f64> = rows.iter().filter_map(|row| row.floor_us).collect();
    let floor_us = floor::median(floors).ok();
    let peak_rss_mb = rows.iter().map(|row| row.peak_rss_mb).fold(0.0, f64::max);
    let first = rows.into_iter().next().context("nothing was measured")?;
    Ok(Row {
        us_per_step,
        peak_rss_mb,
        floor_us,
        ..first
    })
}

fn show(rows: &[Row]) {
    let find = |engine, shape| {
        rows.iter()
            .find(|row| row.engine == engine && row.shape == shape && row.nodes >= 1_000)
    };
    println!(
        "{:<10} {:<8} {:>8} {:>12} {:>9} {:>10}  ratio",
        "engine", "shape", "nodes", "µs/step", "setup ms", "RSS MB"
    );
    for row in rows {
        let floor = match row.engine {
            Engine::Memory => {
                find(Engine::Joinset, row.shape).map(|floor| (floor.us_per_step, "bare JoinSet"))
            }
            Engine::Durable if row.shape == Shape::Chain => row
                .floor_us
                .map(|floor| (floor, "one fdatasync in turns with it")),
            _ => None,
        };
        let ratio = floor.map(|(floor, name)| format!("{:.2} × {name}", row.us_per_step / floor));
        let name = serde_json::to_value(row.engine)
            .ok()
            .and_then(|name| name.as_str().map(str::to_owned));
        println!(
            "{:<10} {:<8} {:>8} {:>12.2} {:>9.1} {:>10.1}  {}",
            name.unwrap_or_default(),
            row.shape.as_str(),
            row.nodes,
            row.us_per_step,
            row.setup_ms,
            row.peak_rss_mb,
            ratio.unwrap_or_default()
        );
    }
}
