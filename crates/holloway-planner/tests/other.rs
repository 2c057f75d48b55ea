//! Are plans over the tools of other people sensible? Everyday requests over a catalogue in
//! which most tools say nothing of their results, as outlines; and what no tool does.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use holloway_plan::limits::Limits;
use holloway_plan::step::Step;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::bind::PastArguments;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::frame::scene::Scene;
use holloway_planner::other::{OtherDraft, OtherSettings, What, draft_with, plan_other, undone};
use holloway_planner::read::model::understood;
use holloway_planner::read::other;
use holloway_planner::recall::Recall;
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;
use serde_json::{Value, json};

static FOREIGN: LazyLock<Catalogue> = LazyLock::new(|| {
    let lines = include_str!("data/foreign-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str::<ToolSpec>(line).unwrap());
    Catalogue::new(tools.map(entered))
});
static RECALL: LazyLock<Recall> = LazyLock::new(|| Recall::new(Arc::clone(FOREIGN.index())));

/// A tool as a catalogue takes it.
fn entered(tool: ToolSpec) -> (ToolSpec, Entry, Repute) {
    let entry = Entry {
        id: tool.id.to_string(),
        name: tool.id.name().to_owned(),
        server: tool.id.source().to_owned(),
        description: tool.description.clone(),
        ..Entry::default()
    };
    let entry = entry.with_schema(&tool.input_schema);
    (tool, entry, Repute::default())
}

fn drafts(request: &str) -> Vec<OtherDraft> {
    let frame = other::read(request);
    let sequences = RECALL.propose(&frame.text(), 3);
    let settings = OtherSettings::default();
    let past = PastArguments::default();
    plan_other(&frame, &FOREIGN, &sequences, &past, &settings)
}

/// The plan, a line for each call, and what no tool does.
fn outline(request: &str) -> String {
    let frame = other::read(request);
    let mut text = String::new();
    let lacking = match drafts(request).first() {
        Some(drafted) => {
            check(request, drafted);
            let input = drafted.draft.input.clone().unwrap_or_default();
            for step in &drafted.draft.steps {
                writeln!(text, "{}", call(step, &input)).unwrap();
            }
            drafted.undone.clone()
        }
        None => undone(&frame, &FOREIGN),
    };
    for goal in lacking {
        writeln!(text, "no tool: {}", frame.goals[goal].text).unwrap();
    }
    text
}

fn check(request: &str, drafted: &OtherDraft) {
    let limits = Limits::default();
    let around = Surroundings {
        tools: FOREIGN.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    if let Err(problems) = validate(&drafted.draft, &around) {
        panic!("{request}: {problems:?}");
    }
}

/// A call with its arguments; what the plan asks for stands as `?`.
fn call(step: &Step, input: &Value) -> String {
    let mut arguments = step.input.clone().unwrap_or_default().to_string();
    let properties = input.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let value = property.get("default");
        let value = value.map_or_else(|| "?".to_owned(), Value::to_string);
        arguments = arguments.replace(&format!("\"{{{{ input.{name} }}}}\""), &value);
    }
    let mut line = format!("{} {arguments}", step.tool.as_deref().unwrap_or("?"));
    if !step.depends_on.is_empty() {
        write!(line, " after {}", step.depends_on.join(", ")).unwrap();
    }
    line
}

#[test]
fn everyday_requests_over_foreign_tools() {
    let requests = [
        "create a git branch called fix-login and commit the staged changes with the message \"Fix login\"",
        "list the open issues of the repository octocat/hello-world and create a new issue about the failing tests",
        "open a pull request from fix-login to main in the repository octocat/hello-world",
        "what time is it in Tokyo when it is 9:00 in Oslo",
        "how many days are in February 2028",
        "sort data.csv by price and export it as sorted.csv",
        "add a row to sales.xlsx and make a chart of it",
        "merge a.pdf and b.pdf into all.pdf",
        "encrypt contract.pdf with a password",
        "rename notes.txt to ideas.txt",
        "fetch https://example.com and save it as page.md",
        "list all files in the downloads folder",
        "convert 350 fahrenheit to celsius",
        "what is 17 * 23",
        "roll two dice",
        "search my Notion for the roadmap page",
        "create a presentation about solar energy and save it as solar.pptx",
        "create a Word document called minutes.docx",
        "make a pie chart of sales by region",
        "query the sqlite database shop.db for the ten best customers",
    ];
    let outlines = requests.map(|request| format!("# {request}\n{}", outline(request)));
    insta::assert_snapshot!(outlines.join("\n"));
}

/// A document is opened before it is changed and saved after it; a thing that is made with
/// something gets it by another tool; "it" is where the thing before it is.
#[test]
fn one_clause_may_take_several_steps() {
    let requests = [
        "add a slide titled Risks to deck.pptx",
        "open deck.pptx, add a slide titled Risks and save it as deck2.pptx",
        "create minutes.docx with a heading Agenda",
        "remove duplicate rows from contacts.csv",
        "create a branch called fix-login and switch to it",
    ];
    let outlines = requests.map(|request| format!("# {request}\n{}", outline(request)));
    insta::assert_snapshot!(outlines.join("\n"));
}

#[test]
fn what_no_tool_does_is_said() {
    let requests = [
        "take a screenshot of https://example.com",
        "find recent papers about retrieval augmented generation and save the list to notes.md",
        "read the file report.txt and send a summary to the team on Slack",
        "get the transcript of the YouTube video https://www.youtube.com/watch?v=abc and summarise it",
        "search the web for the best hiking trails in Norway and save the results in a note",
        "what is the weather in Oslo tomorrow",
        "translate hello to French",
        "convert report.docx to markdown",
        "send an email to bob@example.com with the report",
        "query the sqlite database shop.db for the ten best customers and write them to a csv file",
    ];
    let outlines = requests.map(|request| format!("# {request}\n{}", outline(request)));
    insta::assert_snapshot!(outlines.join("\n"));
}

#[test]
fn sheets_are_left_to_the_tools_that_have_them() {
    for request in [
        "add a chart of the last 3 months to report.xlsx",
        "insert two rows above the totals where the header is in report.xlsx",
        "set a note on the last cell of report.xlsx",
    ] {
        let told = outline(request);
        assert!(!told.contains("not understood"), "{request}\n{told}");
        assert!(!told.is_empty(), "{request}");
    }
}

#[test]
fn files_go_where_they_belong() {
    let requests = [
        "merge a.pdf and b.pdf into all.pdf and then encrypt it with the password tulip7 as safe.pdf",
        "leave a note 'check with Tom' on cell C7 of the Costs sheet in budget.xlsx",
        "make a pie chart: rent 1200, food 450 and fun 200",
        "what time is it in Tokyo",
    ];
    let outlines = requests.map(|request| format!("# {request}\n{}", outline(request)));
    insta::assert_snapshot!(outlines.join("\n"));
}

/// Every goal and every thing that is named has what serves it, as it was bound.
#[test]
fn everything_that_is_said_is_accounted_for() {
    let request = "create a git branch called fix-login and send it to bob@example.com";
    let drafts = drafts(request);
    let served = drafts
        .first()
        .map(|draft| draft.serves.clone())
        .unwrap_or_default();
    let told = served.iter().map(|served| {
        let what = match served.what {
            What::Goal(_) => "goal",
            What::Entity(_) => "named",
        };
        let step = served.step.as_deref().unwrap_or("nothing");
        let argument = served.argument.as_deref().unwrap_or_default();
        format!("{what} {}: {step} {argument}", served.said)
    });
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"));
}

/// The foreign tools and one with an act that neither code nor data has heard of; its name and
/// description do not help to find it.
fn with_new_act() -> Catalogue {
    let lines = include_str!("data/foreign-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str::<ToolSpec>(line).unwrap());
    let schema = json!({
        "type": "object",
        "properties": {"words": {"type": "string", "description": "A text"}},
        "required": ["words"]
    });
    let mut own = ToolSpec::named("lab/q7")
        .with_effect(Effect::Read)
        .with_input(schema);
    "Seventh unit of the lab.".clone_into(&mut own.description);
    own.does = vec!["spoonerize text:words -> text:result".parse().unwrap()];
    Catalogue::new(tools.chain([own]).map(entered))
}

#[test]
fn a_tool_with_a_new_act_is_reached_by_its_verb() {
    let catalogue = with_new_act();
    let recall = Recall::new(Arc::clone(catalogue.index()));
    let plan = |request: &str| {
        let frame = other::read(request);
        let sequences = recall.propose(&frame.text(), 3);
        let past = PastArguments::default();
        plan_other(
            &frame,
            &catalogue,
            &sequences,
            &past,
            &OtherSettings::default(),
        )
    };
    for request in [
        "spoonerize \"a crushing blow\"",
        "please spoonerise \"a crushing blow\"",
    ] {
        let drafts = plan(request);
        let first = drafts
            .first()
            .unwrap_or_else(|| panic!("{request}: no plan"));
        let [step] = first.draft.steps.as_slice() else {
            panic!("{request}: {:?}", first.draft.steps);
        };
        assert_eq!(step.tool.as_deref(), Some("q7"), "{request}");
        assert_eq!(
            step.input,
            Some(json!({"words": "a crushing blow"})),
            "{request}"
        );
        assert!(first.undone.is_empty() && first.open_inputs.is_empty());
        assert!(first.serves.iter().all(|served| served.step.is_some()));
        assert!(!first.signs.is_doubtful(), "{request}");
    }
    let others = plan("what is the weather in Oslo");
    let tools = others.iter().flat_map(|draft| &draft.draft.steps);
    assert!(
        !tools
            .into_iter()
            .any(|step| step.tool.as_deref() == Some("q7"))
    );
}

#[test]
fn what_a_model_gives_by_name_reaches_the_tool() {
    let answer = json!({"goals": [{
        "act": "other", "words": "spoonerize the phrase", "verb": "spoonerize", "object": "phrase",
        "arguments": {"tone": "dry", "rounds": "3"},
    }]});
    let request = "spoonerize the phrase, three times and without a smile";
    let read = understood(&answer, request, &Scene::default()).unwrap();
    let frame = other::of_goals(&read.frame.goals);
    assert_eq!(frame.goals[0].clause.action.verb, "spoonerize");
    assert_eq!(frame.goals[0].clause.action.object, ["phrase"]);
    let tool = ToolSpec::named("lab/spoonerize").with_input(json!({
        "type": "object", "required": ["tone", "rounds"],
        "properties": {"tone": {"type": "string"}, "rounds": {"type": "integer"}},
    }));
    let catalogue = Catalogue::new([entered(tool)]);
    let draft = draft_with(&frame, &catalogue, &[0], &OtherSettings::default()).unwrap();
    let input = draft.draft.steps[0].input.clone();
    assert_eq!(input, Some(json!({"tone": "dry", "rounds": 3})));
}
