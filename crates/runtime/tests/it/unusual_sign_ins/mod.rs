//! What people and administrators see of sign-ins, and what follows from those that are unusual.

mod disowning;
mod following;
mod history;
mod mmdb;
mod travelling;

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const HOME: &str = "203.0.113.7";
const ELSEWHERE: &str = "198.51.100.7";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/// Addresses come from a proxy, and sign-ins are rated.
const RATED: [(&str, &str); 2] =
    [("SVC_SERVER__TRUSTED_PROXIES", "[\"192.0.2.1\"]"), ("SVC_ADAPTIVE_MFA__ENABLED", "true")];

/// Sends the form of a page from an address.
async fn send(
    browser: &mut Browser<'_>,
    (page, address): (&Answer, &str),
    fields: &[(&str, &str)],
) -> Answer {
    let headers = [("x-forwarded-for", address), ("x-forwarded-proto", "https"), ("user-agent", FIREFOX)];
    browser.submit_with(page, &headers, fields).await
}

struct World<'h> {
    site: Site<'h>,
    web: Client<'h>,
    ada: Person,
}

impl<'h> World<'h> {
    async fn new(h: &'h Harness) -> Self {
        let site = h.tenant("main").await;
        let (web, ada) = (site.app("web").await, site.user("ada").await);
        Self { site, web, ada }
    }

    /// A browser in which the person has signed in at home, once on each of so many days.
    async fn at_home(&self, days: usize) -> Browser<'h> {
        let mut browser = self.site.browser();
        for _ in 0..days {
            let entered = self.enter(&mut browser, HOME).await;
            assert!(entered.redirect_param("code").is_some(), "{entered:?}");
            self.site.harness.advance(86_400);
            browser.cookies.retain(|name, _| !name.contains("session"));
        }
        browser
    }

    /// Signs in with the right password.
    async fn enter(&self, browser: &mut Browser<'h>, address: &str) -> Answer {
        self.attempt(browser, address, &self.ada.password).await
    }

    async fn attempt(&self, browser: &mut Browser<'h>, address: &str, password: &str) -> Answer {
        let page = browser.get(&self.web.authorize_path(&self.web.verifier(), &[])).await.expect(200);
        let fields = [("username", self.ada.username.as_str()), ("password", password)];
        send(browser, (&page, address), &fields).await
    }

    /// A call of the person about their own account.
    async fn own(&self, call: (Method, &str), body: Option<Value>) -> Answer {
        let now = self.site.harness.operator().now.as_secs();
        let token = self.site.mint(|claims| {
            (claims["sub"], claims["subject_type"]) = (json!(self.ada.subject), json!("human"));
            claims["scope"] = json!("identity:read identity:write");
            (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
        });
        let path = format!("/api/v1/identity{}", call.1);
        self.site.call(call.0, &path, Some(&token), body).await
    }

    /// The person's own history, newest first.
    async fn history(&self) -> Vec<Value> {
        let listed = self.own((Method::GET, "/login-history"), None).await.expect(200).json();
        listed["data"].as_array().unwrap().clone()
    }

    async fn settings(&self, adaptive_mfa: Value) {
        let body = json!({ "settings": { "adaptive_mfa": adaptive_mfa } });
        let call = (Method::PATCH, "/api/v1/tenant-settings", Some(self.site.mint(|_| ())));
        let _ = self.site.call(call.0, call.1, call.2.as_deref(), Some(body)).await.expect(200);
        let _ = self.site.harness.informed_app().await;
    }

    /// The details of the entries of an action in the audit log, newest first.
    async fn recorded(&self, action: &str) -> Vec<Value> {
        let path = format!("/api/v1/audit?action={action}");
        let token = self.site.mint(|_| ());
        let listed = self.site.call(Method::GET, &path, Some(&token), None).await.expect(200).json();
        listed["data"].as_array().unwrap().clone()
    }
}

/// The signals of an attempt.
fn signals(login: &Value) -> Vec<&str> {
    login["reasons"].as_array().unwrap().iter().map(|reason| reason["signal"].as_str().unwrap()).collect()
}
