//! An application: what it asks of the service, with its registered way to authenticate.

use serde_json::Value;
use svc_domain::apps::{AuthMethod, Configuration};
use svc_http::{Body, Request};
use svc_keys::pkce;
use url::form_urlencoded::Serializer;

use super::{Answer, Browser, Person, Site};

/// An application of a site.
#[derive(Clone)]
pub struct Client<'h> {
    pub site: Site<'h>,
    pub id: String,
    pub secret: Option<String>,
    pub configuration: Configuration,
}

/// A code on its way back, with what proves that it is ours.
#[derive(Clone, Debug)]
pub struct Code {
    pub code: String,
    pub verifier: String,
}

/// What the token endpoint gave.
#[derive(Clone, Debug)]
pub struct Tokens {
    pub response: Value,
}

/// Parameters as tests write them.
pub type Pairs<'a> = &'a [(&'a str, &'a str)];

pub const STATE: &str = "state-of-the-application";
pub const NONCE: &str = "nonce-of-the-application";
pub const SCOPE: &str = "openid profile email phone offline_access";

impl<'h> Client<'h> {
    /// Its first redirect URI.
    pub fn redirect_uri(&self) -> &str {
        &self.configuration.redirect_uris[0]
    }

    /// The parameters of an ordinary authorization request; `changes` replace, or with an empty value remove.
    pub fn authorize_path(&self, verifier: &str, changes: Pairs<'_>) -> String {
        let challenge = pkce::s256(verifier);
        let usual = [
            ("response_type", "code"),
            ("client_id", &self.id),
            ("redirect_uri", self.redirect_uri()),
            ("scope", SCOPE),
            ("state", STATE),
            ("nonce", NONCE),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        format!("/oauth/authorize?{}", merged(&usual, changes))
    }

    /// A verifier that no other call of this test has used.
    pub fn verifier(&self) -> String {
        svc_keys::token(&*self.site.harness.app().entropy)
    }

    /// A code for a person who signs in with a fresh browser.
    pub async fn code(&self, person: &Person) -> Code {
        self.code_in(&mut self.site.browser(), person).await
    }

    /// A code for a person who signs in with this browser, or is signed in there already.
    pub async fn code_in(&self, browser: &mut Browser<'h>, person: &Person) -> Code {
        self.code_with(browser, person, &[]).await
    }

    /// The same with changes to the authorization request.
    pub async fn code_with(&self, browser: &mut Browser<'h>, person: &Person, changes: Pairs<'_>) -> Code {
        let verifier = self.verifier();
        let mut answer = browser.get(&self.authorize_path(&verifier, changes)).await;
        if answer.status == 200 && answer.body.contains("id=\"login-submit\"") {
            let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
            answer = browser.submit(&answer, &fields).await;
        }
        if answer.status == 200 && answer.body.contains("id=\"consent-allow\"") {
            answer = browser.submit(&answer, &[("decision", "allow")]).await;
        }
        let back = answer.location();
        assert!(back.starts_with(self.redirect_uri()), "{back}");
        assert_eq!(answer.redirect_param("state").as_deref(), Some(STATE));
        assert_eq!(answer.redirect_param("iss").as_deref(), Some(self.site.issuer()));
        let code = answer.redirect_param("code").unwrap_or_else(|| panic!("no code in {back}"));
        Code { code, verifier }
    }

    /// Exchanges a code, whatever comes of it.
    pub async fn exchange(&self, code: &Code) -> Answer {
        self.exchange_with(code, &[]).await
    }

    /// The same with changes to the token request.
    pub async fn exchange_with(&self, code: &Code, changes: Pairs<'_>) -> Answer {
        let usual = [
            ("grant_type", "authorization_code"),
            ("code", &code.code),
            ("redirect_uri", self.redirect_uri()),
            ("code_verifier", &code.verifier),
        ];
        self.token(&usual, changes).await
    }

    /// Everything from sign-in to tokens.
    pub async fn tokens(&self, person: &Person) -> Tokens {
        let code = self.code(person).await;
        Tokens { response: self.exchange(&code).await.expect(200).json() }
    }

    /// Uses a refresh token.
    pub async fn refresh(&self, refresh_token: &str) -> Answer {
        self.token(&[("grant_type", "refresh_token"), ("refresh_token", refresh_token)], &[]).await
    }

    /// An access token of its own with these scopes, for one audience.
    pub async fn own_token(&self, scope: &str, audience: &str) -> String {
        let form = [("grant_type", "client_credentials"), ("scope", scope), ("resource", audience)];
        let response = self.token(&form, &[]).await.expect(200).json();
        response["access_token"].as_str().unwrap().to_owned()
    }

    /// A token request.
    pub async fn token(&self, form: Pairs<'_>, changes: Pairs<'_>) -> Answer {
        self.post("/oauth/token", form, changes).await
    }

    /// A form to an endpoint at which the application authenticates.
    pub async fn post(&self, path: &str, form: Pairs<'_>, changes: Pairs<'_>) -> Answer {
        self.post_with(path, &[], form, changes).await
    }

    /// The same with further headers.
    pub async fn post_with(
        &self,
        path: &str,
        headers: Pairs<'_>,
        form: Pairs<'_>,
        changes: Pairs<'_>,
    ) -> Answer {
        let mut request = Request::post(path)
            .header("host", &self.site.host)
            .header("content-type", "application/x-www-form-urlencoded");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut form = form.to_vec();
        let secret = self.secret.as_deref().unwrap_or_default();
        match self.configuration.token_endpoint_auth_method {
            AuthMethod::ClientSecretBasic => {
                request = request.header("authorization", basic(&self.id, secret));
            }
            AuthMethod::ClientSecretPost => {
                form.extend([("client_id", self.id.as_str()), ("client_secret", secret)]);
            }
            _ => form.push(("client_id", &self.id)),
        }
        let body = merged(&form, changes);
        self.site.harness.send(request.body(Body::from(body)).unwrap()).await
    }
}

impl Tokens {
    pub fn access_token(&self) -> &str {
        self.text("access_token")
    }

    pub fn refresh_token(&self) -> &str {
        self.text("refresh_token")
    }

    pub fn id_token(&self) -> &str {
        self.text("id_token")
    }

    fn text(&self, name: &str) -> &str {
        self.response[name].as_str().unwrap_or_else(|| panic!("no {name} in {}", self.response))
    }
}

/// The claims of a token, unverified.
pub fn claims(token: &str) -> Value {
    let payload = svc_keys::from_base64url(token.split('.').nth(1).unwrap()).unwrap();
    serde_json::from_slice(&payload).unwrap()
}

/// A Basic credential of form-encoded halves (RFC 6749 §2.3.1).
pub fn basic(id: &str, secret: &str) -> String {
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", base64(format!("{}:{}", encoded(id), encoded(secret)).as_bytes()))
}

fn merged(usual: Pairs<'_>, changes: Pairs<'_>) -> String {
    let is_changed = |name: &str| changes.iter().any(|(changed, _)| *changed == name);
    let kept = usual.iter().filter(|(name, _)| !is_changed(name));
    let added = changes.iter().filter(|(_, value)| !value.is_empty());
    Serializer::new(String::new()).extend_pairs(kept.chain(added)).finish()
}

/// Standard alphabet with padding (RFC 4648 §4).
fn base64(bytes: &[u8]) -> String {
    let url_safe = svc_keys::base64url(bytes);
    let padding = "=".repeat((4 - url_safe.len() % 4) % 4);
    url_safe.replace('-', "+").replace('_', "/") + &padding
}
