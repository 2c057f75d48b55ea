//! Which parts of the machine does every confined program see? Programs, libraries,
//! certificates; nothing that belongs to a person. What is missing is passed over.

use std::path::Path;

/// Programs and libraries.
const PROGRAMS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];

/// How programs find libraries, certificates and the time of day.
const SETTINGS: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/ca-certificates",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust",
];

/// How programs find other machines.
const NETWORK: &[&str] = &[
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/nsswitch.conf",
    "/etc/services",
    "/etc/protocols",
];

/// Whether every confined program sees this file anyway.
pub(crate) fn is_program(path: &Path) -> bool {
    PROGRAMS.iter().any(|folder| path.starts_with(folder))
}

pub(super) fn readable(network: bool) -> impl Iterator<Item = &'static Path> {
    let names = if network { NETWORK } else { &[] };
    let all = PROGRAMS.iter().chain(SETTINGS).chain(names);
    all.map(Path::new)
}
