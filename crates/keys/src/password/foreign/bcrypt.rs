//! bcrypt: `$2a$`, `$2b$` and `$2y$`, and Django's `bcrypt_sha256$`, which hashes the password before.

use base64::Engine as _;
use base64::alphabet;
use svc_core::{Error, Result};

use super::{Scheme, lenient};
use crate::{constant_time_eq, hex, sha256};

/// Above it, one guess takes more than a second.
const MOST_COST: u32 = 14;
const LEAST_COST: u32 = 4;
/// bcrypt sees no more of a password, and no byte after it.
const SEEN: usize = 72;

struct Bcrypt {
    cost: u32,
    salt: [u8; 16],
    tag: Vec<u8>,
    is_prehashed: bool,
}

pub(super) fn read(text: &str) -> Option<Box<dyn Scheme>> {
    Some(Box::new(parse(text, false)?))
}

pub(super) fn read_prehashed(text: &str) -> Option<Box<dyn Scheme>> {
    Some(Box::new(parse(text.strip_prefix("bcrypt_sha256$")?, true)?))
}

fn parse(text: &str, is_prehashed: bool) -> Option<Bcrypt> {
    let rest = ["$2a$", "$2b$", "$2y$"].iter().find_map(|prefix| text.strip_prefix(prefix))?;
    let (cost, rest) = rest.split_once('$')?;
    let (salt, tag) = rest.split_at_checked(22)?;
    let letters = lenient(&alphabet::BCRYPT);
    let tag = letters.decode(tag).ok().filter(|tag| tag.len() == 23)?;
    let cost = cost.parse().ok().filter(|cost| (LEAST_COST..=31).contains(cost))?;
    Some(Bcrypt { cost, salt: letters.decode(salt).ok()?.try_into().ok()?, tag, is_prehashed })
}

impl Scheme for Bcrypt {
    fn is_affordable(&self) -> bool {
        self.cost <= MOST_COST
    }

    fn verifies(&self, password: &[u8]) -> Result<bool> {
        let prehashed = hex(sha256(password));
        let password = if self.is_prehashed { prehashed.as_bytes() } else { password };
        // Every implementation reads up to the zero byte that ends the password.
        let seen: Vec<u8> = password.iter().copied().chain([0]).take(SEEN).collect();
        if seen.is_empty() {
            return Err(Error::internal("bcrypt needs a byte"));
        }
        let tag = bcrypt::bcrypt(self.cost, self.salt, &seen);
        Ok(tag.get(..23).is_some_and(|tag| constant_time_eq(tag, &self.tag)))
    }
}
