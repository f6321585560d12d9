//! Sign-in by password (NIST SP 800-63B §3.1.1): counted before it is judged, judged in the same time for everybody.
//!
//! Keyboards write one letter in several ways (N with tilde as one character or as two), so that passwords are brought
//! into Unicode form NFC first.

use serde_json::json;
use svc_core::events::EventType;
use svc_core::{Cx, Digest, Result, Secret};
use svc_domain::coordination::attempts::{self, Policy, Reservation};
use svc_domain::log::audit::{self, Entry};
use svc_domain::log::outbox;
use svc_domain::people::passwords::{self, LONGEST, SHORTEST};
use svc_domain::people::tenant_users::{self, Person, identifier_key};
use svc_http::{Params, StatusCode};
use unicode_normalization::UnicodeNormalization as _;

use super::method::{Factor, Judging, Method, Proof, Verdict};
use crate::hosted::Visit;
use crate::pages::MessageKey;

/// User name or e-mail address, and password.
pub const METHOD: Method =
    Method { id: "password", factor: Factor::Knowledge, amr: &["pwd"], is_offered: |_| true, finish };

/// Longest identifier in bytes; no account answers to a longer one.
const LONGEST_IDENTIFIER: usize = 320;

/// What is wrong with a new password, as the form says it; `about` is what an attacker knows of the person.
pub fn fault(password: &Secret, about: &[&str]) -> Option<MessageKey> {
    let text = password.expose();
    match passwords::check(password, about) {
        Ok(()) => None,
        Err(_) if text.is_empty() => Some(MessageKey::PasswordMissing),
        Err(_) if text.len() > LONGEST => Some(MessageKey::PasswordTooLong { most: count(LONGEST) }),
        Err(_) if text.chars().count() < SHORTEST => {
            Some(MessageKey::PasswordTooShort { least: count(SHORTEST) })
        }
        Err(_) => Some(MessageKey::PasswordTooCommon),
    }
}

/// The password of a form, in Unicode form NFC.
pub fn typed(form: &Params) -> Secret {
    Secret::new(form.one("password").unwrap_or_default().nfc().collect::<String>())
}

/// Fewest characters of a new password, for its form.
pub fn shortest() -> u32 {
    count(SHORTEST)
}

fn finish<'a>(visit: &'a Visit, form: &'a Params) -> Judging<'a> {
    Box::pin(judge(visit, form))
}

async fn judge(visit: &Visit, form: &Params) -> Result<Verdict> {
    let identifier = form.one("username").map(str::trim).unwrap_or_default();
    let password = typed(form);
    if let Some(refused) = malformed(identifier, &password) {
        return Ok(refused);
    }
    if let Some(refused) = too_many_from_here(visit).await {
        return Ok(refused);
    }
    let person = find(visit, identifier).await?;
    let subject = person
        .as_ref()
        .map_or_else(|| unknown_subject(visit, identifier), |person| attempts::subject_of(person.account_id));
    let reservation = reserve(visit, subject).await?;
    let hash =
        person.as_ref().filter(|person| person.may_sign_in()).and_then(|person| person.password.as_deref());
    // Unknown, suspended and locked take as long as wrong: the same work in the same queue.
    let judged = hash.filter(|_| reservation != Reservation::Locked);
    let pool = &visit.host.app.services.passwords;
    let is_right = pool.verify(&password, judged).await?;
    match person {
        Some(person) if is_right => {
            let rehashed = if is_outdated(visit, &person) {
                Some(pool.hash(&password, &*visit.cx().entropy).await?)
            } else {
                None
            };
            Ok(Verdict::Proven(Box::new(Proof { person, method: &METHOD, subject, rehashed })))
        }
        person => {
            record_failure(visit, person.as_ref(), reservation).await?;
            Ok(Verdict::Refused(StatusCode::OK, MessageKey::WrongCredentials))
        }
    }
}

fn malformed(identifier: &str, password: &Secret) -> Option<Verdict> {
    let refused = |status, message| Some(Verdict::Refused(status, message));
    if identifier.is_empty() {
        return refused(StatusCode::OK, MessageKey::UsernameMissing);
    }
    if password.expose().is_empty() {
        return refused(StatusCode::OK, MessageKey::PasswordMissing);
    }
    // Never cut: two passwords that differ late would be one.
    if password.expose().len() > LONGEST {
        return refused(StatusCode::PAYLOAD_TOO_LARGE, MessageKey::PasswordTooLong { most: count(LONGEST) });
    }
    if identifier.len() > LONGEST_IDENTIFIER {
        return refused(StatusCode::OK, MessageKey::WrongCredentials);
    }
    None
}

