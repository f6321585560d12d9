//! The trust in browsers, and what ends it.

use svc_domain::log::Action;
use svc_domain::people::changes;
use svc_domain::people::credentials::Kind;

use super::second_factor::{TRUSTING, code, count, set_up_and_trusted};
use super::*;

#[tokio::test]
async fn the_end_of_all_other_sessions_ends_the_trust_in_browsers() {
    const PATH: &str = "/account/sessions";
    let world = World::configured(TRUSTING).await;
    let mut browser = world.browser();
    let key = set_up_and_trusted(&world, &mut browser).await;
    world.advance(30);
    let mut other = world.browser();
    let page = other.sign_in().await;
    let code = code(&world, &key);
    let fields = [("flow", page.flow()), ("method", "totp"), ("code", code.as_str())];
    other.post("/auth/sign-in", &fields).await.code();
    let page = browser.get(PATH).await;
    browser.change(PATH, &page, &[("session", "others")]).await.is_page(200, "notice");
    assert_eq!(count(&world, Kind::TrustedBrowser).await, 0);
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    browser.fill(&page, "ada", PASSWORD).await.is_page(200, "totp-submit");
}

#[tokio::test]
async fn a_new_password_ends_the_trust_in_browsers() {
    const NEW: &str = "a new one of hers";
    let world = World::configured(TRUSTING).await;
    let mut browser = world.browser();
    let _ = set_up_and_trusted(&world, &mut browser).await;
    assert_eq!(count(&world, Kind::TrustedBrowser).await, 1);
    world.advance(1);
    let cx = Cx { actor: Actor::System("test"), ..fixtures::cx(world.ground.clock.now()) };
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let hash = world.app.services.passwords.of(None).hash(&Secret::new(NEW), &*cx.entropy).await.unwrap();
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = changes::candidate_named(&mut tx, "ada").await.unwrap().unwrap().account;
    changes::set_account_password(&mut tx, &cx, &ada, (&hash, Action::PasswordReset)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(count(&world, Kind::TrustedBrowser).await, 0);
    world.advance(1);
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    browser.fill(&page, "ada", NEW).await.is_page(200, "totp-submit");
}

#[tokio::test]
async fn a_sign_in_during_which_a_new_password_is_set_gives_a_browser_no_trust() {
    let world = World::configured(TRUSTING).await;
    let key = set_up_and_trusted(&world, &mut world.browser()).await;
    world.advance(30);
    let mut other = world.browser();
    let half = other.sign_in().await;
    half.is_page(200, "totp-submit");
    world.advance(1);
    let cx = Cx { actor: Actor::System("test"), ..fixtures::cx(world.ground.clock.now()) };
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = changes::candidate_named(&mut tx, "ada").await.unwrap().unwrap().account;
    changes::set_account_password(&mut tx, &cx, &ada, ("$argon2id$", Action::PasswordReset)).await.unwrap();
    let code = code(&world, &key);
    let fields = [("flow", half.flow()), ("method", "totp"), ("code", code.as_str()), ("trust", "yes")];
    let answer = svc_testkit::meanwhile(&world.app.db, tx, other.post("/auth/sign-in", &fields)).await;
    answer.is_page(200, "login-submit");
    assert_eq!(count(&world, Kind::TrustedBrowser).await, 0);
}
