//! What staff members, and others, cannot get by it.

use serde_json::{Value, json};
use svc_domain::apis::roles;
use svc_domain::people::operators::{self, Role};
use svc_domain::people::tenant_users;
use svc_http::Method;

use super::{Desk, PATH, set, signed_in, token, token_with};
use crate::harness::{Answer, Harness, Person};

async fn ask(desk: &Desk<'_>, token: &str, body: Value) -> Answer {
    desk.site.call(Method::POST, PATH, Some(token), Some(body)).await
}

fn of(person: &Person) -> Value {
    json!({ "tenant_user_id": person.id, "reason": "Ticket" })
}

#[tokio::test]
async fn no_one_acts_for_themselves_a_person_with_more_roles_or_an_operator() {
    let h = Harness::new().await;
    let desk = Desk::new(&h).await;
    let admin = desk.site.user_with_roles("admin", &["support", "admin"]).await;
    let group = desk.site.group("admins", &["admin"]).await;
    let grouped = desk.site.user("greta").await;
    desk.site.add(&group, grouped.id).await;
    let equal = desk.site.user_with_roles("equal", &["support"]).await;
    let operator = desk.site.user("opal").await;
    let mut tx = h.app().db.begin(desk.site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, operator.id).await.unwrap().unwrap();
    operators::grant(&mut tx, &h.operator(), &found, Role::Viewer).await.unwrap();
    tx.commit().await.unwrap();
    for person in [&desk.sue, &admin, &grouped, &operator] {
        let refused = ask(&desk, &desk.token(), of(person)).await;
        let _ = refused.expect_problem(403, "forbidden");
    }
    // What lets a caller give what it does not have does not help.
    let strong = token_with(&desk.site, &desk.sue, |claims| {
        claims["sid"] = json!(desk.sid);
        claims["scope"] = json!("impersonations:write privileges:grant");
    });
    let _ = ask(&desk, &strong, of(&admin)).await.expect_problem(403, "forbidden");
    let _ = ask(&desk, &desk.token(), of(&equal)).await.expect(201);
}

#[tokio::test]
async fn where_the_deployment_demands_a_second_factor_of_everyone_support_needs_one_too() {
    let h = Harness::with(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let site = h.tenant("main").await;
    set(&site, json!({})).await;
    site.role("support", &[(&site.tenant.api_audience(), &["impersonations:write"])]).await;
    let (ada, sue) = (site.user("ada").await, site.user_with_roles("sue", &["support"]).await);
    let token = token_with(&site, &sue, |_| ());
    let refused = site.call(Method::POST, PATH, Some(&token), Some(of(&ada))).await;
    let refused = refused.expect_problem(403, "forbidden");
    assert!(refused.body.contains("sign in with a second factor to act for people"), "{refused:?}");
}

#[tokio::test]
async fn roles_that_the_person_got_meanwhile_are_looked_at_when_it_begins() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.asked().await;
    let link = desk.link(&id).await;
    let page = desk.browser.get(&link).await.expect(200);
    let group = desk.site.group("admins", &["admin"]).await;
    desk.site.add(&group, desk.ada.id).await;
    let refused = desk.browser.submit(&page, &[]).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(desk.whom().await, json!(desk.sue.subject));
}

#[tokio::test]
async fn a_role_that_the_person_gets_while_a_staff_member_acts_ends_it() {
    for is_by_group in [true, false] {
        let h = Harness::new().await;
        let mut desk = Desk::new(&h).await;
        let _ = desk.begun().await;
        assert_eq!(desk.whom().await, json!(desk.ada.subject));
        if is_by_group {
            let group = desk.site.group("admins", &["admin"]).await;
            desk.site.add(&group, desk.ada.id).await;
        } else {
            let mut tx = h.app().db.begin(desk.site.tenant.id).await.unwrap();
            let sue = tenant_users::find(&mut tx, desk.sue.id).await.unwrap().unwrap();
            let ada = tenant_users::find(&mut tx, desk.ada.id).await.unwrap().unwrap();
            tenant_users::set_roles(&mut tx, &h.operator(), &ada, &sue.own_roles).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(desk.whom().await, json!(desk.ada.subject), "of two who may the same, one acts on");
            let mut tx = h.app().db.begin(desk.site.tenant.id).await.unwrap();
            tenant_users::set_roles(&mut tx, &h.operator(), &sue, &[]).await.unwrap();
            tx.commit().await.unwrap();
        }
        assert_eq!(desk.whom().await, json!(desk.sue.subject));
    }
}

