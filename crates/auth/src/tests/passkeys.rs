//! Sign-in with a passkey, and with a security key after a password: what opens, and what attackers send instead.

use serde_json::{Value, json};
use svc_core::AccountId;
use svc_domain::people::changes;
use svc_domain::people::credentials::passkeys::{self, Holder, RelyingParty, Use};
use svc_domain::people::credentials::{self, Owner};
use svc_domain::people::login_history;
use svc_domain::people::tenant_users;
use svc_testkit::Authenticator;

use super::registration::{path_of, register};
use super::second_factor::latest;
use super::*;

pub(super) const ORIGIN: &str = "http://localhost:8080";

/// The account that answers to a name, and its owner.
async fn owner(world: &World, name: &str) -> (AccountId, Owner) {
    let mut tx = world.app.db.read(world.tenant().await.id).await.unwrap();
    let found = changes::candidate_named(&mut tx, name).await.unwrap().unwrap();
    (found.account.id, Owner::from(&found))
}

/// Gives a person a key on this device.
pub(super) async fn give(world: &World, name: &str, device: &mut Authenticator, purpose: Use) {
    let (account, owner) = owner(world, name).await;
    let party = RelyingParty::at(&world.app.config, ORIGIN).unwrap();
    let holder = Holder { account, name, display_name: name };
    let now = world.ground.clock.now();
    let (options, creation) = party.create(&holder, purpose, (&[], now)).unwrap();
    let answer = device.create(&options, ORIGIN).unwrap();
    let created = party.created(&creation, &answer.to_string()).unwrap();
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..fixtures::cx(now) };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    created.keep(&mut tx, &cx, owner, "Key").await.unwrap();
    tx.commit().await.unwrap();
}

/// A challenge for the script of a page: its options, and the state that the answer is sent with.
async fn challenge(browser: &mut Browser<'_>, page: &Answer) -> (Value, String) {
    let answer = browser.post("/auth/challenge", &[("flow", page.flow()), ("method", "passkey")]).await;
    assert_eq!(answer.header(header::CONTENT_TYPE), "application/json", "{answer:?}");
    let challenge: Value = serde_json::from_str(&answer.body).unwrap();
    (challenge["shown"].clone(), challenge["flow"].as_str().unwrap().to_owned())
}

async fn send(browser: &mut Browser<'_>, flow: &str, answer: &Value) -> Answer {
    let answer = answer.to_string();
    browser.post("/auth/sign-in", &[("flow", flow), ("method", "passkey"), ("answer", &answer)]).await
}

/// Signs in from a page with whatever the device has.
pub(super) async fn answer(browser: &mut Browser<'_>, page: &Answer, device: &mut Authenticator) -> Answer {
    let (shown, flow) = challenge(browser, page).await;
    let answer = device.get(&shown, ORIGIN).unwrap();
    send(browser, &flow, &answer).await
}

pub(super) fn is_refused(page: &Answer, message: &str) {
    page.is_page(200, "login-submit");
    assert!(page.body.contains(message), "{message}: {page:?}");
}

pub(super) const LATE: &str = "That took too long.";
pub(super) const UNKNOWN: &str = "This passkey is not known here.";
const FAILED: &str = "The passkey could not be checked.";

#[tokio::test]
async fn a_passkey_signs_in_without_a_name_and_counts_as_two_factors() {
    let world = World::new().await;
    for (mut device, amr) in [
        (Authenticator::new(1), json!(["hwk", "user", "mfa"])),
        (Authenticator::synced(2), json!(["swk", "user", "mfa"])),
    ] {
        world.advance(1);
        give(&world, "ada", &mut device, Use::Passkey).await;
        let mut browser = world.browser();
        let page = browser.open(&[]).await;
        assert!(page.body.contains("autocomplete=\"username webauthn\""), "{page:?}");
        answer(&mut browser, &page, &mut device).await.code();
        assert_eq!(latest(&world).await, (amr, "urn:svc:aal2".to_owned()));
    }
    let (account, _) = owner(&world, "ada").await;
    let mut tx = world.app.db.read(world.tenant().await.id).await.unwrap();
    let all = passkeys::list(&mut tx, account).await.unwrap();
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|(credential, _)| credential.last_used_at.is_some()));
}

