//! Do ordinary programs work? A sandbox in which nothing runs keeps everything in.

use std::fs;

use super::world::{BOTH, World};

#[test]
fn node_reads_its_package() {
    for kind in BOTH {
        let world = World::new();
        let script =
            "console.log(require('fs').readFileSync(process.env.PACKAGE + '/tool.txt', 'utf8'))";
        let outcome = world.node(kind, script);
        assert!(outcome.tried().output.contains("good-day"));
        assert_eq!(outcome.code(), 0);
    }
}

#[test]
fn python_reads_its_package() {
    for kind in BOTH {
        let world = World::new();
        let outcome = world.python(kind, "print(read(env['PACKAGE'] + '/tool.txt'))");
        assert!(outcome.tried().output.contains("good-day"));
        assert_eq!(outcome.code(), 0);
    }
}

#[test]
fn the_writable_folder_is_written() {
    for kind in BOTH {
        let world = World::new();
        world
            .shell(kind, "echo made > made && mkdir deep && mv made deep/made")
            .tried();
        assert_eq!(
            fs::read_to_string(world.path("work/deep/made")).unwrap(),
            "made\n"
        );
    }
}

#[test]
fn several_processes_within_the_limit_run() {
    for kind in BOTH {
        let world = World::new().share(|share| share.processes = 8);
        let outcome = world.shell(kind, "for i in 1 2 3 4; do (echo child-$i) & done; wait");
        assert!(outcome.tried().output.contains("child-4"));
        assert_eq!(outcome.exceeded, None);
    }
}
