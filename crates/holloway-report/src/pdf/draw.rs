//! How do laid-out pages become a file? Items are drawn in order, each within the tag
//! that says what it is; numbers and links are added when all pages are known.

use krilla::Document;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::color::rgb;
use krilla::destination::{Destination, XyzDestination};
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, LineCap, LineJoin, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use krilla::text::{Font, GlyphId, KrillaGlyph};

use super::flow::Page;
use super::item::{Item, Piece, Text};
use super::sheet::{self, MARGIN, Paper};
use super::tags::Tags;
use crate::Error;
use crate::chart::scene::{Anchor, Scene, Shape, Step};
use crate::clean;
use crate::font::{Fonts, Run, Style};
use crate::model::Report;

/// Where a heading stands.
struct Mark {
    level: u8,
    text: String,
    page: usize,
    y: f32,
}

struct Drawer<'a> {
    fonts: &'a Fonts,
    krilla: Vec<(Style, Font)>,
    tags: Tags,
    marks: Vec<Mark>,
}

/// What is clicked and where it leads, once the page is drawn.
struct Click {
    area: (f32, f32, f32, f32),
    target: Target,
    tag: usize,
}

pub(crate) fn document(
    report: &Report,
    paper: Paper,
    fonts: &Fonts,
    pages: Vec<Page>,
    tags: Tags,
) -> Result<Vec<u8>, Error> {
    let krilla = Style::ALL
        .into_iter()
        .filter_map(|style| Some((style, Font::new(style.bytes().into(), 0)?)));
    let mut drawer = Drawer {
        fonts,
        krilla: krilla.collect(),
        tags,
        marks: marks(&pages),
    };
    let mut document = Document::new();
    document.set_metadata(metadata(report));
    let (width, height) = paper.size();
    let count = pages.len();
    let title = clean::shorten(&clean::line(&report.title), 80);
    for (index, content) in pages.into_iter().enumerate() {
        let settings = PageSettings::from_wh(width, height)
            .ok_or_else(|| Error::Pdf("the paper has no size".to_owned()))?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        let mut clicks = Vec::new();
        for (y, piece) in content.pieces {
            drawer.piece(&mut surface, piece, MARGIN + y, &mut clicks);
        }
        drawer.footer(&mut surface, paper, &title, (index + 1, count));
        surface.finish();
        for click in clicks {
            let (x, y, width, height) = click.area;
            if let Some(area) = Rect::from_xywh(x, y, width.max(0.1), height) {
                let link = LinkAnnotation::new(area, click.target);
                let identifier = page.add_tagged_annotation(Annotation::new_link(link, None));
                drawer.tags.mark(click.tag, identifier);
            }
        }
        page.finish();
    }
    document.set_outline(outline(&drawer.marks));
    document.set_tag_tree(drawer.tags.tree(&report.language));
    document
        .finish()
        .map_err(|error| Error::Pdf(format!("{error:?}")))
}

fn metadata(report: &Report) -> Metadata {
    let mut metadata = Metadata::new()
        .title(clean::line(&report.title))
        .language(report.language.clone())
        .creator("Holloway".to_owned());
    if !report.author.is_empty() {
        metadata = metadata.authors(vec![clean::line(&report.author)]);
    }
    if !report.subtitle.is_empty() {
        metadata = metadata.description(clean::line(&report.subtitle));
    }
    metadata
}

fn marks(pages: &[Page]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (page, content) in pages.iter().enumerate() {
        for (y, piece) in &content.pieces {
            if let Some((level, text)) = &piece.heading {
                marks.push(Mark {
                    level: *level,
                    text: text.clone(),
                    page,
                    y: MARGIN + y,
                });
            }
        }
    }
    marks
}

fn destination(mark: &Mark) -> XyzDestination {
    XyzDestination::new(mark.page, Point::from_xy(MARGIN, (mark.y - 8.0).max(0.0)))
}

/// Chapters with the parts below them.
fn outline(marks: &[Mark]) -> Outline {
    let mut outline = Outline::new();
    let mut chapter: Option<OutlineNode> = None;
    for mark in marks {
        let node = OutlineNode::new(mark.text.clone(), destination(mark));
        match &mut chapter {
            Some(open) if mark.level > 1 => open.push_child(node),
            _ => {
                if let Some(done) = chapter.replace(node) {
                    outline.push_child(done);
                }
            }
        }
    }
    if let Some(done) = chapter {
        outline.push_child(done);
    }
    outline
}

