//! Password hashes that other systems made: each verifies once, at the first sign-in, and is then replaced by our own.
//!
//! A format is a file: how its text is read, what it costs, and whether a password is the right one. None is ever written for a
//! new password. What would cost more than about a second or 256 MiB is refused, as the tenant that chooses the cost of a hash could
//! otherwise make each wrong guess expensive for everybody.

mod bcrypt;
mod convert;
mod crypt;
mod pbkdf2;
mod salted;
mod scrypt;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use svc_core::{Error, Result};

pub use self::convert::{Firebase, keycloak};
use super::recipe::{Recipe, Stored};
use crate::encoding::from_hex;

/// Longest text of a hash.
const LONGEST: usize = 1024;

/// A hash that is not ours, taken apart.
pub(super) trait Scheme: Send {
    /// Whether it costs no more than is allowed.
    fn is_affordable(&self) -> bool;

    /// Whether the password is the one that it was made of.
    fn verifies(&self, password: &[u8]) -> Result<bool>;
}

/// Reads a text of one format; `None` for a text of another.
type Reader = fn(&str) -> Option<Box<dyn Scheme>>;

/// Every format.
const READERS: &[Reader] =
    &[bcrypt::read, bcrypt::read_prehashed, pbkdf2::read, scrypt::read, crypt::read, salted::read];

/// A password hash of another system in the form in which it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct ForeignHash(String);

impl ForeignHash {
    /// Reads a hash that says itself what it was made by: PHC strings, modular crypt, LDAP and Django. `bad_request` for
    /// one that is of no known format or malformed, or that would cost too much.
    pub fn parse(text: &str) -> Result<Self> {
        let text = normal(text);
        if text.len() > LONGEST {
            return Err(unsupported("the text is too long"));
        }
        if text.starts_with("$argon2") {
            return if Recipe::is_importable(&text) { Ok(Self(text)) } else { Err(unsupported(FORM)) };
        }
        match read(&text) {
            Some(scheme) if scheme.is_affordable() => Ok(Self(text)),
            Some(_) => Err(unsupported("verifying it would cost too much time or memory")),
            None => Err(unsupported(FORM)),
        }
    }

    /// The text to store.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const FORM: &str = "the format is unknown, the text is malformed, or it would cost too much";

/// A stored text that is not Argon2.
pub(super) fn read(text: &str) -> Option<Box<dyn Scheme>> {
    READERS.iter().find_map(|read| read(text))
}

/// Whether a stored text was made by us or by a library of the same format.
pub(super) fn is_argon2(text: &str) -> bool {
    text.starts_with("$argon2") && Stored::is_readable(text)
}

/// Takes away what systems write before a text that says itself what it is.
fn normal(text: &str) -> String {
    let text = text.trim();
    let text = ["{CRYPT}", "{crypt}", "bcrypt$", "argon2$", "{ARGON2}", "{BCRYPT}", "{bcrypt}"]
        .iter()
        .find_map(|prefix| {
            text.strip_prefix(prefix).filter(|rest| rest.starts_with('$') || *prefix == "argon2$")
        })
        .unwrap_or(text);
    // Django writes `argon2$argon2id$…`.
    if text.starts_with("argon2") && !text.starts_with("argon2$") {
        format!("${text}")
    } else {
        text.to_owned()
    }
}

fn unsupported(why: &str) -> Error {
    Error::bad_request(format!("password_hash: unsupported; {why}"))
}

/// Base64 as the many systems write it: either alphabet, `.` for `+`, with or without padding.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text: String = text
        .trim_end_matches('=')
        .chars()
        .map(|letter| match letter {
            '-' | '.' => '+',
            '_' => '/',
            other => other,
        })
        .collect();
    lenient(&alphabet::STANDARD).decode(text).ok()
}

/// Writes base64 as PHC strings have it.
fn unpadded(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD_NO_PAD.encode(bytes)
}

/// Some libraries leave bits in the last letter that mean nothing.
const fn lenient(alphabet: &alphabet::Alphabet) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, config)
}

/// The parameters of a PHC string, such as `i=1000,l=32`.
fn parameter(parameters: &str, name: &str) -> Option<u32> {
    parameters.split(',').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

#[cfg(test)]
mod tests;
