//! How is a long list of actions read? The first in full, the rest as a table.

use serde_json::json;

use crate::model::{Action, Column, Table};

const IN_FULL: usize = 25;

/// The actions that are told in full, and the others in brief.
/// `start` is the number of the first.
pub(crate) fn split(items: &[Action], start: usize) -> (&[Action], Option<Table>) {
    let Some((full, rest)) = items
        .split_at_checked(IN_FULL)
        .filter(|(_, rest)| !rest.is_empty())
    else {
        return (items, None);
    };
    let columns = [
        ("number", "No."),
        ("title", "Action"),
        ("priority", "Priority"),
        ("domain", "Domain"),
        ("impact", "Impact"),
        ("effort", "Effort"),
    ];
    let rows = rest.iter().enumerate().map(|(index, action)| {
        json!({
            "number": start + IN_FULL + index,
            "title": action.title,
            "priority": action.priority,
            "domain": action.domain,
            "impact": action.impact,
            "effort": action.effort,
        })
    });
    let rows: Vec<_> = rows.collect();
    let used = columns.into_iter().filter(|(key, _)| {
        rows.iter()
            .any(|row| row.get(key).is_some_and(|value| value != ""))
    });
    let columns = used.map(|(key, title)| Column {
        key: key.to_owned(),
        title: title.to_owned(),
        ..Column::default()
    });
    let table = Table {
        title: "Further actions".to_owned(),
        columns: columns.collect(),
        rows,
        ..Table::default()
    };
    (full, Some(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_plan_ends_in_a_table() {
        let action = Action {
            title: "Do".to_owned(),
            effort: "low".to_owned(),
            ..Action::default()
        };
        let items = vec![action; 30];
        assert_eq!(split(&items[..25], 1), (&items[..25], None));
        let (full, rest) = split(&items, 1);
        let rest = rest.unwrap();
        assert_eq!((full.len(), rest.rows.len()), (25, 5));
        let titles: Vec<&str> = rest
            .columns
            .iter()
            .map(|column| column.title.as_str())
            .collect();
        assert_eq!(titles, ["No.", "Action", "Effort"]);
        assert_eq!(rest.rows[0]["number"], 26);
    }
}
