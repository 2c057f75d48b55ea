//! Are the plans of the demos sound, with the tools as they are?

use crate::place::Place;

#[test]
fn the_plans_of_the_demos_are_sound() {
    let place = Place::new();
    for (plan, steps) in [("site/audit.yaml", 26), ("prices/report.yaml", 9)] {
        let file = format!("{}/../../demos/{plan}", env!("CARGO_MANIFEST_DIR"));
        let ran = place.run(&format!("check {file} --json"));
        assert_eq!(ran.code, Some(0), "{ran}");
        let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(told["steps"], steps, "{ran}");
    }
}
