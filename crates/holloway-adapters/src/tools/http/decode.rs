//! What does a compressed body say? Decompressed up to a limit: a small body that
//! would become a large one is cut, not kept.

use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// The bytes behind a `Content-Encoding`, and whether there were more of them. A
/// body that cannot be decompressed to its end gives what came until there.
pub(crate) fn decode(body: Vec<u8>, encoding: &str, limit: usize) -> (Vec<u8>, bool) {
    let bytes = body.as_slice();
    match encoding.trim() {
        "gzip" | "x-gzip" => bounded(MultiGzDecoder::new(bytes), limit),
        "br" => bounded(
            brotli_decompressor::Decompressor::new(bytes, 8 * 1024),
            limit,
        ),
        // Servers disagree about what the word means: with a wrapping or without.
        "deflate" if is_zlib(bytes) => bounded(ZlibDecoder::new(bytes), limit),
        "deflate" => bounded(DeflateDecoder::new(bytes), limit),
        _ => (body, false),
    }
}

/// The same for a file that is itself gzip, such as `sitemap.xml.gz`.
pub(crate) fn gunzip(bytes: &[u8], limit: usize) -> (Vec<u8>, bool) {
    bounded(MultiGzDecoder::new(bytes), limit)
}

fn bounded(reader: impl Read, limit: usize) -> (Vec<u8>, bool) {
    let mut decoded = Vec::new();
    // One byte more than allowed tells a full body from a longer one.
    let _cut_short = reader.take(limit as u64 + 1).read_to_end(&mut decoded);
    let truncated = decoded.len() > limit;
    decoded.truncate(limit);
    (decoded, truncated)
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
        let (decoded, truncated) = decode(body, encoding, 1000);
        assert_eq!(
            (String::from_utf8_lossy(&decoded).as_ref(), truncated),
            (expected, false),
            "{encoding}"
        );
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
    fn what_is_broken_off_is_kept_until_there() {
        let whole = all(GzEncoder::new(b"abcdef".as_slice(), Compression::default()));
        let (decoded, truncated) = decode(whole[..whole.len() - 8].to_vec(), "gzip", 100);
        assert_eq!(
            (decoded.as_slice(), truncated),
            (b"abcdef".as_slice(), false)
        );
        assert_eq!(
            decode(b"no gzip".to_vec(), "gzip", 100),
            (Vec::new(), false)
        );
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let bomb = include_bytes!("testdata/sixteen-mebibytes-of-zeros.gz");
        let (decoded, truncated) = decode(bomb.to_vec(), "gzip", 50_000);
        assert_eq!((decoded.len(), truncated), (50_000, true));
    }
}
