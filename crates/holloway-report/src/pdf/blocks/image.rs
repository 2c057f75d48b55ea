//! How do pictures stand on paper? Beside each other, as wide as they are meant to be, never
//! higher than a page.

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

/// Between two pictures.
const GAP: f32 = 12.0;

impl Layout<'_> {
    /// Beside each other, a new row where the page ends.
    pub(super) fn images(&mut self, images: &[Image], band: Band) -> Vec<Piece> {
        let mut pieces = vec![Piece::gap(6.0, true)];
        let mut row = Piece::default();
        let mut x = 0.0;
        for image in images {
            let Some((pixels, share)) = pixels(image) else {
                continue;
            };
            let (across, down) = pixels.size();
            let ratio = down as f32 / across.max(1) as f32;
            let room = self.paper.text_height() - 100.0;
            let width = (band.width * share).min(room / ratio.max(0.01));
            if x > 0.0 && x + width > band.width {
                pieces.push(std::mem::take(&mut row));
                pieces.push(Piece::gap(GAP, false));
                x = 0.0;
            }
            let height = width * ratio;
            let tag = self.tags.add(Role::Figure(clean::line(&image.alt)), None);
            row.items.push(Item::Picture {
                x: band.x + x,
                y: 0.0,
                width,
                height,
                pixels,
                tag,
            });
            let below = self.caption(&mut row, image, (band.x + x, height, width));
            row.height = row.height.max(height + below);
            x += width + GAP;
        }
        pieces.push(row);
        pieces.push(Piece::gap(14.0, false));
        pieces
    }

    /// Below its picture; how much room it takes.
    fn caption(&mut self, row: &mut Piece, image: &Image, at: (f32, f32, f32)) -> f32 {
        if image.caption.is_empty() {
            return 0.0;
        }
        let (x, y, width) = at;
        let tag = self.tags.add(Role::Paragraph, None);
        let band = Band { x, width };
        let caption = clean::line(&image.caption);
        let mut used = 3.0;
        for mut line in self.lines(&[Span::plain(&caption)], band, SMALL, tag) {
            line.shift(0.0, y + used);
            used += line.height;
            row.items.extend(line.items);
        }
        used
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
