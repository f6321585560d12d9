//! A guess at a code that was sent: counted before it is judged, for the code and for the address (NIST SP 800-63B §3.2.2).
//! What is counted says nothing of accounts: an address counts whether one has it or not.

use svc_core::events::{BruteForceDetected, Event, LoginFailed};
use svc_core::{Digest, Result};
use svc_domain::coordination::attempts::{self, Reservation};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::changes::Candidate;
use svc_http::StatusCode;
use svc_keys::digest;

use super::guess::policy;
use super::history;
use super::methods::method::Verdict;
use super::progress::Factor;
use super::sent_code::{SentCode, Terms};
use crate::hosted::{Device, Visit};
use crate::pages::MessageKey;

/// What is guessed at.
#[derive(Clone, Copy)]
pub struct Guessed {
    /// The method.
    pub method: &'static str,
    /// What the code proves.
    pub factor: Factor,
    /// How a proof by it is named (RFC 8176).
    pub amr: &'static [&'static str],
    /// What a code bears.
    pub terms: Terms,
    /// What a wrong one is answered with.
    pub wrong: MessageKey,
}

/// A guess that has been counted.
pub struct CodeGuess<'a> {
    visit: &'a Visit,
    guessed: Guessed,
    candidate: Option<&'a Candidate>,
    /// What the address is counted under, or the device where it is known.
    counter: Digest,
    of_code: Reservation,
    of_address: Reservation,
}

impl<'a> CodeGuess<'a> {
    /// Counts the guess and commits it, so that parallel guesses cannot outrun the counters.
    pub async fn count(
        visit: &'a Visit,
        (sent, guessed): (&SentCode, Guessed),
        candidate: Option<&'a Candidate>,
    ) -> Result<Self> {
        let method = guessed.method;
        let device = candidate.and_then(|candidate| {
            let account = &candidate.account;
            let device = Device::known(visit, account.id, account.credentials_changed_at)?;
            Some(digest(&format!("{method} of {} {:?}", account.id, device.counter(account.id))))
        });
        let counter =
            device.unwrap_or_else(|| digest(&format!("{method} to {}", sent.to.to_ascii_lowercase())));
        let of_code = sent.count(&visit.host, (method, guessed.terms)).await?;
        let [of_address] =
            attempts::reserve(visit.host.begin().await?, visit.cx(), [counter], policy(&visit.host.app))
                .await?;
        Ok(Self { visit, guessed, candidate, counter, of_code, of_address })
    }

    /// Whether the guess may be judged.
    pub fn may_be_judged(&self) -> bool {
        !self.of_code.is_locked() && !self.of_address.is_locked()
    }

    /// The counter that a right guess clears.
    pub fn counter(&self) -> Digest {
        self.counter
    }

    /// Records that the guess was wrong or not judged.
    pub async fn refuse(&self) -> Result<Verdict> {
        let (visit, cx) = (self.visit, self.visit.cx());
        let member = self.candidate.and_then(|candidate| candidate.member.as_ref());
        let tenant_user_id = member.map(|member| member.id);
        let target = tenant_user_id.map(|id| id.to_string()).unwrap_or_default();
        let reason = if self.may_be_judged() { "credentials" } else { "locked" };
        let labels = [("factor", self.guessed.factor.label()), ("outcome", reason)];
        visit.host.app.metrics.count_one("sign_ins_total", &labels);
        let failed = Event::from(LoginFailed { tenant_user_id, method: self.guessed.method, reason });
        let meaning = Meaning::denied(Action::SessionCreated, &target).with(failed.data.clone());
        let mut tx = visit.host.begin().await?;
        record(&mut tx, cx, meaning.telling(failed));
        if self.may_be_judged() {
            history::failed(&mut tx, visit, member, self.guessed.amr)?;
        }
        if let Reservation::Last { .. } = self.of_address {
            let attempts = Some(visit.live().auth.brute_force_max_attempts);
            let locked = Event::from(BruteForceDetected { tenant_user_id, reason: "credentials", attempts });
            let meaning = Meaning::denied(Action::SignInLocked, &target).with(locked.data.clone());
            record(&mut tx, cx, meaning.telling(locked));
        }
        tx.commit().await?;
        Ok(match self.of_address {
            Reservation::Locked { until } => {
                let wait = MessageKey::too_many_attempts(until - cx.now);
                Verdict::Refused(StatusCode::TOO_MANY_REQUESTS, wait)
            }
            _ => Verdict::Refused(StatusCode::OK, self.guessed.wrong),
        })
    }
}
