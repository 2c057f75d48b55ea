//! Does a definition try to mislead whoever reads it? Looks for hidden text,
//! orders to the model, and names that pose as others. What is found is shown.
//!
//! Every text of a definition is looked at, names and defaults included; one file
//! per suspicion. It is a net, not a proof: pins and approval hold without it.

mod active;
mod cross_tool;
mod encoded;
mod hidden;
mod lookalike;
mod marker;
mod names;
mod order;
mod pattern;
mod phrases;
mod schema;
mod size;
mod texts;
pub mod visible;
mod words;

use holloway_plan::tool::ToolId;
use serde::{Deserialize, Serialize};

use super::offer::Offer;
use names::Names;
use texts::Text;

/// More findings of one definition than this help nobody.
const MOST: usize = 40;

/// Something about a definition that a person should see before using it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub kind: Suspicion,
    /// Where in the definition, as a JSON pointer; empty for the name.
    pub place: String,
    /// What was found, with everything invisible made visible.
    pub shown: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Suspicion {
    /// Characters that are not seen: zero width, tags, direction marks, controls.
    HiddenText,
    /// An order to the reader: ignore, conceal, send, read files.
    Order,
    /// Tells how other tools are to be used.
    CrossTool,
    /// Its name is, or looks like, that of a tool of another source.
    ShadowedName,
    /// Longer than any honest definition.
    Oversized,
    /// Something encoded that a reader cannot check.
    Encoded,
    /// Does something where it is shown: loads an image, runs a script.
    Active,
    /// Its schema cannot be used: not an object, endless, too deep.
    BadSchema,
    /// Its requests go to a host that nobody has accepted for this source.
    ForeignOrigin,
}

impl Suspicion {
    /// What it is, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::HiddenText => "hidden text",
            Self::Order => "an order to the model",
            Self::CrossTool => "talk about other tools",
            Self::ShadowedName => "a name that poses as another",
            Self::Oversized => "too long",
            Self::Encoded => "encoded text",
            Self::Active => "active content",
            Self::BadSchema => "a schema that cannot be used",
            Self::ForeignOrigin => "an origin that was not accepted",
        }
    }
}

/// All that looks wrong about an offer; `others` are the tools of other sources.
/// For many offers of one source, an [`Inspector`] knows which names are its own.
pub fn inspect(offer: &Offer, others: &[ToolId]) -> Vec<Finding> {
    Inspector::new(others, [&offer.id]).inspect(offer)
}

/// Inspects the offers of one source.
pub struct Inspector {
    names: Names,
}

impl Inspector {
    /// `others` are the tools of other sources, `own` those of the source itself.
    pub fn new<'a>(others: &[ToolId], own: impl IntoIterator<Item = &'a ToolId>) -> Self {
        Self {
            names: Names::new(others, own),
        }
    }

    /// All that looks wrong about an offer.
    pub fn inspect(&self, offer: &Offer) -> Vec<Finding> {
        let mut findings = Findings {
            list: offer.findings.clone(),
        };
        names::look(offer, &self.names, &mut findings);
        size::look(offer, &mut findings);
        schema::look(offer, &mut findings);
        let texts = texts::of(offer);
        let local = cross_tool::local_names(&texts);
        for text in &texts {
            hidden::look(text, &mut findings);
            active::look(text, &mut findings);
            encoded::look(text, &mut findings);
            marker::look(text, &mut findings);
            order::look(text, &mut findings);
            cross_tool::look(text, &self.names, &local, &mut findings);
        }
        findings.list
    }
}

/// What was found so far; one finding of a kind for each place is enough.
#[derive(Default)]
struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, kind: Suspicion, place: &str, shown: String) {
        let known = |finding: &Finding| finding.kind == kind && finding.place == place;
        if self.list.len() < MOST && !self.list.iter().any(known) {
            self.list.push(Finding {
                kind,
                place: visible::shortened(place, 200),
                shown,
            });
        }
    }

    /// Shows a part of a text, by the positions of its characters.
    fn add_part(&mut self, kind: Suspicion, text: &Text, start: usize, end: usize) {
        self.add(kind, &text.place, visible::excerpt(&text.chars, start, end));
    }
}
