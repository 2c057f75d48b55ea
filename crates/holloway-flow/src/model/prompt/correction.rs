//! What is a model told when its answer was no good? What was found wrong, in the words a
//! person would get, and to send the whole thing again.

use holloway_plan::problem::Problems;

use holloway_engine::model::fence::{fenced, line};

/// More would only confuse.
const MOST: usize = 8;

/// Said where enough tools were looked for.
pub const OUT_OF_SEARCHES: &str =
    "No more searches. Answer the second question with the tools that were shown.";

/// What was wrong with plans, by their strategies.
pub fn of_plans(wrong: &[(String, Problems)]) -> String {
    let each = wrong.iter().map(|(strategies, problems)| {
        format!(
            "The plan for {strategies} was checked and cannot be used:\n{}",
            list(problems)
        )
    });
    let each: Vec<String> = each.collect();
    format!(
        "{}\n\nCorrect exactly this and send these plans again, whole. Plans that are not named here stand.",
        each.join("\n")
    )
}

/// What sound plans leave out of the goals, by their strategies.
pub fn of_short(short: &[(Vec<&str>, Vec<String>)]) -> String {
    let each = short.iter().map(|(strategies, lacks)| {
        let shown = lacks.iter().take(MOST);
        let shown: Vec<String> = shown.map(|one| format!("- {}", line(one, 400))).collect();
        format!(
            "The plan for {}:\n{}",
            strategies.join(", "),
            shown.join("\n")
        )
    });
    let each: Vec<String> = each.collect();
    format!(
        "These plans were compared with the goals, and do not show all of them:\n{}\n\nCorrect what is wrong and send these plans again, \
whole. Where nothing can be changed, answer {{\"keep\": []}}.",
        fenced("problems", &each.join("\n"))
    )
}

/// Strategies that nothing was said about.
pub fn of_lacking(strategies: &[&str]) -> String {
    format!(
        "There is no plan for {} yet. Send it; plans that were sent stand.",
        strategies.join(", ")
    )
}

fn list(problems: &Problems) -> String {
    let shown = problems.iter().take(MOST).map(|problem| {
        // Our commands are for people.
        let hint = problem
            .hint
            .as_ref()
            .filter(|hint| !hint.contains("`holloway "));
        let hint = hint.map(|hint| format!(" (hint: {})", line(hint, 300)));
        format!(
            "- {}{}",
            line(&problem.to_string(), 400),
            hint.unwrap_or_default()
        )
    });
    let mut shown: Vec<String> = shown.collect();
    let more = problems.iter().count().saturating_sub(MOST);
    if more > 0 {
        shown.push(format!("- and {more} more"));
    }
    shown.join("\n")
}

/// The answer was no JSON, or not to its end.
pub fn of_unreadable(why: &str) -> String {
    format!(
        "The answer could not be read: {}. Send it again as one complete JSON object, with nothing before or after it.",
        line(why, 300)
    )
}

/// What a request does not say, or what is not there.
pub fn of_troubles(troubles: &[String]) -> String {
    let shown = troubles.iter().take(MOST);
    let shown: Vec<String> = shown.map(|one| format!("- {}", line(one, 400))).collect();
    format!(
        "The answer was checked against the request and what is here:\n{}\n\nCorrect exactly this and send the whole JSON object again. \
What cannot be said in acts and slots goes to `unclear`.",
        fenced("problems", &shown.join("\n"))
    )
}

/// It was said that nothing is to be done.
pub fn of_no_plan(reading: &str) -> String {
    format!(
        "You say that no plan is needed. Another reader, which goes by words, sees this in the request:\n{}\n\nIf any of it is to be \
done, answer with goals. If not, send `no_plan` again. What stands in files you have not read.",
        fenced("reading", reading)
    )
}

/// The answer was too long.
pub fn of_cut_off(tokens: u64) -> String {
    format!(
        "The answer was cut off after {tokens} tokens. Send a shorter one: fewer steps, shorter texts."
    )
}
