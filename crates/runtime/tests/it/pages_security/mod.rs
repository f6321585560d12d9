//! The hosted pages against hostile browsers, sites and people (RFC 9700 §4, OWASP ASVS V3, V6, V7).

mod asked_for;
mod centre;
mod coded;
mod consents;
mod enumeration;
mod errands;
mod forms;
mod guardians;
mod guessing;
mod headers;
mod languages;
mod links;
mod passwords;
mod registrations;
mod second_tenant;
mod secrets;
mod sessions;
mod sign_out;
mod texts;
mod work;

use std::cmp::Reverse;

use svc_db::SystemSql;
use svc_http::{Body, Request};

use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

/// A site with an application of either party and a person.
struct World<'h> {
    site: Site<'h>,
    first: Client<'h>,
    third: Client<'h>,
    ada: Person,
}

async fn world<'h>(h: &'h Harness, slug: &str) -> World<'h> {
    let site = h.tenant(slug).await;
    let origin = "https://first.app.example".to_owned();
    let first = site.app_with("first", |configuration| configuration.allowed_origins = vec![origin]).await;
    let third = site.app_with("third", |configuration| configuration.first_party = false).await;
    let ada = site.user("ada").await;
    World { site, first, third, ada }
}

impl<'h> World<'h> {
    fn harness(&self) -> &'h Harness {
        self.site.harness
    }

    /// The sign-in page of an ordinary request.
    async fn sign_in_page(&self, browser: &mut Browser<'h>) -> Answer {
        let page = browser.get(&self.first.authorize_path(&self.first.verifier(), &[])).await.expect(200);
        assert!(page.body.contains("id=\"login-submit\""), "{page:?}");
        page
    }

    /// Tries a password in a fresh browser.
    async fn guess(&self, username: &str, password: &str) -> Answer {
        let mut browser = self.site.browser();
        let page = self.sign_in_page(&mut browser).await;
        browser.submit(&page, &[("username", username), ("password", password)]).await
    }

    /// Asks for a link to a new password.
    async fn forgot(&self, browser: &mut Browser<'h>, username: &str) -> Answer {
        let page = self.sign_in_page(browser).await;
        let form = browser.get(&page.link("forgot-link")).await.expect(200);
        browser.submit(&form, &[("username", username)]).await
    }

    /// Asks for a registration.
    async fn register(&self, browser: &mut Browser<'h>, email: &str) -> Answer {
        let page = self.sign_in_page(browser).await;
        let form = browser.get(&page.link("register-link")).await.expect(200);
        browser.submit(&form, &[("email", email)]).await
    }

    /// The path of the link in the newest mail.
    async fn mailed(&self) -> String {
        // Mails that wait together are sent in any order, and those of one instant have none.
        let mut mails = self.harness().mails().await;
        mails.sort_by_key(|mail| Reverse(mail.id.made_at()));
        let mut links = mails.iter().flat_map(|mail| &mail.links);
        let link = links.find(|link| link.contains("token=")).expect("a link was mailed");
        link.strip_prefix(self.site.issuer()).expect("links stay at the issuer").to_owned()
    }
}

const NEW_PASSWORD: &str = "tangerine lighthouse nine";

/// An error page: no redirect, the code, the request's id, and nothing that leads away from here.
#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert_eq!(answer.header("location"), "", "{answer:?}");
    assert!(answer.body.contains(&format!("<code id=\"error-code\">{code}</code>")), "{answer:?}");
    let request_id = answer.header("x-request-id");
    assert!(!request_id.is_empty() && answer.body.contains(request_id), "{answer:?}");
    // The only way on is the same address, or back to an application, at an address that it registered.
    let links = answer.body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let outward: Vec<_> = links.filter(|link| !link.is_empty() && !link.starts_with(['/', '#'])).collect();
    assert!(outward.iter().all(|link| link.ends_with(".app.example")), "{outward:?}: {answer:?}");
    assert!(!answer.body.contains("<form"), "{answer:?}");
}

/// The sign-in page with its one message for whatever is wrong.
#[track_caller]
fn wrong_credentials(answer: &Answer) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(
        answer.body.contains("role=\"alert\"") && answer.body.contains("id=\"login-submit\""),
        "{answer:?}"
    );
    assert_eq!(new_cookie(answer, "__Host-svc_session"), None);
}

/// The sign-in page of a name that is locked: it says how to go on.
#[track_caller]
fn locked_out(answer: &Answer, minutes: u32) {
    assert_eq!(answer.status, 429, "{answer:?}");
    let told = format!("Too many attempts. Wait {minutes} minutes, or reset your password.");
    assert!(answer.body.contains(&told) && answer.body.contains("id=\"forgot-link\""), "{answer:?}");
    assert_eq!(answer.header("retry-after"), (minutes * 60).to_string());
    assert_eq!(new_cookie(answer, "__Host-svc_session"), None);
}

/// The sealed flow that the links of a page carry.
#[track_caller]
fn flow_of(page: &Answer) -> String {
    page.link("forgot-link").split_once("flow=").unwrap().1.to_owned()
}

/// A cookie that an answer sets, with its attributes.
fn new_cookie(answer: &Answer, name: &str) -> Option<String> {
    let set = answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap().to_owned());
    set.into_iter().find(|cookie| cookie.starts_with(&format!("{name}=")))
}

/// What each of the tables that hosted pages write to holds.
async fn state_of(h: &Harness) -> Vec<i64> {
    let mut counts = Vec::new();
    let mut tx = h.app().db.read_system().await.unwrap();
    for text in [
        "SELECT count(*) AS n FROM sessions WHERE ended_at IS NULL",
        "SELECT count(*) AS n FROM codes",
        "SELECT count(*) AS n FROM consents",
        "SELECT count(*) AS n FROM links WHERE state = 'live'",
        "SELECT count(*) AS n FROM links",
        "SELECT count(*) AS n FROM deliveries",
        "SELECT count(*) AS n FROM tenant_users",
        "SELECT count(*) AS n FROM account_attempts",
        "SELECT count(*) AS n FROM audit_log",
        "SELECT count(*) AS n FROM (SELECT id FROM outbox UNION ALL SELECT id FROM events) recorded",
    ] {
        counts.push(tx.one(SystemSql::new(text), &[]).await.unwrap().int("n").unwrap());
    }
    tx.commit().await.unwrap();
    counts
}

/// A request without a body at a site.
fn request(site: &Site<'_>, method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
    let empty = Request::builder().method(method).uri(path).header("host", &site.host);
    headers
        .iter()
        .fold(empty, |request, (name, value)| request.header(*name, *value))
        .body(Body::empty())
        .unwrap()
}
