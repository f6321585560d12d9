//! Sign-in by password (NIST SP 800-63B §3.1.1): counted before it is judged, judged in the same time for all.

use svc_core::{Result, Seconds, Secret};
use svc_db::coordination::Counting;
use svc_db::{Tenant, Tx};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::passwords::{self, LONGEST, SHORTEST};
use svc_http::{Params, StatusCode};

use super::method::{Judging, Method, Needs, Proof, Turn, Verdict, may_enter};
use crate::hosted::{Visit, captcha};
use crate::pages::MessageKey;
use crate::signin::guess::Guess;
use crate::signin::offers;
use crate::signin::progress::Factor;

/// User name or e-mail address, and password.
pub const METHOD: Method = Method {
    id: "password",
    factor: Factor::Knowledge,
    amr: &["pwd"],
    is_offered: offers::password,
    is_first: true,
    recovers: false,
    needs: Needs::Password,
    begin: None,
    finish,
    partial: "_password.html",
    lists: None,
};

/// Longest identifier in bytes; no account answers to a longer one.
const LONGEST_IDENTIFIER: usize = 320;

/// What is wrong with a new password, as the form says it; `about` is what an attacker knows of the person.
pub async fn fault(visit: &Visit, password: &Secret, about: &[&str]) -> Option<MessageKey> {
    if let Some(fault) = form_of(password, about) {
        return Some(fault);
    }
    match visit.host.app.breached.has(password).await {
        Ok(false) => None,
        Ok(true) => Some(MessageKey::PasswordBreached),
        Err(_) => Some(MessageKey::PasswordUnchecked),
    }
}

