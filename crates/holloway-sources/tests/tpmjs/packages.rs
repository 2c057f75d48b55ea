//! Does each package that needs no network answer, and is the answer right?

use std::path::Path;

use holloway_flow::catalog::offer::Offer;
use holloway_sources::ToolSource as _;
use serde::Deserialize;
use serde_json::Value;

use super::place::{install, request, source, tools};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    package: String,
    tool: String,
    arguments: Value,
    expect: Vec<Expectation>,
}

/// Of the value at a JSON pointer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    at: String,
    equals: Option<Value>,
    contains: Option<String>,
    lacks: Option<String>,
    between: Option<[f64; 2]>,
}

impl Expectation {
    fn holds(&self, answer: &Value) -> bool {
        let Some(found) = answer.pointer(&self.at) else {
            return false;
        };
        let text = found.as_str().unwrap_or_default();
        let equal = |wanted: &Value| match (wanted.as_f64(), found.as_f64()) {
            (Some(wanted), Some(found)) => (wanted - found).abs() < 1e-9,
            _ => wanted == found,
        };
        self.equals.as_ref().is_none_or(equal)
            && self
                .contains
                .as_ref()
                .is_none_or(|part| text.contains(part.as_str()))
            && self
                .lacks
                .as_ref()
                .is_none_or(|part| !text.contains(part.as_str()))
            && self.between.is_none_or(|[least, most]| {
                found
                    .as_f64()
                    .is_some_and(|number| (least..=most).contains(&number))
            })
    }
}

fn check_offer(offer: &Offer, case: &Case) {
    let (name, version) = case.package.rsplit_once('@').unwrap();
    assert_eq!(offer.id.as_str(), format!("npm.{name}/{}", case.tool));
    assert_eq!(offer.definition["version"], version);
    assert_eq!(offer.hints.read_only, Some(true));
    assert!(!offer.description.is_empty() && !offer.category.is_empty());
    let schema = jsonschema::validator_for(&offer.input_schema).unwrap();
    assert!(schema.is_valid(&case.arguments), "{}", offer.input_schema);
    assert!(!schema.is_valid(&Value::Null), "{}", offer.input_schema);
}

async fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/tpmjs")
        .join(file);
    let case: Case = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let installed = install(&case.package).await;
    let source = source(installed.config, &tools()).await;
    let offers = source.offers().await.unwrap();
    let offer = offers.iter().find(|offer| offer.id.name() == case.tool);
    let offer = offer.unwrap_or_else(|| panic!("not among {offers:?}"));
    check_offer(offer, &case);
    let answer = source
        .call(&request(&offer.id, &case.arguments))
        .await
        .unwrap();
    assert!(!case.expect.is_empty());
    for expectation in &case.expect {
        assert!(
            expectation.holds(&answer.value),
            "{}: {:#}",
            expectation.at,
            answer.value
        );
    }
    source.close().await;
}

/// One test for each file, so that they run side by side and fail by name.
macro_rules! packages {
    ($($name:ident: $file:literal,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                check($file).await;
            }
        )*

        #[test]
        fn every_file_is_a_test() {
            let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tpmjs")).unwrap();
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            let mut found: Vec<_> = names.filter(|name| name.ends_with(".json")).collect();
            found.sort();
            let mut tested = [$($file),*];
            tested.sort_unstable();
            assert_eq!(found, tested);
        }
    };
}

packages! {
    bootstrap_interval_contains_the_mean: "bootstrap-ci.json",
    diff_shows_the_changed_line: "diff.json",
    effect_size_is_that_of_the_formula: "effect-size.json",
    feedback_is_about_the_price: "feedback-themes.json",
    sanitised_html_has_no_script: "html-sanitize.json",
    html_becomes_markdown: "html-to-markdown.json",
    markdown_becomes_html: "markdown-to-html.json",
    agreement_names_both_parties: "nda.json",
    both_actions_of_a_postmortem_are_found: "postmortem.json",
    recipe_has_its_one_step: "recipe-emit.json",
    grammar_with_one_word_gives_it: "recipe-grammar.json",
    hash_is_that_of_the_sorted_keys: "recipe-hash.json",
    manifest_names_author_and_recipe: "recipe-manifest.json",
    quick_recipe_ranks_first: "recipe-rank.json",
    reply_takes_up_the_subject: "response-template.json",
    revenue_adds_up: "revenue.json",
    template_is_filled_and_escaped: "template-render.json",
}
