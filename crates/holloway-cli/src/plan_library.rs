//! Which plan does a `plan` step mean? A saved one of that name, or else a file
//! of that name beside the plan that uses it, or else a template.

use std::path::PathBuf;

use holloway_flow::template::shipped;
use holloway_plan::draft::Draft;
use holloway_plan::read::{read_text, read_value};
use holloway_plan::validate::PlanLibrary;

use crate::session::Session;

const ENDINGS: [&str; 4] = ["", ".yaml", ".yml", ".json"];

/// Saved plans and the files of one folder.
pub(crate) struct Library<'a> {
    session: &'a Session,
    /// Nothing for a plan that Holloway keeps: what lies in the current folder is none of its.
    folder: Option<PathBuf>,
}

impl<'a> Library<'a> {
    pub(crate) fn new(session: &'a Session, folder: Option<PathBuf>) -> Self {
        Self { session, folder }
    }

    fn saved(&self, name: &str) -> Option<Draft> {
        let plan = self.session.store().ok()?.saved_plan(name).ok()??;
        read_value(&plan, &self.session.limits).ok()
    }

    fn file(&self, name: &str) -> Option<Draft> {
        let folder = self.folder.as_ref()?;
        let mut candidates = ENDINGS
            .iter()
            .map(|ending| folder.join(format!("{name}{ending}")));
        let path = candidates.find(|path| path.is_file())?;
        let text = std::fs::read_to_string(path).ok()?;
        read_text(&text, &self.session.limits)
            .ok()
            .map(|document| document.draft)
    }

    fn template(&self, name: &str) -> Option<Draft> {
        let template = shipped::find(name)?;
        let document = read_text(template.text, &self.session.limits).ok()?;
        Some(document.draft)
    }

    /// With and without their ending, since both are understood.
    fn file_names(&self) -> Vec<String> {
        let folder = self.folder.iter();
        let files = folder.flat_map(std::fs::read_dir).flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let endings = ENDINGS.iter().filter(|ending| !ending.is_empty());
        names
            .filter_map(|name| {
                let stem = endings
                    .clone()
                    .find_map(|ending| name.strip_suffix(ending))?
                    .to_owned();
                Some([stem, name])
            })
            .flatten()
            .collect()
    }
}

impl PlanLibrary for Library<'_> {
    fn find(&self, name: &str) -> Option<Draft> {
        self.saved(name)
            .or_else(|| self.file(name))
            .or_else(|| self.template(name))
    }

    fn names(&self) -> Vec<String> {
        let saved = self
            .session
            .store()
            .and_then(|store| Ok(store.saved_plans()?));
        let mut names: Vec<String> = saved.into_iter().flatten().map(|plan| plan.id).collect();
        names.extend(self.file_names());
        names.extend(
            shipped::all()
                .iter()
                .map(|template| template.name.to_owned()),
        );
        names
    }
}
