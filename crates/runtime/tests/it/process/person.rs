//! A person who signs in at the running binary, through a socket.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use svc_db::SystemSql;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::{Place, request};
use crate::harness::Answer;
use crate::harness::browser::Form;

/// A tenant with a public application and a person to sign in.
pub const SEED: &str = r#"
[[tenant]]
slug = "main"
name = "Main"

[[tenant.application]]
handle = "spa"
name = "Single page"
type = "spa"
first_party = true
redirect_uris = ["https://spa.example/callback"]
grant_types = ["authorization_code", "refresh_token"]
scope = "openid profile offline_access"

[[tenant.user]]
username = "ada"
email = "ada@example.com"
email_verified = true
password = "correct horse ada"
"#;

/// Another application of the same tenant, which acts for itself.
pub const MACHINE: &str = r#"
[[tenant.application]]
client_id = "app_01m7yepz0rer5tmyyvy97e2x3j"
handle = "machine"
name = "Machine"
type = "machine"
grant_types = ["client_credentials"]
token_endpoint_auth_method = "client_secret_post"
secret = "a-secret-of-machines"
"#;
/// By which it authenticates.
pub const CREDENTIALS: [(&str, &str); 2] =
    [("client_id", "app_01m7yepz0rer5tmyyvy97e2x3j"), ("client_secret", "a-secret-of-machines")];

const VERIFIER: &str = "a-verifier-that-is-long-enough-for-everybody-here";
const REDIRECT: &str = "https://spa.example/callback";

/// A browser and the application behind it.
#[derive(Clone)]
pub struct Ada {
    pub address: SocketAddr,
    pub client_id: String,
    pub cookies: BTreeMap<String, String>,
}

impl Place {
    /// A migrated place with the tenant, the application and Ada.
    pub async fn populated() -> Self {
        let place = Self::migrated().await;
        place.populate(SEED).await;
        place
    }

    /// Applies a declarative file.
    pub async fn populate(&self, seed: &str) {
        self.write("seed.toml", seed);
        let applied = self.run(&["apply", "seed.toml"]).await;
        assert!(applied.is_success, "{applied:?}");
    }

    /// Ada, signed in.
    pub async fn ada(&self, address: SocketAddr) -> Ada {
        let mut ada = self.visitor(address).await;
        let page = ada.sign_in_page().await;
        ada.sign_in(&page).await;
        ada
    }

    /// Ada, not signed in.
    pub async fn visitor(&self, address: SocketAddr) -> Ada {
        let mut tx = self.database.db.read_system().await.unwrap();
        let select = SystemSql::new("SELECT id FROM apps WHERE handle = 'spa'");
        let client_id = tx.one(select, &[]).await.unwrap().text("id").unwrap();
        tx.commit().await.unwrap();
        Ada { address, client_id, cookies: BTreeMap::new() }
    }
}

impl Ada {
    /// The parameters of her application's requests, but for its id.
    fn parameters() -> [(&'static str, String); 5] {
        [
            ("response_type", "code".to_owned()),
            ("redirect_uri", REDIRECT.to_owned()),
            ("scope", "openid offline_access".to_owned()),
            ("code_challenge", svc_keys::pkce::s256(VERIFIER)),
            ("code_challenge_method", "S256".to_owned()),
        ]
    }

    fn authorize(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("client_id", &self.client_id).extend_pairs(Self::parameters());
        format!("/oauth/authorize?{}", query.finish())
    }

    pub async fn get(&mut self, path: &str) -> Option<Answer> {
        let cookies = self.cookie_header();
        let answer = request(self.address, &format!("GET {path}"), &[("Cookie", &cookies)], "").await?;
        self.keep(&answer);
        Some(answer)
    }

    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Option<Answer> {
        let cookies = self.cookie_header();
        let answer = form(self.address, path, &[("Cookie", &cookies)], fields).await?;
        self.keep(&answer);
        Some(answer)
    }

    /// The page on which she signs in.
    pub async fn sign_in_page(&mut self) -> Answer {
        self.get(&self.authorize()).await.unwrap().expect(200)
    }

    /// Fills that page in and sends it.
    pub async fn sign_in(&mut self, page: &Answer) {
        let flow = &Form::of(page).hidden[0].1;
        let fields = [("flow", flow.as_str()), ("username", "ada"), ("password", "correct horse ada")];
        let _ = self.post("/auth/sign-in", &fields).await.unwrap().expect(303);
    }

    /// Another browser, in which no person is signed in.
    pub fn stranger(&self) -> Self {
        Self { cookies: BTreeMap::new(), ..self.clone() }
    }

    /// What her application's request with a `state` leads to.
    pub async fn opens_with(&mut self, state: &str) -> Answer {
        self.get(&format!("{}&state={state}", self.authorize())).await.unwrap()
    }

    /// What her application's request leads to; nothing where the answer was lost.
    pub async fn opens(&mut self) -> Option<Answer> {
        self.get(&self.authorize()).await
    }

    /// Opens a page; nothing where an answer was lost.
    pub async fn open(&mut self, path: &str) -> Option<Answer> {
        let answer = self.get(path).await?;
        self.settled(answer).await
    }

    /// Signs in by a password, as far as the flow goes; nothing where an answer was lost.
    pub async fn enter(&mut self, username: &str, password: &str) -> Option<Answer> {
        let page = self.opens().await?;
        self.fill(&page, &[("username", username), ("password", password)]).await
    }

    /// Fills in and sends the form of a page; nothing where an answer was lost.
    pub async fn fill(&mut self, page: &Answer, fields: &[(&str, &str)]) -> Option<Answer> {
        let form = Form::of(page);
        let hidden = form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let hidden = hidden.filter(|(name, _)| !fields.iter().any(|(filled, _)| filled == name));
        let all: Vec<_> = hidden.chain(fields.iter().copied()).collect();
        let answer = self.post(here(&form.action), &all).await?;
        self.settled(answer).await
    }

    /// The page after a form, which has an address of its own.
    pub async fn settled(&mut self, answer: Answer) -> Option<Answer> {
        let page = here(answer.header("location"));
        if page.starts_with("/auth/page?") { self.get(page).await } else { Some(answer) }
    }

    /// Fills in and sends the form of a page, and opens the page to which that leads.
    pub async fn submit(&mut self, page: &Answer, fields: &[(&str, &str)]) -> Answer {
        let answer = self.fill(page, fields).await.unwrap();
        if answer.status == 303 { self.get(here(answer.location())).await.unwrap() } else { answer }
    }

    /// The code of a device that she has allowed.
    pub async fn device_code(&mut self) -> String {
        let fields = [("client_id", self.client_id.as_str()), ("scope", "openid")];
        let begun = form(self.address, "/oauth/device/code", &[], &fields).await.unwrap().expect(200).json();
        let page = self.get("/oauth/device/verify").await.unwrap().expect(200);
        let asks =
            self.submit(&page, &[("user_code", begun["user_code"].as_str().unwrap())]).await.expect(200);
        let _ = self.submit(&asks, &[("decision", "allow")]).await.expect(200);
        begun["device_code"].as_str().unwrap().to_owned()
    }

    /// Asks for the tokens of a device; nothing where the answer was lost.
    pub async fn poll(&self, device_code: &str) -> Option<Answer> {
        let fields = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            ("client_id", self.client_id.as_str()),
            ("device_code", device_code),
        ];
        form(self.address, "/oauth/token", &[], &fields).await
    }

