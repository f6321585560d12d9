//! The pages of a flow: sign-in, account chooser, consent (OpenID Connect Core §3.1.2.3, §3.1.2.4).

use svc_core::{Result, Scope};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;
use svc_http::{Response, StatusCode};

use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::engine::Step;
use super::flow::{Flow, Offer};
use super::journey::{Journey, Next};
use super::offers;
use crate::authorize::Wish;
use crate::hosted::paths::{CONSENT, CONTINUE, FORGOT, SELECT_ACCOUNT, SIGN_UP};
use crate::pages::{
    Account, App, Consent, MessageKey, Page, Register, ScopeText, SelectAccount, SignIn as SignInForm,
};

/// What was typed into the form of self-registration, and what was wrong with it.
#[derive(Default)]
pub struct Draft<'a> {
    /// The address.
    pub email: &'a str,
    /// What was wrong.
    pub error: Option<MessageKey>,
    /// The status.
    pub status: StatusCode,
}

/// How a person is called on pages: by address, user name or name.
pub fn account_of(person: &Person) -> &str {
    let names = [&person.email, &person.username, &person.profile.name];
    names.into_iter().flatten().map(String::as_str).next().unwrap_or_default()
}

impl Journey<'_> {
    /// What comes next, as a response.
    pub fn show(&self, next: Next, session: Option<&Session>) -> Result<Response> {
        let step = match next {
            Next::Reply(reply) => return reply.send(self.visit),
            Next::Ask(step) => step,
        };
        match (step, session) {
            (Step::Consent(missing), Some(session)) => self.consent_page(&missing, &session.person),
            (Step::SelectAccount, Some(session)) => self.account_page(session),
            _ if self.flow.request.prompt.has(Wish::Create) && offers::sign_up(&self.visit.host) => {
                self.sign_up_page(&Draft::default())
            }
            _ => self.sign_in_page(&Attempt::default()),
        }
    }

    /// The sign-in form.
    pub fn sign_in_page(&self, attempt: &Attempt<'_>) -> Result<Response> {
        SignIn::new(Way::Flow(Box::new(self.clone()))).page(attempt)
    }

    /// The sign-in form with what this flow adds to it.
    pub fn sign_in_form(&self, status: StatusCode, form: &SignInForm<'_>) -> Result<Response> {
        let flow = self.visit.seal(&self.flow)?;
        let register_url = format!("{SIGN_UP}?flow={flow}");
        let forgot_url = format!("{FORGOT}?flow={flow}");
        let hint = self.flow.request.login_hint.as_deref().unwrap_or_default();
        let page = Page::SignIn(SignInForm {
            username: if form.username.is_empty() { hint } else { form.username },
            app_name: Some(&self.app.configuration.name),
            register_url: offers::sign_up(&self.visit.host).then_some(&*register_url),
            forgot_url: offers::recovery(&self.visit.host).then_some(&*forgot_url),
            ..form.clone()
        });
        self.page(status, &page)
    }

    /// The form of self-registration.
    pub fn sign_up_page(&self, draft: &Draft<'_>) -> Result<Response> {
        let flow = self.visit.seal(&self.flow)?;
        let signin_url = self.sign_in_url()?;
        let configuration = &self.app.configuration;
        let page = Page::Register(Register {
            action: SIGN_UP,
            flow: &flow,
            email: draft.email,
            error: draft.error,
            app_name: Some(&configuration.name),
            signin_url: Some(&signin_url),
            policy_url: configuration.policy_uri.as_deref(),
            tos_url: configuration.tos_uri.as_deref(),
        });
        self.page(draft.status, &page)
    }

    /// The address of the sign-in form of this flow, for whoever would rather sign in than register.
    pub fn sign_in_url(&self) -> Result<String> {
        let mut flow = self.flow.clone();
        if flow.request.prompt.has(Wish::Create) {
            flow.request.prompt.remove(Wish::Create);
            flow.request.prompt.add(Wish::Login);
        }
        Ok(format!("{CONTINUE}?flow={}", self.visit.seal(&flow)?))
    }

    /// A page whose form may lead back to the application.
    pub fn page(&self, status: StatusCode, page: &Page<'_>) -> Result<Response> {
        self.visit.page_as(status, page, Some(self.flow.request.reply_to.redirect_uri()))
    }

    fn consent_page(&self, missing: &Scope, person: &Person) -> Result<Response> {
        let offer =
            Some(Offer { person: person.id, scope: missing.clone(), details: self.digest_of_details()? });
        let flow = self.visit.seal(&Flow { offer, ..self.flow.clone() })?;
        let switch_url = self.as_somebody_else()?;
        let described = |name| ScopeText { name, description: self.description_of(name) };
        let scopes: Vec<_> = missing.iter().map(described).collect();
        let configuration = &self.app.configuration;
        // Whoever is known by an address is shown with it: the name alone is what they say of themselves.
        let document = self.app.is_document().then_some(self.app.handle.as_str());
        let page = Page::Consent(Consent {
            action: CONSENT,
            flow: &flow,
            app: App {
                name: &configuration.name,
                logo_url: configuration.logo_uri.as_deref(),
                home_url: configuration.client_uri.as_deref().or(document),
                policy_url: configuration.policy_uri.as_deref(),
                tos_url: configuration.tos_uri.as_deref(),
            },
            account: account_of(person),
            switch_url: Some(&switch_url),
            scopes: &scopes,
            details: &self.details(),
        });
        self.page(StatusCode::OK, &page)
    }

    fn account_page(&self, session: &Session) -> Result<Response> {
        let flow = self.visit.seal(&self.flow)?;
        let value = session.id.to_string();
        let name = session.person.profile.name.as_deref().unwrap_or_default();
        let page = Page::SelectAccount(SelectAccount {
            action: SELECT_ACCOUNT,
            flow: &flow,
            app_name: Some(&self.app.configuration.name),
            accounts: &[Account { value: &value, name, detail: account_of(&session.person) }],
        });
        self.page(StatusCode::OK, &page)
    }

    /// The way to sign in as another person than the present one.
    fn as_somebody_else(&self) -> Result<String> {
        let mut flow = Flow { signed_in: None, ..self.flow.clone() };
        flow.request.prompt.add(Wish::Login);
        Ok(format!("{CONTINUE}?flow={}", self.visit.seal(&flow)?))
    }

    fn description_of(&self, scope: &str) -> Option<&str> {
        let scopes = self.api.as_ref().map(|api| &api.configuration.scopes)?;
        let found = scopes.iter().find(|known| known.name == scope)?;
        Some(found.description.as_str()).filter(|text| !text.is_empty())
    }
}
