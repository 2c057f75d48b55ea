//! Is a server that takes more than its share ended, and does the caller learn why?

use std::sync::Arc;

use holloway_sources::ToolSource as _;
use holloway_sources::mcp::{Launch, McpConfig, McpSource, McpSurroundings};
use holloway_sources::sandbox::{Confinement, Kind, Sandbox, Share, Wish};
use holloway_tools::secrets::Secrets;

use super::place::{PYTHON, World, ask, id, request};

/// A server that may have so many processes.
fn source(world: &World, kind: Kind, processes: u32) -> McpSource {
    let launcher = env!("CARGO_BIN_EXE_holloway-confined").into();
    let sandbox = Sandbox::find(launcher, Wish::Only(kind)).unwrap();
    let mut around = McpSurroundings::new(Secrets::none(), world.path("project"));
    around.sandbox = Some(Arc::new(move |_: &McpConfig, launch: &Launch| {
        let confinement = Confinement {
            program: launch.program.clone().into(),
            arguments: launch
                .arguments
                .iter()
                .map(|text| text.reveal().into())
                .collect(),
            folder: launch.folder.clone(),
            readable: vec![launch.folder.clone()],
            share: Share {
                processes,
                ..Share::default()
            },
            ..Confinement::default()
        };
        Ok(sandbox.prepare(&confinement).unwrap())
    }));
    let config = world.config(PYTHON, "project/server.py");
    McpSource::new(id(), config, around)
}

#[tokio::test]
async fn too_many_processes_end_the_server_with_that_reason() {
    for kind in [Kind::Bubblewrap, Kind::Landlock] {
        let world = World::new();
        let source = source(&world, kind, 5);
        assert_eq!(ask(&source, "read", "notes.txt").await, "notes", "{kind:?}");
        let failure = source.call(&request("fork", "20")).await.unwrap_err();
        let expected = "it started more processes than the 5 allowed";
        assert!(failure.message.contains(expected), "{kind:?}: {failure}");
        assert_eq!(ask(&source, "read", "notes.txt").await, "notes", "{kind:?}");
        source.close().await;
    }
}
