//! Hooks after a first proof: what they are told, and what they let a sign-in do.

use serde_json::{Value, json};

use super::{answer, asked, entries, hook, with_receiver, with_receiver_and};
use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Browser, Client, Person, Site};

async fn after_first(site: &Site<'_>, server: &Publisher, path: &str, more: Value) -> super::CreatedHook {
    let mut members = json!({ "point": "post_first_factor" });
    members.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = hook(site, server, path, members).await;
    let _ = site.harness.informed_app().await;
    made
}

/// Signs in with the right password for an application.
pub async fn enter(web: &Client<'_>, browser: &mut Browser<'_>, person: &Person) -> Answer {
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    browser.submit(&page, &[("username", &person.username), ("password", &person.password)]).await
}

#[tokio::test]
async fn a_hook_is_told_who_signs_in_and_no_session_begins_where_it_refuses() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user_with_roles("ada", &["editor"]).await);
    answer(&server, "/hook", &json!({ "verdict": "deny", "message": "Not at night" }));
    let made = after_first(&site, &server, "/hook", json!({})).await;

    let mut browser = site.browser();
    let page = enter(&web, &mut browser, &ada).await.expect(403);
    assert!(page.body.contains("You cannot sign in here now") && !page.body.contains("night"), "{page:?}");
    assert!(!page.begins_session());
    let told = asked(&server.requests("/hook")[0], &[&made.secret]);
    assert_eq!(told["application"]["id"], json!(web.id));
    let about = ["type", "id", "username", "email", "roles", "amr", "acr", "has_second_factor"]
        .map(|member| told["subject"][member].clone());
    let expected = [
        json!("sign_in"),
        json!(ada.id),
        json!(ada.username),
        json!(ada.email),
        json!(["editor"]),
        json!(["pwd"]),
        json!("urn:svc:aal1"),
        json!(false),
    ];
    assert_eq!(about, expected, "{told}");
    assert_eq!(entries(&site, "hook.denied").await[0]["detail"]["point"], "post_first_factor");

    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    assert!(enter(&web, &mut browser, &ada).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn right_passwords_that_a_hook_refuses_lock_no_one_out() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    answer(&server, "/hook", &json!({ "verdict": "deny" }));
    after_first(&site, &server, "/hook", json!({})).await;
    for _ in 0..=h.app().config.auth.brute_force_max_attempts {
        let _ = enter(&web, &mut site.browser(), &ada).await.expect(403);
    }
    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    assert!(enter(&web, &mut site.browser(), &ada).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn a_wrong_password_asks_no_hook() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    after_first(&site, &server, "/allow", json!({})).await;
    let page = site.browser().get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let wrong = [("username", ada.username.as_str()), ("password", "another password")];
    assert!(!site.browser().submit(&page, &wrong).await.begins_session());
    assert!(server.requests("/allow").is_empty());
}

#[tokio::test]
async fn a_hook_asks_for_the_second_factor_that_a_person_has_or_has_them_set_one_up() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let (web, ada, eve) = (site.app("web").await, site.user("ada").await, site.user("eve").await);
    site.second_factor(eve.id).await;
    answer(&server, "/hook", &json!({ "verdict": "require_factor" }));
    after_first(&site, &server, "/hook", json!({})).await;
    let page = enter(&web, &mut site.browser(), &eve).await.expect(200);
    assert!(page.body.contains("One more step") && !page.begins_session(), "{page:?}");
    let page = enter(&web, &mut site.browser(), &ada).await.expect(200);
    assert!(page.body.contains("id=\"set-up-totp-begin\"") && !page.begins_session(), "{page:?}");
    assert_eq!(server.requests("/hook").len(), 2);
}

#[tokio::test]
async fn where_no_second_factor_can_be_had_a_sign_in_that_needs_one_ends_and_locks_no_one_out() {
    let (h, server) = with_receiver_and(&[("SVC_TWO_FACTOR__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    answer(&server, "/hook", &json!({ "verdict": "require_factor" }));
    after_first(&site, &server, "/hook", json!({})).await;
    for _ in 0..=h.app().config.auth.brute_force_max_attempts {
        let page = enter(&web, &mut site.browser(), &ada).await;
        assert!(page.body.contains("needs two-step verification") && !page.begins_session(), "{page:?}");
    }
}

#[tokio::test]
async fn where_a_hook_does_not_answer_the_tenant_has_said_whether_people_sign_in() {
    let (h, server) = with_receiver().await;
    let (open, closed) = (h.tenant("open").await, h.tenant("closed").await);
    server.answer_with("/hook", "500 Oops", "");
    answer(&server, "/claims", &json!({ "verdict": "allow", "claims": { "access_token": { "tier": 1 } } }));
    after_first(&open, &server, "/hook", json!({ "on_failure": "allow" })).await;
    after_first(&closed, &server, "/claims", json!({})).await;
    let (web, ada) = (closed.app("web").await, closed.user("ada").await);
    let page = enter(&web, &mut closed.browser(), &ada).await.expect(503);
    assert!(page.body.contains("not possible right now") && !page.begins_session(), "{page:?}");
    let (web, ada) = (open.app("web").await, open.user("ada").await);
    assert!(enter(&web, &mut open.browser(), &ada).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn about_sign_ins_to_the_account_centre_only_hooks_of_every_application_are_asked() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    answer(&server, "/one", &json!({ "verdict": "deny" }));
    after_first(&site, &server, "/one", json!({ "application_ids": [web.id] })).await;
    let made = after_first(&site, &server, "/allow", json!({})).await;
    let mut browser = site.browser();
    let page = browser.follow("/account").await.expect(200);
    let fields = [("username", ada.username.as_str()), ("password", &ada.password)];
    assert!(browser.submit(&page, &fields).await.begins_session());
    let told = asked(&server.requests("/allow")[0], &[&made.secret]);
    assert_eq!((&told["application"], &told["subject"]["id"]), (&Value::Null, &json!(ada.id)));
    assert!(server.requests("/one").is_empty());
    let _ = enter(&web, &mut site.browser(), &ada).await.expect(403);
}
