//! Can anything outside be changed?

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use super::world::{BOTH, World};

/// All that can be told about what is in a folder.
fn picture(folder: &Path) -> Vec<String> {
    let mut found: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| {
            let about = entry.path().symlink_metadata().unwrap();
            let content = fs::read(entry.path()).unwrap_or_default();
            let times = (about.mtime(), about.mtime_nsec());
            format!(
                "{} {:o} {} {times:?} {content:?}",
                entry.file_name().display(),
                about.mode(),
                about.uid()
            )
        })
        .collect();
    found.push(format!("{:o}", folder.metadata().unwrap().mode()));
    found.sort();
    found
}

/// Package and outside look the same afterwards.
fn nothing_changed(prepare: impl Fn(&World), script: &str) {
    for kind in BOTH {
        let world = World::new();
        prepare(&world);
        let look = || {
            [
                picture(&world.path("package")),
                picture(&world.path("outside")),
            ]
        };
        let before = look();
        let outcome = world.python(kind, script);
        assert_eq!(before, look(), "{kind:?}: {}", outcome.tried().output);
    }
}

#[test]
fn a_new_file() {
    let script = "
for folder in (env['OUTSIDE'], env['PACKAGE'], '/proc/self/cwd/../outside', '/proc/self/root' + env['OUTSIDE']):
    attempt(write, folder + '/new')
    attempt(os.mkdir, folder + '/folder')
    attempt(os.symlink, '/', folder + '/link')
    attempt(os.mkfifo, folder + '/pipe')
";
    nothing_changed(|_| (), script);
}

#[test]
fn an_old_file() {
    let script = "
for path in (env['OUTSIDE'] + '/canary', env['PACKAGE'] + '/tool.txt'):
    attempt(write, path)
    attempt(os.truncate, path, 0)
    attempt(os.remove, path)
    attempt(os.rename, path, path + '.old')
    attempt(os.rename, path, 'taken')
    attempt(os.open, path, os.O_RDONLY | os.O_TRUNC)
    attempt(os.open, path, os.O_RDWR)
";
    nothing_changed(|_| (), script);
}

#[test]
fn rights_owners_times_and_attributes() {
    let script = "
for path in (env['OUTSIDE'] + '/canary', env['OUTSIDE'], env['PACKAGE'] + '/tool.txt', env['PACKAGE']):
    attempt(os.chmod, path, 0o4777)
    attempt(os.chown, path, 12345, 12345)
    attempt(os.utime, path, (1, 1))
    attempt(os.setxattr, path, 'user.mark', b'x')
def by_descriptor(path):
    number = os.open(path, os.O_RDONLY)
    attempt(os.fchmod, number, 0o4777)
    attempt(os.fchown, number, 12345, 12345)
attempt(by_descriptor, env['PACKAGE'] + '/tool.txt')
attempt(by_descriptor, env['OUTSIDE'] + '/canary')
";
    nothing_changed(|_| (), script);
}

#[test]
fn through_links_out_of_the_writable_folder() {
    let prepare = |world: &World| {
        symlink(world.path("outside"), world.path("work/old")).unwrap();
        symlink(world.path("package"), world.path("work/other")).unwrap();
    };
    let script = "
attempt(os.symlink, env['OUTSIDE'], 'way')
for folder in ('way', 'old', 'other'):
    attempt(write, folder + '/new')
    attempt(write, folder + '/canary')
    attempt(write, folder + '/tool.txt')
attempt(os.link, env['PACKAGE'] + '/tool.txt', 'same')
attempt(write, 'same')
";
    nothing_changed(prepare, script);
}

#[test]
fn programs_of_the_system() {
    for kind in BOTH {
        let script = "
name = '/holloway-escape-' + str(os.getpid()) + env['WORK'].replace('/', '-')
for folder in ('', '/usr', '/usr/bin', '/usr/local/bin', '/bin', '/lib', '/etc', '/etc/ssl/certs', '/etc/ld.so.conf.d', '/var/tmp', '/run', '/dev', '/sys', '/root', '/home'):
    def make():
        write(folder + name)
        return 'written'
    attempt(make)
attempt(os.chmod, '/usr/bin/env', 0o4755)
attempt(lambda: open('/usr/bin/env', 'r+b') and 'written')
";
        let before = fs::metadata("/usr/bin/env").unwrap().mode();
        let outcome = World::new().python(kind, script);
        assert!(
            !outcome.tried().output.contains("written"),
            "{}",
            outcome.output
        );
        assert_eq!(before, fs::metadata("/usr/bin/env").unwrap().mode());
    }
}

/// Only opened: to write there would harm the machine if it worked.
#[test]
fn settings_of_the_kernel() {
    for kind in BOTH {
        let script = "
for path in ('kernel/core_pattern', 'kernel/modprobe', 'kernel/hostname', 'vm/drop_caches', 'fs/suid_dumpable'):
    attempt(lambda: os.open('/proc/sys/' + path, os.O_WRONLY) and 'opened')
for path in ('/proc/sysrq-trigger', '/proc/1/oom_score_adj', '/proc/irq', '/sys/kernel/uevent_helper', '/sys/fs/cgroup/cgroup.procs'):
    attempt(lambda: os.open(path, os.O_WRONLY) and 'opened')
";
        let outcome = World::new().python(kind, script);
        let output = &outcome.tried().output;
        assert!(!output.contains("opened"), "{kind:?}: {output}");
    }
}

#[test]
fn a_program_with_the_rights_of_its_owner() {
    for kind in BOTH {
        let world = World::new();
        let script = "
import shutil
shutil.copyfile('/usr/bin/env', 'copy')
attempt(os.chmod, 'copy', 0o4755)
attempt(subprocess.run, ['su', '-c', 'true'])
attempt(os.setuid, 12345)
attempt(os.setgroups, [0, 12345])
print(read('/proc/self/status'))
";
        let outcome = world.python(kind, script);
        let output = &outcome.tried().output;
        let line = |name: &str| output.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line("NoNewPrivs").ends_with('1'), "{output}");
        for set in ["CapEff", "CapPrm", "CapInh", "CapAmb"] {
            assert!(line(set).ends_with("0000000000000000"), "{output}");
        }
        assert!(line("Seccomp:").ends_with('2'), "{output}");
    }
}
