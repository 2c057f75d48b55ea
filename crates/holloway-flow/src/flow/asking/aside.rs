//! When is a model's reading of a request set aside, so that our own stands?

use holloway_planner::frame::acts::Acts;
use holloway_planner::read::check::Trouble;

use crate::discreet::discreet;
use crate::flow::Heard;
use crate::model::propose::Terms;

/// Why what a model read is not used: it stopped answering before its reading fitted, or is small and
/// reads what does not fit, what nobody said, or nothing where we understand what is to be done.
pub(super) fn set_aside(
    read: &Heard,
    own: &Heard,
    ends_asking: bool,
    terms: &Terms,
) -> Option<String> {
    let understood = own.is_sound() && !own.understood.frame.goals.is_empty();
    if ends_asking {
        return Some("stopped answering before its reading fitted".to_owned());
    }
    if !terms.small {
        return None;
    }
    if read.needs_no_plan() {
        let why = "says that nothing is to be done, but the request was understood without it";
        return understood.then(|| why.to_owned());
    }
    if !read.is_sound() {
        return Some("reads what does not fit".to_owned());
    }
    let act = unheard(read, own)?;
    Some(format!(
        "reads `{act}` into the request, which it does not plainly say"
    ))
}

/// An answer from what a model knows is not taken where the request speaks of files, none of which it
/// has read: why our own reading stands instead. Where we have none, the request is refused.
pub(super) fn without_reading(read: &mut Heard, own: &Heard, files: &[String]) -> Option<String> {
    if files.is_empty() || !read.needs_no_plan() {
        return None;
    }
    let names = discreet(&files.join(", ")).text;
    if own.is_sound() && !own.understood.frame.goals.is_empty() {
        return Some(format!(
            "would answer without reading {names}, which the request speaks of"
        ));
    }
    read.understood.frame.no_plan = None;
    read.understood.troubles.push(Trouble::Unfit {
        about: format!(
            "the request speaks of {names}, and the model would answer without reading it"
        ),
    });
    None
}

/// An act of a small model's reading that destroys something and that the embedded reader does not
/// read: small models turn copies into deletions.
fn unheard<'a>(read: &'a Heard, own: &Heard) -> Option<&'a str> {
    let acts = read
        .understood
        .frame
        .goals
        .iter()
        .map(|goal| goal.act.as_str());
    let mut grave = acts.filter(|act| Acts::table().act(act).is_some_and(|act| act.destroys));
    let known = |act: &str| {
        let mut own = own.understood.frame.goals.iter();
        own.any(|goal| goal.act == act)
    };
    grave.find(|act| !known(act))
}
