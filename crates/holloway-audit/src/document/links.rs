//! Where does this page lead? Addresses resolved against the base the page declares.

use scraper::ElementRef;
use url::Url;

use super::{Document, NodeId, attribute, has_word};

/// An `a` or `area` with an address that leads to the web.
#[derive(Clone, Debug)]
pub struct Link {
    pub node: NodeId,
    /// As a browser would open it, without the fragment.
    pub target: Url,
    /// What the link says, alternatives of images included.
    pub text: String,
    pub nofollow: bool,
}

impl Document {
    /// The links of the page to `http` and `https`, in document order.
    pub fn links(&self) -> &[Link] {
        self.links.get_or_init(|| {
            let anchors = self.named_any(&["a", "area"]);
            let links = anchors.into_iter().filter_map(|anchor| self.link(anchor));
            links.collect()
        })
    }

    fn link(&self, anchor: ElementRef) -> Option<Link> {
        let mut target = self.resolve(attribute(anchor, "href")?)?;
        if !matches!(target.scheme(), "http" | "https") {
            return None;
        }
        target.set_fragment(None);
        let text = if anchor.value().name() == "area" {
            anchor.attr("alt").unwrap_or_default().trim().to_owned()
        } else {
            self.label(anchor)
        };
        Some(Link {
            node: anchor.id(),
            target,
            text,
            nofollow: has_word(attribute(anchor, "rel"), "nofollow"),
        })
    }

    /// An address of the page made absolute; none if it is no address.
    pub fn resolve(&self, address: &str) -> Option<Url> {
        let address = address.trim();
        match self.base.as_ref().or(self.url.as_ref()) {
            Some(base) => base.join(address).ok(),
            None => Url::parse(address).ok(),
        }
    }

    pub(super) fn find_base(&self) -> Option<Url> {
        let address = self.named("base").find_map(|base| base.attr("href"))?;
        let base = match &self.url {
            Some(url) => url.join(address.trim()).ok(),
            None => Url::parse(address.trim()).ok(),
        };
        // Browsers pass over `data:` and the like here.
        base.filter(|base| matches!(base.scheme(), "http" | "https"))
    }
}
