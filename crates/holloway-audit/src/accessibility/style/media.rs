//! Does a media query hold? Judged for a screen of a usual size, in a light scheme, with
//! a mouse, as a browser without settings shows the page.

use super::length::{HEIGHT, WIDTH};

/// Any query of the list; an empty list always holds.
pub(crate) fn holds(list: &str) -> bool {
    let list = list.trim().to_ascii_lowercase();
    list.is_empty() || list.split(',').any(|query| query_holds(query.trim()))
}

fn query_holds(query: &str) -> bool {
    let (negated, rest) = match query.strip_prefix("not ") {
        Some(rest) => (true, rest),
        None => (false, query.strip_prefix("only ").unwrap_or(query)),
    };
    let all = conditions(rest).iter().all(|part| condition(part));
    all != negated
}

/// The parts between `and`, outside of parentheses.
fn conditions(query: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_i32;
    let mut start = 0;
    for (at, byte) in query.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b' ' if depth == 0 => {
                if let Some((part, _)) = query.split_at_checked(at) {
                    parts.push(part.get(start..).unwrap_or_default());
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(query.get(start..).unwrap_or_default());
    parts.retain(|part| !part.is_empty() && *part != "and");
    parts
}

fn condition(part: &str) -> bool {
    let Some(inner) = part
        .strip_prefix('(')
        .and_then(|part| part.strip_suffix(')'))
    else {
        return matches!(part, "all" | "screen");
    };
    let inner = inner.trim();
    if let Some(rest) = inner.strip_prefix("not ") {
        return !condition(rest.trim());
    }
    // A group of conditions.
    if inner.starts_with('(') {
        return if inner.contains(" or ") {
            inner.split(" or ").any(|one| query_holds(one.trim()))
        } else {
            query_holds(inner)
        };
    }
    match inner.split_once(':') {
        Some((name, value)) => feature(name.trim(), value.trim()),
        None if inner.contains(['<', '>', '=']) => range(inner),
        None => matches!(inner, "color" | "hover" | "width" | "height" | "any-hover"),
    }
}

fn feature(name: &str, value: &str) -> bool {
    let size = pixels(value);
    match name {
        "min-width" | "min-device-width" => size.is_some_and(|size| WIDTH >= size),
        "max-width" | "max-device-width" => size.is_some_and(|size| WIDTH <= size),
        "min-height" | "min-device-height" => size.is_some_and(|size| HEIGHT >= size),
        "max-height" | "max-device-height" => size.is_some_and(|size| HEIGHT <= size),
        "orientation" => value == "landscape",
        "prefers-color-scheme" => value == "light",
        "prefers-reduced-motion"
        | "prefers-contrast"
        | "prefers-reduced-transparency"
        | "prefers-reduced-data" => value == "no-preference",
        "hover" | "any-hover" => value == "hover",
        "pointer" | "any-pointer" => value == "fine",
        "forced-colors" | "inverted-colors" => value == "none",
        "scripting" => value == "enabled",
        "update" => value == "fast",
        "min-resolution" | "-webkit-min-device-pixel-ratio" | "min-device-pixel-ratio" => value
            .trim_end_matches(|letter: char| letter.is_alphabetic())
            .parse::<f32>()
            .is_ok_and(|ratio| ratio <= 1.0),
        "color-gamut" => value == "srgb",
        "display-mode" => value == "browser",
        _ => false,
    }
}

/// `400px <= width < 700px` and its shorter forms.
fn range(text: &str) -> bool {
    let measure = if text.contains("height") {
        HEIGHT
    } else {
        WIDTH
    };
    let spaced = text
        .replace("<=", " ≤ ")
        .replace(">=", " ≥ ")
        .replace('<', " < ")
        .replace('>', " > ")
        .replace('=', " = ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let value = |word: &str| match word {
        "width" | "height" => Some(measure),
        other => pixels(other),
    };
    words.windows(3).step_by(2).all(|part| {
        let &[left, sign, right] = part else {
            return false;
        };
        let (Some(left), Some(right)) = (value(left), value(right)) else {
            return false;
        };
        match sign {
            "<" => left < right,
            ">" => left > right,
            "≤" => left <= right,
            "≥" => left >= right,
            _ => (left - right).abs() < f32::EPSILON,
        }
    })
}

fn pixels(value: &str) -> Option<f32> {
    let length = super::length::parse(&mut cssparser::Parser::new(value))?;
    Some(length.resolve(16.0, 16.0, 0.0))
}

#[cfg(test)]
mod tests {
    use super::holds;

    fn check(query: &str, expected: bool) {
        assert_eq!(holds(query), expected, "{query}");
    }

    #[test]
    fn queries_are_judged_for_a_usual_screen() {
        check("", true);
        check("screen", true);
        check("print", false);
        check("not print", true);
        check("only screen and (min-width: 768px)", true);
        check("(max-width: 600px)", false);
        check("print, (min-width: 40em)", true);
        check("(min-width: 600px) and (max-width: 900px)", false);
        check("(prefers-color-scheme: dark)", false);
        check("(prefers-reduced-motion: reduce)", false);
        check("(width >= 600px)", true);
        check("(400px <= width < 700px)", false);
        check("(hover: hover)", true);
        check("not all and (min-width: 100px)", false);
        check("(not (prefers-color-scheme: dark))", true);
        check("speech", false);
    }
}