/// Takes away what lets support staff act for people.
async fn withdraw(desk: &Desk<'_>) {
    let h = desk.site.harness;
    let mut tx = h.app().db.begin(desk.site.tenant.id).await.unwrap();
    let role = roles::find_by_name(&mut tx, &desk.site.tenant, "support").await.unwrap().unwrap();
    let nothing = roles::Configuration { permissions: Vec::new(), ..role.configuration.clone() };
    roles::update(&mut tx, &h.operator(), &desk.site.tenant, (&role, &nothing)).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn who_may_not_act_for_people_any_more_neither_goes_on_nor_begins() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = desk.begun().await;
    assert_eq!(desk.whom().await, json!(desk.ada.subject));
    h.advance(1);
    withdraw(&desk).await;
    assert_eq!(desk.whom().await, json!(desk.sue.subject), "her own session is back");
    let page = desk.browser.get("/account").await.expect(200);
    assert!(!page.body.contains("acting-end"), "{page:?}");
    // A token of before still has the scope.
    let link = desk.link(&desk.asked().await).await;
    assert_eq!(desk.browser.get(&link).await.status, 400);
}

#[tokio::test]
async fn only_a_person_of_a_session_with_the_scope_and_a_recent_sign_in_asks() {
    let h = Harness::new().await;
    let desk = Desk::new(&h).await;
    let now = h.operator().now.as_secs();
    let with = |change: &dyn Fn(&mut Value)| {
        token_with(&desk.site, &desk.sue, |claims| {
            claims["sid"] = json!(desk.sid);
            change(claims);
        })
    };
    let no_scope = with(&|claims| claims["scope"] = json!("impersonations:read"));
    let _ = ask(&desk, &no_scope, desk.body()).await.expect_problem(403, "insufficient_scope");
    let old = with(&|claims| claims["auth_time"] = json!(now - 15 * 60 - 1));
    let _ = ask(&desk, &old, desk.body()).await.expect_problem(401, "unauthorized");
    let program = with(&|claims| claims["subject_type"] = json!("system"));
    let _ = ask(&desk, &program, desk.body()).await.expect_problem(403, "forbidden");
    let offline = with(&|claims| {
        claims.as_object_mut().unwrap().remove("sid");
    });
    let _ = ask(&desk, &offline, desk.body()).await.expect_problem(403, "forbidden");
    for reason in ["", "  ", "two\nlines"] {
        let mut body = desk.body();
        body["reason"] = json!(reason);
        let _ = ask(&desk, &desk.token(), body).await.expect_problem(400, "bad_request");
    }
    for minutes in [0, 61] {
        let mut body = desk.body();
        body["minutes"] = json!(minutes);
        let _ = ask(&desk, &desk.token(), body).await.expect_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn a_tenant_has_it_off_unless_it_wants_it_and_demands_a_second_factor() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, sue) = (site.user("ada").await, site.user("sue").await);
    let desk = Desk::of(site, ada, sue).await;
    let _ = ask(&desk, &desk.token(), desk.body()).await.expect_problem(404, "not_found");
    let page = desk.site.browser().get("/auth/impersonation?token=x").await;
    assert_eq!(page.status, 404, "{page:?}");
    set(&desk.site, json!({ "second_factor_required": true, "max_minutes": 10 })).await;
    let _ = ask(&desk, &desk.token(), of(&desk.ada)).await.expect_problem(403, "forbidden");
    let strong = token_with(&desk.site, &desk.sue, |claims| {
        (claims["sid"], claims["acr"]) = (json!(desk.sid), json!("urn:svc:aal2"));
    });
    let _ = ask(&desk, &strong, desk.body()).await.expect_problem(400, "bad_request");
    let asked = ask(&desk, &strong, of(&desk.ada)).await.expect(201).json();
    assert_eq!(asked["minutes"], 10);
}

