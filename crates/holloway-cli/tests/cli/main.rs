//! The real binary in a folder of its own: what is typed, what comes out on
//! stdout and stderr, and the exit code, together in one snapshot. One file per
//! command.

// What a test stands on may give up like the test itself.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod model;
mod place;
mod recorded;

mod ask;
mod ask_answer;
mod ask_model;
mod ask_recorded;
mod ask_resumed;
mod ask_rows;
mod ask_terminal;
mod check;
mod config;
mod demos;
mod documented;
mod eval_retrieval;
mod examples;
mod explain;
mod home_paths;
mod hostile_text;
mod memory;
mod out_of_reach;
mod plan_tasks;
mod plans;
mod run;
mod run_approvals;
mod run_failures;
mod run_large_values;
mod run_model;
mod run_replacing;
mod run_secret_answers;
mod run_secrets;
mod run_signals;
mod run_terminal;
mod runs_answer;
mod runs_control;
mod runs_delete;
mod runs_diff;
mod runs_fork;
mod runs_list;
mod runs_prune;
mod runs_resume;
mod runs_show;
mod runs_watch;
mod secrets;
mod shop;
mod skills;
mod small_commands;
mod store;
mod templates;
mod terminal;
mod tools;
mod tools_children;
mod tools_does;
mod tools_fickle;
mod tools_origins;
mod tools_outside;
mod tools_refusals;
mod tools_search;
mod trust;
