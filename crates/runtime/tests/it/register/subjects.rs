//! Pairwise subjects (OpenID Connect Core §8.1), the same everywhere that the application looks.

use serde_json::{Value, json};
use svc_domain::people::tenant_users::{self, Status};
use svc_http::Method;

use super::{OPEN, Registered};
use crate::harness::client::claims;
use crate::harness::{Client, Harness, Person, Site};

async fn subject(client: &Client<'_>, person: &Person) -> String {
    claims(client.tokens(person).await.id_token())["sub"].as_str().unwrap().to_owned()
}

async fn userinfo(site: &Site<'_>, token: &str) -> Value {
    site.call(Method::GET, "/userinfo", Some(token), None).await.expect(200).json()
}

#[tokio::test]
async fn every_answer_names_the_same_pairwise_subject() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let person = site.user("ada").await;
    let ours = Registered::new(&site, &json!({})).await.client;
    let tokens = ours.tokens(&person).await;
    let sub = claims(tokens.id_token())["sub"].clone();
    assert_ne!(sub, json!(person.subject));
    assert_eq!(claims(tokens.access_token())["sub"], sub);
    assert_eq!(userinfo(&site, tokens.access_token()).await["sub"], sub);
    for token in [tokens.access_token(), tokens.refresh_token()] {
        let told = ours.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
        assert_eq!((&told["active"], &told["sub"]), (&json!(true), &sub));
    }
    let refreshed = ours.refresh(tokens.refresh_token()).await.expect(200).json();
    assert_eq!(claims(refreshed["id_token"].as_str().unwrap())["sub"], sub);
    assert_eq!(userinfo(&site, refreshed["access_token"].as_str().unwrap()).await["sub"], sub);
}

#[tokio::test]
async fn a_sector_shares_its_subjects_and_another_has_others() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let of = |uris: Value| {
        let site = site.clone();
        async move { Registered::new(&site, &json!({ "redirect_uris": uris })).await.client }
    };
    let first = of(json!(["https://notebook.example/a"])).await;
    let second = of(json!(["https://notebook.example/b"])).await;
    let elsewhere = of(json!(["https://elsewhere.example/a"])).await;
    // Naming another's address next to one's own opens nothing.
    let intruder = of(json!(["https://notebook.example/c", "https://evil.example/c"])).await;
    let ours = subject(&first, &ada).await;
    assert_eq!(subject(&second, &ada).await, ours);
    for other in
        [subject(&elsewhere, &ada).await, subject(&intruder, &ada).await, subject(&first, &bob).await]
    {
        assert_ne!(other, ours);
    }
}

#[tokio::test]
async fn a_hint_with_a_pairwise_subject_names_the_person() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let after = "https://notebook.example/bye";
    let ours = Registered::new(&site, &json!({ "post_logout_redirect_uris": [after] })).await.client;
    let mut browser = site.browser();
    let code = ours.code_in(&mut browser, &ada).await;
    let tokens = ours.exchange(&code).await.expect(200).json();
    let hint = tokens["id_token"].as_str().unwrap().to_owned();
    let silent = ours.code_with(&mut browser, &ada, &[("prompt", "none"), ("id_token_hint", &hint)]).await;
    let _ = ours.exchange(&silent).await.expect(200);

    let others = claims_hint(&ours, &bob).await;
    let path =
        ours.authorize_path("v".repeat(43).as_str(), &[("prompt", "none"), ("id_token_hint", &others)]);
    let refused = browser.get(&path).await;
    assert_eq!(refused.redirect_param("error").as_deref(), Some("login_required"));

    let out = format!("/oauth/end-session?id_token_hint={hint}&post_logout_redirect_uri={after}");
    assert_eq!(browser.get(&out).await.location(), after, "no question: the hint names who is signed in");
}

async fn claims_hint(client: &Client<'_>, person: &Person) -> String {
    client.tokens(person).await.id_token().to_owned()
}

#[tokio::test]
async fn a_stranger_that_asks_for_no_scope_is_told_no_subject_before_the_person_allows_it() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let (nothing, silent) = ([("scope", " ")], [("scope", " "), ("prompt", "none")]);
    for scope in ["openid", "unknown:here"] {
        let stranger = Registered::new(&site, &json!({ "scope": scope })).await.client;
        let refused = browser.get(&stranger.authorize_path(&stranger.verifier(), &silent)).await;
        assert_eq!(refused.redirect_param("error").as_deref(), Some("consent_required"), "{refused:?}");
        let page = browser.get(&stranger.authorize_path(&stranger.verifier(), &nothing)).await.expect(200);
        assert!(page.body.contains("Know who you are when you sign in"), "{page:?}");
        let allowed = browser.submit(&page, &[("decision", "allow")]).await;
        assert!(allowed.redirect_param("code").is_some(), "{allowed:?}");
        let code = stranger.code_with(&mut browser, &ada, &silent).await;
        let _ = stranger.exchange(&code).await.expect(200);
    }
}

#[tokio::test]
async fn suspending_a_person_ends_tokens_with_a_pairwise_subject() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let ours = Registered::new(&site, &json!({})).await.client;
    let tokens = ours.tokens(&ada).await;
    let app = h.app();
    let mut tx = app.db.begin(site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    tenant_users::set_status(&mut tx, &h.operator(), &person, Status::Suspended).await.unwrap();
    tx.commit().await.unwrap();
    for token in [tokens.access_token(), tokens.refresh_token()] {
        let told = ours.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
        assert_eq!(told, json!({ "active": false }));
    }
}

#[tokio::test]
async fn an_application_in_another_sector_learns_of_no_subject_before_it_is_told_one() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let ours = Registered::new(&site, &json!({})).await;
    let tokens = ours.client.tokens(&ada).await;
    let moved = ours.metadata(&json!({ "redirect_uris": ["https://elsewhere.example/callback"] }));
    let _ = ours.manage(Method::PUT, Some(&moved)).await.expect(200);
    let introspected = async |token: &str| {
        ours.client.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json()
    };
    let told = introspected(tokens.refresh_token()).await;
    assert_eq!((&told["active"], told.get("sub")), (&json!(true), None), "{told}");
    let refreshed = ours.client.refresh(tokens.refresh_token()).await.expect(200).json();
    let told = introspected(refreshed["refresh_token"].as_str().unwrap()).await;
    assert_eq!(told["sub"], claims(refreshed["id_token"].as_str().unwrap())["sub"]);
}
