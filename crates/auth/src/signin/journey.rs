//! A flow with the parties to it, taken as far as it goes in one transaction (OpenID Connect Core §3.1.2).

use std::sync::Arc;

use serde_json::json;
use svc_core::{Error, OrInternal as _, OrganizationId, Result, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{Api, Sentence};
use svc_domain::apps::App;
use svc_domain::claims::assurance::Level;
use svc_domain::grants::codes::{self, Spent};
use svc_domain::grants::consents;
use svc_domain::grants::grant::{Authentication, AuthorizationGrant};
use svc_domain::grants::par;
use svc_domain::log::{Action, Meaning, record};
use svc_domain::organizations::Place;
use svc_domain::organizations::sign_in::Fit;
use svc_domain::people::intake::{Asking, Intake, Open, Owed};
use svc_domain::people::sessions::{self, Session};
use svc_domain::people::subjects;
use svc_domain::people::tenant_users::{self, Person};
use svc_http::Response;
use svc_keys::{base64url, digest, token};

use super::accepted::{self, Accepts};
use super::accounts::Accounts;
use super::acting;
use super::asked_in::asked_in;
use super::choices::Choices;
use super::demand;
use super::engine::{Step, Terms, first_step, next_step, refusal};
use super::floors;
use super::flow::{Flow, Offer};
use super::held::Held;
use super::leaving;
use super::methods;
use super::missing::Missing;
use super::offers;
use super::owed_address;
use super::pre_registration::Registration;
use super::progress::Progress;
use super::who::Who;
use crate::authorize::organization::{Wanted, Whereabouts, roles_for};
use crate::authorize::{PromptValue, Reply, details as authorization_details, narrowed};
use crate::hosted::Visit;

/// A flow, the browser that carries it, and who it is between.
#[derive(Clone)]
pub struct Journey<'a> {
    /// The browser.
    pub visit: &'a Visit,
    /// The flow.
    pub flow: Flow,
    /// The application.
    pub app: Arc<App>,
    /// The API that the tokens are for, unless that is the tenant itself.
    pub api: Option<Arc<Api>>,
    /// What people are asked for here.
    pub intake: Arc<Intake>,
    /// Which ways to sign in count.
    pub accepts: Accepts,
    /// Whether the reference of a pushed request is spent with the commit, where nothing is lost if that is refused.
    spends_with_commit: bool,
}

/// What the browser gets.
pub enum Next {
    /// A page.
    Ask(Step),
    /// Another sign-in, as this organization wants it.
    SignInAs(OrganizationId),
    /// The account chooser.
    Choose(Choices),
    /// The choice of an organization, or the page that says that there is none.
    Organization(Vec<Place>),
    /// What the person owes.
    Complete(Missing),
    /// The application's answer.
    Reply(Reply),
}

impl<'a> From<&'a Journey<'_>> for Registration<'a> {
    fn from(journey: &'a Journey<'_>) -> Self {
        let request = &journey.flow.request;
        Self { app: &journey.app, scope: &request.scope, audience: &request.audience }
    }
}

impl<'a> Journey<'a> {
    /// Opens the flow that a form or address brought back.
    pub async fn open(visit: &'a mut Visit, text: Option<&str>) -> Result<Self> {
        let flow: Flow = visit.open(text)?;
        visit.speak(flow.request.ui_locales.as_deref())?;
        Self::of(visit, flow).await
    }

