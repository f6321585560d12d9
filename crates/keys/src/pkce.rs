//! Proof Key for Code Exchange, method `S256` only (RFC 7636).

use crate::encoding::array_from_base64url;
use crate::{base64url, constant_time_eq, sha256};

/// Whether `verifier` is the one that `challenge` was made of (§4.6); an ill-formed verifier never is.
pub fn verify_s256(challenge: &str, verifier: &str) -> bool {
    is_valid_verifier(verifier) && constant_time_eq(s256(verifier).as_bytes(), challenge.as_bytes())
}

/// The `S256` challenge of a verifier (§4.2).
pub fn s256(verifier: &str) -> String {
    base64url(sha256(verifier.as_bytes()))
}

/// 43 to 128 unreserved characters (§4.1).
fn is_valid_verifier(verifier: &str) -> bool {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    (43..=128).contains(&verifier.len()) && verifier.bytes().all(unreserved)
}

/// The base64url form of a SHA-256 digest (§4.2).
pub fn is_valid_challenge(challenge: &str) -> bool {
    array_from_base64url::<32>(challenge).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_rfc_7636_appendix_b_verifies() {
        assert_eq!(s256(VERIFIER), CHALLENGE);
        assert!(verify_s256(CHALLENGE, VERIFIER));
        assert!(is_valid_challenge(CHALLENGE));
    }

    #[test]
    fn a_plain_comparison_is_never_made() {
        assert!(!verify_s256(VERIFIER, VERIFIER));
        assert!(!verify_s256("", ""));
    }

    #[test]
    fn the_length_and_alphabet_of_a_verifier_are_exact() {
        for (length, valid) in [(42, false), (43, true), (128, true), (129, false)] {
            assert_eq!(is_valid_verifier(&"a".repeat(length)), valid, "{length}");
        }
        for bad in ['+', '/', '=', ' ', '\0', 'é', '\n'] {
            let verifier = format!("{bad}{}", "a".repeat(60));
            assert!(!is_valid_verifier(&verifier), "{bad:?}");
            assert!(!verify_s256(&s256(&verifier), &verifier), "{bad:?}");
        }
    }

    #[test]
    fn a_challenge_is_canonical_base64url_of_32_bytes() {
        for bad in ["", "short", &CHALLENGE[1..], &format!("{CHALLENGE}="), &CHALLENGE.replace("-cM", "+cM")]
        {
            assert!(!is_valid_challenge(bad), "{bad}");
        }
        assert!(!is_valid_challenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN"));
    }
}
