//! How does a picture stand on paper? As wide as it is meant to be, never higher than a page.

use krilla::image::Image as Pixels;

use super::super::item::{Item, Piece};
use super::super::prose::Band;
use super::super::sheet::SMALL;
use super::super::tags::Role;
use super::Layout;
use crate::clean;
use crate::model::Image;
use crate::picture::Picture;
use crate::rich::Span;

impl Layout<'_> {
    /// Nothing for what is no picture.
    pub(super) fn image(&mut self, image: &Image, band: Band) -> Vec<Piece> {
        let Some((pixels, share)) = pixels(image) else {
            return Vec::new();
        };
        let (across, down) = pixels.size();
        let ratio = down as f32 / across.max(1) as f32;
        let room = self.paper.text_height() - 100.0;
        let width = (band.width * share).min(room / ratio.max(0.01));
        let height = width * ratio;
        let tag = self.tags.add(Role::Figure(clean::line(&image.alt)), None);
        let piece = Piece {
            height,
            keep: !image.caption.is_empty(),
            items: vec![Item::Picture {
                x: band.x,
                y: 0.0,
                width,
                height,
                pixels,
                tag,
            }],
            ..Piece::default()
        };
        let mut pieces = vec![Piece::gap(6.0, true), piece];
        if !image.caption.is_empty() {
            let tag = self.tags.add(Role::Paragraph, None);
            let caption = clean::line(&image.caption);
            pieces.push(Piece::gap(3.0, true));
            pieces.extend(self.lines(&[Span::plain(&caption)], band, SMALL, tag));
        }
        pieces.push(Piece::gap(14.0, false));
        pieces
    }
}

fn pixels(image: &Image) -> Option<(Pixels, f32)> {
    let picture = Picture::read(image)?;
    let data = picture.bytes.into();
    let pixels = match picture.media {
        "image/png" => Pixels::from_png(data, true),
        "image/jpeg" => Pixels::from_jpeg(data, true),
        _ => Pixels::from_webp(data, true),
    };
    Some((pixels.ok()?, picture.share as f32))
}
