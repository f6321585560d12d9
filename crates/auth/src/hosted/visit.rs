//! One call of a browser to the hosted pages: its cookies, language and look, and the answers that it can be given.

use std::sync::{Arc, OnceLock};

use svc_config::Config;
use svc_core::capability::Capability;
use svc_core::{AppId, Class, Cx, Digest, Error, OrganizationId, Result, Seconds};
use svc_domain::apps::App;
use svc_domain::people::sessions::Lifetimes;
use svc_domain::people::tenant_users::Person;
use svc_http::{
    Cookies, HeaderMap, HeaderValue, HostCx, IntoResponse, PageResponse, Params, Problem, Refusal, Response,
    StatusCode, Uri, Visitor, header, redirect_target, see_other,
};
use svc_keys::token;
use url::Url;

use super::acting::{ActingCookie, Stop};
use super::address::with_query;
use super::browser::Browser;
use super::captcha::widgets::sources;
use super::kept::Kept;
use super::paths::ACCOUNT;
use super::sealed::{Carried, Envelope, named_app};
use crate::pages::{
    Address, Branding, Data, ErrorPage, LANGUAGE, Locale, Look, MessageKey, Mismatch, Page, Pages,
};

/// A call to a hosted page.
pub struct Visit {
    /// The tenant's host, and the call.
    pub host: HostCx,
    /// The cookies.
    pub browser: Browser,
    /// The language.
    pub locale: Locale,
    /// The tenant's look, which mails have whatever the request names.
    pub branding: Branding,
    /// The organization for whose people the pages are, and its look.
    dressed: OnceLock<(OrganizationId, Branding)>,
    /// What the browser calls itself.
    pub user_agent: String,
    /// Whether a person follows a link here, as far as the browser says so: not a frame, not a script.
    pub is_navigation: bool,
    /// Whether a page of ours led here, as far as the browser says so.
    is_from_here: bool,
    accept_language: String,
    /// The address of the page; none where a form was sent, so that the page after it has an address of its own.
    address: Option<Address>,
    /// The language that the person chose, and whether that was just now.
    chosen: Option<(Locale, bool)>,
    remark: OnceLock<Remark>,
    /// For whom support staff act here, as the cookie says it.
    acting: OnceLock<Option<ActingCookie>>,
    /// Set when that is found to be over.
    acting_is_over: OnceLock<()>,
}

/// What the browser wants the answer for (Fetch Metadata §2.1).
const SEC_FETCH_DEST: header::HeaderName = header::HeaderName::from_static("sec-fetch-dest");

/// Whose page led to the request (Fetch Metadata §2.3).
const SEC_FETCH_SITE: header::HeaderName = header::HeaderName::from_static("sec-fetch-site");

/// A wait that a page tells.
const MINUTE: Seconds = Seconds(60);

/// What the page of an error says besides the error.
enum Remark {
    /// A state did not open: the application where to start again, if one is named.
    Stale(Option<AppId>),
    /// An address that is none of the registered ones.
    Mismatch { sent: String, registered: Vec<String> },
    /// Where the person signs in as it is demanded.
    SignIn(String),
}

impl Visit {
    /// The call.
    pub fn cx(&self) -> &Cx {
        &self.host.cx
    }

    /// The call at this instant, for a change that ends everything older: also what was begun while a password was looked up and hashed.
    pub fn later(&self) -> Cx {
        self.cx().at(self.host.app.clock.now().max(self.cx().now))
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.host.app.config
    }

    /// The configuration as it was last read.
    pub fn live(&self) -> Arc<Config> {
        self.host.app.live()
    }

    /// Templates and catalogues.
    pub fn pages(&self) -> Result<&Pages> {
        self.host.app.part::<Pages>()
    }

    /// How long sessions live.
    pub fn lifetimes(&self) -> Lifetimes {
        Lifetimes::of(&self.host.tenant.settings.limits, self.config())
    }

    /// Takes the languages that the application asks for into account; the person's own choice comes first.
    pub fn speak(&mut self, ui_locales: Option<&str>) -> Result<()> {
        if self.chosen.is_none() {
            let (pages, accepted) = (self.pages()?, Some(self.accept_language.as_str()));
            self.locale = pages.negotiate_at(&self.host.tenant, ui_locales, accepted);
        }
        Ok(())
    }

    /// Speaks the language of the account, which comes before that of the browser and after the one that the person chose there.
    pub fn speak_as(&mut self, person: &Person) -> Result<()> {
        self.speak(person.profile.locale.as_deref())
    }

    /// The language that the person has chosen in this browser, if any.
    pub fn chosen(&self) -> Option<&Locale> {
        self.chosen.as_ref().map(|(chosen, _)| chosen)
    }

