//! Passwords known from breaches are refused wherever one is set (NIST SP 800-63B §3.1.1.2), and only five characters of
//! their digest are told.

use serde_json::{Value, json};
use svc_http::Method;
use svc_http::breached::list;
use svc_keys::digest::sha1;
use svc_keys::hex;

use crate::account::own;
use crate::apply::apply_text;
use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Harness, Site};

const KNOWN: &str = "compiler nanosecond moth";
pub const UNKNOWN: &str = "relay tangerine lighthouse";

fn digest(password: &str) -> String {
    hex(sha1(password.as_bytes())).to_uppercase()
}

/// Where a password is asked about.
pub fn path(password: &str) -> String {
    format!("/range/{}", &digest(password)[..5])
}

/// The range API, which knows one of the two passwords; the other one is in its padding.
pub async fn api() -> Publisher {
    let api = Publisher::start().await;
    for (password, count) in [(KNOWN, 42), (UNKNOWN, 0)] {
        let body = format!("0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n{}:{count}\r\n", &digest(password)[5..]);
        api.answer_with(&path(password), "200 OK\r\ncontent-type: text/plain", &body);
    }
    api
}

/// A service that asks it.
pub async fn asking(api: &Publisher, further: &[(&str, &str)]) -> Harness {
    let url = api.url("");
    let settings = [("SVC_HIBP__ENABLED", "true"), ("SVC_HIBP__API_URL", url.as_str())];
    Harness::with(&[&settings, further].concat()).await
}

async fn invited(site: &Site<'_>) -> Value {
    let body = json!({ "email": "grace@new.example", "username": "grace", "invite": true });
    let token = site.mint(|_| ());
    site.call(Method::POST, "/api/v1/tenant-users", Some(&token), Some(body)).await.expect(201).json()
}

async fn set(site: &Site<'_>, person: &Value, password: &str) -> Answer {
    let path = format!("/api/v1/tenant-users/{}/password", person["id"].as_str().unwrap());
    let body = json!({ "password": password });
    site.call(Method::PUT, &path, Some(&site.mint(|_| ())), Some(body)).await
}

/// Fills the form behind the link of the newest mail.
async fn choose(h: &Harness, site: &Site<'_>, password: &str) -> Answer {
    let mail = h.mails().await.remove(0);
    let link = mail.text.split_whitespace().find(|word| word.contains("?token=")).unwrap().to_owned();
    let mut browser = site.browser();
    let page = browser.get(link.strip_prefix(site.issuer()).unwrap()).await.expect(200);
    browser.submit(&page, &[("name", "Grace"), ("password", password)]).await
}

fn seed(password: &str) -> String {
    format!(
        "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n[[tenant.user]]\nusername = \"eve\"\ninitial_password = \"{password}\"\n"
    )
}

#[tokio::test]
async fn a_password_of_a_breach_is_refused_wherever_one_is_set() {
    let api = api().await;
    let h = asking(&api, &[]).await;
    let site = h.tenant("main").await;
    let person = invited(&site).await;
    let refused = set(&site, &person, KNOWN).await.expect_problem(400, "bad_request");
    assert!(refused.body.contains("password: this one is known from a breach"), "{refused:?}");
    let mail = h.mails().await;
    assert_eq!(mail.len(), 1);
    let page = choose(&h, &site, KNOWN).await;
    assert!(page.body.contains("known from a breach of another site"), "{page:?}");
    let done = choose(&h, &site, UNKNOWN).await;
    assert!(done.body.contains("Email confirmed"), "{done:?}");
    let token = site.mint(|_| ());
    let recovery = format!("/api/v1/tenant-users/{}/recovery", person["id"].as_str().unwrap());
    let _ = site.call(Method::POST, &recovery, Some(&token), None).await.expect(204);
    let page = choose(&h, &site, KNOWN).await;
    assert!(page.body.contains("known from a breach of another site"), "{page:?}");
    let done = choose(&h, &site, UNKNOWN).await;
    assert!(done.body.contains("Password changed"), "{done:?}");
    let error = apply_text(&h, &seed(KNOWN)).await.unwrap_err();
    assert!(error.contains("user \"eve\"") && error.contains("known from a breach"), "{error}");
    apply_text(&h, &seed(UNKNOWN)).await.unwrap();
    assert_eq!(api.fetched(&path(KNOWN)), 4);
}

#[tokio::test]
async fn without_an_answer_a_password_is_refused_for_now_or_let_through_as_configured() {
    let api = Publisher::start().await;
    let h = asking(&api, &[]).await;
    let site = h.tenant("main").await;
    let person = invited(&site).await;
    h.expect_error("cannot be checked against known breaches");
    let refused = set(&site, &person, KNOWN).await.expect_problem(503, "temporarily_unavailable");
    assert_eq!(refused.header("retry-after"), "5");
    let page = choose(&h, &site, KNOWN).await;
    assert!(page.body.contains("cannot be checked right now"), "{page:?}");
    let url = api.url("");
    let settings = [
        ("SVC_HIBP__ENABLED", "true"),
        ("SVC_HIBP__API_URL", url.as_str()),
        ("SVC_HIBP__FAIL_MODE", "fail-open"),
    ];
    let open = h.restarted_with(&settings).await;
    let site = Site { harness: &open, ..site };
    let _ = set(&site, &person, KNOWN).await.expect(204);
}

#[tokio::test]
async fn a_list_on_this_machine_is_asked_instead_of_the_api() {
    let api = Publisher::start().await;
    let folder = tempfile::tempdir().unwrap();
    let list_path = folder.path().join("breached");
    list::import(format!("{}:7", digest(KNOWN)).as_bytes(), &list_path, 1, |_| ()).unwrap();
    let h = asking(&api, &[("SVC_HIBP__LIST_PATH", list_path.to_str().unwrap())]).await;
    let site = h.tenant("main").await;
    let person = invited(&site).await;
    let _ = set(&site, &person, KNOWN).await.expect_problem(400, "bad_request");
    let _ = set(&site, &person, UNKNOWN).await.expect(204);
}

#[tokio::test]
async fn a_password_that_is_still_looked_at_when_its_session_ends_is_not_set() {
    let (api, late, go) = (api().await, "velvet harbour onion", "/go");
    for path in [path(late).as_str(), go] {
        let body = "0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n";
        api.answer_with(path, "200 OK\r\ncontent-type: text/plain", body);
    }
    api.answer_after(&path(late), go);
    let h = asking(&api, &[]).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    h.advance(1);
    let mut thief = site.sign_in(&web, &ada).await;
    let page = thief.get("/account/password").await.expect(200);
    let meanwhile = async {
        api.asked(&path(late)).await;
        h.advance(1);
        let chosen = Some(json!({ "password": UNKNOWN }));
        let _ = own(&site, &ada, (Method::PUT, "/password"), chosen).await.expect(204);
        api.ask(go);
    };
    let typed = [("password", late)];
    let (answer, ()) = tokio::join!(thief.submit(&page, &typed), meanwhile);
    assert!(!answer.begins_session() && answer.body.contains("id=\"login-submit\""), "{answer:?}");
    h.advance(1);
    let mut owner = site.browser();
    let page = owner.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let entered = owner.submit(&page, &[("username", &ada.username), ("password", UNKNOWN)]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}
