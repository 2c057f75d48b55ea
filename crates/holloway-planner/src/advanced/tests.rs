//! Tasks and a catalogue in, tracked plans out; every one of them is a sound plan.

use holloway_plan::limits::Limits;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_plan::write;
use holloway_search::entry::Entry;
use holloway_search::rank::{Health, Repute};
use serde_json::{Value, json};

use super::*;

/// A tool of the test catalogue, with what the search sees of it.
pub(super) struct Sample {
    pub(super) id: &'static str,
    pub(super) description: &'static str,
    pub(super) effect: Effect,
    pub(super) input: Value,
    pub(super) output: Value,
    pub(super) latency_ms: u64,
    pub(super) price: f64,
    pub(super) quality: f32,
    pub(super) health: Health,
}

impl Sample {
    pub(super) fn new(
        id: &'static str,
        description: &'static str,
        input: Value,
        output: Value,
    ) -> Self {
        Self {
            id,
            description,
            effect: Effect::Read,
            input,
            output,
            latency_ms: 300,
            price: 0.0,
            quality: 0.5,
            health: Health::Healthy,
        }
    }

    fn parts(self) -> (ToolSpec, Entry, Repute) {
        let object = |properties: &Value, required: Vec<&String>| {
            json!({"type": "object", "properties": properties, "required": required,
                "additionalProperties": false})
        };
        let needed = |properties: &Value| -> Value {
            let all = properties.as_object().unwrap();
            let needed = all
                .iter()
                .filter(|(_, schema)| schema.get("default").is_none());
            object(properties, needed.map(|(name, _)| name).collect())
        };
        let mut spec = ToolSpec::named(self.id)
            .with_effect(self.effect)
            .with_input(needed(&self.input))
            .with_output(needed(&self.output));
        self.description.clone_into(&mut spec.description);
        spec.latency_ms = Some(self.latency_ms);
        spec.price = Some(self.price);
        let entry = Entry {
            id: self.id.to_owned(),
            name: spec.id.name().to_owned(),
            description: self.description.to_owned(),
            ..Entry::default()
        };
        let entry = entry.with_schema(&spec.input_schema);
        let repute = Repute {
            quality: self.quality,
            health: self.health,
            ..Repute::default()
        };
        (spec, entry, repute)
    }
}

pub(super) fn catalogue(samples: Vec<Sample>) -> Catalogue {
    Catalogue::new(samples.into_iter().map(Sample::parts))
}

pub(super) fn samples() -> Vec<Sample> {
    let text = json!({"type": "string"});
    let rows = json!({"type": "array", "items": {"type": "object"}});
    let search_input = json!({"query": text, "limit": {"type": "integer", "default": 10}});
    let search_output = json!({"urls": {"type": "array", "items": text}});
    let mut quick = Sample::new(
        "mcp.quick/web_search",
        "Searches the web quickly. Returns addresses of pages",
        search_input.clone(),
        search_output.clone(),
    );
    (quick.latency_ms, quick.quality) = (100, 0.3);
    let mut deep = Sample::new(
        "mcp.deep/web_search_deep",
        "Searches the web deeply. Returns addresses of pages",
        search_input,
        search_output,
    );
    (deep.latency_ms, deep.quality, deep.price) = (9_000, 1.0, 0.05);
    let mut write = Sample::new(
        "builtin/report-write",
        "Writes a report as a file. Returns where it is",
        json!({"path": text, "rows": rows}),
        json!({"path": text, "bytes": {"type": "integer"}}),
    );
    write.effect = Effect::Idempotent;
    vec![
        quick,
        deep,
        Sample::new(
            "builtin/page-fetch",
            "Fetches one web page. Returns its status and text",
            json!({"url": text}),
            json!({"status": {"type": "integer"}, "html": text}),
        ),
        Sample::new(
            "builtin/price-extract",
            "Extracts prices from the HTML of a page. Returns rows",
            json!({"html": text}),
            json!({"rows": rows}),
        ),
        write,
    ]
}

pub(super) fn task(id: &str, action: &str, needs: &[&str]) -> SubTaskItem {
    SubTaskItem {
        id: id.to_owned(),
        action: action.to_owned(),
        depends_on: needs.iter().map(|need| (*need).to_owned()).collect(),
        ..SubTaskItem::default()
    }
}

