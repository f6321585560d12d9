//! What one operation of each workload sends, and what must come back for it to count.

use std::sync::Arc;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::StatusCode;
use serde_json::Value;

use super::browser::Ask;
use super::form;
use super::http::{Call, Connection, Jar, Reply};
use super::key::Key;
use super::target::{Client, DISCOVERY, Target};
use super::workload::Workload;
use crate::Result;

/// The API that the demo has.
const API: &str = "https://api.demo.example";
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// One connection and what it needs to repeat its operation.
pub struct Worker {
    pub(super) target: Arc<Target>,
    workload: Workload,
    pub(super) http: Connection,
    jar: Jar,
    /// The key that its tokens are bound to, where they are.
    key: Key,
    pub(super) token: String,
    /// The record that it changes, or what the names of those begin with that it makes.
    pub(super) record: String,
    /// Its place in the crew, which says who signs in on it.
    pub(super) place: usize,
    /// How many flows it has begun; when it polls, the place of the code.
    pub(super) turn: usize,
}

impl Worker {
    /// As many workers as asked, prepared: one person signs in once, the rest share that session.
    pub async fn crew(target: &Arc<Target>, workload: Workload, size: usize) -> Result<Vec<Self>> {
        let mut jar = Jar::default();
        if workload.needs_session() {
            let mut first = Self::new(target, workload, Jar::default())?;
            first.code_flow(Ask::of(&target.public), &mut jar).await?;
        }
        let mut crew = Vec::with_capacity(size);
        for place in 0..size {
            let mut worker = Self { place, ..Self::new(target, workload, jar.clone())? };
            worker.prepare().await?;
            crew.push(worker);
        }
        Ok(crew)
    }

    fn new(target: &Arc<Target>, workload: Workload, jar: Jar) -> Result<Self> {
        let http = Connection::new(target.port, &target.authority).secured(target.tls.clone());
        let (target, key) = (target.clone(), Key::generate()?);
        Ok(Self {
            target,
            workload,
            http,
            jar,
            key,
            token: String::new(),
            record: String::new(),
            place: 0,
            turn: 0,
        })
    }

    async fn prepare(&mut self) -> Result<()> {
        let target = self.target.clone();
        let (public, confidential) = (Ask::silently(&target.public), Ask::silently(&target.confidential));
        let (ask, wanted) = match self.workload {
            Workload::Introspection => (confidential, "access_token"),
            Workload::IntrospectionBound => (Ask { is_bound: true, ..confidential }, "access_token"),
            Workload::UserInfo => (public, "access_token"),
            Workload::UserInfoBound => (Ask { is_bound: true, ..public }, "access_token"),
            Workload::Refresh => (public, "refresh_token"),
            Workload::TokenExchange => {
                (Ask { scope: "openid notes:read", resource: Some(API), ..public }, "access_token")
            }
            Workload::Decision | Workload::ScimCreate | Workload::ScimPatch => {
                return self.prepare_management(self.workload).await;
            }
            _ => return Ok(()),
        };
        let mut jar = self.jar.clone();
        let tokens = self.code_flow(ask, &mut jar).await?;
        member(&tokens, wanted)?.clone_into(&mut self.token);
        Ok(())
    }

    /// Waits until the next operation may begin, which for most is at once; the wait is no part of what is measured.
    pub async fn rest(&mut self) -> Result<()> {
        let target = self.target.clone();
        let pending = target.pending.get().filter(|_| self.workload == Workload::DevicePolling);
        let Some(pending) = pending else { return Ok(()) };
        self.turn = pending.turn();
        tokio::time::sleep_until(pending.code(self.turn)?.due().into()).await;
        Ok(())
    }

    /// One operation, its reply checked.
    pub async fn operate(&mut self) -> Result<()> {
        let target = self.target.clone();
        match self.workload {
            Workload::Discovery => {
                let found = self.get(DISCOVERY).await?.json(StatusCode::OK)?;
                check(member(&found, "issuer")? == target.issuer, "another issuer")
            }
            Workload::Jwks => {
                let found = self.get(&target.paths.jwks).await?.json(StatusCode::OK)?;
                check(found.pointer("/keys/0/kid").is_some(), "no keys")
            }
            Workload::ClientCredentials => self.client_credentials().await,
            Workload::Introspection | Workload::IntrospectionBound => self.introspect().await,
            Workload::UserInfo | Workload::UserInfoBound => self.userinfo().await,
            Workload::Refresh => self.refresh().await,
            Workload::TokenExchange => self.exchange().await,
            Workload::DevicePolling => self.poll().await,
            Workload::Decision => self.decide().await,
            Workload::ScimCreate => self.provision().await.map(drop),
            Workload::ScimPatch => self.rename().await,
            Workload::SignInPage => self.sign_in_page().await,
            Workload::AccountPage => {
                let mut jar = self.jar.clone();
                self.account_page(&mut jar).await
            }
            Workload::CodeWithSession => {
                let mut jar = std::mem::take(&mut self.jar);
                let tokens = self.code_flow(Ask::silently(&target.public), &mut jar).await;
                self.jar = jar;
                tokens.map(drop)
            }
            Workload::Fapi2 => {
                let mut jar = std::mem::take(&mut self.jar);
                let tokens = self.fapi2_flow(&mut jar).await;
                self.jar = jar;
                tokens.map(drop)
            }
            Workload::CodeWithPassword => {
                self.code_flow(Ask::of(&target.public), &mut Jar::default()).await.map(drop)
            }
            Workload::Floor => self.floor().await,
        }
    }