#[tokio::test]
async fn people_of_another_tenant_are_unknown() {
    let h = Harness::new().await;
    let desk = Desk::new(&h).await;
    let other = h.tenant("acme").await;
    set(&other, json!({})).await;
    let eve = other.user("eve").await;
    let _ = ask(&desk, &desk.token(), of(&eve)).await.expect_problem(404, "not_found");
    let id = desk.asked().await;
    let foreign = other.mint(|_| ());
    let path = format!("{PATH}/{id}");
    let _ = other.call(Method::GET, &path, Some(&foreign), None).await.expect_problem(404, "not_found");
    let end = format!("{path}/end");
    let _ = other.call(Method::POST, &end, Some(&foreign), None).await.expect_problem(404, "not_found");
    let link = desk.link(&id).await;
    let web = other.app("web").await;
    let (mut browser, _) = signed_in(&web, &eve).await;
    assert_eq!(browser.get(&link).await.status, 400);
    assert_eq!(desk.state(&id).await, "ready");
}

#[tokio::test]
async fn a_link_works_once_for_minutes_and_in_the_browser_that_it_was_made_for() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.asked().await;
    let link = desk.link(&id).await;
    let (mut elsewhere, _) = signed_in(&desk.web, &desk.sue).await;
    let (mut mallory, _) = signed_in(&desk.web, &desk.ada).await;
    let mut stranger = desk.site.browser();
    for browser in [&mut elsewhere, &mut mallory, &mut stranger] {
        let dead = browser.get(&link).await.expect(400);
        assert!(dead.body.contains("This link does not work here"), "{dead:?}");
    }
    let page = desk.browser.get(&link).await.expect(200);
    for browser in [&mut elsewhere, &mut stranger] {
        let stolen = browser.submit(&page, &[]).await;
        assert!(stolen.status >= 400, "the form is bound to the browser: {stolen:?}");
    }
    let newer = desk.link(&id).await;
    assert_eq!(desk.browser.get(&link).await.status, 400, "the next link replaces the one before");
    let page = desk.browser.get(&newer).await.expect(200);
    let mut tab = desk.browser.clone();
    let _ = desk.browser.submit(&page, &[]).await.expect(303);
    let replayed = tab.submit(&page, &[]).await;
    assert_eq!(replayed.status, 400, "{replayed:?}");
    let _ = desk.call(Method::POST, &format!("/{id}/link"), None).await.expect_problem(409, "conflict");
    h.advance(1);
    let next = desk.asked().await;
    let old = desk.link(&next).await;
    h.advance(301);
    assert_eq!(tab.get(&old).await.status, 400);
}

#[tokio::test]
async fn of_two_browsers_tabs_at_once_one_begins() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.asked().await;
    let link = desk.link(&id).await;
    let page = desk.browser.get(&link).await.expect(200);
    let (mut one, mut two) = (desk.browser.clone(), desk.browser.clone());
    let (one, two) = tokio::join!(one.submit(&page, &[]), two.submit(&page, &[]));
    let begun = [&one, &two].into_iter().filter(|answer| answer.status == 303).count();
    assert_eq!(begun, 1, "{one:?} {two:?}");
}

#[tokio::test]
async fn a_staff_member_who_acts_begins_no_other_and_another_s_link_is_none_of_theirs() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let bob = desk.site.user("bob").await;
    let other = ask(&desk, &desk.token(), of(&bob)).await.expect(201);
    let link = desk.link(&super::id(&other)).await;
    let _ = desk.begun().await;
    assert_eq!(desk.browser.get(&link).await.status, 403, "one at a time");
    let tom = desk.site.user_with_roles("tom", &["support"]).await;
    let (_, sid) = signed_in(&desk.web, &tom).await;
    let path = format!("{PATH}/{}/link", super::id(&other));
    let theirs = desk.site.call(Method::POST, &path, Some(&token(&desk.site, &tom, &sid)), None).await;
    let _ = theirs.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn the_cookie_is_none_of_an_ordinary_session() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = desk.begun().await;
    let acting = desk.browser.cookies["__Host-svc_acting"].clone();
    let mut forged = desk.site.browser();
    forged.cookies.insert("__Host-svc_session".to_owned(), acting.clone());
    let answer = forged.get(&desk.web.authorize_path(&desk.web.verifier(), &[("prompt", "none")])).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
    let other = h.tenant("acme").await;
    let web = other.app("web").await;
    let mut forged = other.browser();
    forged.cookies.insert("__Host-svc_acting".to_owned(), acting);
    let answer = forged.get(&web.authorize_path(&web.verifier(), &[("prompt", "none")])).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
}