fn market() -> Vec<SubTaskItem> {
    let mut report = task("report", "write a report file", &["prices"]);
    report
        .inputs
        .insert("path".to_owned(), json!("out/prices.pdf"));
    report.success_criteria = vec![
        "file exists at out/prices.pdf".to_owned(),
        "it is pretty".to_owned(),
    ];
    vec![
        task("find", "web search for competitors", &[]),
        task("page", "fetch the page", &["find"]),
        task("prices", "extract prices", &["page"]),
        report,
    ]
}

fn planned(tasks: &[SubTaskItem], constraints: &PlanningConstraints) -> TrackedPlan {
    let catalogue = catalogue(samples());
    let tracked = plan_advanced(tasks, constraints, &AtHand::tools(&catalogue)).unwrap();
    let limits = Limits::default();
    let around = Surroundings {
        tools: catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    if let Err(problems) = validate(&tracked.draft, &around) {
        panic!("{problems}\n{}", write::yaml(&tracked.draft));
    }
    tracked
}

fn constraints(priority: Priority) -> PlanningConstraints {
    PlanningConstraints {
        goal: "Know what others charge".to_owned(),
        priority,
        ..PlanningConstraints::default()
    }
}

#[test]
fn a_plan_for_speed_takes_the_quick_tool_and_tracks_itself() {
    let tracked = planned(&market(), &constraints(Priority::Speed));
    insta::assert_snapshot!(write::yaml(&tracked.draft), @r#"
    version: "1.0"
    objective: Know what others charge
    execution: dag
    steps:
      - id: find
        tool: mcp.quick/web_search
        purpose: web search for competitors
        input:
          query: competitors
        fallbacks:
          - mcp.deep/web_search_deep
        expect:
          - schema:
              type: object
              required:
                - urls
              properties:
                urls:
                  type: array
      - id: page
        tool: builtin/page-fetch
        purpose: fetch the page
        depends_on:
          - find
        input:
          url: "{{find.urls[0]}}"
        expect:
          - schema:
              type: object
              required:
                - status
                - html
              properties:
                status:
                  type: integer
                html:
                  type: string
          - that: status == 200
      - id: prices
        tool: builtin/price-extract
        purpose: extract prices
        depends_on:
          - page
        input:
          html: "{{page.html}}"
        expect:
          - schema:
              type: object
              required:
                - rows
              properties:
                rows:
                  type: array
      - id: report
        tool: builtin/report-write
        purpose: write a report file
        depends_on:
          - prices
        input:
          path: out/prices.pdf
          rows: "{{prices.rows}}"
        expect:
          - schema:
              type: object
              required:
                - path
                - bytes
              properties:
                path:
                  type: string
                bytes:
                  type: integer
          - exists: path
          - that: "bytes > 0"
    "#);
    insta::assert_json_snapshot!(tracked.tracker, @r#"
    {
      "goal": "Know what others charge",
      "nodes": 4,
      "nodes_done": 0,
      "nodes_failed": 0,
      "hypotheses": 7,
      "hypotheses_met": 0,
      "spent": 0.0,
      "budget": null,
      "to_reflect_on": []
    }
    "#);
    insta::assert_json_snapshot!(tracked.notes, @r#"
    [
      "report: “it is pretty” is for you to check; no tool can"
    ]
    "#);
}

#[test]
fn a_plan_for_fidelity_is_sequential_and_takes_the_better_tool() {
    let tracked = planned(&market(), &constraints(Priority::Fidelity));
    let first = &tracked.tasks[0];
    assert_eq!(first.tool.id.as_str(), "mcp.deep/web_search_deep");
    assert_eq!(
        tracked.draft.execution,
        holloway_plan::draft::Execution::Sequential
    );
}

#[test]
fn limits_of_money_and_time_change_the_tools_or_are_told() {
    let mut tight = constraints(Priority::Fidelity);
    tight.money = Some(0.01);
    let tracked = planned(&market(), &tight);
    assert_eq!(tracked.tasks[0].tool.id.as_str(), "mcp.quick/web_search");
    assert!(
        tracked
            .notes
            .iter()
            .any(|note| note.ends_with("planned for cost")),
        "{:?}",
        tracked.notes
    );
    assert_eq!(tracked.tracker.left(), Some(0.01));

    let mut hurried = constraints(Priority::Balanced);
    hurried.seconds = Some(0.2);
    let tracked = planned(&market(), &hurried);
    let last = tracked.notes.last().unwrap();
    assert_eq!(
        last,
        "expected to take 1.0 s, more than the 0.2 s allowed, with any tools at hand"
    );
}

#[test]
fn tasks_of_the_planning_pattern_become_a_plan() {
    let document = json!({"objective": "Prices", "steps": [
        {"id": 1, "action": "web search", "tools": ["web_search"], "inputs": {"query": "shops"}},
        {"id": 2, "desc": "fetch the page", "depends_on": [1], "inputs": {"url": "{{1.urls[0]}}"}, "success_criteria": "status == 200"},
    ]});
    let pattern = tasks::pattern::read(&document).unwrap();
    let tracked = planned(&pattern.tasks, &constraints(Priority::Speed));
    let input = tracked.draft.steps[1].input.as_ref().unwrap();
    assert_eq!(*input, json!({"url": "{{step_1.urls[0]}}"}));
    assert_eq!(tracked.draft.steps[1].depends_on, ["step_1"]);
}

#[test]
fn errors_of_every_stage_come_through() {
    let catalogue = catalogue(samples());
    let fail = |tasks: &[SubTaskItem]| {
        let planned = plan_advanced(
            tasks,
            &constraints(Priority::Speed),
            &AtHand::tools(&catalogue),
        );
        planned.unwrap_err().to_string()
    };
    let cycle = [task("a", "search", &["b"]), task("b", "search", &["a"])];
    assert!(fail(&cycle).contains("wait for each other"));
    let unknown = [task("a", "knit a pullover", &[])];
    assert!(fail(&unknown).starts_with("no tool at hand does `knit a pullover` (task `a`)"));
}

#[test]
fn whatever_the_tasks_a_plan_is_sound_or_refused() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    let catalogue = catalogue(samples());
    let action = prop::sample::select(vec![
        "web search",
        "fetch the page",
        "extract prices",
        "write a report file",
        "knit a pullover",
    ]);
    let criterion = prop::sample::select(vec![
        "status == 200",
        "at least 3 rows",
        "file exists",
        "a > b > {{ c",
        "rows",
    ]);
    let task = (
        "\\PC{0,4}",
        action,
        prop::collection::vec(0..8_usize, 0..3),
        criterion,
    );
    let tasks = prop::collection::vec(task, 0..8);
    let priority = prop::sample::select(vec![
        Priority::Balanced,
        Priority::Speed,
        Priority::Cost,
        Priority::Fidelity,
    ]);
    let cases = Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    };
    let planned = std::cell::Cell::new(0);
    let checked = TestRunner::new(cases).run(&(tasks, priority), |(tasks, priority)| {
        let id = |place: usize| tasks.get(place).map(|task| format!("{}{place}", task.0));
        let items = tasks
            .iter()
            .enumerate()
            .map(|(place, (_, action, needs, criterion))| {
                // Cycles are refused, and so say nothing about plans.
                let needs = needs.iter().filter(|need| **need < place);
                let needs = needs.filter_map(|need| id(*need));
                SubTaskItem {
                    id: id(place).unwrap_or_default(),
                    action: (*action).to_owned(),
                    depends_on: needs.collect(),
                    success_criteria: vec![(*criterion).to_owned()],
                    ..SubTaskItem::default()
                }
            });
        let items: Vec<SubTaskItem> = items.collect();
        if let Ok(tracked) =
            plan_advanced(&items, &constraints(priority), &AtHand::tools(&catalogue))
        {
            let limits = Limits::default();
            let around = Surroundings {
                tools: catalogue.table(),
                plans: &NoPlans,
                context: &[],
                limits: &limits,
            };
            let sound = validate(&tracked.draft, &around);
            // A plan without steps says nothing; that it is refused is right.
            let told = sound.map_err(|problems| problems.to_string());
            prop_assert!(items.is_empty() || told.is_ok(), "{:?}", told.err());
            planned.set(planned.get() + 1);
        }
        Ok(())
    });
    checked.unwrap();
    assert!(planned.get() > 10, "only {} became plans", planned.get());
}
