//! Where does a large catalogue come from? Real tools, and as many more as are wanted:
//! the name and description of one with the parameters and server of another.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use holloway_search::entry::Entry;
use holloway_search::lines;

pub(crate) struct Material {
    tools: Vec<Entry>,
    requests: Vec<String>,
}

impl Material {
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut sets: Vec<_> = std::fs::read_dir(folder)
            .with_context(|| format!("{} cannot be read", folder.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        sets.sort();
        let mut material = Self {
            tools: Vec::new(),
            requests: Vec::new(),
        };
        for set in sets {
            if let Ok(text) = std::fs::read_to_string(set.join("tools.jsonl")) {
                material.tools.extend(lines::tools(&text)?);
            }
            if let Ok(text) = std::fs::read_to_string(set.join("requests.jsonl")) {
                let requests = lines::requests(&text)?;
                material
                    .requests
                    .extend(requests.into_iter().map(|request| request.query));
            }
        }
        ensure!(
            !material.tools.is_empty(),
            "there are no tools below {}",
            folder.display()
        );
        ensure!(!material.requests.is_empty(), "there are no requests");
        Ok(material)
    }

    /// Requests from all over the sets.
    pub(crate) fn requests(&self, count: usize) -> Vec<String> {
        let step = (self.requests.len() / count.max(1)).max(1);
        let all = self.requests.iter().step_by(step).cycle();
        all.take(count).cloned().collect()
    }

    /// So many tools, no two the same.
    pub(crate) fn recombined(&self, count: usize) -> Vec<Entry> {
        let count_of_tools = self.tools.len();
        let tool = |number: usize| self.tools.get(number % count_of_tools);
        (0..count)
            .filter_map(|number| {
                let round = number / count_of_tools;
                let (one, other) = (tool(number)?, tool(number * 7 + round * 7_919)?);
                Some(if round == 0 {
                    one.clone()
                } else {
                    joined(one, other, number)
                })
            })
            .collect()
    }
}

fn joined(one: &Entry, other: &Entry, number: usize) -> Entry {
    let last = other
        .name
        .rsplit(['_', '.', '-'])
        .next()
        .unwrap_or_default();
    Entry {
        id: format!("{}#{number}", one.id),
        name: format!("{}_{last}", one.name),
        server: other.server.clone(),
        description: one.description.clone(),
        category: other.category.clone(),
        parameters: other.parameters.clone(),
    }
}
