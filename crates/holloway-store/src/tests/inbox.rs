//! Do messages reach whoever carries out the run, once and in order?

use holloway_engine::entry::{Answer, Decision, RunId};
use serde_json::json;

use super::super::{Message, Store, StoreError};
use super::{append_steps, new_run, with_run};

fn answer() -> Message {
    Message::Answer(Answer {
        approval: "a1".to_owned(),
        decision: Decision::Edit(json!({"to": "someone else"})),
        digest: "d".to_owned(),
        by: "me".to_owned(),
        note: None,
        marks: holloway_engine::mark::Issued::new(),
    })
}

fn pause() -> Message {
    Message::Pause {
        by: "me".to_owned(),
    }
}

#[test]
fn messages_wait_until_they_are_marked() {
    let (folder, owner, run) = with_run();
    let other = Store::open(folder.path()).unwrap();
    other.post(&run, &answer()).unwrap();
    other.post(&run, &pause()).unwrap();
    let taken = owner.take(&run, 0).unwrap();
    let messages: Vec<_> = taken.iter().map(|(_, message)| message.clone()).collect();
    assert_eq!(messages, [answer(), pause()]);
    // Given out again after a crash, unless asked for later ones only.
    assert_eq!(owner.take(&run, 0).unwrap(), taken);
    assert_eq!(owner.take(&run, taken[0].0).unwrap(), taken[1..]);
    owner.mark_taken(&[taken[0].0]).unwrap();
    assert_eq!(owner.take(&run, 0).unwrap(), taken[1..]);
    owner.mark_taken(&[taken[1].0]).unwrap();
    assert_eq!(owner.take(&run, 0).unwrap(), []);
    other.post(&run, &pause()).unwrap();
    assert!(owner.take(&run, 0).unwrap()[0].0 > taken[1].0);
}

#[test]
fn a_message_is_for_one_run_that_exists() {
    let (_folder, store, run) = with_run();
    store.create_run(new_run("r2", 1)).unwrap();
    let cancel = Message::Cancel {
        by: "me".to_owned(),
    };
    store.post(&RunId::new("r2"), &cancel).unwrap();
    assert_eq!(store.take(&run, 0).unwrap(), []);
    let refused = store.post(&RunId::new("r3"), &cancel);
    assert!(matches!(refused, Err(StoreError::UnknownRun { .. })));
}

#[test]
fn a_watch_notices_changes_by_anyone_once() {
    let (folder, store, run) = with_run();
    let other = Store::open(folder.path()).unwrap();
    let mut watch = store.watch().unwrap();
    assert!(!watch.changed().unwrap());
    other.post(&run, &pause()).unwrap();
    assert!(watch.changed().unwrap());
    assert!(!watch.changed().unwrap());
    append_steps(&store, &run, 1, 1);
    assert!(watch.changed().unwrap());
    assert!(!watch.changed().unwrap());
}
