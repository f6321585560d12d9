//! The compact serialization of a signed token (RFC 7515 §7.1), parsed strictly before it is believed.

use serde_json::{Map, Value};
use svc_core::{Error, Result, json};

use super::{Algorithm, Claims, DEEPEST, PublicKey};
use crate::from_base64url;

/// The longest token that is looked at, in bytes.
pub const LONGEST_TOKEN: usize = 16 * 1024;
/// The longest key id that is looked at, in bytes.
pub const LONGEST_KID: usize = 128;

/// Header members that would let a token bring its own key, or ask for processing that we do not do.
const FORBIDDEN: &[&str] = &["crit", "jwk", "jku", "x5u", "x5c"];
/// Those of them that no one may use; the others say where the key is published, or who certifies it.
const FORBIDDEN_TO_ALL: &[&str] = &["crit", "jwk"];

/// A well-formed signed token; nothing in it is verified yet.
#[derive(Debug)]
pub struct Jws<'a> {
    algorithm: Algorithm,
    kid: Option<String>,
    typ: Option<String>,
    signing_input: &'a str,
    payload: &'a str,
    signature: Vec<u8>,
}

impl<'a> Jws<'a> {
    /// Parses `token`, whose `alg` has to be one of `allowed`.
    pub fn parse(token: &'a str, allowed: &[Algorithm]) -> Result<Self> {
        let parts = Parts::of(token)?;
        Self::build(&parts, parts.read_header()?, (allowed, FORBIDDEN))
    }

    /// Parses a token of a provider, of which some name the address or the certificate of their key too. Neither is looked at: the
    /// key is one of those that the provider is known by.
    pub fn parse_of_provider(token: &'a str, allowed: &[Algorithm]) -> Result<Self> {
        let parts = Parts::of(token)?;
        Self::build(&parts, parts.read_header()?, (allowed, FORBIDDEN_TO_ALL))
    }

    /// Parses a token of type `typ` that brings the public key which verifies it.
    ///
    /// Such a token shows that its sender holds that key, and nothing about who they are: a DPoP proof is one, and
    /// no other kind is read like this.
    pub(crate) fn parse_with_key(
        token: &'a str,
        typ: &str,
        allowed: &[Algorithm],
    ) -> Result<(Self, PublicKey)> {
        let parts = Parts::of(token)?;
        let mut header = parts.read_header()?;
        let jwk = header.remove("jwk").ok_or_else(|| malformed("brings no key"))?;
        let jws = Self::build(&parts, header, (allowed, FORBIDDEN))?;
        if !jws.is_typ(typ) {
            return Err(malformed("is of another type"));
        }
        Ok((jws, PublicKey::from_jwk(&jwk)?))
    }

    fn build(
        parts: &Parts<'a>,
        mut header: Map<String, Value>,
        (allowed, forbidden): (&[Algorithm], &[&str]),
    ) -> Result<Self> {
        if header.keys().any(|name| forbidden.contains(&name.as_str())) {
            return Err(malformed("has a header member that is not allowed"));
        }
        Ok(Self {
            algorithm: algorithm(&header, allowed)?,
            kid: text(&mut header, "kid")?.filter(|kid| !kid.is_empty()),
            typ: text(&mut header, "typ")?,
            signing_input: parts.signing_input,
            payload: parts.payload,
            signature: parts.read_signature()?,
        })
    }

    /// The algorithm that the header names, one of those allowed.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The id of the key that is said to have signed.
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// Whether the header says `typ`: in any letter case, `application/` is optional (RFC 7515 §4.1.9).
    pub fn is_typ(&self, typ: &str) -> bool {
        self.typ.as_deref().is_some_and(|own| {
            let (tree, name) = own.split_at_checked("application/".len()).unwrap_or_default();
            let short = if tree.eq_ignore_ascii_case("application/") { name } else { own };
            short.eq_ignore_ascii_case(typ)
        })
    }

    /// Whether the header says one of these types, or no type at all: older kinds of token have none.
    pub fn is_untyped_or(&self, types: &[&str]) -> bool {
        self.typ.is_none() || types.iter().any(|typ| self.is_typ(typ))
    }

    /// Verifies the signature and only then reads the claims.
    pub fn verify(&self, key: &PublicKey) -> Result<Claims> {
        key.verify(self.algorithm, self.signing_input.as_bytes(), &self.signature)?;
        self.unverified_claims()
    }

    /// What the token claims, true or not: only to find out whose key to verify with.
    pub fn unverified_claims(&self) -> Result<Claims> {
        Claims::parse(&payload(self.payload)?)
    }
}

/// The three parts of a token, still encoded.
pub(super) struct Parts<'a> {
    pub header: &'a str,
    pub signing_input: &'a str,
    payload: &'a str,
    signature: &'a str,
}

