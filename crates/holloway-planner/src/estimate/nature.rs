//! Which of three things does a tool do that are harmless alone and dangerous together:
//! read what is private, read what strangers wrote, send something out? Told from its
//! effect, parameters, name, category and description; no list of known tools.

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_search::words::each_word;
use rustc_hash::FxHashSet;
use serde_json::Value;

use super::words::{List, Words};

/// What a tool has to do with the outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nature {
    /// Sees data that is not for everyone.
    pub private: bool,
    /// Sees what anybody may have written.
    pub untrusted: bool,
    /// Data may leave through it.
    pub outbound: bool,
}

/// What a parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// An address on the web.
    Address,
    /// A file or folder.
    Path,
    /// People who get something.
    Recipient,
    Other,
}

/// What a tool has to do with the outside.
pub fn nature(tool: &ToolSpec) -> Nature {
    let has = |purpose: Purpose| has(tool, &[purpose]);
    let name = words(tool.id.name());
    let source = words(tool.id.source());
    let about = words(&format!(
        "{} {} {}",
        tool.category,
        tool.title,
        first_sentence(&tool.description)
    ));
    let lists = Words::english();
    let said = |list: &List| among(&name, list) || among(&about, list);
    if tool.effect != Effect::Read && among(&name, &lists.anything) {
        return Nature {
            private: true,
            untrusted: false,
            outbound: true,
        };
    }
    let reads = tool.effect == Effect::Read;
    let gets = reads || among(&name, &lists.getting);
    let leaves = is_remote(tool) && (said(&lists.services) || among(&source, &lists.services));
    let sends =
        has(Purpose::Recipient) || has(Purpose::Address) || among(&name, &lists.sending) || leaves;
    // Works on what it is given: no way in but its arguments.
    let reaches = !transforms(tool)
        && (has(Purpose::Address)
            || has(Purpose::Path)
            || is_remote(tool)
            || among(&name, &lists.getting)
            || among(&name, &lists.sending));
    // A description may speak of pages and news as examples; a name does not.
    let of_strangers = among(&name, &lists.strangers)
        || among(&name, &lists.getting) && among(&about, &lists.strangers);
    let strange = reaches && (has(Purpose::Address) || of_strangers);
    Nature {
        private: gets && (has(Purpose::Path) || reaches && said(&lists.private)) || attaches(tool),
        untrusted: gets && strange,
        outbound: !reads && sends,
    }
}

/// Whether a tool works on what it is given, here: there is nothing outside that could fail.
pub fn is_steady(tool: &ToolSpec) -> bool {
    let reaches = has(tool, &[Purpose::Address, Purpose::Path, Purpose::Recipient]);
    tool.effect == Effect::Read && !is_remote(tool) && (!reaches || transforms(tool))
}

/// Whether a tool gets something from an address: how far away that is decides how long it takes.
pub fn fetches(tool: &ToolSpec) -> bool {
    let named = among(&words(tool.id.name()), &Words::english().fetching);
    named || !transforms(tool) && has(tool, &[Purpose::Address])
}

/// What each parameter of a tool is for.
pub(super) fn parameters(tool: &ToolSpec) -> impl Iterator<Item = (&String, Purpose)> {
    let properties = tool.input_schema.get("properties");
    let properties = properties.and_then(Value::as_object).into_iter().flatten();
    properties.map(|(name, schema)| (name, purpose(name, schema)))
}

/// Whether one of the parameters is for one of these.
fn has(tool: &ToolSpec, wanted: &[Purpose]) -> bool {
    parameters(tool).any(|(_, purpose)| wanted.contains(&purpose))
}

/// What a parameter is for, by its name and declared format.
pub fn purpose(name: &str, schema: &Value) -> Purpose {
    let lists = Words::english();
    let format = schema.get("format").and_then(Value::as_str);
    let is_format = |list: &List| format.is_some_and(|format| list.contains(format));
    if is_format(&lists.address_formats) {
        return Purpose::Address;
    }
    if is_format(&lists.recipient_formats) {
        return Purpose::Recipient;
    }
    let mut last = String::new();
    let mut count = 0;
    each_word(name, |word| {
        word.clone_into(&mut last);
        count += 1;
    });
    // `output_path` is a path and `base_url` an address; `reply_to` is whom, `up_to` is not.
    let is = |list: &List| list.contains(&last);
    let mut before = lists.before_direction.iter();
    if is(&lists.address) {
        Purpose::Address
    } else if is(&lists.path) {
        Purpose::Path
    } else if is(&lists.recipient)
        && (count == 1 || !is(&lists.direction) || before.any(|word| name.contains(word)))
    {
        Purpose::Recipient
    } else {
        Purpose::Other
    }
}

