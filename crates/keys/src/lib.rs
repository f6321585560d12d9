//! Everything that touches a key: JOSE signatures, digests, sealing, PKCE, HMAC and password hashes.
//!
//! No other crate links a cryptographic library for these, so what is here is the whole of it.

pub mod certificate;
pub mod custody;
pub mod digest;
pub mod dpop;
pub mod encoding;
pub mod ethereum;
pub mod hmac;
pub mod jose;
pub mod keyring;
pub mod kms;
pub mod management;
pub mod owner_only;
pub mod passphrase;
pub mod password;
pub mod pkce;
pub mod random;
pub mod s3;
pub mod seal;
mod secret_bytes;
pub mod supervisor;
pub mod webhook;

pub use certificate::{Authorities, ClientCertificate, SubjectName};
pub use custody::Custody;
pub use digest::{Sha256, constant_time_eq, digest, sha256, sha512};
pub use encoding::{base64, base64url, from_base64, from_base64url, from_hex, hex};
pub use hmac::hmac_sha256;
pub use jose::{
    Algorithm, Claims, DEEPEST_CLAIM, Jws, KeyRing, KeySet, KeyState, PublicKey, Signer, SigningKey,
    TokenKey, Typ, at_hash,
};
pub use keyring::{Cell, Keyring, Purpose, Sealed, Sealer, Versions};
pub use management::{KeyManagement, KeyUse};
pub use password::{PasswordParams, PasswordPool};
pub use random::{SystemEntropy, prefixed_token, token};
pub use seal::{SealingKey, open_under, seal_under};
pub use secret_bytes::SecretBytes;
