//! Which pseudo-classes can hold on a page at rest, and how are they written for the matcher?

use cssparser::{Parser, ToCss, Token};

use super::{Reading, parse, split, weigh};

impl Reading {
    pub(super) fn pseudo(&mut self, input: &mut Parser) -> Option<()> {
        match input.next_including_whitespace().ok()?.clone() {
            Token::Colon => {
                let name = input.expect_ident().ok()?.to_ascii_lowercase();
                self.box_beside(&name)
            }
            Token::Ident(name) => self.state(&name.to_ascii_lowercase()),
            Token::Function(name) => self.function(&name.to_ascii_lowercase(), input),
            _ => None,
        }
    }

    fn box_beside(&mut self, name: &str) -> Option<()> {
        self.pseudo = true;
        matches!(name, "before" | "after").then_some(())
    }

    fn state(&mut self, name: &str) -> Option<()> {
        let written = match name {
            "before" | "after" => return self.box_beside(name),
            "link" | "any-link" | "-webkit-any-link" => ":is(a[href],area[href])",
            "root" | "scope" => ":root",
            "empty" | "first-child" | "only-child" | "first-of-type" => {
                self.add(1);
                self.out.push(':');
                self.out.push_str(name);
                return Some(());
            }
            "last-child" | "last-of-type" | "only-of-type" => {
                self.slow = true;
                self.add(1);
                self.out.push(':');
                self.out.push_str(name);
                return Some(());
            }
            "checked" => ":is([checked],option[selected])",
            "disabled" => ":is(button,input,select,textarea,fieldset,option)[disabled]",
            "enabled" => ":is(button,input,select,textarea,fieldset):not([disabled])",
            "required" => "[required]",
            "optional" => ":is(input,select,textarea):not([required])",
            "read-write" => ":is(input,textarea):not([readonly],[disabled])",
            // Nobody has typed anything yet.
            "placeholder-shown" => ":is(input,textarea)[placeholder]:not([value])",
            "defined" => "",
            "open" => "[open]",
            _ => return None,
        };
        self.out.push_str(written);
        self.add(1);
        Some(())
    }

    fn function(&mut self, name: &str, input: &mut Parser) -> Option<()> {
        match name {
            "not" => self.alternatives("not", input),
            "is" | "matches" | "-webkit-any" | "-moz-any" => self.alternatives("is", input),
            "where" => self.alternatives("where", input),
            "has" => {
                let inner = raw(input)?;
                self.slow = true;
                self.conditions += 1;
                let most = split(&inner)
                    .filter_map(parse)
                    .map(|one| one.specificity)
                    .max();
                self.raise(most.unwrap_or(0));
                self.out.extend([":has(", inner.as_str(), ")"]);
                Some(())
            }
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                let inner = raw(input)?;
                self.slow = true;
                self.add(1);
                self.out.extend([":", name, "(", inner.as_str(), ")"]);
                Some(())
            }
            "lang" => {
                let inner = raw(input)?;
                let word = inner.trim_matches(['"', '\'', ' ']);
                self.add(1);
                self.out.push_str("[lang|=\"");
                self.out.push_str(&word.replace(['"', '\\'], ""));
                self.out.push_str("\"]");
                Some(())
            }
            _ => None,
        }
    }

    /// `:not`, `:is` and `:where`: what never matches falls out of the list.
    fn alternatives(&mut self, name: &str, input: &mut Parser) -> Option<()> {
        let inner = raw(input)?;
        let mut kept = Vec::new();
        let mut most = 0;
        for one in split(&inner) {
            let mut reading = Self::default();
            if reading.read(&mut Parser::new(one.trim())).is_none() || reading.pseudo {
                continue;
            }
            most = most.max(weigh(reading.counts));
            self.slow |= reading.slow;
            kept.push(reading.out);
        }
        self.conditions += 1;
        if name != "where" {
            self.raise(most);
        }
        if kept.is_empty() {
            return (name == "not").then_some(());
        }
        self.out
            .extend([":", name, "(", kept.join(",").as_str(), ")"]);
        Some(())
    }

    fn raise(&mut self, specificity: u32) {
        let parts = [
            specificity >> 16,
            specificity >> 8 & 0xff,
            specificity & 0xff,
        ];
        for (count, part) in self.counts.iter_mut().zip(parts) {
            *count += part;
        }
    }
}

/// The text inside the block that was just opened.
pub(super) fn raw(input: &mut Parser) -> Option<String> {
    let inner = input.parse_nested_block(|input| {
        let mut text = String::new();
        while let Ok(token) = input.next_including_whitespace().cloned() {
            write_token(&token, input, &mut text, 0);
        }
        Ok::<_, cssparser::ParseError<()>>(text)
    });
    inner.ok()
}

fn write_token(token: &Token, input: &mut Parser, text: &mut String, depth: usize) {
    let _ = token.to_css(text);
    let close = match token {
        Token::Function(_) | Token::ParenthesisBlock => ')',
        Token::SquareBracketBlock => ']',
        _ => return,
    };
    if depth < 20 {
        let _ = input.parse_nested_block(|input| {
            while let Ok(token) = input.next_including_whitespace().cloned() {
                write_token(&token, input, text, depth + 1);
            }
            Ok::<_, cssparser::ParseError<()>>(())
        });
    }
    text.push(close);
}
