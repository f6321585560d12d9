//! PBKDF2 (RFC 8018 §5.2) as PHC strings, passlib's `$pbkdf2-sha256$29000$…` and Django's `pbkdf2_sha256$…` write it.

use std::num::NonZeroU32;

use aws_lc_rs::pbkdf2::{
    Algorithm, PBKDF2_HMAC_SHA1, PBKDF2_HMAC_SHA256, PBKDF2_HMAC_SHA384, PBKDF2_HMAC_SHA512, verify,
};
use svc_core::Result;

use super::{Scheme, base64, parameter};

/// More iterations take longer than a second.
const MOST_ITERATIONS: u32 = 2_500_000;
const SHORTEST_TAG: usize = 16;
const LONGEST_TAG: usize = 512;

pub(super) struct Pbkdf2 {
    algorithm: Algorithm,
    /// How many bytes each run of the iterations yields.
    block: usize,
    iterations: NonZeroU32,
    salt: Vec<u8>,
    /// What the first run yields: each block of the output is made of the password by itself, and one tells passwords apart.
    tag: Vec<u8>,
}

pub(super) fn read(text: &str) -> Option<Box<dyn Scheme>> {
    let mut parsed = match text.strip_prefix('$') {
        Some(phc) => phc_string(phc),
        None => django(text),
    }?;
    let is_sound = (SHORTEST_TAG..=LONGEST_TAG).contains(&parsed.tag.len());
    parsed.tag.truncate(parsed.block);
    is_sound.then(|| Box::new(parsed) as Box<dyn Scheme>)
}

/// The name of a digest in PHC strings, such as `pbkdf2-sha256`.
fn algorithm(name: &str) -> Option<(Algorithm, usize)> {
    match name {
        "pbkdf2" | "pbkdf2-sha1" | "pbkdf2_sha1" => Some((PBKDF2_HMAC_SHA1, 20)),
        "pbkdf2-sha256" | "pbkdf2_sha256" => Some((PBKDF2_HMAC_SHA256, 32)),
        "pbkdf2-sha384" | "pbkdf2_sha384" => Some((PBKDF2_HMAC_SHA384, 48)),
        "pbkdf2-sha512" | "pbkdf2_sha512" => Some((PBKDF2_HMAC_SHA512, 64)),
        _ => None,
    }
}

fn phc_string(text: &str) -> Option<Pbkdf2> {
    let [name, cost, salt, tag] = text.split('$').collect::<Vec<_>>().try_into().ok()?;
    let (algorithm, block) = algorithm(name)?;
    let iterations = parameter(cost, "i").or_else(|| cost.parse().ok())?;
    let iterations = NonZeroU32::new(iterations)?;
    Some(Pbkdf2 { algorithm, block, iterations, salt: base64(salt)?, tag: base64(tag)? })
}

fn django(text: &str) -> Option<Pbkdf2> {
    let [name, iterations, salt, tag] = text.split('$').collect::<Vec<_>>().try_into().ok()?;
    let (algorithm, block) = algorithm(name)?;
    let iterations = NonZeroU32::new(iterations.parse().ok()?)?;
    Some(Pbkdf2 { algorithm, block, iterations, salt: salt.as_bytes().to_vec(), tag: base64(tag)? })
}

impl Scheme for Pbkdf2 {
    fn is_affordable(&self) -> bool {
        self.iterations.get() <= MOST_ITERATIONS
    }

    fn verifies(&self, password: &[u8]) -> Result<bool> {
        Ok(verify(self.algorithm, self.iterations, &self.salt, password, &self.tag).is_ok())
    }
}
