//! Choosing guardians: invited by address, accepted by the owner of the address, removed by either.

use serde_json::json;
use svc_http::Method;

use super::{Circle, HOUR, guarding, harness, harness_with, subjects};
use crate::account::{own, token_of};
use crate::harness::Harness;

#[tokio::test]
async fn a_guardian_is_invited_accepts_and_leaves_on_the_pages() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let (web, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    let mut hers = site.sign_in(&web, &ada).await;
    let page = hers.get("/account/guardians").await.expect(200);
    assert!(page.body.contains("No guardian counts yet"), "{page:?}");
    let done = hers.submit(&page, &[("action", "invite"), ("email", &bob.email)]).await.expect(303);
    assert!(done.location().contains("notice-guardian-invited"), "{done:?}");
    let mails = h.mails().await;
    let mail = mails.iter().find(|mail| mail.to == bob.email).unwrap();
    assert_eq!(mail.subject, "Tenant main: ada of main asks you to be a guardian");
    assert_eq!(mail.links, ["https://id.test/account/guarding"]);
    let mut his = site.browser();
    let asked = his.get("/account/guarding").await.expect(200);
    assert!(asked.body.contains("login-submit"), "a guardian signs in first: {asked:?}");
    let mut his = site.sign_in(&web, &bob).await;
    assert!(his.get("/account").await.expect(200).body.contains("guarding-asked"), "the overview tells");
    let page = his.get("/account/guarding").await.expect(200);
    assert!(page.body.contains("ada of main") && page.body.contains("guarding-accept-0"), "{page:?}");
    let done = his.submit(&page, &[("action", "accept")]).await.expect(303);
    assert!(done.location().contains("notice-guardian-accepted"), "{done:?}");
    let again = his.submit(&page, &[("action", "accept")]).await.expect(303);
    assert!(again.location().contains("notice-guardian-accepted"), "the form sent twice: {again:?}");
    assert_eq!(subjects(&h, &ada.email).await[0], "Tenant main: bob of main is your guardian now");
    let page = hers.get("/account/guardians").await.expect(200);
    assert!(page.body.contains("One guardian counts"), "{page:?}");
    let page = his.get("/account/guarding").await.expect(200);
    let done = his.submit(&page, &[("action", "leave")]).await.expect(303);
    assert!(done.location().contains("notice-guardian-left"), "{done:?}");
    assert_eq!(subjects(&h, &ada.email).await[0], "Tenant main: bob of main is not your guardian");
    assert!(his.get("/account/guarding").await.expect(200).body.contains("guarding-none"));
}

#[tokio::test]
async fn what_is_needed_is_bounded_and_told_and_nothing_counts_before_it_is_chosen() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    for (threshold, hours) in [(1, 48), (0, 48), (4, 48), (11, 48), (2, 23), (2, 721), (2, 0)] {
        let _ = c.rules(threshold, hours).await.expect_problem(400, "bad_request");
    }
    let chosen = c.chosen().await;
    assert_eq!((&chosen["threshold"], &chosen["wait_hours"]), (&json!(2), &json!(48)));
    assert_eq!(chosen["is_ready"], true);
    let _ = c.rules(3, 24).await.expect(204);
    let told = subjects(&h, &c.ada.email).await;
    assert_eq!(told[0], "Tenant main: the rules for your guardians have changed");
    c.suspend(&c.guardians[0]).await;
    assert_eq!(c.chosen().await["is_ready"], false, "three are needed, and one cannot sign in");
}

#[tokio::test]
async fn a_tenant_goes_without_or_waits_longer() {
    let h = harness_with(&[("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_MIN_WAIT_HOURS", "2")]).await;
    let c = Circle::of(&h).await;
    let _ = c.rules(2, 2).await.expect(204);
    let token = c.site.mint(|_| ());
    for (settings, status) in [(json!({ "min_wait_hours": 100 }), 200), (json!({ "disabled": true }), 404)] {
        let body = Some(json!({ "settings": { "social_recovery": settings } }));
        let call = c.site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), body);
        let _ = call.await.expect(200);
        h.advance(2);
        let seen = own(&c.site, &c.ada, (Method::GET, "/guardians"), None).await.expect(status);
        if status == 200 {
            assert_eq!(seen.json()["wait_hours"], 100, "what was chosen is too short by now");
            let _ = c.rules(2, 99).await.expect_problem(400, "bad_request");
        }
    }
    let bad = Some(json!({ "settings": { "social_recovery": { "min_wait_hours": 0 } } }));
    let call = c.site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), bad);
    let _ = call.await.expect_problem(400, "bad_request");
    let _ = c.site.get("/auth/guardians/ask").await.expect(404);
}

