//! The inbox: everything that waits for the person who is signed in, and nothing of others.

use serde_json::json;
use svc_http::Method;

use super::{ask, decide, enter, poll_ciba, poll_device, signed_in, start};
use crate::harness::Harness;
use crate::harness::browser::Form;
use crate::harness::client::claims;

#[tokio::test]
async fn devices_and_applications_wait_side_by_side() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, tv, ada) = (site.app("web").await, site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    let auth_req_id = ask(&app, "ada", &[]).await;
    let mut browser = signed_in(&site, &ada).await;
    let _ = enter(&mut browser, &started.user_code).await.expect(200);
    let page = browser.get("/auth/approvals").await.expect(200);
    for text in [
        "Application web",
        "Application tv",
        &started.user_code,
        "id=\"approval-allow-1\"",
        "id=\"device-link\"",
    ] {
        assert!(page.body.contains(text), "{text} in {}", page.body);
    }
    let done = decide(&mut browser, &page, "allow").await.expect(200);
    assert!(done.body.contains("id=\"continue-link\" href=\"/auth/approvals\""), "{}", done.body);
    let page = browser.get("/auth/approvals").await.expect(200);
    assert!(!page.body.contains("id=\"approval-allow-1\""), "{}", page.body);
    let done = decide(&mut browser, &page, "deny").await.expect(200);
    assert!(done.body.contains("id=\"continue-link\" href=\"/\""), "{}", done.body);
    let outcomes =
        [poll_device(&tv, &started.device_code).await.status, poll_ciba(&app, &auth_req_id).await.status];
    assert_eq!(outcomes, [200, 400]);
}

#[tokio::test]
async fn nothing_of_others_is_shown_and_a_decided_request_is_decided() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    ask(&app, "ada", &[]).await;
    let mut his = signed_in(&site, &bob).await;
    assert!(his.get("/auth/approvals").await.expect(200).body.contains("id=\"approvals-none\""));
    let mut hers = signed_in(&site, &ada).await;
    let page = hers.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut hers, &page, "allow").await.expect(200);
    for again in ["allow", "deny"] {
        let refused = decide(&mut hers, &page, again).await.expect(409);
        assert!(refused.body.contains("It has been answered already"), "{}", refused.body);
    }
}

#[tokio::test]
async fn pages_are_not_kept_and_cannot_be_framed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let mut browser = signed_in(&site, &ada).await;
    for path in ["/auth/approvals", "/oauth/device/verify"] {
        let page = browser.get(path).await.expect(200);
        assert!(page.header("cache-control").contains("no-store"), "{page:?}");
        assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"), "{page:?}");
    }
}

#[tokio::test]
async fn a_request_tells_when_it_ends_and_goes_when_it_has() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    ask(&app, "ada", &[]).await;
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    assert!(page.body.contains("minutes"), "{}", page.body);
    h.advance(120);
    assert!(browser.get("/auth/approvals").await.expect(200).body.contains("id=\"approvals-none\""));
    let _ = decide(&mut browser, &page, "allow").await.expect(409);
}

#[tokio::test]
async fn who_has_proven_less_than_is_demanded_by_now_proves_more_before_they_allow() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, tv, ada) = (site.app("web").await, site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    let auth_req_id = ask(&app, "ada", &[]).await;
    let mut browser = signed_in(&site, &ada).await;
    let _ = enter(&mut browser, &started.user_code).await.expect(200);
    let page = browser.get("/auth/approvals").await.expect(200);
    let body = json!({ "settings": { "second_factor_required": true } });
    let token = site.mint(|_| ());
    let _ = site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), Some(body)).await.expect(200);
    let _ = h.informed_app().await;
    let more = decide(&mut browser, &page, "allow").await.expect(200);
    assert!(more.body.contains("One more step"), "{}", more.body);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    // Who refuses needs not be sure.
    let _ = decide(&mut browser, &page, "deny").await.expect(200);
    let _ = poll_ciba(&app, &auth_req_id).await;
    let site_token = |acr: &str| {
        let now = h.operator().now.as_secs();
        site.mint(|claims| {
            (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
            (claims["auth_time"], claims["acr"]) = (json!(now), json!(acr));
        })
    };
    let path = "/api/v1/identity/ciba/requests";
    let waiting = async || {
        let token = site_token("urn:svc:aal1");
        let listed = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
        let ids = listed["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    let earlier = waiting().await;
    let auth_req_id = ask(&app, "ada", &[]).await;
    let newest = waiting().await.into_iter().find(|id| !earlier.contains(id)).unwrap();
    let path = format!("{path}/{newest}/approve");
    let weak = site.call(Method::POST, &path, Some(&site_token("urn:svc:aal1")), None).await;
    let weak = weak.expect_problem(401, "unauthorized");
    let challenge = weak.header("www-authenticate");
    assert!(challenge.contains("error=\"insufficient_user_authentication\""), "{challenge}");
    assert!(challenge.ends_with("acr_values=\"urn:svc:aal2\""), "{challenge}");
    let _ = poll_ciba(&app, &auth_req_id).await.expect_problem(400, "authorization_pending");
    let _ = site.call(Method::POST, &path, Some(&site_token("urn:svc:aal2")), None).await.expect(204);
    let tokens = poll_ciba(&app, &auth_req_id).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["acr"], "urn:svc:aal2");
}

#[tokio::test]
async fn a_guest_allows_nothing_for_an_application_that_takes_no_guests() {
    let h = Harness::with(&[("SVC_ANONYMOUS__ENABLED", "true")]).await;
    let site = h.tenant("main").await;
    let (web, open) = (site.app("web").await, site.app("open").await);
    let without = |configuration: &mut svc_domain::apps::Configuration| {
        configuration.disabled_capabilities = serde_json::from_value(json!(["anonymous"])).unwrap();
    };
    let closed = site.app_with("closed", without).await;
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let flow = Form::of(&page).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1;
    let entered = browser.post("/auth/sign-in", &[("flow", &flow), ("method", "anonymous")]).await;
    assert!(entered.begins_session(), "{entered:?}");
    for (tv, status) in [(&closed, 403), (&open, 200)] {
        let started = start(tv, "openid").await;
        let page = enter(&mut browser, &started.user_code).await.expect(200);
        let _ = decide(&mut browser, &page, "allow").await.expect(status);
        let polled = poll_device(tv, &started.device_code).await;
        assert_eq!(polled.status, if status == 200 { 200 } else { 400 }, "{polled:?}");
        if status == 403 {
            let _ = decide(&mut browser, &page, "deny").await.expect(200);
        }
    }
}
