//! What is a model told when its answer was no good? What was found wrong, in the words a
//! person would get, and to send the whole thing again.

use holloway_plan::problem::Problems;

use super::fence::line;

/// More would only confuse.
const MOST: usize = 8;

/// What was wrong with a plan.
pub fn of_problems(problems: &Problems) -> String {
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
    let shown: Vec<String> = shown.collect();
    let more = problems.iter().count().saturating_sub(MOST);
    let more = if more > 0 {
        format!("\n- and {more} more")
    } else {
        String::new()
    };
    format!(
        "The plan was checked and cannot be used:\n{}{more}\n\nCorrect exactly this and send the whole plan again, as one JSON object.",
        shown.join("\n")
    )
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
        shown.join("\n")
    )
}

/// The answer was too long.
pub fn of_cut_off(tokens: u64) -> String {
    format!(
        "The answer was cut off after {tokens} tokens. Send a shorter one: fewer steps, shorter texts."
    )
}
