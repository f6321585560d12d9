//! A flow with the parties to it, taken as far as it goes in one transaction (OpenID Connect Core §3.1.2).

use std::sync::Arc;

use serde_json::json;
use svc_core::{Error, OrInternal as _, OrganizationId, Result, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{Api, Sentence};
use svc_domain::apps::App;
use svc_domain::claims::assurance::Level;
use svc_domain::grants::codes::{self, Spent};
use svc_domain::grants::grant::{Authentication, AuthorizationGrant};
use svc_domain::grants::par;
use svc_domain::log::{Action, Meaning, record};
use svc_domain::organizations::Place;
use svc_domain::people::intake::Intake;
use svc_domain::people::sessions::{self, Session};
use svc_domain::people::subjects;
use svc_domain::people::tenant_users::{self, Person};
use svc_http::Response;
use svc_keys::{base64url, digest, token};

use super::accepted::Accepts;
use super::accounts::Accounts;
use super::choices::Choices;
use super::engine::{Step, first_step, refusal};
use super::floors;
use super::flow::{Flow, Offer};
use super::leaving;
use super::methods;
use super::missing::Missing;
use super::offers;
use super::pre_registration::Registration;
use super::who::Who;
use crate::authorize::organization::{Member, Wanted, Whereabouts};
use crate::authorize::{PromptValue, Reply, details as authorization_details};
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
    /// Consent to these scopes, with the name of the organization in which the tokens would count.
    Consent(Scope, Option<String>),
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
    pub(super) async fn choose<'s>(
        &self,
        tx: &mut Tx<Tenant>,
        live: impl Iterator<Item = &'s Session>,
    ) -> Result<Next> {
        match self.unless_silent(Step::SelectAccount) {
            Next::Ask(_) => Choices::of(self.visit, tx, live).await.map(Next::Choose),
            refused => Ok(refused),
        }
    }

    /// Where the tokens would count. Where no page may be shown, the last choice within the session stands.
    pub async fn whereabouts(&self, tx: &mut Tx<Tenant>, session: &Session) -> Result<Whereabouts> {
        let (host, request) = (&self.visit.host, &self.flow.request);
        let last = session.organization.filter(|_| request.prompt.has(PromptValue::None));
        let wanted =
            Wanted { named: request.organization.as_deref(), chosen: self.flow.organization.or(last) };
        let (mut member, at) = (Member::of(&session.person), (&host.app.config, &*host.tenant));
        let between = (&*self.app, &mut member);
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

    /// Where a person begins who is not signed in.
    pub(super) fn begin(&self) -> Next {
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
    pub(super) fn unless_silent(&self, step: Step) -> Next {
        match refusal(&step, &self.flow.request) {
            Some(error) => Next::Reply(self.refuse(&error)),
            None => Next::Ask(step),
        }
    }

    /// The code, with the grant that it stands for.
    pub(super) async fn grant(
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