    /// The language that the person has just chosen on a page of ours: a link of another site chooses for the page alone.
    pub fn newly_chosen(&self) -> Option<&Locale> {
        let (chosen, is_new) = self.chosen.as_ref()?;
        (*is_new && self.is_from_here).then_some(chosen)
    }

    /// Names another address at which the same page can be had, which says nothing of what the application sent.
    pub fn found_at(&mut self, path: &str, state: String) {
        if self.address.is_some() {
            let params = vec![("flow".to_owned(), state)];
            self.address = Some(Address { path: path.to_owned(), params });
        }
    }

    /// Shows the pages as the organization of this id or slug has them. One that there is not, or is suspended, looks like the
    /// tenant, and so does one that has chosen nothing.
    pub async fn dress(&self, organization: Option<&str>) -> Result<()> {
        let Some(named) = organization.filter(|_| self.dressed.get().is_none()) else { return Ok(()) };
        if !self.host.offers(&Capability::ORGANIZATIONS) {
            return Ok(());
        }
        let tenant = &self.host.tenant;
        if let Some(look) = self.host.app.services.looks.named(tenant.id, named).await? {
            let branding = Branding::of(tenant, Some(&look))?;
            self.dressed.get_or_init(|| (look.id, branding));
        }
        Ok(())
    }

    /// The path of the page; none where a form was sent.
    pub fn path(&self) -> Option<&str> {
        self.address.as_ref().map(|address| address.path.as_str())
    }

    /// Gives the page an address of its own: that of the request carries what must not be sent twice.
    pub fn move_on(&mut self) {
        self.address = None;
    }

    /// The hidden state of a form on a page for this browser.
    pub fn seal<T: Carried>(&self, content: &T) -> Result<String> {
        self.envelope().seal(content)
    }

    /// The hidden state that came back.
    pub fn open<T: Carried>(&self, text: Option<&str>) -> Result<T> {
        let opened = self.envelope().open(text);
        if opened.is_err() {
            let _ = self.remark.set(Remark::Stale(text.and_then(named_app)));
        }
        opened
    }

    /// Notes an address that is none of the registered ones: the log has both, the page of an error outside production.
    pub fn note_mismatch(&self, parameter: &str, sent: &str, registered: &[String]) {
        tracing::info!(request_id = self.cx().request_id, parameter, sent, ?registered, "not registered");
        let _ = self.remark.set(Remark::Mismatch { sent: sent.to_owned(), registered: registered.to_vec() });
    }

    /// Notes where the person signs in as it is demanded: the page of the refusal leads there.
    pub fn note_sign_in(&self, url: String) {
        let _ = self.remark.set(Remark::SignIn(url));
    }

    /// The address that was noted, for developers.
    pub fn mismatch(&self) -> Option<Mismatch> {
        match self.remark.get() {
            Some(Remark::Mismatch { sent, registered }) if !self.config().security.production => {
                Some(Mismatch::between(sent, registered))
            }
            _ => None,
        }
    }

    /// The page of an error, whose way on is the start of what could not be gone on with.
    pub async fn answer(&self, outcome: Result<Response>) -> Response {
        match outcome {
            Ok(response) => response,
            Err(error) => self.failure(error).await,
        }
    }

    /// The application where a state that did not open may be begun again.
    async fn origin_of_stale(&self) -> Option<Arc<App>> {
        let Some(Remark::Stale(Some(app))) = self.remark.get() else { return None };
        let found = self.host.app.services.apps.find(self.host.tenant.id, &app.to_string()).await;
        found.ok().flatten().filter(|app| app.enabled)
    }

    /// What a cookie of this tenant carries: the cookie itself is what makes it this browser's.
    pub fn seal_for_cookie<T: Carried>(&self, content: &T) -> Result<String> {
        Envelope { browser: Digest([0; 32]), ..self.envelope() }.seal(content)
    }

    /// What a cookie brought back, if it is ours and not too old.
    pub fn open_from_cookie<T: Carried>(&self, text: &str) -> Option<T> {
        Envelope { browser: Digest([0; 32]), ..self.envelope() }.open(Some(text)).ok()
    }

    /// What an address of ours brought back to this browser, if it is not too old; the page is shown without it.
    pub fn open_from_address<T: Carried>(&self, text: &str) -> Option<T> {
        self.envelope().open(Some(text)).ok()
    }

    /// For whom support staff act in this browser, as far as its cookie knows.
    pub fn acting(&self) -> Option<&ActingCookie> {
        let of_cookie = || self.browser.acting().and_then(|text| self.open_from_cookie(text));
        self.acting.get_or_init(of_cookie).as_ref().filter(|_| self.acting_is_over.get().is_none())
    }

