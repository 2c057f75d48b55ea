//! Does anything reach a socket outside? The listeners are the test's own.

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};

use holloway_sources::sandbox::Kind;

use super::world::{BOTH, World, random};

const CONNECT: &str = "
def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(5)
        s.connect(address)
        return 'connected'
";

fn nobody_came(listener: &TcpListener) {
    listener.set_nonblocking(true).unwrap();
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn tcp_to_this_machine() {
    for (family, place) in [("AF_INET", "127.0.0.1"), ("AF_INET6", "::1")] {
        for kind in BOTH {
            let Ok(listener) = TcpListener::bind((place, 0)) else {
                continue;
            };
            let mut world = World::new();
            world.set("PORT", listener.local_addr().unwrap().port());
            let script = format!(
                "{CONNECT}\nattempt(connect, socket.{family}, ('{place}', int(env['PORT'])))"
            );
            let outcome = world.python(kind, &script);
            assert!(
                outcome.tried().output.contains("refused"),
                "{}",
                outcome.output
            );
            nobody_came(&listener);
        }
    }
}

#[test]
fn tcp_from_node() {
    for kind in BOTH {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut world = World::new();
        world.set("PORT", listener.local_addr().unwrap().port());
        let script = "
for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::ffff:127.0.0.1'])
  require('net').connect(Number(process.env.PORT), host).on('error', (e) => console.log('refused', e.code))
";
        world.node(kind, script).tried();
        nobody_came(&listener);
    }
}

#[test]
fn udp_to_this_machine() {
    for kind in BOTH {
        let listener = UdpSocket::bind("127.0.0.1:0").unwrap();
        let mut world = World::new();
        world.set("PORT", listener.local_addr().unwrap().port());
        let script = "
def send(address):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', address)
attempt(send, ('127.0.0.1', int(env['PORT'])))
attempt(send, ('0.0.0.0', int(env['PORT'])))
";
        world.python(kind, script).tried();
        listener.set_nonblocking(true).unwrap();
        let got = listener.recv(&mut [0; 8]).unwrap_err();
        assert_eq!(got.kind(), ErrorKind::WouldBlock);
    }
}

#[test]
fn a_socket_outside_by_path() {
    for kind in BOTH {
        let mut world = World::new();
        let listener = UnixListener::bind(world.path("outside/stream")).unwrap();
        let letters = UnixDatagram::bind(world.path("outside/letters")).unwrap();
        // Kept short enough for an address by standing in the folder.
        world.confinement.folder = world.path("work");
        let script = format!(
            "{CONNECT}
attempt(os.chdir, env['OUTSIDE'])
attempt(connect, socket.AF_UNIX, 'stream')
attempt(connect, socket.AF_UNIX, env['OUTSIDE'] + '/stream')
attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', env['OUTSIDE'] + '/letters'))"
        );
        world.python(kind, &script).tried();
        listener.set_nonblocking(true).unwrap();
        letters.set_nonblocking(true).unwrap();
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(
            letters.recv(&mut [0; 8]).unwrap_err().kind(),
            ErrorKind::WouldBlock
        );
    }
}

/// Abstract names belong to the network, so this holds even where the network is granted.
#[test]
fn a_socket_outside_by_name() {
    for network in [false, true] {
        for kind in BOTH {
            let mut world = World::new();
            let name = random();
            let address = SocketAddr::from_abstract_name(&name).unwrap();
            let listener = UnixListener::bind_addr(&address).unwrap();
            world.set("NAME", &name);
            world.confinement.network = network;
            let script =
                format!("{CONNECT}\nattempt(connect, socket.AF_UNIX, '\\0' + env['NAME'])");
            let outcome = world.python(kind, &script);
            assert!(
                outcome.tried().output.contains("refused"),
                "{}",
                outcome.output
            );
            listener.set_nonblocking(true).unwrap();
            assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
        }
    }
}

#[test]
fn names_are_not_looked_up() {
    for kind in BOTH {
        let script = "
attempt(lambda: socket.getaddrinfo('example.invalid', 80))
attempt(lambda: socket.getaddrinfo('localhost', 80, proto=socket.IPPROTO_TCP) and read('/etc/hosts') and 'seen')
attempt(lambda: read('/etc/resolv.conf') and 'seen')
";
        let outcome = World::new().python(kind, script);
        assert!(
            !outcome.tried().output.contains("seen"),
            "{}",
            outcome.output
        );
    }
}

/// Kinds of sockets that see or change more than one's own traffic, with and without network.
#[test]
fn raw_packets_and_other_families() {
    for network in [false, true] {
        for kind in BOTH {
            let mut world = World::new();
            world.confinement.network = network;
            let script = "
def make(family, form, protocol):
    socket.socket(family, form, protocol)
    return 'made'
attempt(make, socket.AF_PACKET, socket.SOCK_RAW, 0x300)
attempt(make, socket.AF_PACKET, socket.SOCK_DGRAM, 0x300)
attempt(make, socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
attempt(make, socket.AF_INET, socket.SOCK_RAW, 255)
attempt(make, socket.AF_INET6, socket.SOCK_RAW, 58)
attempt(make, 40, socket.SOCK_STREAM, 0)
attempt(make, 38, socket.SOCK_SEQPACKET, 0)
attempt(make, 31, socket.SOCK_RAW, 1)
for protocol in (4, 9, 12, 15, 16):
    attempt(make, socket.AF_NETLINK, socket.SOCK_RAW, protocol)
";
            let outcome = world.python(kind, script);
            assert!(
                !outcome.tried().output.contains("made"),
                "{network} {kind:?}: {}",
                outcome.output
            );
        }
    }
}

#[test]
fn interfaces_cannot_be_changed() {
    let interfaces = || fs::read_to_string("/proc/net/dev").unwrap().lines().count();
    let before = interfaces();
    for kind in BOTH {
        let mut world = World::new();
        world.confinement.network = true;
        // A request to make an interface of the kind `dummy`.
        let script = "
import struct
def make():
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    kind = struct.pack('HH', 9, 1) + b'dummy\\0\\0\\0'
    info = struct.pack('HH', 4 + len(kind), 18) + kind
    body = struct.pack('BxHiII', 0, 0, 0, 0, 0) + info
    s.send(struct.pack('IHHII', 16 + len(body), 16, 0x605, 1, 0) + body)
    print('answer', struct.unpack('i', s.recv(100)[16:20]))
attempt(make)
";
        let outcome = world.python(kind, script);
        assert!(
            !outcome.tried().output.contains("answer (0,)"),
            "{}",
            outcome.output
        );
        assert_eq!(interfaces(), before);
    }
}

#[test]
fn a_granted_network_is_used() {
    for kind in BOTH {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut world = World::new();
        world.confinement.network = true;
        world.set("PORT", listener.local_addr().unwrap().port());
        let script =
            format!("{CONNECT}\nattempt(connect, socket.AF_INET, ('localhost', int(env['PORT'])))");
        let outcome = world.python(kind, &script);
        assert!(
            outcome.tried().output.contains("connected"),
            "{}",
            outcome.output
        );
        listener.set_nonblocking(true).unwrap();
        listener.accept().unwrap();
    }
}

/// What does not leave the sandbox is its own affair.
#[test]
fn processes_inside_talk_to_each_other() {
    let script = "
a, b = socket.socketpair()
a.send(b'inside')
print(b.recv(10))
s = socket.create_server(('127.0.0.1', 0))
c = socket.create_connection(s.getsockname())
s.accept()[0].send(b'loopback')
print(c.recv(10))
";
    let outcome = World::new().python(Kind::Bubblewrap, script);
    let output = &outcome.tried().output;
    assert!(
        output.contains("inside") && output.contains("loopback"),
        "{output}"
    );
}
