//! The inbox: everything that waits for the person who is signed in, and nothing of others.

use super::{ask, decide, enter, poll_ciba, poll_device, signed_in, start};
use crate::harness::Harness;

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
        assert!(refused.body.contains("id=\"error-code\">conflict"), "{}", refused.body);
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
