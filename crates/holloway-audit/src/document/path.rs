//! How is an element found again? By a CSS path as short as the page allows: it starts at
//! the nearest id or name that occurs once, and counts siblings only where it must.

use scraper::ElementRef;

use super::Document;

/// Longer paths lose their front: nobody reads them, and few pages need them.
const MAX_PARTS: usize = 24;

impl Document {
    /// A CSS selector that leads to `element`.
    pub fn path(&self, element: ElementRef) -> String {
        let mut parts = Vec::new();
        let mut next = Some(element);
        while let Some(current) = next.filter(|_| parts.len() < MAX_PARTS) {
            let (part, unique) = self.part(current);
            parts.push(part);
            if unique {
                break;
            }
            next = current.parent().and_then(ElementRef::wrap);
        }
        parts.reverse();
        parts.join(" > ")
    }

    /// One part of a path, and whether it alone leads to the element.
    fn part(&self, element: ElementRef) -> (String, bool) {
        let value = element.value();
        if let Some(id) = value.attr("id")
            && !id.is_empty()
            && id.len() <= 60
            && self.with_id(id).count() == 1
        {
            return (format!("#{}", identifier(id)), true);
        }
        let name = identifier(value.name());
        if self.named(value.name()).take(2).count() == 1 {
            return (name, true);
        }
        match self.entry(element.id()) {
            Some(entry) if !entry.alone => (format!("{name}:nth-of-type({})", entry.nth), false),
            _ => (name, false),
        }
    }
}

fn identifier(text: &str) -> String {
    let mut escaped = String::new();
    // Writing to a string cannot fail.
    let _ = cssparser::serialize_identifier(text, &mut escaped);
    escaped
}
