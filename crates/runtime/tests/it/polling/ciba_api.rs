//! `/api/v1/identity/ciba/requests`: a person's own requests, through an application of theirs.

use serde_json::{Value, json};
use svc_http::Method;

use super::{ask, poll_ciba, signed_in};
use crate::harness::{Harness, Person, Site};

const REQUESTS: &str = "/api/v1/identity/ciba/requests";

/// A token of a person to decide with.
pub fn token(site: &Site<'_>, person: &Person) -> String {
    let now = site.harness.operator().now.as_secs();
    site.mint(|claims| {
        claims["sub"] = json!(person.subject);
        claims["subject_type"] = json!("human");
        claims["scope"] = json!("identity:approve");
        (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
    })
}

async fn list(site: &Site<'_>, token: &str) -> Vec<Value> {
    let list = site.call(Method::GET, REQUESTS, Some(token), None).await.expect(200).json();
    list["data"].as_array().unwrap().clone()
}

async fn act(site: &Site<'_>, token: &str, id: &str, verb: &str) -> crate::harness::Answer {
    site.call(Method::POST, &format!("{REQUESTS}/{id}/{verb}"), Some(token), None).await
}

#[tokio::test]
async fn a_person_sees_and_approves_what_was_asked_of_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    let auth_req_id = ask(&app, "ada", &[("binding_message", "W4SCT")]).await;
    let (hers, his) = (token(&site, &ada), token(&site, &bob));
    assert!(list(&site, &his).await.is_empty());
    let [request] = list(&site, &hers).await.try_into().unwrap();
    assert_eq!(request["client_id"], app.id.as_str());
    assert_eq!(request["application"], "Application web");
    assert_eq!(request["binding_message"], "W4SCT");
    assert_eq!(request["scope"], "offline_access openid profile");
    let id = request["id"].as_str().unwrap();
    let _ = act(&site, &his, id, "approve").await.expect_problem(404, "not_found");
    let _ = act(&site, &hers, id, "approve").await.expect(204);
    let _ = act(&site, &hers, id, "approve").await.expect_problem(409, "conflict");
    let _ = act(&site, &hers, id, "deny").await.expect_problem(409, "conflict");
    assert!(list(&site, &hers).await.is_empty());
    let tokens = poll_ciba(&app, &auth_req_id).await.expect(200).json();
    let id_token = crate::harness::client::claims(tokens["id_token"].as_str().unwrap());
    assert_eq!(id_token["sub"], ada.subject.as_str());
    assert!(!id_token["amr"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn what_was_denied_or_has_expired_cannot_be_approved() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let first = ask(&app, "ada", &[]).await;
    // The list is in the order of time.
    h.advance(1);
    let second = ask(&app, "ada", &[]).await;
    let hers = token(&site, &ada);
    let ids: Vec<_> =
        list(&site, &hers).await.iter().map(|request| request["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), 2);
    let _ = act(&site, &hers, &ids[1], "deny").await.expect(204);
    let _ = act(&site, &hers, &ids[1], "approve").await.expect_problem(409, "conflict");
    let _ = poll_ciba(&app, &first).await.expect_problem(400, "access_denied");
    h.advance(120);
    let _ = act(&site, &hers, &ids[0], "approve").await.expect_problem(409, "conflict");
    let _ = poll_ciba(&app, &second).await.expect_problem(400, "expired_token");
    let _ =
        act(&site, &hers, "cib_00000000000000000000000000", "approve").await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn only_people_decide_and_only_for_themselves() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let (app, ada, theirs) = (site.app("web").await, site.user("ada").await, acme.user("ada").await);
    ask(&app, "ada", &[]).await;
    let id = list(&site, &token(&site, &ada)).await[0]["id"].as_str().unwrap().to_owned();
    let machine = site.mint(|claims| claims["sub"] = json!(ada.subject));
    let _ = act(&site, &machine, &id, "approve").await.expect_problem(403, "forbidden");
    let agent = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("agent"));
    });
    let _ = act(&site, &agent, &id, "approve").await.expect_problem(403, "forbidden");
    let delegated = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        claims["act"] = json!({ "sub": "agent" });
    });
    let _ = act(&site, &delegated, &id, "approve").await.expect_problem(403, "forbidden");
    let _ = act(&site, &token(&acme, &theirs), &id, "approve").await.expect_problem(404, "not_found");
    let _ = act(&acme, &token(&acme, &theirs), &id, "approve").await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn everybody_may_be_given_the_scope_without_a_role() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    ask(&app, "ada", &[]).await;
    let audience = site.tenant.api_audience();
    let changes = [("scope", "openid identity:approve users:read"), ("resource", audience.as_str())];
    let code = app.code_with(&mut site.browser(), &ada, &changes).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    assert_eq!(tokens["scope"], "identity:approve openid");
    assert_eq!(list(&site, tokens["access_token"].as_str().unwrap()).await.len(), 1);
}

