//! One account at two tenants: joining, registering, recovering, and the end of access in both.

use serde_json::json;
use svc_db::{SystemSql, args};
use svc_http::Method;

use super::errands::asked;
use super::{NEW_PASSWORD, World, refused, world, wrong_credentials};
use crate::harness::{Answer, Browser, Harness, Site};
use crate::polling::{ask, decide, enter, poll_ciba, poll_device, start};

const CLOSED: &[(&str, &str)] = &[("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "false")];

/// Ada of the one tenant signs in at another.
async fn signs_in_at<'h>(there: &World<'h>, ada: &World<'h>) -> (Browser<'h>, Answer) {
    let mut browser = there.site.browser();
    let page = there.sign_in_page(&mut browser).await;
    let fields = [("username", ada.ada.email.as_str()), ("password", ada.ada.password.as_str())];
    let answer = browser.submit(&page, &fields).await;
    (browser, answer)
}

async fn members(h: &Harness) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    tx.one(SystemSql::new("SELECT count(*) AS n FROM tenant_users"), &[]).await.unwrap().int("n").unwrap()
}

#[tokio::test]
async fn a_right_password_of_an_account_from_elsewhere_leads_to_one_question_and_then_in() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    let (mut browser, question) = signs_in_at(&other, &home).await;
    assert!(question.body.contains("Join Tenant other?"), "{question:?}");
    assert!(question.body.contains("Join as ada@main.example"), "{question:?}");
    assert_eq!((members(&h).await, browser.cookies.contains_key("__Host-svc_session")), (2, false));
    let answer = browser.submit(&question, &[]).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    assert_eq!(members(&h).await, 3);
    // The answer counts once; a member is not asked again.
    browser.cookies.remove("__Host-svc_session");
    let again = browser.submit(&question, &[]).await;
    assert!(again.body.contains("id=\"login-submit\""), "{again:?}");
    let (_, answer) = signs_in_at(&other, &home).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    assert_eq!(members(&h).await, 3);
}

#[tokio::test]
async fn on_the_way_to_a_page_of_our_own_the_question_comes_too() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    let mut browser = other.site.browser();
    let page = browser.get("/auth/approvals").await.expect(200);
    let fields = [("username", home.ada.email.as_str()), ("password", home.ada.password.as_str())];
    let question = browser.submit(&page, &fields).await.expect(200);
    let answer = browser.submit(&question, &[]).await.expect(303);
    assert!(answer.location().ends_with("/auth/approvals"), "{answer:?}");
}

#[tokio::test]
async fn where_registration_is_closed_the_right_password_is_a_wrong_one() {
    let h = Harness::with(CLOSED).await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    let (_, answer) = signs_in_at(&other, &home).await;
    wrong_credentials(&answer);
    let unknown = other.guess("eve@main.example", "wrong password").await;
    assert_eq!(answer.body.len(), unknown.body.len());
}

#[tokio::test]
async fn a_question_that_was_left_open_ends_with_the_password() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    let (mut browser, question) = signs_in_at(&other, &home).await;
    h.advance(1);
    reset(&home, NEW_PASSWORD).await;
    let answer = browser.submit(&question, &[]).await;
    assert!(answer.body.contains("id=\"login-submit\""), "{answer:?}");
    assert_eq!(members(&h).await, 2);
}

#[tokio::test]
async fn a_person_who_was_suspended_does_not_come_back_by_joining() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let suspend = format!("/api/v1/tenant-users/{}/suspend", home.ada.id);
    let token = home.site.mint(|_| ());
    let _ = home.site.call(Method::POST, &suspend, Some(&token), None).await.expect(200);
    wrong_credentials(&home.guess(&home.ada.email, &home.ada.password).await);
    let mut browser = home.site.browser();
    let _ = home.register(&mut browser, &home.ada.email).await.expect(200);
    let page = browser.get(&home.mailed().await).await.expect(200);
    assert_eq!(browser.submit(&page, &[]).await.status, 400);
    assert!(!browser.cookies.contains_key("__Host-svc_session"));
}

#[tokio::test]
async fn registering_with_a_known_address_mails_a_link_that_signs_in_and_joins() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    let mut browser = other.site.browser();
    let _ = other.register(&mut browser, &home.ada.email).await.expect(200);
    let mail = h.mails().await.remove(0);
    assert_eq!(
        (mail.to.as_str(), mail.subject.as_str()),
        (home.ada.email.as_str(), "Tenant other: sign in with your account")
    );
    assert!(!mail.text.contains("your Tenant other account"), "{mail:?}");
    let page = browser.get(&other.mailed().await).await.expect(200);
    assert_eq!(members(&h).await, 2, "opening the link changes nothing");
    let answer = browser.submit(&page, &[]).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    assert_eq!(members(&h).await, 3);
}

