//! Work that costs a browser a moment and a flood of requests their machines' time: a number with which the SHA-256 digest
//! of the challenge begins with enough zero bits (Hashcash).
//!
//! A challenge is `salt.until.bits.code`: bound to the browser by its authentication code under `captcha.secret_key`.
//! The answer is a number `n` for which `SHA-256(salt "." n)` begins with `bits` zero bits.

use svc_core::{Result, Seconds, Secret, Timestamp};
use svc_db::coordination::Once;
use svc_http::Params;
use svc_keys::{base64url, constant_time_eq, hmac_sha256, sha256, token};

use super::finding::Finding;
use crate::hosted::Visit;

/// How long a challenge may be answered.
const LIFETIME: Seconds = Seconds(600);
/// Characters of the salt: with a number they fit into one block of SHA-256.
const SALT: usize = 22;
/// Most digits of an answer.
const LONGEST_ANSWER: usize = 15;

/// A challenge for this browser; none without a key, which the rules of starting demand.
pub(super) fn challenge(visit: &Visit) -> Option<String> {
    let captcha = &visit.config().captcha;
    let salt: String = token(&*visit.cx().entropy).chars().take(SALT).collect();
    let until = (visit.cx().now + LIFETIME).as_micros() / 1_000_000;
    let terms = format!("{salt}.{until}.{}", captcha.proof_of_work_bits);
    let code = code(captcha.secret_key.as_ref()?, visit, &terms);
    Some(format!("{terms}.{code}"))
}

/// Judges the inputs `captcha_challenge` and `captcha_answer`.
pub(super) async fn judge(visit: &Visit, form: &Params) -> Result<Finding> {
    let answer = form.one("captcha_answer").unwrap_or_default();
    let (Some(challenge), false) = (form.one("captcha_challenge"), answer.is_empty()) else {
        return Ok(Finding::Missing);
    };
    let Some(until) = answered(visit, challenge, answer) else { return Ok(Finding::Wrong) };
    // The code is bound to the browser, and the salt is random: one note for each challenge.
    let key = format!("captcha answered {challenge}");
    let once = Once { key, since: until - LIFETIME, until };
    let is_new = visit.host.app.coordination.note(&once, visit.cx().now).await?;
    Ok(if is_new { Finding::Passed } else { Finding::Wrong })
}

/// The end of the challenge, if it is ours, in its time, and rightly answered.
fn answered(visit: &Visit, challenge: &str, answer: &str) -> Option<Timestamp> {
    let key = visit.config().captcha.secret_key.as_ref()?;
    let (terms, stated) = challenge.rsplit_once('.')?;
    if !constant_time_eq(stated.as_bytes(), code(key, visit, terms).as_bytes()) {
        return None;
    }
    let mut parts = terms.split('.');
    let (salt, until, bits) = (parts.next()?, parts.next()?, parts.next()?);
    let until = Timestamp::from_secs(until.parse().ok()?);
    (visit.cx().now < until && is_work(salt, answer, bits.parse().ok()?)).then_some(until)
}

fn is_work(salt: &str, answer: &str, bits: u32) -> bool {
    let is_number = answer.len() <= LONGEST_ANSWER && answer.bytes().all(|byte| byte.is_ascii_digit());
    is_number && leading_zeros(&sha256(format!("{salt}.{answer}").as_bytes())) >= bits
}

fn leading_zeros(digest: &[u8; 32]) -> u32 {
    digest.first_chunk().map_or(0, |head| u64::from_be_bytes(*head).leading_zeros())
}

fn code(key: &Secret, visit: &Visit, terms: &str) -> String {
    let message = format!("captcha {} {} {terms}", visit.host.tenant.id, visit.browser.digest_as_text());
    base64url(hmac_sha256(key.expose().as_bytes(), message.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_number_whose_digest_begins_with_enough_zeros() {
        let salt = "AAAAAAAAAAAAAAAAAAAAAA";
        let answer = (0_u32..100_000).find(|n| is_work(salt, &n.to_string(), 8)).unwrap().to_string();
        let zeros = leading_zeros(&sha256(format!("{salt}.{answer}").as_bytes()));
        assert!(zeros >= 8 && is_work(salt, &answer, zeros) && !is_work(salt, &answer, zeros + 1));
        assert!(!is_work("AAAAAAAAAAAAAAAAAAAAAB", &answer, 20));
        for bad in ["", "-1", "1e3", " 1", "1234567890123456"] {
            assert!(!is_work(salt, bad, 0) || bad.is_empty(), "{bad}");
        }
    }

    #[test]
    fn zero_bits_are_counted_from_the_front() {
        let mut digest = [0; 32];
        assert_eq!(leading_zeros(&digest), 64);
        digest[2] = 0b0001_0000;
        assert_eq!(leading_zeros(&digest), 19);
    }
}
