//! Which tool was meant by a name nobody has? The only one of the same letters, or among
//! those that were shown, the only one that is a slip or two away.

use holloway_plan::step::{Function, Step, StepType};
use holloway_plan::tool::{Lookup, ToolId, ToolTable};

use super::{bare, each};

/// Longer names are not compared.
const LONGEST: usize = 200;
/// One slip in so many letters.
const LETTERS_PER_SLIP: usize = 6;

pub(super) fn nearest(
    steps: &mut [Step],
    table: &ToolTable,
    offered: &[ToolId],
    notes: &mut Vec<String>,
) {
    each(steps, &mut |step| {
        let id = step.id.clone();
        let mut mend = |name: &mut String| {
            if matches!(table.find(name), Lookup::Found(_)) {
                return;
            }
            if let Some(meant) = meant(name, table, offered) {
                notes.push(format!("step `{id}`: `{name}` is taken for `{meant}`"));
                *name = meant.to_string();
            }
        };
        if step.kind == StepType::Tool {
            step.tool.iter_mut().for_each(&mut mend);
        }
        if let Some(Function::Named(name)) = &mut step.function {
            mend(name);
        }
        step.fallbacks.iter_mut().for_each(&mut mend);
        let known = |name: &String| matches!(table.find(name), Lookup::Found(_));
        for gone in step.fallbacks.extract_if(.., |name| !known(name)) {
            notes.push(format!(
                "step `{id}`: there is no tool `{gone}` to fall back on, left out"
            ));
        }
    });
}

fn meant(name: &str, table: &ToolTable, offered: &[ToolId]) -> Option<ToolId> {
    if name.len() > LONGEST {
        return None;
    }
    let wanted = bare(name);
    let same = |id: &&ToolId| bare(id.as_str()) == wanted || bare(id.name()) == wanted;
    only(offered.iter().filter(same))
        .or_else(|| only(table.iter().map(|tool| &tool.id).filter(same)))
        .or_else(|| only(offered.iter().filter(|id| is_slip(&wanted, id))))
        .cloned()
}

fn only<'a>(mut found: impl Iterator<Item = &'a ToolId>) -> Option<&'a ToolId> {
    found.next().filter(|_| found.next().is_none())
}

fn is_slip(wanted: &str, id: &ToolId) -> bool {
    [id.as_str(), id.name()].iter().any(|known| {
        let known = bare(known);
        let slips = known.len().min(wanted.len()) / LETTERS_PER_SLIP;
        known.len() <= LONGEST && slips > 0 && strsim::osa_distance(wanted, &known) <= slips.min(2)
    })
}