impl<'a> Parts<'a> {
    pub fn of(token: &'a str) -> Result<Self> {
        if token.len() > LONGEST_TOKEN {
            return Err(malformed("is longer than 16 KiB"));
        }
        let (signing_input, signature) = token.rsplit_once('.').ok_or_else(|| malformed("is not a JWT"))?;
        let (header, payload) = signing_input.split_once('.').ok_or_else(|| malformed("is not a JWT"))?;
        if payload.contains('.') {
            return Err(malformed("is not a JWT"));
        }
        Ok(Self { header, signing_input, payload, signature })
    }

    fn read_header(&self) -> Result<Map<String, Value>> {
        from_base64url(self.header)
            .and_then(|bytes| json::object(&bytes, DEEPEST).ok())
            .ok_or_else(|| malformed("has a malformed header"))
    }

    pub fn read_payload(&self) -> Result<Vec<u8>> {
        payload(self.payload)
    }

    pub fn read_signature(&self) -> Result<Vec<u8>> {
        from_base64url(self.signature).ok_or_else(|| malformed("has a malformed signature"))
    }
}

fn payload(encoded: &str) -> Result<Vec<u8>> {
    from_base64url(encoded).ok_or_else(|| malformed("has a malformed payload"))
}

fn algorithm(header: &Map<String, Value>, allowed: &[Algorithm]) -> Result<Algorithm> {
    let name = header.get("alg").and_then(Value::as_str);
    name.and_then(Algorithm::from_name)
        .filter(|algorithm| allowed.contains(algorithm))
        .ok_or_else(|| malformed("is signed with an algorithm that is not allowed"))
}

fn text(header: &mut Map<String, Value>, name: &str) -> Result<Option<String>> {
    match header.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) if text.len() <= LONGEST_KID => Ok(Some(text)),
        Some(_) => Err(malformed("has a malformed header")),
    }
}

#[track_caller]
fn malformed(how: &str) -> Error {
    Error::invalid_token(format!("the token {how}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base64url;

    fn token(header: &str) -> String {
        format!("{}.{}.{}", base64url(header), base64url("{}"), base64url([1; 64]))
    }

    #[test]
    fn a_type_is_compared_as_a_media_type() {
        let is = |header: &str| Jws::parse(&token(header), Algorithm::ALL).unwrap().is_typ("at+jwt");
        assert!(is(r#"{"alg":"ES256","typ":"at+jwt"}"#));
        assert!(is(r#"{"alg":"ES256","typ":"AT+JWT"}"#));
        assert!(is(r#"{"alg":"ES256","typ":"Application/at+jwt"}"#));
        assert!(!is(r#"{"alg":"ES256","typ":"JWT"}"#));
        assert!(!is(r#"{"alg":"ES256","typ":"text/at+jwt"}"#));
        assert!(!is(r#"{"alg":"ES256","typ":"application/ät+jwt"}"#));
        assert!(!is(r#"{"alg":"ES256"}"#));
    }

    #[test]
    fn a_provider_may_say_where_its_key_is_but_brings_none_and_asks_for_no_extension() {
        for (member, is_taken) in
            [("jku", true), ("x5u", true), ("x5c", true), ("jwk", false), ("crit", false)]
        {
            let token = token(&format!(r#"{{"alg":"ES256","{member}":["x"]}}"#));
            assert!(Jws::parse(&token, Algorithm::ALL).is_err(), "{member}");
            assert_eq!(Jws::parse_of_provider(&token, Algorithm::ALL).is_ok(), is_taken, "{member}");
        }
    }

    #[test]
    fn every_part_count_but_three_is_refused() {
        let whole = token(r#"{"alg":"ES256"}"#);
        assert!(Jws::parse(&whole, Algorithm::ALL).is_ok());
        let parts: Vec<&str> = whole.split('.').collect();
        for bad in
            [parts[..1].join("."), parts[..2].join("."), format!("{whole}.{}", parts[2]), format!("{whole}.")]
        {
            assert!(Jws::parse(&bad, Algorithm::ALL).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_key_id_is_a_short_string() {
        let of = |kid: &str| {
            Jws::parse(&token(&format!(r#"{{"alg":"ES256","kid":{kid}}}"#)), Algorithm::ALL).map(|_| ())
        };
        assert!(of(&format!("\"{}\"", "k".repeat(LONGEST_KID))).is_ok());
        for bad in [format!("\"{}\"", "k".repeat(LONGEST_KID + 1)), "1".into(), "null".into(), "[]".into()] {
            assert!(of(&bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,300}", header in "\\PC{0,100}", payload: Vec<u8>) {
            let _ = Jws::parse(&text, Algorithm::ALL);
            let wrapped = format!("{}.{}.AAAA", base64url(header), base64url(&payload));
            let _ = Jws::parse(&wrapped, Algorithm::ALL);
            let fair = format!("{}.{}.AAAA", base64url(r#"{"alg":"ES256"}"#), base64url(&payload));
            let _ = Jws::parse(&fair, Algorithm::ALL).unwrap().unverified_claims();
        }
    }
}
