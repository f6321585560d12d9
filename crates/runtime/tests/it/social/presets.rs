//! Providers that speak each in their own way.

use serde_json::json;
use url::Url;

use super::{LOOPBACK, led, named, told};
use crate::harness::provider::{AuthorizationRequest, Provider};
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
async fn a_number_that_is_too_large_to_be_read_exactly_names_no_one() {
    let (h, provider) = registered_at("github").await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let list = json!([{ "email": "octo@acme.example", "primary": true, "verified": true }]);
    page(&provider, "/api/v3/user/emails", list);
    for (id, is_let_in) in [(json!(1e25), false), (json!(u64::MAX), true)] {
        page(&provider, "/api/v3/user", json!({ "id": id, "login": "octocat" }));
        assert_eq!(signed_in(&client, site.browser(), "github").await, is_let_in, "{id}");
    }
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
        "email_verified_claim": "mail_ok", "email_claim": "mail", "name_claim": "called",
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
    let sign_in = browser.get(&client.authorize_path(&"v".repeat(43), &[])).await.expect(200);
    assert!(
        sign_in.body.contains("Continue with \u{2068}Corp ID\u{2069}") || sign_in.body.contains("Corp ID")
    );
    let asked = AuthorizationRequest(
        Url::parse(browser.get(&sign_in.link("social-corp")).await.expect(303).location()).unwrap(),
    );
    assert_eq!((asked.0.path(), asked.param("scope")), ("/go", "who".to_owned()));
    let person = json!({ "uid": "u1", "mail": "grace@acme.example", "mail_ok": true, "called": "Amazing Grace", "name": "G" });
    page(&provider, "/me", person);
    let answer = browser.get(&asked.back("a-code".to_owned())).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    assert_eq!(told(&client, &answer).await["name"], "Amazing Grace");
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    assert!(sent.contains("authorization: Basic ") && sent.contains("code_verifier="), "{sent}");
}

#[tokio::test]
async fn x_is_given_a_state_that_it_takes_and_the_browser_carries_the_rest() {
    let (h, provider) = registered_at("x").await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let person = json!({ "id": "2244994945", "name": "Grace Hopper", "username": "grace", "confirmed_email": "grace@acme.example" });
    page(&provider, "/2/users/me", json!({ "data": person }));
    let mut browser = site.browser();
    let first = led(&mut browser, &client, "x").await;
    let second = led(&mut browser, &client, "x").await;
    assert!(second.param("state").len() <= 500, "X refuses longer ones: {}", second.0);
    assert_ne!(first.param("state"), second.param("state"));
    let back = second.back("a-code".to_owned());
    for other in ["", "x", &first.param("state")] {
        let forged = back.replace(&second.param("state"), other);
        let _ = browser.get(&forged).await.expect(403);
    }
    let _ = site.browser().get(&back).await.expect(403);
    assert!(browser.cookies.contains_key("__Host-svc_away"));
    assert!(browser.get(&back).await.is_signed_in());
    assert!(!browser.cookies.contains_key("__Host-svc_away"), "it goes with the way back");
    assert!(!browser.get(&back).await.is_signed_in(), "each answer counts once");
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

/// A service that is registered at a provider as at the one of this preset.
async fn registered_at(id: &str) -> (Harness, Provider) {
    let provider = Provider::serve().await;
    let key = |name: &str| format!("SVC_SOCIAL__{}__{name}", id.to_uppercase());
    let (client_id, secret, base) = (key("CLIENT_ID"), key("CLIENT_SECRET"), key("BASE_URL"));
    let settings = [
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        (client_id.as_str(), "svc"),
        (secret.as_str(), "upstream-secret"),
        (base.as_str(), provider.issuer.as_str()),
    ];
    (Harness::with(&settings).await, provider)
}

#[tokio::test]
async fn discord_facebook_and_linkedin_are_asked_and_believed_as_their_guides_say() {
    let of_discord = |verified: bool| json!({ "id": "80351110224678912", "username": "grace", "global_name": "Grace Hopper", "email": "grace@acme.example", "verified": verified });
    let of_facebook = json!({ "id": "10158", "name": "Grace Hopper", "email": "grace@acme.example" });
    let of_linkedin = |verified: bool| json!({ "sub": "782bbtaQ", "name": "Grace Hopper", "email": "grace@acme.example", "email_verified": verified });
    for (id, [begins, tells], scope, people) in [
        (
            "discord",
            ["/oauth2/authorize", "/api/users/@me"],
            "identify email",
            vec![(of_discord(false), false), (of_discord(true), true)],
        ),
        (
            "facebook",
            ["/v23.0/dialog/oauth", "/v23.0/me"],
            "public_profile email",
            vec![(of_facebook, false)],
        ),
        (
            "linkedin",
            ["/oauth/v2/authorization", "/v2/userinfo"],
            "openid profile email",
            vec![(of_linkedin(false), false), (of_linkedin(true), true)],
        ),
    ] {
        let (h, provider) = registered_at(id).await;
        let site = h.tenant("main").await;
        let client = site.app("first").await;
        for (person, is_let_in) in people {
            page(&provider, tells, person);
            let mut browser = site.browser();
            let asked = led(&mut browser, &client, id).await;
            assert_eq!((asked.0.path(), asked.param("scope").as_str()), (begins, scope));
            let answer = browser.get(&asked.back("a-code".to_owned())).await;
            assert_eq!(answer.is_signed_in(), is_let_in, "{id}: {answer:?}");
            if is_let_in {
                assert_eq!(told(&client, &answer).await["name"], "Grace Hopper", "{id}");
            }
        }
        let sent = provider.asked.lock().unwrap().pop().unwrap();
        assert!(sent.contains("client_secret=upstream-secret"), "{sent}");
        assert_eq!(sent.contains("code_verifier="), id != "linkedin", "{sent}");
    }
}

#[tokio::test]
async fn gitlab_and_slack_are_believed_for_addresses_that_they_have_proven() {
    for (id, has_challenge) in [("gitlab", true), ("slack", false)] {
        let (h, provider) = registered_at(id).await;
        let site = h.tenant("main").await;
        let client = site.app("first").await;
        for (subject, is_proven) in [("1", false), ("2", true)] {
            let mut browser = site.browser();
            let asked = led(&mut browser, &client, id).await;
            assert_eq!(asked.param("scope"), "openid profile email");
            let challenged = asked.0.query_pairs().any(|(name, _)| name == "code_challenge");
            assert_eq!(challenged, has_challenge, "{id}");
            let back = provider.vouch(&asked, &h, |claims| {
                named("grace@acme.example", is_proven)(claims);
                claims["sub"] = json!(subject);
            });
            let answer = browser.get(&back).await;
            assert_eq!(answer.is_signed_in(), is_proven, "{id}: {answer:?}");
        }
    }
}
