//! What the tokens of one key begin with, encoded once (RFC 7515 §7.1).

use serde_json::json;
use svc_core::{Error, Result};

use super::{Algorithm, PublicKey, Typ};
use crate::base64url;
use crate::encoding::{append_base64url, base64url_len};

/// The id of a key, its algorithm, and for each type that it signs the encoded header with its dot, the same for every token.
pub(super) struct Heading {
    kid: String,
    algorithm: Algorithm,
    signature_len: usize,
    headers: Vec<(Typ, String)>,
}

impl Heading {
    pub fn of(algorithm: Algorithm, public: &PublicKey) -> Self {
        Self::named(public.thumbprint(), algorithm, public)
    }

    pub fn named(kid: String, algorithm: Algorithm, public: &PublicKey) -> Self {
        let signs = |typ: &&Typ| typ.algorithms().contains(&algorithm);
        let headers = Typ::ALL.iter().filter(signs).map(|&typ| (typ, header(algorithm, typ, &kid))).collect();
        Self { kid, algorithm, signature_len: public.signature_len(), headers }
    }

    pub fn kid(&self) -> &str {
        &self.kid
    }

    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Whether `header` is, letter for letter, how the key's tokens of this type begin.
    pub fn is_of(&self, typ: Typ, header: &str) -> bool {
        self.headers.iter().any(|(own, text)| *own == typ && text.strip_suffix('.') == Some(header))
    }

    /// What is signed, with room for the signature.
    pub fn begin(&self, typ: Typ, payload: &[u8]) -> Result<String> {
        let header = self.headers.iter().find(|(own, _)| *own == typ).map(|(_, header)| header);
        let header = header
            .ok_or_else(|| Error::internal(format!("{} never signs {}", self.algorithm, typ.name())))?;
        let body = header.len() + base64url_len(payload.len());
        let mut unsigned = String::with_capacity(body + 1 + base64url_len(self.signature_len));
        unsigned.push_str(header);
        append_base64url(payload, &mut unsigned);
        Ok(unsigned)
    }

    /// The token.
    pub fn end(mut unsigned: String, signature: &[u8]) -> String {
        unsigned.push('.');
        append_base64url(signature, &mut unsigned);
        unsigned
    }
}

fn header(algorithm: Algorithm, typ: Typ, kid: &str) -> String {
    let header = json!({"typ": typ.name(), "alg": algorithm.name(), "kid": kid});
    let mut encoded = base64url(header.to_string());
    encoded.push('.');
    encoded
}
