//! By a passkey that its owner has unlocked: two factors in itself, and its own account alone.

use svc_testkit::Authenticator;

use super::{CHOSEN, answered, harness_with, state, with_passkey, world};
use crate::account::factors::with_app;

#[tokio::test]
async fn an_unlocked_passkey_recovers_the_account_and_no_second_factor_is_asked_for() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut device = Authenticator::synced(1);
    with_passkey(&home.site, &home.ada, &mut device).await;
    let _ = with_app(&home.site, &home.ada).await;
    h.advance(1);
    let mut browser = home.site.browser();
    let flow = state(&home.forgot(&mut browser).await);
    let proven = answered(&mut browser, &flow, &mut device).await.expect(303);
    let page = browser.get(proven.location()).await.expect(200);
    assert!(page.body.contains(&home.ada.email), "{page:?}");
    let _ = browser.submit(&page, &[("password", CHOSEN)]).await.expect(200);
    assert!(home.opens(CHOSEN).await && !home.opens(&home.ada.password).await);
}

#[tokio::test]
async fn a_passkey_that_was_only_touched_or_is_unknown_recovers_nothing() {
    for verification in ["required", "discouraged"] {
        let h = harness_with(&[("SVC_PASSKEY__USER_VERIFICATION", verification)]).await;
        let home = world(&h).await;
        let mut device = Authenticator::new(1);
        with_passkey(&home.site, &home.ada, &mut device).await;
        device.is_touched_only = true;
        h.advance(1);
        let mut browser = home.site.browser();
        let flow = state(&home.forgot(&mut browser).await);
        let touched = answered(&mut browser, &flow, &mut device).await;
        assert!(touched.status == 200 && touched.body.contains("Unlock your passkey"), "{touched:?}");
    }
}

#[tokio::test]
async fn the_passkey_of_another_account_is_no_second_factor_of_this_one() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let bob = home.site.user("bob").await;
    let (mut hers, mut his) = (Authenticator::new(1), Authenticator::new(2));
    with_passkey(&home.site, &home.ada, &mut hers).await;
    with_passkey(&home.site, &bob, &mut his).await;
    let _ = with_app(&home.site, &home.ada).await;
    h.advance(1);
    let mut browser = home.site.browser();
    let step = home.proven(&mut browser).await.expect(200);
    assert!(step.body.contains("passkey-submit"), "{step:?}");
    let hidden = crate::harness::browser::Form::of(&step).hidden;
    let flow = hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1;
    let asked = [("flow", flow.as_str()), ("method", "passkey")];
    let challenge = browser.post("/auth/challenge", &asked).await.expect(200).json();
    let mut shown = challenge["shown"].clone();
    // His device answers whatever it is asked for.
    shown["allowCredentials"] = serde_json::json!([]);
    let answer = his.get(&shown, home.site.issuer()).unwrap().to_string();
    let flow = challenge["flow"].as_str().unwrap();
    let fields = [("flow", flow), ("method", "passkey"), ("answer", answer.as_str())];
    let refused = browser.post("/auth/sign-in", &fields).await;
    assert!(refused.status != 303 || refused.location().starts_with("/auth/page"), "{refused:?}");
    assert!(!refused.body.contains("reset-submit"), "{refused:?}");
}
