//! `holloway templates`, and that those which ship do what they say.

use crate::place::Place;
use crate::shop::Shop;

const PLAN: &str = "# Watches two pages.
version: '1.0'
id: watch
steps:
  - {id: page, tool: page-fetch, input: {url: 'https://example.com/', timeout_ms: 5000}}
  - {id: other, tool: page-fetch, input: {url: 'https://example.com/news'}}
  - {id: robots, tool: robots-check, input: {url: 'https://example.com/'}}
  - {id: keep, tool: file-write, input: {path: out/page.html, content: '{{ page.html }}'}}
";

#[test]
fn listed_and_shown() {
    let place = Place::new();
    let listed = place.run("templates");
    let shown = place.run("templates show link-check");
    let missing = place.run("templates show link-chek");
    let json = place.json("templates list");
    assert_eq!(json["templates"].as_array().unwrap().len(), 13);
    assert_eq!(
        place.json("templates show seo-check")["needed"],
        serde_json::json!(["site"])
    );
    place.check("templates", &[&listed, &shown, &missing]);
}

#[test]
fn a_plan_becomes_a_template() {
    let place = Place::with_plan(PLAN);
    let saved = place.run("templates save plan.yaml watching");
    assert_eq!(place.read("plan.yaml"), PLAN);
    let again = place.run("templates save plan.yaml watching");
    let replaced = place.json("templates save plan.yaml watching --replace");
    assert_eq!(replaced["inputs"].as_array().unwrap().len(), 3);
    let shown = place.run("templates show watching");
    let checked = place.run("check watching");
    place.file(
        "plain.yaml",
        "version: '1.0'\nsteps: [{id: a, tool: echo, input: {value: 1}}]\n",
    );
    let plain = place.run("templates save plain.yaml plain");
    let unknown = place.run("templates save nothing.yaml x");
    let shipped = place.run("templates save plain.yaml link-check");
    assert!(shipped.stderr.contains("plan-exists"), "{shipped}");
    let unnamed = place.run("templates save plain.yaml a/b");
    assert_eq!(unnamed.code, Some(2), "{unnamed}");
    place.check(
        "templates_save",
        &[&saved, &again, &shown, &checked, &plain, &unknown],
    );
}

#[test]
fn a_template_is_found_after_saved_plans_and_before_files() {
    let place =
        Place::with_plan("version: '1.0'\nsteps: [{id: a, tool: echo, input: {value: mine}}]\n");
    assert_eq!(
        place.json("check csv-summary")["plan"],
        "template csv-summary"
    );
    place.run("plans save plan.yaml --as csv-summary --replace");
    assert_eq!(
        place.json("check csv-summary")["plan"],
        "saved plan csv-summary"
    );
    for name in ["csv-summary", "text-digest"] {
        place.file(name, &place.read("plan.yaml"));
    }
    for (wanted, found) in [
        ("csv-summary", "saved plan csv-summary"),
        ("text-digest", "template text-digest"),
        ("./text-digest", "./text-digest"),
    ] {
        assert_eq!(place.json(&format!("check {wanted}"))["plan"], found);
    }
    std::fs::remove_file(place.path("text-digest")).unwrap();
    place.file(
        "outer.yaml",
        "version: '1.0'\nsteps:\n  - {id: texts, type: plan, plan: text-digest, input: {from: notes}}\n",
    );
    assert_eq!(place.json("check outer.yaml")["ok"], true);
}

#[test]
fn all_that_ship_are_sound() {
    let place = Place::new();
    let listed = place.json("templates list");
    for template in listed["templates"].as_array().unwrap() {
        let name = template["name"].as_str().unwrap();
        let ran = place.run(&format!("check {name} --json"));
        assert_eq!(ran.code, Some(0), "{ran}");
    }
}

#[test]
fn two_of_them_are_the_plans_of_the_demos() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let steps = |file: &str| {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        text.split_once("\nsteps:\n").unwrap().1.to_owned()
    };
    for (template, demo) in [
        ("website-audit", "site/audit"),
        ("price-report", "prices/report"),
    ] {
        let steps = [
            steps(&format!("templates/{template}.yaml")),
            steps(&format!("demos/{demo}.yaml")),
        ];
        assert_eq!(steps[0], steps[1], "{template}: change both");
    }
}