    /// Finds the parties; what was checked when the flow began may have changed since.
    pub async fn of(visit: &'a Visit, mut flow: Flow) -> Result<Self> {
        let (tenant, services) = (&visit.host.tenant, &visit.host.app.services);
        let organization = flow.held_to();
        visit.dress(organization.as_deref()).await?;
        let request = &mut flow.request;
        let app = services.apps.find(tenant.id, &request.client.to_string()).await?;
        let may_go_on =
            |app: &Arc<App>| app.enabled && app.owns_redirect_uri(request.reply_to.redirect_uri());
        let app = app.filter(may_go_on);
        let app =
            app.ok_or_else(|| Error::invalid_request("the application has changed; start again there"))?;
        if let (Some(hinted), Some(_)) = (&request.hinted_subject, app.sector()) {
            let person = tenant_users::find_by_subject(&mut visit.host.read().await?, hinted).await?;
            request.hinted_subject =
                person.map(|person| person.subject).or_else(|| request.hinted_subject.take());
        }
        let api = services.apis.find(tenant, &request.audience).await?;
        if api.is_none() && request.audience != tenant.issuer {
            return Err(Error::invalid_target("the API has changed; start again at the application"));
        }
        let details = &flow.request.authorization_details;
        if !details.is_empty() && !authorization_details::is_enabled(&visit.host, &app) {
            return Err(authorization_details::not_offered());
        }
        authorization_details::check(details, &app, api.as_deref())?;
        let intake = services.intakes.of(tenant.id).await?;
        let accepts = Accepts::of(&visit.host, &app, organization.as_deref()).await?;
        Ok(Self { visit, flow, app, api, intake, accepts, spends_with_commit: false })
    }

    /// What is asked for in detail, as people read it.
    pub fn details(&self) -> Vec<Sentence> {
        let details = &self.flow.request.authorization_details;
        self.api.as_ref().and_then(|api| api.sentences(details)).unwrap_or_default()
    }

    /// A digest of the details, of how they are told and of who asks: an answer is held to it, and remembered by it.
    pub fn digest_of_details(&self) -> Result<Option<String>> {
        let details = &self.flow.request.authorization_details;
        if details.is_empty() {
            return Ok(None);
        }
        let lines: Vec<String> = self.details().iter().map(Sentence::to_string).collect();
        let all = serde_json::to_string(&(details, lines, &self.app.configuration));
        Ok(Some(base64url(digest(&all.or_internal()?).0)))
    }

    /// A digest of what an application that registered itself says of itself now: an answer is held to what the page showed.
    pub fn digest_of_application(&self) -> Result<Option<String>> {
        if !self.app.is_self_registered() {
            return Ok(None);
        }
        let said = serde_json::to_string(&self.app.configuration);
        Ok(Some(base64url(digest(&said.or_internal()?).0)))
    }

    /// The API that the flow is about, as consents have it.
    pub fn stored_audience(&self) -> &str {
        self.visit.host.tenant.stored_audience(&self.flow.request.audience)
    }

    /// Goes on from where the flow stands, with the session of a browser with one account where it was read already. Without a
    /// session cookie nothing is read or written.
    pub async fn resume(mut self, known: Option<Session>) -> Result<Response> {
        if !self.visit.has_session() {
            return self.show(self.begin(), None).await;
        }
        let mut tx = self.visit.host.begin().await?;
        self.spends_with_commit = true;
        let (next, session) = match known {
            Some(session) => (self.advance(&mut tx, Some(&session), None).await?, Some(session)),
            None => self.next(&mut tx, None).await?,
        };
        if let Some(session) = &session {
            sessions::touch(&mut tx, self.visit.cx(), session);
        }
        match tx.commit().await {
            Err(_) if self.is_answered().await? => self.answer(&self.answered_before()).await,
            Err(error) => Err(error),
            Ok(()) => self.show(next, session.as_ref()).await,
        }
    }

    /// Whether the request was pushed, and has got its code in another browser.
    async fn is_answered(&self) -> Result<bool> {
        match &self.flow.request.reference {
            Some(reference) => par::is_spent(&mut self.visit.host.read().await?, digest(reference)).await,
            None => Ok(false),
        }
    }

    fn answered_before(&self) -> Reply {
        self.refuse(&Error::invalid_request_uri("this request has been answered before"))
    }

    /// The next page, or the code, for whose flow it is, and their session.
    pub async fn next(
        &self,
        tx: &mut Tx<Tenant>,
        allowed: Option<&Offer>,
    ) -> Result<(Next, Option<Session>)> {
        let accounts = Accounts::or_acting(self.visit, tx).await?;
        let who = self.who(tx, &accounts).await?;
        self.onward(tx, (&accounts, who), allowed).await
    }