#[tokio::test]
async fn where_it_is_not_enabled_there_is_no_page_and_no_call() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    for path in ["/account/guardians", "/account/guarding", "/auth/guardians", "/auth/guardians/ask"] {
        let _ = browser.get(path).await.expect(404);
    }
    assert!(!browser.get("/account").await.expect(200).body.contains("/account/guardians"));
    assert!(!browser.get("/auth/forgot").await.expect(200).body.contains("to-guardians"));
    let _ = own(&site, &ada, (Method::GET, "/guardians"), None).await.expect_problem(404, "not_found");
    let _ = own(&site, &ada, (Method::GET, "/guarding"), None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_person_is_no_guardian_of_their_own_nor_twice_and_ten_are_the_most() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let invite = async |email: &str| {
        own(&c.site, &c.ada, (Method::POST, "/guardians"), Some(json!({ "email": email }))).await
    };
    let _ = invite(&c.ada.email.to_uppercase()).await.expect_problem(409, "conflict");
    let _ = invite(&c.guardians[0].email.to_uppercase()).await.expect_problem(409, "conflict");
    let _ = invite("no address").await.expect_problem(400, "bad_request");
    for number in 3..10 {
        let _ = invite(&format!("guardian{number}@main.example")).await.expect(204);
    }
    let _ = invite("eleventh@main.example").await.expect_problem(409, "conflict");
    assert_eq!(c.chosen().await["guardians"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn changes_need_a_recent_sign_in() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let id = c.chosen().await["guardians"][0]["id"].as_str().unwrap().to_owned();
    let late = token_of(&c.site, &c.ada, 15 * 60 + 1);
    for (method, path, body) in [
        (Method::POST, "/guardians".to_owned(), Some(json!({ "email": "eve@main.example" }))),
        (Method::PUT, "/guardian-rules".to_owned(), Some(json!({ "threshold": 2, "wait_hours": 24 }))),
        (Method::DELETE, format!("/guardians/{id}"), None),
        (Method::POST, format!("/guarding/{id}/accept"), None),
        (Method::POST, format!("/guarding/{id}/confirm"), Some(json!({ "code": "12345678" }))),
        (Method::POST, format!("/guarding/{id}/refuse"), None),
        (Method::DELETE, format!("/guarding/{id}"), None),
    ] {
        let path = format!("/api/v1/identity{path}");
        let refused = c.site.call(method, &path, Some(&late), body).await;
        let _ = refused.expect_problem(401, "unauthorized");
    }
    let mut browser = c.site.sign_in(&c.web, &c.ada).await;
    h.advance(16 * 60);
    for path in ["/account/guardians", "/account/guarding"] {
        assert!(browser.get(path).await.expect(200).body.contains("login-submit"), "{path}");
    }
}

#[tokio::test]
async fn an_invitation_is_for_the_proven_owner_of_the_address_and_ends() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (eve, fay) = (c.site.user("eve").await, c.site.user("fay").await);
    let body = json!({ "email": fay.email });
    let _ = own(&c.site, &c.ada, (Method::POST, "/guardians"), Some(body)).await.expect(204);
    let id = guarding(&c.site, &fay).await["data"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(guarding(&c.site, &eve).await["data"], json!([]));
    let path = format!("/guarding/{id}/accept");
    let _ = own(&c.site, &eve, (Method::POST, &path), None).await.expect_problem(404, "not_found");
    let _ = own(&c.site, &c.ada, (Method::POST, &path), None).await.expect_problem(404, "not_found");
    let unproven = svc_db::SystemSql::new("UPDATE accounts SET email_verified = $2 WHERE email = $1");
    for is_proven in [false, true] {
        let mut tx = h.app().db.begin_system().await.unwrap();
        tx.execute(unproven, svc_db::args![fay.email.as_str(), is_proven]).await.unwrap();
        tx.commit().await.unwrap();
        if !is_proven {
            let _ = own(&c.site, &fay, (Method::POST, &path), None).await.expect_problem(404, "not_found");
        }
    }
    let hours = i64::from(h.app().config.invitations.lifetime_hours);
    h.advance(hours * HOUR);
    let _ = own(&c.site, &fay, (Method::POST, &path), None).await.expect_problem(404, "not_found");
    assert_eq!(c.chosen().await["guardians"].as_array().unwrap().len(), 3, "it is gone");
}

#[tokio::test]
async fn the_copy_of_all_data_has_guardians_and_recoveries() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let _ = c.asked().await;
    let data = own(&c.site, &c.ada, (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!(data["guardians"]["rules"], json!({ "threshold": 2, "wait_secs": 48 * HOUR }));
    assert_eq!(data["guardians"]["people"].as_array().unwrap().len(), 3);
    assert_eq!(data["recoveries"][0]["state"], "open");
    let data = own(&c.site, &c.guardians[0], (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!(data["guarding"].as_array().unwrap().len(), 1);
    assert_eq!(data["recoveries"], json!([]));
}
