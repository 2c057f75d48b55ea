//! Is this a picture that a document can hold? Decided by its first bytes, not by what it is called.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::model::Image;

/// A larger picture makes a document that nobody can send.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// A picture that was looked at.
pub(crate) struct Picture {
    pub(crate) media: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// The same in base64 without anything else between.
    pub(crate) text: String,
    /// Share of the width of the page.
    pub(crate) share: f64,
}

impl Picture {
    /// Nothing for what is no PNG, JPEG or WebP, or is too large.
    pub(crate) fn read(image: &Image) -> Option<Self> {
        let data = image
            .data
            .rsplit_once("base64,")
            .map_or(image.data.as_str(), |(_, data)| data);
        if data.len() > MOST_BYTES * 4 / 3 {
            return None;
        }
        let bytes = STANDARD.decode(data.trim()).ok()?;
        let media = media(&bytes)?;
        let share = if image.width.is_finite() {
            image.width.clamp(0.1, 1.0)
        } else {
            1.0
        };
        Some(Self {
            media,
            text: STANDARD.encode(&bytes),
            bytes,
            share,
        })
    }
}

fn media(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(data: &str, expected: Option<&str>) {
        let image = Image {
            data: data.to_owned(),
            width: f64::NAN,
            ..Image::default()
        };
        let media = Picture::read(&image).map(|picture| picture.media);
        assert_eq!(media, expected, "{data}");
    }

    #[test]
    fn only_pictures_are_taken() {
        let png = STANDARD.encode(b"\x89PNG\r\n\x1a\n...");
        check(&png, Some("image/png"));
        check(&format!("data:image/png;base64,{png}"), Some("image/png"));
        check(&STANDARD.encode(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
        check(&STANDARD.encode(b"<svg onload=alert(1)>"), None);
        check("\" onerror=\"x", None);
        check("", None);
    }
}
