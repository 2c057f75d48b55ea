//! Sound plans, the ones of the first description of the language among them, are accepted as they are.

use super::check::check_plan;

#[track_caller]
fn sound(text: &str) {
    check_plan(text, "");
}

#[test]
fn the_plans_of_the_description_are_sound() {
    sound(
        r"
version: '1.0'
execution: sequential
steps:
  - {id: fetch, tool: fetch_page_content, input: {url: 'https://example.com'}, output: page}
  - {id: analyze, tool: sentiment_analysis, input: {text: '{{page.content}}'}, output: sentiment}
",
    );
    sound(
        r"
version: 1.0
execution: dag
steps:
  - {id: fetch_weather, tool: fetch_weather, input: {city: NYC}, output: weather}
  - {id: fetch_news, tool: fetch_news, input: {city: NYC}, output: news}
  - id: summarize
    tool: summarize
    input: {weather: '{{weather}}', news: '{{news}}'}
    depends_on: [fetch_weather, fetch_news]
    output: summary
",
    );
    sound(
        r"
version: '1.0'
execution: sequential
steps:
  - id: process_cities
    type: loop
    over: input.cities
    as: city
    concurrency: 3
    step: {id: fetch_weather, tool: fetch_weather, input: {city: '{{city}}'}, output: weather}
    output: all_weather
",
    );
}

#[test]
fn branches_and_reductions_of_the_description_are_sound() {
    sound(
        r"
version: '1.0'
execution: sequential
steps:
  - {id: check_sentiment, tool: sentiment_analysis, input: {text: '{{input.text}}'}, output: sentiment}
  - id: conditional_action
    type: conditional
    condition: '${sentiment.score} > 0.5'
    then: [{id: positive_action, tool: send_notification, input: {message: 'Positive sentiment detected!'}}]
    otherwise: [{id: negative_action, tool: escalate, input: {message: 'Negative sentiment needs attention'}}]
",
    );
    sound(
        r"
version: '1.0'
execution: sequential
steps:
  - id: fetch_pages
    type: loop
    over: input.urls
    as: url
    step: {id: fetch, tool: fetch_page_content, input: {url: '{{url}}'}, output: content}
    output: pages
  - id: reduce_summaries
    type: reduce
    input: pages
    as: page
    reducer: {id: summarize, tool: summarize_text, input: {text: '{{page.content}}'}, output: summary}
    output: summaries
  - {id: final_summary, type: final, function: create_report, input: {summaries: '{{summaries}}'}, output: report}
",
    );
}

#[test]
fn other_kinds_of_steps_are_sound() {
    sound(
        r#"
{"version": "1.0", "input": {"city": {"type": "string"}}, "steps": [
  {"id": "all", "type": "parallel", "steps": [
    {"id": "a", "tool": "web/fetch", "input": {"url": "{{input.city}}"}, "fallbacks": ["web/crawl"],
     "expect": [{"that": "title != ''"}, {"schema": {"type": "object"}}]},
    {"id": "b", "tool": "summarize", "input": {"text": "{{a.title}}"}}]},
  {"id": "total", "type": "reduce", "input": "{{[1, 2]}}", "as": "n", "accumulate": "sum", "initial": 0,
   "reducer": {"id": "add", "tool": "summarize", "input": {"n": "{{n + sum}}", "i": "{{index}}"}}},
  {"id": "inner", "type": "plan", "plan": "good", "input": {"city": "{{input.city}}"}},
  {"id": "sure", "type": "approve", "ask": "Send {{b.text}}?"},
  {"id": "explore", "type": "phase", "tools": ["web/fetch"], "goal": "find it", "max_calls": 5}
]}"#,
    );
    sound(
        r"
version: '1.0'
execution: graph
steps:
  - {id: try_it, tool: summarize, max_visits: 3, next: [{to: done, when: try_it.ok}, {to: try_it}]}
  - {id: done, tool: create_report, input: {text: '{{try_it.text}}'}}
",
    );
}
