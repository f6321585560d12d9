//! The port to what holds the deployment's long-lived keys: a keyring in this process, or a key-management process.

use std::fmt;

use svc_core::{Cx, OrInternal as _, Result, TenantRef};
use zeroize::Zeroizing;

use crate::jose::{Algorithm, PublicKey, SigningKey, TokenKey};
use crate::keyring::{Keyring, Purpose};

pub use crate::jose::Pending;

/// Which key is meant: what it is for, and whose it is. What is wrapped for one use does not unwrap for another.
#[derive(Clone, Copy, Debug)]
pub struct KeyUse {
    /// What it is for.
    pub purpose: Purpose,
    /// The tenant it belongs to; the deployment's own where there is none.
    pub tenant: Option<TenantRef>,
}

/// A private key as it is stored, with the half that may be published.
#[derive(Debug)]
pub struct Created {
    /// The key, to sign with.
    pub key: TokenKey,
    /// Its private half, wrapped.
    pub wrapped: Vec<u8>,
}

/// Creates, wraps and unwraps keys, and signs with those that do not leave it.
///
/// Where it hands out signing keys, tokens are signed in this process: a round trip for each costs more than the signature.
pub trait KeyManagement: Send + Sync {
    /// Creates a signing key.
    fn create<'a>(&'a self, of: KeyUse, algorithm: Algorithm, cx: &'a Cx) -> Pending<'a, Created>;

    /// Wraps the key `id`.
    fn wrap<'a>(&'a self, of: KeyUse, id: &'a str, key: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>>;

    /// Unwraps what was wrapped for the same use and id.
    fn unwrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8]) -> Pending<'a, Zeroizing<Vec<u8>>>;

    /// The stored signing key `with`, of which `public` is published: to sign with here, or where it stays.
    fn signing_key<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, public: PublicKey) -> Pending<'a, TokenKey>;

    /// Wraps the key `id` again, under the version of the root that seals now.
    fn rewrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>>;

    /// Signs `message` with the wrapped signing key `id`.
    fn sign<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, message: &'a [u8]) -> Pending<'a, Vec<u8>>;

    /// Whether a wrapped key should be wrapped again, because the key that wraps has been rotated.
    fn is_outdated(&self, of: KeyUse, wrapped: &[u8], cx: &Cx) -> bool;
}

/// A wrapped signing key.
#[derive(Clone, Copy, Debug)]
pub struct Wrapped<'a> {
    /// Its id.
    pub id: &'a str,
    /// The algorithm that it signs with.
    pub algorithm: Algorithm,
    /// The private half.
    pub key: &'a [u8],
}

impl KeyUse {
    /// A use by the deployment itself.
    pub fn of_deployment(purpose: Purpose) -> Self {
        Self { purpose, tenant: None }
    }

    /// The context that a key is wrapped for.
    fn owner(self) -> String {
        self.tenant.map_or_else(|| "deployment".to_owned(), |tenant| tenant.to_string())
    }
}

impl KeyManagement for Keyring {
    fn create<'a>(&'a self, of: KeyUse, algorithm: Algorithm, cx: &'a Cx) -> Pending<'a, Created> {
        Box::pin(async move {
            // RSA takes up to a tenth of a second.
            let keys = self.signing_keys();
            let made = tokio::task::spawn_blocking(move || keys(algorithm)).await;
            let key = made.or_internal()??;
            let wrapped = self.wrap(of, key.kid(), &key.to_pkcs8()?, cx).await?;
            Ok(Created { key: key.into(), wrapped })
        })
    }

    fn wrap<'a>(&'a self, of: KeyUse, id: &'a str, key: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>> {
        Box::pin(async move { self.sealer(of.purpose).seal(&[&of.owner(), id], key, cx) })
    }

    fn unwrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8]) -> Pending<'a, Zeroizing<Vec<u8>>> {
        Box::pin(
            async move { self.sealer(of.purpose).open_own(&[&of.owner(), id], wrapped).map(Zeroizing::new) },
        )
    }

    fn signing_key<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, _: PublicKey) -> Pending<'a, TokenKey> {
        Box::pin(async move { Ok(self.opened(of, with).await?.into()) })
    }

    fn rewrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>> {
        Box::pin(async move {
            let key = self.unwrap(of, id, wrapped).await?;
            self.wrap(of, id, &key, cx).await
        })
    }

    fn sign<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, message: &'a [u8]) -> Pending<'a, Vec<u8>> {
        Box::pin(async move { self.opened(of, with).await?.signature(message) })
    }

    fn is_outdated(&self, of: KeyUse, wrapped: &[u8], cx: &Cx) -> bool {
        !self.sealer(of.purpose).is_current(wrapped, cx.now)
    }
}