    /// The same, where it is known already whose flow it is.
    pub async fn onward(
        &self,
        tx: &mut Tx<Tenant>,
        (accounts, who): (&Accounts, Who),
        allowed: Option<&Offer>,
    ) -> Result<(Next, Option<Session>)> {
        let session = match who {
            Who::Unauthenticated => None,
            Who::One(session) => Some(*session),
            Who::Open => return Ok((self.choose(tx, accounts.sessions()).await?, None)),
        };
        Ok((self.advance(tx, session.as_ref(), allowed).await?, session))
    }

    /// The account chooser, where it may be shown.
    async fn choose<'s>(&self, tx: &mut Tx<Tenant>, live: impl Iterator<Item = &'s Session>) -> Result<Next> {
        match self.unless_silent(Step::SelectAccount) {
            Next::Ask(_) => Choices::of(self.visit, tx, live).await.map(Next::Choose),
            refused => Ok(refused),
        }
    }

    /// The next page, or the code, for the person of a session. `allowed` is what they were shown and have just consented to.
    pub async fn advance(
        &self,
        tx: &mut Tx<Tenant>,
        session: Option<&Session>,
        allowed: Option<&Offer>,
    ) -> Result<Next> {
        let Some(session) = session else { return Ok(self.begin()) };
        let request = &self.flow.request;
        let whereabouts = self.whereabouts(tx, session).await?;
        let place = whereabouts.place();
        let roles = roles_for(&self.visit.host.tenant, &request.audience, &session.person, place);
        let scope = narrowed(&request.scope, self.api.as_deref(), roles);
        let claims = request.claims.within(&self.app.configuration.scope);
        let details = self.digest_of_details()?;
        let (remembered, has_details) = self.remembered(tx, &session.person, details.as_deref()).await?;
        let (app, now) = (&self.visit.host.app, self.visit.cx().now);
        let there = accepted::fit(app, tx, &session.authentication, (place, now)).await?;
        let is_taken = accepted::is_taken_by(&self.app, app, &session.authentication);
        let reached = Level::of(&session.authentication.acr);
        let open = self.owed_by(tx, session, place).await?;
        let terms = Terms {
            best: self.best(tx, session, reached).await?,
            strongest: methods::strongest(&self.visit.host),
            floor: demand::floor_of(&self.visit.host, &self.app, (&session.person, &session.authentication)),
            takes_guests: self.takes_guests(),
            is_named: self.is_named(tx, &session.person).await?,
            owes_address: owed_address::is_owed_by(
                &self.visit.host,
                (&session.person, &session.authentication),
            ),
            whereabouts: &whereabouts,
            is_taken,
            fit: if is_taken { there } else { Fit::Other },
            was_held: there != Fit::Other || place.is_some_and(|place| self.is_held_to(place.id)),
            owed: open.as_ref().map_or(Owed::Nothing, |open| open.owed),
            scope: &scope.union(&claims.beyond(&scope)),
            is_stranger: remembered.is_none(),
            remembered: &remembered.unwrap_or_default(),
            details: details.as_deref(),
            has_details,
            allowed,
            is_first_party: self.app.configuration.first_party,
        };
        let step = match &session.authentication.acting {
            Some(acting) => Box::pin(acting::next(self, tx, (session, acting), &terms)).await?,
            None => next_step(&self.flow, Some(session), &terms, now),
        };
        match step {
            Step::Done => self.grant(tx, session, (scope, place)).await.map(Next::Reply),
            Step::SelectOrganization | Step::NoOrganization if !request.prompt.has(PromptValue::None) => {
                let places = if let Whereabouts::Open(places) = whereabouts { places } else { Vec::new() };
                Ok(Next::Organization(places))
            }
            Step::SelectAccount => self.choose(tx, [session].into_iter()).await,
            step @ Step::SignIn => Ok(match (self.unless_silent(step), place) {
                // The organization of the person who gives way says nothing of the one who comes.
                (Next::Ask(_), Some(place)) if there == Fit::Other && !self.is_for_another() => {
                    Next::SignInAs(place.id)
                }
                (next, _) => next,
            }),
            step @ Step::Complete => Ok(match (self.unless_silent(step), open) {
                (Next::Ask(_), Some(open)) => Next::Complete(Missing::of(&open, self.visit.locale.as_str())),
                (next, _) => next,
            }),
            step => Ok(self.unless_silent(step)),
        }
    }

    /// What the person has allowed the application before: scopes, if any, and whether these very details. Of one of the tenant's own
    /// nothing is remembered.
    async fn remembered(
        &self,
        tx: &mut Tx<Tenant>,
        person: &Person,
        details: Option<&str>,
    ) -> Result<(Option<Scope>, bool)> {
        if self.app.configuration.first_party {
            return Ok((None, false));
        }
        let (app, audience) = (self.app.id, self.stored_audience());
        consents::rely_on(tx, person.id, app);
        let scope = consents::find(tx, person.id, app, audience).await?;
        let has_details = match details {
            Some(details) => consents::has_details(tx, person.id, app, (audience, details)).await?,
            None => false,
        };
        Ok((scope, has_details))
    }

    /// What the person owes. Guests owe nothing, and support staff accept nothing for a person.
    async fn owed_by(
        &self,
        tx: &mut Tx<Tenant>,
        session: &Session,
        place: Option<&Place>,
    ) -> Result<Option<Open<'_>>> {
        if self.intake.is_empty() || session.person.is_guest() || session.is_acting() {
            return Ok(None);
        }
        let (whose, leads_to) = ((&session.person, session.id), place.map(|place| place.id));
        let organizations = asked_in(tx, &self.intake, whose, leads_to).await?;
        let standing = self.intake.standing(tx, &session.person).await?;
        let (application, now) = (Some(self.app.id), self.visit.cx().now);
        let asking = Asking { application, organizations: &organizations, now };
        Ok(Some(self.intake.open((&session.person, &standing), asking)))
    }

    /// The strongest sign-in that makes sense to ask this person for: for a preference that the application can do without, what they
    /// have set up.
    async fn best(
        &self,
        tx: &mut Tx<Tenant>,
        session: &Session,
        reached: Option<Level>,
    ) -> Result<Option<Level>> {
        let (best, assurance) = (methods::strongest(&self.visit.host), &self.flow.request.assurance);
        if assurance.is_empty() || assurance.is_essential() || reached >= best {
            return Ok(best);
        }
        if session.person.is_guest() {
            return Ok(None);
        }
        let whose = (session.person.account_id, session.person.password.is_some());
        let progress = Progress::of_session(session);
        let held = Held::read(tx, self.visit, whose, &progress).await?;
        Ok(held.best(&self.visit.host, &progress))
    }

    /// Where the tokens would count. Where no page may be shown, the last choice within the session stands.
    pub async fn whereabouts(&self, tx: &mut Tx<Tenant>, session: &Session) -> Result<Whereabouts> {
        let (host, request) = (&self.visit.host, &self.flow.request);
        let last = session.organization.filter(|_| request.prompt.has(PromptValue::None));
        let wanted =
            Wanted { named: request.organization.as_deref(), chosen: self.flow.organization.or(last) };
        let (between, at) = ((&*self.app, &session.person), (&host.app.config, &*host.tenant));
        Whereabouts::find(tx, at, between, &wanted).await
    }

    /// Whether guests may come: the application takes them, and does not insist on a proof.
    pub fn takes_guests(&self) -> bool {
        let asked = &self.flow.request.assurance;
        offers::guests(&self.visit.host, &self.app) && asked.is_met_by(None)
    }

    /// Whether a newcomer may register by a mailed code: not where every sign-in must prove more than such a code, or begins otherwise.
    pub fn registers_by_code(&self) -> bool {
        let (host, asked) = (&self.visit.host, &self.flow.request.assurance);
        let demanded = floors::floor(host).max(floors::strict_floor(host, Some(&self.app)));
        let is_taken = self.accepts.takes(host, &methods::email_otp::METHOD);
        offers::sign_up_by_code(host) && is_taken && demanded.is_none() && asked.is_met_by(Some(Level::Aal1))
    }

    /// Whether another person is to go on than the one who is signed in: an account that is still to be made is never theirs.
    fn is_for_another(&self) -> bool {
        let flow = &self.flow;
        let has_come = flow.signed_in.is_some() || flow.led.is_some();
        flow.for_another || (flow.request.prompt.has(PromptValue::Create) && !has_come)
    }

    /// Where a person begins who is not signed in.
    fn begin(&self) -> Next {
        self.unless_silent(first_step(&self.flow.request, methods::strongest(&self.visit.host)))
    }

    /// Whether the person is one of those whom the request is about. Only the subject by which this application knows them
    /// counts: with another sector's it could find out who is who.
    pub async fn is_named(&self, tx: &mut Tx<Tenant>, person: &Person) -> Result<bool> {
        let named = &self.flow.request.subjects;
        if named.is_empty() {
            return Ok(true);
        }
        let subject = subjects::find(tx, person, &self.app).await?;
        Ok(subject.is_some_and(|subject| named.contains(&subject)))
    }

    /// Sends the answer that request and session lead to.
    pub async fn answer(&self, reply: &Reply) -> Result<Response> {
        let is_silent = self.flow.request.prompt.has(PromptValue::None);
        leaving::send(self.visit, &self.app, reply, is_silent).await
    }

    /// The answer that tells the application no.
    pub fn refuse(&self, error: &Error) -> Reply {
        self.flow.request.reply_to.refuse(&self.visit.host.tenant.issuer, error)
    }

    /// The answer that the person says no. It answers a pushed request as a code does; said twice it is the same.
    pub async fn deny(&self, tx: &mut Tx<Tenant>, why: &str) -> Result<Reply> {
        if let Some(reference) = &self.flow.request.reference {
            par::spend(tx, digest(reference)).await?;
        }
        Ok(self.refuse(&Error::access_denied(why)))
    }

    /// A page, where one may be shown.
    fn unless_silent(&self, step: Step) -> Next {
        match refusal(&step, &self.flow.request) {
            Some(error) => Next::Reply(self.refuse(&error)),
            None => Next::Ask(step),
        }
    }

    async fn grant(
        &self,
        tx: &mut Tx<Tenant>,
        session: &Session,
        (mut scope, place): (Scope, Option<&Place>),
    ) -> Result<Reply> {
        if session.is_acting() {
            // Nothing outlives the session in which support staff act.
            scope.retain(|token| token != "offline_access");
        }
        let request = &self.flow.request;
        let cx = self.visit.cx().acting_as(session.actor());
        let mut facts = json!({ "scope": scope, "audience": request.audience, "session_id": session.id });
        authorization_details::add_to(&mut facts, &request.authorization_details);
        if let (Some(place), Some(facts)) = (place, facts.as_object_mut()) {
            facts.insert("organization_id".to_owned(), json!(place.id));
        }
        match request.reference.as_deref().map(digest) {
            Some(reference) if self.spends_with_commit => par::spend_with_commit(tx, reference),
            Some(reference) if !par::spend(tx, reference).await? => return Ok(self.answered_before()),
            _ => {}
        }
        let code = token(&*cx.entropy);
        let grant = AuthorizationGrant {
            redirect_uri: request.reply_to.redirect_uri().to_owned(),
            code_challenge: request.code_challenge.clone(),
            nonce: request.nonce.clone(),
            scope,
            audience: request.audience.clone(),
            authentication: Authentication {
                acr: request.assurance.reported(&session.authentication.acr).to_owned(),
                ..session.authentication.clone()
            },
            dpop_jkt: request.dpop_jkt.clone(),
            x5t_s256: None,
            authorization_details: request.authorization_details.clone(),
            claims: request.claims.clone(),
            actor: session.authentication.act(),
            organization: place.map(|place| place.id),
        };
        let new = Spent { app: self.app.id, person: session.person.id, family: cx.id(), grant };
        let lifetime = self.visit.config().oidc.authorization_code_lifetime_secs;
        codes::create(tx, &cx, digest(&code), &new, lifetime)?;
        record(tx, &cx, Meaning::done(Action::AuthorizationGranted, self.app.id).with(facts));
        Ok(request.reply_to.grant(&self.visit.host.tenant.issuer, &code))
    }
}
