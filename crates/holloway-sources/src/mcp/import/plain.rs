//! How is JSON read that people have written for an editor? Comments and commas too
//! many become blanks, so that places in messages stay those of the file.

/// The text as strict JSON, with everything at its old place.
pub(super) fn json(text: &str) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut plain = without_comments(text);
    blank_commas(&mut plain);
    plain.into_iter().collect()
}

fn without_comments(text: &str) -> Vec<char> {
    let mut plain = Vec::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut in_string = false;
    while let Some(character) = characters.next() {
        if in_string {
            plain.push(character);
            match character {
                '"' => in_string = false,
                '\\' => plain.extend(characters.next()),
                _ => {}
            }
            continue;
        }
        match (character, characters.peek()) {
            ('"', _) => {
                in_string = true;
                plain.push(character);
            }
            ('/', Some('/')) => {
                plain.push(' ');
                while let Some(blank) = characters.next_if(|next| *next != '\n') {
                    plain.push(blank_for(blank));
                }
            }
            ('/', Some('*')) => {
                plain.push(' ');
                blank_block(&mut characters, &mut plain);
            }
            _ => plain.push(character),
        }
    }
    plain
}

fn blank_block(characters: &mut impl Iterator<Item = char>, plain: &mut Vec<char>) {
    plain.extend(characters.next().map(blank_for));
    let mut star = false;
    for character in characters {
        plain.push(blank_for(character));
        if star && character == '/' {
            return;
        }
        star = character == '*';
    }
}

fn blank_for(character: char) -> char {
    if character == '\n' { '\n' } else { ' ' }
}

/// A comma with nothing after it but the end of its list.
fn blank_commas(plain: &mut [char]) {
    let mut in_string = false;
    let mut escaped = false;
    let mut comma: Option<usize> = None;
    let mut surplus = Vec::new();
    for (place, character) in plain.iter().enumerate() {
        if in_string {
            in_string = escaped || *character != '"';
            escaped = *character == '\\' && !escaped;
            continue;
        }
        match character {
            ',' => comma = Some(place),
            '}' | ']' => surplus.extend(comma.take()),
            _ if character.is_whitespace() => {}
            _ => {
                comma = None;
                in_string = *character == '"';
            }
        }
    }
    for place in surplus {
        if let Some(character) = plain.get_mut(place) {
            *character = ' ';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(json(text), expected, "{text:?}");
    }

    #[test]
    fn comments_and_surplus_commas_become_blanks() {
        check("{\"a\": 1, // one\n}", "{\"a\": 1        \n}");
        check("[1, /* two\n*/ 2,]", "[1,       \n   2 ]");
        check("{\"a\": [1,],}", "{\"a\": [1 ] }");
        check("\u{FEFF}{}", "{}");
        check("/**/{}", "    {}");
        check("/* open", "       ");
    }

    #[test]
    fn texts_are_left_alone() {
        for text in [
            r#"{"a": "http://x/,]}"}"#,
            r#"{"a": "/* no */ \" // , ]"}"#,
            r#"["\\", 1]"#,
            "[1, 2]",
            r#"["a,", "b"]"#,
        ] {
            check(text, text);
        }
    }
}
