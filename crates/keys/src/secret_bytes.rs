//! Bytes that must not leak: wiped when dropped, never printed, base64url in a document.

use std::fmt;
use std::ops::Deref;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::encoding::{base64url, from_base64url};

/// Secret bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretBytes(Zeroizing<Vec<u8>>);

impl From<Vec<u8>> for SecretBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Zeroizing::new(bytes))
    }
}

impl From<&[u8]> for SecretBytes {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

impl From<SecretBytes> for Zeroizing<Vec<u8>> {
    fn from(bytes: SecretBytes) -> Self {
        bytes.0
    }
}

impl Deref for SecretBytes {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl Serialize for SecretBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&Zeroizing::new(base64url(&*self.0)))
    }
}

impl<'de> Deserialize<'de> for SecretBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Zeroizing::new(String::deserialize(deserializer)?);
        from_base64url(&text).map(Self::from).ok_or_else(|| D::Error::custom("expected base64url"))
    }
}

impl fmt::Debug for SecretBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} secret bytes]", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_survive_a_document_and_do_not_print() {
        let bytes = SecretBytes::from(vec![0xfb, 0xff]);
        let text = serde_json::to_string(&bytes).unwrap();
        assert_eq!(text, "\"-_8\"");
        assert_eq!(serde_json::from_str::<SecretBytes>(&text).unwrap(), bytes);
        assert!(serde_json::from_str::<SecretBytes>("\"+/8=\"").is_err());
        assert_eq!(format!("{bytes:?}"), "[2 secret bytes]");
    }
}
