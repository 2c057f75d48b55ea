//! Which HTML does a call mean? A page as the fetching tools give it, or HTML with
//! the address it came from; the same arguments for every tool that reads HTML.

use holloway_engine::failure::ToolFailure;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
pub(crate) struct Source {
    html: Option<String>,
    url: Option<String>,
    page: Option<PageArgument>,
}

/// Of a page only what is needed here.
#[derive(Deserialize)]
struct PageArgument {
    #[serde(default)]
    html: String,
    #[serde(default)]
    url: String,
}

impl Source {
    /// The HTML, and its address where one is given.
    pub(crate) fn read(self) -> Result<(String, Option<Url>), ToolFailure> {
        let (html, address) = match (self.page, self.html) {
            (Some(page), None) => (page.html, Some(page.url)),
            (None, Some(html)) => (html, self.url),
            (Some(_), Some(_)) => {
                let message = "give either `page` or `html`, not both";
                return Err(ToolFailure::invalid(message));
            }
            (None, None) => {
                return Err(ToolFailure::invalid("give either `page` or `html`")
                    .with_hint("`page-fetch` returns a page"));
            }
        };
        let address = address.filter(|address| !address.is_empty());
        let url = address.map(|address| {
            let parsed = Url::parse(&address);
            parsed.map_err(|error| ToolFailure::invalid(format!("`{address}` is no URL: {error}")))
        });
        Ok((html, url.transpose()?))
    }
}

/// The properties of those arguments, with `others` after them.
pub(crate) fn properties(others: Value) -> Value {
    let own = json!({
        "page": {"type": "object", "description": "A page as `page-fetch` returns it; not together with `html`"},
        "html": {"type": "string", "description": "HTML text; not together with `page`"},
        "url": {"type": "string", "description": "Where `html` came from, to make relative addresses whole"}
    });
    let mut all = Map::new();
    for part in [own, others] {
        if let Value::Object(fields) = part {
            all.extend(fields);
        }
    }
    Value::Object(all)
}
