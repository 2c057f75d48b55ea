//! Is hostile HTML parsed within bounds, and ordinary HTML as a whole? Steps are
//! counted, so that nothing here depends on the clock.

use super::*;

/// So many steps are enough for the pages here that are meant well.
const MOST: u64 = 5_000_000;

/// One piece may still be worked on when the bound is reached.
const SLACK: u64 = 5_000_000;

fn whole(text: &str) {
    let parsed = parse_in(text, MOST);
    let front = text.get(..60).unwrap_or(text);
    assert!(parsed.complete, "{front}: {} steps", parsed.steps);
    assert_eq!(parsed.read, text.len(), "{front}");
    assert!(parsed.html == Html::parse_document(text), "{front}");
}

/// Cut, after no more work than the bounds allow.
fn cut(text: &str) -> Parsed {
    let parsed = parse_in(text, MOST);
    let front = text.get(..60).unwrap_or(text);
    assert!(!parsed.complete, "{front}");
    assert!(parsed.steps <= MOST + SLACK, "{front}: {}", parsed.steps);
    parsed
}

fn deepest(html: &Html) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for edge in html.tree.root().traverse() {
        match edge {
            ego_tree::iter::Edge::Open(_) => depth += 1,
            ego_tree::iter::Edge::Close(_) => depth -= 1,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[test]
fn ordinary_pages_are_read_whole() {
    let list = "<ul>".to_owned() + &"<li><p>one<br><a href='x'>two</a>".repeat(5000) + "</ul>";
    let script = format!("<script>{}</script><p>x", "if (a<b) f();".repeat(5000));
    let comment = format!("<!-- {} --><p>x", "<div>".repeat(5000));
    let quoted = format!("<p title=\"{}\">x", "<div> ".repeat(5000));
    let cells = "<table>".to_owned() + &"<tr><td>1<td>2".repeat(5000) + "</table>";
    let icons = "<svg><title>x</title><path d='a/b'/><input/><g></g></svg><rect>x</rect>";
    let icons = icons.repeat(2000);
    let items = "<dl><dt>a<dd><ul><li>b<li>c</ul><dt>d</dl>".repeat(2000);
    let address = format!("<a href=/{}>x", "a".repeat(5000));
    let escaped = "<script><!-- document.write('<script>x</script>') --></script><p>x".repeat(500);
    for html in [
        "",
        "a < b",
        "<p",
        "<!doctype html><p>x",
        "<script>a</scripty></script ><p>x",
        "<textarea></textarea a='>'><p>x",
        "<svg><![CDATA[<p>]]></svg><p>",
        "<title>é",
        "\u{feff}",
        "\u{feff}<p>x",
        "\u{feff}\u{feff}x",
        "<title>x</title>\u{feff}y",
        "<plaintext></plaintext><p>",
        &icons,
        &items,
        &"<DIV></div>".repeat(5000),
        &format!("<svg><style>a{{}}</style></svg>{}", "<p>x".repeat(5000)),
        &list,
        &script,
        &comment,
        &quoted,
        &cells,
        &address,
        &escaped,
        &"é&amp;".repeat(5000),
    ] {
        whole(html);
    }
}

#[test]
fn deep_nesting_is_cut() {
    for (unit, kept) in [
        ("<div>", MAX_DEPTH * 5),
        ("<b>", MAX_DEPTH * 3),
        ("<div></x>", MAX_DEPTH * 9),
        ("<rt>", MAX_DEPTH * 4),
        ("<optgroup>", MAX_DEPTH * 10),
    ] {
        assert_eq!(cut(&unit.repeat(10_000)).read, kept, "{unit}");
    }
    for unit in [
        "<li><dd>",
        "<li><ul></ul><dd>",
        "<path>",
        "<div><object></div></object>",
        "<table><tr><td>",
        "<svg><foreignObject><div></svg>",
        "<b><div></b>",
    ] {
        let parsed = cut(&unit.repeat(20_000));
        assert!(deepest(&parsed.html) <= 2 * MAX_DEPTH, "{unit}");
        assert!(parsed.read < 20_000, "{unit}: {}", parsed.read);
    }
}

#[test]
fn depth_is_found_wherever_it_hides() {
    for hidden in [
        "<!-->",
        "<!--->",
        "<!-- --!>",
        "<!-- ---><?x>",
        "<!x \"><i x==\">",
        "<i x==\">",
        "<i =\">",
        "<i x=a\">",
        "</1 x=\">",
        "<svg><style>",
        "<svg><title>",
    ] {
        cut(&(hidden.to_owned() + &"<div>".repeat(10_000)));
    }
}

#[test]
fn many_attributes_are_not_compared() {
    let many = "a1 b2 ".repeat(100_000);
    for (front, kept) in [
        ("<p>ok", "<p>ok"),
        ("<svg><style>", "<svg><style>"),
        ("<script></script ", ""),
        ("<script><!--<script></script ", ""),
        (
            "<svg><foreignObject><div></svg></div></foreignObject><style>",
            "",
        ),
        ("<title></titles></title>", ""),
    ] {
        let tag = if front.ends_with(' ') { "" } else { "<p " };
        let parsed = cut(&format!("{front}{tag}{many}>"));
        assert!(parsed.read >= kept.len(), "{front}");
        assert!(parsed.read <= front.len(), "{front}: {}", parsed.read);
    }
    cut(&"<body a1><body b2><html c3>"
        .split('>')
        .flat_map(|tag| (0..2000).map(move |number| format!("{tag}{number}>")))
        .collect::<String>());
}

#[test]
fn work_without_depth_is_cut() {
    let font = "<font size=1 color=red>".repeat(400);
    cut(&(font + &"<p>x</p>".repeat(50_000)));
    let attributes: Vec<_> = (0..900).map(|number| format!(" a{number}")).collect();
    let attributes = attributes.concat();
    let formatting = (0..400).map(|number| format!("<b x{number}{attributes}>"));
    let formatting = formatting.collect::<Vec<_>>().concat();
    let more = format!("<b{attributes}></b>").repeat(1000);
    cut(&(formatting + &more));
    let children = format!("{}<div>{}", "<b>".repeat(3), "<br>".repeat(5_000));
    whole(&format!("<i><u><s>{children}</s></u></i></b>"));
    let moved = format!(
        "{children}{}",
        "<i><u><s><b><p></i></u></s></b>".repeat(100)
    );
    whole(&moved);
}

#[test]
fn large_pages_are_cut_at_a_character() {
    let parsed = cut(&"é".repeat(MAX_BYTES));
    assert_eq!(parsed.read, MAX_BYTES);
}

#[test]
fn long_tables_are_read_whole_and_work_stays_in_proportion() {
    let table = "<table>".to_owned() + &"<tr><td>1<td>2".repeat(20_000);
    let parsed = parse(&table);
    assert!(parsed.complete);
    assert!(parsed.steps < 4 * table.len() as u64, "{}", parsed.steps);
    let font = "<font size=1 color=red>".repeat(400);
    let hostile = font + &"<p>x</p>".repeat(20_000);
    let parsed = parse(&hostile);
    assert!(!parsed.complete);
    assert!(parsed.steps < most_steps(&hostile) + SLACK);
}
