//! Drafts in, cards out.

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_search::entry::Entry;
use holloway_search::rank::{Health, Repute};
use serde_json::{Value, json};

use super::*;

fn catalogue() -> Catalogue {
    let tool = |id: &str, category: &str, price: f64| {
        let mut spec = ToolSpec::named(id).with_effect(Effect::Read);
        category.clone_into(&mut spec.category);
        spec.price = Some(price);
        spec.latency_ms = Some(100);
        let repute = Repute {
            health: Health::Healthy,
            ..Repute::default()
        };
        (spec, Entry::default(), repute)
    };
    Catalogue::new([
        tool("builtin/page-fetch", "web", 0.0),
        tool("builtin/seo-score", "seo", 0.01),
    ])
}

fn drafted(strategy: &str, steps: Value) -> Drafted {
    Drafted {
        strategy: strategy.to_owned(),
        draft: serde_json::from_value(
            json!({"version": "1.0", "objective": strategy, "steps": steps}),
        )
        .unwrap(),
        steps: vec![StepNote {
            step: "score".to_owned(),
            tool: "builtin/seo-score".to_owned(),
            reason: "“seo” in name".to_owned(),
            bindings: Vec::new(),
        }],
        coverage: vec![Coverage {
            domain: "seo".to_owned(),
            steps: 1,
            covered: 1,
            available: 1,
        }],
        missing: Vec::new(),
        serves: Vec::new(),
        open_inputs: Vec::new(),
        unused: Vec::new(),
        inferred: Vec::new(),
        fit: 0.9,
    }
}

fn made(drafted: Vec<Drafted>) -> Cards {
    let catalogue = catalogue();
    let making = Making {
        catalogue: &catalogue,
        constraints: &Constraints::default(),
        limits: &Limits::default(),
        skills: &categories,
        made_by: "the embedded planner",
    };
    cards(drafted, &making)
}

fn two_steps(purpose: &str) -> Value {
    json!([
        {"id": "page", "tool": "page-fetch", "input": {"url": "http://a.example"}},
        {"id": "all", "type": "parallel", "steps": [
            {"id": "score", "tool": "seo-score", "purpose": purpose, "input": {"page": "{{page}}"}},
        ]},
    ])
}

#[test]
fn cards_keep_the_order_of_their_drafts_and_say_what_became_of_the_rest() {
    let one_step = json!([{"id": "page", "tool": "page-fetch", "input": {}}]);
    let unsound = json!([{"id": "page", "tool": "no-such-tool"}]);
    let made = made(vec![
        drafted("thorough", two_steps("score it")),
        drafted("odd", unsound),
        drafted("balanced", two_steps("the same in other words")),
        drafted("quick", one_step),
    ]);
    let strategies: Vec<&str> = made
        .cards
        .iter()
        .map(|card| card.strategy.as_str())
        .collect();
    assert_eq!(strategies, ["thorough", "quick"]);
    let same = Same {
        strategy: "balanced".to_owned(),
        as_strategy: "thorough".to_owned(),
    };
    assert_eq!(made.same, [same]);
    let refused: Vec<&str> = made
        .refused
        .iter()
        .map(|one| one.strategy.as_str())
        .collect();
    assert_eq!(refused, ["odd"]);
}

#[test]
fn an_id_stands_for_the_draft_and_nothing_else() {
    let mut draft = drafted("thorough", two_steps("score it"));
    let id = id_of(&draft.draft);
    draft.draft.id = Some("my-audit".to_owned());
    assert_eq!(id_of(&draft.draft), id);
    let cards = made(vec![draft]).cards;
    assert_eq!(
        (cards[0].id.as_str(), cards[0].plan.id()),
        (id.as_str(), "my-audit".to_owned())
    );
    let unnamed = made(vec![drafted("thorough", two_steps("score it"))]).cards;
    assert_eq!(unnamed[0].plan.id(), id);
    assert_ne!(id_of(&drafted("thorough", two_steps("other")).draft), id);
}

#[test]
fn programs_see_cards_in_full_and_in_short() {
    let made = made(vec![drafted("thorough", two_steps("score it"))]);
    insta::assert_json_snapshot!(made.cards[0].view(), @r#"
    {
      "id": "plan-73b6c530a775",
      "strategy": "thorough",
      "objective": "thorough",
      "steps": [
        {
          "id": "page",
          "tool": "page-fetch",
          "purpose": ""
        },
        {
          "id": "score",
          "tool": "seo-score",
          "purpose": "score it",
          "reason": "“seo” in name"
        }
      ],
      "estimatedCost": 0.01,
      "estimatedDurationMs": 200,
      "confidence": 0.8955054890584588,
      "skills": [
        "seo",
        "web"
      ],
      "effects": [],
      "risks": [],
      "coverage": [
        {
          "domain": "seo",
          "steps": 1,
          "covered": 1,
          "available": 1
        }
      ],
      "missing": [],
      "openInputs": [],
      "madeBy": "the embedded planner",
      "plan": {
        "version": "1.0",
        "id": "plan-73b6c530a775",
        "objective": "thorough",
        "execution": "dag",
        "steps": [
          {
            "id": "page",
            "input": {
              "url": "http://a.example"
            },
            "tool": "page-fetch"
          },
          {
            "id": "all",
            "type": "parallel",
            "steps": [
              {
                "id": "score",
                "purpose": "score it",
                "input": {
                  "page": "{{page}}"
                },
                "tool": "seo-score"
              }
            ]
          }
        ]
      }
    }
    "#);
    insta::assert_json_snapshot!(made.cards[0].summary(), @r#"
    {
      "id": "plan-73b6c530a775",
      "strategy": "thorough",
      "steps": 2,
      "estimatedCost": 0.01,
      "confidence": 0.8955054890584588,
      "skills": [
        "seo",
        "web"
      ]
    }
    "#);
}
