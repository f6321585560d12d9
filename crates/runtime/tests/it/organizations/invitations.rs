//! Invitations to organizations: who gives them, who accepts them, and what ends them.

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_core::Seconds;
use svc_db::Tx;
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::credentials;
use svc_domain::people::sessions::{self, Lifetimes, NewSession};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_http::Method;

use super::World;
use crate::changes::left_by;
use crate::harness::{Answer, Browser, Harness, Person, Site};

const EMAIL: &str = "grace@new.example";
const PASSWORD: &str = "compiler nanosecond moth";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

fn invitations(world: &World<'_>) -> String {
    format!("/api/v1/organizations/{}/invitations", world.initech.id)
}

async fn invite(world: &World<'_>, email: &str) -> Value {
    let body = json!({ "email": email, "roles": ["editor"] });
    send(&world.site, Method::POST, &invitations(world), Some(body)).await.expect(201).json()
}

/// The path of the link in the newest mail.
async fn link(world: &World<'_>) -> String {
    let mail = world.site.harness.mails().await.remove(0);
    let link = mail.text.split_whitespace().find(|word| word.contains("?token=")).unwrap();
    link.strip_prefix(world.site.issuer()).unwrap().to_owned()
}

/// Who is a member of the organization, with which roles.
async fn members(world: &World<'_>) -> Vec<(String, Value)> {
    let path = format!("/api/v1/organizations/{}/members", world.initech.id);
    let found = send(&world.site, Method::GET, &path, None).await.expect(200).json();
    let members = found["data"].as_array().unwrap().iter();
    members
        .map(|member| (member["tenant_user_id"].as_str().unwrap().to_owned(), member["roles"].clone()))
        .collect()
}

async fn is_dead(world: &World<'_>, path: &str) -> String {
    let page = world.site.browser().get(path).await.expect(400);
    assert!(page.body.contains("This link no longer works"), "{page:?}");
    page.body
}

/// A member of a tenant whose address no person has proven yet.
async fn unproven(site: &Site<'_>) -> tenant_users::Person {
    let cx = site.harness.operator();
    let email = Some(Email::parse(EMAIL).unwrap());
    let new = NewAccount { email, email_verified: false, password: None, profile: Profile::default() };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let account = accounts::create(&mut tx, &cx, &new).await.unwrap();
    let id = tenant_users::create(&mut tx, &cx, NewMember::of(account)).await.unwrap();
    let person = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    person
}

/// Signs in where a page asks for it, and goes on to the page that was wanted.
async fn sign_in(browser: &mut Browser<'_>, page: &Answer, name: &str, password: &str) -> Answer {
    assert!(page.body.contains("login-submit"), "{page:?}");
    let answer = browser.submit(page, &[("username", name), ("password", password)]).await.expect(303);
    let path = answer.location();
    let path = path.strip_prefix(browser.site.issuer()).unwrap_or(path).to_owned();
    browser.follow(&path).await.expect(200)
}

#[tokio::test]
async fn a_person_without_an_account_registers_behind_the_link_and_is_a_member_with_the_roles() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let made = invite(&world, "Grace@new.example").await;
    assert_eq!((&made["email"], &made["roles"]), (&json!("Grace@new.example"), &json!(["editor"])));
    assert_eq!(h.mails().await[0].subject, "Tenant main: initech invites you");
    let path = link(&world).await;
    let mut browser = world.site.browser();
    let page = browser.get(&path).await.expect(200);
    assert_eq!(members(&world).await.len(), 2, "opening the link changes nothing");
    let nameless = browser.submit(&page, &[("name", ""), ("password", PASSWORD)]).await.expect(200);
    assert!(nameless.body.contains("invitation-submit"), "{nameless:?}");
    let (actions, events) = {
        let choice = [("name", "Grace"), ("password", PASSWORD)];
        let [actions, events] = left_by(&h, browser.submit(&page, &choice)).await;
        (actions, events)
    };
    assert!(actions.contains(&"organization.invitation_accepted".to_owned()), "{actions:?}");
    assert!(events.contains(&"org.invitation.accepted".to_owned()), "{events:?}");
    let members = members(&world).await;
    assert_eq!(members[2].1, json!(["editor"]));
    assert!(!browser.cookies.contains_key("__Host-svc_session"), "the link signs no one in");
    let person = format!("/api/v1/tenant-users/{}", members[2].0);
    let person = send(&world.site, Method::GET, &person, None).await.json();
    assert_eq!((&person["status"], &person["email_verified"]), (&json!("active"), &json!(true)));
    is_dead(&world, &path).await;
    let list = send(&world.site, Method::GET, &invitations(&world), None).await.expect(200).json();
    assert_eq!(list["data"], json!([]));
}

