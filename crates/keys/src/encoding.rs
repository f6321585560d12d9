//! base64url without padding (RFC 4648 §5, as RFC 7515 §2 uses it), strict, and hexadecimal.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// Encodes without padding.
pub fn base64url(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Decodes; refuses padding, other alphabets, white space and trailing bits that are not zero.
pub fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// Decodes exactly `N` bytes, by the same rules.
pub fn array_from_base64url<const N: usize>(text: &str) -> Option<[u8; N]> {
    from_base64url(text)?.try_into().ok()
}

/// Appends the encoding to `out`, so that a token is built in one allocation.
pub(crate) fn append_base64url(bytes: &[u8], out: &mut String) {
    URL_SAFE_NO_PAD.encode_string(bytes, out);
}

/// How many characters the encoding of `bytes` bytes has.
pub(crate) fn base64url_len(bytes: usize) -> usize {
    bytes.saturating_mul(4).div_ceil(3)
}

/// Encodes in the standard alphabet with padding, as PEM has it (RFC 7468).
pub fn base64(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

/// Decodes the standard alphabet with its padding, as HTTP Basic credentials use it (RFC 7617 §2).
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Lower-case hexadecimal.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.as_ref().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Decodes hexadecimal digits of either case, two for each byte.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some((digit(high)? << 4) | digit(low)?)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_the_canonical_form_decodes() {
        assert_eq!(from_base64url("-_8").unwrap(), [0xfb, 0xff]);
        for bad in ["-_8=", "+/8", "-_9", "-_8 ", " -_8", "-_8\n", "-", "-_8-x", "é"] {
            assert_eq!(from_base64url(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn an_array_needs_its_exact_length() {
        assert_eq!(array_from_base64url::<2>("-_8"), Some([0xfb, 0xff]));
        assert_eq!(array_from_base64url::<3>("-_8"), None);
    }

    #[test]
    fn hexadecimal_is_lower_case_with_leading_zeros() {
        assert_eq!(hex([0x00, 0x0f, 0xa9]), "000fa9");
    }

    proptest! {
        #[test]
        fn bytes_survive_and_no_two_texts_mean_the_same(bytes: Vec<u8>, text in "[A-Za-z0-9_-]{0,24}") {
            let encoded = base64url(&bytes);
            prop_assert_eq!(encoded.len(), base64url_len(bytes.len()));
            prop_assert_eq!(from_base64url(&encoded), Some(bytes));
            if let Some(decoded) = from_base64url(&text) {
                prop_assert_eq!(base64url(decoded), text);
            }
        }
    }
}
