//! How strong a sign-in is asked for, and what is told where that is not reached (OpenID Connect Core §5.5.1.1).

use serde_json::{Value, json};
use svc_db::{args, quiet_system_sql};

use super::{is_told, signing_in};
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness};

const SIGN_IN: &str = "id=\"login-submit\"";
const AAL1: &str = "urn:svc:aal1";
const AAL2: &str = "urn:svc:aal2";
/// A deployment in which there is nothing but the password.
const PASSWORDS: &[(&str, &str)] = &[("SVC_TWO_FACTOR__ENABLED", "false"), ("SVC_PASSKEY__ENABLED", "false")];

async fn ask(browser: &mut Browser<'_>, app: &Client<'_>, changes: &[(&str, &str)]) -> Answer {
    browser.get(&app.authorize_path(&app.verifier(), changes)).await
}

fn essential(values: &[&str]) -> String {
    json!({ "id_token": { "acr": { "essential": true, "values": values } } }).to_string()
}

/// The ID token and access token of a request that needs no page.
async fn told(browser: &mut Browser<'_>, app: &Client<'_>, changes: &[(&str, &str)]) -> [Value; 2] {
    let verifier = app.verifier();
    let answer = browser.get(&app.authorize_path(&verifier, changes)).await;
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("{answer:?}"));
    let tokens = app.exchange(&Code { code, verifier }).await.expect(200).json();
    ["id_token", "access_token"].map(|name| claims(tokens[name].as_str().unwrap()))
}

