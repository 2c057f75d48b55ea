//! Two plans in, their difference out.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn draft(value: Value) -> Draft {
    serde_json::from_value(value).unwrap()
}

fn steps(list: Value) -> Draft {
    draft(json!({"version": "1.0", "steps": list}))
}

fn told(old: Value, new: Value) -> String {
    text(&diff(&steps(old), &steps(new)))
}

#[test]
fn steps_are_added_removed_and_changed_field_by_field() {
    let old = json!([
        {"id": "pages", "tool": "site-crawl", "input": {"url": "http://a.example", "limit": 10}},
        {"id": "seo", "tool": "seo-score", "input": {"pages": "{{pages.pages}}"}},
        {"id": "each", "type": "loop", "over": "pages.pages", "step":
            {"id": "check", "tool": "meta-tags-check", "input": {"pages": ["{{item}}"]}}},
    ]);
    let new = json!([
        {"id": "pages", "tool": "site-crawl", "input": {"url": "http://b.example", "depth": 2}, "retry": {"max": 5}},
        {"id": "each", "type": "loop", "over": "pages.pages", "concurrency": 2, "steps": [
            {"id": "check", "tool": "meta-tags-check", "input": {"pages": ["{{item}}"]}},
            {"id": "alt", "tool": "alt-text-check", "input": {"pages": ["{{item}}"]}}]},
    ]);
    insta::assert_snapshot!(told(old, new), @r#"
    - seo: seo-score
    + alt: alt-text-check, place 2 inside each
    ~ pages
        input.url: "http://a.example" → "http://b.example"
        input.depth: nothing → 2
        input.limit: 10 → nothing
        retry: nothing → {"max":5}
    ~ each
        concurrency: nothing → 2
    "#);
}

#[test]
fn a_step_that_does_the_same_under_another_name_is_renamed() {
    let old = json!([
        {"id": "a", "tool": "page-fetch", "input": {"url": "http://a.example"}},
        {"id": "b", "tool": "page-fetch", "input": {"url": "http://b.example"}},
        {"id": "all", "type": "parallel", "steps": [{"id": "c", "tool": "t"}]},
    ]);
    let new = json!([
        {"id": "first", "tool": "page-fetch", "input": {"url": "http://a.example"}, "timeout_ms": 5},
        {"id": "b", "tool": "page-fetch", "input": {"url": "http://b.example"}},
        {"id": "group", "type": "parallel", "steps": [{"id": "c", "tool": "t"}]},
    ]);
    insta::assert_snapshot!(told(old, new), @r"
    ~ a is called first now
    ~ all is called group now
    ~ first
        timeout_ms: nothing → 5
    ");
}

#[test]
fn the_fewest_moves_that_explain_an_order_are_told() {
    let step = |id: &str| json!({"id": id, "tool": id});
    let old = json!([step("a"), step("b"), step("c"), step("d"), {"id": "g", "type": "parallel", "steps": [step("e")]}]);
    let new = json!([step("d"), step("a"), step("b"), {"id": "g", "type": "parallel", "steps": [step("e"), step("c")]}]);
    let branches = |then: Value, otherwise: Value| json!([{"id": "if_so", "type": "conditional", "condition": "true", "then": then, "otherwise": otherwise}]);
    assert_eq!(
        told(
            branches(json!([step("a")]), json!([])),
            branches(json!([]), json!([step("a")]))
        ),
        "~ a moved from place 1 inside if_so.then to place 1 inside if_so.otherwise"
    );
    insta::assert_snapshot!(told(old, new), @r"
    ~ d moved from place 4 to place 1
    ~ c moved from place 3 to place 2 inside g
    ");
}

#[test]
fn the_head_of_a_plan_is_compared_without_its_name() {
    let old = draft(
        json!({"version": "1.0", "id": "a", "objective": "x", "budget": {"calls": 3}, "steps": []}),
    );
    let new = draft(
        json!({"version": "1.0", "id": "b", "execution": "sequential", "budget": {"calls": 4}, "steps": []}),
    );
    insta::assert_snapshot!(text(&diff(&old, &new)), @r#"
    ~ plan
        execution: "dag" → "sequential"
        budget.calls: 3 → 4
        objective: "x" → nothing
    "#);
    insta::assert_json_snapshot!(diff(&old, &new).plan[0], @r#"
    {
      "field": "execution",
      "old": "dag",
      "new": "sequential"
    }
    "#);
}

fn lists() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..12_u8, 0..10).prop_map(|mut ids| {
        let mut seen = std::collections::BTreeSet::new();
        ids.retain(|id| seen.insert(*id));
        ids
    })
}

proptest! {
    #[test]
    fn a_plan_is_like_itself_and_every_step_is_accounted_for(old in lists(), new in lists()) {
        let plan = |ids: &[u8]| {
            let list: Vec<Value> = ids.iter().map(|id| json!({"id": format!("s{id}"), "tool": format!("t{id}")})).collect();
            steps(json!(list))
        };
        prop_assert!(diff(&plan(&old), &plan(&old)).is_empty());
        let found = diff(&plan(&old), &plan(&new));
        let shared = new.iter().filter(|id| old.contains(id)).count();
        prop_assert_eq!(found.added.len(), new.len() - shared);
        prop_assert_eq!(found.removed.len(), old.len() - shared);
        prop_assert!(found.moved.len() < shared.max(1));
        prop_assert!(found.changed.is_empty() && found.renamed.is_empty());
    }
}
