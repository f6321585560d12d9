//! A guess at a password: counted before it is judged, by name, by account and by address (NIST SP 800-63B §3.2.2).
//!
//! Every name locks after as many wrong guesses, whether an account answers to it or not, so that the page can say that it
//! is locked. An account locks over all its names; by a name of its own that is not locked the page says what it says of a
//! wrong password. In a browser that the account has signed in with before, only that browser's guesses count.

use svc_core::events::{BruteForceDetected, LoginFailed};
use svc_core::{Digest, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::coordination::attempts::{self, Policy, Reservation};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::accounts::Account;
use svc_domain::people::changes::Candidate;
use svc_domain::people::guesses;
use svc_http::{App, StatusCode};
use svc_keys::{base64url, digest};

use super::progress::Factor;
use super::{history, offers};
use crate::hosted::{Device, Visit, mail};
use crate::pages::{Mail, MessageKey, Topic};

/// A guess that has been counted.
pub struct Guess<'a> {
    visit: &'a Visit,
    candidate: Option<&'a Candidate>,
    /// What the name that was typed is counted under; or the device, where it is known.
    name: (Digest, Reservation),
    /// What the account is counted under, unless the device is known. A name to which none answers has such a counter as well, so that
    /// as much is written.
    account: Option<(Digest, Reservation)>,
}

impl<'a> Guess<'a> {
    /// Counts a guess and commits it before the hash is computed, so that parallel guesses cannot outrun the counters.
    pub async fn count(
        tx: Tx<Tenant>,
        visit: &'a Visit,
        typed: &str,
        candidate: Option<&'a Candidate>,
    ) -> Result<Self> {
        let account = candidate.map(|candidate| &candidate.account);
        let device =
            account.and_then(|account| Device::known(visit, account.id, account.credentials_changed_at));
        let (name, account) = match (device, account) {
            (Some(device), Some(account)) => (device.counter(account.id), None),
            (_, account) => {
                let name = guesses::at_name(visit.host.tenant.id, typed);
                let of_account = account.map(|account| attempts::subject_of(account.id));
                (name, Some(of_account.unwrap_or_else(|| without_account(name))))
            }
        };
        let (cx, policy) = (visit.cx(), policy(&visit.host.app));
        let (name, account) = if let Some(account) = account {
            let [of_name, of_account] = attempts::reserve(tx, cx, [name, account], policy).await?;
            ((name, of_name), Some((account, of_account)))
        } else {
            let [of_name] = attempts::reserve(tx, cx, [name], policy).await?;
            ((name, of_name), None)
        };
        Ok(Self { visit, candidate, name, account })
    }

    /// When the name that was typed is free again, if it is locked.
    pub fn locked_until(&self) -> Option<Timestamp> {
        match self.name.1 {
            Reservation::Locked { until } => Some(until),
            _ => None,
        }
    }

    /// Whether the guess may be judged.
    pub fn may_be_judged(&self) -> bool {
        self.counted().all(|(_, reservation)| !reservation.is_locked())
    }

    /// The counters that a right guess clears.
    pub fn counters(&self) -> Vec<Digest> {
        self.counted().map(|(counter, _)| counter).collect()
    }

    /// Takes the guess back: it was not judged.
    pub fn give_back(&self, tx: &mut Tx<Tenant>) {
        for (counter, reservation) in self.counted() {
            attempts::give_back(tx, counter, reservation, policy(&self.visit.host.app));
        }
    }

    /// Records that the guess was wrong or not judged. Audit and event say whose account it was, if it was a member's, and
    /// never what was typed: people mistake the fields. The owner of an account that this guess has locked gets a mail.
    pub async fn refuse(&self) -> Result<(StatusCode, MessageKey)> {
        let (visit, cx) = (self.visit, self.visit.cx());
        let member = self.candidate.and_then(|candidate| candidate.member.as_ref());
        let tenant_user_id = member.map(|member| member.id);
        let target = target_of(tenant_user_id);
        let reason = if self.may_be_judged() { "credentials" } else { "locked" };
        tracing::info!(
            target: "svc::sign_in", request_id = cx.request_id, tenant_user = target.as_str(), method = "password", reason,
            "sign-in refused"
        );
        let labels = [("factor", Factor::Knowledge.label()), ("outcome", reason)];
        visit.host.app.metrics.count_one("sign_ins_total", &labels);
        let failed = LoginFailed { tenant_user_id, method: "password", reason };
        let mut tx = visit.host.begin().await?;
        record(&mut tx, cx, Meaning::denied(Action::SessionCreated, &target).with_event(failed));
        // What is not judged is not written down: an attacker who goes on guessing at a locked account would fill its history.
        if self.may_be_judged() {
            history::failed(&mut tx, visit, member, &["pwd"])?;
        }
        if let (_, Reservation::Last { until, is_first }) = self.account.unwrap_or(self.name) {
            let attempts = Some(visit.live().auth.brute_force_max_attempts);
            let locked = BruteForceDetected { tenant_user_id, reason: "credentials", attempts };
            record(&mut tx, cx, Meaning::denied(Action::SignInLocked, &target).with_event(locked));
            if let (Some(candidate), true) = (self.candidate, is_first) {
                self.warn(&mut tx, &candidate.account, until)?;
            }
        }
        tx.commit().await?;
        Ok(self.locked_until().map_or((StatusCode::OK, MessageKey::WrongCredentials), |until| {
            (StatusCode::TOO_MANY_REQUESTS, self.locked_for(until - cx.now))
        }))
    }

    /// What the page says of a lock: no one is sent to a new password where there is no way to one.
    fn locked_for(&self, wait: Seconds) -> MessageKey {
        let host = &self.visit.host;
        if offers::recovery(host) || offers::social_recovery(host) {
            MessageKey::locked_out(wait)
        } else {
            MessageKey::too_many_attempts(wait)
        }
    }

    /// One mail for a row of locks: the next come without a right guess in between.
    fn warn(&self, tx: &mut Tx<Tenant>, account: &Account, until: Timestamp) -> Result<()> {
        let Some(to) = account.email.as_deref().filter(|_| account.is_active) else { return Ok(()) };
        // Where no mail can be sealed, the answer must not say that there is an account.
        if mail::must_be_sealable(self.visit).is_err() {
            return Ok(());
        }
        let url = format!("{}{}", self.visit.host.origin(), mail::undoing(&self.visit.host));
        let time = Some(until - self.visit.cx().now);
        let mail =
            Mail { topic: Topic::LockedOut, name: None, organization: None, url: &url, code: None, time };
        mail::queue(self.visit, tx, to, mail::written(self.visit, Some(account), &mail)?)
    }

    fn counted(&self) -> impl Iterator<Item = (Digest, Reservation)> {
        [Some(self.name), self.account].into_iter().flatten()
    }
}

/// What stands for the account where no account answers to a name.
fn without_account(name: Digest) -> Digest {
    digest(&format!("no account {}", base64url(name.0)))
}

/// How many wrong guesses lock, and for how long.
pub fn policy(app: &App) -> Policy {
    let config = app.live();
    let auth = &config.auth;
    Policy { max_attempts: auth.brute_force_max_attempts, lockout: auth.brute_force_lockout_secs }
}
