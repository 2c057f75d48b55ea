//! Which steps give a page of the web? It is fetched, and what is read on it, or its Markdown, is
//! made of what came.

use serde_json::json;

use super::made::Text;
use super::{Call, Layer};
use crate::bind::shape::Kind;
use crate::catalogue::Place;
use crate::catalogue::ports::Role;
use crate::generate::assembly::Part;
use crate::request::texts::{Form, Value};

/// How tools call a page as it is written.
const HTML: &str = "html";

impl Layer<'_, '_> {
    pub(super) fn page(&mut self, at: usize, form: Form) -> Option<Text> {
        let made = match form {
            Form::Source => return self.fetched(at),
            Form::Markdown => "markdown",
            Form::Title => "title",
            Form::Text | Form::Fitting => "text",
        };
        let html = self.text(&Value::Page(at, Form::Source))?;
        let place = self.renderer(made)?;
        let mut call = Call::new("brings the page into the form that is asked for");
        call.arguments.insert(HTML.to_owned(), json!(html.whole()));
        let id = self.look(place, call, Part::Core);
        Some(Text::part(format!("{id}.{made}")))
    }

    fn fetched(&mut self, at: usize) -> Option<Text> {
        let (place, port) = self.fetcher()?;
        let mut call = Call::new("fetches what the request names");
        self.file(&mut call, place, &port, at)?;
        let id = self.look(place, call, Part::Core);
        Some(Text::part(format!("{id}.{HTML}")))
    }

    /// Gives the page at an address.
    fn fetcher(&self) -> Option<(Place, String)> {
        self.tool(|_, _, ports| {
            let address = super::tools::only(ports).filter(|port| port.role == Role::Address)?;
            let mut gives = ports.outputs.iter();
            let gives = gives.any(|port| port.name == HTML && port.required);
            (gives && !ports.writes).then(|| address.name.clone())
        })
    }

    /// Makes a text of a page that is given as it is written.
    fn renderer(&self, gives: &str) -> Option<Place> {
        let found = self.tool(|_, _, ports| {
            let takes = ports
                .input(HTML)
                .is_some_and(|port| port.kind == Kind::Text);
            let free = ports.needed().all(|port| port.name == HTML);
            let mut outputs = ports.outputs.iter();
            let gives = outputs.any(|port| port.name == gives && port.required);
            (takes && free && gives && !ports.writes).then_some(())
        });
        found.map(|(place, ())| place)
    }
}