#[tokio::test]
async fn recovery_works_at_a_tenant_where_the_account_is_no_member() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    h.advance(1);
    let mut browser = other.site.browser();
    let _ = other.forgot(&mut browser, &home.ada.email).await.expect(200);
    let mail = h.mails().await.remove(0);
    assert_eq!(mail.subject, "Tenant other: reset your password");
    let page = browser.get(&other.mailed().await).await.expect(200);
    let _ = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(200);
    assert_eq!(members(&h).await, 2, "recovering joins nothing");
    assert_eq!(home.guess("ada", NEW_PASSWORD).await.status, 303);
    wrong_credentials(&home.guess("ada", &home.ada.password).await);
    // What the tenant's log says of a stranger is that there was one.
    let token = other.site.mint(|_| ());
    let log = other.site.call(Method::GET, "/api/v1/audit?limit=200", Some(&token), None).await.expect(200);
    assert!(!log.body.contains(&home.ada.id.to_string()) && !log.body.contains(&home.ada.email), "{log:?}");
}

/// The attack: a tenant gives an account that it manages an app for one-time codes, and waits until its owner uses it elsewhere.
#[tokio::test]
async fn recovering_an_account_that_another_tenant_manages_hands_it_over_without_what_that_tenant_added() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    home.site.second_factor(home.ada.id).await;
    let mut tx = h.app().db.begin_system().await.unwrap();
    let manage = SystemSql::new("UPDATE accounts SET managed_by = $1 WHERE email = $2");
    tx.execute(manage, args![home.site.tenant.id, &home.ada.email]).await.unwrap();
    tx.commit().await.unwrap();
    h.advance(1);
    let mut browser = other.site.browser();
    let _ = other.forgot(&mut browser, &home.ada.email).await.expect(200);
    let page = browser.get(&other.mailed().await).await.expect(200);
    let _ = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(200);
    let mut tx = h.app().db.read_system().await.unwrap();
    for text in [
        "SELECT count(*) AS n FROM account_credentials",
        "SELECT count(*) AS n FROM accounts WHERE managed_by IS NOT NULL",
    ] {
        assert_eq!(tx.one(SystemSql::new(text), &[]).await.unwrap().int("n").unwrap(), 0, "{text}");
    }
    drop(tx);
    assert_eq!(home.guess("ada", NEW_PASSWORD).await.status, 303, "the password alone is asked for");
}

/// The attack: a tenant keeps the password that it has set for an account, and waits until another tenant invites its owner.
#[tokio::test]
async fn an_invitation_is_not_accepted_with_what_the_tenant_that_manages_the_account_has_chosen() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    let mut tx = h.app().db.begin_system().await.unwrap();
    let manage = SystemSql::new("UPDATE accounts SET managed_by = $1 WHERE email = $2");
    tx.execute(manage, args![home.site.tenant.id, &home.ada.email]).await.unwrap();
    tx.commit().await.unwrap();
    h.advance(1);
    let (token, body) = (other.site.mint(|_| ()), json!({ "email": home.ada.email, "invite": true }));
    let users = "/api/v1/tenant-users";
    let made = other.site.call(Method::POST, users, Some(&token), Some(body)).await.expect(201).json();
    wrong_credentials(&signs_in_at(&other, &home).await.1);
    let invited = format!("{users}/{}", made["id"].as_str().unwrap());
    let shown = other.site.call(Method::GET, &invited, Some(&token), None).await.expect(200).json();
    assert_eq!(shown["status"], "invited");
    let mut browser = other.site.browser();
    let page = browser.get(&other.mailed().await).await.expect(200);
    let _ = browser.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(200);
    wrong_credentials(&signs_in_at(&other, &home).await.1);
    let shown = other.site.call(Method::GET, &invited, Some(&token), None).await.expect(200).json();
    assert_eq!(shown["status"], "active");
    assert_eq!(home.guess("ada", NEW_PASSWORD).await.status, 303);
}