    /// The address to which a browser is sent after its application has pushed a request.
    pub async fn pushed(&self) -> String {
        let fields = [&Self::parameters()[..], &[("client_id", self.client_id.clone())]].concat();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let pushed = form(self.address, "/oauth/par", &[], &fields).await.unwrap().expect(201).json();
        let query = [
            ("client_id", self.client_id.as_str()),
            ("request_uri", pushed["request_uri"].as_str().unwrap()),
        ];
        format!("/oauth/authorize?{}", Serializer::new(String::new()).extend_pairs(query).finish())
    }

    /// Asks for a link for a new password.
    pub async fn forget(&mut self, username: &str) -> Answer {
        let page = self.get("/auth/forgot").await.unwrap().expect(200);
        let flow = &Form::of(&page).hidden[0].1;
        self.post("/auth/forgot", &[("flow", flow.as_str()), ("username", username)]).await.unwrap()
    }

    /// A code without a question.
    pub async fn code(&mut self) -> String {
        let answer = self.get(&self.authorize()).await.unwrap().expect(303);
        answer.redirect_param("code").unwrap_or_else(|| panic!("no code in {answer:?}"))
    }

    /// Asks for a code; the status of the answer, or 0 where there was none.
    pub async fn asks_for_code(&mut self) -> u16 {
        self.get(&self.authorize()).await.map_or(0, |answer| answer.status)
    }

    /// Revokes a token; nothing where the answer was lost.
    pub async fn revoke(&self, token: &str) -> Option<Answer> {
        let fields = [("client_id", self.client_id.as_str()), ("token", token)];
        form(self.address, "/oauth/revoke", &[], &fields).await
    }

    /// Exchanges a code; nothing where the answer was lost.
    pub async fn exchange(&self, code: &str) -> Option<Answer> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", REDIRECT),
            ("code", code),
            ("code_verifier", VERIFIER),
        ];
        form(self.address, "/oauth/token", &[], &fields).await
    }

    /// Uses a refresh token; nothing where the answer was lost.
    pub async fn refresh(&self, token: &str) -> Option<Answer> {
        let fields = [
            ("grant_type", "refresh_token"),
            ("client_id", self.client_id.as_str()),
            ("refresh_token", token),
        ];
        form(self.address, "/oauth/token", &[], &fields).await
    }

    /// A refresh token of a family of its own.
    pub async fn refresh_token(&mut self) -> String {
        let code = self.code().await;
        refresh_token_of(&self.exchange(&code).await.unwrap().expect(200))
    }

    fn cookie_header(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn keep(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// The path of an address of ours.
fn here(address: &str) -> &str {
    match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => address,
    }
}

/// A token of the machine for itself.
pub async fn machine_token(address: SocketAddr) -> String {
    let fields = [&CREDENTIALS[..], &[("grant_type", "client_credentials")]].concat();
    let answer = form(address, "/oauth/token", &[], &fields).await.unwrap().expect(200);
    answer.json()["access_token"].as_str().unwrap().to_owned()
}

/// The refresh token of a token response.
pub fn refresh_token_of(answer: &Answer) -> String {
    answer.json()["refresh_token"].as_str().unwrap().to_owned()
}

pub async fn form(
    address: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
    fields: &[(&str, &str)],
) -> Option<Answer> {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let pairs: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let kind = [("Content-Type", "application/x-www-form-urlencoded")];
    let headers: Vec<_> = kind.iter().chain(headers).copied().collect();
    request(address, &format!("POST {path}"), &headers, &pairs.join("&")).await
}