    /// Notes that the session behind that cookie is over: this page does not tell of it any more, and takes the cookie away.
    pub fn note_acting_is_over(&self) {
        self.acting_is_over.get_or_init(|| ());
    }

    /// Whether the browser has a cookie of a session, its own or one in which support staff act.
    pub fn has_session(&self) -> bool {
        self.browser.has_session() || self.acting().is_some()
    }

    /// A page with status 200, whose forms end here.
    pub fn page<P: Page>(&self, page: &P) -> Result<Response> {
        self.page_as(StatusCode::OK, page, None)
    }

    /// A page; the redirects that follow its form may lead to `target` and on from there. After a form it is a redirect to
    /// the page.
    pub fn page_as<P: Page>(&self, status: StatusCode, page: &P, target: Option<&str>) -> Result<Response> {
        if self.address.is_none()
            && let Some(address) = self.kept(status, page, target)?.address(|kept| self.seal(kept))?
        {
            return Ok((self.browser.introduce()?, see_other(&address)).into_response());
        }
        self.page_here(status, page, target.and_then(redirect_target))
    }

    fn kept<P: Page>(&self, status: StatusCode, page: &P, target: Option<&str>) -> Result<Kept> {
        let organization = self.dressed.get().map(|(organization, _)| *organization);
        let language = Some(self.locale.as_str().to_owned());
        Ok(Kept { language, organization, ..Kept::of(status, page, target)? })
    }

    /// A page at the address of the request, whatever was sent; `form_action` is where its forms may lead besides here.
    pub fn page_here<P: Page>(
        &self,
        status: StatusCode,
        page: &P,
        form_action: Option<String>,
    ) -> Result<Response> {
        self.filled(status, (P::TEMPLATE, Data::of(page)), form_action)
    }