fn filled(colour: u32, opacity: f32) -> Fill {
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

fn artifact() -> ContentTag<'static> {
    ContentTag::Artifact(Artifact::with_kind(ArtifactType::Other))
}

impl Drawer<'_> {
    fn piece(
        &mut self,
        surface: &mut Surface<'_>,
        piece: Piece,
        top: f32,
        clicks: &mut Vec<Click>,
    ) {
        for item in piece.items {
            match item {
                Item::Fill {
                    x,
                    y,
                    width,
                    height,
                    radius,
                    colour,
                } => {
                    surface.start_tagged(artifact());
                    shape(
                        surface,
                        rounded(MARGIN + x, top + y, width, height, radius),
                        Some(filled(colour, 1.0)),
                        None,
                    );
                    surface.end_tagged();
                }
                Item::Text(text) => self.text(surface, &text, top),
                Item::Link {
                    x,
                    y,
                    width,
                    height,
                    target,
                    tag,
                } => clicks.push(Click {
                    area: (MARGIN + x, top + y, width, height),
                    target: Target::Action(Action::from(LinkAction::new(target))),
                    tag,
                }),
                Item::Drawing {
                    x,
                    y,
                    scale,
                    scene,
                    tag,
                } => {
                    let identifier = surface.start_tagged(ContentTag::Other);
                    let transform =
                        Transform::from_row(scale, 0.0, 0.0, scale, MARGIN + x, top + y);
                    surface.push_transform(&transform);
                    self.scene(surface, &scene);
                    surface.pop();
                    surface.end_tagged();
                    self.tags.mark(tag, identifier);
                }
                Item::PageOf {
                    x,
                    y,
                    size,
                    colour,
                    heading,
                    width,
                    tag,
                } => {
                    let Some(mark) = self.marks.get(heading) else {
                        continue;
                    };
                    let number = (mark.page + 1).to_string();
                    let target = Target::Destination(Destination::Xyz(destination(mark)));
                    let runs = self.fonts.shape(Style::Regular, &number);
                    let wide = runs.iter().map(Run::width).sum::<f32>() * size;
                    let text = Text {
                        x: x - wide,
                        y,
                        size,
                        colour,
                        runs,
                        tag: Some(tag),
                    };
                    self.text(surface, &text, top);
                    clicks.push(Click {
                        area: (MARGIN + x - width, top + y - size, width, size * 1.4),
                        target,
                        tag,
                    });
                }
            }
        }
    }

    fn text(&mut self, surface: &mut Surface<'_>, text: &Text, top: f32) {
        let tag = match text.tag {
            Some(_) => ContentTag::Span(SpanTag::empty()),
            None => artifact(),
        };
        let identifier = surface.start_tagged(tag);
        surface.set_fill(Some(filled(text.colour, 1.0)));
        surface.set_stroke(None);
        self.runs(
            surface,
            &text.runs,
            MARGIN + text.x,
            top + text.y,
            text.size,
        );
        surface.end_tagged();
        if let Some(tag) = text.tag {
            self.tags.mark(tag, identifier);
        }
    }

    fn runs(&self, surface: &mut Surface<'_>, runs: &[Run], mut x: f32, y: f32, size: f32) {
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

    fn footer(
        &mut self,
        surface: &mut Surface<'_>,
        paper: Paper,
        title: &str,
        page: (usize, usize),
    ) {
        let (width, height) = paper.size();
        let y = height - 30.0;
        let number = format!("{} / {}", page.0, page.1);
        surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(
            ArtifactType::Other,
        )));
        surface.set_fill(Some(filled(sheet::MUTED, 1.0)));
        surface.set_stroke(None);
        if page.0 > 1 {
            let runs = self.fonts.shape(Style::Regular, title);
            self.runs(surface, &runs, MARGIN, y, 7.6);
        }
        let runs = self.fonts.shape(Style::Regular, &number);
        let wide = runs.iter().map(Run::width).sum::<f32>() * 7.6;
        self.runs(surface, &runs, width - MARGIN - wide, y, 7.6);
        surface.end_tagged();
    }

    fn scene(&self, surface: &mut Surface<'_>, scene: &Scene) {
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

fn shape(
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
fn rounded(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Option<Path> {
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
