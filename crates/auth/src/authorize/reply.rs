//! Answers to the application (RFC 6749 §4.1.2, RFC 9207): only an address that was proven can be redirected to.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use svc_core::capability::Capability;
use svc_core::{Error, Result};
use svc_domain::apps::{App, Kind};
use svc_http::{HostCx, Params, Refusal, Response, StatusCode, form_target, see_other};
use url::Url;

use super::signed_reply;
use crate::hosted::{Visit, with_query};
use crate::pages::{Field, FormPost};

/// Longest `state` in bytes.
const LONGEST_STATE: usize = 8 * 1024;

/// A return address that belongs to the application, with what every answer carries.
///
/// INVARIANT: an address is put in by [`Redirectable::prove`] alone, or unsealed from a flow that it went into; until one exists an
/// error can only be a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirectable {
    redirect_uri: String,
    #[serde(default)]
    mode: ResponseMode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

/// How an answer travels: by what, and whether signed (JARM §2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResponseMode {
    #[default]
    Query,
    Fragment,
    FormPost,
    #[serde(rename = "query.jwt")]
    QueryJwt,
    #[serde(rename = "fragment.jwt")]
    FragmentJwt,
    #[serde(rename = "form_post.jwt")]
    FormPostJwt,
}

/// What carries an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The query of the redirect.
    Query,
    /// The fragment of the redirect, which only scripts see.
    Fragment,
    /// A form that the browser posts (OAuth 2.0 Form Post Response Mode).
    Form,
}

impl ResponseMode {
    /// The modes that exist; `jwt` is the signed form of the one that a code travels by.
    pub(super) const NAMES: [(&'static str, Self); 7] = [
        ("query", Self::Query),
        ("fragment", Self::Fragment),
        ("form_post", Self::FormPost),
        ("jwt", Self::QueryJwt),
        ("query.jwt", Self::QueryJwt),
        ("fragment.jwt", Self::FragmentJwt),
        ("form_post.jwt", Self::FormPostJwt),
    ];

    /// The mode of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode)
    }

    /// The names that a host offers, for discovery.
    pub fn offered(host: &HostCx) -> Vec<&'static str> {
        let signs = host.offers(&Capability::JARM);
        let is_offered = |(_, mode): &(&str, Self)| signs || !mode.is_signed();
        Self::NAMES.into_iter().filter(is_offered).map(|(name, _)| name).collect()
    }

    /// What carries the answer.
    pub fn carrier(self) -> Carrier {
        match self {
            Self::Query | Self::QueryJwt => Carrier::Query,
            Self::Fragment | Self::FragmentJwt => Carrier::Fragment,
            Self::FormPost | Self::FormPostJwt => Carrier::Form,
        }
    }

    /// Why an application cannot have its answers at an address by this mode: a fragment carries the code into scripts, which only
    /// applications that are scripts need, and no form is posted to a native application's own scheme.
    pub(super) fn misfit(self, app: &App, redirect_uri: &str) -> Option<&'static str> {
        let is_web = || Url::parse(redirect_uri).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        match self.carrier() {
            Carrier::Fragment if app.configuration.kind != Kind::Spa => {
                Some("fragment is for applications of type spa")
            }
            Carrier::Form if !is_web() => Some("form_post is for addresses of the web"),
            _ => None,
        }
    }

    /// Whether the answer is one signed token.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::QueryJwt | Self::FragmentJwt | Self::FormPostJwt)
    }
}

/// An answer to an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The proven address.
    pub redirect_uri: String,
    /// How it travels.
    pub mode: ResponseMode,
    /// What it carries, in order.
    pub fields: Vec<(&'static str, String)>,
}

impl Redirectable {
    /// Proves that the request's return address is one of the application's own. It must be sent even when only one is
    /// registered, and the `state` must be fit to go back.
    pub fn prove(app: &App, params: &Params) -> Result<Self> {
        let redirect_uri = params.required("redirect_uri")?;
        if !app.owns_redirect_uri(redirect_uri) {
            return Err(Error::invalid_redirect_uri(
                "redirect_uri: give one that is registered for this application",
            ));
        }
        let state = params.one("state");
        if state.is_some_and(|state| state.len() > LONGEST_STATE || state.chars().any(char::is_control)) {
            return Err(Error::invalid_request("state: use at most 8192 bytes without control characters"));
        }
        Ok(Self {
            redirect_uri: redirect_uri.to_owned(),
            mode: mode_of(app, params, redirect_uri),
            state: state.map(str::to_owned),
        })
    }

