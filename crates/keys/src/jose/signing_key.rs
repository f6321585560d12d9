//! Private signing keys, parsed once, and the building of tokens (RFC 7515 §5.1).

use std::fmt;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::Value;
use svc_core::{Error, OrInternal as _, Result};
use zeroize::Zeroizing;

use super::heading::Heading;
use super::{Algorithm, PublicKey, Typ};
use crate::from_base64;

/// A key that signs. Its id is its thumbprint, so that equal ids mean equal keys on every node.
pub struct SigningKey {
    heading: Heading,
    pair: Pair,
    public: PublicKey,
}

enum Pair {
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(RsaKeyPair),
}

impl SigningKey {
    /// A fresh key from the library's own randomness; RSA has 2048 bits and takes a noticeable moment.
    pub fn generate(algorithm: Algorithm) -> Result<Self> {
        let pair = match algorithm {
            Algorithm::Es256 => EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map(Pair::Es256),
            Algorithm::EdDsa => Ed25519KeyPair::generate().map(Pair::EdDsa),
            Algorithm::Rs256 => RsaKeyPair::generate(KeySize::Rsa2048).map(Pair::Rs256),
            Algorithm::Ps256 => return Err(never_issued()),
        };
        Self::new(algorithm, pair.or_internal()?)
    }

    /// Reads what `to_pkcs8` wrote; `kid` has to be the key's own.
    pub fn from_pkcs8(kid: &str, algorithm: Algorithm, pkcs8: &[u8]) -> Result<Self> {
        let pair = match algorithm {
            Algorithm::Es256 => {
                EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8).map(Pair::Es256)
            }
            Algorithm::EdDsa => Ed25519KeyPair::from_pkcs8(pkcs8).map(Pair::EdDsa),
            Algorithm::Rs256 => RsaKeyPair::from_pkcs8(pkcs8).map(Pair::Rs256),
            Algorithm::Ps256 => return Err(never_issued()),
        };
        let key = Self::new(algorithm, pair.or_internal()?)?;
        if key.kid() != kid {
            return Err(Error::internal(format!("the stored key {kid} is in truth {}", key.kid())));
        }
        Ok(key)
    }

    /// Reads an ES256 key that another party has made and named: it proves us there, and signs nothing of ours. `text` is PKCS #8 in
    /// PEM (RFC 7468 §10), also on one line.
    pub fn given(kid: &str, text: &str) -> Result<Self> {
        let malformed = || Error::bad_request("expected a P-256 key in PEM (PKCS #8)");
        let body = text.trim().trim_start_matches("-----BEGIN PRIVATE KEY-----");
        let body = body.trim_end_matches("-----END PRIVATE KEY-----").replace("\\n", "");
        let body: String = body.chars().filter(|letter| !letter.is_whitespace()).collect();
        let der = Zeroizing::new(from_base64(&body).ok_or_else(malformed)?);
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der);
        let mut key = Self::new(Algorithm::Es256, Pair::Es256(pair.map_err(|_| malformed())?))?;
        key.heading = Heading::named(kid.to_owned(), Algorithm::Es256, &key.public);
        Ok(key)
    }

    /// The private key as PKCS #8, to be wrapped before it is stored.
    pub fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>> {
        let der = match &self.pair {
            Pair::Es256(pair) => pair.to_pkcs8v1().map(|der| der.as_ref().to_vec()),
            Pair::EdDsa(pair) => pair.to_pkcs8v1().map(|der| der.as_ref().to_vec()),
            Pair::Rs256(pair) => pair.as_der().map(|der| der.as_ref().to_vec()),
        };
        der.map(Zeroizing::new).or_internal()
    }

    /// The key's id: its SHA-256 thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        self.heading.kid()
    }

    /// The one algorithm that the key signs with.
    pub fn algorithm(&self) -> Algorithm {
        self.heading.algorithm()
    }

    /// The public half.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The entry of the JSON Web Key Set.
    pub fn public_jwk(&self) -> Value {
        self.public.jwk(self.kid(), self.algorithm())
    }

    /// A compact token of type `typ` over `payload`, the serialized claims.
    pub fn sign(&self, typ: Typ, payload: &[u8]) -> Result<String> {
        let unsigned = self.heading.begin(typ, payload)?;
        let signature = self.signature(unsigned.as_bytes())?;
        Ok(Heading::end(unsigned, &signature))
    }

    /// The bare signature of `message`, in the form that JWS carries (RFC 7518 §3.4).
    pub fn signature(&self, message: &[u8]) -> Result<Vec<u8>> {
        let random = SystemRandom::new();
        Ok(match &self.pair {
            Pair::Es256(pair) => pair.sign(&random, message).or_internal()?.as_ref().to_vec(),
            Pair::EdDsa(pair) => pair.try_sign(message).or_internal()?.as_ref().to_vec(),
            Pair::Rs256(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).or_internal()?;
                signature
            }
        })
    }

    fn new(algorithm: Algorithm, pair: Pair) -> Result<Self> {
        let public = match &pair {
            Pair::Es256(pair) => PublicKey::from_p256_point(pair.public_key().as_ref()),
            Pair::EdDsa(pair) => PublicKey::from_ed25519(pair.public_key().as_ref()),
            Pair::Rs256(pair) => {
                let key = pair.public_key();
                PublicKey::from_rsa(
                    key.modulus().big_endian_without_leading_zero(),
                    key.exponent().big_endian_without_leading_zero(),
                )
            }
        };
        let public = public.ok_or_else(|| Error::internal("the key's public half is not acceptable"))?;
        Ok(Self { heading: Heading::of(algorithm, &public), pair, public })
    }
}

