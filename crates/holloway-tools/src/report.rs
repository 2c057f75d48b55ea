//! `create-report`: how do results read for people? Any object becomes Markdown:
//! a heading per field, a table for a list of objects, bullets for other lists.

use std::fmt::Write as _;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::Tool;
use super::declaration::{Declaration, output};
use super::pure::Pure;

const DEEPEST_HEADING: usize = 6;
const WIDEST_TABLE: usize = 50;

/// The second name is the one that plans in the wild use.
pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(spec("create-report"), create),
        Pure::tool(spec("create_report"), create),
    ]
}

fn spec(name: &'static str) -> ToolSpec {
    Declaration {
        name,
        title: "Create a report",
        category: "report",
        description: "Turns results into a readable Markdown report. Takes any fields: each becomes a section with its name as the \
            heading; lists of objects become tables, other lists bullets, texts paragraphs. `title` gives the first \
            heading. Use it as the last step of a plan. Returns the Markdown and the title.",
        effect: Effect::Read,
        latency_ms: 2,
        input: json!({
            "type": "object",
            "additionalProperties": true,
            "properties": {"title": {"type": "string", "default": "Report", "description": "The first heading"}}
        }),
        output: output(
            &["markdown", "title"],
            json!({"markdown": {"type": "string"}, "title": {"type": "string"}}),
        ),
        example: json!({"title": "This week", "summaries": ["Sales rose.", "Costs fell."]}),
        does: &[],
    }
    .builtin()
}

fn create(arguments: &Value) -> Result<Value, ToolFailure> {
    let Some(fields) = arguments.as_object() else {
        return Err(ToolFailure::invalid("a report is made from an object"));
    };
    let title = fields
        .get("title")
        .and_then(Value::as_str)
        .unwrap_or("Report");
    let mut markdown = format!("# {}\n", one_line(title));
    for (name, value) in fields {
        // A title that is no text is a section like any other.
        if name != "title" || !value.is_string() {
            section(&mut markdown, name, value, 2);
        }
    }
    Ok(json!({ "markdown": markdown, "title": title }))
}

fn section(markdown: &mut String, name: &str, value: &Value, level: usize) {
    let marks = "#".repeat(level);
    // Writing to a String cannot fail.
    write!(markdown, "\n{marks} {}\n", heading(name)).ok();
    match value {
        Value::Object(fields) if fields.values().any(is_large) && level < DEEPEST_HEADING => {
            for (name, value) in fields {
                section(markdown, name, value, level + 1);
            }
        }
        other => body(markdown, other),
    }
}

fn is_large(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::String(text) => text.contains('\n'),
        _ => false,
    }
}

fn body(markdown: &mut String, value: &Value) {
    markdown.push('\n');
    match value {
        Value::Array(items) if items.is_empty() => markdown.push_str("*none*\n"),
        Value::Array(items) => match columns(items) {
            Some(columns) => table(markdown, &columns, items),
            None => items
                .iter()
                .for_each(|item| bullet(markdown, &inline(item))),
        },
        Value::Object(fields) if fields.is_empty() => markdown.push_str("*none*\n"),
        Value::Object(fields) => {
            for (name, value) in fields {
                bullet(
                    markdown,
                    &format!("**{}:** {}", heading(name), inline(value)),
                );
            }
        }
        Value::String(text) => writeln!(markdown, "{}", text.trim_end()).unwrap_or_default(),
        other => writeln!(markdown, "{}", inline(other)).unwrap_or_default(),
    }
}

fn bullet(markdown: &mut String, text: &str) {
    // Further lines are indented to stay in the bullet.
    writeln!(markdown, "- {}", text.trim_end().replace('\n', "\n  ")).ok();
}

/// The names of all fields, in order of appearance, when every item is an object
/// and a table of them can still be read.
fn columns(items: &[Value]) -> Option<Vec<&String>> {
    let mut ordered: Vec<&String> = Vec::new();
    for item in items {
        for name in item.as_object()?.keys() {
            if !ordered.contains(&name) {
                ordered.push(name);
            }
            if ordered.len() > WIDEST_TABLE {
                return None;
            }
        }
    }
    (!ordered.is_empty()).then_some(ordered)
}

fn table(markdown: &mut String, columns: &[&String], rows: &[Value]) {
    let names = columns.iter().map(|name| cell(&heading(name)));
    table_row(markdown, names);
    table_row(markdown, columns.iter().map(|_| "---".to_owned()));
    for row in rows {
        let cells = columns
            .iter()
            .map(|name| row.get(name.as_str()).map(inline).unwrap_or_default());
        table_row(markdown, cells.map(|text| cell(&text)));
    }
}

fn table_row(markdown: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    writeln!(markdown, "| {} |", cells.join(" | ")).ok();
}

/// A bar or a line break would end the cell.
fn cell(text: &str) -> String {
    text.trim()
        .replace('|', "\\|")
        .replace("\r\n", "<br>")
        .replace('\n', "<br>")
}

/// A value within a line.
fn inline(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => items.iter().map(inline).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let pairs = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", inline(value)));
            pairs.collect::<Vec<_>>().join("; ")
        }
    }
}

/// `total_price` and `totalPrice` read as "Total price".
fn heading(name: &str) -> String {
    let mut words = String::new();
    let mut previous = ' ';
    for character in one_line(name).chars() {
        if character.is_uppercase() && previous.is_lowercase() {
            words.push(' ');
            words.extend(character.to_lowercase());
        } else if matches!(character, '_' | '-') {
            words.push(' ');
        } else {
            words.push(character);
        }
        previous = character;
    }
    let mut characters = words.trim().chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters.clone()).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn a_report_reads_well() {
        let arguments = json!({
            "title": "Prices\nthis week",
            "summary": "All is **well**.",
            "totalPrice": 12.5,
            "items": [{"name": "a|b", "in_stock": true}, {"name": "c", "note": "x\ny"}],
            "tags": ["one", "two\nlines"],
            "details": {"city": "Oslo", "open": false},
            "nested": {"rows": [{"n": 1}], "text": "end"},
            "empty": [],
        });
        let report = builtin("create_report", arguments).await.unwrap();
        insta::assert_snapshot!(report["markdown"].as_str().unwrap(), @r##"
        # Prices this week

        ## Summary

        All is **well**.

        ## Total price

        12.5

        ## Items

        | Name | In stock | Note |
        | --- | --- | --- |
        | a\|b | yes |  |
        | c |  | x<br>y |

        ## Tags

        - one
        - two
          lines

        ## Details

        - **City:** Oslo
        - **Open:** no

        ## Nested

        ### Rows

        | N |
        | --- |
        | 1 |

        ### Text

        end

        ## Empty

        *none*
        "##);
    }

    #[tokio::test]
    async fn both_names_give_the_same_report() {
        let arguments = json!({"summaries": ["a", "b"]});
        let report = builtin("create-report", arguments.clone()).await.unwrap();
        assert_eq!(report, builtin("create_report", arguments).await.unwrap());
        assert_eq!(report["title"], "Report");
    }
}
