//! What follows a proof: the next step of the sign-in, the question whether to join, or the way in.

use svc_core::{OrInternal as _, Result, TenantUserId};
use svc_db::coordination::Once;
use svc_db::{Tenant, Tx};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::risk::Rating;
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Consequence;
use svc_http::{Response, StatusCode, see_other};
use svc_keys::{base64url, digest};

use super::accounts::Accounts;
use super::after_first_factor::{self, Gate};
use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::enter::enter;
use super::held::Held;
use super::join;
use super::methods::{Effect, Method, Proof, Shown, has_ended, may_enter};
use super::progress::{Evidence, Factor, LONGEST, Progress};
use super::rated::Rated;
use super::turned_away::TurnedAway;
use super::{second_factor, unusual};
use crate::hosted::mail;
use crate::pages::{Changed, MessageKey, Topic};

/// The mail to the owner about a proof that changes the account; `takes_over` where it takes away what another person may have chosen.
fn topic(proof: &Proof, takes_over: bool) -> Option<Topic> {
    match &proof.effect {
        Effect::AddsTotp(_) => Some(Topic::CredentialAdded(Changed::App)),
        Effect::AddsPasskey(created) => Some(Topic::CredentialAdded(Changed::of_passkey(created.passkey()))),
        _ => takes_over.then_some(Topic::HandedOver),
    }
}

