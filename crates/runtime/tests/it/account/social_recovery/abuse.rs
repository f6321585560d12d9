//! What guardians cannot do, nor attackers with or without them.

use serde_json::json;
use svc_http::Method;

use super::{Circle, HOUR, NEW_PASSWORD, audited, choose, guarding, harness};
use crate::account::own;
use crate::harness::Harness;

#[tokio::test]
async fn guardians_below_the_threshold_achieve_nothing_however_often_one_confirms() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    let bob = &c.guardians[0];
    let (a, b) = tokio::join!(c.confirm(bob, &code), c.confirm(bob, &code));
    let _ = (a.expect(204), b.expect(204));
    let _ = c.confirm(bob, &code).await.expect(204);
    assert_eq!(audited(&h, "recovery.confirmed", "success").await, 1, "a guardian counts once");
    h.advance(72 * HOUR);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("One guardian has confirmed"), "{page:?}");
    let _ = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(303);
    assert!(c.signs_in(&c.ada.password).await && !c.signs_in(NEW_PASSWORD).await);
}

#[tokio::test]
async fn a_guardian_who_was_removed_or_suspended_meanwhile_does_not_count() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    c.confirmed(&code).await;
    assert!(browser.get("/auth/guardians").await.expect(200).body.contains("recovery-submit"));
    c.suspend(&c.guardians[0]).await;
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("One guardian has confirmed"), "{page:?}");
    let _ = c.confirm(&c.guardians[2], &code).await.expect(204);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-reached"), "the time of waiting begins again: {page:?}");
    h.advance(48 * HOUR);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-submit"), "{page:?}");
    let chosen = c.chosen().await;
    let cleo = |one: &&serde_json::Value| one["email"] == c.guardians[1].email.as_str();
    let id = chosen["guardians"].as_array().unwrap().iter().find(cleo).unwrap()["id"].as_str().unwrap();
    let _ = own(&c.site, &c.ada, (Method::DELETE, &format!("/guardians/{id}")), None).await.expect(204);
    let late = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(303);
    assert_eq!(late.location(), "/auth/guardians");
    assert!(!c.signs_in(NEW_PASSWORD).await);
    // Invited and accepted again, they have no say in the case that was open before.
    h.advance(1);
    c.make(&c.guardians[1]).await;
    let _ = c.confirm(&c.guardians[1], &code).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn an_owner_sees_that_too_few_guardians_are_left() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let mut ada = c.site.sign_in(&c.web, &c.ada).await;
    for (guardian, are_too_few) in [(0, false), (1, true)] {
        c.suspend(&c.guardians[guardian]).await;
        let page = ada.get("/account").await.expect(200);
        assert_eq!(page.body.contains("id=\"guardians-too-few\""), are_too_few, "{page:?}");
    }
    // Who has chosen no rules lacks none.
    let mut dan = c.site.sign_in(&c.web, &c.guardians[2]).await;
    let page = dan.get("/account").await.expect(200);
    assert!(!page.body.contains("id=\"guardians-too-few\""), "{page:?}");
}

#[tokio::test]
async fn a_guardian_who_accepts_after_the_opening_has_no_say() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (_, code) = c.asked().await;
    h.advance(1);
    let eve = c.site.user("eve").await;
    c.make(&eve).await;
    assert_eq!(guarding(&c.site, &eve).await["data"][0]["asked_at"], json!(null));
    let _ = c.confirm(&eve, &code).await.expect_problem(409, "conflict");
    let _ = c.as_guardian(&eve, (Method::POST, "/refuse"), None).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn wrong_codes_are_throttled_and_said_nothing_of() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (_, code) = c.asked().await;
    let bob = &c.guardians[0];
    let wrong = if code == "0000 0000" { "1111 1111" } else { "0000 0000" };
    for _ in 0..h.app().config.auth.brute_force_max_attempts {
        let _ = c.confirm(bob, wrong).await.expect_problem(400, "bad_request");
    }
    let _ = c.confirm(bob, &code).await.expect_problem(429, "rate_limited");
    let _ = c.confirm(&c.guardians[1], &code).await.expect(204);
    assert!(audited(&h, "recovery.confirmed", "denied").await >= 5);
    h.advance(i64::from(u16::MAX));
    let _ = c.confirm(bob, &code).await.expect(204);
}

#[tokio::test]
async fn a_new_password_of_the_owner_ends_what_others_have_asked_for() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    c.confirmed(&code).await;
    let new = json!({ "password": "quartz meadow trombone" });
    let _ = own(&c.site, &c.ada, (Method::PUT, "/password"), Some(new)).await.expect(204);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(!page.body.contains("recovery-submit"), "{page:?}");
    let _ = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(303);
    h.advance(1);
    let _ = c.confirm(&c.guardians[2], &code).await.expect_problem(409, "conflict");
    assert!(c.signs_in("quartz meadow trombone").await);
    let (mut own_browser, code) = c.asked().await;
    c.confirmed(&code).await;
    let _ = choose(&mut own_browser).await.expect(200);
    assert!(c.signs_in(NEW_PASSWORD).await, "the next case counts");
    assert_eq!(audited(&h, "recovery.lapsed", "success").await, 1);
}

