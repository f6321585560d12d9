//! Authenticated encryption at rest: AES-256-GCM-SIV (RFC 8452) under keys derived by HKDF-SHA256 (RFC 5869).
//!
//! Sealed form: one version byte, a 12-byte nonce, ciphertext and tag. GCM-SIV, because a repeated nonce (a
//! restored snapshot, a cloned machine) then reveals at most that two plaintexts were equal.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use svc_core::{Entropy, Error, Result};
use zeroize::Zeroizing;

use crate::hmac::{hmac_sha256, hmac_sha256_of};

/// The first byte of everything sealed, so that a later format can be distinguished.
const VERSION: u8 = 1;

/// A secret under which data is sealed and further keys are derived.
pub struct SealingKey(Zeroizing<[u8; 32]>);

impl SealingKey {
    /// From 32 uniformly random bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// From a machine-made secret; a password has too little entropy for this.
    fn from_secret(secret: &str) -> Self {
        Self::from_bytes(hmac_sha256(b"svc secret as sealing key", secret.as_bytes()))
    }

    /// An independent key for the purpose that `label` names.
    #[must_use]
    pub fn derive(&self, label: &str) -> Self {
        Self(self.expand(&["svc derive ", label]))
    }

    /// Seals `plain`; it opens only under the same key and `context`.
    pub fn seal(&self, context: &[u8], plain: &[u8], entropy: &dyn Entropy) -> Result<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        entropy.fill(&mut nonce);
        let mut body = Vec::with_capacity(plain.len() + AES_256_GCM_SIV.tag_len());
        body.extend_from_slice(plain);
        self.cipher()
            .and_then(|key| {
                let nonce = Nonce::assume_unique_for_key(nonce);
                key.seal_in_place_append_tag(nonce, Aad::from(context), &mut body).ok()
            })
            .ok_or_else(|| Error::internal("sealing failed"))?;
        Ok([&[VERSION], &nonce[..], &body[..]].concat())
    }

    /// Opens what `seal` made; nothing for any other bytes, key or context.
    pub fn open(&self, context: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, body) = sealed.strip_prefix(&[VERSION])?.split_first_chunk::<NONCE_LEN>()?;
        let mut body = body.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let length = self.cipher()?.open_in_place(nonce, Aad::from(context), &mut body).ok()?.len();
        body.truncate(length);
        Some(body)
    }

    /// The authentication code of `message` in `context`, under a key that seals nothing.
    pub fn authenticate(&self, context: &[u8], message: &[u8]) -> [u8; 32] {
        let key = self.expand(&["svc authenticate"]);
        hmac_sha256_of(&hmac_sha256(&*key, context), &[message])
    }

    /// For its transport to another process of the deployment.
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    fn cipher(&self) -> Option<LessSafeKey> {
        // Never the root itself: what seals and what derives stay independent.
        let key = self.expand(&["svc seal"]);
        UnboundKey::new(&AES_256_GCM_SIV, &*key).ok().map(LessSafeKey::new)
    }

    /// HKDF-Expand for one block: the root is uniformly random, so that no extraction is needed.
    fn expand(&self, info: &[&str]) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(expand(&*self.0, info.concat().as_bytes()))
    }
}

/// Seals so that only the holder of `secret` can open; `secret` must be machine-made.
pub fn seal_under(secret: &str, plain: &[u8], entropy: &dyn Entropy) -> Result<Vec<u8>> {
    SealingKey::from_secret(secret).seal(b"", plain, entropy)
}

/// Opens what `seal_under` made with the same secret.
pub fn open_under(secret: &str, sealed: &[u8]) -> Option<Vec<u8>> {
    SealingKey::from_secret(secret).open(b"", sealed)
}

fn expand(key: &[u8], info: &[u8]) -> [u8; 32] {
    hmac_sha256_of(key, &[info, &[1]])
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[sealing key]")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use svc_core::SeededEntropy;

    use super::*;
    use crate::hex;

    fn key(byte: u8) -> SealingKey {
        SealingKey::from_bytes([byte; 32])
    }

    #[test]
    fn expansion_begins_like_rfc_5869_test_case_1() {
        let salt: Vec<u8> = (0..=12).collect();
        let root = hmac_sha256(&salt, &[0x0b; 22]);
        let info: Vec<u8> = (0xf0..=0xf9).collect();
        assert_eq!(hex(root), "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
        assert_eq!(
            hex(expand(&root, &info)),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
        );
    }

    #[test]
    fn what_is_sealed_opens_only_with_its_key_and_context() {
        let sealed = key(1).seal(b"kid", b"private", &SeededEntropy::new(1)).unwrap();
        assert_eq!(key(1).open(b"kid", &sealed).unwrap(), b"private");
        assert_eq!(key(2).open(b"kid", &sealed), None);
        assert_eq!(key(1).open(b"another", &sealed), None);
        assert_eq!(key(1).derive("a").open(b"kid", &sealed), None);
    }

    #[test]
    fn derived_keys_differ_by_label_and_repeat() {
        let sealed = key(1).derive("a").seal(b"", b"x", &SeededEntropy::new(1)).unwrap();
        assert_eq!(key(1).derive("a").open(b"", &sealed).unwrap(), b"x");
        assert_eq!(key(1).derive("b").open(b"", &sealed), None);
    }

    #[test]
    fn a_successor_opens_only_for_the_holder_of_its_predecessor() {
        let sealed = seal_under("predecessor", b"successor", &SeededEntropy::new(1)).unwrap();
        assert_eq!(open_under("predecessor", &sealed).unwrap(), b"successor");
        assert_eq!(open_under("predecesso", &sealed), None);
    }

    #[test]
    fn equal_plaintexts_seal_differently() {
        let entropy = SeededEntropy::new(1);
        assert_ne!(key(1).seal(b"", b"x", &entropy).unwrap(), key(1).seal(b"", b"x", &entropy).unwrap());
    }

    proptest! {
        #[test]
        fn any_flipped_bit_and_any_cut_is_noticed(plain: Vec<u8>, at: usize, bit in 0u8..8) {
            let mut sealed = key(1).seal(b"", &plain, &SeededEntropy::new(1)).unwrap();
            let at = at % sealed.len();
            prop_assert_eq!(key(1).open(b"", &sealed[..at]), None);
            sealed[at] ^= 1 << bit;
            prop_assert_eq!(key(1).open(b"", &sealed), None);
        }
    }
}