#[tokio::test]
async fn claims_that_are_asked_for_by_name_are_shown_and_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let asked = r#"{"userinfo":{"email":null},"id_token":{"birthdate":null,"name":{"essential":true}}}"#;
    let auth_req_id = ask(&app, "ada", &[("scope", "openid"), ("claims", asked)]).await;
    let page = signed_in(&site, &ada).await.get("/auth/approvals").await.expect(200);
    for sentence in ["See your email address", "See your date of birth", "See your full name"] {
        assert!(page.body.contains(sentence), "{sentence}: {page:?}");
    }
    let hers = token(&site, &ada);
    let [request] = list(&site, &hers).await.try_into().unwrap();
    assert_eq!(request["claims"], json!(["birthdate", "email", "name"]));
    let _ = act(&site, &hers, request["id"].as_str().unwrap(), "approve").await.expect(204);
    let tokens = poll_ciba(&app, &auth_req_id).await.expect(200).json();
    let id_token = crate::harness::client::claims(tokens["id_token"].as_str().unwrap());
    assert_eq!((&id_token["name"], id_token.get("email")), (&json!("ada of main"), None));
    let told = site.call(Method::GET, "/userinfo", tokens["access_token"].as_str(), None).await.expect(200);
    assert_eq!(told.json(), json!({ "sub": ada.subject, "email": ada.email }));
}

#[tokio::test]
async fn a_token_behind_which_no_sign_in_stands_approves_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let auth_req_id = ask(&app, "ada", &[]).await;
    let id = list(&site, &token(&site, &ada)).await[0]["id"].as_str().unwrap().to_owned();
    let asserted = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
    });
    let _ = act(&site, &asserted, &id, "approve").await.expect_problem(403, "forbidden");
    let _ = poll_ciba(&app, &auth_req_id).await.expect_problem(400, "authorization_pending");
}

#[tokio::test]
async fn what_was_allowed_to_an_application_of_others_is_listed_and_can_be_taken_back() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let third = site.app_with("third", |configuration| configuration.first_party = false).await;
    let ada = site.user("ada").await;
    let auth_req_id = ask(&third, "ada", &[]).await;
    let hers = token(&site, &ada);
    let [request] = list(&site, &hers).await.try_into().unwrap();
    let _ = act(&site, &hers, request["id"].as_str().unwrap(), "approve").await.expect(204);
    let tokens = poll_ciba(&third, &auth_req_id).await.expect(200).json();
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let consents = format!("/api/v1/tenant-users/{}/consents", ada.id);
    let manager = site.mint(|_| ());
    let listed = site.call(Method::GET, &consents, Some(&manager), None).await.expect(200).json();
    assert_eq!(listed["data"][0]["application_id"], third.id.as_str(), "{listed}");
    h.advance(1);
    let one = format!("{consents}/{}", third.id);
    let _ = site.call(Method::DELETE, &one, Some(&manager), None).await.expect(204);
    let _ = third.refresh(refresh_token).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn an_application_of_others_allows_itself_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let theirs = site.app_with("theirs", |configuration| configuration.first_party = false).await;
    let ada = site.user("ada").await;
    let auth_req_id = ask(&theirs, "ada", &[]).await;
    let now = h.operator().now.as_secs();
    let of_theirs = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        (claims["scope"], claims["client_id"]) = (json!("identity:approve"), json!(theirs.id));
        (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
    });
    let [request] = list(&site, &of_theirs).await.try_into().unwrap();
    let id = request["id"].as_str().unwrap();
    let _ = act(&site, &of_theirs, id, "approve").await.expect_problem(403, "forbidden");
    let _ = poll_ciba(&theirs, &auth_req_id).await.expect_problem(400, "authorization_pending");
    let _ = act(&site, &of_theirs, id, "deny").await.expect(204);
    h.advance(5);
    let _ = poll_ciba(&theirs, &auth_req_id).await.expect_problem(400, "access_denied");
}