/// As if every session had begun with a second factor.
async fn strengthen(h: &Harness) {
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(quiet_system_sql!("a test", "UPDATE sessions SET acr = $1"), args![AAL2]).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_preference_that_cannot_be_fulfilled_changes_nothing_but_what_is_reached_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let voluntary = json!({ "id_token": { "acr": { "value": AAL2 } } }).to_string();
    for changes in [
        [("acr_values", AAL2)],
        [("acr_values", "phr urn:svc:aal3  urn:svc:aal1")],
        [("claims", voluntary.as_str())],
        [("claims", r#"{"id_token":{"acr":{"essential":true}}}"#)],
        [("claims", r#"{"id_token":{"acr":null}}"#)],
    ] {
        for token in told(&mut browser, &app, &changes).await {
            assert_eq!(token["acr"], AAL1, "{changes:?}");
        }
    }
}

#[tokio::test]
async fn what_is_essential_and_out_of_reach_is_refused_at_once() {
    let h = Harness::with(PASSWORDS).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut signed_in = site.sign_in(&app, &ada).await;
    for values in [&[AAL2][..], &["urn:svc:aal3", AAL2], &["phr"]] {
        let claims = essential(values);
        for prompt in ["", "none", "login", "create"] {
            for browser in [&mut signed_in, &mut site.browser()] {
                let answer = ask(browser, &app, &[("claims", &claims), ("prompt", prompt)]).await;
                is_told(&answer, &app, "unmet_authentication_requirements", &format!("{values:?} {prompt}"));
            }
        }
    }
}

#[tokio::test]
async fn what_is_essential_and_within_reach_asks_for_sign_in_and_is_told() {
    let h = Harness::with(PASSWORDS).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let claims = essential(&[AAL2, AAL1]);
    let mut browser = site.browser();
    let silent = [("claims", claims.as_str()), ("prompt", "none")];
    is_told(&ask(&mut browser, &app, &silent).await, &app, "login_required", "there is no session");
    let answer = signing_in(&mut browser, &app.authorize_path(&app.verifier(), &silent[..1]), &ada).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    for token in told(&mut browser, &app, &silent).await {
        assert_eq!(token["acr"], AAL1);
    }
}

#[tokio::test]
async fn a_session_that_reached_more_passes_and_tells_a_value_that_was_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    strengthen(&h).await;
    for (claims, acr) in [
        (essential(&[AAL2]), AAL2),
        (essential(&[AAL1, AAL2]), AAL2),
        (essential(&[AAL1]), AAL1),
        (json!({ "id_token": { "acr": { "value": AAL1 } } }).to_string(), AAL2),
        (String::new(), AAL2),
    ] {
        for token in told(&mut browser, &app, &[("claims", &claims), ("prompt", "none")]).await {
            assert_eq!(token["acr"], acr, "{claims}");
        }
    }
}

#[tokio::test]
async fn a_fresh_sign_in_that_falls_short_ends_in_a_refusal_and_not_in_a_loop() {
    let h = Harness::with(PASSWORDS).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    strengthen(&h).await;
    let claims = essential(&[AAL2]);
    let page = ask(&mut browser, &app, &[("claims", &claims), ("prompt", "login")]).await.expect(200);
    assert!(page.body.contains(SIGN_IN), "{page:?}");
    let answer = browser.submit(&page, &[("username", "ada"), ("password", &ada.password)]).await;
    is_told(&answer, &app, "unmet_authentication_requirements", "only a password was proven");
}

#[tokio::test]
async fn a_weak_session_is_asked_for_what_passwords_reach() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(quiet_system_sql!("a test", "UPDATE sessions SET acr = $1"), args!["0"]).await.unwrap();
    tx.commit().await.unwrap();
    let silent = [("acr_values", AAL1), ("prompt", "none")];
    assert_eq!(told(&mut browser, &app, &silent).await[0]["acr"], "0", "silently it is only a preference");
    let page = ask(&mut browser, &app, &silent[..1]).await.expect(200);
    assert!(page.body.contains(SIGN_IN), "{page:?}");
    let answer = browser.submit(&page, &[("username", "ada"), ("password", &ada.password)]).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    assert_eq!(told(&mut browser, &app, &silent).await[0]["acr"], AAL1);
}

#[tokio::test]
async fn discovery_tells_what_can_be_reached_and_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document["acr_values_supported"], json!([AAL1, AAL2]));
    assert_eq!(document["claims_parameter_supported"], json!(true));
    let all = ["none", "login", "consent", "select_account", "create"];
    assert_eq!(document["prompt_values_supported"], json!(all));
    let closed = [&[("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "false")], PASSWORDS].concat();
    let closed = Harness::with(&closed).await;
    let site = closed.tenant("main").await;
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document["acr_values_supported"], json!([AAL1]));
    assert_eq!(document["prompt_values_supported"], json!(all[..4]));
}

#[tokio::test]
async fn a_new_password_leaves_what_a_session_has_proven_and_when_as_it_was() {
    for (amr, acr) in [
        (json!(["pwd"]), AAL1),
        (json!(["hwk", "user", "mfa"]), AAL2),
        (json!(["fed", "otp", "mfa"]), AAL2),
        (json!(["pwd", "trusted_browser"]), AAL1),
    ] {
        let h = Harness::new().await;
        let site = h.tenant("main").await;
        let (app, ada) = (site.app("web").await, site.user("ada").await);
        let mut browser = site.sign_in(&app, &ada).await;
        let mut tx = h.app().db.begin_system().await.unwrap();
        let update = quiet_system_sql!("a test", "UPDATE sessions SET acr = $1, amr = $2");
        tx.execute(update, args![acr, amr.to_string()]).await.unwrap();
        tx.commit().await.unwrap();
        let [before, _] = told(&mut browser, &app, &[("prompt", "none")]).await;
        h.advance(60);
        let page = browser.get("/account/password").await.expect(200);
        let done = browser.submit(&page, &[("password", "relay tangerine lighthouse")]).await;
        assert!(done.begins_session(), "{done:?}");
        let [after, _] = told(&mut browser, &app, &[("prompt", "none")]).await;
        for claim in ["sub", "amr", "acr", "auth_time"] {
            assert_eq!(after[claim], before[claim], "{claim} of {amr}");
        }
        assert_ne!(after["sid"], before["sid"]);
        assert_eq!((&after["amr"], &after["acr"]), (&amr, &json!(acr)));
        let old = ask(&mut browser, &app, &[("prompt", "none"), ("max_age", "30")]).await;
        is_told(&old, &app, "login_required", "nothing was proven since");
    }
}
