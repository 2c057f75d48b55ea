//! What do generated plans look like? Drafts over the built-in tools, for the two stories of
//! the project and for everyday requests, as people would read them.

use std::sync::LazyLock;

use holloway_plan::limits::Limits;
use holloway_plan::tool::ToolSpec;
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_plan::write;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::generate::{Drafted, GenerateSettings, generate};
use holloway_planner::request::analyse;
use holloway_search::entry::Entry;
use holloway_search::rank::{Health, Repute};

static BUILTIN: LazyLock<Catalogue> = LazyLock::new(builtin);

/// The built-in tools, as `tests/data/README.md` says.
fn builtin() -> Catalogue {
    let lines = include_str!("data/builtin-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str::<ToolSpec>(line).unwrap());
    Catalogue::new(tools.map(|tool| {
        let repute = Repute {
            quality: 0.8,
            health: Health::Healthy,
            uses: 0,
        };
        (tool.clone(), entry(&tool), repute)
    }))
}

fn entry(tool: &ToolSpec) -> Entry {
    let entry = Entry {
        id: tool.id.to_string(),
        name: tool.id.name().to_owned(),
        server: String::new(),
        description: format!("{}. {}", tool.title, tool.description),
        category: tool.category.clone(),
        parameters: Vec::new(),
    };
    entry.with_schema(&tool.input_schema)
}

fn drafts(request: &str) -> Vec<Drafted> {
    let catalogue = &*BUILTIN;
    let analysis = analyse(request, catalogue);
    let drafts = generate(&analysis, catalogue, &[], &GenerateSettings::default());
    let limits = Limits::default();
    let around = Surroundings {
        tools: catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    for drafted in &drafts {
        if let Err(problems) = validate(&drafted.draft, &around) {
            panic!("{request}: {problems:?}");
        }
    }
    drafts
}

/// A draft as text: the plan, why each step is there, and what is covered.
fn shown(drafted: &Drafted) -> String {
    let mut text = format!("# {}: {} calls\n", drafted.strategy, drafted.steps.len());
    text += &write::yaml(&drafted.draft);
    text += "# why\n";
    for note in &drafted.steps {
        text += &format!("# {}: {}\n", note.step, note.reason);
        for binding in &note.bindings {
            text += &format!(
                "#   {}: {} ({:.2})\n",
                binding.parameter, binding.reason, binding.confidence
            );
        }
    }
    for coverage in &drafted.coverage {
        text += &format!(
            "# covers {}: {} of {}\n",
            coverage.domain, coverage.steps, coverage.available
        );
    }
    for missing in &drafted.missing {
        text += &format!("# missing: {}\n", missing.capability);
    }
    text += &format!("# open: {:?}\n", drafted.open_inputs);
    text
}

fn all(request: &str) -> String {
    let drafts = drafts(request);
    let texts: Vec<String> = drafts.iter().map(shown).collect();
    texts.join("\n")
}

fn one(request: &str, strategy: &str) -> String {
    let drafts = drafts(request);
    let found = drafts.iter().find(|drafted| drafted.strategy == strategy);
    found.map(shown).unwrap_or_default()
}

const AUDIT: &str = "Perform a complete audit of my website http://127.0.0.1:8080/ including SEO, performance, \
                     accessibility, and security, then generate a prioritized action plan";
const PRICES: &str =
    "Scrape competitor prices from http://127.0.0.1:8080/shop.html, analyze trends, make report";

#[test]
fn the_website_audit() {
    insta::assert_snapshot!(all(AUDIT));
}

#[test]
fn the_price_report() {
    insta::assert_snapshot!(all(PRICES));
}

#[test]
fn everyday_requests() {
    let requests = [
        "Summarise the article at https://example.com/news/tea.html and email it to ann@example.com",
        "Find outliers in the column price of prices.csv and save them as an Excel workbook",
        "When does the TLS certificate of https://example.com/ run out?",
        "Check the accessibility of https://example.com/",
        "Convert notes.md to HTML",
        "Fetch https://example.com/a.html and https://example.com/b.html and extract the tables",
        "Describe sales.csv and make a PDF report",
        "Translate the menu into Klingon",
    ];
    for (number, request) in requests.into_iter().enumerate() {
        let name = format!("everyday_{}", number + 1);
        insta::assert_snapshot!(name, one(request, "balanced"), request);
    }
}
