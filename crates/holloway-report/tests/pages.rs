//! Does a PDF hold what the report says? It is read back with another library: pages,
//! text, outline, fonts, links and tags.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "what a test does not expect ends it"
)]

use std::collections::HashMap;

use hayro_syntax::Pdf;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as Text};
use hayro_syntax::page::Page;
use holloway_report::{Report, pdf};
use serde_json::json;

fn sample() -> Report {
    serde_json::from_str(include_str!("sample.json")).unwrap()
}

/// Glyph numbers and the text they stand for, from the font's own table.
fn letters(font: &Dict<'_>) -> HashMap<u16, String> {
    let table: Stream<'_> = font.get("ToUnicode").unwrap();
    let table = String::from_utf8(table.decoded().unwrap().to_vec()).unwrap();
    let code = |text: &str| text.trim_matches(['<', '>']).to_owned();
    let mut letters = HashMap::new();
    for line in table.lines() {
        let parts: Vec<String> = line.split_whitespace().map(code).collect();
        if let [glyph, text] = parts.as_slice()
            && let Ok(glyph) = u16::from_str_radix(glyph, 16)
        {
            let units: Vec<u16> = (0..text.len() / 4)
                .filter_map(|index| u16::from_str_radix(&text[index * 4..index * 4 + 4], 16).ok())
                .collect();
            letters.insert(glyph, String::from_utf16_lossy(&units));
        }
    }
    letters
}

fn text_of(page: &Page<'_>) -> String {
    let mut text = String::new();
    let mut font = HashMap::new();
    let show = |text: &mut String, font: &HashMap<u16, String>, shown: &Text<'_>| {
        for pair in shown.as_bytes().chunks(2) {
            if let [high, low] = pair {
                text.push_str(
                    font.get(&u16::from_be_bytes([*high, *low]))
                        .map_or("", String::as_str),
                );
            }
        }
    };
    let mut operations = page.typed_operations();
    while let Some(operation) = operations.next() {
        match operation {
            TypedInstruction::TextFont(chosen) => {
                font = letters(&page.resources().get_font(chosen.0).unwrap())
            }
            TypedInstruction::ShowText(shown) => show(&mut text, &font, shown.0),
            TypedInstruction::ShowTexts(shown) => {
                // Between the texts stand numbers that move them.
                for part in shown.0.iter::<Object<'_>>() {
                    if let Object::String(part) = part {
                        show(&mut text, &font, &part);
                    }
                }
            }
            TypedInstruction::EndText(_) => text.push('\n'),
            _ => {}
        }
    }
    text
}

fn texts(bytes: Vec<u8>) -> Vec<String> {
    let pdf = Pdf::new(bytes).unwrap();
    pdf.pages().iter().map(text_of).collect()
}

#[test]
fn the_pages_say_what_the_report_says() {
    let bytes = pdf::write(&sample(), pdf::Paper::A4).unwrap();
    assert_eq!(
        bytes,
        pdf::write(&sample(), pdf::Paper::A4).unwrap(),
        "the same report gives the same bytes"
    );
    let pages = texts(bytes);
    assert_eq!(pages.len(), 8);
    let find = |wanted: &str| pages.iter().position(|page| page.contains(wanted));
    for (wanted, page) in [
        ("Website audit: shop.example", 0),
        ("Describe the product images", 1),
        ("image-alt", 1),
        ("Visits per day", 3),
        ("Where visitors come from", 6),
        ("Größe, Ελληνικά, Кириллица, naïve façade, Tiếng Việt", 7),
        ("holloway run audit.json", 7),
    ] {
        assert_eq!(find(wanted), Some(page), "{wanted}");
    }
    // The header of the long table stands on each of its pages.
    assert_eq!(
        pages
            .iter()
            .filter(|page| page.contains("Exit rate"))
            .count(),
        3
    );
    assert!(pages[7].contains("8 / 8"));
}

