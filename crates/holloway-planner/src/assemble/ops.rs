//! What do the tools at hand do? What they declare, and apart from it what was inferred of tools
//! that declare nothing.

use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::{Does, is_a};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::serving::{helps, required};
use crate::catalogue::shape::Shape;
use crate::frame::acts::Acts;

/// Inferred lines that are looked at for one goal.
const MOST_INFERRED: usize = 24;
/// The source whose tools a bare name means first.
const OWN_SOURCE: &str = "builtin";

/// Something a tool does, ready to be put into a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op<'a> {
    pub(super) tool: &'a Arc<ToolSpec>,
    /// The shortest name under which a plan finds the tool.
    pub(super) name: &'a str,
    pub(super) does: &'a Does,
    /// Nobody declared it.
    pub(super) inferred: bool,
}

impl Op<'_> {
    pub(super) fn is_detour(&self) -> bool {
        Acts::table()
            .act(&self.does.act)
            .is_some_and(|act| act.detour)
    }

    /// Whether it does the same as another tool with these arguments, and no more harm.
    pub(super) fn can_stand_in(&self, other: &Op<'_>, input: &Map<String, Value>) -> bool {
        let harm = |op: &Op<'_>| op.tool.effect as u8;
        let schema = Shape::of(&self.tool.input_schema);
        self.tool.id != other.tool.id
            && self.does == other.does
            && harm(self) <= harm(other)
            && input.keys().all(|name| schema.field(name).is_some())
            && required(self.tool).all(|name| input.contains_key(name))
    }

    /// Whether it makes the same of something that is taken here as well.
    fn does_the_same(&self, other: &Self) -> bool {
        let kinds = |op: &Self| {
            let takes = op.does.takes.first().map(|takes| takes.kinds.clone());
            let gives = op.does.gives.as_ref().map(|gives| gives.kinds.clone());
            (takes.unwrap_or_default(), gives.unwrap_or_default())
        };
        let ((takes, gives), (others_takes, others_gives)) = (kinds(self), kinds(other));
        let all = |some: &[String], wide: &[String]| {
            let fits = |kind: &String| wide.iter().any(|wide| is_a(kind, wide));
            some.iter().all(fits)
        };
        all(&others_takes, &takes) && all(&others_gives, &gives)
    }
}

/// What all tools do.
pub(super) struct Ops<'a> {
    pub(super) declared: Vec<Op<'a>>,
    inferred: Vec<Op<'a>>,
}

impl<'a> Ops<'a> {
    pub(super) fn of(tools: &'a [Arc<ToolSpec>]) -> Self {
        let mut named: FxHashMap<&str, usize> = FxHashMap::default();
        for tool in tools {
            *named.entry(tool.id.name()).or_default() += 1;
        }
        let name = |tool: &'a Arc<ToolSpec>| {
            let name = tool.id.name();
            let alone = named.get(name).is_none_or(|count| *count == 1);
            let means_it = alone || tool.id.source() == OWN_SOURCE;
            if means_it { name } else { tool.id.as_str() }
        };
        let op = |tool: &'a Arc<ToolSpec>, does: &'a Does, inferred: bool| Op {
            tool,
            name: name(tool),
            does,
            inferred,
        };
        let declared = tools.iter().flat_map(|tool| {
            let lines = tool.does.iter();
            lines.map(move |does| op(tool, does, false))
        });
        let silent = tools.iter().filter(|tool| tool.does.is_empty());
        let inferred = silent.flat_map(|tool| {
            let lines = tool.inferred.iter();
            lines.map(move |does| op(tool, does, true))
        });
        Self {
            declared: declared.collect(),
            inferred: inferred.collect(),
        }
    }

    /// All that is declared, and what was inferred for an act: tools that do it, and those that
    /// help as no declared tool does. Nothing where there is none.
    pub(super) fn with_inferred(&self, act: &str) -> Option<Vec<Op<'a>>> {
        let helps_anew = |op: &&Op<'a>| {
            let mut declared = self.declared.iter().filter(|known| helps(known.does));
            helps(op.does) && !declared.any(|known| known.does_the_same(op))
        };
        let of_act = self.inferred.iter().filter(|op| op.does.act == act);
        let others = self.inferred.iter().filter(|op| op.does.act != act);
        let fitting = of_act.chain(others.filter(helps_anew));
        let fitting: Vec<Op<'a>> = fitting.take(MOST_INFERRED).copied().collect();
        (!fitting.is_empty()).then(|| self.declared.iter().chain(&fitting).copied().collect())
    }
}
