//! Paths that begin with `~`: on the command line, in the configuration, as arguments of tools.

use crate::place::Place;

const READS: &str = "version: '1.0'\nid: reads\nsteps:\n  - {id: a, tool: file-read, input: {path: '~/notes/today.txt'}}\n";

#[test]
fn a_tilde_means_the_home_folder_and_grants_nothing() {
    let place = Place::with_plan(READS);
    place.file_at_home("notes/today.txt", "Tea at four.\n");
    place.file_at_home("given.json", "{}");
    let refused = place.run("run plan.yaml --quiet");
    assert_eq!(refused.code, Some(1), "{refused}");
    assert!(
        refused.stderr.contains("outside the granted folders"),
        "{refused}"
    );
    // The shell leaves `~` alone behind `=`.
    let flag =
        place.run("run plan.yaml --quiet --grant-folder=~/notes:ro --input-file=~/given.json");
    assert_eq!(flag.code, Some(0), "{flag}");
    assert!(flag.stdout.contains("Tea at four."), "{flag}");
    place.file(
        "config/holloway/holloway.toml",
        "[grants]\nfolders = [{ path = \"~/notes\" }]\n",
    );
    let configured = place.run("run plan.yaml --quiet");
    assert!(configured.stdout.contains("Tea at four."), "{configured}");
}
