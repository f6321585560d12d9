//! The workloads: what one operation sends, and what must come back for it to count.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::StatusCode;
use serde_json::Value;

use super::form::{self, PageForm};
use super::http::{Call, Connection, Jar, Reply};
use super::target::{Client, DISCOVERY, Target};
use crate::Result;

const SCOPE: &str = "openid profile email offline_access";
const VERIFIER: &str = "a-verifier-of-43-characters-0123456789-abcd";

/// One row of the report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// The discovery document.
    Discovery,
    /// The key set.
    Jwks,
    /// A token for an application itself.
    ClientCredentials,
    /// Is this token active?
    Introspection,
    /// Claims of the person.
    UserInfo,
    /// A refresh token for the next one, each connection along a chain of its own.
    Refresh,
    /// Authorize with a session, then the code for tokens.
    CodeWithSession,
    /// The same with the sign-in page and a password, each time as a new browser.
    CodeWithPassword,
    /// The request for an application's token, answered by the floor with nothing.
    Floor,
}

impl Workload {
    /// All, in the order of the report.
    pub const ALL: [Self; 8] = [
        Self::Discovery,
        Self::Jwks,
        Self::ClientCredentials,
        Self::Introspection,
        Self::UserInfo,
        Self::Refresh,
        Self::CodeWithSession,
        Self::CodeWithPassword,
    ];

    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Jwks => "JWKS",
            Self::ClientCredentials => "client_credentials",
            Self::Introspection => "introspection",
            Self::UserInfo => "UserInfo",
            Self::Refresh => "refresh rotation",
            Self::CodeWithSession => "code flow, session",
            Self::CodeWithPassword => "code flow, password",
            Self::Floor => "signature and empty reply",
        }
    }
}

/// One connection and what it needs to repeat its operation.
pub struct Worker {
    target: Arc<Target>,
    workload: Workload,
    http: Connection,
    jar: Jar,
    token: String,
    turn: u64,
}

impl Worker {
    /// As many workers as asked, prepared: one person signs in once, the rest share that session.
    pub async fn crew(target: &Arc<Target>, workload: Workload, size: usize) -> Result<Vec<Self>> {
        let mut first = Self::new(target, workload, Jar::default());
        let needs_session = matches!(
            workload,
            Workload::Introspection | Workload::UserInfo | Workload::Refresh | Workload::CodeWithSession
        );
        if needs_session {
            let mut jar = Jar::default();
            first.code_flow(&target.public, &mut jar, None).await?;
            first.jar = jar;
        }
        let jar = first.jar.clone();
        let mut crew = Vec::with_capacity(size);
        for _ in 0..size {
            let mut worker = Self::new(target, workload, jar.clone());
            worker.prepare().await?;
            crew.push(worker);
        }
        Ok(crew)
    }

    fn new(target: &Arc<Target>, workload: Workload, jar: Jar) -> Self {
        let http = Connection::new(target.port, &target.authority);
        Self { target: target.clone(), workload, http, jar, token: String::new(), turn: 0 }
    }

    async fn prepare(&mut self) -> Result<()> {
        let target = self.target.clone();
        let mut jar = self.jar.clone();
        match self.workload {
            Workload::Introspection => {
                let tokens = self.code_flow(&target.confidential, &mut jar, None).await?;
                member(&tokens, "access_token")?.clone_into(&mut self.token);
            }
            Workload::UserInfo => {
                let tokens = self.code_flow(&target.public, &mut jar, Some("none")).await?;
                self.token = format!("Bearer {}", member(&tokens, "access_token")?);
            }
            Workload::Refresh => {
                let tokens = self.code_flow(&target.public, &mut jar, Some("none")).await?;
                member(&tokens, "refresh_token")?.clone_into(&mut self.token);
            }
            _ => {}
        }
        Ok(())
    }

    /// One operation, its reply checked.
    pub async fn operate(&mut self) -> Result<()> {
        let target = self.target.clone();
        match self.workload {
            Workload::Discovery => {
                let found = self.get(DISCOVERY, None).await?.json(StatusCode::OK)?;
                check(member(&found, "issuer")? == target.issuer, "another issuer")
            }
            Workload::Jwks => {
                let found = self.get(&target.paths.jwks, None).await?.json(StatusCode::OK)?;
                check(found.pointer("/keys/0/kid").is_some(), "no keys")
            }
            Workload::ClientCredentials => self.client_credentials().await,
            Workload::Introspection => self.introspect().await,
            Workload::UserInfo => {
                let token = std::mem::take(&mut self.token);
                let found = self.get(&target.paths.userinfo, Some(&token)).await;
                self.token = token;
                member(&found?.json(StatusCode::OK)?, "sub").map(drop)
            }
            Workload::Refresh => self.refresh().await,
            Workload::CodeWithSession => {
                let mut jar = std::mem::take(&mut self.jar);
                let tokens = self.code_flow(&target.public, &mut jar, Some("none")).await;
                self.jar = jar;
                tokens.map(drop)
            }
            Workload::CodeWithPassword => {
                self.code_flow(&target.public, &mut Jar::default(), None).await.map(drop)
            }
            Workload::Floor => {
                let form = Some(form::encode([("grant_type", "client_credentials")]));
                let authorization = target.confidential.basic.as_deref();
                let call = Call { path: &target.paths.token, form, authorization, jar: None };
                let reply = self.http.send(&call).await?;
                reply.expect(StatusCode::OK)?;
                check(reply.body.is_empty(), "the reply is not empty")
            }
        }
    }

