//! Which site is crawled? A shop of 47 pages, 30 to 60 KB of HTML each, with a style
//! sheet, scripts and pictures, the same in every run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(crate) const PAGES: usize = 47;

const WORDS: [&str; 24] = [
    "path", "hill", "tent", "boot", "rain", "light", "wool", "stove", "map", "ridge", "camp",
    "river", "stone", "evening", "weight", "seam", "peg", "layer", "pocket", "strap", "valley",
    "weather", "morning", "ground",
];

/// What a path answers: its type and its bytes.
pub(crate) type Files = BTreeMap<String, (&'static str, Vec<u8>)>;

pub(crate) fn files(origin: &str) -> Files {
    let mut files = Files::new();
    let mut dice = Dice(20_260_101);
    for number in 0..PAGES {
        let html = page(number, origin, &mut dice);
        files.insert(
            path(number),
            ("text/html; charset=utf-8", html.into_bytes()),
        );
    }
    let style = style();
    files.insert("/main.css".to_owned(), ("text/css", style.into_bytes()));
    for name in ["/shop.js", "/basket.js"] {
        let script = script(&mut dice);
        files.insert(name.to_owned(), ("text/javascript", script.into_bytes()));
    }
    for number in 0..8 {
        let picture = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='320' height='240'><rect width='320' height='240' fill='#{number}8a'/></svg>"
        );
        let path = format!("/picture-{number}.svg");
        files.insert(path, ("image/svg+xml", picture.into_bytes()));
    }
    let robots = format!("User-agent: *\nDisallow: /basket/\nSitemap: {origin}/sitemap.xml\n");
    files.insert(
        "/robots.txt".to_owned(),
        ("text/plain", robots.into_bytes()),
    );
    let sitemap = sitemap(origin);
    files.insert(
        "/sitemap.xml".to_owned(),
        ("application/xml", sitemap.into_bytes()),
    );
    files
}

fn path(number: usize) -> String {
    match number {
        0 => "/".to_owned(),
        _ => format!("/page-{number}/"),
    }
}

fn sitemap(origin: &str) -> String {
    let mut text =
        "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
            .to_owned();
    for number in 0..PAGES {
        text.extend(["<url><loc>", origin, &path(number), "</loc></url>"]);
    }
    text + "</urlset>"
}

fn page(number: usize, origin: &str, dice: &mut Dice) -> String {
    let (one, two) = (dice.word(), dice.word());
    let mut html = format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Page {number}: {one} and {two} for hill walkers</title>\
         <meta name=viewport content='width=device-width, initial-scale=1'>\
         <meta name=description content='Everything about {one} and {two} that a walker needs to know before a long day on page {number} of the hills.'>\
         <link rel=canonical href='{origin}{}'><link rel=stylesheet href=/main.css><script src=/shop.js defer></script>\
         <script src=/basket.js></script></head><body><header><nav><ul>",
        path(number)
    );
    for other in 0..PAGES {
        let target = path(other);
        let _written = write!(
            html,
            "<li class=item><a href='{target}'>Page {other}</a></li>"
        );
    }
    let _written = write!(html, "</ul></nav></header><main><h1>{one} and {two}</h1>");
    // From 30 to 60 KB, by the number of the page.
    let wanted = 29_000 + number * 650;
    let mut section = 0;
    while html.len() < wanted {
        section += 1;
        let _written = write!(
            html,
            "<section class='card c{}'><h2>{} {section}</h2><img src=/picture-{}.svg alt='{}' width=320 height=240>",
            section % 7,
            dice.word(),
            section % 8,
            dice.word()
        );
        for _ in 0..3 {
            html.push_str("<p class=text>");
            for _ in 0..45 {
                html.push_str(dice.word());
                html.push(' ');
            }
            html.push_str("</p>");
        }
        let _written = write!(
            html,
            "<form action=/basket/><label>Number <input name=n{section} type=number></label><button>Buy</button></form>\
             <table><tr><th>Size<th>Price</tr><tr><td>{section}<td>{}</tr></table></section>",
            dice.next() % 200
        );
    }
    html + "</main><footer><p>An invented shop.</p></footer></body></html>"
}

fn style() -> String {
    let mut sheet =
        "body{font:16px sans-serif;color:#222;background:#fff}a{color:#0b5a2a}".to_owned();
    for number in 0..400 {
        let _written = writeln!(
            sheet,
            ".c{number} .text{{margin:{}px;padding:{}px;color:#{:03x}}}",
            number % 9,
            number % 5,
            number % 512
        );
    }
    sheet
}

fn script(dice: &mut Dice) -> String {
    let mut script = String::new();
    while script.len() < 40_000 {
        let number = dice.next() % 10_000;
        let _written = writeln!(
            script,
            "function {}{number}(a) {{ return a + {}; }}",
            dice.word(),
            dice.next() % 100
        );
    }
    script
}

/// A small generator of numbers: every run gets the same.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn word(&mut self) -> &'static str {
        let place = self.next() as usize % WORDS.len();
        WORDS.get(place).copied().unwrap_or_default()
    }
}
