//! The whole way: asked, confirmed by enough guardians, waited for, and a new password in the browser that asked.

use serde_json::json;
use svc_http::Method;

use super::{Circle, HOUR, NEW_PASSWORD, audited, choose, harness, harness_with, subjects};
use crate::account::own;
use crate::changes::left_by;

#[tokio::test]
async fn two_of_three_guardians_recover_an_account_and_all_that_opened_it_before_is_gone() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let tokens = c.web.tokens(&c.ada).await;
    c.site.second_factor(c.ada.id).await;
    c.site.identity(c.ada.id).await;
    let (mut browser, code) = c.asked().await;
    assert_eq!(code.len(), 9, "two groups of four digits: {code}");
    for guardian in &c.guardians {
        let told = subjects(&h, &guardian.email).await;
        assert_eq!(told[0], "Tenant main: ada of main may need your help");
    }
    let mut his = c.site.sign_in(&c.web, &c.guardians[0]).await;
    let page = his.get("/account/guarding").await.expect(200);
    assert!(page.body.contains("Call ada of main first"), "{page:?}");
    assert!(!page.body.contains(&code), "a guardian is told by voice alone");
    assert!(his.get("/account").await.expect(200).body.contains("guarding-asked"));
    let done = his.submit(&page, &[("action", "confirm"), ("code", &code)]).await.expect(303);
    assert!(done.location().contains("notice-recovery-confirmed"), "{done:?}");
    assert!(!page.body.contains("guarding-answered") && page.body.contains("guarding-confirm-0"), "{page:?}");
    let answered = his.get("/account/guarding").await.expect(200);
    assert!(answered.body.contains("guarding-answered-0"), "another answer may follow: {answered:?}");
    let overview = his.get("/account").await.expect(200);
    assert!(!overview.body.contains("guarding-asked"), "no one waits for him: {overview:?}");
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("One guardian has confirmed"), "{page:?}");
    let _ = c.confirm(&c.guardians[1], &code.replace(' ', "")).await.expect(204);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-reached"), "{page:?}");
    h.advance(48 * HOUR - 60);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-reached"), "the time of waiting is not over: {page:?}");
    let early = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(303);
    assert_eq!(early.location(), "/auth/guardians");
    assert!(!c.signs_in(NEW_PASSWORD).await);
    h.advance(60);
    let page = browser.get("/auth/guardians").await.expect(200);
    let weak = browser.submit(&page, &[("password", "password1")]).await.expect(200);
    assert!(weak.body.contains("recovery-submit"), "{weak:?}");
    let done = browser.submit(&weak, &[("password", NEW_PASSWORD)]).await.expect(200);
    assert!(done.body.contains("You have your account back"), "{done:?}");
    assert!(c.signs_in(NEW_PASSWORD).await, "no second factor is asked for: it was lost");
    assert!(!c.signs_in(&c.ada.password).await);
    let _ = c.web.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    h.advance(1);
    let kept = own(&c.site, &c.ada, (Method::GET, "/credentials"), None).await.expect(200).json();
    assert_eq!(kept["data"], json!([]));
    assert_eq!(subjects(&h, &c.ada.email).await[0], "Tenant main: your account was recovered");
    let data = own(&c.site, &c.ada, (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!(data["recoveries"][0]["state"], "finished");
    for (action, count) in [
        ("guardian.invited", 3),
        ("guardian.accepted", 3),
        ("guardian.rules_changed", 1),
        ("recovery.opened", 1),
        ("recovery.confirmed", 2),
        ("recovery.finished", 1),
        ("password.reset", 1),
    ] {
        assert_eq!(audited(&h, action, "success").await, count, "{action}");
    }
}

#[tokio::test]
async fn the_end_counts_once_and_its_replay_does_nothing() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    c.confirmed(&code).await;
    let page = browser.get("/auth/guardians").await.expect(200);
    let (mut one, mut other) = (browser.clone(), browser.clone());
    let (a, b) = tokio::join!(
        one.submit(&page, &[("password", NEW_PASSWORD)]),
        other.submit(&page, &[("password", "quartz meadow trombone")])
    );
    assert_eq!([&a, &b].iter().filter(|answer| answer.body.contains("back")).count(), 1, "{a:?} {b:?}");
    let won = if a.body.contains("back") { NEW_PASSWORD } else { "quartz meadow trombone" };
    assert!(c.signs_in(won).await);
    let again = browser.submit(&page, &[("password", "velvet harbour onion")]).await.expect(303);
    assert_eq!(again.location(), "/auth/guardians");
    assert!(c.signs_in(won).await && !c.signs_in("velvet harbour onion").await);
    assert_eq!(audited(&h, "recovery.finished", "success").await, 1);
}

