//! The pages of a flow: sign-in, account chooser, consent (OpenID Connect Core §3.1.2.3, §3.1.2.4).

use svc_core::{Result, Scope};
use svc_domain::organizations::Place;
use svc_domain::people::accounts::Email;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;
use svc_http::{Response, StatusCode};

use super::attempt::Attempt;
use super::called::account_of;
use super::ceremony::{SignIn, Way};
use super::choices::Choices;
use super::engine::Step;
use super::flow::{Flow, Offer};
use super::journey::{Journey, Next};
use super::leaving::destination;
use super::offers;
use super::sso;
use crate::authorize::PromptValue;
use crate::hosted::captcha;
use crate::hosted::paths::{ACCESS, CONSENT, CONTINUE, FORGOT, SELECT_ACCOUNT, SELECT_ORGANIZATION, SIGN_UP};
use crate::pages::{
    App, Consent, Form, Link, MessageKey, Organization, Page, Register, RequestedAccess, SelectAccount,
    SelectOrganization, Sentences, SignIn as SignInForm,
};

/// What was typed into the form of self-registration, and what was wrong with it.
#[derive(Default)]
pub struct Draft<'a> {
    /// The address.
    pub email: &'a str,
    /// What was wrong.
    pub error: Option<MessageKey>,
    /// What led here.
    pub notice: Option<MessageKey>,
    /// The status.
    pub status: StatusCode,
}

/// What a page of sign-in says to the guest of a session.
pub fn to_guest(person: Option<&Person>) -> Option<MessageKey> {
    person.filter(|person| person.is_guest()).map(|_| MessageKey::HereAsGuest)
}

impl Next {
    /// The same; consent is asked with the name of the organization in which the tokens would count.
    pub fn counting_in(self, place: Option<&Place>) -> Self {
        match self {
            Self::Ask(Step::Consent(missing)) => {
                Self::Consent(missing, place.map(|place| place.name.clone()))
            }
            next => next,
        }
    }
}