#[tokio::test]
async fn a_member_of_the_tenant_signs_in_first_and_keeps_the_roles_that_are_there() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    world.site.role("viewer", &[]).await;
    let body = json!({ "email": world.ada.email, "roles": ["viewer"] });
    let _ = send(&world.site, Method::POST, &invitations(&world), Some(body)).await.expect(201);
    let path = link(&world).await;
    let mut browser = world.site.browser();
    let page = browser.get(&path).await.expect(200);
    let page = sign_in(&mut browser, &page, &world.ada.username, &world.ada.password).await;
    assert!(page.body.contains("invitation-submit") && !page.body.contains("name=\"password\""), "{page:?}");
    let done = browser.submit(&page, &[]).await.expect(200);
    assert!(done.body.contains("You are a member of the organization now"), "{done:?}");
    let members = members(&world).await;
    let roles = members.iter().find(|(id, _)| *id == world.ada.id.to_string()).unwrap();
    assert_eq!(roles.1, json!(["editor", "viewer"]));
}

#[tokio::test]
async fn an_account_from_elsewhere_becomes_a_member_of_both_also_where_registration_is_closed() {
    let h = Harness::with(&[("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "false")]).await;
    let world = World::new(&h).await;
    let email = world.site.stranger("zoe").await.email;
    invite(&world, &email).await;
    let mut browser = world.site.browser();
    let page = browser.get(&link(&world).await).await.expect(200);
    assert!(!page.body.contains("name=\"password\""), "{page:?}");
    let _ = browser.submit(&page, &[]).await.expect(200);
    assert_eq!(members(&world).await.len(), 3);
    // Without an account there is no way in.
    invite(&world, EMAIL).await;
    is_dead(&world, &link(&world).await).await;
}

#[tokio::test]
async fn who_takes_an_account_over_behind_a_link_ends_also_what_begins_elsewhere_meanwhile() {
    for is_to_organization in [true, false] {
        let h = Harness::pooled().await;
        let (world, other) = (World::new(&h).await, h.tenant("other").await);
        let (db, cx) = (&h.app().db, h.operator());
        let there = unproven(&other).await;
        if is_to_organization {
            invite(&world, EMAIL).await;
        } else {
            let body = json!({ "email": EMAIL, "invite": true });
            let _ = send(&world.site, Method::POST, "/api/v1/tenant-users", Some(body)).await.expect(201);
        }
        let mut browser = world.site.browser();
        let page = browser.get(&link(&world).await).await.expect(200);

        let lifetimes = Lifetimes { idle: Seconds(600), absolute: Seconds(3600) };
        let (digest, later) = (svc_keys::digest("a session"), cx.at(cx.now + Seconds(1)));
        let (amr, acr, auth_time) = (&["pwd"], "urn:svc:aal1", later.now);
        let new = NewSession { digest, amr, acr, user_agent: "test", auth_time };
        let mut open = db.begin(other.tenant.id).await.unwrap();
        credentials::held_of_account(&mut open, there.account_id).await.unwrap();
        sessions::create(&mut open, &later, &there, new, lifetimes).unwrap();
        let accepting = Box::pin(browser.submit(&page, &[("password", PASSWORD)]));
        let accepting = svc_testkit::meanwhile_then(db, open, accepting, async |_: &mut Tx<_>| h.advance(2));
        let _ = accepting.await.expect(200);
        let mut tx = db.read(other.tenant.id).await.unwrap();
        let account = accounts::find(&mut tx, there.account_id).await.unwrap().unwrap();
        assert!(account.email_verified && account.password.is_some(), "{is_to_organization}: {account:?}");
        let found = sessions::find(&mut tx, digest, h.operator().now, lifetimes).await.unwrap();
        assert!(found.is_none(), "{is_to_organization}: {found:?}");
    }
}

#[tokio::test]
async fn only_the_account_that_has_the_address_accepts() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let eve: Person = world.site.user("eve").await;
    let carol = world.site.user("carol").await;
    invite(&world, &carol.email).await;
    let path = link(&world).await;
    let mut browser = world.site.browser();
    let page = browser.get(&path).await.expect(200);
    let page = sign_in(&mut browser, &page, &eve.username, &eve.password).await;
    assert!(page.body.contains("invitation-other"), "{page:?}");
    assert!(!page.body.contains("invitation-submit"), "{page:?}");
    // The button leads to a sign-in as Carol, and that back to the invitation.
    let mut switching = world.site.browser();
    switching.cookies.clone_from(&browser.cookies);
    let asked = switching.get(&page.link("invitation-switch")).await.expect(200);
    assert!(asked.body.contains(&format!("value=\"{}\"", carol.email)), "{asked:?}");
    let back = sign_in(&mut switching, &asked, &carol.email, &carol.password).await;
    assert!(back.body.contains("invitation-submit"), "{back:?}");
    // A form that was shown to Carol in this browser is of no use to Eve.
    let mut hers = world.site.browser();
    let form = hers.get(&path).await.expect(200);
    let form = sign_in(&mut hers, &form, &carol.username, &carol.password).await;
    hers.cookies.clone_from(&browser.cookies);
    let refused = hers.submit(&form, &[]).await;
    assert!(!refused.body.contains("You are a member"), "{refused:?}");
    assert_eq!(members(&world).await.len(), 2);
}

#[tokio::test]
async fn of_two_acceptances_at_once_one_counts() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let email = world.site.stranger("zoe").await.email;
    invite(&world, &email).await;
    let path = link(&world).await;
    let attempts = (0..2).map(async |_| {
        let mut browser = world.site.browser();
        let page = browser.get(&path).await;
        if page.status == 200 { browser.submit(&page, &[]).await.status } else { page.status }
    });
    let mut answers = join_all(attempts).await;
    answers.sort_unstable();
    assert_eq!(answers, [200, 400]);
    assert_eq!(members(&world).await.len(), 3);
}

#[tokio::test]
async fn links_that_ended_and_links_that_never_were_look_alike() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let plain = |body: String| body.split("<main").nth(1).unwrap().split("</main").next().unwrap().to_owned();
    let never =
        plain(is_dead(&world, &format!("/auth/organization-invitation?token={}", "A".repeat(43))).await);
    let made = invite(&world, EMAIL).await;
    let revoked = link(&world).await;
    let path = format!("{}/{}", invitations(&world), made["id"].as_str().unwrap());
    let _ = send(&world.site, Method::DELETE, &path, None).await.expect(204);
    let _ = send(&world.site, Method::DELETE, &path, None).await.expect_problem(404, "not_found");
    assert_eq!(plain(is_dead(&world, &revoked).await), never);
    invite(&world, EMAIL).await;
    let replaced = link(&world).await;
    invite(&world, &EMAIL.to_uppercase()).await;
    assert_eq!(plain(is_dead(&world, &replaced).await), never);
    let suspended = link(&world).await;
    world.set_status(&world.initech, svc_domain::organizations::Status::Suspended).await;
    assert_eq!(plain(is_dead(&world, &suspended).await), never);
    world.set_status(&world.initech, svc_domain::organizations::Status::Active).await;
    let _ = world.site.browser().get(&suspended).await.expect(200);
    let other = h.tenant("other").await;
    let _ = other.browser().get(&suspended).await.expect(400);
    h.advance(168 * 3600);
    assert_eq!(plain(is_dead(&world, &suspended).await), never);
    invite(&world, EMAIL).await;
    let gone = link(&world).await;
    let path = format!("/api/v1/organizations/{}", world.initech.id);
    let _ = send(&world.site, Method::DELETE, &path, None).await.expect(204);
    assert_eq!(plain(is_dead(&world, &gone).await), never);
}

