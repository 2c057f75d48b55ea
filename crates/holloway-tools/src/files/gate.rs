//! May a tool go to this place at all? Places of Holloway itself: never. Sensitive places: only
//! where a grant names them, since who grants a folder does not think of every key below it.
//! What other programs run or obey counts as sensitive for writing only.

use std::path::{Path, PathBuf};

use holloway_engine::failure::ToolFailure;

use super::super::protected::{Identity, plain, resolved};
use super::super::sensitive::{Sensitive, places_of};
use super::super::{Folder, Grants};
use super::Access;

/// Lets a path pass; returns what is there if it is a sensitive place that is granted by name.
/// `named` is the path as it was given, `real` the one it leads to.
pub(super) fn pass(
    grants: &Grants,
    named: &Path,
    real: &Path,
    passed: &[Identity],
    access: Access,
) -> Result<Option<&'static str>, ToolFailure> {
    if grants.protected.holds(real, passed) || grants.protected.holds(named, &[]) {
        return Err(own(named));
    }
    let home = grants.protected.home();
    let mut found = places_of(real, home);
    found.extend(grants.protected.linked(real));
    if named != real {
        found.extend(places_of(named, home));
    }
    found.retain(|place| access == Access::Write || !place.is_readable);
    // Who names a folder of keys need not name each key in it.
    let is_covered = |place: &Sensitive| {
        let is_around = |outer: &&Sensitive| {
            let inside = |path: &Path| path.starts_with(&outer.place);
            outer.what == place.what && (inside(&place.place) || inside(&resolved(&place.place)))
        };
        let mut around = found.iter().filter(is_around);
        around.any(|outer| is_named(grants, outer, real, access))
    };
    match found.iter().find(|place| !is_covered(place)) {
        Some(place) => Err(unnamed(named, place, access)),
        None => Ok(found.first().map(|place| place.what)),
    }
}

/// Whether a walk through a granted folder may go into or read what it finds there.
pub(crate) fn may_descend(grants: &Grants, real: &Path, passed: &[Identity]) -> bool {
    pass(grants, real, real, passed, Access::Read).is_ok()
}

/// Whether somebody granted the place itself or something in it, and called it by its name. What
/// is granted in it opens nothing beside it: the grant has to contain what is wanted.
fn is_named(grants: &Grants, place: &Sensitive, real: &Path, access: Access) -> bool {
    let names = |folder: &Folder| {
        let named: PathBuf = plain(&folder.path);
        // A link with a harmless name is not the name of the place.
        let is_said = || {
            let said = places_of(&named, grants.protected.home());
            said.iter().any(|said| said.what == place.what)
        };
        let leads_inside = || resolved(&named).starts_with(&place.place);
        let is_name = named.starts_with(&place.place) || (leads_inside() && is_said());
        is_name && real.starts_with(resolved(&named))
    };
    let usable = |folder: &&Folder| access == Access::Read || folder.writable;
    grants.folders.iter().filter(usable).any(names)
}

fn own(path: &Path) -> ToolFailure {
    let path = path.display();
    ToolFailure::denied(format!(
        "`{path}` belongs to Holloway itself: its keys, journals and settings are out of reach of every tool"
    ))
    .with_hint("no grant opens it; use another folder")
}

fn unnamed(path: &Path, place: &Sensitive, access: Access) -> ToolFailure {
    let (path, what, name) = (path.display(), place.what, place.place.display());
    let mode = match access {
        Access::Read => ":ro",
        Access::Write => "",
    };
    // Only what is there can be granted.
    let first = if place.place.exists() {
        ""
    } else {
        "make it first, then "
    };
    ToolFailure::denied(format!(
        "`{path}` is in a sensitive place ({what}), and no grant names that place"
    ))
    .with_hint(format!(
        "{first}grant the place by name: `--grant-folder {name}{mode}`; a grant of a folder above it is not enough"
    ))
}
