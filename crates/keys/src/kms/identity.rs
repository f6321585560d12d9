//! The Ed25519 keys by which both sides know each other, in PEM: `PRIVATE KEY` (RFC 5958) and `PUBLIC KEY` (RFC 8410).

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use aws_lc_rs::signature::Ed25519KeyPair;
use rustls::crypto::aws_lc_rs::sign::any_eddsa_type;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::{CertifiedKey, SigningKey};
use svc_core::{Error, OrInternal as _, Result};
use zeroize::Zeroizing;

use super::Trouble;
use crate::encoding::base64;
use crate::owner_only;

/// A private key with its public half.
pub struct Identity {
    key: Arc<dyn SigningKey>,
    public: PublicIdentity,
    pkcs8: Zeroizing<Vec<u8>>,
}

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicIdentity(Vec<u8>);

impl Identity {
    /// A fresh key.
    pub fn generate() -> Result<Self> {
        let pair = Ed25519KeyPair::generate().or_internal()?;
        Self::of(Zeroizing::new(pair.to_pkcs8v1().or_internal()?.as_ref().to_vec()))
    }

    /// Reads a key.
    pub fn from_pem(text: &str) -> Result<Self> {
        let key = PrivatePkcs8KeyDer::from_pem_slice(text.as_bytes());
        let key = key.map_err(|_| Error::bad_request("the file must hold a PEM block `PRIVATE KEY`"))?;
        Self::of(Zeroizing::new(key.secret_pkcs8_der().to_vec()))
    }

    /// Reads the key of a file, which others must not be able to read.
    pub fn from_file(path: &Path) -> Result<Self, Trouble> {
        let unusable = |why: String| Trouble::KeyFile(path.to_owned(), why);
        let text = owner_only::read(path).map_err(|error| unusable(error.to_string()))?;
        let text = text.ok_or_else(|| unusable("there is no such file".to_owned()))?;
        Self::from_pem(&text).map_err(|error| unusable(error.detail().to_owned()))
    }

    /// The text of a key file.
    pub fn to_pem(&self) -> Zeroizing<String> {
        Zeroizing::new(pem("PRIVATE KEY", &self.pkcs8))
    }

    /// The public half.
    pub fn public(&self) -> &PublicIdentity {
        &self.public
    }

    /// What is shown in the handshake.
    pub(super) fn shown(&self) -> Arc<CertifiedKey> {
        let shown = CertificateDer::from(self.public.0.clone());
        Arc::new(CertifiedKey::new(vec![shown], Arc::clone(&self.key)))
    }

    fn of(pkcs8: Zeroizing<Vec<u8>>) -> Result<Self> {
        let key = any_eddsa_type(&PrivatePkcs8KeyDer::from(&pkcs8[..]));
        let key = key.map_err(|_| Error::bad_request("the key must be an Ed25519 key"))?;
        let public = key.public_key().map(|spki| PublicIdentity(spki.to_vec()));
        let public = public.ok_or_else(|| Error::internal("the key has no public half"))?;
        Ok(Self { key, public, pkcs8 })
    }
}

impl PublicIdentity {
    /// Reads a key.
    pub fn from_pem(text: &str) -> Result<Self> {
        let key = SubjectPublicKeyInfoDer::from_pem_slice(text.as_bytes());
        let key = key.map_err(|_| Error::bad_request("the file must hold a PEM block `PUBLIC KEY`"))?;
        Ok(Self(key.to_vec()))
    }

    /// Reads the key of a file.
    pub fn from_file(path: &Path) -> Result<Self, Trouble> {
        let unusable = |why: String| Trouble::KeyFile(path.to_owned(), why);
        let text = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
        Self::from_pem(&text).map_err(|error| unusable(error.detail().to_owned()))
    }

    /// The text of a key file.
    pub fn to_pem(&self) -> String {
        pem("PUBLIC KEY", &self.0)
    }

    /// Whether it is the key that was shown in a handshake.
    pub(super) fn is(&self, shown: &CertificateDer<'_>) -> bool {
        self.0 == **shown
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    // 48 bytes of an Ed25519 key are one line.
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", base64(der))
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[private half of {:?}]", self.public)
    }
}

impl fmt::Debug for PublicIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base64(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_their_files_and_are_those_of_rfc_8410() {
        let made = Identity::generate().unwrap();
        let read = Identity::from_pem(&made.to_pem()).unwrap();
        assert_eq!(read.public(), made.public());
        assert_eq!(PublicIdentity::from_pem(&made.public().to_pem()).unwrap(), *made.public());
        // RFC 8410 §10.3 and §10.1.
        let private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                       -----END PRIVATE KEY-----\n";
        let public = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
                      -----END PUBLIC KEY-----\n";
        assert_eq!(Identity::from_pem(private).unwrap().public().to_pem(), public);
    }

    #[test]
    fn a_file_without_such_a_key_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("client.key");
        let refused = Identity::from_file(&path).unwrap_err().to_string();
        assert!(refused.ends_with("client.key cannot be used: there is no such file"), "{refused}");
        owner_only::create(&path, "nothing").unwrap();
        let refused = Identity::from_file(&path).unwrap_err().to_string();
        assert!(refused.contains("must hold a PEM block `PRIVATE KEY`"), "{refused}");
        let refused = PublicIdentity::from_file(&path).unwrap_err().to_string();
        assert!(refused.contains("must hold a PEM block `PUBLIC KEY`"), "{refused}");
    }
}
