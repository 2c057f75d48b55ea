//! Are results remembered for as long as they are good?

use holloway_engine::ports::Memory;
use serde_json::json;

use super::super::Store;
use super::fresh;

#[test]
fn a_result_is_good_for_its_time_to_live() {
    let (folder, store) = fresh();
    assert_eq!(store.recall("k", 1_000, 100), None);
    store.remember("k", 1_000, &json!({"price": 1}));
    store.flush().unwrap();
    let other = Store::open(folder.path()).unwrap();
    for (now, expected) in [(1_000, true), (1_100, true), (1_101, false)] {
        assert_eq!(other.recall("k", now, 100).is_some(), expected, "{now}");
    }
    assert_eq!(other.recall("l", 1_000, 100), None);
}

#[test]
fn the_newer_result_stays() {
    let (_folder, store) = fresh();
    store.remember("k", 2_000, &json!("new"));
    store.remember("k", 1_000, &json!("late, but older"));
    store.flush().unwrap();
    assert_eq!(store.recall("k", 2_000, 10), Some(json!("new")));
    store.remember("k", 3_000, &json!("newest"));
    store.flush().unwrap();
    assert_eq!(store.recall("k", 3_000, 10), Some(json!("newest")));
}

#[test]
fn old_results_can_be_forgotten() {
    let (_folder, store) = fresh();
    store.remember("old", 1_000, &json!(1));
    store.remember("new", 2_000, &json!(2));
    store.forget_before(1_500).unwrap();
    assert_eq!(store.recall("old", 2_000, 5_000), None);
    assert_eq!(store.recall("new", 2_000, 5_000), Some(json!(2)));
}

#[test]
fn what_is_handed_in_before_the_end_is_kept() {
    let (folder, store) = fresh();
    store.remember("k", 1_000, &json!(1));
    drop(store);
    let again = Store::open(folder.path()).unwrap();
    assert_eq!(again.recall("k", 1_000, 0), Some(json!(1)));
}
