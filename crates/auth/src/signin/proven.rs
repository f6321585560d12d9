//! What follows a proof: the next step of the sign-in, the question whether to join, or the way in.

use svc_core::{OrInternal as _, Result, Seconds};
use svc_db::coordination::Once;
use svc_db::{Tenant, Tx};
use svc_domain::people::changes;
use svc_domain::people::risk::Rating;
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Consequence;
use svc_http::{Response, StatusCode};
use svc_keys::{base64url, digest};

use super::after_first_factor::{self, Gate};
use super::attempt::Attempt;
use super::ceremony::SignIn;
use super::enter::enter;
use super::held::Held;
use super::join;
use super::methods::{Effect, Method, Proof, Shown};
use super::progress::{Evidence, Factor};
use super::turned_away::TurnedAway;
use super::{second_factor, unusual};
use crate::hosted::mail;
use crate::pages::{MessageKey, Topic};

/// Longer than a sign-in may take: a step counts once.
const REMEMBERED: Seconds = Seconds(3600);

impl SignIn<'_> {
    /// Whether the step after a first proof is made for the first time, on any node: the browser still has the pages of earlier
    /// steps.
    pub async fn counts_once(&self) -> Result<bool> {
        let Some(since) = self.progress.since() else { return Ok(true) };
        let (visit, text) = (self.visit(), serde_json::to_string(&self.progress).or_internal()?);
        let browser = base64url(visit.browser.digest().0);
        let key = format!("step {browser} {}", base64url(digest(&text).0));
        let once = Once::between(key, since, visit.cx().now + REMEMBERED);
        visit.host.app.coordination.note(&once, visit.cx().now).await
    }

    /// Adds a proof, and asks for what is still missing, or lets the person in.
    pub async fn proven(mut self, method: &Method, proof: &Proof) -> Result<Response> {
        if self.way.recovers() {
            return Box::pin(self.recover_with(method, proof)).await;
        }
        if !self.accepts(method) {
            // A link that was mailed before, for example, does not come by the page.
            return self.not_accepted(None);
        }
        let visit = self.visit();
        if !self.counts_once().await? {
            return self.page(&Attempt { error: Some(MessageKey::SignInAgain), ..Attempt::default() });
        }
        let is_second = self.progress.account().is_some();
        let Shown { factor, amr } = proof.shown.unwrap_or(Shown { factor: method.factor, amr: method.amr });
        let amr = amr.iter().map(|value| (*value).to_owned()).collect();
        let is_strong = proof.vouched.as_ref().is_some_and(|vouched| vouched.is_strong);
        let factor = if is_strong { Factor::FederatedTwice } else { factor };
        let evidence = Evidence { factor, amr, at: visit.cx().now };
        let progress = self.progress.with(proof.account.id, evidence);
        let progress = progress.map(|progress| progress.vouched_by(proof.vouched.clone()));
        let gate = match &progress {
            Some(progress) if !is_second => after_first_factor::asked_about(&self, progress).await?,
            _ => Gate::Open,
        };
        if let Gate::Closed(error, status) = gate {
            let attempt = Attempt { error: Some(error), status, ..Attempt::default() };
            return SignIn::new(self.way).page(&attempt);
        }
        let mut tx = visit.host.begin().await?;
        let settled = match progress {
            Some(_) => proof.settle(&mut tx, visit.cx(), &visit.host).await?,
            None => None,
        };
        let (Some(candidate), Some(progress)) = (settled, progress) else {
            tx.rollback().await?;
            return self.not_admitted(method, proof).await;
        };
        let member = candidate.member.as_ref().map(|member| member.id);
        if is_second {
            second_factor::judged(&mut tx, visit, (member, method.id), true);
        } else {
            let whose = (candidate.account.id, candidate.account.password.is_some());
            self.held = Held::read(&mut tx, visit, whose, &progress).await?;
        }
        if let Effect::AddsTotp(_) = proof.effect {
            mail::tell_owner(visit, &mut tx, &candidate.account, Topic::CredentialAdded)?;
        }
        let is_trusted = progress.is_trusted() || self.held.trusts_browser;
        let progress = progress.trusting(is_trusted).owing_factor(matches!(gate, Gate::AsksFactor));
        (self.progress, self.pending) = (progress, None);
        let judged = match (&candidate.member, is_second) {
            (Some(person), false) if !person.is_guest() => {
                unusual::judged(visit, &mut tx, (person, &self.progress)).await?
            }
            _ => None,
        };
        if let (Some(person), Some((rated, Consequence::Refuse))) = (&candidate.member, &judged) {
            return self.too_unusual(tx, (person, &rated.rating)).await;
        }
        if let Some((rated, _)) = &judged {
            self.progress = self.progress.with_rating(rated.clone());
        }
        let missing = self.missing();
        if let error @ Some(_) = self.falls_short() {
            tx.rollback().await?;
            return SignIn::new(self.way).page(&Attempt { error, ..Attempt::default() });
        }
        if let (Some(person), Some((rated, Consequence::Ask | Consequence::Tell))) =
            (&candidate.member, &judged)
        {
            let is_asked = rated.asks && !missing.is_empty();
            unusual::noted(visit, &mut tx, (person, &rated.rating), is_asked);
        }
        match candidate.member {
            _ if !missing.is_empty() => {
                second_factor::asked(&mut tx, visit, member, &missing);
                tx.commit().await?;
                self.page(&Attempt { notice: Some(MessageKey::OneMoreStep), ..Attempt::default() })
            }
            Some(person) if person.may_sign_in() => enter(tx, self.way, &person, &self.progress).await,
            _ => {
                tx.commit().await?;
                join::page(&self, &candidate.account)
            }
        }
    }

    /// The page of a proof that opens nothing: the person may not enter, or the credential has changed meanwhile. It says no more
    /// than of a wrong proof.
    async fn not_admitted(&self, method: &Method, proof: &Proof) -> Result<Response> {
        let visit = self.visit();
        let refused = TurnedAway {
            method: method.id,
            factor: method.factor,
            amr: proof.shown.as_ref().map_or(method.amr, |shown| shown.amr),
            is_second: self.progress.account().is_some(),
            reason: "not_admitted",
        };
        let mut tx = visit.host.begin().await?;
        let candidate = changes::candidate(&mut tx, proof.account.id).await?;
        let person = candidate.as_ref().and_then(|candidate| candidate.member.as_ref());
        refused.record(&mut tx, visit, person)?;
        tx.commit().await?;
        self.page(&Attempt { error: Some(MessageKey::WrongCredentials), ..Attempt::default() })
    }

    /// The page of a sign-in that is refused for its rating.
    async fn too_unusual(self, mut tx: Tx<Tenant>, (person, rating): (&Person, &Rating)) -> Result<Response> {
        let visit = self.visit();
        if let Some(notice) = unusual::refuse(visit, &mut tx, (person, &self.progress), rating)? {
            notice.send(visit, &mut tx).await?;
        }
        tx.commit().await?;
        let (error, status) = (Some(MessageKey::SignInUnusual), StatusCode::FORBIDDEN);
        SignIn::new(self.way).page(&Attempt { error, status, ..Attempt::default() })
    }
}