#[tokio::test]
async fn a_link_works_for_the_hours_of_the_deployment_and_is_given_no_more() {
    let h = Harness::with(&[("SVC_INVITATIONS__LIFETIME_HOURS", "1")]).await;
    let world = World::new(&h).await;
    let longer = json!({ "email": EMAIL, "roles": ["editor"], "expires_in": 3601 });
    let refused = send(&world.site, Method::POST, &invitations(&world), Some(longer)).await;
    let refused = refused.expect_problem(400, "bad_request");
    assert!(refused.body.contains("invitations.lifetime_hours"), "{refused:?}");
    let to_the_tenant = json!({ "email": "ida@new.example", "invite": true });
    let _ = send(&world.site, Method::POST, "/api/v1/tenant-users", Some(to_the_tenant)).await.expect(201);
    let to_the_tenant = link(&world).await;
    invite(&world, EMAIL).await;
    let to_the_organization = link(&world).await;
    for (wait, status) in [(3599, 200), (1, 400)] {
        h.advance(wait);
        for path in [&to_the_tenant, &to_the_organization] {
            let _ = world.site.browser().get(path).await.expect(status);
        }
    }
}

#[tokio::test]
async fn sending_again_ends_the_link_before() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let made = invite(&world, EMAIL).await;
    let former = link(&world).await;
    let path = format!("{}/{}", invitations(&world), made["id"].as_str().unwrap());
    h.advance(3600);
    let again = send(&world.site, Method::POST, &format!("{path}/resend"), None).await.expect(200).json();
    assert_ne!(again["expires_at"], made["expires_at"]);
    let read = send(&world.site, Method::GET, &path, None).await.expect(200).json();
    assert_eq!(read, again);
    is_dead(&world, &former).await;
    let _ = world.site.browser().get(&link(&world).await).await.expect(200);
}

