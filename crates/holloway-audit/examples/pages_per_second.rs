//! How many pages go through all checks in a second? Parses and checks pages of the size
//! given in kilobytes (30 unless told) on two threads: `cargo run --release --example pages_per_second 30`.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "this measures, and shows what it measured"
)]

use std::time::Instant;

use holloway_audit::audit::check;
use holloway_audit::documents::Documents;
use holloway_audit::page::Page;
use holloway_audit::site::Site;

const PAGES: usize = 200;
const THREADS: usize = 2;

/// One part of a page as shops have them: a heading, an image, text, links.
fn part(page: usize, number: usize) -> String {
    format!(
        "<section class=\"card wide\" id=\"part-{number}\"><h2>Boots number {number} of shop {page}</h2>\
         <a href=\"/boots/{number}\" class=\"picture\"><img src=\"/images/{number}.webp\" width=\"300\" height=\"200\" alt=\"Boot {number}\" loading=\"lazy\"></a>\
         <p style=\"color: #333\">Full-grain leather, lined with wool number {number}, and a sole that our workshop replaces for as long \
         as you wear it. <a href=\"/care/{number}\">How to care for them</a> and <a href=\"https://else.example/{number}\">what others say</a>.</p>\
         <ul><li>Waxed leather</li><li>Wool lining</li><li>Stitched sole</li></ul><button type=\"button\" data-id=\"{number}\">Put into the basket</button></section>\n"
    )
}

fn page(number: usize, bytes: usize) -> Page {
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Shop number {number} for boots</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" href=\"/site.css\"></head><body><main><h1>Boots</h1>"
    );
    let mut parts = 0;
    while html.len() < bytes {
        html.push_str(&part(number, parts));
        parts += 1;
    }
    html.push_str("</main></body></html>");
    let mut page = Page {
        url: format!("https://alder.example/shop/{number}"),
        status: 200,
        html,
        ..Page::default()
    };
    page.headers.insert("server".into(), "nginx".into());
    page
}

fn main() {
    let given = std::env::args()
        .nth(1)
        .and_then(|text| text.parse::<usize>().ok());
    let kilobytes = given.unwrap_or(30);
    let pages: Vec<_> = (0..PAGES)
        .map(|number| page(number, kilobytes * 1000))
        .collect();
    let documents = Documents::default();
    let start = Instant::now();
    let halves: Vec<_> = pages.chunks(PAGES.div_ceil(THREADS)).collect();
    let findings: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = halves
            .into_iter()
            .map(|pages| {
                let documents = &documents;
                scope.spawn(move || check(&Site::new(documents, pages, &[])).len())
            })
            .collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .sum()
    });
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{PAGES} pages of {kilobytes} kB on {THREADS} threads: {seconds:.2} s, {:.0} pages/s, {findings} findings",
        PAGES as f64 / seconds
    );
}
