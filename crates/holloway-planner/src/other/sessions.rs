//! What must be open before, and saved after? Some servers work on a document that one of their tools
//! has opened, and keep what was changed to themselves until they are told to save.

use super::assemble::Assembly;
use super::choose::{Chosen, Tool};
use super::gaps::is_handle;
use super::says::kinds_of_tool;
use super::signs::kinds_of_named;
use super::words::is_file;
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role, terms};
use crate::lexicon::lists::List;
use crate::lexicon::sorts::{Sorts, sorts_of_words};

static OPENS: List = List::named("tools_sessions.opens");
/// How tools are called that begin something that others go on with.
static BEGINS: List = List::named("tools_sessions.begins");
static SAVES: List = List::named("tools_sessions.saves");

/// The tools with those that open what they work on, and those that save it.
pub(super) fn with_sessions(plan: &Assembly<'_>, chosen: &Chosen) -> Vec<Tool> {
    let mut all: Vec<Tool> = Vec::new();
    for tool in &chosen.tools {
        let begun = all.iter().any(|other| {
            plan.is_of_same(other.place, tool.place) && plan.begins_with(other.place, &BEGINS)
        });
        all.extend(plan.opening(tool).filter(|_| !begun));
        all.push(plan.told_file(tool.clone()));
    }
    let saving = plan.saving(&all);
    all.extend(saving);
    all
}

impl Assembly<'_> {
    /// What opens the file that a tool works on and cannot be told.
    fn opening(&self, tool: &Tool) -> Option<Tool> {
        let ports = self.ports(tool.place)?;
        let is_told = |port: &Port| port.role == Role::File || is_handle(port);
        let begins = self.begins_with(tool.place, &BEGINS);
        if begins || self.begins_with(tool.place, &SAVES) || ports.needed().any(is_told) {
            return None;
        }
        let opener = self.tools_of_same(tool.place).find(|place| {
            let needs: Vec<&Port> = self.needed(*place).collect();
            let takes_file = matches!(needs.as_slice(), [port] if port.role == Role::File);
            takes_file && self.begins_with(*place, &OPENS)
        })?;
        self.opened_file(opener)?;
        let name = self.catalogue.tool(tool.place)?.id.name();
        let reason = format!("opens the file that {name} works on");
        Some(self.told_file(Tool::new(opener, tool.goal, reason)))
    }

    /// What opens is told the file that is there, not the one that is yet to be written.
    fn told_file(&self, mut tool: Tool) -> Tool {
        let opens = self.begins_with(tool.place, &OPENS);
        let file = self.opened_file(tool.place).filter(|_| opens);
        tool.file = self.file_port(tool.place).zip(file);
        tool
    }

    /// The file of the request that is there and that a tool is for.
    fn opened_file(&self, opener: Place) -> Option<usize> {
        let kinds = kinds_of_tool(self.catalogue.tool(opener)?);
        let entities = self.frame.entities.iter().enumerate();
        let mut files = entities.filter(|(_, entity)| is_file(entity));
        let found = files.find(|(_, file)| {
            let of_kind = kinds_of_named(file);
            !self.frame.wording.makes(file) && kinds.iter().any(|kind| of_kind.contains(kind))
        });
        found.map(|(at, _)| at)
    }

    /// What saves a document that was opened and changed, where nobody asked for it.
    fn saving(&self, tools: &[Tool]) -> Option<Tool> {
        let changes = |tool: &&Tool| {
            let goal = tool.goal.and_then(|goal| self.frame.goals.get(goal));
            let looks = goal.is_some_and(|goal| goal.clause.action.sorts.is_only(Sorts::LOOK));
            let name = self.catalogue.tool(tool.place).map(|tool| tool.id.name());
            let reads = sorts_of_words(name.unwrap_or_default()).is_only(Sorts::LOOK);
            let begins = self.begins_with(tool.place, &BEGINS);
            self.writes(tool.place) && !begins && !looks && !reads
        };
        let last = tools.iter().rev().find(changes)?;
        let of_same = |other: &&Tool, words: &[&str]| {
            self.is_of_same(other.place, last.place) && self.begins_with(other.place, words)
        };
        let opener = tools.iter().find(|other| of_same(other, &OPENS))?;
        if tools.iter().any(|other| of_same(&other, &SAVES)) {
            return None;
        }
        let savers = self.tools_of_same(last.place);
        let savers = savers.filter(|place| self.begins_with(*place, &["save"]));
        let saver = savers.min_by_key(|place| self.needed(*place).count())?;
        let mut saving = Tool::new(saver, last.goal, "keeps what was changed".to_owned());
        // Who changes a document means the one that is there.
        saving.file = self.file_port(saver).zip(self.opened_file(opener.place));
        Some(saving)
    }

    fn needed(&self, place: Place) -> impl Iterator<Item = &Port> {
        self.ports(place).into_iter().flat_map(Ports::needed)
    }

    fn file_port(&self, place: Place) -> Option<String> {
        let port = self.needed(place).find(|port| port.role == Role::File);
        port.map(|port| port.name.clone())
    }

    fn tools_of_same(&self, place: Place) -> impl Iterator<Item = Place> {
        let source = self.source(place);
        let all = self.catalogue.tools();
        let same = all.filter(move |(_, tool)| Some(tool.id.source()) == source);
        same.map(|(place, _)| place)
    }

    fn is_of_same(&self, one: Place, other: Place) -> bool {
        self.source(one) == self.source(other)
    }

    /// Whether the name of a tool begins with one of these.
    fn begins_with(&self, place: Place, words: &[&str]) -> bool {
        let name = self.catalogue.tool(place).map_or("", |tool| tool.id.name());
        let terms = terms(name);
        let first = terms.first().map(String::as_str);
        words.iter().any(|word| Some(*word) == first)
    }
}
