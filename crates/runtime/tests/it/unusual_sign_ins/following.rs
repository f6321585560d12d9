//! What follows from an unusual sign-in, by deployment and by tenant.

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_http::Method;
use svc_testkit::Authenticator;

use super::{ELSEWHERE, HOME, RATED, World, send, signals};
use crate::changes::left_by;
use crate::harness::{Answer, Harness};

/// Gives the person a passkey.
async fn with_passkey(world: &World<'_>) {
    let asked = Some(json!({ "use": "passkey" }));
    let begun = world.own((Method::POST, "/passkeys"), asked).await.expect(200).json();
    let answer = Authenticator::synced(1).create(&begun["options"], world.site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Laptop" });
    let _ = world.own((Method::POST, "/passkeys/confirm"), Some(proof)).await.expect(204);
}

/// Gives the person an app; the key that it has.
async fn with_app(world: &World<'_>) -> String {
    let begun = world.own((Method::POST, "/totp"), None).await.expect(200).json();
    let key = begun["secret"].as_str().unwrap().to_owned();
    let proof = json!({ "flow": begun["flow"], "code": code(world, &key), "name": "Phone" });
    let _ = world.own((Method::POST, "/totp/confirm"), Some(proof)).await.expect(204);
    key
}

fn code(world: &World<'_>, key: &str) -> String {
    let totp = totp_rs::Builder::new().with_secret(totp_rs::Secret::try_from_base32(key).unwrap());
    let now = u64::try_from(world.site.harness.operator().now.as_secs()).unwrap();
    totp.build().unwrap().generate(now).to_string()
}

#[track_caller]
fn entered(answer: &Answer) {
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}

#[track_caller]
fn asked(answer: &Answer) {
    assert!(answer.status == 200 && answer.body.contains("One more step"), "{answer:?}");
}

/// What was recorded of the newest unusual sign-in.
async fn newest(world: &World<'_>) -> Value {
    let entry = world.recorded("sign_in.unusual").await.into_iter().next().unwrap();
    json!([entry["detail"]["outcome"], entry["detail"]["score"], entry["detail"]["reasons"]])
}

#[tokio::test]
async fn a_person_without_a_second_factor_goes_on_and_is_told() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    entered(&world.enter(&mut world.site.browser(), ELSEWHERE).await);
    assert_eq!(newest(&world).await, json!(["told", 55, ["new_device", "new_network"]]));
    assert!(h.mails().await[0].subject.contains("new sign-in"), "{:?}", h.mails().await[0]);
}

#[tokio::test]
async fn a_person_with_a_passkey_is_asked_for_it_after_the_password() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    with_passkey(&world).await;
    let mut known = world.at_home(1).await;
    entered(&world.enter(&mut known, ELSEWHERE).await);
    asked(&world.enter(&mut world.site.browser(), "192.0.2.200").await);
    assert_eq!(newest(&world).await[0], "asked");
    let challenges = world.recorded("second_factor.asked").await;
    assert_eq!(challenges[0]["detail"]["methods"], json!(["passkey"]));
    assert_eq!(world.history().await.len(), 2, "no session began");
}

#[tokio::test]
async fn a_browser_that_is_trusted_does_not_stand_for_a_second_factor_elsewhere() {
    let h = Harness::with(&[RATED[0], RATED[1], ("SVC_TWO_FACTOR__TRUSTED_DEVICE_DAYS", "30")]).await;
    let world = World::new(&h).await;
    world.settings(json!({ "step_up_score": 25 })).await;
    let key = with_app(&world).await;
    let mut browser = world.site.browser();
    h.advance(60);
    let page = world.enter(&mut browser, HOME).await;
    asked(&page);
    let code_now = code(&world, &key);
    let fields = [("code", code_now.as_str()), ("trust", "yes"), ("method", "totp")];
    let done = send(&mut browser, (&page, HOME), &fields).await;
    entered(&done);
    browser.cookies.retain(|name, _| !name.contains("session"));
    h.advance(60);
    entered(&world.enter(&mut browser, HOME).await);
    browser.cookies.retain(|name, _| !name.contains("session"));
    h.advance(60);
    let page = world.enter(&mut browser, ELSEWHERE).await;
    asked(&page);
    entered(
        &send(&mut browser, (&page, ELSEWHERE), &[("code", &code(&world, &key)), ("method", "totp")]).await,
    );
    let history = world.history().await;
    let newest = json!([history[0]["amr"], signals(&history[0])]);
    assert_eq!(newest, json!([["pwd", "otp", "mfa"], ["new_network"]]));
}

