//! What does a compressed body say? Decompressed up to a limit: a small body that
//! would become a large one is cut, not kept.

use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// What came out of a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    /// There were more bytes than allowed.
    pub(crate) truncated: bool,
    /// Why it could not be decompressed to its end.
    pub(crate) error: Option<String>,
}

/// The bytes behind a `Content-Encoding`. A body that cannot be decompressed to its
/// end gives what came until there, and the reason.
pub(crate) fn decode(body: Vec<u8>, encoding: &str, limit: usize) -> Decoded {
    let bytes = body.as_slice();
    match encoding.trim() {
        // An answer without a body often keeps the header.
        _ if bytes.is_empty() => Decoded::default(),
        "gzip" | "x-gzip" => bounded(MultiGzDecoder::new(bytes), limit),
        "br" => bounded(
            brotli_decompressor::Decompressor::new(bytes, 8 * 1024),
            limit,
        ),
        // Servers disagree about what the word means: with a wrapping or without.
        "deflate" if is_zlib(bytes) => bounded(ZlibDecoder::new(bytes), limit),
        "deflate" => bounded(DeflateDecoder::new(bytes), limit),
        _ => Decoded {
            bytes: body,
            ..Decoded::default()
        },
    }
}

/// The same for a file that is itself gzip, such as `sitemap.xml.gz`.
pub(crate) fn gunzip(bytes: &[u8], limit: usize) -> (Vec<u8>, bool) {
    let decoded = bounded(MultiGzDecoder::new(bytes), limit);
    (decoded.bytes, decoded.truncated)
}

fn bounded(reader: impl Read, limit: usize) -> Decoded {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a full body from a longer one.
    let read = reader.take(limit as u64 + 1).read_to_end(&mut bytes);
    let truncated = bytes.len() > limit;
    bytes.truncate(limit);
    Decoded {
        bytes,
        truncated,
        error: read.err().map(|error| error.to_string()),
    }
}

fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..]
        if first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};

    fn check(body: Vec<u8>, encoding: &str, expected: &str) {
        let decoded = decode(body, encoding, 1000);
        let whole = Decoded {
            bytes: expected.as_bytes().to_vec(),
            ..Decoded::default()
        };
        assert_eq!(decoded, whole, "{encoding}");
    }

    fn all(mut reader: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn every_encoding_we_ask_for_is_undone() {
        let text = b"fern hill, fern hill, fern hill".as_slice();
        let expected = "fern hill, fern hill, fern hill";
        let level = Compression::default();
        check(all(GzEncoder::new(text, level)), "gzip", expected);
        check(all(ZlibEncoder::new(text, level)), "deflate", expected);
        check(all(DeflateEncoder::new(text, level)), "deflate", expected);
        // Stored without compression: one uncompressed block, then the end.
        check(b"\x0b\x02\x80fern \x03".to_vec(), "br", "fern ");
        check(text.to_vec(), "identity", expected);
    }

    #[test]
    fn what_is_broken_is_said() {
        let whole = all(GzEncoder::new(b"abcdef".as_slice(), Compression::default()));
        let decoded = decode(whole[..whole.len() - 8].to_vec(), "gzip", 100);
        assert_eq!(decoded.bytes, b"abcdef");
        assert!(decoded.error.is_some());
        for encoding in ["gzip", "deflate", "br"] {
            let decoded = decode(b"notgzip".to_vec(), encoding, 100);
            assert!(decoded.error.is_some(), "{encoding}");
            assert_eq!(decode(Vec::new(), encoding, 100), Decoded::default());
        }
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let bomb = include_bytes!("testdata/sixteen-mebibytes-of-zeros.gz");
        let decoded = decode(bomb.to_vec(), "gzip", 50_000);
        assert_eq!((decoded.bytes.len(), decoded.truncated), (50_000, true));
    }
}
