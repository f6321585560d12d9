//! What an account with a second factor owes besides, and where a phone alone is too little.

use serde_json::json;
use svc_domain::organizations;
use svc_http::Method;

use super::{CHOSEN, NUMBER, harness_with, world};
use crate::account::factors::{code, with_app};
use crate::changes::left_by;
use crate::sent_codes::wrong;

#[tokio::test]
async fn who_has_a_second_factor_is_asked_for_it_after_the_phone() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let key = with_app(&home.site, &home.ada).await;
    h.advance(60);
    let mut browser = home.site.browser();
    let step = home.proven(&mut browser).await.expect(200);
    assert!(step.body.contains("One more step") && step.body.contains("totp-submit"), "{step:?}");
    assert!(!step.body.contains("sms-begin") && !step.body.contains("login-submit"), "{step:?}");
    let right = code(&home.site, &key);
    let bad = browser.submit(&step, &[("method", "totp"), ("code", &wrong(&right))]).await.expect(200);
    assert!(bad.body.contains("totp-submit"), "{bad:?}");
    let proven = browser.submit(&step, &[("method", "totp"), ("code", &right)]).await.expect(303);
    let page = browser.get(proven.location()).await.expect(200);
    let _ = browser.submit(&page, &[("password", CHOSEN)]).await.expect(200);
    assert!(home.opens(CHOSEN).await);
    let replay = browser.submit(&step, &[("method", "totp"), ("code", &right)]).await;
    assert!(replay.status != 303, "{replay:?}");
}

#[tokio::test]
async fn the_second_factor_of_another_account_adds_nothing() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let bob = home.site.user("bob").await;
    let (_, his) = (with_app(&home.site, &home.ada).await, with_app(&home.site, &bob).await);
    h.advance(60);
    let mut browser = home.site.browser();
    let step = home.proven(&mut browser).await.expect(200);
    let fields = [("method", "totp"), ("code", &code(&home.site, &his))];
    let refused = browser.submit(&step, &fields).await;
    assert!(refused.status == 200 && refused.body.contains("totp-submit"), "{refused:?}");
}

#[tokio::test]
async fn where_two_factors_are_demanded_a_phone_alone_is_too_little() {
    let h = harness_with(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let refused = home.proven(&mut browser).await.expect(200);
    assert!(refused.body.contains("which needs two-step verification"), "{refused:?}");
    assert!(!refused.begins_session() && home.opens(&home.ada.password).await);
}

#[tokio::test]
async fn a_right_code_that_is_too_little_is_recorded_and_locks_no_one_out() {
    let settings = [("SVC_TWO_FACTOR__REQUIRED", "true"), ("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "3")];
    let h = harness_with(&settings).await;
    let home = world(&h).await;
    for round in 0..4 {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, NUMBER).await.expect(200);
        let code = home.code().await;
        let mut refused = None;
        let [actions, events] = left_by(&h, async {
            refused = Some(browser.submit(&page, &[("code", &code)]).await);
        })
        .await;
        let refused = refused.unwrap();
        assert!(refused.body.contains("which needs two-step verification"), "{round}: {refused:?}");
        assert_eq!(
            (actions, events),
            (vec!["session.created".to_owned()], vec!["auth.login.failure".to_owned()])
        );
        h.advance(60);
    }
}

#[tokio::test]
async fn nor_is_it_enough_for_a_member_of_an_organization_that_demands_two() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let boss = home.site.user("boss").await;
    let acme = home.site.organization("acme", boss.id).await;
    home.site.member(&acme, home.ada.id).await;
    let token = home.site.mint(|_| ());
    let path = format!("/api/v1/organizations/{}", acme.id);
    let body = json!({ "sign_in": { "second_factor": "required" } });
    let _ = home.site.call(Method::PATCH, &path, Some(&token), Some(body)).await.expect(200);
    let places = {
        let mut tx = h.app().db.read(home.site.tenant.id).await.unwrap();
        organizations::places(&mut tx, home.ada.id, 10).await.unwrap()
    };
    assert_eq!(places[0].sign_in.second_factor, organizations::Demand::Required);
    let refused = home.proven(&mut home.site.browser()).await.expect(200);
    assert!(refused.body.contains("which needs two-step verification"), "{refused:?}");
}

#[tokio::test]
async fn nor_is_it_enough_on_the_way_to_an_application_that_demands_two() {
    let h = harness_with(&[]).await;
    let mut home = world(&h).await;
    let vault = home.site.app_with("vault", |app| app.second_factor_required = true).await;
    let web = std::mem::replace(&mut home.web, vault);
    let refused = home.proven(&mut home.site.browser()).await.expect(200);
    assert!(refused.body.contains("which needs two-step verification"), "{refused:?}");
    h.advance(60);
    home.web = web;
    assert!(!refused.begins_session() && home.opens(&home.ada.password).await);
    let _ = home.proven(&mut home.site.browser()).await.expect(303);
}