#[tokio::test]
async fn an_invitation_rests_while_the_person_who_gave_it_is_out_until_another_sends_it_again() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let by_ada = site.mint(|claims| {
        claims["sub"] = json!(world.ada.subject);
        claims["subject_type"] = json!("human");
    });
    let body = json!({ "email": EMAIL });
    let made = site.call(Method::POST, &invitations(&world), Some(&by_ada), Some(body)).await;
    let made = made.expect(201).json();
    let given = link(&world).await;
    let user = format!("/api/v1/tenant-users/{}", world.ada.id);
    let _ = send(site, Method::POST, &format!("{user}/suspend"), None).await.expect(200);
    is_dead(&world, &given).await;
    let _ = send(site, Method::POST, &format!("{user}/reactivate"), None).await.expect(200);
    let _ = site.browser().get(&given).await.expect(200);
    let member = format!("/api/v1/organizations/{}/members/{}", world.initech.id, world.ada.id);
    let _ = send(site, Method::DELETE, &member, None).await.expect(204);
    is_dead(&world, &given).await;
    h.advance(1);
    let path = format!("{}/{}", invitations(&world), made["id"].as_str().unwrap());
    let _ = send(site, Method::POST, &format!("{path}/resend"), None).await.expect(200);
    let _ = site.browser().get(&link(&world).await).await.expect(200);
}

