//! Support staff who act for a person: by whom, for whom, marked how, for how long, and what they cannot do meanwhile.

mod abuse;
mod approving;
mod ending;
mod marked;
mod refused;

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_domain::apis::management::ADMIN;
use svc_http::Method;

use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const PATH: &str = "/api/v1/impersonations";
const REASON: &str = "Ticket 4711: the export stays empty";

/// A tenant that wants it, Ada who needs help, and Sue of its support, signed in in a browser of hers.
struct Desk<'h> {
    site: Site<'h>,
    web: Client<'h>,
    ada: Person,
    sue: Person,
    browser: Browser<'h>,
    /// Sue's session.
    sid: String,
}

impl<'h> Desk<'h> {
    async fn new(h: &'h Harness) -> Self {
        Self::with(h, json!({})).await
    }

    /// The same with settings besides being enabled.
    async fn with(h: &'h Harness, settings: Value) -> Self {
        let site = h.tenant("main").await;
        set(&site, settings).await;
        site.role("support", &[(&site.tenant.api_audience(), &["impersonations:write"])]).await;
        let (ada, sue) = (site.user("ada").await, site.user_with_roles("sue", &["support"]).await);
        Self::of(site, ada, sue).await
    }

    async fn of(site: Site<'h>, ada: Person, sue: Person) -> Self {
        let web = site.app("web").await;
        let (browser, sid) = signed_in(&web, &sue).await;
        Self { site, web, ada, sue, browser, sid }
    }

    fn token(&self) -> String {
        token(&self.site, &self.sue, &self.sid)
    }

    /// A call of Sue to the resource.
    async fn call(&self, method: Method, below: &str, body: Option<Value>) -> Answer {
        self.site.call(method, &format!("{PATH}{below}"), Some(&self.token()), body).await
    }

    fn body(&self) -> Value {
        json!({ "tenant_user_id": self.ada.id, "reason": REASON, "minutes": 15 })
    }

    /// Asks to act for Ada; the id of what was asked.
    async fn asked(&self) -> String {
        id(&self.call(Method::POST, "", Some(self.body())).await.expect(201))
    }

    /// The path of a link that begins it.
    async fn link(&self, id: &str) -> String {
        let made = self.call(Method::POST, &format!("/{id}/link"), None).await.expect(200).json();
        made["url"].as_str().unwrap().strip_prefix(self.site.issuer()).unwrap().to_owned()
    }

    /// Sue begins to act for Ada in her browser; the id of the impersonation.
    async fn begun(&mut self) -> String {
        let id = self.asked().await;
        self.begin(&id).await;
        id
    }

    /// Sue begins what she has asked for.
    async fn begin(&mut self, id: &str) {
        let link = self.link(id).await;
        let page = self.browser.get(&link).await.expect(200);
        assert!(page.body.contains(REASON), "{page:?}");
        let begun = self.browser.submit(&page, &[]).await.expect(303);
        assert_eq!(begun.location(), "/");
    }

    /// An authorization request in Sue's browser.
    async fn authorized(&mut self, changes: &[(&str, &str)]) -> (Answer, String) {
        let verifier = self.web.verifier();
        let path = self.web.authorize_path(&verifier, changes);
        (self.browser.get(&path).await, verifier)
    }

    /// The tokens that a flow in Sue's browser comes to.
    async fn tokens(&mut self) -> Value {
        let code = self.web.code_in(&mut self.browser, &self.sue).await;
        self.web.exchange(&code).await.expect(200).json()
    }

    /// Whom the application learns of in Sue's browser.
    async fn whom(&mut self) -> Value {
        let tokens = self.tokens().await;
        claims(tokens["access_token"].as_str().unwrap())["sub"].clone()
    }

    async fn state(&self, id: &str) -> Value {
        self.call(Method::GET, &format!("/{id}"), None).await.expect(200).json()["state"].clone()
    }

    async fn is_active(&self, token: &str) -> bool {
        let told = self.web.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
        told["active"] == json!(true)
    }
}

