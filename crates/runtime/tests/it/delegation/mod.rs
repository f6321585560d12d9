//! Acting for people: token exchange (RFC 8693), delegations, trusted issuers (RFC 7523) and identity assertions.

mod assertions;
mod chains;
mod exchange;
mod identity_assertions;
mod policy;
mod races;
mod recorded;
mod refusals;
mod revocation;

use serde_json::{Value, json};
use svc_http::Method;
use svc_keys::{Algorithm, SigningKey, Typ};

use crate::harness::client::{Pairs, claims};
use crate::harness::{Answer, Client, Harness, Person, Site};

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";
const JWT: &str = "urn:ietf:params:oauth:token-type:jwt";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
pub const NOTES: &str = "https://notes.example";
const ARCHIVE: &str = "https://archive.example";

/// A person, the application that she uses, and one that acts for her.
pub struct World<'h> {
    pub site: Site<'h>,
    pub web: Client<'h>,
    pub agent: Client<'h>,
    pub ada: Person,
}

impl<'h> World<'h> {
    pub async fn new(h: &'h Harness) -> Self {
        Self::at(h.tenant("main").await).await
    }

    async fn at(site: Site<'h>) -> Self {
        site.api(NOTES, &["notes:read", "notes:write"]).await;
        site.api(ARCHIVE, &["notes:read", "archive:write"]).await;
        let (web, agent, ada) = (site.app("web").await, site.app("agent").await, site.user("ada").await);
        Self { site, web, agent, ada }
    }

    /// A token of the person's at the application that she uses.
    async fn token(&self, scope: &str) -> String {
        let changes = [("scope", scope), ("resource", NOTES)];
        let code = self.web.code_with(&mut self.site.browser(), &self.ada, &changes).await;
        text(&self.web.exchange(&code).await.expect(200).json(), "access_token")
    }

    /// The same with everything that the API offers.
    pub async fn usual(&self) -> String {
        self.token("notes:read notes:write").await
    }

    /// Whether a token still counts, as its application is told.
    async fn is_active(&self, client: &Client<'h>, token: &str) -> bool {
        let told = client.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
        told["active"] == json!(true)
    }

    /// A call of the management API.
    async fn manage(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let token = self.site.mint(|_| ());
        self.site.call(method, path, Some(&token), body).await
    }
}

/// An exchange for the notes API; `changes` replace, or with an empty value remove.
pub async fn exchange(client: &Client<'_>, subject_token: &str, changes: Pairs<'_>) -> Answer {
    let usual = [
        ("grant_type", EXCHANGE),
        ("subject_token", subject_token),
        ("subject_token_type", ACCESS_TOKEN),
        ("audience", NOTES),
    ];
    client.token(&usual, changes).await
}

/// The access token of an exchange that succeeds.
async fn exchanged(client: &Client<'_>, subject_token: &str, changes: Pairs<'_>) -> String {
    text(&exchange(client, subject_token, changes).await.expect(200).json(), "access_token")
}

fn text(response: &Value, name: &str) -> String {
    response[name].as_str().unwrap_or_else(|| panic!("no {name} in {response}")).to_owned()
}

/// The actors of a token, the present one first.
fn actors(token: &str) -> Vec<String> {
    let claims = claims(token);
    let links = std::iter::successors(claims.get("act"), |act| act.get("act"));
    links.map(|act| act["sub"].as_str().unwrap().to_owned()).collect()
}

/// An issuer elsewhere.
struct Elsewhere {
    issuer: &'static str,
    key: SigningKey,
}

impl Elsewhere {
    fn new() -> Self {
        Self { issuer: "https://idp.example", key: SigningKey::generate(Algorithm::Es256).unwrap() }
    }

    fn jwks(&self) -> Value {
        json!({ "keys": [self.key.public_jwk()] })
    }

    /// Makes the tenant trust it, and say that its `ada` is ours; returns the record's address.
    async fn trusted(&self, world: &World<'_>) -> String {
        let new = json!({ "issuer": self.issuer, "name": "Elsewhere", "jwks": self.jwks() });
        let created =
            world.manage(Method::POST, "/api/v1/trusted-issuers", Some(new)).await.expect(201).json();
        let path = format!("/api/v1/trusted-issuers/{}", text(&created, "id"));
        let link = format!("{path}/subjects/{}", world.ada.id);
        let _ =
            world.manage(Method::PUT, &link, Some(json!({ "subject": "ada@elsewhere" }))).await.expect(204);
        path
    }

    /// An assertion about its `ada` for us, with changes.
    fn assertion(&self, world: &World<'_>, typ: Typ, change: impl FnOnce(&mut Value)) -> String {
        let cx = world.site.harness.operator();
        let now = cx.now.as_secs();
        let mut claims = json!({
            "iss": self.issuer,
            "sub": "ada@elsewhere",
            "aud": world.site.issuer(),
            "jti": svc_keys::token(&*cx.entropy),
            "iat": now,
            "exp": now + 120,
        });
        if typ == Typ::IdJag {
            claims["client_id"] = json!(world.agent.id);
            claims["resource"] = json!(NOTES);
            claims["scope"] = json!("notes:read");
        }
        change(&mut claims);
        self.key.sign(typ, claims.to_string().as_bytes()).unwrap()
    }
}

/// Presents an assertion.
pub async fn present(client: &Client<'_>, assertion: &str, changes: Pairs<'_>) -> Answer {
    let usual = [("grant_type", JWT_BEARER), ("assertion", assertion), ("resource", NOTES)];
    client.token(&usual, changes).await
}
