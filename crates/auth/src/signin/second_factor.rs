//! A guess at a second factor: counted before it is judged, for the account, or for the browser that it is known in
//! (NIST SP 800-63B §3.2.2).

use svc_core::events::{BruteForceDetected, FactorAsked, FactorJudged};
use svc_core::{Digest, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::coordination::attempts::{self, Reservation};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::changes::{self, Candidate};
use svc_http::StatusCode;
use svc_keys::digest;

use super::guess::policy;
use super::history;
use super::methods::method::{Method, Proof, Turn, Verdict};
use crate::hosted::{Device, Visit};
use crate::pages::MessageKey;

/// A guess that has been counted, of a person who has proven something before.
pub struct SecondGuess<'a> {
    turn: Turn<'a>,
    method: &'static str,
    amr: &'static [&'static str],
    counter: Digest,
    reservation: Reservation,
    /// Whose it is.
    pub candidate: Candidate,
}

impl<'a> SecondGuess<'a> {
    /// Counts the guess; `None` where no person has proven anything, or the account is gone.
    pub async fn count(
        turn: Turn<'a>,
        (method, amr): (&'static str, &'static [&'static str]),
    ) -> Result<Option<Self>> {
        let Some(account) = turn.progress.account() else { return Ok(None) };
        let visit = turn.visit;
        let mut tx = visit.host.begin().await?;
        let Some(candidate) = changes::candidate(&mut tx, account).await? else { return Ok(None) };
        let device = Device::known(visit, account, candidate.account.credentials_changed_at);
        let counter = device.map_or_else(
            || digest(&format!("second factor of {account}")),
            |device| digest(&format!("second factor of {account} {:?}", device.counter(account))),
        );
        let [reservation] = attempts::reserve(tx, visit.cx(), [counter], policy(&visit.host.app)).await?;
        Ok(Some(Self { turn, method, amr, counter, reservation, candidate }))
    }

    /// Whether the guess may be judged.
    pub fn may_be_judged(&self) -> bool {
        !self.reservation.is_locked()
    }

    /// A right guess, as a proof that clears the counter.
    pub fn right(&self, proof: Proof) -> Verdict {
        Verdict::Proven(Box::new(Proof { counters: vec![self.counter], ..proof }))
    }

    /// Records that the guess was wrong or not judged.
    pub async fn refuse(&self) -> Result<Verdict> {
        let (visit, cx) = (self.turn.visit, self.turn.visit.cx());
        let person = self.candidate.member.as_ref();
        let member = person.map(|person| person.id);
        let mut tx = visit.host.begin().await?;
        judged(&mut tx, visit, (member, self.method), false);
        if self.may_be_judged() {
            history::failed(&mut tx, visit, person, self.amr)?;
        }
        if let Reservation::Last { .. } = self.reservation {
            let attempts = Some(visit.live().auth.brute_force_max_attempts);
            let reason = "second_factor";
            let locked = BruteForceDetected { tenant_user_id: member, reason, attempts };
            let meaning = Meaning::denied(Action::SignInLocked, target_of(member)).with_event(locked);
            record(&mut tx, cx, meaning);
        }
        tx.commit().await?;
        Ok(match self.reservation {
            Reservation::Locked { until } => {
                let wait = MessageKey::too_many_attempts(until - cx.now);
                Verdict::Refused(StatusCode::TOO_MANY_REQUESTS, wait)
            }
            _ => Verdict::Refused(StatusCode::OK, MessageKey::CodeWrong),
        })
    }
}

/// Records that a second factor was judged.
pub fn judged(
    tx: &mut Tx<Tenant>,
    visit: &Visit,
    (member, method): (Option<TenantUserId>, &'static str),
    success: bool,
) {
    let event = FactorJudged { tenant_user_id: member, method, success };
    let (action, target) = (Action::SecondFactorJudged, target_of(member));
    let meaning = if success { Meaning::done(action, target) } else { Meaning::denied(action, target) };
    record(tx, visit.cx(), meaning.with_event(event));
    let outcome = if success { "success" } else { "refused" };
    visit.host.app.metrics.count_one("second_factors_total", &[("method", method), ("outcome", outcome)]);
}

/// Records that a sign-in asks for a second factor.
pub fn asked(tx: &mut Tx<Tenant>, visit: &Visit, member: Option<TenantUserId>, methods: &[&Method]) {
    let methods = methods.iter().map(|method| method.id.to_owned()).collect();
    let event = FactorAsked { tenant_user_id: member, methods };
    let meaning = Meaning::done(Action::SecondFactorAsked, target_of(member)).with_event(event);
    record(tx, visit.cx(), meaning);
}
