//! How `holloway run` tells a failure: what was wanted, what came, what was tried, what to do.

use crate::place::Place;

#[test]
fn an_expectation_that_is_not_met_is_told_in_plain_words() {
    let place = Place::with_plan(
        "version: '1.0'\nid: empty\nsteps:\n  - id: rows\n    purpose: Read the price list\n    tool: csv-parse\n    \
         input: {text: \"month,coffee\\n\"}\n    expect: [{that: 'rows | length > 0'}, {exists: 'rows[0].coffee'}]\n",
    );
    let ran = place.run("run plan.yaml");
    let entries = place.run("runs trace last");
    // The same text would be read in the same way again.
    assert!(!entries.stdout.contains("\"retryCount\": 1"), "{entries}");
    let verbose = place.run("run plan.yaml --quiet --verbose");
    for words in ["Expectation unmet", "retryable"] {
        assert!(!ran.to_string().contains(words), "{words}: {ran}");
        assert!(verbose.stderr.contains(words), "{words}: {verbose}");
    }
    place.check("failure_expectation", &[&ran]);
}

#[test]
fn failures_of_tools_name_the_step_the_tool_and_what_helps() {
    let place = Place::with_plan(
        "version: '1.0'\nid: gone\nexecution: sequential\nsteps:\n  - {id: lost, tool: fail, on_error: continue}\n  \
         - {id: notes, purpose: 'Read the notes', tool: file-read, input: {path: gone.txt}}\n",
    );
    let missing = place.run("run plan.yaml --quiet");
    let busy = Place::with_plan(
        "version: '1.0'\nid: busy\nsteps:\n  - {id: ask, tool: fail, input: {message: 'the service is busy', retryable: true}, retry: {max: 1, base_ms: 1}}\n",
    );
    let tried = busy.run("run plan.yaml --quiet");
    assert!(tried.stderr.contains("builtin/fail, 2 times"), "{tried}");
    place.check("failure_tools", &[&missing]);
}
