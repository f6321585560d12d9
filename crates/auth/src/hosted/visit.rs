//! One call of a browser to the hosted pages: its cookies, language and look, and the answers that it can be given.

use svc_config::Config;
use svc_core::{Cx, Digest, Error, Result};
use svc_domain::people::sessions::Lifetimes;
use svc_http::{
    Cookies, Form, HeaderMap, HeaderValue, HostCx, IntoResponse, OauthError, PageResponse, Params, Problem,
    Refusal, Response, StatusCode, Uri, form_target, header,
};
use svc_keys::token;

use super::browser::Browser;
use super::posted::{is_foreign, text};
use super::sealed::{Carried, Envelope};
use crate::pages::{Branding, ErrorPage, Locale, Look, Page, Pages};

/// A call to a hosted page.
pub struct Visit {
    /// The tenant's host, and the call.
    pub host: HostCx,
    /// The cookies.
    pub browser: Browser,
    /// The language.
    pub locale: Locale,
    /// The tenant's look.
    pub branding: Branding,
    /// What the browser calls itself.
    pub user_agent: String,
    accept_language: String,
    is_foreign: bool,
}

impl Visit {
    /// Reads what the browser sent.
    pub fn new(host: HostCx, headers: &HeaderMap) -> Result<Self> {
        let issuer = &host.tenant.issuer;
        let session_cookie = &host.app.config.session_cookie.name;
        let browser = Browser::of(&Cookies::of(headers), session_cookie, issuer, &*host.cx.entropy);
        let settings = &host.tenant.settings;
        // Settings are checked where they are stored; a page must come out all the same.
        let branding =
            Branding::new(&host.tenant.name, settings.logo_uri.as_deref(), settings.accent.as_deref())
                .or_else(|_| Branding::new(&host.tenant.name, None, None))?;
        let accept_language = text(headers, &header::ACCEPT_LANGUAGE);
        let locale = host.app.part::<Pages>()?.negotiate(None, Some(&accept_language));
        Ok(Self {
            browser,
            locale,
            branding,
            user_agent: text(headers, &header::USER_AGENT),
            accept_language,
            is_foreign: is_foreign(headers, issuer),
            host,
        })
    }

    /// The call.
    pub fn cx(&self) -> &Cx {
        &self.host.cx
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.host.app.config
    }

    /// Templates and catalogues.
    pub fn pages(&self) -> Result<&Pages> {
        self.host.app.part::<Pages>()
    }

    /// How long sessions live.
    pub fn lifetimes(&self) -> Lifetimes {
        let cookie = &self.config().session_cookie;
        Lifetimes { idle: cookie.idle_lifetime_secs, absolute: cookie.absolute_lifetime_secs }
    }

    /// Takes the languages that the application wishes into account.
    pub fn speak(&mut self, ui_locales: Option<&str>) -> Result<()> {
        self.locale = self.pages()?.negotiate(ui_locales, Some(&self.accept_language));
        Ok(())
    }

    /// Refuses a form that another site sent; the binding to the browser's cookie refuses it too.
    fn refuse_foreign_forms(&self) -> Result<()> {
        if self.is_foreign { Err(Error::forbidden("this form was sent from another site")) } else { Ok(()) }
    }

    /// The form that one of our own pages sent.
    pub fn own_form(&self, form: Result<Form, OauthError>) -> Result<Params> {
        self.refuse_foreign_forms()?;
        form.map(|Form(params)| params).map_err(|OauthError(error)| error)
    }

    /// The hidden state of a form on a page for this browser.
    pub fn seal<T: Carried>(&self, content: &T) -> Result<String> {
        self.envelope().seal(content)
    }

    /// The hidden state that came back.
    pub fn open<T: Carried>(&self, text: Option<&str>) -> Result<T> {
        self.envelope().open(text)
    }

    /// What a cookie of this tenant carries: the cookie itself is what makes it this browser's.
    pub fn seal_for_cookie<T: Carried>(&self, content: &T) -> Result<String> {
        Envelope { browser: Digest([0; 32]), ..self.envelope() }.seal(content)
    }

    /// What a cookie brought back, if it is ours and not too old.
    pub fn open_from_cookie<T: Carried>(&self, text: &str) -> Option<T> {
        Envelope { browser: Digest([0; 32]), ..self.envelope() }.open(Some(text)).ok()
    }

    /// A page with status 200, whose forms end here.
    pub fn page(&self, page: &Page<'_>) -> Result<Response> {
        self.page_as(StatusCode::OK, page, None)
    }

    /// A page; the redirects that follow its form may lead to the site of `target`.
    pub fn page_as(&self, status: StatusCode, page: &Page<'_>, target: Option<&str>) -> Result<Response> {
        let nonce = token(&*self.cx().entropy);
        let look = Look { locale: self.locale.clone(), branding: &self.branding, nonce: &nonce };
        let html = self.pages()?.render(&look, page)?;
        let form_action = target.and_then(form_target).into_iter().collect();
        let response = PageResponse { status, html, nonce, form_action };
        Ok((self.browser.introduce()?, response).into_response())
    }

    /// The answer, or the error page that stands for its failure.
    pub fn answer(&self, outcome: Result<Response>) -> Response {
        outcome.unwrap_or_else(|error| self.failure(error))
    }

    /// The page of an error: never a redirect.
    fn failure(&self, error: Error) -> Response {
        let class = error.class();
        if class.status() >= 500 {
            tracing::error!(request_id = self.cx().request_id, ?error, "a hosted page failed");
        }
        let page = Page::Error(ErrorPage {
            code: class.code(),
            detail: Some(error.detail()),
            request_id: &self.cx().request_id,
            retry_url: None,
        });
        let status = StatusCode::from_u16(class.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let Ok(mut response) = self.page_as(status, &page, None) else {
            return Problem::from(error).into_response();
        };
        if let Some(seconds) = error.wait() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Refusal::of(&error));
        response
    }

    fn envelope(&self) -> Envelope<'_> {
        Envelope {
            sealer: &self.host.app.services.forms,
            tenant: self.host.tenant.id,
            browser: self.browser.digest(),
            cx: self.cx(),
            login: self.config().oidc.login_transaction_lifetime_secs,
        }
    }
}

/// The query of a page.
pub fn query_of(uri: &Uri) -> Result<Params> {
    Params::parse(uri.query().unwrap_or_default())
}
