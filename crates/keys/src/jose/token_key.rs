//! What signs tokens: a key in this process, or one that stays with key management and signs there (RFC 7515 §5.1).

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde_json::Value;
use svc_core::{Error, Result};

use super::heading::Heading;
use super::{Algorithm, PublicKey, SigningKey, Typ};

/// A pending answer of what keeps keys.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Signs with a private key that does not leave it.
pub trait Keeper: Send + Sync {
    /// The bare signature of `message`, in the form that JWS carries (RFC 7518 §3.4).
    fn signature<'a>(&'a self, message: &'a [u8]) -> Pending<'a, Vec<u8>>;

    /// Whether it answers now.
    fn answers(&self) -> Pending<'_, ()>;
}

/// A key that signs tokens.
pub enum TokenKey {
    /// Its private half is in this process.
    Held(SigningKey),
    /// Its private half stays elsewhere.
    Kept(KeptKey),
}

/// A key whose private half stays where it signs.
pub struct KeptKey {
    heading: Heading,
    public: PublicKey,
    keeper: Box<dyn Keeper>,
}

impl KeptKey {
    /// The key `kid` with this public half, whose thumbprint the id has to be.
    pub fn new(kid: &str, algorithm: Algorithm, public: PublicKey, keeper: Box<dyn Keeper>) -> Result<Self> {
        let heading = Heading::of(algorithm, &public);
        if heading.kid() == kid && public.supports(algorithm) {
            Ok(Self { heading, public, keeper })
        } else {
            Err(Error::internal(format!("the kept key {kid} is in truth {}", heading.kid())))
        }
    }

    async fn sign(&self, typ: Typ, payload: &[u8]) -> Result<String> {
        let unsigned = self.heading.begin(typ, payload)?;
        let signature = self.keeper.signature(unsigned.as_bytes()).await?;
        Ok(Heading::end(unsigned, &signature))
    }
}

impl TokenKey {
    /// A compact token of type `typ` over `payload`, the serialized claims. Unavailable where what keeps the key does not answer.
    pub async fn sign(&self, typ: Typ, payload: &[u8]) -> Result<String> {
        match self {
            Self::Held(key) => key.sign(typ, payload),
            // Boxed: the state of the rare way would be part of every request.
            Self::Kept(key) => Box::pin(key.sign(typ, payload)).await,
        }
    }

    /// Whether it can sign now, as far as that can be known beforehand.
    pub async fn can_sign(&self) -> Result<()> {
        match self {
            Self::Held(_) => Ok(()),
            Self::Kept(key) => key.keeper.answers().await,
        }
    }

    /// The key, where this process has it whole.
    pub fn held(&self) -> Option<&SigningKey> {
        match self {
            Self::Held(key) => Some(key),
            Self::Kept(_) => None,
        }
    }

    /// The key's id: its SHA-256 thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        match self {
            Self::Held(key) => key.kid(),
            Self::Kept(key) => key.heading.kid(),
        }
    }

    /// The one algorithm that the key signs with.
    pub fn algorithm(&self) -> Algorithm {
        match self {
            Self::Held(key) => key.algorithm(),
            Self::Kept(key) => key.heading.algorithm(),
        }
    }

    /// The public half.
    pub fn public(&self) -> &PublicKey {
        match self {
            Self::Held(key) => key.public(),
            Self::Kept(key) => &key.public,
        }
    }

    /// The entry of the JSON Web Key Set.
    pub fn public_jwk(&self) -> Value {
        self.public().jwk(self.kid(), self.algorithm())
    }
}

impl From<SigningKey> for TokenKey {
    fn from(key: SigningKey) -> Self {
        Self::Held(key)
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held(key) => key.fmt(f),
            Self::Kept(key) => {
                write!(f, "[kept signing key {} {}]", key.heading.algorithm(), key.heading.kid())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jose::Jws;

    /// Keeps a key until it is away.
    struct Elsewhere(Option<SigningKey>);

    impl Keeper for Elsewhere {
        fn signature<'a>(&'a self, message: &'a [u8]) -> Pending<'a, Vec<u8>> {
            Box::pin(async move { self.0.as_ref().ok_or_else(away)?.signature(message) })
        }

        fn answers(&self) -> Pending<'_, ()> {
            Box::pin(async { self.0.as_ref().map(|_| ()).ok_or_else(away) })
        }
    }

    fn away() -> Error {
        Error::unavailable("away")
    }

    fn kept(key: SigningKey, is_there: bool) -> Result<KeptKey> {
        let (kid, algorithm, public) = (key.kid().to_owned(), key.algorithm(), key.public().clone());
        KeptKey::new(&kid, algorithm, public, Box::new(Elsewhere(is_there.then_some(key))))
    }

    #[tokio::test]
    async fn a_kept_key_makes_the_same_tokens_as_a_held_one() {
        for &algorithm in Algorithm::SIGNING {
            let held = SigningKey::generate(algorithm).unwrap();
            let again = SigningKey::from_pkcs8(held.kid(), algorithm, &held.to_pkcs8().unwrap()).unwrap();
            let kept = TokenKey::Kept(kept(again, true).unwrap());
            kept.can_sign().await.unwrap();
            let token = kept.sign(Typ::Jwt, br#"{"sub":"ada"}"#).await.unwrap();
            let jws = Jws::parse(&token, &[algorithm]).unwrap();
            assert_eq!(jws.verify(held.public()).unwrap().text("sub"), Some("ada"));
            let here = held.sign(Typ::Jwt, br#"{"sub":"ada"}"#).unwrap();
            assert_eq!(token.rsplit_once('.').unwrap().0, here.rsplit_once('.').unwrap().0);
            assert_eq!((kept.public_jwk(), kept.held().is_none()), (held.public_jwk(), true));
        }
    }

    #[tokio::test]
    async fn what_keeps_the_key_may_be_away() {
        let kept = TokenKey::Kept(kept(SigningKey::generate(Algorithm::Es256).unwrap(), false).unwrap());
        for error in [kept.can_sign().await.unwrap_err(), kept.sign(Typ::Jwt, b"{}").await.unwrap_err()] {
            assert_eq!(error.class().status(), 503);
        }
    }

    #[test]
    fn a_kept_key_has_its_own_id_and_algorithm() {
        let key = || SigningKey::generate(Algorithm::Es256).unwrap();
        let (one, two) = (key(), key());
        let keeper = || Box::new(Elsewhere(None));
        let of = |kid: &str, algorithm| KeptKey::new(kid, algorithm, one.public().clone(), keeper());
        assert!(of(one.kid(), Algorithm::Es256).is_ok());
        assert!(of(two.kid(), Algorithm::Es256).is_err());
        assert!(of(one.kid(), Algorithm::EdDsa).is_err());
    }
}
