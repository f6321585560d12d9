//! What is asked of `svc-kms`, and what it answers: JSON, each message with the number of its request.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{Error, Result};
use zeroize::Zeroizing;

use crate::jose::Algorithm;
use crate::keyring::{Fingerprint, HandedOut, Purpose};
use crate::management::KeyUse;
use crate::secret_bytes::SecretBytes;

/// The version of these messages; the first message of a connection names it.
pub const VERSION: u32 = 1;

/// A request with its number.
#[derive(Debug, Serialize, Deserialize)]
pub struct Call(pub u64, pub Request);

/// An answer with the number of its request.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply(pub u64, pub Answer);

/// What a client asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the members are those of `KeyManagement`")]
pub enum Request {
    /// The first request of a connection.
    Hello { version: u32 },
    /// Whether the process is well, and which versions it has.
    Health,
    /// The sealing keys that processes hold themselves.
    Keyring,
    /// A fresh signing key.
    Create { r#use: Use, algorithm: String },
    /// Wraps a key.
    Wrap { r#use: Use, id: String, key: SecretBytes },
    /// Unwraps a key.
    Unwrap { r#use: Use, id: String, wrapped: SecretBytes },
    /// Wraps a key again, under the version of the root that seals now.
    Rewrap { r#use: Use, id: String, wrapped: SecretBytes },
    /// Signs with a wrapped key.
    Sign { r#use: Use, id: String, algorithm: String, wrapped: SecretBytes, message: SecretBytes },
    /// An authentication code (RFC 2104) of a message by the key of a use.
    Hmac { r#use: Use, message: SecretBytes },
    /// The named secret.
    Secret { name: String },
}

/// A [`KeyUse`] as it travels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Use {
    purpose: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tenant: Option<String>,
}

/// What `svc-kms` answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// To `hello`: the version that will be spoken.
    Hello(u32),
    /// To `health`.
    Well(Vec<Fingerprint>),
    /// To `keyring`.
    Keyring(Vec<HandedOut>),
    /// To `create`: the id, the private key in PKCS #8, and the same wrapped.
    Created(String, SecretBytes, SecretBytes),
    /// To `create`, where signing keys stay: the public key, and the private one wrapped.
    Kept(Value, SecretBytes),
    /// To `wrap`, `unwrap`, `rewrap`, `sign` and `hmac`.
    Bytes(SecretBytes),
    /// To `unwrap`: the key stays here, and signs by `sign`.
    Stays,
    /// To `secret`: nothing where none has this name.
    Secret(Option<Zeroizing<String>>),
    /// The request cannot be met, and why.
    Refused(String),
}

impl From<KeyUse> for Use {
    fn from(of: KeyUse) -> Self {
        Self { purpose: of.purpose.name().to_owned(), tenant: of.tenant.map(|tenant| tenant.to_string()) }
    }
}

impl TryFrom<Use> for KeyUse {
    type Error = Error;

    fn try_from(of: Use) -> Result<Self> {
        let purpose = Purpose::from_name(&of.purpose);
        let purpose = purpose.ok_or_else(|| {
            Error::bad_request(format!("use.purpose: this svc-kms knows no keys of {:?}", of.purpose))
        })?;
        let tenant = of.tenant.map(|tenant| tenant.parse()).transpose();
        let tenant = tenant.map_err(|_| Error::bad_request("use.tenant must be the id of a tenant"))?;
        Ok(Self { purpose, tenant })
    }
}

impl Request {
    /// The algorithm of this name.
    pub fn algorithm(name: &str) -> Result<Algorithm> {
        let algorithm = Algorithm::from_name(name);
        algorithm.ok_or_else(|| Error::bad_request(format!("algorithm: this svc-kms does not know {name:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_form_that_is_written_down() {
        let of = Use { purpose: "signing keys".to_owned(), tenant: None };
        let call = Call(7, Request::Wrap { r#use: of, id: "kid".to_owned(), key: vec![1].into() });
        let text = r#"[7,{"do":"wrap","use":{"purpose":"signing keys"},"id":"kid","key":"AQ"}]"#;
        assert_eq!(serde_json::to_string(&call).unwrap(), text);
        let Call(7, Request::Wrap { id, key, .. }) = serde_json::from_str(text).unwrap() else { panic!() };
        assert_eq!((id.as_str(), &key[..]), ("kid", &[1][..]));
        let reply = Reply(7, Answer::Refused("no".to_owned()));
        assert_eq!(serde_json::to_string(&reply).unwrap(), r#"[7,{"refused":"no"}]"#);
    }

    #[test]
    fn a_message_that_is_not_of_this_version_is_no_message() {
        for text in [r#"[1,{"do":"melt"}]"#, r#"[1,{"do":"hello","version":1,"more":1}]"#, "[1]", "{}"] {
            assert!(serde_json::from_str::<Call>(text).is_err(), "{text}");
        }
    }
}
