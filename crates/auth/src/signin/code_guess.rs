//! A guess at a code that was sent: counted before it is judged, for the code and for the requester at the address (NIST SP 800-63B
//! §3.2.2). What is counted says nothing of accounts: an address counts whether one has it or not.
//!
//! Who guesses wrong locks the own network, or the own browser where the owner has signed in in it. What strangers of many networks guess
//! at an address locks it for no one: each code bears one more guess then, which is all that its owner needs.

use svc_core::events::{BruteForceDetected, LoginFailed};
use svc_core::{Digest, Result, Seconds};
use svc_domain::coordination::attempts::{self, Reservation};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::changes::Candidate;
use svc_http::StatusCode;
use svc_keys::{base64url, digest};

use super::guess::policy;
use super::history;
use super::methods::method::Verdict;
use super::progress::Factor;
use super::sent_code::{SentCode, Terms};
use crate::hosted::{Device, Visit};
use crate::pages::MessageKey;

/// In what time the guesses of all strangers at an address are counted together.
const WINDOW: Seconds = Seconds(3600);
/// As many networks may guess as often as one may, before guesses at the address become few.
const NETWORKS: i64 = 4;

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
    /// What the network is counted under that guesses at the address, or the device where it is known.
    counter: Digest,
    of_code: Reservation,
    of_requester: Reservation,
    /// Whether the code bears no more guesses because strangers guess at the address.
    is_slowed: bool,
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
            Some(digest(&format!("{method} on {}", base64url(device.counter(account.id).0))))
        });
        let to = sent.to.to_ascii_lowercase();
        let network = visit.host.arrival.throttle_key();
        let counter = device.unwrap_or_else(|| digest(&format!("{method} to {to} from {network}")));
        let of_code = sent.count(&visit.host, (method, guessed.terms)).await?;
        let [of_requester] =
            attempts::reserve(visit.host.begin().await?, visit.cx(), [counter], policy(&visit.host.app))
                .await?;
        let is_locked = of_code.is_locked() || of_requester.is_locked();
        // What is not judged is no guess at the address.
        let is_slowed = device.is_none() && !is_locked && is_slowed(visit, sent, method).await?;
        Ok(Self { visit, guessed, candidate, counter, of_code, of_requester, is_slowed })
    }

    /// Whether the guess may be judged.
    pub fn may_be_judged(&self) -> bool {
        !self.of_code.is_locked() && !self.of_requester.is_locked() && !self.is_slowed
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
        let target = target_of(tenant_user_id);
        let reason = if self.may_be_judged() { "credentials" } else { "locked" };
        let labels = [("factor", self.guessed.factor.label()), ("outcome", reason)];
        visit.host.app.metrics.count_one("sign_ins_total", &labels);
        let failed = LoginFailed { tenant_user_id, method: self.guessed.method, reason };
        let mut tx = visit.host.begin().await?;
        record(&mut tx, cx, Meaning::denied(Action::SessionCreated, &target).with_event(failed));
        if self.may_be_judged() {
            history::failed(&mut tx, visit, member, self.guessed.amr)?;
        }
        if let Reservation::Last { .. } = self.of_requester {
            let attempts = Some(visit.live().auth.brute_force_max_attempts);
            let locked = BruteForceDetected { tenant_user_id, reason: "credentials", attempts };
            record(&mut tx, cx, Meaning::denied(Action::SignInLocked, &target).with_event(locked));
        }
        tx.commit().await?;
        Ok(match self.of_requester {
            Reservation::Locked { until } => {
                let wait = MessageKey::too_many_attempts(until - cx.now);
                Verdict::Refused(StatusCode::TOO_MANY_REQUESTS, wait)
            }
            _ => Verdict::Refused(StatusCode::OK, self.guessed.wrong),
        })
    }
}

/// Counts a guess of a stranger at an address; whether there have been so many that it is not judged.
async fn is_slowed(visit: &Visit, sent: &SentCode, method: &str) -> Result<bool> {
    let to = base64url(digest(&sent.to.to_ascii_lowercase()).0);
    let key = format!("{method} guesses at {to}");
    let count = visit.host.app.coordination.incr(&key, WINDOW, visit.cx().now).await;
    let most = NETWORKS * i64::from(visit.live().auth.brute_force_max_attempts);
    Ok(count.count > most && !sent.take_one(&visit.host).await?)
}