#[tokio::test]
async fn an_answer_counts_once_for_its_time_and_in_its_browser() {
    let world = World::new().await;
    let mut device = Authenticator::new(1);
    give(&world, "ada", &mut device, Use::Passkey).await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let (shown, flow) = challenge(&mut browser, &page).await;
    let signed = device.get(&shown, ORIGIN).unwrap();
    let mut other = world.browser();
    other.open(&[]).await;
    send(&mut other, &flow, &signed).await.is_error(403, "forbidden");
    send(&mut browser, &flow, &signed).await.code();
    is_refused(&send(&mut browser, &flow, &signed).await, LATE);
    // Of two tabs each has a challenge of its own, and none takes the answer of the other.
    let (first, second) = (challenge(&mut browser, &page).await, challenge(&mut browser, &page).await);
    let signed = device.get(&first.0, ORIGIN).unwrap();
    is_refused(&send(&mut browser, &second.1, &signed).await, FAILED);
    send(&mut browser, &first.1, &signed).await.code();
    let (shown, flow) = challenge(&mut browser, &page).await;
    let signed = device.get(&shown, ORIGIN).unwrap();
    world.advance(300);
    is_refused(&send(&mut browser, &flow, &signed).await, LATE);
}

#[tokio::test]
async fn an_answer_for_another_origin_or_with_another_name_does_not_count() {
    let world = World::new().await;
    world.account("eve@example.com", true, Some(PASSWORD), true).await;
    let (mut hers, mut eves) = (Authenticator::new(1), Authenticator::new(2));
    give(&world, "ada", &mut hers, Use::Passkey).await;
    give(&world, "eve@example.com", &mut eves, Use::Passkey).await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let (shown, flow) = challenge(&mut browser, &page).await;
    let signed = hers.get(&shown, "http://evil.localhost:8080").unwrap();
    is_refused(&send(&mut browser, &flow, &signed).await, FAILED);
    // Eve's signature in the name of Ada, and of no one.
    let (shown, flow) = challenge(&mut browser, &page).await;
    let mut forged = eves.get(&shown, ORIGIN).unwrap();
    forged["response"]["userHandle"] = hers.get(&shown, ORIGIN).unwrap()["response"]["userHandle"].clone();
    is_refused(&send(&mut browser, &flow, &forged).await, UNKNOWN);
    let (shown, flow) = challenge(&mut browser, &page).await;
    let mut forged = eves.get(&shown, ORIGIN).unwrap();
    forged["response"]["userHandle"] = Value::Null;
    is_refused(&send(&mut browser, &flow, &forged).await, UNKNOWN);
    let (_, flow) = challenge(&mut browser, &page).await;
    is_refused(&send(&mut browser, &flow, &json!("nonsense")).await, FAILED);
    assert!(browser.session().is_none());
    assert_eq!(world.events("auth.login.failure").await, 4);
}

#[tokio::test]
async fn a_security_key_is_asked_for_after_the_password_and_of_its_owner_only() {
    let world = World::new().await;
    world.account("eve@example.com", true, Some(PASSWORD), true).await;
    let (mut hers, mut eves) = (Authenticator::touched(1), Authenticator::touched(2));
    give(&world, "ada", &mut hers, Use::SecurityKey).await;
    give(&world, "eve@example.com", &mut eves, Use::SecurityKey).await;
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    page.is_page(200, "passkey-submit");
    assert!(!page.body.contains("login-submit") && page.body.contains("noscript"), "{page:?}");
    let (shown, flow) = challenge(&mut browser, &page).await;
    assert_eq!(shown["userVerification"], "discouraged");
    assert_eq!(shown["allowCredentials"].as_array().unwrap().len(), 1);
    assert!(eves.get(&shown, ORIGIN).is_none());
    let mut asked = shown.clone();
    asked["allowCredentials"] = eves.ids().iter().map(|id| json!({ "id": id })).collect();
    let signed = eves.get(&asked, ORIGIN).unwrap();
    let refused = send(&mut browser, &flow, &signed).await;
    refused.is_page(200, "passkey-submit");
    assert!(refused.body.contains(UNKNOWN), "{refused:?}");
    answer(&mut browser, &refused, &mut hers).await.code();
    assert_eq!(latest(&world).await, (json!(["pwd", "hwk", "user", "mfa"]), "urn:svc:aal2".to_owned()));
}

#[tokio::test]
async fn an_owner_whose_password_was_guessed_at_still_gets_in_with_a_passkey() {
    let world = World::new().await;
    let mut device = Authenticator::new(1);
    give(&world, "ada", &mut device, Use::Passkey).await;
    let mut eve = world.browser();
    for _ in 0..6 {
        let page = eve.open(&[]).await;
        eve.fill(&page, "ada", "wrong").await;
    }
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let locked = browser.fill(&page, "ada", PASSWORD).await;
    assert_ne!(locked.status, StatusCode::SEE_OTHER, "{locked:?}");
    answer(&mut browser, &page, &mut device).await.code();
}

