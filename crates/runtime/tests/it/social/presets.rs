//! Providers that speak each in their own way.

use serde_json::json;
use url::Url;

use super::{LOOPBACK, led, told};
use crate::harness::provider::{Asked, Provider};
use crate::harness::{Browser, Client, Harness};

async fn signed_in(client: &Client<'_>, mut browser: Browser<'_>, id: &str) -> bool {
    let asked = led(&mut browser, client, id).await;
    browser.get(&asked.back("a-code".to_owned())).await.is_signed_in()
}

fn page(provider: &Provider, path: &str, body: serde_json::Value) {
    provider.pages.lock().unwrap().insert(path.to_owned(), body);
}

#[tokio::test]
async fn github_is_believed_for_the_first_address_that_it_has_proven() {
    let provider = Provider::serve().await;
    let h = Harness::with(&[
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__GITHUB__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__GITHUB__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__GITHUB__BASE_URL", &provider.issuer),
    ])
    .await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    page(
        &provider,
        "/api/v3/user",
        json!({ "id": 583_231, "login": "octocat", "email": "public@acme.example" }),
    );
    let list = |verified: bool| {
        json!([
            { "email": "old@acme.example", "primary": false, "verified": true },
            { "email": "octo@acme.example", "primary": true, "verified": verified },
        ])
    };
    page(&provider, "/api/v3/user/emails", list(false));
    assert!(
        !signed_in(&client, site.browser(), "github").await,
        "an address that is not proven makes no account"
    );
    page(&provider, "/api/v3/user/emails", list(true));
    assert!(signed_in(&client, site.browser(), "github").await);
    page(&provider, "/api/v3/user/emails", json!({ "message": "Not Found" }));
    assert!(signed_in(&client, site.browser(), "github").await, "a known person needs no address");
}

#[tokio::test]
async fn a_directory_of_microsoft_is_believed_for_its_own_domains_only() {
    let provider = Provider::serve().await;
    let h = Harness::with(&[
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__MICROSOFT__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__MICROSOFT__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__MICROSOFT__BASE_URL", &provider.issuer),
    ])
    .await;
    let site = h.tenant("main").await;
    let base = &provider.issuer;
    let metadata = json!({
        "issuer": format!("{base}/{{tenantid}}/v2.0"), "authorization_endpoint": format!("{base}/authorize"),
        "token_endpoint": format!("{base}/token"), "jwks_uri": format!("{base}/jwks"),
    });
    page(&provider, "/common/v2.0/.well-known/openid-configuration", metadata);
    let client = site.app("first").await;
    let directory = "9188040d-6c67-4c5b-b112-36a304b66dad";
    for (tid, iss, edov, is_let_in) in [
        (directory, directory, json!(true), true),
        (directory, "72f988bf-86f1-41af-91ab-2d7cd011db47", json!(true), false),
        (directory, directory, json!(false), true),
    ] {
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, "microsoft").await;
        let back = provider.vouch(&asked, &h, |claims| {
            claims["iss"] = json!(format!("{base}/{iss}/v2.0"));
            claims["tid"] = json!(tid);
            claims["xms_edov"] = edov.clone();
        });
        let answer = browser.get(&back).await;
        assert_eq!(answer.is_signed_in(), is_let_in, "{tid} {iss} {edov}: {answer:?}");
    }
    // Another directory's person with the same subject is another person, and its word for an address is not enough.
    let other = "72f988bf-86f1-41af-91ab-2d7cd011db47";
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "microsoft").await;
    let back = provider.vouch(&asked, &h, |claims| {
        claims["iss"] = json!(format!("{base}/{other}/v2.0"));
        (claims["tid"], claims["email_verified"]) = (json!(other), json!(true));
    });
    assert!(!browser.get(&back).await.is_signed_in());
}

