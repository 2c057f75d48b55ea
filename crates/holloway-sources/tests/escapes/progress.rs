//! Do ordinary programs work? A sandbox in which nothing runs keeps everything in.

use std::fs;
use std::net::TcpListener;

use holloway_sources::sandbox::{Kind, Sandbox, Wish};

use super::world::{BOTH, World, sandbox};

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

#[test]
fn a_private_tmp_is_written() {
    let world = World::new();
    let script = "echo hidden > /tmp/note && cat /tmp/note && echo shared > /dev/shm/note";
    let outcome = world.shell(Kind::Bubblewrap, script);
    assert!(outcome.tried().output.contains("hidden"));
    assert!(!std::path::Path::new("/tmp/note").exists());
}

#[test]
fn node_does_its_daily_work() {
    for kind in BOTH {
        let world = World::new().share(|share| share.processes = 1);
        let script = "
const { Worker } = require('worker_threads');
const zlib = require('zlib'), crypto = require('crypto'), fs = require('fs');
fs.writeFileSync('out.gz', zlib.gzipSync('x'.repeat(100000)));
console.log(zlib.gunzipSync(fs.readFileSync('out.gz')).length);
console.log(crypto.createHash('sha256').update('a').digest('hex').slice(0, 8));
WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => console.log('wasm works'));
new Worker('console.log(\"worker works\")', { eval: true });
fs.promises.readFile('out.gz').then(() => console.log('promise works'));
";
        let outcome = world.node(kind, script);
        let output = &outcome.tried().output;
        for expected in [
            "100000",
            "ca978112",
            "wasm works",
            "worker works",
            "promise works",
        ] {
            assert!(output.contains(expected), "{kind:?} {expected}: {output}");
        }
        assert_eq!(outcome.code(), 0);
    }
}

#[test]
fn codes_and_signals_come_through() {
    for kind in BOTH {
        let code = |script| World::new().run(kind, "sh", &["-c", script]).code();
        assert_eq!(code("exit 0"), 0);
        assert_eq!(code("exit 7"), 7);
        assert_eq!(code("kill -SEGV $$"), 128 + 11);
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    for kind in BOTH {
        let outcome = World::new().run(kind, "no-such-program", &[]);
        assert_eq!(outcome.code(), 126);
        assert!(
            outcome.output.contains("`no-such-program` was not found"),
            "{}",
            outcome.output
        );
        let outcome = World::new().run(kind, "/opt/no-such-program", &[]);
        assert!(
            outcome.output.contains("did not start"),
            "{}",
            outcome.output
        );
    }
}

/// The attempts of the other files are real: without walls they succeed.
#[test]
fn without_walls_the_attempts_succeed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut world = World::new();
    world.set("PORT", listener.local_addr().unwrap().port());
    let script = "
attempt(read, env['OUTSIDE'] + '/canary')
attempt(write, env['OUTSIDE'] + '/new')
attempt(os.chmod, env['PACKAGE'] + '/tool.txt', 0o600)
attempt(lambda: socket.create_connection(('127.0.0.1', int(env['PORT']))))
attempt(lambda: read(f'/proc/{os.getppid()}/cmdline'))
";
    let outcome = world.python(Kind::Unsandboxed, script);
    assert!(outcome.tried().output.contains(&world.canary));
    assert!(!outcome.output.contains("refused"), "{}", outcome.output);
    assert!(world.path("outside/new").exists());
    listener.set_nonblocking(true).unwrap();
    listener.accept().unwrap();
}

#[test]
fn the_sandbox_says_what_it_is() {
    assert!(
        sandbox(Kind::Bubblewrap)
            .describe()
            .starts_with("bubblewrap 0.")
    );
    assert!(
        sandbox(Kind::Landlock)
            .describe()
            .starts_with("landlock (ABI ")
    );
    assert_eq!(sandbox(Kind::Unsandboxed).describe(), "none");
}

#[test]
fn what_works_best_is_found() {
    let launcher = env!("CARGO_BIN_EXE_holloway-confined");
    let found = Sandbox::find(launcher.into(), Wish::Strict).unwrap();
    assert_eq!(found.kind(), Kind::Bubblewrap);
    let found = Sandbox::find_in(launcher.into(), Wish::Strict, []).unwrap();
    assert_eq!(found.kind(), Kind::Landlock);
    // To do without is for machines that have no walls, not a way to take them down.
    let found = Sandbox::find(launcher.into(), Wish::IfPossible).unwrap();
    assert_eq!(found.kind(), Kind::Bubblewrap);
    let none = Sandbox::find_in(launcher.into(), Wish::Only(Kind::Bubblewrap), []).unwrap_err();
    assert_eq!(none.to_string(), "bubblewrap is not installed");
    let broken = Sandbox::find("/no/such/launcher".into(), Wish::Strict).unwrap_err();
    assert!(
        broken
            .hint
            .contains("allow programs to run without a sandbox")
    );
}