/// What its letters alone show.
fn form_of(password: &Secret, about: &[&str]) -> Option<MessageKey> {
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

/// The password of a form, in the form in which passwords are compared.
pub fn typed(form: &Params) -> Secret {
    passwords::normal(&Secret::new(form.one("password").unwrap_or_default()))
}

/// Fewest characters of a new password, for its form.
pub fn shortest() -> u32 {
    count(SHORTEST)
}

fn finish(turn: Turn<'_>) -> Judging<'_> {
    Box::pin(judge(turn))
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let Turn { visit, params, .. } = turn;
    let identifier = params.one("username").map(str::trim).unwrap_or_default();
    let password = typed(params);
    if let Some(refused) = malformed(identifier, &password) {
        return Ok(refused);
    }
    let address = Address::of(visit);
    // Before a transaction begins: a provider may have to be asked.
    let finding = captcha::judge(visit, params).await?;
    let counting = address.counting().await;
    let mut tx = visit.host.begin().await?;
    let (refused, candidate) = address.judge(&mut tx, counting, identifier, finding).await?;
    if let Some(refused) = refused {
        tx.commit().await?;
        return Ok(refused);
    }
    let guess = Guess::count(tx, visit, identifier, candidate.as_ref()).await?;
    if guess.locked_until().is_some() {
        return refuse(&guess).await;
    }
    match compare(visit, &guess, candidate.as_ref(), &password).await {
        Ok(Some(proof)) => {
            Ok(Verdict::Proven(Box::new(Proof { address_counter: Some(address.key), ..proof })))
        }
        Ok(None) => refuse(&guess).await,
        Err(error) => {
            // The guess was not judged, for example because the queue for hashes is full.
            let mut tx = visit.host.begin().await?;
            address.give_back(&mut tx);
            guess.give_back(&mut tx);
            tx.commit().await?;
            Err(error)
        }
    }
}

/// Unknown, suspended and locked take as long as wrong: the same work in the same queue.
async fn compare(
    visit: &Visit,
    guess: &Guess<'_>,
    candidate: Option<&Candidate>,
    password: &Secret,
) -> Result<Option<Proof>> {
    let pool = &visit.host.app.services.passwords;
    let admitted = candidate.filter(|candidate| guess.may_be_judged() && may_enter(&visit.host, candidate));
    let account = admitted.map(|candidate| &candidate.account);
    let hash = account.and_then(|account| account.password.as_deref());
    let turns = pool.of(Some(visit.host.tenant.id.reference()));
    let is_right = turns.verify(password, hash).await?;
    let (Some(account), Some(hash), true) = (account, hash, is_right) else { return Ok(None) };
    let rehashed =
        if pool.needs_rehash(hash) { Some(turns.hash(password, &*visit.cx().entropy).await?) } else { None };
    Ok(Some(Proof { counters: guess.counters(), rehashed, ..Proof::of(account.clone()) }))
}

async fn refuse(guess: &Guess<'_>) -> Result<Verdict> {
    let (status, message) = guess.refuse().await?;
    Ok(Verdict::Refused(status, message))
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

/// The wrong guesses of one client address, at any account.
struct Address<'a> {
    visit: &'a Visit,
    key: String,
}

impl<'a> Address<'a> {
    fn of(visit: &'a Visit) -> Self {
        Self { visit, key: format!("password {}", visit.host.arrival.throttle_key()) }
    }

    /// Begins to count a guess.
    async fn counting(&self) -> Counting<'_> {
        self.visit.host.app.coordination.counting(&self.key, self.window(), self.visit.cx().now).await
    }

    /// Counts the guess, and finds whom it is about in the same flight. An address that has guessed too often does not get as
    /// far as the counters of names, which it could lock; returns what to answer then.
    async fn judge(
        &self,
        tx: &mut Tx<Tenant>,
        counting: Counting<'_>,
        identifier: &str,
        finding: captcha::Finding,
    ) -> Result<(Option<Verdict>, Option<Candidate>)> {
        let (config, now) = (self.visit.live(), self.visit.cx().now);
        let named = changes::named(tx, identifier);
        let (count, found) = counting.within(tx, named).await?;
        let most = i64::from(config.auth.password_verify_ip_max_attempts);
        if let Some(wait) = count.wait_beyond(most, now).map(MessageKey::too_many_attempts) {
            return Ok((Some(Verdict::Refused(StatusCode::TOO_MANY_REQUESTS, wait)), None));
        }
        // A guess that is not judged for want of a challenge is none.
        let is_many = count.count > i64::from(config.captcha.after_wrong_passwords);
        if let Some(error) = finding.fault().filter(|_| is_many) {
            self.give_back(tx);
            return Ok((Some(Verdict::Refused(StatusCode::OK, error)), None));
        }
        Ok((None, changes::among(&found)?))
    }

    /// Takes the guess back: it was not judged.
    fn give_back(&self, tx: &mut Tx<Tenant>) {
        let (coordination, now) = (&self.visit.host.app.coordination, self.visit.cx().now);
        coordination.give_back_within(tx, &self.key, self.window(), now);
    }

    fn window(&self) -> Seconds {
        self.visit.config().auth.password_verify_ip_window_secs
    }
}

fn count(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_password_is_told_what_is_wrong_with_it() {
        let fault = |text: &str| form_of(&Secret::new(text), &["ada@example.com"]);
        assert_eq!(fault(""), Some(MessageKey::PasswordMissing));
        assert_eq!(fault("short"), Some(MessageKey::PasswordTooShort { least: 8 }));
        assert_eq!(fault("password1"), Some(MessageKey::PasswordTooCommon));
        assert_eq!(fault(&"a".repeat(1025)), Some(MessageKey::PasswordTooLong { most: 1024 }));
        assert_eq!(fault("correct horse battery staple"), None);
    }

    #[test]
    fn an_overlong_password_is_refused_and_never_cut() {
        let refused = malformed("ada", &Secret::new("a".repeat(1025)));
        assert!(matches!(refused, Some(Verdict::Refused(StatusCode::PAYLOAD_TOO_LARGE, _))));
        assert!(malformed("ada", &Secret::new("a".repeat(1024))).is_none());
    }
}