/// A tool that takes a page beside its address does not fetch it. A `page` that is a
/// number is a place in a list.
fn transforms(tool: &ToolSpec) -> bool {
    let properties = tool.input_schema.get("properties");
    let is_given = |name: &String| {
        let property = properties.and_then(|all| all.get(name));
        let kind = property.map(|property| property.get("type").and_then(Value::as_str));
        !matches!(kind, None | Some(Some("integer" | "number")))
    };
    tool.effect == Effect::Read && Words::english().given.iter().any(is_given)
}

/// Files can go out with a message.
fn attaches(tool: &ToolSpec) -> bool {
    let properties = tool.input_schema.get("properties");
    let mut names = Words::english().attached.iter();
    properties.is_some_and(|all| names.any(|name| all.get(name).is_some()))
}

/// Tools of a server or service see more than their arguments.
fn is_remote(tool: &ToolSpec) -> bool {
    ["mcp.", "openapi."]
        .iter()
        .any(|kind| tool.id.source().starts_with(kind))
}

fn words(text: &str) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    each_word(text, |word| {
        words.insert(word.to_owned());
    });
    words
}

fn among(words: &FxHashSet<String>, list: &List) -> bool {
    words.iter().any(|word| list.contains(word))
}

/// Later sentences say when to use a tool, and what else there is.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(id: &str, effect: Effect, description: &str, parameters: &[&str], expected: &str) {
        let properties: serde_json::Map<String, Value> = parameters
            .iter()
            .map(|name| name.split_once(':').unwrap_or((*name, "string")))
            .map(|(name, kind)| (name.to_owned(), json!({ "type": kind })))
            .collect();
        let mut tool = ToolSpec::named(id)
            .with_effect(effect)
            .with_input(json!({"type": "object", "properties": properties}));
        tool.description = description.to_owned();
        let found = nature(&tool);
        let mut told = Vec::new();
        told.extend(found.private.then_some("private"));
        told.extend(found.untrusted.then_some("untrusted"));
        told.extend(found.outbound.then_some("outbound"));
        assert_eq!(told.join(" "), expected, "{id}");
    }

    #[test]
    fn readers_of_files_and_databases_see_what_is_private() {
        check(
            "builtin/file-read",
            Effect::Read,
            "Reads a file",
            &["path"],
            "private",
        );
        check(
            "builtin/sqlite-query",
            Effect::Read,
            "Runs one reading SQL statement on a SQLite file",
            &["path", "sql"],
            "private",
        );
        check(
            "mcp.crm/list_customers",
            Effect::Read,
            "Lists customers",
            &["limit"],
            "private",
        );
    }

    #[test]
    fn fetchers_see_what_strangers_wrote() {
        check(
            "builtin/page-fetch",
            Effect::Read,
            "Fetches one web page",
            &["url"],
            "untrusted",
        );
        check(
            "mcp.search/web_search",
            Effect::Read,
            "Searches the web",
            &["query"],
            "untrusted",
        );
        check(
            "mcp.mail/read_inbox",
            Effect::Read,
            "Lists new messages",
            &["count"],
            "private untrusted",
        );
    }

    #[test]
    fn senders_let_data_out() {
        check(
            "builtin/webhook-send",
            Effect::Write,
            "Sends JSON",
            &["url", "json"],
            "outbound",
        );
        check(
            "mcp.slack/post_message",
            Effect::Write,
            "",
            &["channel", "text"],
            "outbound",
        );
        check(
            "builtin/email-send",
            Effect::Write,
            "Sends an e-mail",
            &["to", "subject", "attachments"],
            "private outbound",
        );
        check(
            "builtin/shell-run",
            Effect::Destructive,
            "Runs a program",
            &["command"],
            "private outbound",
        );
    }

    #[test]
    fn services_are_read_and_written_by_others() {
        check(
            "mcp.github/list_issues",
            Effect::Read,
            "Lists issues of a project",
            &["owner", "page:integer"],
            "untrusted",
        );
        check(
            "mcp.github/add_note",
            Effect::Write,
            "",
            &["text"],
            "outbound",
        );
        check(
            "mcp.a/create_issue",
            Effect::Write,
            "",
            &["title"],
            "outbound",
        );
        check(
            "mcp.chart/generate_funnel",
            Effect::Read,
            "Draws a funnel, such as visits of a website",
            &["data"],
            "",
        );
        check(
            "mcp.a/get_env",
            Effect::Read,
            "Returns all variables",
            &[],
            "private",
        );
    }

    #[test]
    fn what_works_on_its_arguments_is_harmless() {
        check(
            "builtin/html-extract",
            Effect::Read,
            "Picks values from a page by CSS selectors",
            &["html", "url", "fields"],
            "",
        );
        check(
            "builtin/file-write",
            Effect::Idempotent,
            "Writes a whole file",
            &["path"],
            "",
        );
        check(
            "builtin/meta-tags-check",
            Effect::Read,
            "Checks titles and descriptions of pages",
            &["pages"],
            "",
        );
        check(
            "x/add",
            Effect::Read,
            "Adds numbers up to a limit",
            &["up_to"],
            "",
        );
    }
}