    /// For a request whose answer is fetched by polling: no address, which no application owns, so that no flow can be
    /// made of it.
    pub fn nowhere() -> Self {
        Self { redirect_uri: String::new(), mode: ResponseMode::default(), state: None }
    }

    /// The address.
    pub fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    /// The answer of success.
    pub fn grant(&self, issuer: &str, code: &str) -> Reply {
        self.reply(issuer, vec![("code", code.to_owned())])
    }

    /// The answer of refusal: code and description of the error, nothing else of it.
    pub fn refuse(&self, issuer: &str, error: &Error) -> Reply {
        let code = error.class().code().to_owned();
        self.reply(issuer, vec![("error", code), ("error_description", printable(error.detail()))])
    }

    fn reply(&self, issuer: &str, mut fields: Vec<(&'static str, String)>) -> Reply {
        fields.extend(self.state.clone().map(|state| ("state", state)));
        fields.push(("iss", issuer.to_owned()));
        Reply { redirect_uri: self.redirect_uri.clone(), mode: self.mode, fields }
    }
}

/// A mode that is unknown, or not for this application and address, is refused by its own check; that refusal travels in the query.
fn mode_of(app: &App, params: &Params, redirect_uri: &str) -> ResponseMode {
    let mode = params.one("response_mode").and_then(ResponseMode::parse);
    mode.filter(|mode| mode.misfit(app, redirect_uri).is_none()).unwrap_or_default()
}

impl Reply {
    /// The address with the answer in its query or fragment. No registered address has a fragment of its own.
    pub fn url(&self) -> String {
        let fields = self.fields.iter().map(|(name, value)| (*name, value.as_str()));
        match self.mode.carrier() {
            Carrier::Fragment => format!("{}#{}", self.redirect_uri, encoded(fields)),
            Carrier::Query | Carrier::Form => with_query(&self.redirect_uri, fields),
        }
    }

    /// As a redirect of the browser, or as a page whose form posts itself.
    pub async fn send(&self, visit: &Visit, app: &App) -> Result<Response> {
        let response = self.as_sent(&visit.host, app).await?.carried(visit)?;
        Ok(self.noted(response))
    }

    /// With what leaves us: signed where the application asked for that. A refusal of signing itself is not signed.
    pub async fn as_sent(&self, host: &HostCx, app: &App) -> Result<Cow<'_, Self>> {
        if self.mode.is_signed() && host.offers_to(app, &Capability::JARM) {
            let response = signed_reply::signed(host, app, &self.fields).await?;
            return Ok(Cow::Owned(Self { fields: vec![("response", response)], ..self.clone() }));
        }
        Ok(Cow::Borrowed(self))
    }

    /// A parameter of the answer.
    pub fn field(&self, wanted: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
    }

    /// The response with a note of the error, if it is one, for the log.
    pub fn noted(&self, mut response: Response) -> Response {
        if let Some(code) = self.field("error") {
            let description = self.field("error_description").unwrap_or_default();
            response.extensions_mut().insert(Refusal::redirected(code, description));
        }
        response
    }

    /// The form that brings the answer, where the application wants it posted.
    pub fn form(&self) -> Option<FormPost> {
        let field = |(name, value): &(&'static str, String)| Field { name, value: value.into() };
        let is_posted = self.mode.carrier() == Carrier::Form;
        is_posted.then(|| FormPost {
            action: (&self.redirect_uri).into(),
            fields: self.fields.iter().map(field).collect(),
        })
    }

    fn carried(&self, visit: &Visit) -> Result<Response> {
        let Some(page) = self.form() else { return Ok(see_other(&self.url())) };
        // Never by way of another address: the code is spent by being posted once.
        visit.page_here(StatusCode::OK, &page, form_target(&self.redirect_uri))
    }
}

fn encoded<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    with_query("?", fields).split_off(1)
}

