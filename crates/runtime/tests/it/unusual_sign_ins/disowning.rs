//! "Was this you?": what the owner of an account ends by saying no.

use serde_json::{Value, json};
use svc_db::{args, quiet_system_sql};
use svc_domain::people::accounts::Email;
use svc_domain::people::credentials::{self, Kind, NewCredential, Owner};
use svc_domain::people::{changes, tenant_users};
use svc_http::Method;

use super::{ELSEWHERE, HOME, RATED, World, signals};
use crate::account::undo_address::moved;
use crate::changes::left_by;
use crate::harness::{Answer, Browser, Harness, Person};

/// Someone else signs in from elsewhere: their browser, and a minute later the path of the link that the owner was mailed.
async fn broken_in<'h>(world: &World<'h>) -> (Browser<'h>, String) {
    let mut thief = world.site.browser();
    let _ = world.enter(&mut thief, ELSEWHERE).await.expect(303);
    let path = link(world).await;
    world.site.harness.advance(60);
    (thief, path)
}

/// The owner follows the link: their browser, and the page that asks whether it was them.
async fn asked<'h>(world: &World<'h>, path: &str) -> (Browser<'h>, Answer) {
    let mut owner = world.site.browser();
    let page = owner.get(path).await.expect(200);
    (owner, page)
}

/// The path of the link in the newest mail.
async fn link(world: &World<'_>) -> String {
    let newest = world.site.harness.newest_mail().await;
    let link = newest.text.split_whitespace().find(|word| word.contains("/auth/was-this-you?token="));
    let link = link.unwrap_or_else(|| panic!("no link in {newest:?}"));
    assert!(newest.html.contains("was-this-you"), "{newest:?}");
    link.strip_prefix(world.site.issuer()).unwrap().to_owned()
}

#[tokio::test]
async fn no_ends_everything_under_way_and_leads_to_a_new_password() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let tokens = world.web.tokens(&world.ada).await;
    // What that is told by is not the mail in question.
    let _ = h.mails().await;
    h.advance(60);
    let (mut thief, path) = broken_in(&world).await;
    let (mut owner, page) = asked(&world, &path).await;
    assert!(page.body.contains("198.51.100.0/24") && page.body.contains("Firefox · Linux"), "{page:?}");
    let inside = thief.get("/account").await.expect(200);
    assert!(!inside.body.contains("login-submit"), "opening the link changes nothing: {inside:?}");
    let answer = owner.submit(&page, &[]).await.expect(303);
    let form = owner.get(answer.location()).await.expect(200);
    let outside = thief.get("/account").await.expect(200);
    assert!(outside.body.contains("login-submit"), "{outside:?}");
    let _ = world.web.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let refused = world.enter(&mut thief, ELSEWHERE).await.expect(200);
    assert!(refused.body.contains("not right"), "the old password is worth nothing: {refused:?}");
    let chosen = "compiler nanosecond moth";
    let done = owner.submit(&form, &[("password", chosen)]).await.expect(200);
    assert!(done.body.contains("Password changed"), "{done:?}");
    let entered = world.attempt(&mut owner, HOME, chosen).await;
    assert!(entered.redirect_param("code").is_some(), "{entered:?}");
    assert_eq!(world.recorded("sign_in.disowned").await.len(), 1);
}

#[tokio::test]
async fn no_calls_off_a_deletion_of_the_account_that_was_begun_since() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (mut thief, path) = broken_in(&world).await;
    let page = thief.get("/account/deletion").await.expect(200);
    let done = thief.submit(&page, &[("sure", "yes"), ("action", "delete")]).await.expect(200);
    assert!(done.body.contains("will be deleted"), "{done:?}");
    h.advance(60);
    let (mut owner, page) = asked(&world, &path).await;
    let [_, events] = left_by(&h, async { owner.submit(&page, &[]).await.expect(303) }).await;
    assert!(events.contains(&"account.kept".to_owned()), "{events:?}");
    h.advance(60);
    let read = world.own((Method::GET, "/deletion"), None).await.expect(200).json();
    assert_eq!(read, json!({ "delete_at": null }));
}

#[tokio::test]
async fn no_leaves_a_deletion_that_was_begun_before_the_sign_in_to_the_owner() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let begun = world.own((Method::POST, "/deletion"), None).await.expect(200).json();
    h.advance(60);
    let (_, path) = broken_in(&world).await;
    let (mut owner, page) = asked(&world, &path).await;
    let _ = owner.submit(&page, &[]).await.expect(303);
    h.advance(60);
    let read = world.own((Method::GET, "/deletion"), None).await.expect(200).json();
    assert!(read["delete_at"].is_string() && read["delete_at"] == begun["delete_at"], "{read}");
}

#[tokio::test]
async fn a_link_works_once_and_not_after_the_password_was_changed() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (_, path) = broken_in(&world).await;
    let (mut owner, page) = asked(&world, &path).await;
    let _ = owner.submit(&page, &[]).await.expect(303);
    let _ = owner.submit(&page, &[]).await.expect(400);
    let _ = owner.get(&path).await.expect(400);
    let unknown = owner.get("/auth/was-this-you?token=unknown").await.expect(400);
    assert!(unknown.body.contains("no longer works") || unknown.body.contains("link"), "{unknown:?}");
}

