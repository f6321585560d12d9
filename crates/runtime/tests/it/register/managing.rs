//! GET, PUT and DELETE of a registration (RFC 7592).

use serde_json::json;
use svc_http::Method;

use super::{OPEN, Registered, administer, administered, bound, call, disable, is_bounded, metadata};
use crate::harness::Harness;

const FORM: &[(&str, &str)] = &[("grant_type", "refresh_token"), ("refresh_token", "x")];

#[tokio::test]
async fn reading_gives_the_metadata_back_without_the_secret() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ours = Registered::new(&site, &json!({ "contacts": ["a@b.example"], "software_id": "s" })).await;
    let read = ours.manage(Method::GET, None).await.expect(200);
    assert_eq!(read.header("cache-control"), "no-store");
    let mut expected = ours.response.clone();
    expected.as_object_mut().unwrap().remove("client_secret");
    assert_eq!(read.json(), expected);
    assert_eq!(expected["contacts"], json!(["a@b.example"]));
}

#[tokio::test]
async fn a_replacement_replaces_everything() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ours = Registered::new(&site, &json!({ "logo_uri": "https://notebook.example/l.png" })).await;
    let wanted = ours.metadata(&json!({
        "client_secret": ours.client.secret, "client_name": "Renamed",
        "redirect_uris": ["https://notebook.example/new"],
    }));
    let told = ours.manage(Method::PUT, Some(&wanted)).await.expect(200).json();
    assert_eq!(
        (&told["client_name"], &told["redirect_uris"]),
        (&json!("Renamed"), &json!(["https://notebook.example/new"]))
    );
    assert!(told.get("logo_uri").is_none() && told.get("client_secret").is_none());
    assert_eq!(told["registration_access_token"], json!(ours.token));
    // The change counts at once.
    let old = ours.client.authorize_path(&ours.client.verifier(), &[]);
    assert_eq!(site.browser().get(&old).await.status, 400);
}

#[tokio::test]
async fn consent_counts_for_what_the_page_said_of_the_application() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let (ours, ada) = (Registered::new(&site, &json!({})).await, site.user("ada").await);
    let mut browser = site.browser();
    let path = ours.client.authorize_path(&ours.client.verifier(), &[]);
    let page = browser.get(&path).await.expect(200);
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let shown = browser.submit(&page, &fields).await.expect(200);
    assert!(shown.body.contains("Notebook") && shown.body.contains("id=\"consent-allow\""), "{shown:?}");
    let renamed = ours.metadata(&json!({ "client_secret": ours.client.secret, "client_name": "Your Bank" }));
    let _ = ours.manage(Method::PUT, Some(&renamed)).await.expect(200);
    let again = browser.submit(&shown, &[("decision", "allow")]).await.expect(200);
    assert!(again.body.contains("Your Bank") && again.body.contains("id=\"consent-allow\""), "{again:?}");
    assert!(browser.submit(&again, &[("decision", "allow")]).await.is_signed_in());
}

#[tokio::test]
async fn a_replacement_names_the_application_that_it_replaces() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ours = Registered::new(&site, &json!({})).await;
    let before = ours.manage(Method::GET, None).await.expect(200).json();
    for wanted in [
        metadata(&json!({ "client_name": "Renamed" })),
        ours.metadata(&json!({ "client_id": null })),
        ours.metadata(&json!({ "client_id": 7 })),
        ours.metadata(&json!({ "client_id": "app_of_another" })),
    ] {
        let refused = ours.manage(Method::PUT, Some(&wanted)).await;
        let _ = refused.expect_problem(400, "invalid_client_metadata");
    }
    assert_eq!(ours.manage(Method::GET, None).await.expect(200).json(), before);
    let wanted = ours.metadata(&json!({ "client_name": "Renamed" }));
    let told = ours.manage(Method::PUT, Some(&wanted)).await.expect(200).json();
    assert_eq!(told["client_name"], "Renamed");
}

#[tokio::test]
async fn a_secret_comes_and_goes_with_the_method_that_needs_it() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let mut ours = Registered::new(&site, &json!({ "token_endpoint_auth_method": "none" })).await;
    assert!(
        ours.response.get("client_secret").is_none()
            && ours.response.get("client_secret_expires_at").is_none()
    );
    let told = ours.manage(Method::PUT, Some(&ours.metadata(&json!({})))).await.expect(200).json();
    ours.client.secret = told["client_secret"].as_str().map(str::to_owned);
    ours.client.configuration = super::configuration(&told);
    let _ = ours.client.token(FORM, &[]).await.expect_problem(400, "invalid_grant");
    let public = ours.metadata(&json!({ "token_endpoint_auth_method": "none" }));
    let _ = ours.manage(Method::PUT, Some(&public)).await.expect(200);
    let _ = ours.client.token(FORM, &[]).await.expect_problem(401, "invalid_client");
}