/// Makes the tenant want it, with these settings.
async fn set(site: &Site<'_>, mut settings: Value) {
    settings["enabled"] = json!(true);
    let body = json!({ "settings": { "impersonation": settings } });
    let token = site.mint(|_| ());
    let _ = site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), Some(body)).await.expect(200);
}

/// A browser in which a person has signed in, and the id of the session.
async fn signed_in<'h>(web: &Client<'h>, person: &Person) -> (Browser<'h>, String) {
    let mut browser = web.site.browser();
    let code = web.code_in(&mut browser, person).await;
    let tokens = web.exchange(&code).await.expect(200).json();
    let sid = claims(tokens["id_token"].as_str().unwrap())["sid"].as_str().unwrap().to_owned();
    (browser, sid)
}

/// A token of a staff member for the management API.
fn token(site: &Site<'_>, person: &Person, sid: &str) -> String {
    token_with(site, person, |claims| claims["sid"] = json!(sid))
}

fn token_with(site: &Site<'_>, person: &Person, change: impl FnOnce(&mut Value)) -> String {
    let now = site.harness.operator().now.as_secs();
    site.mint(|claims| {
        claims["sub"] = json!(person.subject);
        claims["subject_type"] = json!("human");
        claims["scope"] = json!("impersonations:read impersonations:write");
        (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
        change(claims);
    })
}

/// A call of a person about their own account.
async fn own(site: &Site<'_>, person: &Person, call: (Method, &str)) -> Answer {
    let token = token_with(site, person, |claims| {
        claims["scope"] = json!("identity:read identity:write identity:approve");
    });
    let path = format!("/api/v1/identity/impersonations{}", call.1);
    site.call(call.0, &path, Some(&token), None).await
}

fn id(answer: &Answer) -> String {
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// The details of the latest entry of the audit log with this action, with who acted.
async fn audited(h: &Harness, action: &str) -> Value {
    let select = SystemSql::new(
        "SELECT actor_kind, actor_id, target, detail FROM audit_log WHERE action = $1 ORDER BY id DESC LIMIT 1",
    );
    let mut tx = h.app().db.read_system().await.unwrap();
    let Some(row) = tx.optional(select, args![action]).await.unwrap() else { return Value::Null };
    let mut detail: Value = serde_json::from_str(&row.text("detail").unwrap()).unwrap();
    detail["actor_kind"] = json!(row.text("actor_kind").unwrap());
    detail["actor_id"] = json!(row.text("actor_id").unwrap());
    detail["target"] = json!(row.text("target").unwrap());
    detail
}

/// The subjects of the mails to a person.
async fn mailed(h: &Harness, person: &Person) -> Vec<String> {
    let mails = h.mails().await.into_iter();
    mails.filter(|mail| mail.to == person.email).map(|mail| mail.subject).collect()
}

/// Opens a form about support staff: the button that begins, the one that ends, or the person's own.
pub async fn opened<'h>(
    web: &Client<'h>,
    (path, name): (&str, &str),
    browser: &mut Browser<'h>,
) -> (Answer, Vec<(&'static str, String)>) {
    let site = &web.site;
    set(site, json!({})).await;
    let name = format!("{name}{}", path.replace('/', "-"));
    let helped = site.user(&format!("{name}-helped")).await;
    let staff = site.user_with_roles(&format!("{name}-staff"), &[ADMIN]).await;
    let (own, sid) = signed_in(web, &staff).await;
    let token = token(site, &staff, &sid);
    let body = json!({ "tenant_user_id": helped.id, "reason": REASON });
    let id = id(&site.call(Method::POST, PATH, Some(&token), Some(body)).await.expect(201));
    if path == "/account/support" {
        web.code_in(browser, &helped).await;
        return (browser.get(path).await, vec![("impersonation", id)]);
    }
    *browser = own;
    let link =
        site.call(Method::POST, &format!("{PATH}/{id}/link"), Some(&token), None).await.expect(200).json();
    let link = link["url"].as_str().unwrap().strip_prefix(site.issuer()).unwrap().to_owned();
    let page = browser.get(&link).await.expect(200);
    if path == "/auth/impersonation" {
        return (page, Vec::new());
    }
    let _ = browser.submit(&page, &[]).await.expect(303);
    (browser.get("/").await, Vec::new())
}
