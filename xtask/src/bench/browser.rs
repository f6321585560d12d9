//! The authorization code flow as a browser, a person and an application go through it together.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::StatusCode;
use serde_json::Value;

use super::flows::{Worker, check, member};
use super::form::{self, PageForm};
use super::http::{Call, Jar};
use super::key::ASSERTION_TYPE;
use super::target::Client;
use crate::Result;

const VERIFIER: &str = "a-verifier-of-43-characters-0123456789-abcd";

/// What an application asks for.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// The application.
    pub client: &'a Client,
    /// The scope.
    pub scope: &'a str,
    /// The API that the tokens are for.
    pub resource: Option<&'a str>,
    /// `none`, where a session answers.
    pub prompt: Option<&'a str>,
    /// Whether the tokens are to be bound to the connection's key.
    pub is_bound: bool,
}

impl<'a> Ask<'a> {
    /// Everything about the person, by the sign-in page.
    pub fn of(client: &'a Client) -> Self {
        let scope = "openid profile email offline_access";
        Self { client, scope, resource: None, prompt: None, is_bound: false }
    }

    /// The same by the session.
    pub fn silently(client: &'a Client) -> Self {
        Self { prompt: Some("none"), ..Self::of(client) }
    }
}

impl Worker {
    /// The whole flow with PKCE; gives the token response.
    pub async fn code_flow(&mut self, ask: Ask<'_>, jar: &mut Jar) -> Result<Value> {
        let (path, state) = self.authorization(ask);
        let code = self.code(ask, jar, (path, &state)).await?;
        let mut pairs = grant(ask.client, &code);
        if ask.client.basic.is_none() {
            pairs.push(("client_id", &ask.client.id));
        }
        let form = form::encode(pairs);
        self.tokens(ask, form).await
    }

    /// The flow of the FAPI 2.0 Security Profile: the request is pushed, and the application signs whatever it says.
    pub async fn fapi2_flow(&mut self, jar: &mut Jar) -> Result<Value> {
        let target = self.target.clone();
        let (client, par) =
            target.fapi2.as_ref().zip(target.paths.par.as_ref()).ok_or("there is no FAPI client")?;
        let ask = Ask { is_bound: true, ..Ask::silently(client) };
        let state = self.state();
        let (assertion, challenge) = (target.key.assertion(&client.id, &target.issuer)?, challenge());
        let pairs = request(ask, &state, &challenge).into_iter().chain(proof_of(&assertion));
        let (form, dpop) = (Some(form::encode(pairs)), self.proof("POST", par, None)?);
        let call = Call { path: par, form, dpop: Some(dpop), ..Call::default() };
        let pushed = self.http.send(&call).await?.json(StatusCode::CREATED)?;
        let reference =
            form::encode([("client_id", &*client.id), ("request_uri", member(&pushed, "request_uri")?)]);
        let path = format!("{}?{reference}", target.paths.authorize);
        let code = self.code(ask, jar, (path, &state)).await?;
        let assertion = target.key.assertion(&client.id, &target.issuer)?;
        let form = form::encode(grant(client, &code).into_iter().chain(proof_of(&assertion)));
        self.tokens(ask, form).await
    }

    /// What a new browser is shown first in a flow: the page that asks for the password.
    pub async fn sign_in_page(&mut self) -> Result<()> {
        let target = self.target.clone();
        let (path, _) = self.authorization(Ask::of(&target.public));
        let page = self.page(path, &mut Jar::default()).await?;
        let asks_password = PageForm::find(&page).is_some_and(|form| form.asks_password);
        check(asks_password, "the page asks for no password")
    }

    /// The first page of the account centre, for a person with a session.
    pub async fn account_page(&mut self, jar: &mut Jar) -> Result<()> {
        let page = self.page("/account".to_owned(), jar).await?;
        check(page.contains("centre-menu"), "the page is none of the account centre")
    }

    /// Where a new flow begins, and its state.
    fn authorization(&mut self, ask: Ask<'_>) -> (String, String) {
        let state = self.state();
        let request = form::encode(request(ask, &state, &challenge()));
        (format!("{}?{request}", self.target.paths.authorize), state)
    }