/// Counts guesses per client address, for any account.
async fn too_many_from_here(visit: &Visit) -> Option<Verdict> {
    let auth = &visit.config().auth;
    let key = format!("password {}", visit.host.arrival.throttle_key());
    let now = visit.cx().now;
    let count = visit.host.app.coordination.incr(&key, auth.password_verify_ip_window_secs, now).await;
    let wait = MessageKey::too_many_attempts(count.resets_at - now);
    (count.count > i64::from(auth.password_verify_ip_max_attempts))
        .then_some(Verdict::Refused(StatusCode::TOO_MANY_REQUESTS, wait))
}

async fn find(visit: &Visit, identifier: &str) -> Result<Option<Person>> {
    let mut tx = visit.host.read().await?;
    let person = tenant_users::find_by_identifier(&mut tx, identifier).await?;
    tx.commit().await?;
    Ok(person)
}

/// Names that nobody answers to are counted and locked like any other, per tenant.
fn unknown_subject(visit: &Visit, identifier: &str) -> Digest {
    svc_keys::digest(&format!("identifier {} {}", visit.host.tenant.id, identifier_key(identifier)))
}

/// Committed before the password is judged, so that parallel guesses cannot outrun the counter.
async fn reserve(visit: &Visit, subject: Digest) -> Result<Reservation> {
    let auth = &visit.config().auth;
    let policy =
        Policy { max_attempts: auth.brute_force_max_attempts, lockout: auth.brute_force_lockout_secs };
    let mut tx = visit.host.begin().await?;
    let reservation = attempts::reserve(&mut tx, visit.cx(), subject, policy).await?;
    tx.commit().await?;
    Ok(reservation)
}

fn is_outdated(visit: &Visit, person: &Person) -> bool {
    let pool = &visit.host.app.services.passwords;
    person.password.as_deref().is_some_and(|hash| pool.needs_rehash(hash))
}

/// Audit and event say whose account it was, if anybody's, and never what was typed: people mistake the fields.
async fn record_failure(visit: &Visit, person: Option<&Person>, reservation: Reservation) -> Result<()> {
    let cx: &Cx = visit.cx();
    let user = person.map(|person| person.id.to_string());
    let target = user.as_deref().unwrap_or_default();
    let reason = if reservation == Reservation::Locked { "locked" } else { "credentials" };
    tracing::info!(
        target: "svc::sign_in", request_id = cx.request_id, tenant_user = target, method = METHOD.id, reason, "sign-in refused"
    );
    let facts = json!({ "tenant_user_id": user, "method": METHOD.id, "reason": reason });
    let mut tx = visit.host.begin().await?;
    audit::record(&mut tx, cx, Entry::denied("session.created", target).with(facts.clone())).await?;
    outbox::emit(&mut tx, cx, EventType::AuthLoginFailure, facts).await?;
    if reservation == Reservation::Last {
        let facts =
            json!({ "tenant_user_id": user, "attempts": visit.config().auth.brute_force_max_attempts });
        audit::record(&mut tx, cx, Entry::denied("sign_in.locked", target).with(facts.clone())).await?;
        outbox::emit(&mut tx, cx, EventType::SecurityBruteForceDetected, facts).await?;
    }
    tx.commit().await
}

fn count(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_password_is_told_what_is_wrong_with_it() {
        let fault = |text: &str| fault(&Secret::new(text), &["ada@example.com"]);
        assert_eq!(fault(""), Some(MessageKey::PasswordMissing));
        assert_eq!(fault("short"), Some(MessageKey::PasswordTooShort { least: 8 }));
        assert_eq!(fault("password1"), Some(MessageKey::PasswordTooCommon));
        assert_eq!(fault(&"a".repeat(1025)), Some(MessageKey::PasswordTooLong { most: 1024 }));
        assert_eq!(fault("correct horse battery staple"), None);
    }

    #[test]
    fn composed_and_decomposed_letters_are_one_password() {
        let typed = |text: &str| typed(&[("password", text)].into_iter().collect()).expose().to_owned();
        assert_eq!(typed("man\u{303}ana"), typed("ma\u{f1}ana"));
        assert_eq!(typed(" Aa "), " Aa ");
    }

    #[test]
    fn an_overlong_password_is_refused_and_never_cut() {
        let refused = malformed("ada", &Secret::new("a".repeat(1025)));
        assert!(matches!(refused, Some(Verdict::Refused(StatusCode::PAYLOAD_TOO_LARGE, _))));
        assert!(malformed("ada", &Secret::new("a".repeat(1024))).is_none());
    }
}
