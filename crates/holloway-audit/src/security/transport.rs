//! What can be wrong with the encryption of a server? The rules only: who speaks to the server
//! judges what it showed.

use crate::rule::Rule;

pub const HTTPS_MISSING: Rule = Rule::security("https-missing");
pub const HANDSHAKE: Rule = Rule::security("tls-handshake");
pub const OLD_PROTOCOL: Rule = Rule::security("tls-old-protocol");
pub const EXPIRED: Rule = Rule::security("certificate-expired");
pub const EXPIRES_SOON: Rule = Rule::security("certificate-expires-soon");
pub const NOT_YET_VALID: Rule = Rule::security("certificate-not-yet-valid");
pub const NAME_MISMATCH: Rule = Rule::security("certificate-name-mismatch");
pub const SELF_SIGNED: Rule = Rule::security("certificate-self-signed");
pub const UNTRUSTED: Rule = Rule::security("certificate-untrusted");
pub const WEAK_KEY: Rule = Rule::security("certificate-weak-key");
pub const WEAK_SIGNATURE: Rule = Rule::security("certificate-weak-signature");

pub(super) const RULES: &[Rule] = &[
    HTTPS_MISSING,
    HANDSHAKE,
    OLD_PROTOCOL,
    EXPIRED,
    EXPIRES_SOON,
    NOT_YET_VALID,
    NAME_MISMATCH,
    SELF_SIGNED,
    UNTRUSTED,
    WEAK_KEY,
    WEAK_SIGNATURE,
];