#[tokio::test]
async fn a_counter_that_went_back_is_reported_and_keeps_no_one_out() {
    let world = World::new().await;
    let mut device = Authenticator::new(1);
    device.counter = 9;
    give(&world, "ada", &mut device, Use::Passkey).await;
    for (counter, events) in [(10, 0), (4, 1), (5, 1)] {
        device.counter = counter;
        let mut browser = world.browser();
        let page = browser.open(&[]).await;
        answer(&mut browser, &page, &mut device).await.code();
        assert_eq!(world.events("security.suspicious_activity").await, events, "{counter}");
    }
}

#[tokio::test]
async fn a_removed_passkey_opens_nothing() {
    let world = World::new().await;
    let mut device = Authenticator::new(1);
    give(&world, "ada", &mut device, Use::Passkey).await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let (shown, flow) = challenge(&mut browser, &page).await;
    let (account, owner) = owner(&world, "ada").await;
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let (credential, _) = passkeys::list(&mut tx, account).await.unwrap().remove(0);
    let cx = fixtures::cx(world.ground.clock.now());
    assert!(credentials::remove(&mut tx, &cx, owner, &credential).await.unwrap());
    tx.commit().await.unwrap();
    let signed = device.get(&shown, ORIGIN).unwrap();
    is_refused(&send(&mut browser, &flow, &signed).await, UNKNOWN);
}

#[tokio::test]
async fn what_a_passkey_does_not_open_is_recorded_for_its_owner() {
    let world = World::new().await;
    let mut device = Authenticator::new(1);
    give(&world, "ada", &mut device, Use::Passkey).await;
    let tenant = world.tenant().await.id;
    let mut tx = world.app.db.read(tenant).await.unwrap();
    let ada = changes::candidate_named(&mut tx, "ada").await.unwrap().unwrap().member.unwrap();
    let recorded = async || {
        let mut tx = world.app.db.read(tenant).await.unwrap();
        let history = login_history::list(&mut tx, ada.id, None, (None, 10)).await.unwrap();
        let outcomes: Vec<_> = history.into_iter().map(|entry| entry.outcome).collect();
        (outcomes, world.events("auth.login.failure").await)
    };
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let (mut shown, flow) = challenge(&mut browser, &page).await;
    shown["challenge"] = json!("AAAA");
    is_refused(&send(&mut browser, &flow, &device.get(&shown, ORIGIN).unwrap()).await, FAILED);
    assert_eq!(recorded().await, (vec!["failure".to_owned()], 1), "signed for another challenge");

    let cx = fixtures::cx(world.ground.clock.now());
    let mut tx = world.app.db.begin(tenant).await.unwrap();
    tenant_users::set_status(&mut tx, &cx, &ada, tenant_users::Status::Suspended).await.unwrap();
    tx.commit().await.unwrap();
    let page = browser.open(&[]).await;
    let refused = answer(&mut browser, &page, &mut device).await;
    is_refused(&refused, "not right");
    assert_eq!(recorded().await, (vec!["failure".to_owned(); 2], 2), "right, of a suspended person");
}

#[tokio::test]
async fn where_passkeys_are_off_there_is_no_part_and_no_challenge() {
    let world = World::configured(&[("SVC_PASSKEY__ENABLED", "false")]).await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    assert!(!page.body.contains("passkey") && !page.body.contains("webauthn"), "{page:?}");
    let fields = [("flow", page.flow()), ("method", "passkey")];
    browser.post("/auth/challenge", &fields).await.is_error(404, "not_found");
    browser.post("/auth/sign-in", &fields).await.is_error(404, "not_found");
}

#[tokio::test]
async fn a_challenge_is_for_methods_that_can_go_on_here() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    for method in ["password", "totp", "telepathy"] {
        let fields = [("flow", page.flow()), ("method", method)];
        browser.post("/auth/challenge", &fields).await.is_error(404, "not_found");
    }
}

/// Grace has registered, and opens the link of the mail.
pub(super) async fn opened(world: &World, browser: &mut Browser<'_>) -> Answer {
    register(browser, "grace@example.com").await;
    let path = path_of(&world.mails().await.remove(0));
    let page = browser.get(&path).await;
    page.is_page(200, "verify-passkey");
    page
}