#[tokio::test]
async fn a_refusal_takes_a_confirmation_back_and_needs_no_code() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    c.confirmed(&code).await;
    let _ = c.as_guardian(&c.guardians[0], (Method::POST, "/refuse"), None).await.expect(204);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("One guardian has confirmed"), "{page:?}");
    let told = super::subjects(&h, &c.ada.email).await;
    assert_eq!(told[0], "Tenant main: a guardian has refused the recovery of your account");
    let refused = c.as_guardian(&c.guardians[0], (Method::POST, "/refuse"), None).await;
    let _ = refused.expect(204);
    assert_eq!(audited(&h, "recovery.refused", "success").await, 1);
}

#[tokio::test]
async fn guardians_and_cookies_of_one_tenant_mean_nothing_in_another() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let other = h.tenant("other").await;
    let eve = other.user("eve").await;
    let (browser, code) = c.asked().await;
    c.confirmed(&code).await;
    let id = guarding(&c.site, &c.guardians[0]).await["data"][0]["id"].as_str().unwrap().to_owned();
    for (method, path, body) in [
        (Method::POST, format!("/guarding/{id}/accept"), None),
        (Method::POST, format!("/guarding/{id}/confirm"), Some(json!({ "code": code }))),
        (Method::POST, format!("/guarding/{id}/refuse"), None),
        (Method::DELETE, format!("/guarding/{id}"), None),
        (Method::DELETE, format!("/guardians/{id}"), None),
    ] {
        let _ = own(&other, &eve, (method, &path), body).await.expect_problem(404, "not_found");
    }
    let mut there = other.browser();
    there.cookies = browser.cookies.clone();
    let sent = there.get("/auth/guardians").await.expect(303);
    assert_eq!(sent.location(), "/auth/guardians/ask");
    // Another person of the same tenant is no guardian either.
    let fay = c.site.user("fay").await;
    let call = (Method::POST, format!("/guarding/{id}/confirm"));
    let body = Some(json!({ "code": code }));
    let _ = own(&c.site, &fay, (call.0, &call.1), body).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn everything_of_a_person_whose_membership_ends_is_gone() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let _ = c.asked().await;
    for person in [&c.guardians[0], &c.ada] {
        let _ = own(&c.site, person, (Method::POST, "/deletion"), None).await.expect(200);
    }
    h.advance(14 * 24 * HOUR + 120);
    h.run_jobs().await;
    h.run_jobs().await;
    for table in ["guardians", "guardian_rules", "recovery_cases", "recovery_browsers"] {
        let select = svc_db::SystemSql::new(match table {
            "guardians" => "SELECT COUNT(*) AS n FROM guardians",
            "guardian_rules" => "SELECT COUNT(*) AS n FROM guardian_rules",
            "recovery_cases" => "SELECT COUNT(*) AS n FROM recovery_cases",
            _ => "SELECT COUNT(*) AS n FROM recovery_browsers",
        });
        let mut tx = h.app().db.read_system().await.unwrap();
        let left = tx.one(select, svc_db::args![]).await.unwrap().int("n").unwrap();
        assert_eq!(left, 0, "{table}");
    }
}

#[tokio::test]
async fn no_case_is_opened_in_silence_by_who_has_used_up_the_mails() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let mut eve = c.site.browser();
    for _ in 0..6 {
        let page = eve.get("/auth/forgot").await.expect(200);
        let _ = eve.submit(&page, &[("username", &c.ada.email)]).await.expect(200);
    }
    assert_eq!(told(&h, &c.ada.email).await, 0);
    let _ = c.asked().await;
    assert_eq!(told(&h, &c.ada.email).await, 1);
    for guardian in &c.guardians {
        assert_eq!(told(&h, &guardian.email).await, 1, "{guardian:?}");
    }
    // A browser that joins is told of as long as there is something left of the mails.
    let _ = c.asked().await;
    assert_eq!(told(&h, &c.ada.email).await, 1);
    h.advance(HOUR);
    let _ = c.asked().await;
    assert_eq!(told(&h, &c.ada.email).await, 2);
    assert_eq!(told(&h, &c.guardians[0].email).await, 1, "of a case they are told once");
}

/// The mails to an address that are about guardians.
async fn told(h: &Harness, to: &str) -> usize {
    let mails = h.mails().await;
    let is_about = |text: &str| text.contains("/auth/guardians/cancel") || text.contains("/account/guarding");
    mails
        .iter()
        .filter(|mail| mail.to == to && is_about(&mail.text) && !mail.subject.contains("to be a guardian"))
        .count()
}