impl Journey<'_> {
    /// What comes next, as a response.
    pub async fn show(&self, next: Next, session: Option<&Session>) -> Result<Response> {
        let notice = to_guest(session.map(|session| &session.person));
        match (next, session) {
            (Next::Reply(reply), _) => self.answer(&reply).await,
            (Next::Choose(choices), _) => self.account_page(&choices),
            (Next::Complete(missing), Some(session)) => self.complete(session, missing),
            (Next::Organization(places), Some(session)) => self.organization_page(session, &places),
            (Next::Consent(missing, organization), Some(session)) => {
                self.consent_page(&missing, organization.as_deref(), &session.person)
            }
            (Next::Ask(step @ (Step::ProveMore | Step::SecondFactor)), Some(session)) => {
                let mut journey = self.clone();
                journey.flow.second_factor |= step == Step::SecondFactor;
                let signin = SignIn::step_up(Way::Flow(Box::new(journey)), session).await?;
                if let Some(connection) = Box::pin(signin.may_show_more(session)).await? {
                    let email = session.person.email.as_deref();
                    return Box::pin(signin.showing_more(&connection, email)).await;
                }
                let missing = signin.missing();
                if missing.is_empty() && !signin.progress.is_recent(self.visit.cx().now) {
                    // Who is to set something up signs in first, where that is long ago.
                    return Box::pin(self.first_page(Some(MessageKey::SignInAgain))).await;
                }
                if missing.is_empty() {
                    return self.sign_in_page(&Attempt { error: signin.falls_short(), ..Attempt::default() });
                }
                signin.ask_more_of(&session.person, &missing).await
            }
            (Next::SignInAs(organization), _) => {
                let journey = Box::pin(self.clone().wanted_by(organization)).await?;
                Box::pin(journey.first_page(notice)).await
            }
            _ if self.flow.request.prompt.has(PromptValue::Create) && self.registers() => {
                self.sign_up_page(&Draft { notice, ..Draft::default() })
            }
            _ => Box::pin(self.first_page(notice)).await,
        }
    }

    /// The sign-in form, or the way to the provider that alone leads in.
    async fn first_page(&self, notice: Option<MessageKey>) -> Result<Response> {
        let (named, hint) = (self.flow.held_to(), self.flow.request.login_hint.as_deref());
        let wanted = (named.as_deref(), self.accepts.is_sso_alone());
        match sso::of_request(&self.visit.host, wanted, hint).await? {
            Some(connection) => {
                SignIn::new(Way::Flow(Box::new(self.clone()))).offering(&connection, hint).await
            }
            None => self.sign_in_page(&Attempt { notice, ..Attempt::default() }),
        }
    }

    /// The sign-in form.
    pub fn sign_in_page(&self, attempt: &Attempt<'_>) -> Result<Response> {
        SignIn::new(Way::Flow(Box::new(self.clone()))).page(attempt)
    }

    /// The sign-in form with what this flow adds to it.
    pub fn sign_in_form(&self, status: StatusCode, form: SignInForm) -> Result<Response> {
        let flow = self.visit.seal(&self.flow)?;
        let hint = self.flow.request.login_hint.as_deref().unwrap_or_default();
        let with_flow = |path: &str| Link::from(format!("{path}?flow={flow}"));
        let username = if form.username == "".into() { hint.into() } else { form.username };
        let forgot_url = offers::recovery(&self.visit.host)
            .then(|| self.address_with(FORGOT, username.as_str()).map(Link::from))
            .transpose()?
            .or_else(|| offers::only_guardians(&self.visit.host).map(Link::from));
        let may_switch = self.flow.led.is_some() || form.is_second;
        let switch_url = may_switch.then(|| self.switch_account_url().map(Link::from));
        let page = SignInForm {
            switch_url: switch_url.transpose()?,
            username,
            app_name: Some((&self.app.configuration.name).into()),
            register_url: (self.registers() && !form.is_second).then(|| with_flow(SIGN_UP)),
            forgot_url,
            ..form
        };
        self.page(status, &page)
    }

    /// The address of another form of this flow, which starts with what was typed on this one.
    pub fn address_with(&self, path: &str, typed: &str) -> Result<String> {
        let typed = (!typed.is_empty()).then(|| typed.to_owned());
        Ok(format!("{path}?flow={}", self.visit.seal(&Flow { typed, ..self.flow.clone() })?))
    }

    /// The form of self-registration.
    pub fn sign_up_page(&self, draft: &Draft<'_>) -> Result<Response> {
        let configuration = &self.app.configuration;
        // A hint may be a user name, too, with which no one registers.
        let hint = self.flow.request.login_hint.as_deref().filter(|hint| Email::parse(hint).is_ok());
        let page = Register {
            form: Form::new(SIGN_UP, self.visit.seal(&self.flow)?)
                .with(draft.error)
                .asking(captcha::widget(self.visit)),
            notice: draft.notice,
            by_code: self.registers_by_code(),
            chooses_password: self.chooses_password(),
            email: Some(draft.email).filter(|typed| !typed.is_empty()).or(hint).unwrap_or_default().into(),
            app_name: Some((&configuration.name).into()),
            signin_url: Some(self.sign_in_url()?.into()),
            policy_url: configuration.policy_uri.as_ref().map(Into::into),
            tos_url: configuration.tos_uri.as_ref().map(Into::into),
        };
        self.page(draft.status, &page)
    }

    /// The address of the sign-in form of this flow, for a person who has an account already.
    pub fn sign_in_url(&self) -> Result<String> {
        let mut flow = self.flow.clone();
        if flow.request.prompt.has(PromptValue::Create) {
            flow.request.prompt.remove(PromptValue::Create);
            flow.request.prompt.add(PromptValue::Login);
        }
        Ok(format!("{CONTINUE}?flow={}", self.visit.seal(&flow)?))
    }

    /// A page whose form may lead back to the application.
    pub fn page<P: Page>(&self, status: StatusCode, page: &P) -> Result<Response> {
        self.visit.page_as(status, page, Some(self.flow.request.reply_to.redirect_uri()))
    }

    fn consent_page(&self, missing: &Scope, organization: Option<&str>, person: &Person) -> Result<Response> {
        let offer = Offer {
            person: person.id,
            scope: missing.clone(),
            details: self.digest_of_details()?,
            application: self.digest_of_application()?,
        };
        let flow =
            self.visit.seal(&Flow { offer: Some(offer), person: Some(person.id), ..self.flow.clone() })?;
        let identity: Scope = ["openid"].into_iter().collect();
        let is_for_nothing = missing.is_empty() && self.flow.request.authorization_details.is_empty();
        let told = if is_for_nothing { &identity } else { missing };
        let page = Consent {
            form: Form::new(CONSENT, flow),
            app: App::of(&self.app),
            account: account_of(person).into(),
            switch_url: Some(self.switch_account_url()?.into()),
            asked: RequestedAccess::at(self.api.as_deref(), told, Sentences(self.details())),
            organization: organization.map(Into::into),
            destination: destination(self.flow.request.reply_to.redirect_uri()).into(),
            access_url: Some(ACCESS.into()),
        };
        self.page(StatusCode::OK, &page)
    }

    fn account_page(&self, choices: &Choices) -> Result<Response> {
        let page = SelectAccount {
            form: Form::new(SELECT_ACCOUNT, self.visit.seal(&self.flow)?),
            app_name: Some((&self.app.configuration.name).into()),
            purpose: None,
            accounts: choices.accounts(),
        };
        self.page(StatusCode::OK, &page)
    }

    fn organization_page(&self, session: &Session, places: &[Place]) -> Result<Response> {
        let flow = Flow { person: Some(session.person.id), ..self.flow.clone() };
        let page = SelectOrganization {
            form: Form::new(SELECT_ORGANIZATION, self.visit.seal(&flow)?),
            app_name: Some((&self.app.configuration.name).into()),
            account: account_of(&session.person).into(),
            switch_url: Some(self.switch_account_url()?.into()),
            organizations: Organization::choices(places, session.organization),
            is_named: self.flow.request.organization.is_some(),
        };
        self.page(StatusCode::OK, &page)
    }

    /// The way to go on as another person than the present one: by a choice where several are signed in, else by a new sign-in.
    pub(super) fn switch_account_url(&self) -> Result<String> {
        // What the present person has chosen, what an organization of theirs demands, and an identity that waits for their proof say
        // nothing of another one.
        let mut flow = Flow {
            signed_in: None,
            person: None,
            selected: false,
            for_another: true,
            organization: None,
            led: None,
            second_factor: false,
            linking: None,
            ..self.flow.clone()
        };
        // The hint is at the present person, and may lead to their provider.
        flow.request.login_hint = None;
        let has_others = self.visit.browser.signed_in.has_others();
        flow.request.prompt.add(if has_others { PromptValue::SelectAccount } else { PromptValue::Login });
        Ok(format!("{CONTINUE}?flow={}", self.visit.seal(&flow)?))
    }
}
