//! Does every step wait for steps that are there? Names of results count as the steps that
//! have them; what waits for nobody, or for itself, does not wait.

use std::collections::BTreeMap;

use holloway_plan::step::Step;

use super::each;

pub(super) fn known(steps: &mut [Step], notes: &mut Vec<String>) {
    let mut by_name: BTreeMap<String, String> = BTreeMap::new();
    each(steps, &mut |step| {
        if let Some(output) = &step.output {
            by_name
                .entry(output.clone())
                .or_insert_with(|| step.id.clone());
        }
    });
    each(steps, &mut |step| {
        by_name.insert(step.id.clone(), step.id.clone());
    });
    each(steps, &mut |step| {
        let mut kept: Vec<String> = Vec::new();
        for name in std::mem::take(&mut step.depends_on) {
            match by_name.get(&name) {
                Some(id) if *id == step.id => {
                    notes.push(format!("step `{id}` cannot wait for itself, left out"))
                }
                Some(id) if kept.contains(id) => {}
                Some(id) => kept.push(id.clone()),
                None => notes.push(format!(
                    "step `{}` waits for `{name}`, which is not there, left out",
                    step.id
                )),
            }
        }
        step.depends_on = kept;
    });
}
