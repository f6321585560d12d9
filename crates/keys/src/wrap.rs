//! The port behind which stored private keys are encrypted: in this process, or in a key-management sidecar.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use svc_core::{Entropy, Error, Result};
use zeroize::Zeroizing;

use crate::SealingKey;

/// A pending answer of a [`KeyWrap`].
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Encrypts private keys before they are stored, and decrypts each once, when its ring is loaded.
///
/// Signing is not behind this port: a round trip per token would cost more than the signature.
pub trait KeyWrap: Send + Sync {
    /// Encrypts `key`, bound to `context` (its `kid`).
    fn wrap_key<'a>(&'a self, context: &'a str, key: &'a [u8]) -> Pending<'a, Vec<u8>>;

    /// Decrypts what `wrap_key` made for the same `context`.
    fn unwrap_key<'a>(&'a self, context: &'a str, wrapped: &'a [u8]) -> Pending<'a, Zeroizing<Vec<u8>>>;
}

/// Wraps with a key that this process holds.
pub struct LocalWrap {
    key: SealingKey,
    entropy: Arc<dyn Entropy>,
}

impl LocalWrap {
    /// Wraps under `key`.
    pub fn new(key: SealingKey, entropy: Arc<dyn Entropy>) -> Self {
        Self { key, entropy }
    }
}

impl KeyWrap for LocalWrap {
    fn wrap_key<'a>(&'a self, context: &'a str, key: &'a [u8]) -> Pending<'a, Vec<u8>> {
        Box::pin(async move { self.key.seal(context.as_bytes(), key, &*self.entropy) })
    }

    fn unwrap_key<'a>(&'a self, context: &'a str, wrapped: &'a [u8]) -> Pending<'a, Zeroizing<Vec<u8>>> {
        Box::pin(async move {
            let opened = self.key.open(context.as_bytes(), wrapped).map(Zeroizing::new);
            opened.ok_or_else(|| Error::internal(format!("the stored key {context} does not open")))
        })
    }
}

impl fmt::Debug for LocalWrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[local wrap]")
    }
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    #[tokio::test]
    async fn a_wrapped_key_opens_only_for_its_kid() {
        let wrap = LocalWrap::new(SealingKey::from_bytes([7; 32]), Arc::new(SeededEntropy::new(1)));
        let wrapped = wrap.wrap_key("kid-1", b"private").await.unwrap();
        assert_eq!(*wrap.unwrap_key("kid-1", &wrapped).await.unwrap(), b"private");
        let error = wrap.unwrap_key("kid-2", &wrapped).await.unwrap_err();
        assert!(!error.detail().contains("kid-2"));
    }
}