#[tokio::test]
async fn an_old_link_does_not_undo_a_password_that_was_chosen_since() {
    let h = Harness::with(&RATED).await;
    let mut world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (_, path) = broken_in(&world).await;
    let chosen = "relay tangerine lighthouse";
    let body = serde_json::json!({ "password": chosen });
    let _ = world.own((Method::PUT, "/password"), Some(body)).await.expect(204);
    h.advance(60);
    let (mut browser, page) = asked(&world, &path).await;
    let _ = browser.submit(&page, &[]).await.expect(400);
    world.ada.password = chosen.to_owned();
    let entered = world.enter(&mut world.site.browser(), HOME).await;
    assert!(entered.redirect_param("code").is_some(), "{entered:?}");
}

#[tokio::test]
async fn where_a_thief_has_changed_the_password_the_link_leads_to_a_new_one_by_mail() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (mut thief, path) = broken_in(&world).await;
    let page = thief.get("/account/password").await.expect(200);
    let changed = thief.submit(&page, &[("password", "relay tangerine lighthouse")]).await;
    assert!(changed.begins_session(), "{changed:?}");
    h.advance(60);
    let (mut owner, page) = asked(&world, &path).await;
    let late = owner.submit(&page, &[]).await.expect(400);
    assert!(late.body.contains("The password was changed after this sign-in"), "{late:?}");
    let inside = thief.get("/account").await.expect(200);
    assert!(!inside.body.contains("login-submit"), "{inside:?}");
    let forgot = owner.get(&late.link("continue-link")).await.expect(200);
    let _ = owner.submit(&forgot, &[("username", &world.ada.email)]).await.expect(200);
    let newest = h.newest_mail().await;
    let reset = newest.links.iter().find(|link| link.contains("/auth/reset?token=")).expect("a link");
    let form = owner.get(reset.strip_prefix(world.site.issuer()).unwrap()).await.expect(200);
    h.advance(1);
    let chosen = "compiler nanosecond moth";
    let _ = owner.submit(&form, &[("password", chosen)]).await.expect(200);
    let outside = thief.get("/account").await.expect(200);
    assert!(outside.body.contains("login-submit"), "{outside:?}");
    assert!(world.attempt(&mut owner, HOME, chosen).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn where_no_password_is_mailed_a_link_that_came_too_late_leads_to_the_guardians() {
    let by_guardians = [
        ("SVC_USER_SELF_SERVICE__RECOVERY_ENABLED", "false"),
        ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true"),
    ];
    let h = Harness::with(&[&RATED[..], &by_guardians[..]].concat()).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (mut thief, path) = broken_in(&world).await;
    let page = thief.get("/account/password").await.expect(200);
    let changed = thief.submit(&page, &[("password", "relay tangerine lighthouse")]).await;
    assert!(changed.begins_session(), "{changed:?}");
    h.advance(60);
    let (mut owner, page) = asked(&world, &path).await;
    let late = owner.submit(&page, &[]).await.expect(400);
    let ask = owner.get(&late.link("continue-link")).await.expect(200);
    let _ = owner.submit(&ask, &[("username", &world.ada.email)]).await.expect(303);
}

/// What an account has and who guards it: kinds of credentials with their names, the address, addresses of guardians.
async fn kept(world: &World<'_>) -> (Vec<(&'static str, String)>, Option<String>, Vec<Value>) {
    let mut tx = world.site.harness.app().db.read(world.site.tenant.id).await.unwrap();
    let ada = tenant_users::find(&mut tx, world.ada.id).await.unwrap().unwrap();
    let all = credentials::of_account(&mut tx, ada.account_id).await.unwrap();
    drop(tx);
    let all = all.into_iter().map(|one| (one.kind.unwrap().name(), one.name)).collect();
    let listed = world.own((Method::GET, "/guardians"), None).await.expect(200).json();
    let guardians = listed["guardians"].as_array().unwrap().iter().map(|one| one["email"].clone()).collect();
    (all, ada.email, guardians)
}

/// A thief gives the account one of each kind, and an address of their own.
async fn taken_over(world: &World<'_>) {
    let (h, cx) = (world.site.harness, world.site.harness.operator());
    let mut tx = h.app().db.begin(world.site.tenant.id).await.unwrap();
    let ada = tenant_users::find(&mut tx, world.ada.id).await.unwrap().unwrap();
    for kind in Kind::ALL {
        let new = NewCredential {
            id: cx.id(),
            kind: *kind,
            lookup: Some(kind.name().as_bytes().to_vec()),
            name: "The thief's",
            document: &json!({}),
            sealed: None,
            mark: 0,
            expires_at: None,
        };
        credentials::add(&mut tx, &cx, Owner::from(&ada), new).await.unwrap();
    }
    let address = Email::parse("thief@evil.example").unwrap();
    assert!(changes::set_address(&mut tx, &cx, &ada, (ada.email.as_deref(), &address)).await.unwrap());
    tx.commit().await.unwrap();
}

