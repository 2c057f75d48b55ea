//! May a model's plan say that nobody is asked? No: only a person may say so. Such words are
//! taken out, wherever they stand, and the policy decides.

use holloway_plan::step::{ApprovalRule, Step};

use super::each;

pub(in crate::model) fn left_to_policy(steps: &mut [Step], notes: &mut Vec<String>) {
    each(steps, &mut |step| {
        if step.approval == Some(ApprovalRule::Never) {
            step.approval = None;
            notes.push(format!(
                "step `{}` may not decide that nobody is asked, left to the policy",
                step.id
            ));
        }
    });
}

#[cfg(test)]
mod tests {
    use holloway_plan::draft::Draft;
    use serde_json::json;

    use super::*;

    fn rules_of(draft: &Draft) -> Vec<(String, Option<ApprovalRule>)> {
        let mut found = Vec::new();
        draft.walk(&mut |step| found.push((step.id.clone(), step.approval)));
        found
    }

    #[test]
    fn nobody_is_passed_over_however_deep_it_is_hidden() {
        let send =
            |id: &str, rule: &str| json!({"id": id, "tool": "send", "input": {}, "approval": rule});
        let answer = json!({"version": "1.0", "steps": [
            send("plain", "never"),
            send("careful", "always"),
            {"id": "each", "type": "loop", "over": [1], "as": "x", "approval": "never", "step": send("in_loop", "never")},
            {"id": "side", "type": "parallel", "steps": [send("beside", "never")]},
            {"id": "if", "type": "conditional", "condition": "1 > 0", "then": [send("then", "never")], "otherwise": [send("else", "never")]}
        ]});
        let parsed = crate::model::parse::draft::parse(&answer.to_string()).unwrap();
        let mut draft = parsed.draft;
        let before = rules_of(&draft);
        let never = before
            .iter()
            .filter(|(_, rule)| *rule == Some(ApprovalRule::Never));
        let never = never.count();
        assert_eq!(never, 6);
        let mut notes = Vec::new();
        left_to_policy(&mut draft.steps, &mut notes);
        for (id, rule) in rules_of(&draft) {
            let expected = (id == "careful").then_some(ApprovalRule::Always);
            assert_eq!(rule, expected, "{id}");
        }
        assert_eq!(notes.len(), never);
        assert_eq!(
            notes.first().map(String::as_str),
            Some("step `plain` may not decide that nobody is asked, left to the policy")
        );
    }

    #[test]
    fn a_step_read_early_is_no_exception() {
        let step = json!({"id": "a", "tool": "send", "approval": "never"});
        let step = crate::model::parse::draft::step_of(step).unwrap();
        assert_eq!(step.approval, None);
    }
}
