//! `holloway tools`.

use crate::place::Place;

#[test]
fn listed_and_shown() {
    let place = Place::new();
    let listed = place.run("tools --category control");
    let wrong = place.run("tools list --category contrl");
    let shown = place.run("tools show echo");
    let unknown = place.run("tools show ecko");
    let json = place.json("tools list --sample-tools");
    assert!(json["tools"].as_array().unwrap().len() > 20);
    place.check("tools", &[&listed, &wrong, &shown, &unknown]);
}

#[test]
fn called_once() {
    let place = Place::new();
    place.file("precious.txt", "keep me");
    let echo = place.run("tools call echo --input value=hello");
    let misfit = place.run("tools call sleep --input ms=soon");
    let asked = place.run("tools call file-delete --input path=precious.txt");
    assert_eq!(place.read("precious.txt"), "keep me");
    let allowed = place.run("tools call file-delete --input path=precious.txt --yes");
    assert_eq!(place.read("precious.txt"), "");
    let failed = place.run("tools call fail --input message=no --json");
    let outside = place.run("tools call file-read --input path=/etc/hostname");
    place.check(
        "tools_call",
        &[&echo, &misfit, &asked, &allowed, &failed, &outside],
    );
}
