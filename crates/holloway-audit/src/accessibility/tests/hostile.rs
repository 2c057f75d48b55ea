//! Does anything break on pages that nobody would write?

use super::*;

fn check_quietly(html: &str) -> CheckedPage {
    Checker::default().check(&document(html), &[])
}

#[test]
fn deep_nesting() {
    check_quietly(&"<div role=button tabindex=0 aria-labelledby=a>".repeat(5_000));
    check_quietly(&format!("<style>{}</style><p>x", "a { b { ".repeat(5_000)));
    check_quietly(&format!("<p style='color:{}'>x", "calc(".repeat(5_000)));
    check_quietly(&format!(
        "<style>{}p{{color:red}}</style><p>x",
        ":not(".repeat(5_000)
    ));
    check_quietly(&format!(
        "<style>@media {} screen {{p{{color:red}}}}</style><p>x",
        "(".repeat(5_000)
    ));
}

#[test]
fn large_style_sheets() {
    let rule = ".a .b > .c:nth-child(2n+1) ~ p:not(.x):has(em) { color: #777; background: rgb(1 2 3 / 4%) }\n";
    let sheet = rule.repeat(1_000_000 / rule.len());
    check_quietly(&format!(
        "<style>{sheet}</style>{}",
        "<div class=a><p class='b c'><em>x</em></p></div>".repeat(200)
    ));
}

#[test]
fn selectors_that_multiply() {
    let siblings = "<p class=x>text</p>".repeat(3_000);
    let sheet = "p ~ p ~ p ~ p { color: #999 } * * * * * p { color: #888 } :has(p) p:nth-last-child(3n) { color: red }".repeat(50);
    check_quietly(&format!("<style>{sheet}</style><div>{siblings}</div>"));
}

#[test]
fn variables_that_grow_and_go_round() {
    let mut sheet = "--v0: 1px 1px 1px 1px 1px 1px;".to_owned();
    for number in 1..40 {
        let before = number - 1;
        let value = format!("--v{number}: var(--v{before}) var(--v{before}) var(--v{before});");
        sheet.push_str(&value);
    }
    check_quietly(&format!(
        "<style>:root {{ {sheet} --a: var(--b); --b: var(--a) }} p {{ width: var(--v39); color: var(--a) }}</style><p>x"
    ));
}

#[test]
fn names_that_refer_to_everything() {
    let buttons = "<button aria-labelledby=all><b>x</b></button><section aria-labelledby='all all all'>y</section>".repeat(300);
    check_quietly(&format!("<div id=all>{buttons}</div>"));
}

#[test]
fn odd_input() {
    for html in [
        "",
        "<",
        "<!doctype html>",
        "<html lang>",
        "<table><tr><td colspan=99999999 rowspan=99999999>x<th>y",
        "<table><th rowspan=-1 headers='a a a' id=a>x",
        "<style>p{color:#}</style><p style=\"color\">x",
        "<style>\u{0}\u{fffd}{}</style><p style='--x'>x",
        "<meta name=viewport content='=,=;maximum-scale=1e999;user-scalable=-'>",
        "<div role='\u{130}' aria-level=99999999999999999999>x",
        "<h1 aria-level=4294967295>x</h1><h2 aria-level=-1>y",
        "<p style='font-size:1e38px;opacity:nan;color:rgb(1e40 0 0)'>x",
        "<svg><style>p{color:red}</style><title>t</title></svg>",
        "<p lang='-'>x<p lang='a-b-c'>y",
        "<input list=x type=\u{1F600}><datalist id=x>",
        "<a href='#'><a href='#%'><a href='/#'>x",
    ] {
        check_quietly(html);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_as_style(sheet in "[a-z.#:>~+*(){}\\[\\];,!@\"'0-9 -]{0,200}") {
        check_quietly(&format!("<style>{sheet}</style><p class=a id=b style=\"{sheet}\">text <a href=/>link</a></p>"));
    }
}

#[test]
fn findings_that_are_left_out_are_counted() {
    let checked = check_quietly(&"<img src=x>".repeat(MOST_PER_RULE + 7));
    let images = checked.findings.iter();
    let images: Vec<_> = images.filter(|one| one.rule == "image-alt").collect();
    assert_eq!(images.len(), MOST_PER_RULE);
    assert!(checked.left_out >= 7, "{}", checked.left_out);
    let last = images.last().unwrap();
    assert_eq!(last.evidence, "<img src=\"x\"> (and 7 more on this page)");
}
