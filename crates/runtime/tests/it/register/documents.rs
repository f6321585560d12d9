//! Applications known by a document at the address that is their `client_id`.

use serde_json::{Value, json};
use svc_http::Method;

use super::{LOOPBACK, allow_documents, configuration};
use crate::harness::client::claims;
use crate::harness::publisher::Publisher;
use crate::harness::{Client, Harness, Site};
use crate::polling::DEVICE_CODE;

const PATH: &str = "/client.json";
const CALLBACK: &str = "https://reader.example/callback";

fn document(publisher: &Publisher, changes: &Value) -> Value {
    let mut document = json!({
        "client_id": publisher.url(PATH),
        "client_name": "Reader",
        "redirect_uris": [CALLBACK],
        "grant_types": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_method": "none",
    });
    for (name, value) in changes.as_object().unwrap() {
        document[name] = value.clone();
    }
    document
}

fn client<'h>(site: &Site<'h>, publisher: &Publisher) -> Client<'h> {
    let document = document(publisher, &json!({}));
    Client {
        site: site.clone(),
        id: publisher.url(PATH),
        secret: None,
        configuration: configuration(&document),
    }
}

async fn scene<'h>(h: &'h Harness) -> (Site<'h>, Publisher, Client<'h>) {
    let mut site = h.tenant("main").await;
    allow_documents(&mut site).await;
    let publisher = Publisher::start().await;
    publisher.publish(PATH, &document(&publisher, &json!({})), 3600);
    let client = client(&site, &publisher);
    (site, publisher, client)
}

#[tokio::test]
async fn a_document_is_enough_to_sign_people_in() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let person = site.user("ada").await;
    let page = site.browser().get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    assert!(page.body.contains("Reader"));
    let tokens = client.tokens(&person).await;
    assert_eq!(claims(tokens.id_token())["aud"], client.id);
    assert_eq!(claims(tokens.access_token())["client_id"], client.id);
    assert_ne!(claims(tokens.id_token())["sub"], person.subject);
    assert_eq!(client.refresh(tokens.refresh_token()).await.status, 200);
    assert_eq!(publisher.fetched(PATH), 1, "kept as long as HTTP allows");
    let discovery = site.get("/.well-known/openid-configuration").await.json();
    assert_eq!(discovery["client_id_metadata_document_supported"], true);
}

#[tokio::test]
async fn without_the_tenants_leave_an_address_is_no_client_id() {
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let publisher = Publisher::start().await;
    publisher.publish(PATH, &document(&publisher, &json!({})), 3600);
    let client = client(&site, &publisher);
    assert_eq!(site.browser().get(&client.authorize_path(&client.verifier(), &[])).await.status, 400);
    assert_eq!(publisher.fetched(PATH), 0);
    let discovery = site.get("/.well-known/openid-configuration").await.json();
    assert!(discovery.get("client_id_metadata_document_supported").is_none());
}

#[tokio::test]
async fn a_document_is_read_again_when_it_is_stale_and_consent_asked_when_it_changed() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let person = site.user("ada").await;
    let mut browser = site.browser();
    client.code_in(&mut browser, &person).await;
    let path = || client.authorize_path(&client.verifier(), &[]);
    assert_eq!(browser.get(&path()).await.status, 303, "remembered");

    h.advance(3600);
    assert_eq!(browser.get(&path()).await.status, 303, "read again, and it says the same");
    assert_eq!(publisher.fetched(PATH), 2);

    publisher.publish(PATH, &document(&publisher, &json!({ "client_name": "Your Bank" })), 3600);
    h.advance(3600);
    let page = browser.get(&path()).await.expect(200);
    assert!(page.body.contains("id=\"consent-allow\"") && page.body.contains("Your Bank"));
    let back = browser.submit(&page, &[("decision", "allow")]).await;
    assert!(back.redirect_param("code").is_some());
    assert_eq!(browser.get(&path()).await.status, 303, "and remembered again");
}

