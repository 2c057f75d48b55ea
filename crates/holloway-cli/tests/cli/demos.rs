//! Are the plans of the demos sound, with the tools as they are?

use crate::place::Place;

#[test]
fn the_plans_of_the_demos_are_sound() {
    let place = Place::new();
    for plan in ["site/audit.yaml", "prices/report.yaml"] {
        let file = format!("{}/../../demos/{plan}", env!("CARGO_MANIFEST_DIR"));
        let ran = place.run(&format!("check {file} --json"));
        assert_eq!(ran.code, Some(0), "{ran}");
    }
}
