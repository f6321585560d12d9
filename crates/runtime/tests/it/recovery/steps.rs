//! Steps that are skipped, repeated, or made in another browser, and states that were made for something else.

use svc_domain::people::tenant_users;
use svc_http::Method;

use super::{CHOSEN, NUMBER, harness_with, state, world};
use crate::account::factors::{code, with_app};
use crate::account::own;
use crate::harness::browser::Form;

#[tokio::test]
async fn a_new_password_is_chosen_once_whatever_is_sent_at_once_or_again() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.choosing(&mut browser).await;
    let mut tab = browser.clone();
    let (a, b) = tokio::join!(
        browser.submit(&page, &[("password", CHOSEN)]),
        tab.submit(&page, &[("password", "quartz meadow trombone")])
    );
    assert_eq!([&a, &b].iter().filter(|answer| answer.status == 200).count(), 1, "{a:?} {b:?}");
    let won = if a.status == 200 { CHOSEN } else { "quartz meadow trombone" };
    assert!(home.opens(won).await);
    let again = browser.submit(&page, &[("password", "velvet harbour onion")]).await;
    assert_eq!(again.status, 403, "{again:?}");
    assert!(home.opens(won).await && !home.opens("velvet harbour onion").await);
}

#[tokio::test]
async fn a_state_works_in_its_own_browser_and_for_half_an_hour() {
    let h = harness_with(&[("SVC_OIDC__LOGIN_TRANSACTION_LIFETIME_SECS", "3600")]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.choosing(&mut browser).await;
    let _ = home.site.browser().submit(&page, &[("password", CHOSEN)]).await.expect(403);
    h.advance(30 * 60);
    let _ = browser.submit(&page, &[("password", CHOSEN)]).await.expect(403);
    assert!(home.opens(&home.ada.password).await && !home.opens(CHOSEN).await);
}

#[tokio::test]
async fn a_password_that_was_changed_meanwhile_takes_the_proof_back() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let (mut one, mut two) = (home.site.browser(), home.site.browser());
    let first = home.choosing(&mut one).await;
    h.advance(1);
    let second = home.choosing(&mut two).await;
    let _ = two.submit(&second, &[("password", CHOSEN)]).await.expect(200);
    let _ = one.submit(&first, &[("password", "velvet harbour onion")]).await.expect(403);
    assert!(home.opens(CHOSEN).await);
}

#[tokio::test]
async fn a_phone_that_was_removed_meanwhile_takes_the_proof_back() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.choosing(&mut browser).await;
    h.advance(1);
    let _ = own(&home.site, &home.ada, (Method::DELETE, "/phone"), None).await.expect(204);
    let _ = browser.submit(&page, &[("password", CHOSEN)]).await.expect(403);
    assert!(home.opens(&home.ada.password).await && !home.opens(CHOSEN).await);
}

#[tokio::test]
async fn the_end_of_all_access_meanwhile_takes_the_proof_back() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.choosing(&mut browser).await;
    h.advance(1);
    let mut tx = h.app().db.begin(home.site.tenant.id).await.unwrap();
    let ada = tenant_users::find(&mut tx, home.ada.id).await.unwrap().unwrap();
    tenant_users::end_all_access(&mut tx, &h.operator(), &ada).await.unwrap();
    tx.commit().await.unwrap();
    let _ = browser.submit(&page, &[("password", CHOSEN)]).await.expect(403);
    assert!(home.opens(&home.ada.password).await && !home.opens(CHOSEN).await);
}

#[tokio::test]
async fn no_step_can_be_skipped_and_no_state_serves_for_something_else() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let key = with_app(&home.site, &home.ada).await;
    let mut browser = home.site.browser();
    // Nothing is proven.
    let flow = state(&home.forgot(&mut browser).await);
    let choose = [("flow", flow.as_str()), ("password", CHOSEN)];
    let _ = browser.post("/auth/forgot/password", &choose).await.expect(403);
    let _ = browser.get(&format!("/auth/forgot/password?flow={flow}")).await.expect(403);
    // The phone is proven, the app is not.
    let step = home.proven(&mut browser).await.expect(200);
    let owing = Form::of(&step).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1;
    let choose = [("flow", owing.as_str()), ("password", CHOSEN)];
    let _ = browser.post("/auth/forgot/password", &choose).await.expect(403);
    let _ = browser.post("/auth/join", &[("flow", owing.as_str())]).await.expect(403);
    // A factor that is only a second one begins nothing.
    let app = code(&home.site, &key);
    for method in ["totp", "backup_code", "password", "email_otp", "magic_link"] {
        let fields = [("flow", flow.as_str()), ("method", method), ("code", &app), ("username", "ada")];
        let answer = browser.post("/auth/sign-in", &fields).await;
        assert!(answer.status == 404 || answer.status == 200, "{method}: {answer:?}");
        assert!(!answer.begins_session() && !answer.body.contains("reset-submit"), "{method}: {answer:?}");
    }
    // What a sign-in has proven is no recovery.
    let mut other = home.site.browser();
    let page = other.get(&home.web.authorize_path(&home.web.verifier(), &[])).await.expect(200);
    let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
    let page = other.submit(&page, &fields).await.expect(200);
    let flow = Form::of(&page).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1;
    let _ = other.post("/auth/forgot/password", &[("flow", &flow), ("password", CHOSEN)]).await.expect(403);
    assert!(home.opens(&home.ada.password).await && !home.opens(CHOSEN).await);
}

#[tokio::test]
async fn a_recovery_that_is_complete_begins_no_session() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.choosing(&mut browser).await;
    let flow = Form::of(&page).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1;
    let joined = browser.post("/auth/join", &[("flow", flow.as_str())]).await;
    assert!(joined.status == 403 && !joined.begins_session(), "{joined:?}");
    let fields = [("flow", flow.as_str()), ("method", "sms"), ("begin", "yes"), ("phone", NUMBER)];
    let again = browser.post("/auth/sign-in", &fields).await;
    assert!(!again.begins_session(), "{again:?}");
}