impl Keyring {
    /// A signing key, unwrapped.
    pub async fn opened(&self, of: KeyUse, with: Wrapped<'_>) -> Result<SigningKey> {
        let key = self.unwrap(of, with.id, with.key).await?;
        SigningKey::from_pkcs8(with.id, with.algorithm, &key)
    }

    /// The authentication code (RFC 2104) of a message by the key of a use.
    pub fn authenticate(&self, of: KeyUse, message: &[u8], cx: &Cx) -> Result<[u8; 32]> {
        self.sealer(of.purpose).authenticate(&[&of.owner()], message, cx.now)
    }
}

impl fmt::Debug for dyn KeyManagement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key management]")
    }
}

#[cfg(test)]
mod tests {
    use svc_core::{Seconds, SeededEntropy};

    use super::*;
    use crate::jose::{Jws, Typ};
    use crate::keyring::tests::{NOW, cx, keyring};

    const USE: KeyUse = KeyUse { purpose: Purpose::SigningKeys, tenant: None };

    #[tokio::test]
    async fn a_created_key_signs_after_it_was_stored() {
        let cx = cx(NOW);
        for &algorithm in Algorithm::SIGNING {
            let made = keyring(1).create(USE, algorithm, &cx).await.unwrap();
            let stored = keyring(1).unwrap(USE, made.key.kid(), &made.wrapped).await.unwrap();
            let key = SigningKey::from_pkcs8(made.key.kid(), algorithm, &stored).unwrap();
            let token = key.sign(Typ::Jwt, b"{}").unwrap();
            Jws::parse(&token, &[algorithm]).unwrap().verify(made.key.public()).unwrap();
        }
    }

    #[tokio::test]
    async fn a_key_is_unwrapped_for_its_own_id_use_and_tenant_only() {
        let (ring, cx) = (keyring(1), cx(NOW));
        let wrapped = ring.wrap(USE, "kid-1", b"private", &cx).await.unwrap();
        assert_eq!(*ring.unwrap(USE, "kid-1", &wrapped).await.unwrap(), b"private");
        let tenant: TenantRef = cx.id();
        for (of, id) in [
            (USE, "kid-2"),
            (KeyUse { tenant: Some(tenant), ..USE }, "kid-1"),
            (KeyUse::of_deployment(Purpose::Credentials), "kid-1"),
        ] {
            let error = ring.unwrap(of, id, &wrapped).await.unwrap_err();
            assert!(!error.detail().contains("kid"), "a client is not shown which key");
        }
    }

    #[tokio::test]
    async fn the_keyring_signs_with_a_wrapped_key() {
        let (ring, cx) = (keyring(1), cx(NOW));
        let made = ring.create(USE, Algorithm::EdDsa, &cx).await.unwrap();
        let with = Wrapped { id: made.key.kid(), algorithm: Algorithm::EdDsa, key: &made.wrapped };
        let signature = ring.sign(USE, with, b"message").await.unwrap();
        assert_eq!(
            signature,
            made.key.held().unwrap().signature(b"message").unwrap(),
            "EdDSA signs the same each time"
        );
    }

    #[tokio::test]
    async fn a_key_under_an_older_version_is_outdated() {
        let (ring, cx) = (keyring(1), cx(NOW));
        let wrapped = ring.wrap(USE, "kid-1", b"private", &cx).await.unwrap();
        assert!(!ring.is_outdated(USE, &wrapped, &cx));
        let later = NOW + Seconds(1);
        ring.replace(ring.versions().rotated(&SeededEntropy::new(2), NOW, later).unwrap());
        assert!(!ring.is_outdated(USE, &wrapped, &cx));
        assert!(ring.is_outdated(USE, &wrapped, &crate::keyring::tests::cx(later)));
    }
}