/// Text as RFC 6749 §4.1.2.1 allows it: printable ASCII without quote and backslash.
fn printable(text: &str) -> String {
    let allowed = |c: char| match c {
        '"' => '\'',
        ' '..='~' if c != '\\' => c,
        _ => '?',
    };
    text.chars().map(allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::app;

    const ISSUER: &str = "https://id.example";

    fn params(pairs: &[(&str, &str)]) -> Params {
        pairs.iter().copied().collect()
    }

    fn proven(redirect_uri: &str, state: &str) -> Redirectable {
        let mut app = app();
        app.configuration.redirect_uris = vec![redirect_uri.to_owned()];
        Redirectable::prove(&app, &params(&[("redirect_uri", redirect_uri), ("state", state)])).unwrap()
    }

    #[test]
    fn an_address_that_differs_in_anything_is_not_proven() {
        let mut app = app();
        app.configuration.redirect_uris = vec!["https://app.example/cb".to_owned()];
        for bad in [
            "https://app.example/cb/",
            "https://app.example/cB",
            "https://app.example:443/cb",
            "http://app.example/cb",
            "https://app.example/cb?x=1",
            "https://app.example/cb#",
            "https://app.example@evil.example/cb",
            "https://app.example/x/..;/cb",
            "https://app.example/%2e%2e/cb",
            "https://app.example\\cb",
            "https://app.example/cb\t",
            "https://appxexample/cb",
            "https://аpp.example/cb",
            " https://app.example/cb",
            "javascript:alert(1)",
            "//app.example/cb",
        ] {
            assert!(Redirectable::prove(&app, &params(&[("redirect_uri", bad)])).is_err(), "{bad}");
        }
        assert!(Redirectable::prove(&app, &params(&[])).is_err(), "the only registered one is not assumed");
    }

    #[test]
    fn a_registered_query_stays_beside_the_answer() {
        let url = |address: &str| proven(address, "s").grant(ISSUER, "c").url();
        let answer = "code=c&state=s&iss=https%3A%2F%2Fid.example";
        assert_eq!(url("https://app.example/cb"), format!("https://app.example/cb?{answer}"));
        assert_eq!(url("https://app.example/cb?a=1"), format!("https://app.example/cb?a=1&{answer}"));
        assert_eq!(url("https://app.example/cb?"), format!("https://app.example/cb?{answer}"));
        assert_eq!(url("https://app.example/cb?a=1&"), format!("https://app.example/cb?a=1&{answer}"));
        assert_eq!(url("com.example.app:/cb"), format!("com.example.app:/cb?{answer}"));
    }

    #[test]
    fn a_browser_application_may_take_the_answer_in_the_fragment() {
        let mut app = app();
        let uri = app.configuration.redirect_uris[0].clone();
        let params = params(&[("redirect_uri", &uri), ("state", "a b"), ("response_mode", "fragment")]);
        let url = |app: &App| Redirectable::prove(app, &params).unwrap().grant(ISSUER, "c").url();
        assert!(url(&app).starts_with("https://app.example/cb?code=c"), "only a browser application");
        app.configuration.kind = Kind::Spa;
        assert_eq!(url(&app), "https://app.example/cb#code=c&state=a%20b&iss=https%3A%2F%2Fid.example");
    }

    #[test]
    fn state_comes_back_byte_for_byte_and_never_raw() {
        for state in ["<script>alert(1)</script>", "a b+c&d=e", "ä€", "%00%0d%0a", &"x".repeat(8192)] {
            let reply = proven("https://app.example/cb", state).grant(ISSUER, "c");
            let url = Url::parse(&reply.url()).unwrap();
            assert!(url.query_pairs().any(|(name, value)| name == "state" && value == *state));
            assert!(!reply.url().contains(['<', ' ', '\r']));
        }
        let mut without = proven("https://app.example/cb", "x");
        without.state = None;
        assert!(!without.grant(ISSUER, "c").url().contains("state"));
    }

    #[test]
    fn a_state_that_cannot_go_back_is_no_reason_to_redirect() {
        let app = app();
        let uri = app.configuration.redirect_uris[0].clone();
        for bad in ["a\r\nb", "\u{1}", &"x".repeat(8193)] {
            assert!(Redirectable::prove(&app, &params(&[("redirect_uri", &uri), ("state", bad)])).is_err());
        }
    }

    #[test]
    fn a_refusal_carries_error_description_state_and_iss_only() {
        let error = Error::invalid_scope("no \"such\"\\ scope\r\nä");
        let reply = proven("https://app.example/cb", "s").refuse(ISSUER, &error);
        assert_eq!(
            reply.fields,
            [
                ("error", "invalid_scope".to_owned()),
                ("error_description", "no 'such'? scope???".to_owned()),
                ("state", "s".to_owned()),
                ("iss", ISSUER.to_owned()),
            ]
        );
    }
}
