//! Inputs against the schemas of tools.

use super::check::check;

#[test]
fn literal_inputs_are_checked() {
    check(
        "- {id: a, tool: web/fetch}",
        r"3:3 Validation failed in step `a`, field `input`: `web/fetch` needs `url`, which is not given
  hint: add `url` to the input",
    );
    check(
        "- {id: a, tool: web/fetch, input: {ulr: 'https://x'}}",
        r"3:28 Validation failed in step `a`, field `input`: `web/fetch` needs `url`, which is not given
  hint: add `url` to the input
3:36 Validation failed in step `a`, field `input.ulr`: `web/fetch` does not know `ulr`
  hint: did you mean `url`?",
    );
    check(
        r"- id: a
  tool: web/fetch
  input:
    url: https://x
    depth: -1
    tags: [a, c]",
        r#"7:5 Validation failed in step `a`, field `input.depth`: `web/fetch` does not take this: -1 is less than the minimum of 0
  hint: change the value, or refer to one with `{{…}}`
8:15 Validation failed in step `a`, field `input.tags.1`: `web/fetch` does not take this: "c" is not one of "a" or "b"
  hint: change the value, or refer to one with `{{…}}`"#,
    );
}

#[test]
fn what_holds_references_is_taken_on_trust() {
    check("- {id: a, tool: web/fetch, input: '{{input}}'}", "");
    check(
        "- {id: a, tool: web/fetch, input: {url: '{{input.url}}', depth: '{{input.depth}}'}}",
        "",
    );
    check(
        r"- id: a
  tool: web/fetch
  input:
    url: '{{input.url}}'
    depth: many
    headers: {retries: x, extra: '{{input.y}}'}
    tags: ['{{input.tag}}', z]
    more: 1",
        r#"7:5 Validation failed in step `a`, field `input.depth`: `web/fetch` does not take this: "many" is not of type "integer"
  hint: change the value, or refer to one with `{{…}}`
8:5 Validation failed in step `a`, field `input.headers`: `web/fetch` needs `accept`, which is not given
  hint: add `accept` to the input
8:15 Validation failed in step `a`, field `input.headers.retries`: `web/fetch` does not take this: "x" is not of type "integer"
  hint: change the value, or refer to one with `{{…}}`
9:29 Validation failed in step `a`, field `input.tags.1`: `web/fetch` does not take this: "z" is not one of "a" or "b"
  hint: change the value, or refer to one with `{{…}}`
10:5 Validation failed in step `a`, field `input.more`: `web/fetch` does not know `more`
  hint: it takes url, depth, headers, tags"#,
    );
}

#[test]
fn fallbacks_take_the_same_input() {
    check(
        "- {id: a, tool: web/fetch, input: {url: 'https://x'}, fallbacks: [web/crawl, web/mirror]}",
        r"3:78 Validation failed in step `a`, field `fallbacks[1]`: `web/mirror` needs `mirror`, which is not given
  hint: a fallback takes the same input as the first tool; use a `conditional` step otherwise",
    );
    check(
        "- {id: a, tool: summarize, input: {text: '{{input.x}}'}, fallbacks: [web/fetch]}",
        r"3:70 Validation failed in step `a`, field `fallbacks[0]`: `web/fetch` needs `url`, which is not given
  hint: a fallback takes the same input as the first tool; use a `conditional` step otherwise
3:70 Validation failed in step `a`, field `fallbacks[0]`: `web/fetch` does not know `text`
  hint: a fallback takes the same input as the first tool; use a `conditional` step otherwise",
    );
    check(
        "- {id: a, tool: summarize, fallbacks: [summarize]}",
        r"3:40 Validation failed in step `a`, field `fallbacks[0]`: `summarize` is the tool the step calls anyway
  hint: name another tool; `retry` calls the same one again",
    );
}