#[tokio::test]
async fn a_document_that_is_away_for_a_while_still_counts_and_after_a_day_no_more() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let person = site.user("ada").await;
    let tokens = client.tokens(&person).await;
    publisher.answer_with(PATH, "503 Service Unavailable", "");
    h.advance(7200);
    let refreshed = client.refresh(tokens.refresh_token()).await.expect(200).json();
    h.advance(80_000);
    let token = refreshed["refresh_token"].as_str().unwrap();
    let _ = client.refresh(token).await.expect_problem(401, "invalid_client");
    publisher.publish(PATH, &document(&publisher, &json!({})), 3600);
    let _ = client.refresh(token).await.expect(200);
}

#[tokio::test]
async fn the_media_type_of_a_document_is_read_in_any_letter_case() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let head = "200 OK\r\ncontent-type: Application/JSON; charset=utf-8";
    publisher.answer_with(PATH, head, &document(&publisher, &json!({})).to_string());
    let page = site.browser().get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    assert!(page.body.contains("id=\"login-submit\""), "{page:?}");
}

#[tokio::test]
async fn a_document_that_does_not_hold_is_an_error_page() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    for bad in [
        json!({ "client_id": "https://other.example/client.json" }),
        json!({ "client_id": null }),
        json!({ "client_secret": "shared" }),
        json!({ "token_endpoint_auth_method": "client_secret_basic" }),
        json!({ "redirect_uris": ["https://other.example/callback"] }),
        json!({ "redirect_uris": ["javascript:alert(1)"] }),
        json!({ "redirect_uris": [] }),
        json!({ "grant_types": ["client_credentials"] }),
        json!({ "client_uri": "https://your-bank.example/" }),
        json!({ "logo_uri": "https://10.0.0.1/logo.png" }),
    ] {
        publisher.publish(PATH, &document(&publisher, &bad), 3600);
        let answer = site.browser().get(&client.authorize_path(&client.verifier(), &[])).await;
        assert_eq!(answer.status, 400, "{bad}");
        h.advance(3601);
    }
    let far = format!("302 Found\r\nlocation: {}", publisher.url("/elsewhere"));
    let big = format!("{{\"x\":\"{}\"}}", "x".repeat(20_000));
    for (head, body) in [
        (far.as_str(), ""),
        ("200 OK\r\ncontent-type: text/html", "<p>no</p>"),
        ("200 OK\r\ncontent-type: application/json", "[]"),
        ("200 OK\r\ncontent-type: application/json", big.as_str()),
    ] {
        publisher.answer_with(PATH, head, body);
        let answer = site.browser().get(&client.authorize_path(&client.verifier(), &[])).await;
        assert_eq!(answer.status, 400, "{head}");
        h.advance(3601);
    }
}

#[tokio::test]
async fn a_document_joins_no_sector_whose_owner_does_not_name_it() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let sector = json!({ "sector_identifier_uri": publisher.url("/sector") });
    publisher.publish(PATH, &document(&publisher, &sector), 3600);
    publisher.publish("/sector", &json!(["https://notebook.example/callback"]), 0);
    let path = || client.authorize_path(&client.verifier(), &[]);
    assert_eq!(site.browser().get(&path()).await.status, 400);
    publisher.publish("/sector", &json!(["https://notebook.example/callback", CALLBACK]), 0);
    let _ = site.browser().get(&path()).await.expect(200);
}

#[tokio::test]
async fn of_many_that_read_a_changed_document_at_once_none_is_turned_away() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let path = client.authorize_path(&client.verifier(), &[]);
    let _ = site.browser().get(&path).await.expect(200);
    publisher.publish(PATH, &document(&publisher, &json!({ "client_name": "Your Bank" })), 3600);
    h.advance(3600);
    let (site, path) = (&site, &path);
    let asking = (0..8).map(|_| async move { site.browser().get(path).await });
    for page in futures_util::future::join_all(asking).await {
        let _ = page.expect(200);
    }
}

