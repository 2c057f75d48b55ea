//! How quickly is a large description read, and what of it is left out?
//! `cargo run --release -p holloway-sources --example openapi_survey -- FILE_OR_URL`
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Instant;

use holloway_flow::catalog::SourceId;
use holloway_sources::openapi::{OpenApiConfig, OpenApiSource, read_document};
use holloway_tools::Grants;
use holloway_tools::secrets::Secrets;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let origin = std::env::args().nth(1).ok_or("name a file or a URL")?;
    let here = std::env::current_dir()?;
    let started = Instant::now();
    let read = read_document(&origin, &here, &Grants::default()).await?;
    println!(
        "read      {:>6} ms  {}",
        started.elapsed().as_millis(),
        read.title
    );
    let config = OpenApiConfig {
        origin: read.origin,
        document: read.document,
        ..OpenApiConfig::default()
    };
    let id = SourceId::new("openapi.survey");
    let source = OpenApiSource::new(id, config, Secrets::none(), Grants::default());
    let started = Instant::now();
    let survey = source.survey().await?;
    println!("surveyed  {:>6} ms", started.elapsed().as_millis());
    let bytes: usize = survey
        .offers
        .iter()
        .map(|offer| offer.definition.to_string().len())
        .sum();
    println!(
        "tools     {:>6}     {} kB of definitions",
        survey.offers.len(),
        bytes / 1000
    );
    println!("left out  {:>6}", survey.notes.len());
    for note in &survey.notes {
        println!("  {note}");
    }
    Ok(())
}
