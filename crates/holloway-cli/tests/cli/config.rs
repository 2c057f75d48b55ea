//! `holloway config` and `holloway.toml`.

use crate::place::Place;

#[test]
fn the_project_goes_over_the_user_over_the_defaults() {
    let place = Place::new();
    place.file(
        "config/holloway/holloway.toml",
        "[run]\nconcurrency = 5\nmax_retries = 0\n[approvals]\nwrite = \"deny\"\n",
    );
    place.file("holloway.toml", "[run]\nconcurrency = 3\n[run.source_limits]\n\"mcp.git\" = 1\n[grants]\nfolders = [{ path = \"data\" }]\n");
    let text = place.run("config show");
    let json = place.json("config show");
    assert_eq!(json["settings"]["run"]["concurrency"], 3);
    assert_eq!(json["settings"]["run"]["source_limits"]["mcp.git"], 1);
    assert_eq!(json["settings"]["approvals"]["write"], "deny");
    // How wide the columns are depends on the name of the temporary folder.
    insta::with_settings!({filters => vec![(" {3,}", "  ")]}, {
        place.check("config_show", &[&text]);
    });
}

#[test]
fn what_is_configured_holds() {
    let place = Place::with_plan(
        "version: '1.0'\nid: denied\nsteps:\n  - {id: tell, tool: send_notification, input: {message: hi}}\n",
    );
    place.file(
        "holloway.toml",
        "[approvals]\nwrite = \"deny\"\n[tools]\nsamples = true\n",
    );
    let ran = place.run("run plan.yaml");
    place.check("config_denies", &[&ran]);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let place = Place::new();
    let mut ran = Vec::new();
    for text in [
        "[run]\nconcurency = 2\n",
        "[approvals]\nwrite = \"sometimes\"\n",
        "[grant]\nshell = true\n",
        "[run]\nconcurrency = 0\n",
        "[run\n",
        "[planning]\ndeepest = 4000000000\n",
        "[planning.profiles.speed]\ncost = inf\n",
        "[[planning.strategies]]\nname = \"1\"\nsteps = 5\nprefers = \"speed\"\n",
    ] {
        place.file("holloway.toml", text);
        ran.push(place.run("config show"));
    }
    let json = place.run("tools --json");
    ran.push(json);
    place.file("holloway.toml", &"#\n".repeat(1 << 20));
    ran.push(place.run("plan 'read notes.txt'"));
    let ran: Vec<_> = ran.iter().collect();
    place.check("config_mistakes", &ran);
}