#[track_caller]
fn never_issued() -> Error {
    Error::internal("PS256 is accepted from clients, never issued")
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[signing key {} {}]", self.algorithm(), self.kid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jose::Jws;

    #[test]
    fn a_key_survives_its_stored_form() {
        for &algorithm in Algorithm::SIGNING {
            let key = SigningKey::generate(algorithm).unwrap();
            let stored = key.to_pkcs8().unwrap();
            let again = SigningKey::from_pkcs8(key.kid(), algorithm, &stored).unwrap();
            assert_eq!(again.public_jwk(), key.public_jwk());
            assert!(SigningKey::from_pkcs8("another", algorithm, &stored).is_err());
            for &other in Algorithm::ALL.iter().filter(|other| **other != algorithm) {
                assert!(SigningKey::from_pkcs8(key.kid(), other, &stored).is_err(), "{algorithm} as {other}");
            }
        }
    }

    #[test]
    fn a_token_is_built_in_one_allocation_and_verifies() {
        for &algorithm in Algorithm::SIGNING {
            let key = SigningKey::generate(algorithm).unwrap();
            let token = key.sign(Typ::Jwt, br#"{"sub":"ada"}"#).unwrap();
            assert_eq!(token.len(), token.capacity());
            let jws = Jws::parse(&token, &[algorithm]).unwrap();
            assert_eq!((jws.kid(), jws.is_typ("JWT")), (Some(key.kid()), true));
            assert_eq!(jws.verify(key.public()).unwrap().text("sub"), Some("ada"));
        }
    }

    #[test]
    fn rs256_never_signs_an_access_token_and_ps256_nothing() {
        let key = SigningKey::generate(Algorithm::Rs256).unwrap();
        assert!(key.sign(Typ::AccessToken, b"{}").is_err());
        assert!(SigningKey::generate(Algorithm::Ps256).is_err());
    }

    #[test]
    fn the_published_key_has_public_members_only() {
        let names = |algorithm| {
            let jwk = SigningKey::generate(algorithm).unwrap().public_jwk();
            jwk.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(Algorithm::Es256), "crv kty x y kid use alg");
        assert_eq!(names(Algorithm::EdDsa), "crv kty x kid use alg");
        assert_eq!(names(Algorithm::Rs256), "e kty n kid use alg");
    }

    #[test]
    fn a_private_key_does_not_print() {
        let key = SigningKey::generate(Algorithm::EdDsa).unwrap();
        assert_eq!(format!("{key:?}"), format!("[signing key EdDSA {}]", key.kid()));
    }
}
