//! Tools that exist, and are meant without doubt.

use super::check::check;

#[test]
fn tools_exist() {
    check(
        "- {id: a, tool: sumarize}",
        r"3:11 Unknown tool in step `a`, field `tool`: there is no tool `sumarize`
  hint: did you mean `summarize`?",
    );
    check(
        "- {id: a, tool: web/fetsh}",
        r"3:11 Unknown tool in step `a`, field `tool`: there is no tool `web/fetsh`
  hint: did you mean `web/fetch`?",
    );
    check(
        "- {id: a, tool: summarize, fallbacks: [completely_other]}",
        r"3:40 Unknown tool in step `a`, field `fallbacks[0]`: there is no tool `completely_other`
  hint: `holloway tools` lists the tools there are",
    );
}

#[test]
fn bare_names_are_unambiguous() {
    check(
        "- {id: a, tool: alike}",
        r"3:11 Unknown tool in step `a`, field `tool`: several tools are called `alike`
  hint: write the full name: one of `other/alike`, `third/alike`",
    );
}

#[test]
fn a_tool_that_is_held_back_is_told_apart_from_one_that_is_not_there() {
    check(
        "- {id: a, tool: add_note}",
        r"3:11 Unknown tool in step `a`, field `tool`: `mcp.notes/add_note` may not be used: it is not what was accepted
  hint: `holloway tools pin mcp.notes/add_note` shows why",
    );
}

#[test]
fn a_prompt_needs_a_model() {
    check(
        "- {id: a, type: final, function: {prompt: Hello}}",
        r"3:24 Unknown tool in step `a`, field `function`: the step asks a model, but no model is configured
  hint: add a table `[model]` to holloway.toml (docs/models.md), or name a tool in its place",
    );
}
