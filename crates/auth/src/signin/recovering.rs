//! Recovery by a factor that the account has proven, for a person who has lost the password: a sign-in that leads to the page of the
//! new password, and begins no session (NIST SP 800-63B §4.2).
//!
//! A second factor that the account has is asked for here, too: with the mailed link it is asked for at the sign-in that follows, and
//! there the phone by which the account was recovered would pass for one.

use serde_json::json;
use svc_core::events::AccountProven;
use svc_core::{Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apis::control_plane::OPERATOR;
use svc_domain::apps;
use svc_domain::claims::assurance::is_vouched_alone;
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::organizations::{self, Demand};
use svc_domain::people::changes::Candidate;
use svc_domain::people::tenant_users::Person;
use svc_http::{HostCx, IntoResponse as _, Response, see_other};

use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::errand::Errand;
use super::floors::{floor, floor_of_person, strict_floor};
use super::flow::Flow;
use super::held::Held;
use super::methods::{self, Method, Proof, Shown, sms};
use super::offers;
use super::progress::{Evidence, Factor, Progress};
use super::second_factor;
use super::turned_away::TurnedAway;
use crate::hosted::Visit;
use crate::hosted::paths::NEW_PASSWORD;
use crate::pages::MessageKey;

/// Most organizations of a person that are looked at.
const MOST_ORGANIZATIONS: u32 = 200;

/// The ways to a new password besides a mailed link.
pub fn ways(host: &HostCx) -> impl Iterator<Item = &'static Method> {
    methods::offered(host).filter(|method| method.recovers && offers::recovery(host))
}

/// A recovery that begins, in a flow or by itself.
pub fn begin(visit: &Visit, flow: Option<Flow>) -> SignIn<'_> {
    SignIn::new(Way::Errand(visit, Errand::Recovery(flow.map(Box::new))))
}

