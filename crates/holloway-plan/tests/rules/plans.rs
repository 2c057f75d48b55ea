//! Plans inside plans.

use super::check::check;

#[test]
fn inner_plans_are_sound() {
    check(
        "- {id: a, type: plan, plan: goood}",
        r"3:23 Unknown plan in step `a`, field `plan`: there is no saved plan `goood`
  hint: did you mean `good`?",
    );
    check(
        "- {id: a, type: plan, plan: broken}",
        r"3:23 Unknown plan in step `a`, field `plan`: the plan `broken` is not sound: Unknown tool in step `a`, field `tool`: there is no tool `nothing`
  hint: run `holloway check broken`",
    );
    check(
        "- {id: a, type: plan, plan: ping}",
        r"3:23 Unknown plan in step `a`, field `plan`: the plan `ping` is not sound: Deadlock detected in step `a`, field `plan`: the plan contains itself: ping → pong → ping
  hint: run `holloway check ping`",
    );
}

#[test]
fn their_input_fits() {
    check(
        "- {id: a, type: plan, plan: good}",
        r"3:3 Validation failed in step `a`, field `input`: the plan `good` needs `city`, which is not given
  hint: add `city` to the input",
    );
    check(
        "- {id: a, type: plan, plan: good, input: {city: 7}}",
        r#"3:43 Validation failed in step `a`, field `input.city`: the plan `good` does not take this: 7 is not of type "string"
  hint: change the value, or refer to one with `{{…}}`"#,
    );
    check(
        "- {id: a, type: plan, plan: good, input: {city: '{{input.x}}', town: x}}",
        r"3:64 Validation failed in step `a`, field `input.town`: the plan `good` does not know `town`
  hint: it takes city",
    );
}
