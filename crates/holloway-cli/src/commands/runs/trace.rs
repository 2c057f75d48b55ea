//! `holloway runs trace`: what did each node do, and when? For programs, for
//! OpenTelemetry, or as a tree for people.

use clap::Args;
use holloway_engine::entry::Stored;
use holloway_engine::otel::to_otlp;
use holloway_engine::ports::BlobStore;
use holloway_engine::trace::ExecTrace;
use holloway_store::Store;
use serde::ser::{Error as _, SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::history::History;
use super::tree;
use crate::error::{CliError, Exit};
use crate::print;
use crate::print::paint::Paint;
use crate::run_name;
use crate::session::Session;

/// Print the execution trace of a run as JSON
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
    /// As OTLP/JSON, for OpenTelemetry collectors
    #[arg(long, conflicts_with = "tree")]
    otel: bool,
    /// As a tree for people
    #[arg(long)]
    tree: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let store = session.store()?;
    let run = run_name::find(&arguments.run, session)?.run;
    let history = History::read(&run, store)?;
    let trace = history.trace(&run, store)?;
    if arguments.otel {
        print::object(&to_otlp(&run, &trace))?;
    } else if arguments.tree && !session.json {
        print::result(&tree::tree(&trace.entries, Paint::stdout()))?;
    } else {
        print::stream(&Whole {
            trace: &trace,
            store,
        })?;
    }
    Ok(Exit::Done)
}

/// A trace with its large results, each read when it is written.
struct Whole<'a> {
    trace: &'a ExecTrace,
    store: &'a Store,
}

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let around = self.trace.without_entries();
        let Ok(Value::Object(fields)) = serde_json::to_value(around) else {
            return Err(S::Error::custom("the trace is no object"));
        };
        let mut whole = serializer.serialize_map(Some(fields.len()))?;
        for (name, value) in &fields {
            if name == "entries" {
                whole.serialize_entry(name, &Entries(self))?;
            } else {
                whole.serialize_entry(name, value)?;
            }
        }
        whole.end()
    }
}

struct Entries<'a>(&'a Whole<'a>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Whole { trace, store } = self.0;
        let blobs: &dyn BlobStore = *store;
        let mut entries = serializer.serialize_seq(Some(trace.entries.len()))?;
        for entry in &trace.entries {
            let Some(Stored::Blob { blob, bytes, .. }) = &entry.kept else {
                entries.serialize_element(entry)?;
                continue;
            };
            let mut whole = entry.clone();
            whole.output = Some(blobs.fetch(blob, *bytes).map_err(S::Error::custom)?);
            entries.serialize_element(&whole)?;
        }
        entries.end()
    }
}