impl SignIn<'_> {
    /// The methods that can add what is missing for a new password; none where nothing is.
    pub(super) fn missing_to_recover(&self) -> Vec<&'static Method> {
        let host = &self.visit().host;
        if self.progress.account().is_none() {
            return ways(host).collect();
        }
        let is_enough = self.progress.factors().count() > 1 || self.has(Factor::UnlockedKey);
        if is_enough || !self.held.has_second_factor() {
            return Vec::new();
        }
        self.held.other_factors(host, self.has(Factor::Possession).then_some(sms::METHOD.id))
    }

    /// Who has proven enough for a new password, and since when; nothing on the way to anything else.
    pub fn recovered(&self) -> Option<&Progress> {
        let is_complete = if self.replaces_password() {
            self.missing().is_empty() && self.falls_short().is_none()
        } else {
            let is_offered = self.way.recovers() && offers::recovery(&self.visit().host);
            is_offered && self.missing_to_recover().is_empty()
        };
        Some(&self.progress).filter(|progress| is_complete && progress.account().is_some())
    }

    /// Whether it leads to another password than the one that was set for the person.
    pub fn replaces_password(&self) -> bool {
        matches!(self.way, Way::Errand(_, Errand::OwnPassword(_)))
    }

    /// Whether the person has signed in by a password that they have to replace.
    pub(super) fn owes_own_password(&self) -> bool {
        self.held.has_given_password() && self.has(Factor::Knowledge)
    }

    /// Leads a person who has proven all that is asked for to the page of the new password, instead of to a session.
    pub(super) fn lead_to_own_password(self) -> Result<Response> {
        let visit = self.visit();
        let flow = match self.way {
            Way::Flow(journey) => Some(Box::new(journey.flow)),
            Way::Errand(_, Errand::OwnPassword(flow)) => flow,
            Way::Errand(..) => None,
        };
        let way = Way::Errand(visit, Errand::OwnPassword(flow));
        let signin = SignIn { way, progress: self.progress, pending: None, held: self.held };
        Ok(see_other(&format!("{NEW_PASSWORD}?flow={}", signin.seal()?)).into_response())
    }

    /// The flow in which the old password was missing or given, from where it stands.
    pub fn flow_of_recovery(&self) -> Option<Flow> {
        let Way::Errand(visit, Errand::Recovery(Some(flow)) | Errand::OwnPassword(Some(flow))) = &self.way
        else {
            return None;
        };
        Some(Flow { since: visit.cx().now, typed: None, ..(**flow).clone() })
    }

    fn has(&self, factor: Factor) -> bool {
        self.progress.factors().any(|proven| proven == factor)
    }

    /// Adds a proof, and asks for what is still missing, or leads to the new password.
    pub(super) async fn recover_with(mut self, method: &Method, proof: &Proof) -> Result<Response> {
        let visit = self.visit();
        let again = |error| Attempt { error: Some(error), ..Attempt::default() };
        if !self.counts_once().await? {
            return self.page(&again(MessageKey::SignInAgain));
        }
        let is_second = self.progress.account().is_some();
        let shown = proof.shown.unwrap_or(Shown { factor: method.factor, amr: method.amr });
        let must_be_unlocked = method.factor == Factor::UnlockedKey && !is_second;
        if must_be_unlocked && shown.factor != Factor::UnlockedKey {
            return self.page(&again(MessageKey::PasskeyLocked));
        }
        if is_vouched_alone(&shown.amr.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>()) {
            return self.page(&again(MessageKey::ProviderNotEnough));
        }
        let mut tx = visit.host.begin().await?;
        let given = Evidence { credential: proof.credential(), ..evidence(&shown, visit.cx().now) };
        let progress = self.progress.with(proof.account.id, given);
        let settled = match progress {
            Some(_) => proof.settle(&mut tx, visit.cx(), (&visit.host, &self.progress)).await?,
            None => None,
        };
        let (Some(candidate), Some(progress)) = (settled, progress) else {
            tx.rollback().await?;
            return self.page(&again(MessageKey::WrongCredentials));
        };
        let whose = (candidate.account.id, candidate.account.password.is_some());
        self.held = Held::read(&mut tx, visit, whose, &progress).await?;
        (self.progress, self.pending) = (progress, None);
        let member = candidate.member_id();
        if is_second {
            second_factor::judged(&mut tx, visit, (member, method.id), true);
        }
        let missing = self.missing_to_recover();
        if !missing.is_empty() {
            second_factor::asked(&mut tx, visit, member, &missing);
            tx.commit().await?;
            let notice = Some(MessageKey::OneMoreStep);
            return self.page(&Attempt { notice, ..Attempt::default() });
        }
        if !is_second && self.has(Factor::Possession) && self.demands_two(&mut tx, &candidate).await? {
            return self.too_little(tx, (method, &shown, candidate.member.as_ref())).await;
        }
        self.note(&mut tx, &candidate);
        tx.commit().await?;
        Ok(see_other(&format!("{NEW_PASSWORD}?flow={}", self.seal()?)).into_response())
    }

    /// Whether two factors are demanded of the person, anywhere here or by the application on the way to which the password was missing:
    /// who has recovered the account by its phone would pass with the new password and that phone, which is one thing.
    async fn demands_two(&self, tx: &mut Tx<Tenant>, candidate: &Candidate) -> Result<bool> {
        let visit = self.visit();
        if let Way::Errand(_, Errand::Recovery(Some(flow))) = &self.way {
            let app = apps::find(tx, flow.request.client).await?;
            if strict_floor(&visit.host, app.as_ref()).is_some() {
                return Ok(true);
            }
        }
        let Some(member) = &candidate.member else { return Ok(floor(&visit.host).is_some()) };
        let is_operator = member.roles.iter().any(|role| role == OPERATOR);
        if floor_of_person(&visit.host, member).is_some()
            || (is_operator && visit.config().admin.second_factor_required)
        {
            return Ok(true);
        }
        let places = organizations::places(tx, member.id, MOST_ORGANIZATIONS).await?;
        Ok(places.iter().any(|place| place.sign_in.second_factor == Demand::Required))
    }

    /// The page of a phone that is right, and alone too little. What the right code has cleared and used up stays so: right codes lock
    /// no one out.
    async fn too_little(
        self,
        mut tx: Tx<Tenant>,
        (method, shown, person): (&Method, &Shown, Option<&Person>),
    ) -> Result<Response> {
        let Shown { factor, amr } = *shown;
        let refused = TurnedAway { method: method.id, factor, amr, is_second: false, reason: "not_admitted" };
        refused.record(&mut tx, self.visit(), person)?;
        tx.commit().await?;
        let error = Some(MessageKey::PhoneAloneNotEnough);
        SignIn::new(self.way).page(&Attempt { error, ..Attempt::default() })
    }

    /// Records what the person has proven, and who may choose a new password by it.
    fn note(&self, tx: &mut Tx<Tenant>, candidate: &Candidate) {
        let cx = self.visit().cx().acting_as(candidate.actor());
        let (tenant_user_id, amr) = (candidate.member_id(), self.progress.amr());
        let target = target_of(tenant_user_id);
        let meaning = Meaning::done(Action::RecoveryProven, target).with(json!({ "amr": amr }));
        record(tx, &cx, meaning.telling(AccountProven { tenant_user_id, amr }));
    }
}

fn evidence(shown: &Shown, at: Timestamp) -> Evidence {
    let amr = shown.amr.iter().map(|value| (*value).to_owned()).collect();
    Evidence { factor: shown.factor, amr, at, seen_at: None, credential: None }
}

/// The refusal of a form or an address of a recovery that is not as far, or none.
pub fn not_recovered() -> Error {
    Error::forbidden("this recovery is not complete; start again")
}