#[tokio::test]
async fn a_deleted_registration_is_gone_at_once_with_its_tokens() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let person = site.user("ada").await;
    let ours = Registered::new(&site, &json!({})).await;
    let tokens = ours.client.tokens(&person).await;
    let _ = ours.client.token(FORM, &[]).await.expect_problem(400, "invalid_grant");
    let deleted = ours.manage(Method::DELETE, None).await.expect(204);
    assert!(deleted.body.is_empty());
    let _ = ours.client.token(FORM, &[]).await.expect_problem(401, "invalid_client");
    let _ = ours.manage(Method::GET, None).await.expect_problem(401, "invalid_token");
    let token = tokens.access_token();
    assert_eq!(site.call(Method::GET, "/userinfo", Some(token), None).await.status, 401);
}

#[tokio::test]
async fn no_application_is_managed_with_anothers_token_or_none() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let (ours, theirs) = (Registered::new(&site, &json!({})).await, Registered::new(&site, &json!({})).await);
    let other = h.tenant("other").await;
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let body = (method == Method::PUT).then(|| theirs.metadata(&json!({})));
        let call = |token: Option<String>, site| {
            let (method, path, body) = (method.clone(), theirs.path.clone(), body.clone());
            async move { call(site, method, &path, token.as_deref(), body.as_ref()).await }
        };
        let _ = call(Some(ours.token.clone()), &site).await.expect_problem(403, "forbidden");
        // Of no token it is not said that it does not count (RFC 6750 §3.1).
        for (token, is_told) in [(None, false), (Some("guess".to_owned()), true)] {
            let refused = call(token, &site).await.expect_problem(401, "invalid_token");
            let challenge = refused.header("www-authenticate");
            assert!(challenge.starts_with("Bearer realm="), "{challenge}");
            assert_eq!(challenge.contains("error=\"invalid_token\""), is_told, "{challenge}");
        }
        let _ = call(Some(theirs.token.clone()), &other).await.expect_problem(401, "invalid_token");
    }
    assert_eq!(theirs.manage(Method::GET, None).await.status, 200);
}

#[tokio::test]
async fn a_change_cannot_reach_for_more_than_registering_gives() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ours = Registered::new(&site, &json!({})).await;
    for more in [
        json!({ "grant_types": ["authorization_code", "client_credentials"] }),
        json!({ "grant_types": ["authorization_code", "urn:ietf:params:oauth:grant-type:token-exchange"] }),
        json!({ "scope": "openid users:write" }),
        json!({ "client_secret": "chosen-by-the-client" }),
    ] {
        let _ = ours.manage(Method::PUT, Some(&ours.metadata(&more))).await.expect_problem(403, "forbidden");
    }
    let theirs = ours.metadata(&json!({ "client_id": "app_of_somebody_else" }));
    let _ = ours.manage(Method::PUT, Some(&theirs)).await.expect_problem(400, "invalid_client_metadata");
    let tricks = ours.metadata(
        &json!({ "first_party": true, "tenant_id": "tnt_x", "enabled": true, "profile": "fapi2", "subject_type": "public",
                "sign_in_methods": ["anonymous"] }),
    );
    let told = ours.manage(Method::PUT, Some(&tricks)).await.expect(200).json();
    assert_eq!(told["subject_type"], "pairwise");
    assert!(told.get("first_party").is_none() && told.get("sign_in_methods").is_none());
    assert_eq!(administered(&site, &ours.client.id).await.sign_in_methods, None);
}

#[tokio::test]
async fn a_disabled_application_is_not_enabled_by_its_own_token() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ours = Registered::new(&site, &json!({})).await;
    disable(&h, &site, &ours.client.id).await;
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let body = (method == Method::PUT).then(|| ours.metadata(&json!({})));
        let _ = ours.manage(method, body.as_ref()).await.expect_problem(403, "forbidden");
    }
    let _ = ours.client.token(FORM, &[]).await.expect_problem(401, "invalid_client");
}

#[tokio::test]
async fn what_an_administrator_has_bounded_stays_so_when_the_application_replaces_its_registration() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let ours = Registered::new(&site, &json!({})).await;
    administer(&h, &site, &ours.client.id, (true, bound)).await;
    let told = ours
        .manage(Method::PUT, Some(&ours.metadata(&json!({ "client_name": "Renamed" }))))
        .await
        .expect(200)
        .json();
    let now = administered(&site, &ours.client.id).await;
    assert_eq!(now.name, "Renamed");
    is_bounded(&now);
    for own in ["second_factor_required", "sign_in_methods", "disabled_capabilities", "organization_usage"] {
        assert_eq!(told.get(own), None, "{told}");
    }
}
