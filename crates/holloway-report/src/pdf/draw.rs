//! How do laid-out pages become a file? Items are drawn in order, each within the tag
//! that says what it is; numbers and links are added when all pages are known.

use krilla::Document;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::destination::{Destination, XyzDestination};
use krilla::geom::{Point, Rect, Size, Transform};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};

use super::brush::{Brush, filled, rounded, shape};
use super::flow::Page;
use super::item::{Item, Piece, Text};
use super::sheet::{self, MARGIN, Paper};
use super::tags::Tags;
use crate::Error;
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
    brush: Brush<'a>,
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
    let mut drawer = Drawer {
        brush: Brush::new(fonts),
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
                    self.brush.scene(surface, &scene);
                    surface.pop();
                    surface.end_tagged();
                    self.tags.mark(tag, identifier);
                }
                Item::Picture {
                    x,
                    y,
                    width,
                    height,
                    pixels,
                    tag,
                } => {
                    let Some(size) = Size::from_wh(width, height) else {
                        continue;
                    };
                    let identifier = surface.start_tagged(ContentTag::Other);
                    let place = Transform::from_translate(MARGIN + x, top + y);
                    surface.push_transform(&place);
                    surface.draw_image(pixels, size);
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
                    let runs = self.brush.fonts.shape(Style::Regular, &number);
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
        self.brush.runs(
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
            let runs = self.brush.fonts.shape(Style::Regular, title);
            self.brush.runs(surface, &runs, MARGIN, y, 7.6);
        }
        let runs = self.brush.fonts.shape(Style::Regular, &number);
        let wide = runs.iter().map(Run::width).sum::<f32>() * 7.6;
        self.brush
            .runs(surface, &runs, width - MARGIN - wide, y, 7.6);
        surface.end_tagged();
    }
}
