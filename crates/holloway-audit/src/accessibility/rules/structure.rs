//! Does the page say its title and language, and are frames, lists and media in order?

use rustc_hash::FxHashMap;

use super::catalog::{
    BLINK, DOCUMENT_TITLE, FRAME_TITLE, FRAME_TITLE_UNIQUE, HTML_HAS_LANG, HTML_LANG_VALID,
    HTML_XML_LANG_MISMATCH, IDENTICAL_LINKS, MARQUEE, NO_AUTOPLAY_AUDIO, VALID_LANG, VIDEO_CAPTION,
};
use super::labels::is_presentational;
use super::landmarks::root;
use super::language::is_known;
use crate::accessibility::name::clean;
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

pub(crate) fn check(report: &mut Report) {
    title(report);
    languages(report);
    frames(report);
    media(report);
    identical_links(report);
    super::lists::check(report);
    super::tables::check(report);
}

fn title(report: &mut Report) {
    let view = report.view;
    let tree = &view.tree;
    let titles = tree.tagged(&["title"]).find(|index| !tree.is_svg(*index));
    let filled = titles.is_some_and(|index| {
        tree.inside(index)
            .any(|next| !tree.text(next).trim().is_empty())
    });
    if !filled && let Some(root) = root(view) {
        report.hit(&DOCUMENT_TITLE, root);
    }
}

fn languages(report: &mut Report) {
    let view = report.view;
    let tree = &view.tree;
    let Some(root) = root(view) else {
        return;
    };
    let given = tree.attr(root, "lang");
    let other = tree.attr(root, "xml:lang");
    if given.is_none_or(|lang| lang.trim().is_empty()) {
        report.hit(&HTML_HAS_LANG, root);
    }
    let wrong = |lang: Option<&str>| lang.is_some_and(|lang| !lang.is_empty() && !is_known(lang));
    if wrong(given) || wrong(other) {
        report.hit(&HTML_LANG_VALID, root);
    }
    let base = |lang: &str| {
        lang.trim()
            .split('-')
            .next()
            .unwrap_or_default()
            .to_lowercase()
    };
    if let (Some(one), Some(two)) = (given, other)
        && is_known(one)
        && is_known(two)
        && base(one) != base(two)
    {
        report.hit(&HTML_XML_LANG_MISMATCH, root);
    }
    for index in tree.elements() {
        let own = tree
            .attr(index, "lang")
            .or_else(|| tree.attr(index, "xml:lang"));
        if index != root && wrong(own) && view.is_exposed(index) && has_text(view, index) {
            report.hit(&VALID_LANG, index);
        }
    }
}

/// Text that is in the language of the element, or an image with a description.
fn has_text(view: &View, index: usize) -> bool {
    view.tree.inside(index).take(10_000).any(|next| {
        view.is_exposed(next)
            && (!view.tree.text(next).trim().is_empty() || view.tree.filled(next, "alt"))
    }) || view.tree.filled(index, "alt")
}

fn frames(report: &mut Report) {
    let frames = ["iframe", "frame"];
    report.each(&FRAME_TITLE, &frames, |view, index| {
        let reachable = view.tabindex(index).is_none_or(|number| number >= 0);
        let titled = view.tree.filled(index, "title");
        let decorative = is_presentational(view, index) && !view.tree.has(index, "title");
        reachable && !titled && !view.is_named_by_attribute(index) && !decorative
    });
    let view = report.view;
    let title = |index: usize| clean(view.tree.attr(index, "title").unwrap_or_default());
    let all: Vec<(usize, String)> = view
        .tree
        .tagged(&frames)
        .filter(|index| view.is_exposed(*index) && view.tree.filled(*index, "title"))
        .map(|index| (index, title(index).to_lowercase()))
        .take(200)
        .collect();
    for (index, title) in &all {
        if all.iter().filter(|(_, other)| other == title).count() > 1 {
            report.hit(&FRAME_TITLE_UNIQUE, *index);
        }
    }
}

fn media(report: &mut Report) {
    report.each(&VIDEO_CAPTION, &["video"], |view, index| {
        let tree = &view.tree;
        !tree
            .inside(index)
            .any(|next| tree.tag(next) == "track" && tree.says(next, "kind", "captions"))
    });
    let view = report.view;
    let tree = &view.tree;
    for index in tree.tagged(&["audio", "video"]) {
        let source = tree.has(index, "src")
            || tree
                .children(index)
                .any(|child| tree.tag(child) == "source");
        let quiet = tree.has(index, "muted") || tree.has(index, "paused");
        if tree.has(index, "autoplay") && source && !quiet && !tree.has(index, "controls") {
            report.hit(&NO_AUTOPLAY_AUDIO, index);
        }
    }
    for (tag, rule) in [("blink", &BLINK), ("marquee", &MARQUEE)] {
        for index in tree.tagged(&[tag]) {
            if view.is_on_screen(index) {
                report.hit(rule, index);
            }
        }
    }
}

/// Links of one name that lead to different places.
fn identical_links(report: &mut Report) {
    let view = report.view;
    let mut names: FxHashMap<String, (usize, &str, bool)> = FxHashMap::default();
    for index in view.tree.tagged(&["a", "area"]).take(5_000) {
        let Some(target) = view.tree.attr(index, "href") else {
            continue;
        };
        if !view.is_exposed(index) || !matches!(view.role_name(index), "link" | "") {
            continue;
        }
        let name = view.name(index).to_lowercase();
        if name.is_empty() {
            continue;
        }
        let target = target.trim().trim_end_matches('/');
        let known = names.entry(name).or_insert((index, target, false));
        if known.1 != target && !known.2 {
            known.2 = true;
            report.hit(&IDENTICAL_LINKS, known.0);
        }
    }
}