/// A challenge for a first passkey.
pub(super) async fn first(browser: &mut Browser<'_>, page: &Answer) -> (Value, String) {
    let fields = [("flow", page.flow()), ("name", "Grace Hopper")];
    let answer = browser.post("/auth/verify/passkey", &fields).await;
    let challenge: Value = serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{answer:?}"));
    (challenge["shown"].clone(), challenge["flow"].as_str().unwrap().to_owned())
}

pub(super) async fn verify(browser: &mut Browser<'_>, flow: &str, answer: &Value) -> Answer {
    let answer = answer.to_string();
    browser.post("/auth/verify", &[("flow", flow), ("name", "Grace Hopper"), ("answer", &answer)]).await
}

#[tokio::test]
async fn a_person_registers_with_a_passkey_and_never_has_a_password() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = opened(&world, &mut browser).await;
    let mut device = Authenticator::new(1);
    let nameless = browser.post("/auth/verify/passkey", &[("flow", page.flow())]).await;
    let nameless: Value = serde_json::from_str(&nameless.body).unwrap_or_else(|_| panic!("{nameless:?}"));
    assert_eq!(nameless["shown"]["user"]["displayName"], "grace@example.com");
    let (shown, flow) = first(&mut browser, &page).await;
    assert_eq!(
        (&shown["user"]["name"], &shown["user"]["displayName"]),
        (&json!("grace@example.com"), &json!("Grace Hopper"))
    );
    let made = device.create(&shown, ORIGIN).unwrap();
    verify(&mut browser, &flow, &made).await.code();
    assert_eq!(latest(&world).await, (json!(["hwk", "user", "mfa"]), "urn:svc:aal2".to_owned()));
    // The link and the challenge are spent.
    assert_eq!(verify(&mut browser, &flow, &made).await.status, StatusCode::BAD_REQUEST);
    let mut other = world.browser();
    let page = other.open(&[]).await;
    answer(&mut other, &page, &mut device).await.code();
    let mut third = world.browser();
    let page = third.open(&[]).await;
    third.fill(&page, "grace@example.com", PASSWORD).await.is_page(200, "login-submit");
    // She finds back in by mail when the device is lost.
    let forgot = third.get(&page.link("/auth/forgot")).await;
    third.post("/auth/forgot", &[("flow", forgot.flow()), ("username", "grace@example.com")]).await;
    assert_eq!(world.mails().await.len(), 1);
}

#[tokio::test]
async fn a_first_passkey_that_does_not_answer_its_challenge_makes_no_account() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = opened(&world, &mut browser).await;
    let mut device = Authenticator::new(1);
    let (shown, flow) = first(&mut browser, &page).await;
    let elsewhere = device.create(&shown, "http://evil.localhost:8080").unwrap();
    let refused = verify(&mut browser, &flow, &elsewhere).await;
    refused.is_page(200, "verify-passkey");
    assert!(refused.body.contains(FAILED), "{refused:?}");
    // The answer has spent the challenge.
    let made = device.create(&shown, ORIGIN).unwrap();
    assert!(verify(&mut browser, &flow, &made).await.body.contains(LATE));
    let (shown, flow) = first(&mut browser, &page).await;
    let locked = Authenticator::touched(2).create(&shown, ORIGIN).unwrap();
    assert!(verify(&mut browser, &flow, &locked).await.body.contains("Unlock your passkey"));
    let mut other = world.browser();
    other.open(&[]).await;
    other.post("/auth/verify/passkey", &[("flow", page.flow())]).await.is_error(403, "forbidden");
    assert_eq!(world.events("account.created").await, 1, "only Ada has an account");
}

#[tokio::test]
async fn a_passkey_of_one_account_is_never_added_to_another() {
    let world = World::new().await;
    let mut device = Authenticator::new(1);
    give(&world, "ada", &mut device, Use::Passkey).await;
    let mut browser = world.browser();
    let page = opened(&world, &mut browser).await;
    let (shown, flow) = first(&mut browser, &page).await;
    // A device that makes the same key again, as a copied or a forged one would.
    let again = Authenticator::new(1).create(&shown, ORIGIN).unwrap();
    let refused = verify(&mut browser, &flow, &again).await;
    assert_ne!(refused.status, StatusCode::SEE_OTHER, "{refused:?}");
    assert_eq!(world.events("account.created").await, 1, "only Ada has an account");
}