    /// A template with its data, as a page.
    pub fn filled(
        &self,
        status: StatusCode,
        (template, page): (&str, Data),
        form_action: Option<String>,
    ) -> Result<Response> {
        let nonce = token(&*self.cx().entropy);
        let locale = self.locale.clone();
        let branding = self.dressed.get().map_or(&self.branding, |(_, branding)| branding);
        // The page of a refusal repeats nothing and has no form.
        let address = self.address.as_ref().filter(|address| status.is_success() && is_ours(address));
        let acting = match self.acting() {
            Some(acting) if status.is_success() => Some(acting.banner(Some(self.seal(&Stop)?))),
            Some(acting) => Some(acting.banner(None)),
            None => None,
        };
        let look = Look { locale, branding, nonce: &nonce, address, acting };
        let has_captcha = page.has("captcha");
        let wait = page.wait().filter(|_| status == StatusCode::TOO_MANY_REQUESTS);
        let html = self.pages()?.fill(&look, template, page)?;
        let form_action = form_action.into_iter().collect();
        let widgets = if has_captcha { sources(self.config().captcha.provider) } else { &[] };
        let language = self.chosen.as_ref().filter(|(_, is_new)| *is_new);
        let language =
            language.map(|(chosen, _)| self.browser.language_cookie(chosen.as_str())).transpose()?;
        let response = PageResponse { status, html, nonce, form_action, sources: widgets };
        let wait = wait.map(|seconds| [(header::RETRY_AFTER, HeaderValue::from(seconds))]);
        let over = self.acting_is_over.get().map(|()| self.browser.forget_acting()).transpose()?;
        Ok((self.browser.introduce()?, language, over, wait, response).into_response())
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

impl Visitor for Visit {
    fn of(host: HostCx, headers: &HeaderMap, uri: Option<&Uri>) -> Result<Self> {
        let issuer = &host.tenant.issuer;
        let session_cookie = &host.app.config.session_cookie.name;
        let browser = Browser::of(&Cookies::of(headers), session_cookie, issuer, &*host.cx.entropy);
        let branding = Branding::of(&host.tenant, None)?;
        let accept_language = text(headers, &header::ACCEPT_LANGUAGE);
        let pages = host.app.part::<Pages>()?;
        let query = uri.and_then(|uri| Params::parse(uri.query().unwrap_or_default()).ok());
        let asked = query.as_ref().and_then(|query| pages.locale(query.one(LANGUAGE)?));
        let chosen = asked.map(|locale| (locale, true));
        let chosen = chosen.or_else(|| Some((pages.locale(browser.language()?)?, false)));
        let locale = chosen.as_ref().map(|(locale, _)| locale.clone());
        Ok(Self {
            locale: locale.unwrap_or_else(|| pages.negotiate_at(&host.tenant, None, Some(&accept_language))),
            browser,
            branding,
            dressed: OnceLock::new(),
            user_agent: text(headers, &header::USER_AGENT),
            is_navigation: text(headers, &SEC_FETCH_DEST) == "document",
            is_from_here: text(headers, &SEC_FETCH_SITE) == "same-origin",
            accept_language,
            address: uri.map(|uri| address_of(uri, query.as_ref())),
            chosen,
            remark: OnceLock::new(),
            acting: OnceLock::new(),
            acting_is_over: OnceLock::new(),
            host,
        })
    }

    async fn failure(&self, error: Error) -> Response {
        self.failed(error, self.address.is_none()).await
    }
}

impl Visit {
    /// The page of an error, with a way on that asks nothing of the database: the same address again where the fault may pass, the
    /// sign-in that is demanded, the application or else the account centre, which asks for a sign-in.
    pub(super) async fn failed(&self, error: Error, is_form: bool) -> Response {
        let class = error.class();
        if class.status() >= 500 {
            tracing::error!(request_id = self.cx().request_id, ?error, "a hosted page failed");
        }
        let is_refusal = matches!(class, Class::Forbidden | Class::ExpiredToken);
        let is_unopened = is_refusal && matches!(self.remark.get(), Some(Remark::Stale(_)));
        // The address of a form, opened by itself.
        let is_stale = is_unopened || class == Class::MethodNotAllowed;
        let app = if is_stale { self.origin_of_stale().await } else { None };
        let sign_in = if let Some(Remark::SignIn(url)) = self.remark.get() { Some(url) } else { None };
        let (home, name) = match (sign_in, app.as_deref()) {
            (Some(url), _) => (Some(url.clone()), &self.host.tenant.name),
            (None, Some(app)) => (home_of(app, &self.host.tenant.issuer), &app.configuration.name),
            (None, None) => (Some(ACCOUNT.to_owned()), &self.host.tenant.name),
        };
        let page = ErrorPage {
            code: class.code().into(),
            detail: Some(error.detail().into()),
            request_id: (&self.cx().request_id).into(),
            wait: how_long(&error),
            may_repeat: may_pass(class) && !is_form,
            retry_url: home.map(Into::into),
            app_name: Some(name.into()),
            signs_in: sign_in.is_some(),
            is_stale,
            mismatch: self.mismatch(),
        };
        let status = StatusCode::from_u16(class.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let Ok(mut response) = self.page_here(status, &page, None) else {
            return Problem::from(error).into_response();
        };
        if let Some(seconds) = error.wait() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Refusal::of(&error));
        response
    }
}

/// Whether the same request may be answered a little later.
pub fn may_pass(class: Class) -> bool {
    matches!(class, Class::RateLimited | Class::ServerError | Class::TemporarilyUnavailable)
}

/// The message with the time to wait, for a person who has asked too often, and where the service is out of reach for longer than it
/// takes to try again; other faults end when they end.
pub fn how_long(error: &Error) -> Option<MessageKey> {
    let wait = Seconds(error.wait()?.into());
    match error.class() {
        Class::RateLimited => Some(MessageKey::too_many_attempts(wait)),
        Class::TemporarilyUnavailable if wait >= MINUTE => Some(MessageKey::unavailable_for(wait)),
        _ => None,
    }
}

/// Where a person starts at an application: where it begins a sign-in for others, who say with whom (OpenID Connect Core §4), at its
/// home page, or at the origin of its return address.
fn home_of(app: &App, issuer: &str) -> Option<String> {
    let configuration = &app.configuration;
    let begun = configuration.initiate_login_uri.as_deref().map(|uri| with_query(uri, [("iss", issuer)]));
    let said = begun.or_else(|| configuration.client_uri.clone());
    let origin = |uri: &String| {
        let url = Url::parse(uri).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        Some(url.origin().ascii_serialization())
    };
    said.or_else(|| configuration.redirect_uris.iter().find_map(origin))
}

/// The address of a page without the choice of its language.
fn address_of(uri: &Uri, query: Option<&Params>) -> Address {
    let params = query.into_iter().flat_map(Params::iter).filter(|(name, _)| *name != LANGUAGE);
    let params = params.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Address { path: uri.path().to_owned(), params }
}

/// Whether an address may be repeated in its page: it has nothing but what we made.
fn is_ours(address: &Address) -> bool {
    let ours = ["flow", "method", "token", "shown", "done", "told"];
    address.params.iter().all(|(name, _)| ours.contains(&name.as_str()))
}

fn text(headers: &HeaderMap, name: &header::HeaderName) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}