    async fn get(&mut self, path: &str, authorization: Option<&str>) -> Result<Reply> {
        self.http.send(&Call { path, authorization, ..Call::default() }).await
    }

    async fn client_credentials(&mut self) -> Result<()> {
        let target = self.target.clone();
        let form = form::encode([("grant_type", "client_credentials")]);
        let tokens = self.post(&target.paths.token, &target.confidential, form).await?;
        let token = member(&tokens, "access_token")?;
        check(token.split('.').count() == 3, "the access token is no JWT")
    }

    async fn introspect(&mut self) -> Result<()> {
        let target = self.target.clone();
        let form = form::encode([("token", self.token.as_str())]);
        let found = self.post(&target.paths.introspect, &target.confidential, form).await?;
        check(found.get("active") == Some(&Value::Bool(true)), "the token is not active")
    }

    async fn refresh(&mut self) -> Result<()> {
        let target = self.target.clone();
        let form = form::encode([
            ("grant_type", "refresh_token"),
            ("refresh_token", &self.token),
            ("client_id", &target.public.id),
        ]);
        let tokens = self.post(&target.paths.token, &target.public, form).await?;
        let next = member(&tokens, "refresh_token")?;
        check(next != self.token, "the refresh token was not rotated")?;
        next.clone_into(&mut self.token);
        Ok(())
    }

    async fn post(&mut self, path: &str, client: &Client, form: String) -> Result<Value> {
        let authorization = client.basic.as_deref();
        let call = Call { path, form: Some(form), authorization, jar: None };
        self.http.send(&call).await?.json(StatusCode::OK)
    }

    /// The whole authorization code flow with PKCE; gives the token response.
    async fn code_flow(&mut self, client: &Client, jar: &mut Jar, prompt: Option<&str>) -> Result<Value> {
        let target = self.target.clone();
        self.turn += 1;
        let state = format!("state-{}", self.turn);
        let location = self.authorize(client, jar, prompt, &state).await?;
        check(form::query_value(&location, "state").as_deref() == Some(&state), "another state came back")?;
        let code = form::query_value(&location, "code").ok_or_else(|| format!("no code in {location}"))?;
        let mut pairs = vec![
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", &client.redirect_uri),
            ("code_verifier", VERIFIER),
        ];
        if client.basic.is_none() {
            pairs.push(("client_id", &client.id));
        }
        let tokens = self.post(&target.paths.token, client, form::encode(pairs)).await?;
        member(&tokens, "access_token")?;
        member(&tokens, "id_token")?;
        Ok(tokens)
    }

    /// Follows redirects and fills forms as a browser and a person would, until the client's address is reached.
    async fn authorize(
        &mut self,
        client: &Client,
        jar: &mut Jar,
        prompt: Option<&str>,
        state: &str,
    ) -> Result<String> {
        let target = self.target.clone();
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, VERIFIER.as_bytes()));
        let mut pairs = vec![
            ("client_id", client.id.as_str()),
            ("redirect_uri", &client.redirect_uri),
            ("response_type", "code"),
            ("scope", SCOPE),
            ("state", state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        pairs.extend(prompt.map(|prompt| ("prompt", prompt)));
        let mut path = format!("{}?{}", target.paths.authorize, form::encode(pairs));
        let mut form = None;
        for _ in 0..12 {
            let call = Call { path: &path, form: form.take(), authorization: None, jar: Some(&*jar) };
            let reply = self.http.send(&call).await?;
            jar.keep(&reply);
            if let Some(location) = reply.location() {
                if location.starts_with(&client.redirect_uri) {
                    return Ok(location.to_owned());
                }
                path = self.local(location)?;
            } else {
                reply.expect(StatusCode::OK)?;
                let page = PageForm::find(&reply.text()).ok_or_else(|| format!("no form at {path}"))?;
                form = Some(self.fill(&page));
                path = page.action.as_deref().map_or(Ok(path), |action| self.local(action))?;
            }
        }
        Err("the sign-in never ended".into())
    }

    fn fill(&self, page: &PageForm) -> String {
        let mut pairs: Vec<(&str, &str)> =
            page.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if page.asks_password {
            pairs.push(("username", &self.target.username));
            pairs.push(("password", &self.target.password));
        } else {
            pairs.push(("decision", "allow"));
        }
        form::encode(pairs)
    }

    fn local(&self, url: &str) -> Result<String> {
        let path = url.strip_prefix(&self.target.issuer).unwrap_or(url);
        if path.starts_with('/') { Ok(path.to_owned()) } else { Err(format!("led away to {url}").into()) }
    }
}

fn member<'a>(tokens: &'a Value, name: &str) -> Result<&'a str> {
    let found = tokens.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    found.ok_or_else(|| format!("no {name} in the reply").into())
}

fn check(holds: bool, fault: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(fault.into()) }
}