async fn invite(world: &World<'_>, guardian: &Person) {
    let body = json!({ "email": guardian.email });
    let _ = world.own((Method::POST, "/guardians"), Some(body)).await.expect(204);
}

#[tokio::test]
async fn what_came_since_the_sign_in_goes_and_what_was_there_stays() {
    let guarded = ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true");
    let h = Harness::with(&[&RATED[..], &[guarded]].concat()).await;
    let world = World::new(&h).await;
    let (bob, eve) = (world.site.user("bob").await, world.site.user("eve").await);
    invite(&world, &bob).await;
    world.site.identity(world.ada.id).await;
    let _ = world.at_home(1).await;
    let before = kept(&world).await;
    h.advance(60);
    let (_, path) = broken_in(&world).await;
    taken_over(&world).await;
    invite(&world, &eve).await;
    let (mut owner, page) = asked(&world, &path).await;
    let answer = owner.submit(&page, &[]).await.expect(303);
    // Tokens of the second in which everything ended are dead too.
    h.advance(1);
    assert_eq!(kept(&world).await, before);
    let form = owner.get(answer.location()).await.expect(200);
    let chosen = "compiler nanosecond moth";
    let _ = owner.submit(&form, &[("password", chosen)]).await.expect(200);
    assert!(world.attempt(&mut owner, HOME, chosen).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn a_thief_who_is_disowned_takes_back_no_address_that_the_account_had_meanwhile() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (mut thief, path) = broken_in(&world).await;
    let (first, second) = ("thief@evil.example", "other@evil.example");
    let _ = moved(&world.site, &mut thief, (first, &world.ada.email)).await.expect("a link");
    h.advance(1);
    let back = moved(&world.site, &mut thief, (second, first)).await.expect("a link");
    let _ = world.site.browser().get(&back).await.expect(200);
    let (mut owner, page) = asked(&world, &path).await;
    let _ = owner.submit(&page, &[]).await.expect(303);
    let _ = world.site.browser().get(&back).await.expect(400);
    let mut tx = h.app().db.read(world.site.tenant.id).await.unwrap();
    let ada = tenant_users::find(&mut tx, world.ada.id).await.unwrap().unwrap();
    assert_eq!(ada.email.as_deref(), Some(world.ada.email.as_str()));
}

#[tokio::test]
async fn a_link_replaces_no_password_where_no_mail_does() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (mut thief, path) = broken_in(&world).await;
    let body = json!({ "settings": { "without_recovery": true } });
    let token = world.site.mint(|_| ());
    let call = (Method::PATCH, "/api/v1/tenant-settings");
    let _ = world.site.call(call.0, call.1, Some(&token), Some(body)).await.expect(200);
    let _ = h.informed_app().await;
    let (mut owner, page) = asked(&world, &path).await;
    let done = owner.submit(&page, &[]).await.expect(200);
    assert!(
        done.body.contains("Ask your administrator") && !done.body.contains("name=\"password\""),
        "{done:?}"
    );
    assert!(thief.get("/account").await.expect(200).body.contains("login-submit"));
    let refused = world.enter(&mut thief, ELSEWHERE).await.expect(200);
    assert!(refused.body.contains("not right"), "{refused:?}");
}

#[tokio::test]
async fn an_account_without_a_password_is_promised_no_new_one() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (mut thief, path) = broken_in(&world).await;
    let forget = quiet_system_sql!("a test", "UPDATE accounts SET password = NULL WHERE email = $1");
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(forget, args![&world.ada.email]).await.unwrap();
    tx.commit().await.unwrap();
    let (mut owner, page) = asked(&world, &path).await;
    assert!(page.body.contains("If it has a password, you choose a new one."), "{page:?}");
    let done = owner.submit(&page, &[]).await.expect(200);
    assert!(!done.body.contains("name=\"password\""), "{done:?}");
    assert!(thief.get("/account").await.expect(200).body.contains("login-submit"));
}

#[tokio::test]
async fn a_sign_in_that_was_not_the_owner_s_shows_no_habit() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let (_, path) = broken_in(&world).await;
    let (mut owner, page) = asked(&world, &path).await;
    let answer = owner.submit(&page, &[]).await.expect(303);
    let form = owner.get(answer.location()).await.expect(200);
    let chosen = "compiler nanosecond moth";
    let _ = owner.submit(&form, &[("password", chosen)]).await.expect(200);
    // Tokens of the second in which everything ended are dead too.
    h.advance(1);
    let outcomes: Vec<_> = world.history().await.iter().map(|login| login["outcome"].clone()).collect();
    assert_eq!(outcomes, ["disowned", "success"]);
    let entered = world.attempt(&mut world.site.browser(), ELSEWHERE, chosen).await;
    assert!(entered.redirect_param("code").is_some(), "{entered:?}");
    let latest = world.history().await.remove(0);
    assert!(signals(&latest).contains(&"new_network"), "{latest}");
}
