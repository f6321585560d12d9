//! Compact JSON Web Signatures and the claims in them (RFC 7515, RFC 7519).

use serde_json::{Map, Value};

use crate::{PublicKey, from_base64url};

const LONGEST_TOKEN: usize = 16 * 1024;
const LARGEST_INTEGER: i64 = 1 << 53;
/// The same among numbers with a fraction.
const LARGEST_FRACTION: f64 = 9_007_199_254_740_992.0;

/// The members of a verified token.
#[derive(Clone, Debug, PartialEq)]
pub struct Claims(pub(crate) Map<String, Value>);

impl Claims {
    /// A claim as it stands.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A claim that is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.member(name)?.as_str()
    }

    /// Whom the token is about; empty where it does not say.
    pub fn subject(&self) -> &str {
        self.text("sub").unwrap_or_default()
    }

    /// Whether the token grants this scope, whole and in this spelling.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.text("scope")
            .is_some_and(|granted| granted.split(' ').any(|one| one == scope && !one.is_empty()))
    }

    /// All claims.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }

    /// Whether the token is bound to a key, so that it comes as DPoP (RFC 9449 §6).
    #[cfg(feature = "tower")]
    pub(crate) fn is_bound(&self) -> bool {
        self.member("cnf").is_some_and(|confirmation| confirmation["jkt"].is_string())
    }

    pub(crate) fn has_audience(&self, audience: &str) -> bool {
        match self.member("aud") {
            Some(Value::String(one)) => one == audience,
            Some(Value::Array(many)) => many.iter().any(|one| one == audience),
            _ => false,
        }
    }

    /// A `NumericDate`, of which a fraction is dropped (RFC 7519 §2), or an error.
    pub(crate) fn time(&self, name: &str) -> Result<Option<i64>, ()> {
        let Some(value) = self.member(name) else { return Ok(None) };
        let secs = value.as_i64().or_else(|| whole_secs(value));
        secs.filter(|secs| (0..=LARGEST_INTEGER).contains(secs)).map(Some).ok_or(())
    }
}

/// The seconds of a number with a fraction, rounded down.
fn whole_secs(value: &Value) -> Option<i64> {
    let secs = value.as_f64().filter(|secs| (0.0..LARGEST_FRACTION).contains(secs))?;
    secs.floor().to_string().parse().ok()
}

/// A compact token whose signature is not verified yet (RFC 7515 §7.1).
pub(crate) struct Jws<'a> {
    pub header: Map<String, Value>,
    input: &'a str,
    payload: &'a str,
    signature: Vec<u8>,
}

impl<'a> Jws<'a> {
    pub fn parse(token: &'a str) -> Option<Self> {
        if token.len() > LONGEST_TOKEN {
            return None;
        }
        let (input, signature) = token.rsplit_once('.')?;
        let (header, payload) = input.split_once('.').filter(|(_, payload)| !payload.contains('.'))?;
        let header = object(header)?;
        if ["crit", "jku", "x5u", "x5c"].iter().any(|name| header.contains_key(*name)) {
            return None;
        }
        let is_text = |name: &&str| header.get(*name).is_none_or(Value::is_string);
        let signature = from_base64url(signature)?;
        ["alg", "kid", "typ"].iter().all(is_text).then_some(Self { header, input, payload, signature })
    }

    pub fn text(&self, name: &str) -> &str {
        self.header.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Compares media types: in any letter case, `application/` is optional (RFC 7515 §4.1.9).
    pub fn is_typ(&self, typ: &str) -> bool {
        let own = self.text("typ").to_ascii_lowercase();
        own.strip_prefix("application/").unwrap_or(&own).eq_ignore_ascii_case(typ)
    }

    /// Verifies the signature and only then reads the claims.
    pub fn verify(&self, key: &PublicKey) -> Option<Claims> {
        key.verifies(self.input.as_bytes(), &self.signature)
            .then(|| object(self.payload).map(Claims))
            .flatten()
    }
}

fn object(part: &str) -> Option<Map<String, Value>> {
    let text = from_base64url(part)?;
    let object = serde_json::from_slice(&text).ok()?;
    // Readers differ in which of two members of one name counts (RFC 8259 §4).
    let has_twins = members(&object) != colons(&text);
    if has_twins { None } else { Some(object) }
}

/// How many members an object has, at every depth.
fn members(object: &Map<String, Value>) -> usize {
    object.len() + object.values().map(inner_members).sum::<usize>()
}

fn inner_members(value: &Value) -> usize {
    match value {
        Value::Object(object) => members(object),
        Value::Array(elements) => elements.iter().map(inner_members).sum(),
        _ => 0,
    }
}

/// How many colons well-formed JSON has outside of strings: one for each member.
fn colons(text: &[u8]) -> usize {
    let (mut count, mut in_string, mut is_escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'"' => in_string = !in_string,
            b'\\' => is_escaped = in_string,
            b':' if !in_string => count += 1,
            _ => {}
        }
    }
    count
}