    async fn get(&mut self, path: &str) -> Result<Reply> {
        self.http.send(&Call { path, ..Call::default() }).await
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
        check(found.get("active") == Some(&Value::Bool(true)), "the token is not active")?;
        let key = found.pointer("/cnf/jkt").and_then(Value::as_str);
        let expected = (self.workload == Workload::IntrospectionBound).then(|| self.key.thumbprint());
        check(key == expected.as_deref(), "the token is bound to another key, or to none")
    }

    async fn userinfo(&mut self) -> Result<()> {
        let path = self.target.paths.userinfo.clone();
        let is_bound = self.workload == Workload::UserInfoBound;
        let dpop = is_bound.then(|| self.proof("GET", &path, Some(&self.token))).transpose()?;
        let authorization = format!("{} {}", if is_bound { "DPoP" } else { "Bearer" }, self.token);
        let call = Call { path: &path, authorization: Some(&authorization), dpop, ..Call::default() };
        let found = self.http.send(&call).await?.json(StatusCode::OK)?;
        member(&found, "sub").map(drop)
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

    async fn exchange(&mut self) -> Result<()> {
        let target = self.target.clone();
        let actor = target.actor.as_ref().ok_or("there is no application that acts")?;
        let form = form::encode([
            ("grant_type", TOKEN_EXCHANGE),
            ("subject_token", &self.token),
            ("subject_token_type", ACCESS_TOKEN),
            ("audience", API),
            ("scope", "notes:read"),
        ]);
        let tokens = self.post(&target.paths.token, actor, form).await?;
        check(member(&tokens, "issued_token_type")? == ACCESS_TOKEN, "another type of token was issued")?;
        let claims = claims(member(&tokens, "access_token")?)?;
        let is_asked_for = member(&claims, "aud")? == API && member(&claims, "scope")? == "notes:read";
        check(is_asked_for, "the token is for something else")?;
        check(
            claims.pointer("/act/sub").is_some_and(|sub| *sub == *actor.id),
            "the token does not name its actor",
        )
    }

    async fn poll(&mut self) -> Result<()> {
        let target = self.target.clone();
        let device = target.device.as_ref().ok_or("there is no application that polls")?;
        let code = target.pending.get().ok_or("there are no device codes")?.code(self.turn)?;
        let form = form::encode([("grant_type", DEVICE_CODE), ("device_code", &code.secret)]);
        let authorization = device.basic.as_deref();
        let call = Call { path: &target.paths.token, form: Some(form), authorization, ..Call::default() };
        let reply = self.http.send(&call).await?;
        code.was_polled(Instant::now());
        let answer = reply.json(StatusCode::BAD_REQUEST)?;
        check(member(&answer, "error")? == "authorization_pending", "the poll was answered otherwise")
    }

    async fn floor(&mut self) -> Result<()> {
        let target = self.target.clone();
        let form = Some(form::encode([("grant_type", "client_credentials")]));
        let authorization = target.confidential.basic.as_deref();
        let reply = self
            .http
            .send(&Call { path: &target.paths.token, form, authorization, ..Call::default() })
            .await?;
        reply.expect(StatusCode::OK)?;
        check(reply.body.is_empty(), "the reply is not empty")
    }

    pub(super) async fn post(&mut self, path: &str, client: &Client, form: String) -> Result<Value> {
        let authorization = client.basic.as_deref();
        let call = Call { path, form: Some(form), authorization, ..Call::default() };
        self.http.send(&call).await?.json(StatusCode::OK)
    }

    /// The proof of this connection's key for a request to `path`.
    pub(super) fn proof(&self, method: &str, path: &str, access_token: Option<&str>) -> Result<String> {
        self.key.proof(method, &format!("{}{path}", self.target.issuer), access_token)
    }
}

/// The claims of a token, which the servers' own tests verify.
fn claims(token: &str) -> Result<Value> {
    let payload = token.split('.').nth(1).ok_or("the access token is no JWT")?;
    Ok(serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload)?)?)
}

/// A text that must be there.
pub(super) fn member<'a>(tokens: &'a Value, name: &str) -> Result<&'a str> {
    let found = tokens.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    found.ok_or_else(|| format!("no {name} in the reply").into())
}

/// Something that must hold.
pub(super) fn check(holds: bool, fault: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(fault.into()) }
}
