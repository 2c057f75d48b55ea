//! Which characters are these bytes? As browsers decide: a byte order mark, then
//! what the server says, then what the page says about itself, then a guess.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use regex::bytes::Regex;

/// A page says its encoding within its first bytes.
const PRESCAN: usize = 1024;

/// The text of a page, and the encoding it was read with.
pub(crate) fn decode(body: &[u8], content_type: &str) -> (String, &'static Encoding) {
    let encoding = encoding_of(body, content_type);
    let (text, used, _) = encoding.decode(body);
    (text.into_owned(), used)
}

fn encoding_of(body: &[u8], content_type: &str) -> &'static Encoding {
    if let Some((marked, _)) = Encoding::for_bom(body) {
        return marked;
    }
    declared(content_type.as_bytes())
        .or_else(|| said_inside(body))
        .unwrap_or_else(|| guessed(body))
}

/// `charset=…` in a `Content-Type`.
fn declared(content_type: &[u8]) -> Option<&'static Encoding> {
    static CHARSET: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?i)charset\s*=\s*["']?\s*([a-z0-9_:.\-]+)"#).ok());
    let captured = CHARSET.as_ref()?.captures(content_type)?;
    Encoding::for_label(captured.get(1)?.as_bytes())
}

/// `<meta charset>`, its older form, or the declaration of an XML document.
fn said_inside(body: &[u8]) -> Option<&'static Encoding> {
    static META: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?is)<meta\s[^>]*?charset[^>]*>").ok());
    static XML: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?is)^\s*<\?xml[^>]*?encoding\s*=\s*["']([a-z0-9_:.\-]+)"#).ok()
    });
    let start = body.get(..PRESCAN).unwrap_or(body);
    let meta = META.as_ref().and_then(|meta| meta.find(start));
    if let Some(encoding) = meta.and_then(|meta| declared(meta.as_bytes())) {
        // Whoever reads this as ASCII cannot be UTF-16.
        let wide = encoding == UTF_16LE || encoding == UTF_16BE;
        return Some(if wide { UTF_8 } else { encoding });
    }
    let declaration = XML.as_ref()?.captures(start)?;
    Encoding::for_label(declaration.get(1)?.as_bytes())
}

fn guessed(body: &[u8]) -> &'static Encoding {
    let is_utf8 = match std::str::from_utf8(body) {
        Ok(_) => true,
        // Cut in the middle of a character.
        Err(error) => error.error_len().is_none(),
    };
    if is_utf8 { UTF_8 } else { WINDOWS_1252 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &[u8], content_type: &str, expected: (&str, &str)) {
        let (text, encoding) = decode(body, content_type);
        assert_eq!((text.as_str(), encoding.name()), expected);
    }

    #[test]
    fn the_strongest_word_counts() {
        check(
            b"gr\xfcn",
            "text/html; charset=ISO-8859-1",
            ("grün", "windows-1252"),
        );
        check("grün".as_bytes(), "text/html", ("grün", "UTF-8"));
        check(b"gr\xfcn", "text/html", ("grün", "windows-1252"));
        check(
            b"\xef\xbb\xbfgr\xc3\xbcn",
            "text/html; charset=latin1",
            ("grün", "UTF-8"),
        );
        check(b"\xff\xfea\0b\0", "", ("ab", "UTF-16LE"));
        check(b"gr\xc3", "", ("gr\u{fffd}", "UTF-8"));
        check(
            b"\x83\x65",
            "text/html;charset=\"shift_jis\"",
            ("テ", "Shift_JIS"),
        );
        check(b"x", "text/html; charset=no-such", ("x", "UTF-8"));
    }

    #[test]
    fn a_page_speaks_for_itself() {
        for head in [
            "<meta charset=\"windows-1251\">",
            "<META http-equiv='Content-Type' content='text/html; charset=windows-1251'>",
            "<?xml version=\"1.0\" encoding=\"windows-1251\"?>",
        ] {
            let body = [head.as_bytes(), b"\xcf\xf0\xe8\xe2\xe5\xf2"].concat();
            let expected = format!("{head}Привет");
            check(&body, "text/html", (&expected, "windows-1251"));
        }
        let wide = "<meta charset=utf-16>ü";
        check(wide.as_bytes(), "", (wide, "UTF-8"));
        let late = [
            vec![b' '; PRESCAN],
            b"<meta charset=windows-1251>\xcf\xf0".to_vec(),
        ]
        .concat();
        assert_eq!(decode(&late, "").1, WINDOWS_1252);
    }
}