/// Runs a template and says what it gave; the files it wrote must be there.
#[track_caller]
fn outcome(place: &Place, typed: &str, files: &[&str]) {
    let ran = place.run(&format!("run {typed} --allow-host 127.0.0.1 --yes --quiet"));
    assert_eq!(ran.code, Some(0), "{ran}");
    for file in files {
        let size = std::fs::metadata(place.path(&format!("out/{file}"))).map(|file| file.len());
        assert!(size.is_ok_and(|size| size > 1_000), "{file}: {ran}");
    }
}

#[test]
fn templates_about_sites() {
    let (place, shop) = (Place::new(), Shop::open());
    let on_the_shop = |template: &str, files: &[&str]| {
        let site = format!(
            "--input site={} --input delay_ms=0 --input pages=6",
            shop.address
        );
        outcome(&place, &format!("{template} {site}"), files);
    };
    on_the_shop(
        "website-audit",
        &["website-audit.html", "website-audit.pdf"],
    );
    on_the_shop("seo-check", &["seo-check.html"]);
    on_the_shop("accessibility-check", &["accessibility-check.html"]);
    on_the_shop("security-check", &["security-check.html"]);
    on_the_shop("link-check", &["link-check.html", "link-check.xlsx"]);
    on_the_shop("sitemap-inventory", &["sitemap-inventory.xlsx"]);
    assert!(place.read("out/seo-check.html").contains("6 pages"));
}

#[test]
fn templates_about_pages() {
    let (place, shop) = (Place::new(), Shop::open());
    let pages = format!(
        "--input 'pages=[\"{0}tents/\",\"{0}boots/\"]'",
        shop.address
    );
    outcome(
        &place,
        &format!("article-digest {pages}"),
        &["article-digest.html", "article-1.md"],
    );
    assert!(
        place
            .read("out/article-digest.html")
            .contains("Tents for hill walkers")
    );
    let page = format!("--input 'pages=[\"{}products.html\"]'", shop.address);
    let files = ["competitor-prices.html", "competitor-prices.xlsx"];
    for day in 1..=2 {
        outcome(
            &place,
            &format!("competitor-prices {page} --input date=2026-11-0{day}"),
            &files,
        );
    }
    // A second visit on the same day changes nothing.
    outcome(
        &place,
        &format!("competitor-prices {page} --input date=2026-11-02"),
        &files,
    );
    let report = place.read("out/competitor-prices.html");
    assert!(report.contains("6 prices · 3 products"), "{report}");
}

#[test]
fn templates_about_tables_and_texts() {
    let place = Place::new();
    let prices =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demos/prices/prices.csv");
    place.file("prices.csv", &std::fs::read_to_string(prices).unwrap());
    outcome(
        &place,
        "price-report",
        &["prices.html", "prices.pdf", "prices.xlsx"],
    );
    outcome(
        &place,
        "csv-summary --input file=prices.csv --input column=price",
        &["csv-summary.html"],
    );
    assert!(
        place
            .read("out/csv-summary.html")
            .contains("2700 rows, 4 columns")
    );
    place.file("may.csv", "sku,price\n1,2.5\n2,3\n3,4\n");
    place.file("june.csv", "sku,price\n1,2.5\n2,3.5\n4,9\n");
    let tables =
        "--input before=may.csv --input after=june.csv --input key=[\"sku\"] --input column=price";
    outcome(
        &place,
        &format!("compare-tables {tables}"),
        &["compare-tables.html", "compare-tables.xlsx"],
    );
    assert!(
        place
            .read("out/compare-tables.html")
            .contains("1 rows are new, 1 are gone, 1 of 2 have another price")
    );
    place.file(
        "notes/a.txt",
        "Tents are light. They keep dry in rain. Cheap tents do not.\n",
    );
    outcome(
        &place,
        "text-digest --input from=notes",
        &["text-digest.html"],
    );
    assert!(place.read("out/text-digest.html").contains("notes/a.txt"));
}
