//! What does a style sheet load? Other sheets, fonts and images that it names.

use cssparser::{ParseError, Parser, Token};
use holloway_audit::page::AssetKind;
use reqwest::Url;

/// Blocks inside blocks; what is deeper is left out.
const MAX_DEPTH: usize = 32;
const MAX_FOUND: usize = 2_000;

/// Something to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) url: Url,
    pub(crate) kind: AssetKind,
}

impl Reference {
    /// Only what is fetched over the network, without the part after `#`.
    pub(crate) fn of(mut url: Url, kind: AssetKind) -> Option<Self> {
        url.set_fragment(None);
        matches!(url.scheme(), "http" | "https").then_some(Self { url, kind })
    }
}

/// Everything a sheet names, in its order.
pub(crate) fn references(sheet: &str, base: &Url) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut parser = Parser::new(sheet);
    walk(&mut parser, base, false, 0, &mut found);
    found
}

/// Goes through the tokens; `in_font` inside a `@font-face`.
fn walk(
    parser: &mut Parser<'_>,
    base: &Url,
    in_font: bool,
    depth: usize,
    found: &mut Vec<Reference>,
) {
    let mut importing = false;
    let mut font = in_font;
    while found.len() < MAX_FOUND {
        let Ok(token) = parser.next().cloned() else {
            return;
        };
        let kind = if importing {
            AssetKind::Style
        } else {
            AssetKind::Image
        };
        match token {
            Token::AtKeyword(name) => {
                importing = name.eq_ignore_ascii_case("import");
                font = in_font || name.eq_ignore_ascii_case("font-face");
            }
            Token::Semicolon => {
                importing = false;
                font = in_font;
            }
            Token::UnquotedUrl(address) => add(&address, base, kind, font, found),
            Token::QuotedString(address) if importing => add(&address, base, kind, font, found),
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                let quoted = nested(parser, |inner| match inner.next() {
                    Ok(Token::QuotedString(address)) => Some(address.to_string()),
                    _ => None,
                });
                if let Some(address) = quoted.flatten() {
                    add(&address, base, kind, font, found);
                }
            }
            Token::Function(_)
            | Token::ParenthesisBlock
            | Token::SquareBracketBlock
            | Token::CurlyBracketBlock => {
                if depth < MAX_DEPTH {
                    nested(parser, |inner| walk(inner, base, font, depth + 1, found));
                }
                if matches!(token, Token::CurlyBracketBlock) {
                    importing = false;
                    font = in_font;
                }
            }
            _ => {}
        }
    }
}

fn nested<T>(parser: &mut Parser<'_>, read: impl FnOnce(&mut Parser<'_>) -> T) -> Option<T> {
    parser
        .parse_nested_block(|inner| Ok::<T, ParseError<()>>(read(inner)))
        .ok()
}

fn add(address: &str, base: &Url, kind: AssetKind, font: bool, found: &mut Vec<Reference>) {
    let Ok(url) = base.join(address.trim()) else {
        return;
    };
    let kind = if font { AssetKind::Font } else { kind };
    if !address.trim().is_empty() && !address.starts_with('#') {
        found.extend(Reference::of(url, kind));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sheet: &str, expected: &[&str]) {
        let base = Url::parse("https://a.example/css/main.css").unwrap();
        let found = references(sheet, &base).into_iter();
        let lines: Vec<String> = found
            .map(|reference| format!("{:?} {}", reference.kind, reference.url))
            .collect();
        assert_eq!(lines, expected, "{sheet}");
    }

    #[test]
    fn sheets_fonts_and_images_are_found() {
        check(
            "@import 'a.css'; @import url(\"b.css\") screen; @import url(c.css);\
             @font-face { font-family: F; src: url(f.woff2) format('woff2'), url('f.woff') }\
             @media print { p { background: url( x.png ) } } q { content: 'url(no.png)'; mask: url(#m) }\
             /* url(no.png) */ i { background-image: image-set(url('y.png') 1x) }",
            &[
                "Style https://a.example/css/a.css",
                "Style https://a.example/css/b.css",
                "Style https://a.example/css/c.css",
                "Font https://a.example/css/f.woff2",
                "Font https://a.example/css/f.woff",
                "Image https://a.example/css/x.png",
                "Image https://a.example/css/y.png",
            ],
        );
        check("p { background: url(data:image/png;base64,AA) }", &[]);
    }

    #[test]
    fn hostile_sheets_are_bounded() {
        check(&"{".repeat(200_000), &[]);
        check(&"url(".repeat(100_000), &[]);
        let base = Url::parse("https://a.example/").unwrap();
        let many = "i{background:url(x.png)}".repeat(5_000);
        assert_eq!(references(&many, &base).len(), MAX_FOUND);
    }
}