    /// The page to which an address leads.
    async fn page(&mut self, mut path: String, jar: &mut Jar) -> Result<String> {
        for _ in 0..4 {
            let call = Call { path: &path, jar: Some(&*jar), ..Call::default() };
            let reply = self.http.send(&call).await?;
            jar.keep(&reply);
            let Some(location) = reply.location() else {
                reply.expect(StatusCode::OK)?;
                return Ok(reply.text());
            };
            path = self.local(location)?;
        }
        Err("no page was reached".into())
    }

    fn state(&mut self) -> String {
        self.turn += 1;
        format!("state-{}", self.turn)
    }

    /// The code that comes back to the application.
    async fn code(&mut self, ask: Ask<'_>, jar: &mut Jar, (path, state): (String, &str)) -> Result<String> {
        let location = self.walk(path, &ask.client.redirect_uri, jar).await?;
        check(form::query_value(&location, "state").as_deref() == Some(state), "another state came back")?;
        form::query_value(&location, "code").ok_or_else(|| format!("no code in {location}").into())
    }

    async fn tokens(&mut self, ask: Ask<'_>, form: String) -> Result<Value> {
        let path = self.target.paths.token.clone();
        let dpop = ask.is_bound.then(|| self.proof("POST", &path, None)).transpose()?;
        let call = Call {
            path: &path,
            form: Some(form),
            authorization: ask.client.basic.as_deref(),
            dpop,
            ..Call::default()
        };
        let tokens = self.http.send(&call).await?.json(StatusCode::OK)?;
        member(&tokens, "access_token")?;
        member(&tokens, "id_token")?;
        let kind = if ask.is_bound { "DPoP" } else { "Bearer" };
        check(member(&tokens, "token_type")? == kind, "the access token is of another type")?;
        Ok(tokens)
    }

    /// Follows redirects and fills forms as a browser and a person would, until the client's address is reached.
    async fn walk(&mut self, mut path: String, redirect_uri: &str, jar: &mut Jar) -> Result<String> {
        let mut form = None;
        for _ in 0..12 {
            let call = Call { path: &path, form: form.take(), jar: Some(&*jar), ..Call::default() };
            let reply = self.http.send(&call).await?;
            jar.keep(&reply);
            if let Some(location) = reply.location() {
                if location.starts_with(redirect_uri) {
                    return Ok(location.to_owned());
                }
                path = self.local(location)?;
            } else {
                reply.expect(StatusCode::OK)?;
                let page = PageForm::find(&reply.text()).ok_or_else(|| format!("no form at {path}"))?;
                form = Some(self.fill(&page)?);
                path = page.action.as_deref().map_or(Ok(path), |action| self.local(action))?;
            }
        }
        Err("the sign-in never ended".into())
    }

    fn fill(&self, page: &PageForm) -> Result<String> {
        let mut pairs: Vec<(&str, &str)> =
            page.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if page.asks_password {
            let person = self.target.person(self.place).ok_or("there is no person who signs in")?;
            pairs.extend([("username", person.username.as_str()), ("password", &person.password)]);
        } else {
            pairs.push(("decision", "allow"));
        }
        Ok(form::encode(pairs))
    }

    fn local(&self, url: &str) -> Result<String> {
        let path = url.strip_prefix(&self.target.issuer).unwrap_or(url);
        if path.starts_with('/') { Ok(path.to_owned()) } else { Err(format!("led away to {url}").into()) }
    }
}

fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, VERIFIER.as_bytes()))
}

/// The authorization request.
fn request<'a>(ask: Ask<'a>, state: &'a str, challenge: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut pairs = vec![
        ("client_id", ask.client.id.as_str()),
        ("redirect_uri", &ask.client.redirect_uri),
        ("response_type", "code"),
        ("scope", ask.scope),
        ("state", state),
        ("code_challenge", challenge),
        ("code_challenge_method", "S256"),
    ];
    pairs.extend(ask.resource.map(|resource| ("resource", resource)));
    pairs.extend(ask.prompt.map(|prompt| ("prompt", prompt)));
    pairs
}

/// What the code is exchanged with.
fn grant<'a>(client: &'a Client, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", &client.redirect_uri),
        ("code_verifier", VERIFIER),
    ]
}

fn proof_of(assertion: &str) -> [(&'static str, &str); 2] {
    [("client_assertion_type", ASSERTION_TYPE), ("client_assertion", assertion)]
}
