//! What does a goal show of what it is about? Kinds of files, cells of a sheet, names of two halves,
//! and whether something is added to what is there.

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_search::literals::without_literals;
use holloway_search::words::stem;
use rustc_hash::FxHashSet;

use super::words::{is_file, owner_and_name};
use crate::catalogue::ports::{Ports, Role, stems, terms};
use crate::frame::{Entity, Frame, Goal};
use crate::lexicon::lists::List;

/// Whether a tool leaves what is in a file and adds to it.
pub(super) fn is_adder(tool: &ToolSpec) -> bool {
    terms(tool.id.name()).contains(&stem("append"))
}

/// Whether a tool takes nothing but a file, and removes it.
pub(super) fn removes_files(tool: &ToolSpec, ports: &Ports) -> bool {
    let mut needed = ports.needed();
    let is_file = needed.next().is_some_and(|port| port.role == Role::File);
    let alone = needed.next().is_none() && ports.inputs.len() == 1;
    is_file && alone && tool.effect == Effect::Destructive
}

/// Whether something is to come to what is there already.
pub(super) fn says_adding(words: &FxHashSet<String>) -> bool {
    static ADDS: List = List::named("tools_asked.adds");
    ADDS.iter().any(|word| words.contains(&stem(word)))
}

/// One where a name of two halves stands in a goal, less where it stands in another.
pub(super) fn halves(frame: &Frame, goal: &Goal) -> f32 {
    const ELSEWHERE: f32 = 0.5;
    let of_two = |entity: &Entity| owner_and_name(entity).is_some();
    match () {
        () if frame.named_in(goal).any(|(_, entity)| of_two(entity)) => 1.0,
        () if frame.entities.iter().any(of_two) => ELSEWHERE,
        () => 0.0,
    }
}

/// "A1:C20", or one cell.
pub(super) fn is_cells(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let (_, word) = word.rsplit_once('!').unwrap_or(("", word));
    let is_cell = |cell: &str| {
        let letters = cell.chars().take_while(char::is_ascii_uppercase).count();
        let digits = cell.get(letters..).unwrap_or_default();
        let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit());
        (1..=3).contains(&letters) && is_number && digits.len() <= 6
    };
    match word.split_once(':') {
        Some((from, to)) => is_cell(from) && is_cell(to),
        None => is_cell(word),
    }
}

pub(super) fn kinds_of_files(entities: &[Entity], text: &str) -> FxHashSet<String> {
    let named = entities.iter().filter(|entity| is_file(entity));
    let named = named.filter(|entity| text.contains(&entity.text));
    named.flat_map(kinds_of_named).collect()
}

/// Words for the kind of a file.
pub(super) fn kinds_of_named(file: &Entity) -> FxHashSet<String> {
    let mut kinds = FxHashSet::default();
    if let Some((_, extension)) = file.text.rsplit_once('.') {
        kinds.extend(stems(&without_literals(&file.text)));
        kinds.insert(stem(&extension.to_lowercase()));
    }
    kinds
}
