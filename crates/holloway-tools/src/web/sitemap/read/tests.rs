//! Are sitemaps read as sitemaps.org defines them? Its rules as a table: what stands
//! in the file, what is listed, what is told.

use std::io::Read;

use flate2::Compression;
use flate2::read::GzEncoder;

use super::*;

const OPEN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";

fn listed(body: &[u8], place: &str) -> Listed {
    read(body, "", &Url::parse(place).unwrap())
}

/// Entries as `url` or `url @ lastmod`, problems after `!`.
fn check(body: &str, kind: Kind, expected: &[&str]) {
    let listed = listed(body.as_bytes(), "http://www.example.com/sitemap.xml");
    assert_eq!(listed.kind, kind, "{body}");
    let entries = listed.entries.iter().map(|entry| match &entry.lastmod {
        Some(lastmod) => format!("{} @ {lastmod}", entry.url),
        None => entry.url.clone(),
    });
    let problems = listed.problems.iter().map(|problem| format!("! {problem}"));
    let lines: Vec<String> = entries.chain(problems).collect();
    assert_eq!(lines, expected, "{body}");
}

#[test]
fn the_fields_of_an_entry_are_read() {
    let body = format!(
        "{OPEN}<url><loc>http://www.example.com/</loc><lastmod>2005-01-01</lastmod>\
         <changefreq>monthly</changefreq><priority>0.8</priority></url>\
         <url>\n <loc>\n http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii </loc></url>\
         <url><loc>http://www.example.com/&#x75;&quot;x&apos;&gt;</loc><lastmod>2004-12-23T18:00:15+00:00</lastmod></url>\
         <url><loc><![CDATA[http://www.example.com/a&b]]></loc></url></urlset>"
    );
    check(
        &body,
        Kind::Urlset,
        &[
            "http://www.example.com/ @ 2005-01-01",
            "http://www.example.com/catalog?item=12&desc=vacation_hawaii",
            "http://www.example.com/u%22x'%3E @ 2004-12-23T18:00:15+00:00",
            "http://www.example.com/a&b",
        ],
    );
}

#[test]
fn an_index_lists_sitemaps() {
    check(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
         <sitemap><loc>http://www.example.com/one.xml.gz</loc><lastmod>2004-10-01T18:23:17+00:00</lastmod></sitemap>\
         <sitemap><loc>http://www.example.com/two.xml.gz</loc></sitemap></sitemapindex>",
        Kind::Index,
        &[
            "http://www.example.com/one.xml.gz @ 2004-10-01T18:23:17+00:00",
            "http://www.example.com/two.xml.gz",
        ],
    );
}

#[test]
fn namespaces_and_extensions_are_told_apart() {
    check(
        "<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>\
         <s:url><i:image><i:loc>http://www.example.com/no.png</i:loc></i:image><i:loc>http://www.example.com/no</i:loc>\
         <s:loc>http://www.example.com/yes</s:loc></s:url></s:urlset>",
        Kind::Urlset,
        &["http://www.example.com/yes"],
    );
    check(
        "<urlset><url><loc>http://www.example.com/a</loc></url></urlset>",
        Kind::Urlset,
        &[
            "http://www.example.com/a",
            "! has no namespace; it should be `http://www.sitemaps.org/schemas/sitemap/0.9`",
        ],
    );
    check(
        "<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'><url><loc>http://www.example.com/a</loc></url></urlset>",
        Kind::Urlset,
        &[
            "http://www.example.com/a",
            "! has the namespace `http://www.google.com/schemas/sitemap/0.84`, not `http://www.sitemaps.org/schemas/sitemap/0.9`",
        ],
    );
}

#[test]
fn what_may_not_be_listed_is_told() {
    let body = format!(
        "{OPEN}<url><loc>http://www.example.com/a</loc><lastmod>last week</lastmod></url><url><loc>http://other.example.com/</loc></url>\
         <url><loc>/relative</loc></url><url><loc>ftp://www.example.com/f</loc></url><url/>\
         <url><loc>http://www.example.com/{}</loc></url></urlset>",
        "x".repeat(3_000)
    );
    check(
        &body,
        Kind::Urlset,
        &[
            "http://www.example.com/a",
            "! has a `url` without `loc`",
            "! 3 entries are no valid addresses and left out, such as `/relative`",
            "! 1 entry is on another host and left out, such as `http://other.example.com/`",
            "! 1 entry is dated, but not in W3C form, such as `last week`",
        ],
    );
}

