//! Numbers and texts within bounds.

use super::check::{check, check_plan};

#[test]
fn numbers_stay_within_bounds() {
    check(
        r"- id: a
  tool: summarize
  timeout_ms: 0
  retry: {max: 1000, factor: 0.1, jitter: 2}",
        r"5:3 Validation failed in step `a`, field `timeout_ms`: 0 is not between 1 and 86400000
  hint: choose a number from 1 to 86400000
6:11 Validation failed in step `a`, field `retry.max`: 1000 is not between 0 and 100
  hint: choose a number from 0 to 100
6:22 Validation failed in step `a`, field `retry.factor`: 0.1 is not between 1 and 1000
  hint: choose a number from 1 to 1000
6:35 Validation failed in step `a`, field `retry.jitter`: 2 is not between 0 and 1
  hint: choose a number from 0 to 1",
    );
    check(
        "- {id: a, type: loop, over: [1], concurrency: 0, max_items: 1000001, step: {id: b, tool: summarize}}",
        r"3:34 Validation failed in step `a`, field `concurrency`: 0 is not between 1 and 1000000
  hint: choose a number from 1 to 1000000
3:50 Validation failed in step `a`, field `max_items`: 1000001 is not between 1 and 1000000
  hint: choose a number from 1 to 1000000",
    );
    check_plan(
        r"version: '1.0'
budget: {money: -1}
steps:
- {id: a, tool: summarize}",
        r"2:10 Validation failed in field `budget.money`: -1 is not an amount
  hint: write 0 or more",
    );
}
