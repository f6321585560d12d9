//! What `crypt(3)` of Unix writes: MD5-crypt `$1$`, which Apache's `htpasswd` calls `$apr1$`, and SHA-crypt `$5$` and `$6$`.

use md5::{Digest as _, Md5};
use sha_crypt::{PasswordVerifier as _, ShaCrypt};
use svc_core::Result;

use super::Scheme;
use crate::constant_time_eq;

/// The rounds of SHA-crypt where its text says none, and the most; more take longer than a second.
const ROUNDS: u32 = 5_000;
const MOST_ROUNDS: u32 = 700_000;
const LEAST_ROUNDS: u32 = 1_000;
/// Longer passwords are wrong: the work of a round grows with them, and no system of these took longer ones.
const LONGEST_PASSWORD: usize = 256;
/// The letters of six bits each.
const LETTERS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

struct Sha {
    text: String,
    rounds: u32,
}

struct Md5Crypt {
    /// What stands before the salt; it is hashed, too.
    prefix: &'static str,
    salt: Vec<u8>,
    tag: String,
}

pub(super) fn read(text: &str) -> Option<Box<dyn Scheme>> {
    let parts: Vec<_> = text.strip_prefix('$')?.split('$').collect();
    match *parts.as_slice() {
        ["1", salt, tag] => by_md5("$1$", (salt, tag)),
        ["apr1", salt, tag] => by_md5("$apr1$", (salt, tag)),
        [name @ ("5" | "6"), salt, tag] => sha(text, name, ROUNDS, (salt, tag)),
        [name @ ("5" | "6"), rounds, salt, tag] => {
            let rounds = rounds.strip_prefix("rounds=")?.parse().ok()?;
            sha(text, name, rounds, (salt, tag))
        }
        _ => None,
    }
}

fn by_md5(prefix: &'static str, (salt, tag): (&str, &str)) -> Option<Box<dyn Scheme>> {
    let is_sound = salt.len() <= 8 && is_of_letters(tag, 22);
    let (salt, tag) = (salt.as_bytes().to_vec(), tag.to_owned());
    is_sound.then(|| Box::new(Md5Crypt { prefix, salt, tag }) as Box<dyn Scheme>)
}

fn sha(text: &str, name: &str, rounds: u32, (salt, tag): (&str, &str)) -> Option<Box<dyn Scheme>> {
    let length = if name == "5" { 43 } else { 86 };
    let is_sound = rounds >= LEAST_ROUNDS && salt.len() <= 16 && is_of_letters(tag, length);
    is_sound.then(|| Box::new(Sha { text: text.to_owned(), rounds }) as Box<dyn Scheme>)
}

fn is_of_letters(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|letter| LETTERS.contains(&letter))
}

impl Scheme for Sha {
    fn is_affordable(&self) -> bool {
        self.rounds <= MOST_ROUNDS
    }

    fn verifies(&self, password: &[u8]) -> Result<bool> {
        let is_short = password.len() <= LONGEST_PASSWORD;
        Ok(is_short && ShaCrypt::default().verify_password(password, self.text.as_str()).is_ok())
    }
}

impl Scheme for Md5Crypt {
    fn is_affordable(&self) -> bool {
        true
    }

    fn verifies(&self, password: &[u8]) -> Result<bool> {
        let is_short = password.len() <= LONGEST_PASSWORD;
        let made = || md5_crypt(password, (self.prefix, self.salt.as_slice()));
        Ok(is_short && constant_time_eq(made().as_bytes(), self.tag.as_bytes()))
    }
}

/// The algorithm of FreeBSD's `crypt-md5.c`, step by step.
fn md5_crypt(password: &[u8], (prefix, salt): (&str, &[u8])) -> String {
    let inner = Md5::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut first = Md5::new().chain_update(password).chain_update(prefix).chain_update(salt);
    first.update(inner.iter().copied().cycle().take(password.len()).collect::<Vec<_>>());
    let mut bits = password.len();
    while bits > 0 {
        let zero_or_letter = if bits & 1 == 1 { &[0][..] } else { password.get(..1).unwrap_or_default() };
        first.update(zero_or_letter);
        bits >>= 1;
    }
    let mut tag = first.finalize();
    for round in 0..1000 {
        let (before, after) =
            if round % 2 == 1 { (password, tag.as_slice()) } else { (tag.as_slice(), password) };
        let mut next = Md5::new().chain_update(before);
        if round % 3 != 0 {
            next.update(salt);
        }
        if round % 7 != 0 {
            next.update(password);
        }
        next.update(after);
        tag = next.finalize();
    }
    written(&tag.into())
}

/// The sixteen bytes in the order of that program, three to four letters.
fn written(tag: &[u8; 16]) -> String {
    const ORDER: [[usize; 3]; 5] = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]];
    let byte = |place: usize| tag.get(place).copied().map_or(0, u32::from);
    let four = |[high, middle, low]: [usize; 3]| letters(byte(high) << 16 | byte(middle) << 8 | byte(low), 4);
    ORDER.into_iter().map(four).chain([letters(byte(11), 2)]).collect()
}

fn letters(bits: u32, count: u32) -> String {
    let letter =
        |place: u32| LETTERS.get((bits >> (6 * place) & 63) as usize).copied().map_or('.', char::from);
    (0..count).map(letter).collect()
}
