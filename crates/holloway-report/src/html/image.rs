//! How does a picture stand on a page? Inside the file itself, with what it shows in words.

use std::fmt::Write as _;

use crate::clean::{self, escape};
use crate::model::Image;
use crate::picture::Picture;

pub(super) fn row(images: &[Image]) -> String {
    let pictures: String = images.iter().map(html).collect();
    format!("<div class=\"images\">\n{pictures}</div>\n")
}

/// Nothing for what is no picture.
fn html(image: &Image) -> String {
    let Some(picture) = Picture::read(image) else {
        return String::new();
    };
    let width = (picture.share * 100.0).round();
    let mut html = format!(
        "<figure class=\"image\" style=\"width: {width}%\">\n<img src=\"data:{};base64,{}\" alt=\"{}\">\n",
        picture.media,
        picture.text,
        escape(&clean::line(&image.alt))
    );
    if !image.caption.is_empty() {
        let caption = escape(&clean::line(&image.caption));
        writeln!(html, "<figcaption>{caption}</figcaption>").ok();
    }
    html.push_str("</figure>\n");
    html
}