#[test]
fn outline_fonts_links_and_tags_are_there() {
    let bytes = pdf::write(&sample(), pdf::Paper::A4).unwrap();
    let pdf = Pdf::new(bytes).unwrap();
    let root: Dict<'_> = pdf.xref().get(pdf.xref().root_id()).unwrap();
    let outline: Dict<'_> = root.get("Outlines").unwrap();
    let mut titles = Vec::new();
    let mut next: Option<Dict<'_>> = outline.get("First");
    while let Some(entry) = next {
        let title: Text<'_> = entry.get("Title").unwrap();
        titles.push(String::from_utf8_lossy(title.as_bytes()).into_owned());
        next = entry.get("Next");
    }
    assert_eq!(
        titles,
        ["Scores", "What to do", "Findings", "Traffic", "Method"]
    );
    assert!(root.contains_key("StructTreeRoot") && root.contains_key("Lang"));
    let mut embedded = 0;
    let mut links = 0;
    for page in pdf.pages().iter() {
        for name in page.resources().fonts.keys() {
            let font: Dict<'_> = page.resources().get_font(&name).unwrap();
            let inner: Array<'_> = font.get("DescendantFonts").unwrap();
            let inner: Dict<'_> = inner.iter::<Dict<'_>>().next().unwrap();
            let descriptor: Dict<'_> = inner.get("FontDescriptor").unwrap();
            assert!(descriptor.contains_key("FontFile2") || descriptor.contains_key("FontFile3"));
            embedded += 1;
        }
        let annotations: Option<Array<'_>> = page.raw().get("Annots");
        for annotation in annotations
            .into_iter()
            .flat_map(|all| all.iter::<Dict<'_>>())
        {
            let kind: Name<'_> = annotation.get("Subtype").unwrap();
            assert_eq!(&*kind, b"Link");
            links += 1;
        }
    }
    assert!(embedded >= 10, "{embedded}");
    // 8 entries of the contents, 9 places of findings (4 of each rule), 1 link in the text over two lines.
    assert_eq!(links, 8 + 9 + 2);
}

#[test]
fn odd_characters_are_replaced_and_nothing_breaks() {
    let odd = "emoji 🦀👩‍👩‍👧, 漢字, שלום, \u{0}\u{7}\u{202e}ctl, e\u{301}, \u{10ffff}\u{e000}";
    let report: Report = serde_json::from_value(json!({"title": odd, "blocks": [
        {"type": "paragraph", "text": odd}, {"type": "table", "rows": [[odd, 1]]},
        {"type": "chart", "kind": "donut", "labels": [odd], "series": [{"values": [1]}]},
    ]}))
    .unwrap();
    let pages = texts(pdf::write(&report, pdf::Paper::Letter).unwrap());
    // Each font draws its own run.
    let text = pages.concat().replace('\n', "");
    assert!(text.contains("emoji \u{fffd}\u{fffd}"), "{text}");
    assert!(text.contains("ctl, e\u{301}"), "{text}");
}

#[test]
fn a_document_without_end_is_cut_and_says_so() {
    let block = |number| {
        let text = format!("Part {number}");
        [
            json!({"type": "paragraph", "text": text}),
            json!({"type": "page-break"}),
        ]
    };
    let blocks: Vec<_> = (0..700).flat_map(block).collect();
    let report: Report =
        serde_json::from_value(json!({"title": "Long", "blocks": blocks})).unwrap();
    let pdf = Pdf::new(pdf::write(&report, pdf::Paper::A4).unwrap()).unwrap();
    assert_eq!(pdf.pages().len(), 600);
    let last = text_of(pdf.pages().last().unwrap());
    assert!(last.contains("longer than 600 pages"), "{last}");
}

#[test]
fn a_heading_stands_with_the_chart_below_it() {
    let values: Vec<f64> = (0..40).map(f64::from).collect();
    let labels: Vec<String> = (0..40).map(|n| format!("a rather long name {n}")).collect();
    let series = json!([{"values": values}, {"values": values}, {"values": values}]);
    for lines in [1, 20, 30, 36] {
        let report: Report = serde_json::from_value(json!({"title": "T", "blocks": [
            {"type": "paragraph", "text": "word\n\n".repeat(lines)},
            {"type": "heading", "text": "Zebra"},
            {"type": "chart", "kind": "horizontal-bar", "labels": labels, "series": series},
        ]}))
        .unwrap();
        let pages = texts(pdf::write(&report, pdf::Paper::A4).unwrap());
        let page = pages
            .iter()
            .rev()
            .find(|page| page.contains("Zebra"))
            .unwrap();
        assert!(page.contains("a rather long name 39"), "{lines}: {pages:?}");
    }
}
