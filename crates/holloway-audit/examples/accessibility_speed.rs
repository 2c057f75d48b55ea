//! How long does an accessibility check take? Times a page with style sheets, again and
//! again: `cargo run --release --example accessibility_speed page.html sheet.css …`.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::expect_used,
    reason = "this measures, and shows what it measured"
)]

use std::time::Instant;

use holloway_audit::accessibility::Checker;
use holloway_audit::document::Document;
use holloway_audit::page::{Asset, AssetKind, Page};

const ROUNDS: u32 = 100;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let (page, sheets) = files.split_first().expect("a page and its style sheets");
    let read = |file: &String| std::fs::read_to_string(file).expect("a file of text");
    let mut html = read(page);
    let mut assets = Vec::new();
    let mut links = String::new();
    for (number, sheet) in sheets.iter().enumerate() {
        let url = format!("https://pages.test/{number}.css");
        links.extend(["<link rel=stylesheet href=", url.as_str(), ">"]);
        assets.push(Asset {
            url,
            kind: AssetKind::Style,
            text: read(sheet),
            ..Asset::default()
        });
    }
    html.insert_str(0, &links);
    let page = Page {
        url: "https://pages.test/".to_owned(),
        html,
        ..Page::default()
    };
    let bytes: usize = assets.iter().map(|asset| asset.text.len()).sum();
    println!(
        "page {} KB, style {} KB",
        page.html.len() / 1024,
        bytes / 1024
    );
    time("parse the page", || {
        Document::parse(&page);
    });
    let document = Document::parse(&page);
    time("check, reading the sheets", || {
        Checker::default().check(&document, &assets);
    });
    let mut checker = Checker::default();
    let findings = checker.check(&document, &assets).findings.len();
    time("check, with sheets known", || {
        checker.check(&document, &assets);
    });
    println!("{findings} findings");
}

fn time(what: &str, mut run: impl FnMut()) {
    let mut best = f64::INFINITY;
    let started = Instant::now();
    for _ in 0..ROUNDS {
        let round = Instant::now();
        run();
        best = best.min(round.elapsed().as_secs_f64());
    }
    let mean = started.elapsed().as_secs_f64() / f64::from(ROUNDS);
    println!(
        "{what}: mean {:.2} ms, best {:.2} ms",
        mean * 1e3,
        best * 1e3
    );
}
