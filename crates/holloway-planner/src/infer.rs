//! What does a tool do that does not say it? Its name, description and schemas suggest an act, the
//! things that go in and come out, and the slots that arguments serve. What is not clear is left
//! out. Computed once, when a tool enters the catalogue; `data/en/definitions.toml` has the words.

mod act;
mod argument;
mod deed;
mod definitions;
mod own;
mod result;

use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::Does;

use argument::Argument;
use deed::Deed;
use definitions::Definitions;
use result::Given;

/// Which inference it is. A tool whose lines are of another one is looked at again.
pub const VERSION: u32 = 1;

/// What is known of a tool before its act is.
struct Seen<'a> {
    tool: &'a ToolSpec,
    deed: Deed,
    arguments: Vec<Argument<'a>>,
    given: Vec<Given>,
    /// The kind of file that the definition speaks of, where it is one.
    file: Option<&'static str>,
}

/// What the definition of a tool suggests that it does. `text_at` is the field in which its source
/// puts the text of a result without a schema, where it is known.
pub fn infer(tool: &ToolSpec, text_at: Option<&str>) -> Vec<Does> {
    let words = Definitions::shipped();
    let arguments = argument::all(words, tool);
    let several = arguments
        .iter()
        .any(|argument| argument.required && argument.ends_with(&words.choosing));
    let Some(deed) = Deed::of(words, tool).filter(|_| !several) else {
        return Vec::new();
    };
    let seen = Seen {
        tool,
        deed,
        arguments,
        given: result::given(tool, text_at),
        file: words.file_kind(tool),
    };
    let of_table = words
        .rules
        .iter()
        .find_map(|rule| act::by_rule(rule, &seen));
    of_table
        .or_else(|| own::by_verb(words, &seen))
        .into_iter()
        .collect()
}

impl Seen<'_> {
    /// The kind of thing that an argument takes, as narrow as the definition says.
    fn narrow(&self, argument: &Argument<'_>, kind: &str) -> String {
        match self.file {
            Some(file) if kind == "file" && argument.all_of(&Definitions::shipped().plain) => {
                format!("file.{file}")
            }
            _ => kind.to_owned(),
        }
    }
}
