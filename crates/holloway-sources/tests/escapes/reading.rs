//! Can anything outside be read? What was stolen would show in the output.

use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;

use super::world::{BOTH, World};

/// Nothing of the canary comes out.
fn nothing_read(world: &World, script: &str) {
    for kind in BOTH {
        let outcome = world.python(kind, script);
        let seen = outcome.tried().output.contains(&world.canary);
        assert!(!seen, "{kind:?}: {}", outcome.output);
    }
}

#[test]
fn a_file_outside_by_path() {
    let world = World::new();
    nothing_read(&world, "attempt(read, env['OUTSIDE'] + '/canary')");
}

#[test]
fn a_file_outside_by_parent_folders() {
    let world = World::new();
    let script = "
for start in (env['PACKAGE'], env['WORK'], '.', '/proc/self/cwd'):
    attempt(read, start + '/../outside/canary')
    attempt(read, start + '/../' * 40 + env['OUTSIDE'] + '/canary')
";
    nothing_read(&world, script);
}

#[test]
fn a_file_outside_by_a_link_in_the_package() {
    let world = World::new();
    symlink(world.path("outside/canary"), world.path("package/link")).unwrap();
    symlink(world.path("outside"), world.path("package/folder")).unwrap();
    let script = "
attempt(read, env['PACKAGE'] + '/link')
attempt(read, env['PACKAGE'] + '/folder/canary')
";
    nothing_read(&world, script);
}

#[test]
fn a_file_outside_by_a_link_of_its_own() {
    let world = World::new();
    let script = "
attempt(os.symlink, env['OUTSIDE'] + '/canary', 'soft')
attempt(read, 'soft')
attempt(os.link, env['OUTSIDE'] + '/canary', 'hard')
attempt(read, 'hard')
attempt(os.rename, env['OUTSIDE'] + '/canary', 'moved')
attempt(read, 'moved')
";
    nothing_read(&world, script);
    assert!(world.path("outside/canary").exists());
}

#[test]
fn a_file_outside_by_another_root() {
    let world = World::new();
    let script = "
for process in ['1', 'self', 'thread-self', str(os.getppid()), '2']:
    for way in ['root', 'cwd']:
        attempt(read, f'/proc/{process}/{way}' + env['OUTSIDE'] + '/canary')
attempt(os.chroot, '/proc/1/root')
attempt(read, env['OUTSIDE'] + '/canary')
";
    nothing_read(&world, script);
}

#[test]
fn a_file_outside_by_an_open_file_of_any_process() {
    let mut world = World::new();
    world.set("PARENT", std::process::id());
    let script = "
try: processes = [name for name in os.listdir('/proc') if name.isdigit()]
except OSError: processes = [env['PARENT'], str(os.getppid()), '1']
for process in processes:
    for number in range(3, 40):
        try: print(read(f'/proc/{process}/fd/{number}/canary'))
        except OSError: pass
";
    let open = fs::File::open(world.path("outside")).unwrap();
    nothing_read(&world, script);
    drop(open);
}

#[test]
fn a_file_outside_by_an_inherited_folder() {
    let world = World::new();
    let folder = fs::File::open(world.path("outside")).unwrap();
    // As a careless parent would: the folder stays open in whatever is started.
    rustix::io::fcntl_setfd(&folder, rustix::io::FdFlags::empty()).unwrap();
    let script = "
def through(number):
    return os.read(os.open('canary', os.O_RDONLY, dir_fd=number), 100)
for number in range(3, 200):
    try: print(through(number))
    except OSError: pass
print('open:', sorted(int(name) for name in os.listdir('/proc/self/fd')))
";
    nothing_read(&world, script);
    let number = folder.as_raw_fd();
    for kind in BOTH {
        let outcome = world.python(kind, &format!("attempt(os.fstat, {number})"));
        assert!(
            outcome.tried().output.contains("refused"),
            "{}",
            outcome.output
        );
    }
}

#[test]
fn passwords_of_the_system() {
    for kind in BOTH {
        let script = "
for path in ['/etc/shadow', '/etc/gshadow', '/etc/passwd', '/etc/ssh', '/root', '/home', '/var', '/etc/ssl/private']:
    def look(path):
        return os.listdir(path) and 'seen' if os.path.isdir(path) else read(path) and 'seen'
    attempt(look, path)
";
        let outcome = World::new().python(kind, script);
        assert!(
            !outcome.tried().output.contains("seen"),
            "{}",
            outcome.output
        );
    }
}

#[test]
fn memory_and_disks_of_the_machine() {
    for kind in BOTH {
        let script = "
for path in ['/dev/mem', '/dev/kmem', '/dev/port', '/proc/kcore', '/proc/kmsg', '/dev/sda', '/dev/vda', '/dev/nvme0n1', '/dev/kvm', '/dev/fuse', '/dev/net/tun']:
    attempt(lambda: open(path, 'rb').read(1) and 'seen')
    attempt(lambda: os.open(path, os.O_RDWR) and 'seen')
";
        let outcome = World::new().python(kind, script);
        assert!(
            !outcome.tried().output.contains("seen"),
            "{}",
            outcome.output
        );
    }
}

#[test]
fn a_device_of_its_own_making() {
    for kind in BOTH {
        let script = "
import stat
for place in ['.', '/tmp', '/dev', '/dev/shm']:
    attempt(os.mknod, place + '/disk', stat.S_IFBLK | 0o600, os.makedev(254, 0))
    attempt(os.mknod, place + '/memory', stat.S_IFCHR | 0o600, os.makedev(1, 1))
    for name in ['disk', 'memory']:
        attempt(lambda: open(f'{place}/{name}', 'rb').read(1) and 'seen')
";
        let outcome = World::new().python(kind, script);
        assert!(
            !outcome.tried().output.contains("seen"),
            "{}",
            outcome.output
        );
    }
}

#[test]
fn a_file_outside_by_its_handle() {
    let world = World::new();
    let script = "
class Handle(ctypes.Structure):
    _fields_ = [('bytes', ctypes.c_uint), ('type', ctypes.c_int), ('data', ctypes.c_char * 128)]
handle, mount = Handle(bytes=128), ctypes.c_int()
path = (env['OUTSIDE'] + '/canary').encode()
attempt(libc.name_to_handle_at, -100, path, ctypes.byref(handle), ctypes.byref(mount), 0)
number = libc.open_by_handle_at(os.open('.', os.O_RDONLY), ctypes.byref(handle), 0)
attempt(os.read, number, 100)
";
    nothing_read(&world, script);
}