#[tokio::test]
async fn a_provider_of_the_operators_own_speaks_plain_oauth() {
    let provider = Provider::serve().await;
    let base = &provider.issuer;
    let settings = json!([{
        "id": "corp", "display_name": "Corp ID", "client_id": "svc", "client_secret": "upstream-secret",
        "authorization_endpoint": format!("{base}/go"), "token_endpoint": format!("{base}/token"),
        "userinfo_endpoint": format!("{base}/me"), "scopes": ["who"], "subject_claim": "uid", "trusted_email": true,
        "email_verified_claim": "mail_ok", "email_claim": "mail",
    }]);
    let settings = settings.to_string();
    let h = Harness::with(&[
        LOOPBACK,
        ("SVC_GENERIC_OAUTH__ENABLED", "true"),
        ("SVC_GENERIC_OAUTH__PROVIDERS", &settings),
    ])
    .await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let sign_in = browser.get(&client.authorize_path("v", &[])).await.expect(200);
    assert!(
        sign_in.body.contains("Continue with \u{2068}Corp ID\u{2069}") || sign_in.body.contains("Corp ID")
    );
    let asked =
        Asked(Url::parse(browser.get(&sign_in.link("social-corp")).await.expect(303).location()).unwrap());
    assert_eq!((asked.0.path(), asked.param("scope")), ("/go", "who".to_owned()));
    page(&provider, "/me", json!({ "uid": "u1", "mail": "grace@acme.example", "mail_ok": true }));
    assert!(browser.get(&asked.back("a-code".to_owned())).await.is_signed_in());
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    assert!(sent.contains("authorization: Basic ") && sent.contains("code_verifier="), "{sent}");
}

#[tokio::test]
async fn apple_is_shown_a_secret_that_the_operators_key_has_signed_for_this_call() {
    let (provider, key) =
        (Provider::serve().await, crate::client_keys::signer::Signer::new(svc_keys::Algorithm::Es256));
    let h = Harness::with(&[
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__APPLE__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__APPLE__TEAM_ID", "TEAM"),
        ("SVC_SOCIAL__APPLE__KEY_ID", "KEY"),
        ("SVC_SOCIAL__APPLE__PRIVATE_KEY", &key.pem.replace('\n', " ")),
        ("SVC_SOCIAL__APPLE__BASE_URL", &provider.issuer),
    ])
    .await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "apple").await;
    assert_eq!(asked.param("response_mode"), "form_post");
    let back = provider.vouch(&asked, &h, |claims| {
        claims["email_verified"] = json!("true");
        claims.as_object_mut().unwrap().remove("name");
    });
    // Apple's page posts the answer, as a page of another site.
    let (path, query) = back.split_once('?').unwrap();
    let mut fields: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let user = json!({ "name": { "firstName": "Grace", "lastName": "Brewster Hopper" }, "email": "grace@acme.example" });
    fields.push(("user".to_owned(), user.to_string()));
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let answer = browser.post_from("https://appleid.apple.com", path, &fields).await.expect(303);
    let signed_in = browser.get(answer.location()).await;
    assert!(signed_in.is_signed_in());
    assert_eq!(told(&client, &signed_in).await["name"], "Grace Brewster Hopper");
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    let form = sent.split("\r\n\r\n").nth(1).unwrap();
    let secret =
        url::form_urlencoded::parse(form.as_bytes()).find(|(name, _)| name == "client_secret").unwrap().1;
    let claims = key.verified(&secret, "KEY");
    assert_eq!((&claims["iss"], &claims["sub"]), (&json!("TEAM"), &json!("svc")));
    assert_eq!(claims["aud"], json!(provider.issuer));
    assert!(!sent.contains("code_verifier="), "{sent}");
}

#[tokio::test]
async fn x_speaks_of_the_person_in_an_inner_object_and_tells_proven_addresses_only() {
    let provider = Provider::serve().await;
    let h = Harness::with(&[
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__X__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__X__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__X__BASE_URL", &provider.issuer),
    ])
    .await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let person = |id: &str, address: Option<&str>| json!({ "data": { "id": id, "name": "Grace Hopper", "username": "grace", "confirmed_email": address } });
    page(&provider, "/2/users/me", person("2244994945", None));
    assert!(!signed_in(&client, site.browser(), "x").await, "without an address there is no account");
    page(&provider, "/2/users/me", person("2244994945", Some("grace@acme.example")));
    assert!(signed_in(&client, site.browser(), "x").await);
    page(&provider, "/2/users/me", json!({ "data": { "name": "Grace Hopper" }, "id": "2244994945" }));
    assert!(!signed_in(&client, site.browser(), "x").await, "what stands elsewhere is not the person's id");
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    assert!(sent.contains("authorization: Basic ") && sent.contains("code_verifier="), "{sent}");
}

#[tokio::test]
async fn a_provider_that_does_not_say_whether_an_address_is_proven_is_not_believed() {
    let provider = Provider::serve().await;
    let h = Harness::with(&[
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__SPOTIFY__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__SPOTIFY__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__SPOTIFY__BASE_URL", &provider.issuer),
    ])
    .await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    page(
        &provider,
        "/v1/me",
        json!({ "id": "grace", "display_name": "Grace", "email": "grace@acme.example" }),
    );
    assert!(!signed_in(&client, site.browser(), "spotify").await);
}
