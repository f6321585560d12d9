//! scrypt (RFC 7914) as PHC strings and Django's `scrypt$…`, and Firebase's form of it, which encrypts a key of the project.

use aws_lc_rs::cipher::{AES_256, EncryptingKey, EncryptionContext, UnboundCipherKey};
use aws_lc_rs::iv::FixedLength;
use scrypt::Params;
use svc_core::{OrInternal as _, Result};

use super::{Scheme, base64, parameter};
use crate::constant_time_eq;

/// `N * r * p`: 128 bytes each for one lane, and about half a second.
const MOST_WORK: u64 = 1 << 21;
const MOST_LOG_N: u8 = 20;
const SHORTEST_TAG: usize = 16;
const LONGEST_TAG: usize = 128;
/// The name of Firebase's form.
pub(super) const FIREBASE: &str = "firebase-scrypt";

struct Cost {
    log_n: u8,
    r: u32,
    p: u32,
}

struct Scrypt {
    cost: Cost,
    salt: Vec<u8>,
    tag: Vec<u8>,
}

struct Firebase {
    cost: Cost,
    /// The salt of the person, and the separator of the project behind it.
    salt: Vec<u8>,
    signer_key: Vec<u8>,
    tag: Vec<u8>,
}

pub(super) fn read(text: &str) -> Option<Box<dyn Scheme>> {
    let parts: Vec<_> = text.split('$').collect();
    match *parts.as_slice() {
        ["", "scrypt", cost, salt, tag] => sound(Cost::of_phc(cost)?, base64(salt)?, base64(tag)?),
        ["scrypt", n, salt, r, p, tag] => {
            sound(Cost::of_django(n, r, p)?, salt.as_bytes().to_vec(), base64(tag)?)
        }
        ["", FIREBASE, cost, salt, separator, signer_key, tag] => {
            let salt = [base64(salt)?, base64(separator)?].concat();
            let (signer_key, tag) = (base64(signer_key)?, base64(tag)?);
            let is_sound = (SHORTEST_TAG..=LONGEST_TAG).contains(&tag.len()) && tag.len() == signer_key.len();
            is_sound.then_some(Box::new(Firebase { cost: Cost::of_phc(cost)?, salt, signer_key, tag }))
        }
        _ => None,
    }
}

fn sound(cost: Cost, salt: Vec<u8>, tag: Vec<u8>) -> Option<Box<dyn Scheme>> {
    (SHORTEST_TAG..=LONGEST_TAG).contains(&tag.len()).then_some(Box::new(Scrypt { cost, salt, tag }))
}

impl Cost {
    fn of_phc(text: &str) -> Option<Self> {
        let log_n = u8::try_from(parameter(text, "ln")?).ok()?;
        Some(Self { log_n, r: parameter(text, "r")?, p: parameter(text, "p").unwrap_or(1) })
    }

    fn of_django(n: &str, r: &str, p: &str) -> Option<Self> {
        let n: u64 = n.parse().ok()?;
        let log_n = n.is_power_of_two().then(|| n.trailing_zeros())?;
        Some(Self { log_n: u8::try_from(log_n).ok()?, r: r.parse().ok()?, p: p.parse().ok()? })
    }

    fn is_affordable(&self) -> bool {
        let lanes = u64::from(self.r).saturating_mul(u64::from(self.p));
        (1..=MOST_LOG_N).contains(&self.log_n)
            && (1..=MOST_WORK).contains(&lanes)
            && (lanes << self.log_n) <= MOST_WORK
    }

    fn derive(&self, password: &[u8], salt: &[u8], out: &mut [u8]) -> Result<()> {
        let params = Params::new(self.log_n, self.r, self.p).or_internal()?;
        scrypt::scrypt(password, salt, &params, out).or_internal()
    }
}

impl Scheme for Scrypt {
    fn is_affordable(&self) -> bool {
        self.cost.is_affordable()
    }

    fn verifies(&self, password: &[u8]) -> Result<bool> {
        let mut tag = vec![0; self.tag.len()];
        self.cost.derive(password, &self.salt, &mut tag)?;
        Ok(constant_time_eq(&tag, &self.tag))
    }
}

impl Scheme for Firebase {
    fn is_affordable(&self) -> bool {
        self.cost.is_affordable()
    }

    /// What was derived of the password is an AES key, and the tag is the signer key under it, in counter mode.
    fn verifies(&self, password: &[u8]) -> Result<bool> {
        let mut key = [0; 32];
        self.cost.derive(password, &self.salt, &mut key)?;
        let key = EncryptingKey::ctr(UnboundCipherKey::new(&AES_256, &key).or_internal()?).or_internal()?;
        let mut tag = self.signer_key.clone();
        let counter = EncryptionContext::Iv128(FixedLength::from([0; 16]));
        key.less_safe_encrypt(&mut tag, counter).or_internal()?;
        Ok(constant_time_eq(&tag, &self.tag))
    }
}
