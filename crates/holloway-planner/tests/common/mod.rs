//! Catalogues for tests.

use holloway_plan::tool::ToolSpec;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::request::Analysis;
use holloway_search::entry::Entry;
use holloway_search::rank::{Health, Repute};

/// The built-in tools, as `tests/data/README.md` says.
pub fn builtin() -> Catalogue {
    let lines = include_str!("../data/builtin-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str::<ToolSpec>(line).unwrap());
    Catalogue::new(tools.map(|tool| {
        let repute = Repute {
            quality: 0.8,
            health: Health::Healthy,
            uses: 0,
        };
        (tool.clone(), entry(&tool), repute)
    }))
}

pub fn entry(tool: &ToolSpec) -> Entry {
    let entry = Entry {
        id: tool.id.to_string(),
        name: tool.id.name().to_owned(),
        server: String::new(),
        description: format!("{}. {}", tool.title, tool.description),
        category: tool.category.clone(),
        parameters: Vec::new(),
    };
    entry.with_schema(&tool.input_schema)
}

pub fn analyse(request: &str, catalogue: &Catalogue) -> Analysis {
    stand_in::analyse(request, catalogue)
}

mod stand_in {
    use super::*;
    use holloway_planner::request::{Capability, Entity, EntityKind, Format};
    use serde_json::json;

    pub fn analyse(request: &str, _catalogue: &Catalogue) -> Analysis {
        let clauses = holloway_search::clauses::clauses(request);
        let mut entities = Vec::new();
        for word in request.split_whitespace() {
            let word = word.trim_matches([',', '.', '?', '!']);
            let word_url = request.split_whitespace().find(|w| w.starts_with(word)).unwrap_or(word);
            let _ = word_url;
            let kind = if word.contains("://") { EntityKind::Url }
                else if word.contains('@') { EntityKind::Email }
                else if word.rsplit_once('.').is_some_and(|(a, b)| !a.is_empty() && (2..5).contains(&b.len())) { EntityKind::File }
                else { continue };
            let at = request.find(word).unwrap_or(0);
            entities.push(Entity { kind, text: word.to_owned(), value: json!(word), place: at..at + word.len(), label: None });
        }
        let low = request.to_lowercase();
        let mut formats = Vec::new();
        for (word, format) in [("report", Format::Report), ("pdf", Format::Pdf), ("html", Format::Html), ("excel", Format::Xlsx), ("as csv", Format::Csv)] {
            if low.contains(word) && !low.contains(&format!(".{word}")) { formats.push(format); }
        }
        Analysis {
            request: request.to_owned(),
            intent: clauses.first().cloned().unwrap_or_default(),
            capabilities: clauses.iter().enumerate().map(|(clause, text)| Capability { text: text.clone(), clause, category: None }).collect(),
            entities,
            formats,
            ..Analysis::default()
        }
    }
}