#[tokio::test]
async fn sending_again_gives_no_more_hours_than_the_tenant_has_by_now() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let made = invite(&world, EMAIL).await;
    let limits = json!({ "settings": { "limits": { "invitations": { "lifetime_hours": 1 } } } });
    let _ = send(&world.site, Method::PATCH, "/api/v1/tenant-settings", Some(limits)).await.expect(200);
    let _ = h.informed_app().await;
    h.advance(1);
    let resend = format!("{}/{}/resend", invitations(&world), made["id"].as_str().unwrap());
    let _ = send(&world.site, Method::POST, &resend, None).await.expect(200);
    let again = link(&world).await;
    for (wait, status) in [(3599, 200), (1, 400)] {
        h.advance(wait);
        let _ = world.site.browser().get(&again).await.expect(status);
    }
}

#[tokio::test]
async fn an_invitation_that_has_lapsed_is_sent_again_only_where_there_is_room() {
    let h = Harness::with(&[("SVC_INVITATIONS__MAX_OPEN_PER_ORGANIZATION", "1")]).await;
    let world = World::new(&h).await;
    let lapsed = invite(&world, EMAIL).await;
    h.advance(168 * 3600);
    let waiting = invite(&world, "more@new.example").await;
    let path = |one: &Value| format!("{}/{}", invitations(&world), one["id"].as_str().unwrap());
    let resend = format!("{}/resend", path(&lapsed));
    let full = send(&world.site, Method::POST, &resend, None).await.expect_problem(409, "conflict");
    assert!(full.body.contains("invitations.max_open_per_organization"), "{full:?}");
    let _ = send(&world.site, Method::DELETE, &path(&waiting), None).await.expect(204);
    let _ = send(&world.site, Method::POST, &resend, None).await.expect(200);
}

#[tokio::test]
async fn no_one_invites_with_roles_that_they_do_not_have_nor_past_the_bounds() {
    let h = Harness::with(&[("SVC_INVITATIONS__MAX_OPEN_PER_ORGANIZATION", "1")]).await;
    let world = World::new(&h).await;
    let (site, path) = (&world.site, invitations(&world));
    let weak = site.mint(|claims| claims["scope"] = json!("organizations:write organizations:read"));
    let body = |roles: &[&str]| Some(json!({ "email": EMAIL, "roles": roles }));
    let given = site.call(Method::POST, &path, Some(&weak), body(&["editor"])).await;
    let _ = given.expect_problem(403, "insufficient_scope");
    let _ = site.call(Method::POST, &path, Some(&weak), body(&[])).await.expect(201);
    let strong = invite(&world, EMAIL).await;
    let resend = format!("{path}/{}/resend", strong["id"].as_str().unwrap());
    let _ =
        site.call(Method::POST, &resend, Some(&weak), None).await.expect_problem(403, "insufficient_scope");
    let more = json!({ "email": "more@new.example" });
    let full = send(site, Method::POST, &path, Some(more)).await.expect_problem(409, "conflict");
    assert!(full.body.contains("invitations.max_open_per_organization"), "{full:?}");
    for (member, bad) in [("email", json!("grace")), ("expires_in", json!(1)), ("roles", json!(["edtior"]))] {
        let mut body = json!({ "email": EMAIL });
        body[member] = bad;
        let refused = send(site, Method::POST, &path, Some(body)).await.expect_problem(400, "bad_request");
        assert!(refused.body.contains(member), "{refused:?}");
    }
}

#[tokio::test]
async fn an_invitation_is_found_in_its_organization_only() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let made = invite(&world, EMAIL).await;
    let id = made["id"].as_str().unwrap();
    let elsewhere = format!("/api/v1/organizations/{}/invitations/{id}", world.hooli.id);
    for method in [Method::GET, Method::DELETE] {
        let _ = send(&world.site, method, &elsewhere, None).await.expect_problem(404, "not_found");
    }
    let resend = format!("{elsewhere}/resend");
    let _ = send(&world.site, Method::POST, &resend, None).await.expect_problem(404, "not_found");
    let list = format!("/api/v1/organizations/{}/invitations", world.hooli.id);
    let found = send(&world.site, Method::GET, &list, None).await.expect(200).json();
    assert_eq!(found["data"], json!([]));
}
