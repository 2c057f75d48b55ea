//! Is this address on the public internet? Everything that reaches this machine,
//! its network or nobody is refused, also when an IPv6 form hides it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::platform;

/// Why an address is not public; `None` when it is.
pub(crate) fn refusal(address: IpAddr) -> Option<&'static str> {
    let reason = by_range(address);
    reason.or_else(|| platform::is_address(address).then_some(platform::REASON))
}

/// The IPv4 address that an IPv6 address carries, by whichever way.
pub(super) fn carried(address: IpAddr) -> Option<IpAddr> {
    match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(address) => carried_v4(address)
            .or_else(|| isatap_v4(address))
            .map(IpAddr::V4),
    }
}

fn by_range(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => refusal_v4(address),
        IpAddr::V6(address) => refusal_v6(address),
    }
}

fn refusal_v4(address: Ipv4Addr) -> Option<&'static str> {
    let [first, second, third, _] = address.octets();
    match (first, second, third) {
        (0, ..) => Some("unspecified"),
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => Some("private"),
        (100, 64..=127, _) => Some("carrier-grade NAT"),
        (127, ..) => Some("loopback"),
        (169, 254, _) => Some("link-local"),
        (192, 0, 2) | (198, 51, 100) | (203, 0, 113) => Some("documentation"),
        (192, 0, 0) | (192, 88, 99) | (240..=255, ..) => Some("reserved"),
        (198, 18..=19, _) => Some("benchmarking"),
        (224..=239, ..) => Some("multicast"),
        _ => None,
    }
}

fn refusal_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some(inner) = carried_v4(address) {
        return refusal_v4(inner);
    }
    if let Some(inner) = isatap_v4(address)
        && let Some(reason) = refusal_v4(inner)
    {
        return Some(reason);
    }
    let [first, second, ..] = address.segments();
    match (first, second) {
        _ if address.is_loopback() => Some("loopback"),
        _ if address.is_unspecified() => Some("unspecified"),
        (0xfc00..=0xfdff, _) => Some("private"),
        (0xfe80..=0xfeff, _) => Some("link-local"),
        (0xff00..=0xffff, _) => Some("multicast"),
        (0x2001, 0) => Some("Teredo"),
        (0x2001, 0x0db8) | (0x3fff, 0..=0x0fff) => Some("documentation"),
        (0x2001, 0x0001..=0x01ff) => Some("reserved"),
        (0x2000..=0x3fff, _) => None,
        // Only 2000::/3 has been handed out for the public internet.
        _ => Some("reserved"),
    }
}

/// The IPv4 address that packets to this IPv6 address end up at.
fn carried_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        // IPv4-mapped, and NAT64 with the well-known prefix.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            Some(join(high, low))
        }
        // 6to4 carries it right after its prefix.
        [0x2002, high, low, ..] => Some(join(high, low)),
        _ => None,
    }
}

/// ISATAP puts it into the interface part, below any prefix.
fn isatap_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [.., marker, name, high, low] = address.segments();
    (matches!(marker, 0 | 0x0200) && name == 0x5efe).then(|| join(high, low))
}

fn join(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_pass() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450:4001:81b::200e",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ] {
            let address: IpAddr = text.parse().unwrap();
            assert_eq!(refusal(address), None, "{text}");
        }
    }
}
