//! How is something drawn on a page? Runs of glyphs, filled and stroked paths, and whole
//! scenes, with colours for white paper.

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, LineCap, LineJoin, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};

use crate::chart::scene::{Anchor, Scene, Shape, Step};
use crate::font::{Fonts, Run, Style};

pub(crate) struct Brush<'a> {
    pub(crate) fonts: &'a Fonts,
    krilla: Vec<(Style, Font)>,
}

impl<'a> Brush<'a> {
    pub(crate) fn new(fonts: &'a Fonts) -> Self {
        let krilla = Style::ALL
            .into_iter()
            .filter_map(|style| Some((style, Font::new(style.bytes().into(), 0)?)));
        Self {
            fonts,
            krilla: krilla.collect(),
        }
    }

    pub(crate) fn runs(
        &self,
        surface: &mut Surface<'_>,
        runs: &[Run],
        mut x: f32,
        y: f32,
        size: f32,
    ) {
        for run in runs {
            let Some((_, font)) = self.krilla.iter().find(|(style, _)| *style == run.face) else {
                continue;
            };
            let glyphs: Vec<KrillaGlyph> = run
                .glyphs
                .iter()
                .map(|glyph| {
                    let (right, up) = glyph.offset;
                    KrillaGlyph::new(
                        GlyphId::new(glyph.glyph),
                        glyph.advance,
                        right,
                        up,
                        0.0,
                        glyph.range.clone(),
                        None,
                    )
                })
                .collect();
            surface.draw_glyphs(
                Point::from_xy(x, y),
                &glyphs,
                font.clone(),
                &run.text,
                size,
                false,
            );
            x += run.width() * size;
        }
    }

    pub(crate) fn scene(&self, surface: &mut Surface<'_>, scene: &Scene) {
        for drawn in &scene.shapes {
            match drawn {
                Shape::Box {
                    x,
                    y,
                    width,
                    height,
                    radius,
                    fill,
                    ..
                } => {
                    let path = rounded(
                        *x as f32,
                        *y as f32,
                        *width as f32,
                        *height as f32,
                        *radius as f32,
                    );
                    shape(surface, path, Some(filled(fill.on_paper(), 1.0)), None);
                }
                Shape::Line {
                    from,
                    to,
                    colour,
                    width,
                    dashed,
                } => {
                    let mut path = PathBuilder::new();
                    path.move_to(from.0 as f32, from.1 as f32);
                    path.line_to(to.0 as f32, to.1 as f32);
                    shape(
                        surface,
                        path.finish(),
                        None,
                        Some(stroked(colour.on_paper(), *width as f32, *dashed)),
                    );
                }
                Shape::Path {
                    steps,
                    fill,
                    stroke,
                    ..
                } => {
                    let fill =
                        fill.map(|(colour, opacity)| filled(colour.on_paper(), opacity as f32));
                    let stroke = stroke
                        .map(|(colour, width)| stroked(colour.on_paper(), width as f32, false));
                    shape(surface, outlined(steps), fill, stroke);
                }
                Shape::Dot {
                    x,
                    y,
                    radius,
                    fill,
                    stroke,
                    ..
                } => {
                    let (x, y, radius) = (*x as f32, *y as f32, *radius as f32);
                    let path = rounded(x - radius, y - radius, 2.0 * radius, 2.0 * radius, radius);
                    let fill =
                        fill.map(|(colour, opacity)| filled(colour.on_paper(), opacity as f32));
                    let stroke = stroke
                        .map(|(colour, width)| stroked(colour.on_paper(), width as f32, false));
                    shape(surface, path, fill, stroke);
                }
                Shape::Text {
                    x,
                    y,
                    size,
                    bold,
                    anchor,
                    colour,
                    upright,
                    content,
                } => {
                    let style = if *bold { Style::Bold } else { Style::Regular };
                    let runs = self.fonts.shape(style, content);
                    let width = runs.iter().map(Run::width).sum::<f32>() * *size as f32;
                    let back = match anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => width / 2.0,
                        Anchor::End => width,
                    };
                    surface.set_fill(Some(filled(colour.on_paper(), 1.0)));
                    surface.set_stroke(None);
                    let (x, y) = (*x as f32, *y as f32);
                    if *upright {
                        surface.push_transform(&Transform::from_rotate_at(-90.0, x, y));
                    }
                    self.runs(surface, &runs, x - back, y, *size as f32);
                    if *upright {
                        surface.pop();
                    }
                }
            }
        }
    }
}

pub(crate) fn filled(colour: u32, opacity: f32) -> Fill {
    Fill {
        paint: colour_of(colour).into(),
        opacity: NormalizedF32::new(opacity).unwrap_or(NormalizedF32::ONE),
        ..Fill::default()
    }
}

fn colour_of(colour: u32) -> rgb::Color {
    let [_, red, green, blue] = colour.to_be_bytes();
    rgb::Color::new(red, green, blue)
}

fn stroked(colour: u32, width: f32, dashed: bool) -> Stroke {
    Stroke {
        paint: colour_of(colour).into(),
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash: dashed.then(|| StrokeDash {
            array: vec![4.0, 3.0],
            offset: 0.0,
        }),
        ..Stroke::default()
    }
}

pub(crate) fn shape(
    surface: &mut Surface<'_>,
    path: Option<Path>,
    fill: Option<Fill>,
    stroke: Option<Stroke>,
) {
    let Some(path) = path else { return };
    surface.set_fill(fill);
    surface.set_stroke(stroke);
    surface.draw_path(&path);
}

fn outlined(steps: &[Step]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match step {
            Step::Move(x, y) => path.move_to(*x as f32, *y as f32),
            Step::Line(x, y) => path.line_to(*x as f32, *y as f32),
            Step::Curve(one, two, end) => {
                path.cubic_to(
                    one.0 as f32,
                    one.1 as f32,
                    two.0 as f32,
                    two.1 as f32,
                    end.0 as f32,
                    end.1 as f32,
                );
            }
            Step::Close => path.close(),
        }
    }
    path.finish()
}

/// A box with round corners; four curves are a circle when the radius is half the side.
pub(crate) fn rounded(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Option<Path> {
    if width <= 0.0 || height <= 0.0 {
        return None;
    }
    let mut path = PathBuilder::new();
    let radius = radius.min(width / 2.0).min(height / 2.0);
    if radius < 0.05 {
        path.push_rect(Rect::from_xywh(x, y, width, height)?);
        return path.finish();
    }
    // How far the handles of a quarter circle reach.
    let handle = radius * 0.4477;
    let (right, bottom) = (x + width, y + height);
    path.move_to(x + radius, y);
    path.line_to(right - radius, y);
    path.cubic_to(right - handle, y, right, y + handle, right, y + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(
        right,
        bottom - handle,
        right - handle,
        bottom,
        right - radius,
        bottom,
    );
    path.line_to(x + radius, bottom);
    path.cubic_to(x + handle, bottom, x, bottom - handle, x, bottom - radius);
    path.line_to(x, y + radius);
    path.cubic_to(x, y + handle, x + handle, y, x + radius, y);
    path.close();
    path.finish()
}