#[tokio::test]
async fn the_owner_is_told_on_every_way_and_cancels_by_the_mailed_link() {
    let h = harness_with(&[("SVC_SMS__ENABLED", "true")]).await;
    let c = Circle::of(&h).await;
    let number = "+442079460777";
    let mut tx = h.app().db.begin(c.site.tenant.id).await.unwrap();
    let ada = svc_domain::people::tenant_users::find(&mut tx, c.ada.id).await.unwrap().unwrap();
    let parsed = svc_domain::people::phones::PhoneNumber::parse(number).unwrap();
    svc_domain::people::phones::set(&mut tx, &h.operator(), &ada, &parsed).await.unwrap();
    tx.commit().await.unwrap();
    let (mut browser, code) = c.asked().await;
    for guardian in &c.guardians[..2] {
        let _ = c.confirm(guardian, &code).await.expect(204);
    }
    let told = subjects(&h, &c.ada.email).await;
    let told: Vec<_> = told.iter().map(|subject| subject.trim_start_matches("Tenant main: ")).collect();
    let confirmed = "a guardian has confirmed the recovery of your account";
    let mut expected = vec![
        "your account will be recovered",
        confirmed,
        confirmed,
        "someone asks your guardians to recover your account",
    ];
    let mut latest = told[..4].to_vec();
    expected.sort_unstable();
    latest.sort_unstable();
    assert_eq!(latest, expected);
    let texts = h.texts().await;
    assert_eq!(texts.iter().filter(|text| text.to == number).count(), 4, "{texts:?}");
    assert!(texts[0].body.contains("is being recovered by your guardians"), "{texts:?}");
    let mails = h.mails().await;
    let links: Vec<_> = mails.iter().filter(|mail| mail.to == c.ada.email).take(4).collect();
    let link = |at: usize| links[at].links[0].trim_start_matches("https://id.test").to_owned();
    let mut hers = c.site.browser();
    let page = hers.get(&link(0)).await.expect(200);
    assert!(page.body.contains("recovery-cancel"), "{page:?}");
    let waiting = browser.get("/auth/guardians").await.expect(200);
    assert!(waiting.body.contains("recovery-reached"), "opening the link changes nothing: {waiting:?}");
    let done = hers.submit(&page, &[]).await.expect(200);
    assert!(done.body.contains("The recovery is cancelled"), "{done:?}");
    for at in 0..4 {
        let _ = hers.get(&link(at)).await.expect(400);
    }
    h.advance(48 * HOUR);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(!page.body.contains("recovery-submit"), "{page:?}");
    let _ = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(303);
    assert!(c.signs_in(&c.ada.password).await);
    assert_eq!(audited(&h, "recovery.cancelled", "success").await, 1);
}