/// The attack: an attacker registers a stranger's address with a password of the attacker's choice, and waits until the
/// stranger presses the mailed button.
#[tokio::test]
async fn a_registration_with_a_strangers_address_never_becomes_the_strangers_account_with_the_attackers_password()
 {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let (mut attacker, mut stranger) = (home.site.browser(), home.site.browser());
    let attackers = "attackers lighthouse ten";
    let page = home.sign_in_page(&mut attacker).await;
    let form = attacker.get(&page.link("register-link")).await.expect(200);
    let fields = [("email", "victim@new.example"), ("name", "Attacker"), ("password", attackers)];
    let _ = attacker.submit(&form, &fields).await.expect(200);
    let path = home.mailed().await;
    // The button alone makes no account: the page asks for what the stranger chooses.
    let page = stranger.get(&path).await.expect(200);
    assert!(!page.body.contains("Attacker"), "{page:?}");
    let pressed = stranger.submit(&page, &[]).await.expect(200);
    assert!(pressed.body.contains("role=\"alert\""), "{pressed:?}");
    assert_eq!(members(&h).await, 1);
    let fields = [("name", "Victim"), ("password", NEW_PASSWORD)];
    let done = stranger.submit(&page, &fields).await.expect(200);
    assert!(done.body.contains("Email confirmed"), "{done:?}");
    wrong_credentials(&home.guess("victim@new.example", attackers).await);
    assert_eq!(home.guess("victim@new.example", NEW_PASSWORD).await.status, 303);
    // The attacker's browser has gained nothing.
    let answer = asked(&home, &mut attacker, &[("prompt", "none")]).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
    refused(&attacker.post("/auth/join", &[("flow", "AAAA")]).await, 403, "forbidden");
}

/// Sets a new password by a mailed link, in a browser that is not known.
async fn reset(world: &World<'_>, password: &str) {
    let mut browser = world.site.browser();
    let _ = world.forgot(&mut browser, &world.ada.email).await.expect(200);
    let page = browser.get(&world.mailed().await).await.expect(200);
    let _ = browser.submit(&page, &[("password", password)]).await.expect(200);
}

#[tokio::test]
async fn a_password_reset_ends_sessions_and_tokens_in_every_tenant_and_on_every_node() {
    let h = Harness::new().await;
    let (home, other) = (world(&h, "main").await, world(&h, "other").await);
    let (mut browser, question) = signs_in_at(&other, &home).await;
    let _ = browser.submit(&question, &[]).await.expect(303);
    let mut access = Vec::new();
    for client in [&other.first, &other.third] {
        let verifier = client.verifier();
        let page = browser.get(&client.authorize_path(&verifier, &[])).await;
        let answer =
            if page.status == 200 { browser.submit(&page, &[("decision", "allow")]).await } else { page };
        let code = crate::harness::Code { code: answer.redirect_param("code").unwrap(), verifier };
        access.push((client, client.exchange(&code).await.expect(200).json()));
    }
    let device = start(&other.first, "openid").await;
    let page = enter(&mut browser, &device.user_code).await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let auth_req_id = ask(&other.first, &home.ada.email, &[]).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let node = h.restarted().await;
    h.advance(10);
    reset(&home, NEW_PASSWORD).await;
    // What was approved and not fetched is not given out.
    let _ = poll_device(&other.first, &device.device_code).await.expect_problem(400, "access_denied");
    let _ = poll_ciba(&other.first, &auth_req_id).await.expect_problem(400, "access_denied");
    let app = node.app();
    app.services.sync(&app.db, app.clock.now(), app.clock.now()).await.unwrap();
    for (client, tokens) in &access {
        let token = tokens["access_token"].as_str().unwrap();
        for harness in [&h, &node] {
            let site = Site { harness, ..other.site.clone() };
            let answer = site.call(Method::GET, "/userinfo", Some(token), None).await;
            assert_eq!(answer.status, 401, "{answer:?}");
        }
        let answer = client.refresh(tokens["refresh_token"].as_str().unwrap()).await;
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (400, Some("invalid_grant")),
            "{answer:?}"
        );
    }
    let answer = asked(&other, &mut browser, &[("prompt", "none")]).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
    // What begins afterwards lives.
    h.advance(1);
    let mut browser = other.site.browser();
    let page = other.sign_in_page(&mut browser).await;
    let answer = browser.submit(&page, &[("username", &home.ada.email), ("password", NEW_PASSWORD)]).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}

#[tokio::test]
async fn a_flow_lives_as_long_as_the_configuration_says() {
    let h = Harness::with(&[("SVC_OIDC__LOGIN_TRANSACTION_LIFETIME_SECS", "60")]).await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let page = home.sign_in_page(&mut browser).await;
    h.advance(59);
    let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
    wrong_credentials(&browser.submit(&page, &[("username", "ada"), ("password", "wrong password")]).await);
    h.advance(1);
    refused(&browser.submit(&page, &fields).await, 400, "expired_token");
}