#[test]
fn a_sitemap_is_for_its_own_folder() {
    let body = format!(
        "{OPEN}<url><loc>http://example.com/catalog/show?item=23</loc></url><url><loc>http://example.com/images/show</loc></url></urlset>"
    );
    let told = listed(body.as_bytes(), "http://example.com/catalog/sitemap.xml");
    assert_eq!(told.entries.len(), 2);
    assert_eq!(
        told.problems,
        [
            "1 entry is outside the folder `/catalog/` that the sitemap is for, such as `http://example.com/images/show`"
        ]
    );
}

#[test]
fn lists_and_feeds_are_sitemaps_too() {
    check(
        "\u{feff}http://www.example.com/one\r\n\r\nhttp://www.example.com/two\nnonsense\n",
        Kind::Text,
        &[
            "http://www.example.com/one",
            "http://www.example.com/two",
            "! has a line that is no address: `nonsense`",
        ],
    );
    check(
        "<rss version='2.0'><channel><link>http://www.example.com/</link><item><link>http://www.example.com/news</link>\
         <pubDate>Sat, 01 Jan 2005 10:00:00 GMT</pubDate></item><item><title>no link</title></item></channel></rss>",
        Kind::Feed,
        &["http://www.example.com/news @ Sat, 01 Jan 2005 10:00:00 GMT"],
    );
    check(
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link rel='edit' href='http://www.example.com/edit'/>\
         <link href='http://www.example.com/post'/><updated>2005-01-01T00:00:00Z</updated></entry></feed>",
        Kind::Feed,
        &["http://www.example.com/post @ 2005-01-01T00:00:00Z"],
    );
}

#[test]
fn what_is_no_sitemap_is_none() {
    check("<!doctype html><html><body>Not found", Kind::Nothing, &[]);
    check("just some text", Kind::Nothing, &[]);
    check("", Kind::Nothing, &[]);
    check(
        "<menu/>",
        Kind::Nothing,
        &["! has the root element `menu`, not `urlset` or `sitemapindex`"],
    );
    let broken = listed(format!("{OPEN}<url>").as_bytes(), "http://a.example/s.xml");
    assert!(
        broken.problems[0].starts_with("is not well-formed XML:"),
        "{broken:?}"
    );
    // Entities that double themselves need a document type, which no sitemap has.
    let laughs = "<!DOCTYPE urlset [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><urlset><url><loc>&b;</loc></url></urlset>";
    assert_eq!(
        listed(laughs.as_bytes(), "http://a.example/s.xml").entries,
        []
    );
}

#[test]
fn packed_files_are_unpacked_and_bombs_are_not() {
    let body = format!("{OPEN}<url><loc>http://a.example/x</loc></url></urlset>");
    let mut packed = Vec::new();
    GzEncoder::new(body.as_bytes(), Compression::best())
        .read_to_end(&mut packed)
        .unwrap();
    assert_eq!(
        listed(&packed, "http://a.example/s.xml.gz").entries.len(),
        1
    );
    let mut bomb = Vec::new();
    let zeros = std::io::repeat(b' ').take(MAX_BYTES as u64 + 10);
    GzEncoder::new(zeros, Compression::fast())
        .read_to_end(&mut bomb)
        .unwrap();
    let told = listed(&bomb, "http://a.example/s.xml.gz");
    assert_eq!(
        told.problems,
        ["is larger than 52428800 bytes when unpacked"]
    );
}

#[test]
fn the_limit_of_addresses_holds() {
    let entries = "<url><loc>http://a.example/x</loc></url>".repeat(MAX_URLS + 1);
    let told = listed(
        format!("{OPEN}{entries}</urlset>").as_bytes(),
        "http://a.example/s.xml",
    );
    assert_eq!(told.entries.len(), MAX_URLS);
    assert_eq!(
        told.problems,
        ["lists more than 50000 addresses; the rest is left out"]
    );
}

#[test]
fn dates_are_in_w3c_form() {
    for (text, right) in [
        ("2005", true),
        ("2005-01", true),
        ("2005-01-31", true),
        ("2005-01-31T10:20Z", true),
        ("2005-01-31T10:20+01:00", true),
        ("2005-01-31T10:20:30Z", true),
        ("2005-01-31T10:20:30.45+01:00", true),
        ("2005-02-31", false),
        ("2005-13", false),
        ("31.01.2005", false),
        ("2005-01-31T10:20:30", false),
        ("", false),
        ("öööö", false),
    ] {
        assert_eq!(is_date(text), right, "{text}");
    }
}