impl SignIn<'_> {
    /// The page on which a person who is signed in proves what is missing; that they are asked is recorded.
    pub async fn ask_more_of(&self, person: &Person, missing: &[&'static Method]) -> Result<Response> {
        let visit = self.visit();
        let mut tx = visit.host.begin().await?;
        second_factor::asked(&mut tx, visit, Some(person.id), missing);
        tx.commit().await?;
        self.page(&Attempt { notice: Some(MessageKey::OneMoreStep), ..Attempt::default() })
    }

    /// Whether the step after a first proof is made for the first time, on any node: the browser still has the pages of earlier
    /// steps.
    pub async fn counts_once(&self) -> Result<bool> {
        let Some(since) = self.progress.since() else { return Ok(true) };
        let (visit, text) =
            (self.visit(), serde_json::to_string(&self.progress.without_trust()).or_internal()?);
        let browser = visit.browser.digest_as_text();
        let key = format!("step {browser} {}", base64url(digest(&text).0));
        let once = Once::between(key, since, visit.cx().now + LONGEST);
        visit.host.app.coordination.note(&once, visit.cx().now).await
    }

    /// Adds a proof, and asks for what is still missing, or lets the person in.
    pub async fn proven(self, method: &Method, proof: &Proof) -> Result<Response> {
        if self.way.recovers() {
            return Box::pin(self.recover_with(method, proof)).await;
        }
        if !self.accepts(method) {
            // A link that was mailed before, for example, does not come by the page.
            return self.not_accepted(None);
        }
        if !self.counts_once().await? {
            return Box::pin(self.came_late()).await;
        }
        let progress = self.with_proof(method, proof);
        let gate = match &progress {
            Some(progress) if !self.is_second() => after_first_factor::asked_about(&self, progress).await?,
            _ => Gate::Open,
        };
        if let Gate::Closed(error, status) = gate {
            // The proof was right all the same: right passwords lock no one out.
            let mut tx = self.visit().host.begin().await?;
            proof.clear(&mut tx, &self.visit().host);
            tx.commit().await?;
            let attempt = Attempt { error: Some(error), status, ..Attempt::default() };
            return SignIn::new(self.way).page(&attempt);
        }
        let progress = progress.map(|progress| progress.owing_factor(matches!(gate, Gate::AsksFactor)));
        Box::pin(self.settled(method, proof, progress)).await
    }

    /// Goes on where another tab has made the step before: for the person of this page, by the session that is there by now, or else
    /// from the beginning.
    async fn came_late(self) -> Result<Response> {
        let person = if self.progress.is_of_session() {
            self.signed_in(&mut self.visit().host.read().await?).await?
        } else {
            None
        };
        match (self.way, person) {
            (Way::Flow(mut journey), Some(person)) => {
                journey.flow.person = Some(person);
                journey.resume(None).await
            }
            (Way::Errand(_, errand), Some(_)) => Ok(see_other(&errand.url())),
            (way, None) => {
                let attempt = Attempt { error: Some(MessageKey::SignInAgain), ..Attempt::default() };
                SignIn::new(way).page(&attempt)
            }
        }
    }

    /// Whether something was proven before.
    fn is_second(&self) -> bool {
        self.progress.account().is_some()
    }

    /// Whether the person is still signed in here, where this adds to what a session has proven: with its end its proofs are over, and
    /// so are the pages that it has left open. Another session of the same person may have taken its place.
    async fn is_of_live_session(&self, tx: &mut Tx<Tenant>) -> Result<bool> {
        Ok(!self.progress.is_of_session() || self.signed_in(tx).await?.is_some())
    }

    /// The person who has proven something, if they are signed in in this browser.
    async fn signed_in(&self, tx: &mut Tx<Tenant>) -> Result<Option<TenantUserId>> {
        let accounts = Accounts::of(self.visit(), tx).await?;
        let mut people = accounts.sessions().map(|session| &session.person);
        let person = people.find(|person| Some(person.account_id) == self.progress.account());
        Ok(person.map(|person| person.id))
    }

    /// What is proven together with this; nothing where it is of another account.
    fn with_proof(&self, method: &Method, proof: &Proof) -> Option<Progress> {
        let Shown { factor, amr } = proof.shown.unwrap_or(Shown { factor: method.factor, amr: method.amr });
        let amr = amr.iter().map(|value| (*value).to_owned()).collect();
        let is_strong = proof.vouched.as_ref().is_some_and(|vouched| vouched.is_strong);
        let factor = if is_strong { Factor::FederatedTwice } else { factor };
        let (at, seen_at, credential) = (self.visit().cx().now, proof.seen_at, proof.credential());
        let evidence = Evidence { factor, amr, at, seen_at, credential };
        let progress = self.progress.with(proof.account.id, evidence)?;
        Some(progress.vouched_by(proof.vouched.clone()).by_connector(proof.connector))
    }

    /// Lets a proof take effect, and goes on with what it leads to, in one transaction.
    async fn settled(
        mut self,
        method: &Method,
        proof: &Proof,
        progress: Option<Progress>,
    ) -> Result<Response> {
        let (visit, is_second) = (self.visit(), self.is_second());
        let mut tx = visit.host.begin().await?;
        let takes_over = matches!(proof.effect, Effect::TakesOver)
            && changes::holds_credentials(&mut tx, &proof.account).await?;
        let is_live = self.is_of_live_session(&mut tx).await?;
        let settled = match progress {
            Some(_) if is_live => proof.settle(&mut tx, visit.cx(), (&visit.host, &self.progress)).await?,
            _ => None,
        };
        let (Some(candidate), Some(progress)) = (settled, progress) else {
            tx.rollback().await?;
            return self.not_admitted(method, proof).await;
        };
        self.take_in(&mut tx, (&candidate, method), progress).await?;
        if let Some(topic) = topic(proof, takes_over) {
            // What the sign-in leads to does not matter: it may go on elsewhere, and the change stays.
            mail::tell_owner(visit, &mut tx, &candidate.account, topic)?;
        }
        let judged = self.judged(&mut tx, (candidate.member.as_ref(), is_second)).await?;
        if let (Some(person), Some((rated, Consequence::Refuse))) = (&candidate.member, &judged) {
            let tx = self.without_handing_over(tx, proof).await?;
            return self.too_unusual(tx, (person, &rated.rating)).await;
        }
        if let Some((rated, _)) = &judged {
            self.progress = self.progress.with_rating(rated.clone());
        }
        if let Some(error) = self.falls_short() {
            let tx = self.without_handing_over(tx, proof).await?;
            return self.fell_short(tx, (method, proof, candidate.member.as_ref()), error).await;
        }
        self.lead_on(tx, candidate, judged.as_ref()).await
    }

    /// Goes on with what is proven now: by a first proof it is known what the person has.
    async fn take_in(
        &mut self,
        tx: &mut Tx<Tenant>,
        (candidate, method): (&Candidate, &Method),
        progress: Progress,
    ) -> Result<()> {
        let visit = self.visit();
        if self.is_second() {
            let member = candidate.member_id();
            second_factor::judged(tx, visit, (member, method.id), true);
        } else {
            let whose = (candidate.account.id, candidate.account.password.is_some());
            self.held = Held::read(tx, visit, whose, &progress).await?;
        }
        let is_trusted = progress.is_trusted() || self.held.trusts_browser;
        (self.progress, self.pending) = (progress.trusting(is_trusted), None);
        Ok(())
    }

    /// How unusual the sign-in is: rated once, with the first proof of a member.
    async fn judged(
        &self,
        tx: &mut Tx<Tenant>,
        (member, is_second): (Option<&Person>, bool),
    ) -> Result<Option<(Rated, Consequence)>> {
        match member.filter(|person| !is_second && !person.is_guest()) {
            Some(person) => unusual::judged(self.visit(), tx, (person, &self.progress)).await,
            None => Ok(None),
        }
    }

    /// Asks for what is still missing, lets a member in, or asks whether to join.
    async fn lead_on(
        self,
        mut tx: Tx<Tenant>,
        candidate: Candidate,
        judged: Option<&(Rated, Consequence)>,
    ) -> Result<Response> {
        let (visit, missing) = (self.visit(), self.missing());
        if let (Some(person), Some((rated, Consequence::Ask | Consequence::Tell))) =
            (&candidate.member, judged)
        {
            let is_asked = rated.asks && !missing.is_empty();
            unusual::noted(visit, &mut tx, (person, &rated.rating), is_asked);
        }
        match candidate.member {
            member if !missing.is_empty() => {
                second_factor::asked(&mut tx, visit, member.map(|member| member.id), &missing);
                tx.commit().await?;
                self.page(&Attempt { notice: Some(MessageKey::OneMoreStep), ..Attempt::default() })
            }
            Some(person) if person.may_sign_in() && self.owes_address(&candidate.account) => {
                tx.commit().await?;
                Box::pin(self.ask_for_address(&candidate.account)).await
            }
            Some(person) if person.may_sign_in() && self.owes_own_password() => {
                tx.commit().await?;
                self.lead_to_own_password()
            }
            Some(person) if person.may_sign_in() => enter(tx, self.way, &person, &self.progress).await,
            _ => {
                tx.commit().await?;
                join::page(&self, &candidate.account)
            }
        }
    }

    /// The transaction of a sign-in that is refused: nothing of the account goes with it.
    async fn without_handing_over(&self, tx: Tx<Tenant>, proof: &Proof) -> Result<Tx<Tenant>> {
        if !matches!(proof.effect, Effect::TakesOver) {
            return Ok(tx);
        }
        tx.rollback().await?;
        self.visit().host.begin().await
    }

    /// A right proof that lets its person in no further.
    fn turned_away<'p>(method: &Method, proof: &'p Proof, is_second: bool) -> TurnedAway<'p> {
        let amr = proof.shown.as_ref().map_or(method.amr, |shown| shown.amr);
        TurnedAway { method: method.id, factor: method.factor, amr, is_second, reason: "not_admitted" }
    }

    /// The page of a proof after which the person can prove no more, and which is not enough.
    async fn fell_short(
        self,
        mut tx: Tx<Tenant>,
        (method, proof, person): (&Method, &Proof, Option<&Person>),
        error: MessageKey,
    ) -> Result<Response> {
        let visit = self.visit();
        // What is refused is the sign-in: a second proof was right, and is recorded so already.
        let factor = self.progress.first().unwrap_or(method.factor);
        let refused = TurnedAway { factor, ..Self::turned_away(method, proof, false) };
        refused.record(&mut tx, visit, person)?;
        // What a right proof has cleared stays so: right passwords lock no one out.
        tx.commit().await?;
        SignIn::new(self.way).page(&Attempt { error: Some(error), ..Attempt::default() })
    }

    /// The page of a proof that opens nothing: the person may not enter, or the credential has changed meanwhile. It says no more
    /// than of a wrong proof, unless an earlier proof of this sign-in counts no more.
    async fn not_admitted(self, method: &Method, proof: &Proof) -> Result<Response> {
        let (visit, refused) = (self.visit(), Self::turned_away(method, proof, self.is_second()));
        let mut tx = visit.host.begin().await?;
        let candidate = changes::candidate(&mut tx, proof.account.id).await?;
        let person = candidate.as_ref().and_then(|candidate| candidate.member.as_ref());
        refused.record(&mut tx, visit, person)?;
        let is_live = self.is_of_live_session(&mut tx).await?;
        let has_ended = match candidate.as_ref().filter(|candidate| may_enter(&visit.host, candidate)) {
            Some(candidate) => has_ended(&mut tx, candidate, &self.progress).await?,
            None => false,
        };
        tx.commit().await?;
        let changed_at = candidate.map(|candidate| candidate.account.credentials_changed_at);
        let has_changed =
            changed_at.zip(self.progress.since()).is_some_and(|(changed_at, since)| since < changed_at);
        if has_changed || has_ended || !is_live {
            let attempt = Attempt { error: Some(MessageKey::SignInAgain), ..Attempt::default() };
            return SignIn::new(self.way).page(&attempt);
        }
        self.page(&Attempt { error: Some(MessageKey::WrongCredentials), ..Attempt::default() })
    }

    /// The page of a sign-in that is refused for its rating.
    async fn too_unusual(self, mut tx: Tx<Tenant>, (person, rating): (&Person, &Rating)) -> Result<Response> {
        let visit = self.visit();
        let error = match unusual::refuse(visit, &mut tx, (person, &self.progress), rating)? {
            Some(notice) => {
                notice.send(visit, &mut tx).await?;
                MessageKey::SignInUnusual
            }
            None => MessageKey::SignInUnusualUntold,
        };
        tx.commit().await?;
        let (error, status) = (Some(error), StatusCode::FORBIDDEN);
        SignIn::new(self.way).page(&Attempt { error, status, ..Attempt::default() })
    }
}
