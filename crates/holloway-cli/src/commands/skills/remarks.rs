//! How are remarks about skills shown? Like problems of plans: file and line, sentence,
//! hint.

use std::path::Path;

use holloway_flow::skills::{Remark, Weight};
use serde_json::{Value, json};

use crate::print::paint::Paint;
use crate::print::visible;

/// A remark and the file it is about.
pub(super) type Placed = (String, Remark);

pub(super) fn is_wrong((_, remark): &Placed) -> bool {
    remark.weight == Weight::Wrong
}

pub(super) fn text(remarks: &[Placed], here: &Path, paint: Paint) -> String {
    let shown = |(place, remark): &Placed| {
        let head = match remark.weight {
            Weight::Wrong => paint.red("wrong"),
            Weight::Advice => paint.yellow("advice"),
        };
        // A path inside the folder is shorter and says as much.
        let place = Path::new(place)
            .strip_prefix(here)
            .unwrap_or(Path::new(place));
        format!(
            "{}:{}: {head}: {}\n  {} {}",
            visible(&place.display().to_string()),
            remark.line,
            visible(&remark.message),
            paint.cyan("hint:"),
            visible(&remark.hint)
        )
    };
    remarks.iter().map(shown).collect::<Vec<_>>().join("\n")
}

pub(super) fn data(remarks: &[Placed]) -> Vec<Value> {
    let one = |(place, remark): &Placed| {
        json!({
            "place": place,
            "line": remark.line,
            "weight": remark.weight,
            "message": remark.message,
            "hint": remark.hint,
        })
    };
    remarks.iter().map(one).collect()
}