#[tokio::test]
async fn a_sign_in_that_is_too_unusual_is_refused_and_its_owner_is_told() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    world.settings(json!({ "step_up_score": 40, "block_score": 55 })).await;
    let mut known = world.at_home(1).await;
    let refused = world.enter(&mut world.site.browser(), ELSEWHERE).await;
    assert!(refused.status == 403 && refused.body.contains("too unusual"), "{refused:?}");
    assert!(
        refused.header("set-cookie").split(';').all(|part| !part.contains("svc_session=")),
        "{refused:?}"
    );
    assert_eq!(newest(&world).await, json!(["refused", 55, ["new_device", "new_network"]]));
    let history = world.history().await;
    assert_eq!(json!([history[0]["outcome"], history[0]["score"]]), json!(["refused", 55]));
    assert!(refused.body.contains("We have sent you an email"), "{refused:?}");
    let mails = h.mails().await;
    assert!(mails[0].subject.contains("refused"), "{:?}", mails[0]);
    assert!(mails[0].text.contains("/auth/was-this-you?token="), "{:?}", mails[0]);
    // It may have been a mailed code, or the word of a provider, as well.
    assert!(mails[0].text.contains("had what it takes, such as your password"), "{:?}", mails[0]);
    entered(&world.enter(&mut known, ELSEWHERE).await);
}

#[tokio::test]
async fn a_refused_person_without_an_address_is_not_sent_to_look_for_a_mail() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    world.settings(json!({ "step_up_score": 40, "block_score": 55 })).await;
    let without = SystemSql::new(
        "UPDATE accounts SET email = NULL, email_key = NULL, email_verified = $2 WHERE email = $1",
    );
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(without, args![world.ada.email.as_str(), false]).await.unwrap();
    tx.commit().await.unwrap();
    let _ = world.at_home(1).await;
    let before = h.mails().await.len();
    let refused = world.enter(&mut world.site.browser(), ELSEWHERE).await.expect(403);
    assert!(refused.body.contains("too unusual") && !refused.body.contains("sent you"), "{refused:?}");
    assert_eq!(h.mails().await.len(), before);
}

#[tokio::test]
async fn a_person_who_is_refused_at_home_reads_of_no_new_place() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    world.settings(json!({ "step_up_score": 30, "block_score": 30 })).await;
    let _ = world.at_home(1).await;
    let refused = world.enter(&mut world.site.browser(), HOME).await.expect(403);
    assert!(refused.body.contains("too unusual") && !refused.body.contains("new place"), "{refused:?}");
}

#[tokio::test]
async fn a_tenant_that_only_tells_asks_for_nothing_and_refuses_nothing() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    world.settings(json!({ "step_up_score": 30, "block_score": 30, "only_tell": true })).await;
    with_passkey(&world).await;
    let _ = world.at_home(1).await;
    entered(&world.enter(&mut world.site.browser(), ELSEWHERE).await);
    assert_eq!(newest(&world).await[0], "told");
    let bad = json!({ "settings": { "adaptive_mfa": { "step_up_score": 60, "block_score": 50 } } });
    let token = world.site.mint(|_| ());
    let call = world.site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), Some(bad));
    let _ = call.await.expect_problem(400, "bad_request");
}

#[tokio::test]
async fn guesses_of_others_do_not_keep_the_owner_out_of_a_known_browser() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let mut known = world.at_home(1).await;
    for _ in 0..5 {
        let _ = world.attempt(&mut world.site.browser(), ELSEWHERE, "wrong").await;
    }
    h.advance(60);
    entered(&world.enter(&mut known, HOME).await);
    let history = world.history().await;
    assert_eq!(json!([history[0]["score"], signals(&history[0])]), json!([35, ["many_failures"]]));
}

#[tokio::test]
async fn repeated_refusals_send_the_owner_few_mails() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    world.settings(json!({ "step_up_score": 40, "block_score": 55 })).await;
    let _ = world.at_home(1).await;
    let before = h.mails().await.len();
    for _ in 0..8 {
        let _ = world.enter(&mut world.site.browser(), ELSEWHERE).await.expect(403);
    }
    assert_eq!(h.mails().await.len() - before, 5);
    let refused = world.history().await.iter().filter(|entry| entry["outcome"] == "refused").count();
    assert_eq!(refused, 8, "the history has them all");
    h.advance(3601);
    let _ = world.enter(&mut world.site.browser(), ELSEWHERE).await.expect(403);
    assert_eq!(h.mails().await.len() - before, 6);
}

#[tokio::test]
async fn what_follows_from_a_score_is_recorded_as_events_too() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    world.settings(json!({ "step_up_score": 40, "block_score": 55 })).await;
    let _ = world.at_home(1).await;
    let mut stranger = world.site.browser();
    let [_, events] = left_by(&h, async { world.enter(&mut stranger, ELSEWHERE).await }).await;
    for event in ["auth.adaptive_mfa.triggered", "security.suspicious_activity"] {
        assert!(events.iter().any(|told| told == event), "{event} in {events:?}");
    }
}
