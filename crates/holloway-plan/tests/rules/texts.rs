//! Documents that cannot be read at all, or only in part.

use super::check::{check, check_plan};

#[test]
fn mistakes_in_fields_are_all_told() {
    check(
        r"- {id: a, tool: [x], timeot_ms: 5, retry: {max: lots}}
- 7
- {id: b, tool: summarize, on_error: explode}",
        r#"3:11 Validation failed in step `a`, field `tool`: invalid type: sequence, expected a string
  hint: `docs/plan-format.md` lists the fields and what they hold
3:22 Validation failed in step `a`, field `timeot_ms`: there is no field `timeot_ms` here
  hint: did you mean `timeout_ms`?
3:36 Validation failed in step `a`, field `retry`: invalid type: string "lots", expected u32
  hint: `docs/plan-format.md` lists the fields and what they hold
4:3 Validation failed: a step is a mapping, found a number
  hint: write `- id: …` and `tool: …`
5:28 Validation failed in step `b`, field `on_error`: unknown variant `explode`, expected one of `fail`, `skip`, `continue`, `repair`, `ask`
  hint: `docs/plan-format.md` lists the fields and what they hold"#,
    );
}

#[test]
fn unreadable_texts_have_a_place() {
    check_plan(
        r#"{"version": "1.0",
 "steps": [}"#,
        r"2:12 Unreadable plan: expected a value, found `}`
  hint: check commas, quotes and brackets around this place",
    );
    check_plan(
        r"version: '1.0'
steps:
	- {}",
        r"3:2 Unreadable plan: tabs disallowed within this context (block indentation)
  hint: check indentation, quotes and colons around this place",
    );
}
