//! SHA-2 (FIPS 180-4) of machine-made secrets, and comparison in constant time.

use aws_lc_rs::digest as sha;
use subtle::ConstantTimeEq;
use svc_core::Digest;

/// What is stored instead of a machine-made secret; with 256 random bits no slow hash is needed.
pub fn digest(secret: &str) -> Digest {
    Digest(sha256(secret.as_bytes()))
}

/// SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    hashed(&sha::SHA256, bytes)
}

/// SHA-256 of what comes piece by piece.
pub struct Sha256(sha::Context);

impl Default for Sha256 {
    fn default() -> Self {
        Self(sha::Context::new(&sha::SHA256))
    }
}

impl Sha256 {
    /// Takes in the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The digest of all pieces.
    pub fn finish(self) -> [u8; 32] {
        let mut out = [0; 32];
        out.copy_from_slice(self.0.finish().as_ref());
        out
    }
}

/// SHA-512 of some bytes.
pub fn sha512(bytes: &[u8]) -> [u8; 64] {
    hashed(&sha::SHA512, bytes)
}

/// SHA-1 of some bytes, by which lists of breached passwords know theirs; it protects nothing.
pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    hashed(&sha::SHA1_FOR_LEGACY_USE_ONLY, bytes)
}

/// Whether two byte strings are equal, in a time that depends on their lengths only.
pub fn constant_time_eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

fn hashed<const N: usize>(algorithm: &'static sha::Algorithm, bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(sha::digest(algorithm, bytes).as_ref());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex;

    #[test]
    fn the_digests_are_those_of_fips_180() {
        assert_eq!(hex(sha256(b"abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hex(sha1(b"abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert!(hex(sha512(b"abc")).starts_with("ddaf35a193617abacc417349ae204131"));
        assert_eq!(digest("abc"), Digest(sha256(b"abc")));
        let mut pieces = Sha256::default();
        for piece in ["a", "", "bc"] {
            pieces.update(piece.as_bytes());
        }
        assert_eq!(pieces.finish(), sha256(b"abc"));
    }

    #[test]
    fn equality_needs_every_byte_and_the_length() {
        assert!(constant_time_eq(b"secret", b"secret"));
        assert!(!constant_time_eq(b"secret", b"secreT"));
        assert!(!constant_time_eq(b"secret", b"secrets"));
        assert!(!constant_time_eq(b"secret", b""));
    }
}