#[tokio::test]
async fn addresses_that_we_would_never_call_are_no_client_ids() {
    let h = Harness::new().await;
    let (site, publisher, mut client) = scene(&h).await;
    for bad in [
        publisher.url(PATH),
        "https://10.0.0.1/client.json".to_owned(),
        "https://localhost/client.json".to_owned(),
        "http://a.example/client.json".to_owned(),
        "https://a.example:8443/client.json".to_owned(),
        "https://a.example/".to_owned(),
        "https://a.example/x#y".to_owned(),
        "https://a.example/../x".to_owned(),
    ] {
        client.id = bad;
        assert_eq!(
            site.browser().get(&client.authorize_path(&client.verifier(), &[])).await.status,
            400,
            "{}",
            client.id
        );
        let form = [("grant_type", "refresh_token"), ("refresh_token", "x")];
        let _ = client.token(&form, &[]).await.expect_problem(401, "invalid_client");
    }
    assert_eq!(publisher.fetched(PATH), 0);
}

#[tokio::test]
async fn no_client_makes_us_fetch_a_document_as_often_as_it_likes() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    publisher.answer_with(PATH, "404 Not Found", "");
    for _ in 0..30 {
        site.browser().get(&client.authorize_path(&client.verifier(), &[])).await;
    }
    assert_eq!(publisher.fetched(PATH), 10);
}

#[tokio::test]
async fn an_application_whose_document_is_read_too_often_hears_when_to_try_again() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (_site, publisher, client) = scene(&h).await;
    publisher.answer_with(PATH, "404 Not Found", "");
    let form = [("grant_type", "refresh_token"), ("refresh_token", "x")];
    for _ in 0..10 {
        let _ = client.post("/oauth/token", &form, &[]).await.expect_problem(401, "invalid_client");
    }
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/par", "/oauth/device/code"] {
        let answer = client.post(path, &form, &[]).await.expect_problem(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "60", "{path}");
    }
    assert_eq!(publisher.fetched(PATH), 10);
}

#[tokio::test]
async fn the_audit_log_names_it_by_its_id_also_where_a_device_asks() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let grants = json!({ "grant_types": ["authorization_code", "refresh_token", DEVICE_CODE] });
    publisher.publish(PATH, &document(&publisher, &grants), 3600);
    let _ = site.browser().get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    let _ = client.post("/oauth/device/code", &[("scope", "openid")], &[]).await.expect(200);
    let admin = site.mint(|_| ());
    let log = site.call(Method::GET, "/api/v1/audit?limit=50", Some(&admin), None).await.expect(200).json();
    let mut entries = log["data"].as_array().unwrap().iter();
    let entry = entries.find(|entry| entry["action"] == "device_code.created").unwrap();
    assert_eq!(entry["actor_id"], entry["target"], "{entry}");
}

#[tokio::test]
async fn an_administrator_may_disable_it_and_a_new_reading_does_not_enable_it() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, _publisher, client) = scene(&h).await;
    let person = site.user("ada").await;
    let tokens = client.tokens(&person).await;
    let admin = site.mint(|_| ());
    let listed = site.call(Method::GET, "/api/v1/applications", Some(&admin), None).await.expect(200).json();
    let ours =
        listed["data"].as_array().unwrap().iter().find(|app| app["handle"] == client.id.as_str()).unwrap();
    super::disable(&h, &site, ours["id"].as_str().unwrap()).await;
    h.advance(4000);
    let _ = client.refresh(tokens.refresh_token()).await.expect_problem(401, "invalid_client");
    assert_eq!(site.browser().get(&client.authorize_path(&client.verifier(), &[])).await.status, 400);
}

#[tokio::test]
async fn what_an_administrator_has_bounded_stays_so_when_the_document_is_read_again() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (site, publisher, client) = scene(&h).await;
    let path = || client.authorize_path(&client.verifier(), &[]);
    let _ = site.browser().get(&path()).await.expect(200);
    let admin = site.mint(|_| ());
    let listed = site.call(Method::GET, "/api/v1/applications", Some(&admin), None).await.expect(200).json();
    let ours =
        listed["data"].as_array().unwrap().iter().find(|app| app["handle"] == client.id.as_str()).unwrap();
    let id = ours["id"].as_str().unwrap();
    super::administer(&h, &site, id, (true, super::bound)).await;
    publisher.publish(PATH, &document(&publisher, &json!({ "client_name": "Your Bank" })), 3600);
    h.advance(4000);
    let _ = site.browser().get(&path()).await.expect(200);
    let now = super::administered(&site, id).await;
    assert_eq!(now.name, "Your Bank");
    super::is_bounded(&now);
}