#[tokio::test]
async fn an_owner_who_signs_in_sees_the_recovery_and_cancels_it() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (_, code) = c.asked().await;
    c.confirmed(&code).await;
    let mut hers = c.site.sign_in(&c.web, &c.ada).await;
    assert!(hers.get("/account").await.expect(200).body.contains("recovery-asked"));
    let page = hers.get("/account/guardians").await.expect(200);
    assert!(page.body.contains("2 of 2 confirmed"), "{page:?}");
    let chosen = c.chosen().await;
    assert_eq!(chosen["recovery"]["browsers"][0]["is_confirmed"], true);
    let done = hers.submit(&page, &[("action", "cancel")]).await.expect(303);
    assert!(done.location().contains("notice-recovery-cancelled"), "{done:?}");
    assert!(!hers.get("/account").await.expect(200).body.contains("recovery-asked"));
    assert_eq!(c.chosen().await["recovery"], json!(null));
    let gone = own(&c.site, &c.ada, (Method::DELETE, "/recovery"), None).await;
    let _ = gone.expect_problem(404, "not_found");
    let (_, code) = c.asked().await;
    let _ = own(&c.site, &c.ada, (Method::DELETE, "/recovery"), None).await.expect(204);
    let _ = c.confirm(&c.guardians[0], &code).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn a_locked_out_owner_is_recovered_and_signs_in_at_once() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    for _ in 0..6 {
        assert!(!c.signs_in("wrong").await);
    }
    assert!(!c.signs_in(&c.ada.password).await, "guesses have locked the account");
    let (mut browser, code) = c.asked().await;
    c.confirmed(&code).await;
    for _ in 0..6 {
        assert!(!c.signs_in("wrong").await);
    }
    let _ = choose(&mut browser).await.expect(200);
    assert!(c.signs_in(NEW_PASSWORD).await);
}

#[tokio::test]
async fn a_recovery_that_is_not_finished_ends_and_its_rows_are_swept() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    h.advance(7 * 24 * HOUR);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-over"), "{page:?}");
    let _ = c.confirm(&c.guardians[0], &code).await.expect_problem(409, "conflict");
    let (mut late, code) = c.asked().await;
    c.confirmed(&code).await;
    h.advance(7 * 24 * HOUR - 60);
    assert!(late.get("/auth/guardians").await.expect(200).body.contains("recovery-submit"));
    h.advance(60);
    let page = late.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-over"), "{page:?}");
    let count = || async {
        let select = svc_db::SystemSql::new(
            "SELECT (SELECT COUNT(*) FROM recovery_cases) + (SELECT COUNT(*) FROM recovery_browsers) \
             + (SELECT COUNT(*) FROM recovery_answers) AS n",
        );
        let mut tx = h.app().db.read_system().await.unwrap();
        tx.one(select, svc_db::args![]).await.unwrap().int("n").unwrap()
    };
    assert_eq!(count().await, 6, "two cases with a browser each, and two confirmations");
    h.advance(91 * 24 * HOUR);
    h.run_jobs().await;
    assert_eq!(count().await, 0);
}

#[tokio::test]
async fn a_recovery_waits_for_as_many_days_as_the_deployment_says() {
    let h = harness_with(&[("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_LIFETIME_DAYS", "2")]).await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    h.advance(2 * 24 * HOUR - 60);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(!page.body.contains("recovery-over"), "{page:?}");
    h.advance(60);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-over"), "{page:?}");
    let _ = c.confirm(&c.guardians[0], &code).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn each_step_of_a_recovery_is_an_event() {
    let h = harness().await;
    let [_, events] = left_by(&h, async {
        let c = Circle::of(&h).await;
        let (mut browser, code) = c.asked().await;
        let last = &c.guardians[2];
        let _ = c.as_guardian(last, (Method::POST, "/refuse"), None).await.expect(204);
        c.confirmed(&code).await;
        let _ = choose(&mut browser).await.expect(200);
        h.advance(1);
        let _ = c.asked().await;
        let _ = own(&c.site, &c.ada, (Method::DELETE, "/recovery"), None).await.expect(204);
        let _ = c.as_guardian(last, (Method::DELETE, ""), None).await.expect(204);
    })
    .await;
    for (event, count) in [
        ("security.guardian.invited", 3),
        ("security.guardian.accepted", 3),
        ("security.recovery.opened", 2),
        ("security.recovery.refused", 1),
        ("security.recovery.confirmed", 2),
        ("security.recovery.finished", 1),
        ("security.recovery.cancelled", 1),
        ("security.guardian.removed", 1),
    ] {
        assert_eq!(events.iter().filter(|told| *told == event).count(), count, "{event} in {events:?}");
    }
}
