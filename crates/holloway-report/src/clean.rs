//! How is foreign text made harmless? Control characters go, markup is escaped, links
//! lead only where a reader expects.

/// Text without characters that break a format or hide what it says.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .filter(|character| allowed(*character))
        .collect()
}

/// On one line, with single spaces.
pub(crate) fn line(text: &str) -> String {
    let cleaned = clean(text);
    cleaned.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Directional overrides are left out: they let a text read otherwise than it is.
fn allowed(character: char) -> bool {
    match character {
        '\n' | '\t' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => false,
        '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    }
}

/// For text and attributes of HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars().filter(|character| allowed(*character)) {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The first `most` characters, with an ellipsis where something was cut.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if text.char_indices().nth(most).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// A target that is safe to follow; scripts and data are not.
pub(crate) fn safe_link(target: &str) -> Option<String> {
    let target = line(target).replace(' ', "%20");
    let scheme = target.split(['/', '?', '#']).next().unwrap_or_default();
    match scheme.split_once(':') {
        None => (!target.is_empty()).then_some(target),
        Some((scheme, _)) => {
            let known = ["http", "https", "mailto", "tel"];
            let scheme = scheme.to_ascii_lowercase();
            known.contains(&scheme.as_str()).then_some(target)
        }
    }
}

/// A link that leads out of the document, which is what a PDF can follow.
pub(crate) fn outside_link(target: &str) -> Option<String> {
    safe_link(target).filter(|target| target.contains(':'))
}

/// An area of an audit as people write it: `seo` is read letter by letter.
pub(crate) fn area(name: &str) -> String {
    match name.to_lowercase().as_str() {
        "seo" => "SEO".to_owned(),
        _ => words(name),
    }
}

/// `total_price` and `totalPrice` read as "Total price".
pub(crate) fn words(name: &str) -> String {
    let mut words = String::new();
    let mut previous = ' ';
    for character in line(name).chars() {
        if character.is_uppercase() && previous.is_lowercase() {
            words.push(' ');
            words.extend(character.to_lowercase());
        } else if matches!(character, '_' | '-') && previous.is_alphanumeric() {
            words.push(' ');
        } else {
            words.push(character);
        }
        previous = character;
    }
    let mut characters = words.trim().chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_controls_are_made_harmless() {
        let hostile = "<script>\u{0}alert('x')</script>\u{202e}&\"";
        let expected = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;";
        assert_eq!(escape(hostile), expected);
        assert_eq!(line(" a\n\tb\u{7}  c "), "a b c");
    }

    #[test]
    fn links_with_scripts_are_dropped() {
        let check = |target: &str, expected: Option<&str>| {
            assert_eq!(safe_link(target).as_deref(), expected, "{target}");
        };
        check("https://a.example/b:c", Some("https://a.example/b:c"));
        check("mailto:a@b.example", Some("mailto:a@b.example"));
        check("/page?x=1:2", Some("/page?x=1:2"));
        check("#part", Some("#part"));
        check("javascript:alert(1)", None);
        check("JaVa\nScript:alert(1)", None);
        check("java\u{0}script:alert(1)", None);
        check("data:text/html,x", None);
        check("vbscript:x", None);
        check("", None);
    }

    #[test]
    fn names_become_words() {
        for (name, expected) in [
            ("total_price", "Total price"),
            ("totalPrice", "Total price"),
            ("URL", "URL"),
            ("", ""),
        ] {
            assert_eq!(words(name), expected);
        }
        assert_eq!(shorten("abcdef", 4), "abc…");
        assert_eq!(shorten("abcd", 4), "abcd");
    }
}
