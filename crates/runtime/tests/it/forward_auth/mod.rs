//! Forward authentication: what a reverse proxy learns, how people sign in at its hosts, and what ends that.

mod asking;
mod at_a_provider;
mod endings;
mod signing_in;

use std::collections::BTreeMap;

use svc_domain::apps::Configuration;
use svc_http::{Body, Request};

use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

/// Proxies are in one network, and forward authentication is on.
pub const SETTINGS: [(&str, &str); 2] =
    [("SVC_PROXY__ENABLED", "true"), ("SVC_SERVER__TRUSTED_PROXIES", r#"["10.0.0.0/8"]"#)];
/// The header that the application receives.
const SUBJECT: &str = "x-svc-subject";
/// The cookie of a host behind a proxy.
const COOKIE: &str = "__Host-svc_proxy";

/// A host behind a proxy, and the cookies that a browser has there.
#[derive(Clone)]
pub struct Host<'h> {
    pub app: Client<'h>,
    pub name: String,
    pub cookies: BTreeMap<String, String>,
}

impl<'h> Host<'h> {
    /// The host `<handle>.example` of an application of its own.
    pub async fn new(site: &Site<'h>, handle: &str, change: impl FnOnce(&mut Configuration)) -> Self {
        let name = format!("{handle}.example");
        let app = site.app_with(handle, |app| {
            app.redirect_uris = vec![format!("https://{name}/auth/proxy/callback")];
            app.post_logout_redirect_uris = vec![format!("https://{name}/")];
            change(app);
        });
        Self { app: app.await, name, cookies: BTreeMap::new() }
    }

    /// What the proxy says of a request for a page.
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("x-forwarded-for", "192.0.2.9".to_owned()),
            ("x-forwarded-proto", "https".to_owned()),
            ("x-forwarded-host", self.name.clone()),
            ("x-forwarded-uri", "/page?x=1".to_owned()),
            ("x-forwarded-method", "GET".to_owned()),
        ]
    }

    /// A request that the proxy sends, with these headers instead of or besides its own.
    async fn send(&mut self, path: &str, changes: &[(&'static str, &str)]) -> Answer {
        let mut request = Request::get(path).header("host", &self.app.site.host);
        let is_kept = |(name, _): &(&str, String)| changes.iter().all(|(changed, _)| changed != name);
        for (name, value) in self.facts().into_iter().filter(is_kept) {
            request = request.header(name, value);
        }
        for (name, value) in changes.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = request.header("cookie", cookies.join("; ")).body(Body::empty()).unwrap();
        let answer = self.app.site.harness.send_from("10.0.0.7", request).await;
        self.keep(&answer);
        answer
    }

    fn keep(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            match rest.split(';').next().unwrap() {
                "" => self.cookies.remove(name),
                value => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }

    /// What nginx asks.
    pub async fn check(&mut self) -> Answer {
        self.check_with(&[]).await
    }

    async fn check_with(&mut self, changes: &[(&'static str, &str)]) -> Answer {
        self.send(&format!("/auth/proxy/check?client_id={}", self.app.id.clone()), changes).await
    }

    /// What the other proxies ask.
    async fn forward(&mut self, changes: &[(&'static str, &str)]) -> Answer {
        self.send(&format!("/auth/proxy/forward?client_id={}", self.app.id.clone()), changes).await
    }

    /// The path at this host that an answer leads to.
    #[track_caller]
    fn path_here(&self, address: &str) -> String {
        address
            .strip_prefix(&format!("https://{}", self.name))
            .unwrap_or_else(|| panic!("{address}"))
            .to_owned()
    }

    /// Begins to sign in; returns the authorization request at the tenant's host.
    async fn begin(&mut self) -> String {
        let answer = self.forward(&[]).await.expect(303);
        let start = self.path_here(answer.location());
        let answer = self.send(&start, &[]).await.expect(303);
        let issuer = self.app.site.issuer().to_owned();
        answer.location().strip_prefix(&issuer).unwrap_or_else(|| panic!("{answer:?}")).to_owned()
    }

    /// Where the authorization endpoint sends a person back to; they allow what they are asked.
    async fn authorized(&self, browser: &mut Browser<'h>, path: &str, person: &Person) -> String {
        let mut answer = browser.get(path).await;
        if answer.body.contains("id=\"login-submit\"") {
            let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
            answer = browser.submit(&answer, &fields).await;
        }
        if answer.body.contains("id=\"consent-allow\"") {
            answer = browser.submit(&answer, &[("decision", "allow")]).await;
        }
        self.path_here(answer.location())
    }

    /// Signs a person in; returns the answer that takes them back.
    pub async fn sign_in(&mut self, browser: &mut Browser<'h>, person: &Person) -> Answer {
        let path = self.begin().await;
        let callback = self.authorized(browser, &path, person).await;
        self.send(&callback, &[]).await
    }

    /// Whether the proxy lets the browser through.
    async fn is_signed_in(&mut self) -> bool {
        let answer = self.check().await;
        assert!([200, 401].contains(&answer.status), "{answer:?}");
        answer.status == 200
    }
}

/// A service with the tenant `main`, a person there, and a host.
async fn world(h: &Harness) -> (Site<'_>, Person, Host<'_>) {
    let site = h.tenant("main").await;
    let (ada, wiki) = (site.user("ada").await, Host::new(&site, "wiki", |_| ()).await);
    (site, ada, wiki)
}
