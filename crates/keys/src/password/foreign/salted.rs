//! One digest of salt and password: LDAP's `{SSHA}` and its kin, and what Django once wrote as `sha1$…` and `md5$…`.
//!
//! These are weak: a list of them is guessed through in hours. They are accepted because people with such a password are
//! better off with ours after their next sign-in.

use aws_lc_rs::digest::{self, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA384, SHA512};
use md5::{Digest as _, Md5};
use svc_core::Result;

use super::{Scheme, base64, from_hex};
use crate::constant_time_eq;

#[derive(Clone, Copy)]
enum Algorithm {
    Md5,
    Sha(&'static digest::Algorithm),
}

struct Salted {
    algorithm: Algorithm,
    before: Vec<u8>,
    after: Vec<u8>,
    tag: Vec<u8>,
}

pub(super) fn read(text: &str) -> Option<Box<dyn Scheme>> {
    let parsed = if text.starts_with('{') { ldap(text) } else { django(text) }?;
    Some(Box::new(parsed))
}

/// RFC 2307 §5.3: the digest, and behind it the salt of those that have one.
fn ldap(text: &str) -> Option<Salted> {
    let (name, rest) = text.strip_prefix('{')?.split_once('}')?;
    let (algorithm, is_salted) = match name.to_ascii_uppercase().as_str() {
        "MD5" => (Algorithm::Md5, false),
        "SMD5" => (Algorithm::Md5, true),
        "SHA" => (Algorithm::Sha(&SHA1_FOR_LEGACY_USE_ONLY), false),
        "SSHA" => (Algorithm::Sha(&SHA1_FOR_LEGACY_USE_ONLY), true),
        "SHA256" => (Algorithm::Sha(&SHA256), false),
        "SSHA256" => (Algorithm::Sha(&SHA256), true),
        "SHA384" => (Algorithm::Sha(&SHA384), false),
        "SSHA384" => (Algorithm::Sha(&SHA384), true),
        "SHA512" => (Algorithm::Sha(&SHA512), false),
        "SSHA512" => (Algorithm::Sha(&SHA512), true),
        _ => return None,
    };
    let mut tag = base64(rest)?;
    let length = algorithm.length();
    let after = (tag.len() >= length).then(|| tag.split_off(length))?;
    (after.is_empty() != is_salted).then_some(Salted { algorithm, before: Vec::new(), after, tag })
}

/// The salt as text, before the password.
fn django(text: &str) -> Option<Salted> {
    let [name, salt, tag] = text.split('$').collect::<Vec<_>>().try_into().ok()?;
    let algorithm = match name {
        "md5" => Algorithm::Md5,
        "sha1" => Algorithm::Sha(&SHA1_FOR_LEGACY_USE_ONLY),
        _ => return None,
    };
    let tag = from_hex(tag).filter(|tag| tag.len() == algorithm.length())?;
    Some(Salted { algorithm, before: salt.as_bytes().to_vec(), after: Vec::new(), tag })
}

impl Algorithm {
    fn length(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha(algorithm) => algorithm.output_len(),
        }
    }

    fn hash(self, parts: [&[u8]; 3]) -> Vec<u8> {
        match self {
            Self::Md5 => Md5::digest(parts.concat()).to_vec(),
            Self::Sha(algorithm) => digest::digest(algorithm, &parts.concat()).as_ref().to_vec(),
        }
    }
}

impl Scheme for Salted {
    fn is_affordable(&self) -> bool {
        true
    }

    fn verifies(&self, password: &[u8]) -> Result<bool> {
        let tag = self.algorithm.hash([&self.before, password, &self.after]);
        Ok(constant_time_eq(&tag, &self.tag))
    }
}
