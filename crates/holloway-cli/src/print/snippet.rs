//! How is a problem with a plan shown? As compilers do it: code and sentence, the
//! place, the line itself with a mark under it, a hint.

use holloway_plan::place::Position;
use holloway_plan::problem::Problem;

use super::paint::Paint;
use super::{indented, one_line, units, visible};
use crate::error::Unsound;

/// Longer lines are shown in part, around the mark.
const WIDEST: usize = 100;
/// How much of a long line stands before the mark.
const BEFORE: usize = 30;

/// Every problem, and how many there are.
pub(crate) fn all(unsound: &Unsound, paint: Paint) -> String {
    let mut text: Vec<String> = unsound
        .problems
        .iter()
        .map(|problem| one(problem, unsound, paint))
        .collect();
    let count = units::count(text.len(), "problem");
    text.push(format!(
        "{} has {count}",
        one_line(&unsound.name, usize::MAX)
    ));
    text.join("\n\n")
}

fn one(problem: &Problem, unsound: &Unsound, paint: Paint) -> String {
    let code = paint.red(&format!("error[{}]", problem.code.as_str()));
    let mut lines = vec![format!("{code}: {}", indented(&problem.to_string()))];
    if let Some(position) = problem.position {
        let place = format!("{}:{position}", one_line(&unsound.name, usize::MAX));
        lines.push(format!(" {} {place}", paint.cyan("-->")));
        lines.extend(marked(&unsound.text, position, paint));
    }
    if let Some(hint) = &problem.hint {
        lines.push(format!("{} {}", paint.cyan("hint:"), indented(hint)));
    }
    lines.join("\n")
}

/// The line at `position` with a mark under what is meant.
fn marked(text: &str, position: Position, paint: Paint) -> Vec<String> {
    let Some(line) = text.lines().nth(position.line.saturating_sub(1)) else {
        return Vec::new();
    };
    let shown = |text: &str| visible(text).replace('\t', " ");
    let letters: Vec<char> = shown(line).trim_end().chars().collect();
    // What is shown of a hidden character is longer than the character.
    let before: String = line
        .chars()
        .take(position.column.saturating_sub(1))
        .collect();
    let column = shown(&before).chars().count().min(letters.len());
    let start = if letters.len() > WIDEST {
        column.saturating_sub(BEFORE)
    } else {
        0
    };
    let shown: String = letters.iter().skip(start).take(WIDEST).collect();
    let rest = shown.chars().count().saturating_sub(column - start);
    let carets = "^".repeat(width_of_mark(&shown, column - start).clamp(1, rest.max(1)));
    let number = position.line.to_string();
    let margin = " ".repeat(number.len());
    let bar = paint.cyan("|");
    vec![
        format!("{margin} {bar}"),
        format!("{} {bar} {shown}", paint.cyan(&number)),
        format!(
            "{margin} {bar} {}{}",
            " ".repeat(column - start),
            paint.red(&carets)
        ),
    ]
}

/// To the end of what stands there, or to the comma or bracket that ends it.
fn width_of_mark(line: &str, column: usize) -> usize {
    let rest: Vec<char> = line.chars().skip(column).collect();
    let (mut depth, mut quote) = (0_usize, None);
    let ends = |letter: char| {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None => match letter {
                '"' | '\'' => quote = Some(letter),
                '{' | '[' => depth += 1,
                ',' | '}' | ']' if depth == 0 => return true,
                '}' | ']' => depth -= 1,
                _ => {}
            },
        }
        false
    };
    let end = rest.iter().copied().position(ends).unwrap_or(rest.len());
    let marked: String = rest.iter().take(end).collect();
    marked.trim_end_matches(['{', '[', ' ']).chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, line: usize, column: usize, expected: &str) {
        let shown = marked(text, Position { line, column }, Paint::off());
        assert_eq!(shown.join("\n"), expected);
    }

    #[test]
    fn the_mark_stands_under_what_is_meant() {
        check("a:\n  tool: x,", 2, 3, "  |\n2 |   tool: x,\n  |   ^^^^^^^");
        check("a", 1, 9, "  |\n1 | a\n  |  ^");
        check("a", 7, 1, "");
        check(
            "{a: {b: 'x, y'}, c: 1}",
            1,
            2,
            "  |\n1 | {a: {b: 'x, y'}, c: 1}\n  |  ^^^^^^^^^^^^^^",
        );
        check(
            "\u{202e}\u{1b}a: b",
            1,
            3,
            "  |\n1 | ⟨U+202E⟩\\x1ba: b\n  |             ^^^^",
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let text = format!("{}here{}", "x".repeat(500), "y".repeat(500));
        let shown = marked(
            &text,
            Position {
                line: 1,
                column: 501,
            },
            Paint::off(),
        );
        let expected = format!("1 | {}here{}", "x".repeat(30), "y".repeat(66));
        assert_eq!(shown.get(1), Some(&expected));
    }
}
