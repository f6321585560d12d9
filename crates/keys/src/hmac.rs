//! HMAC-SHA256 (RFC 2104), for webhook signatures and key derivation.

use aws_lc_rs::hmac::{Context, HMAC_SHA256, Key};

/// The authentication code of `message` under `key`.
pub fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    hmac_sha256_of(key, &[message])
}

/// The authentication code of several parts, as if they were one; spares callers a copy of a large body.
pub fn hmac_sha256_of(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut context = Context::with_key(&Key::new(HMAC_SHA256, key));
    for part in parts {
        context.update(part);
    }
    let mut out = [0; 32];
    out.copy_from_slice(context.sign().as_ref());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex;

    #[test]
    fn the_codes_are_those_of_rfc_4231() {
        assert_eq!(
            hex(hmac_sha256(&[0x0b; 20], b"Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            hex(hmac_sha256(b"Jefe", b"what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn parts_count_as_one_message() {
        assert_eq!(hmac_sha256_of(b"key", &[b"a", b"", b"bc"]), hmac_sha256(b"key", b"abc"));
    }
}
