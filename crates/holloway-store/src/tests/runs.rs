//! Are runs found again, by name, by beginning, by what became of them?

use holloway_engine::entry::{EndStatus, RunId};
use serde_json::json;

use super::super::{Found, NewRun, RunFilter, RunStatus, Store, StoreError};
use super::{append, complete, entry, fresh, new_run, with_run};

fn names(store: &Store, filter: &RunFilter) -> Vec<String> {
    let runs = store.runs(filter).unwrap();
    runs.iter().map(|run| run.run.to_string()).collect()
}

#[test]
fn a_summary_tells_what_was_given() {
    let (_folder, store) = fresh();
    store
        .create_run(NewRun {
            forked_from: Some(RunId::new("r0")),
            ..new_run("r1", 77)
        })
        .unwrap();
    let summary = store.run(&RunId::new("r1")).unwrap().unwrap();
    insta::assert_json_snapshot!(summary, @r#"
    {
      "run": "r1",
      "plan_id": "prices",
      "plan_version": "v1",
      "objective": "Find the cheapest",
      "status": "created",
      "created_ms": 77,
      "updated_ms": 77,
      "forked_from": "r0",
      "entries": 0
    }
    "#);
    assert_eq!(store.run(&RunId::new("r2")).unwrap(), None);
}

#[test]
fn the_plan_comes_back_with_its_keys_in_order() {
    let (_folder, store) = fresh();
    let plan = json!({"version": "1.0", "id": "p", "steps": [{"z": 1, "a": 2}]});
    let new = NewRun {
        plan: plan.clone(),
        ..new_run("r1", 1)
    };
    store.create_run(new).unwrap();
    let found = store.plan_of(&RunId::new("r1")).unwrap();
    assert_eq!(found.to_string(), plan.to_string());
    assert!(matches!(
        store.plan_of(&RunId::new("r2")),
        Err(StoreError::UnknownRun { .. })
    ));
}

#[test]
fn a_name_is_given_once() {
    let (_folder, store, _run) = with_run();
    let error = store.create_run(new_run("r1", 2)).unwrap_err();
    insta::assert_snapshot!(error, @"there is a run `r1` already");
}

#[test]
fn a_name_must_be_fit_for_a_file() {
    let (_folder, store) = fresh();
    for name in ["", "..", "a/b", "a b", "a\0", "ü", &"x".repeat(65)] {
        let refused = store.create_run(new_run(name, 1));
        assert!(
            matches!(refused, Err(StoreError::BadRunId { .. })),
            "{name}"
        );
        let refused = store.claim(&RunId::new(name), "test");
        assert!(
            matches!(refused, Err(StoreError::BadRunId { .. })),
            "{name}"
        );
    }
    store.create_run(new_run(&"x".repeat(64), 1)).unwrap();
}

#[test]
fn the_list_is_newest_first_and_filtered() {
    let (_folder, store) = fresh();
    for (name, age) in [("r1", 30), ("r2", 10), ("r3", 20)] {
        store.create_run(new_run(name, age)).unwrap();
    }
    let other = NewRun {
        plan_id: "audit".to_owned(),
        ..new_run("r4", 5)
    };
    store.create_run(other).unwrap();
    let end = entry(1, complete(EndStatus::Succeeded));
    append(&store, &RunId::new("r3"), vec![end]).unwrap();
    let all = RunFilter::default();
    assert_eq!(names(&store, &all), ["r1", "r3", "r2", "r4"]);
    let limit = 2;
    assert_eq!(
        names(
            &store,
            &RunFilter {
                limit,
                ..all.clone()
            }
        ),
        ["r1", "r3"]
    );
    let status = Some(RunStatus::Succeeded);
    assert_eq!(
        names(
            &store,
            &RunFilter {
                status,
                ..all.clone()
            }
        ),
        ["r3"]
    );
    let plan_id = Some("audit".to_owned());
    assert_eq!(names(&store, &RunFilter { plan_id, ..all }), ["r4"]);
}

#[test]
fn a_run_is_found_by_the_beginning_of_its_name() {
    let (_folder, store) = fresh();
    for name in ["r3", "r3fa", "r3fb", "r4c1"] {
        store.create_run(new_run(name, 1)).unwrap();
    }
    let check = |beginning: &str, expected: &str| {
        let found = match store.find_run(beginning).unwrap() {
            Found::One(run) => run.run.to_string(),
            Found::Ambiguous(runs) => format!("{runs:?}"),
            Found::Missing => "missing".to_owned(),
        };
        assert_eq!(found, expected, "{beginning}");
    };
    check("r4", "r4c1");
    check("r3", "r3");
    check("r3f", "[RunId(\"r3fa\"), RunId(\"r3fb\")]");
    check("r5", "missing");
    check("%", "missing");
    check("r3fab", "missing");
}

#[test]
fn plans_are_saved_replaced_listed_and_removed() {
    let (_folder, store) = fresh();
    assert_eq!(store.saved_plan("p").unwrap(), None);
    store.save_plan("p", &json!({"z": 1})).unwrap();
    store.save_plan("p", &json!({"z": 2, "a": 1})).unwrap();
    store.save_plan("o", &json!({})).unwrap();
    let found = store.saved_plan("p").unwrap().unwrap();
    assert_eq!(found.to_string(), r#"{"z":2,"a":1}"#);
    let ids: Vec<_> = store
        .saved_plans()
        .unwrap()
        .into_iter()
        .map(|plan| plan.id)
        .collect();
    assert_eq!(ids, ["o", "p"]);
    assert!(store.remove_plan("p").unwrap());
    assert!(!store.remove_plan("p").unwrap());
    assert_eq!(store.saved_plan("p").unwrap(), None);
}

#[test]
fn a_plan_that_was_only_shown_is_found_by_its_id() {
    let (_folder, store) = fresh();
    assert_eq!(store.made_plan("a").unwrap(), None);
    let card = json!({"plan": {"steps": []}, "confidence": 0.8});
    store
        .keep_made_plan("a", "audit it", "quick", &json!({}))
        .unwrap();
    store
        .keep_made_plan("a", "audit it", "thorough", &card)
        .unwrap();
    let made = store.made_plan("a").unwrap().unwrap();
    let told = (made.request.as_str(), made.strategy.as_str(), &made.card);
    assert_eq!(told, ("audit it", "thorough", &card));
}
