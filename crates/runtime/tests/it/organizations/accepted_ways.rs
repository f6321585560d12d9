//! What the sign-in page offers where the organization accepts some ways to sign in alone: by a request that names it, by the address
//! that a person types, and by the organization in which tokens come to count. What it leaves out is not judged either.

use serde_json::{Value, json};
use svc_domain::organizations::Organization;
use svc_http::Method;
use svc_testkit::Authenticator;

use super::sso_sign_in::{LOOPBACK, connect, follow, prove};
use super::{World, join};
use crate::account::own;
use crate::harness::provider::Provider;
use crate::harness::{Answer, Browser, Harness, Person};
use crate::sent_codes::digits_in;

const INITECH: &[(&str, &str)] = &[("organization", "initech")];
const MAILED: &[(&str, &str)] = &[("SVC_EMAIL_OTP__ENABLED", "true"), ("SVC_MAGIC_LINK__ENABLED", "true")];

/// Sets the rules, and lets every node know.
async fn set_rules(h: &Harness, world: &World<'_>, organization: &Organization, rules: Value) {
    super::sso::set_rules(world, organization, rules).await;
    let _ = h.informed_app().await;
}

/// The sealed state that the links of a page carry.
pub fn flow_of(page: &Answer) -> String {
    let flow = page.body.split("flow=").nth(1).unwrap_or_else(|| panic!("no flow in {page:?}"));
    flow.split(['"', '&']).next().unwrap().to_owned()
}

#[track_caller]
pub fn offers(page: &Answer, offered: &[&str], left_out: &[&str]) {
    assert_eq!(page.status, 200, "{page:?}");
    for id in offered {
        assert!(page.body.contains(&format!("id=\"{id}\"")), "{id} in {page:?}");
    }
    for id in left_out {
        assert!(!page.body.contains(&format!("id=\"{id}\"")), "{id} in {page:?}");
    }
}

/// Signs in by a mailed code from a page that offers it.
pub async fn by_code(h: &Harness, browser: &mut Browser<'_>, page: &Answer, address: &str) -> Answer {
    let form = browser.get(&page.link("email-otp-link")).await.expect(200);
    let page = browser.submit(&form, &[("username", address)]).await.expect(200);
    let newest = h.newest_mail().await;
    browser.submit(&page, &[("code", &digits_in(&newest.text).unwrap())]).await
}

#[tokio::test]
async fn a_request_that_names_the_organization_is_offered_what_it_accepts_and_nothing_else_is_judged() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    set_rules(&h, &world, &world.initech, json!({ "methods": ["email_otp"] })).await;
    let mut browser = world.site.browser();
    let page = browser.get(&world.web.authorize_path("v", INITECH)).await;
    offers(&page, &["narrowed", "email-otp-link"], &["login-submit", "passkey-submit", "magic-link-link"]);
    let mut seen = Vec::new();
    for name in [world.ada.username.as_str(), "nobody"] {
        let password = world.ada.password.as_str();
        let flow = flow_of(&page);
        let fields = [("flow", flow.as_str()), ("username", name), ("password", password)];
        let posted = browser.post("/auth/sign-in", &fields).await;
        offers(&posted, &["narrowed", "form-error"], &["login-submit"]);
        assert!(posted.body.contains("not accepted here") && !posted.begins_session(), "{posted:?}");
        seen.push(posted.shown(name));
    }
    assert_eq!(seen[0], seen[1], "the page tells nothing of accounts");
    let challenge = [("flow", flow_of(&page)), ("method", "passkey".to_owned())];
    let challenge: Vec<_> = challenge.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(browser.post("/auth/challenge", &challenge).await.status, 404);
    let entered = by_code(&h, &mut browser, &page, &world.ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn a_session_of_another_kind_is_asked_to_sign_in_as_the_organization_wants_it() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    world.tokens(&mut browser, &world.ada, INITECH).await;
    set_rules(&h, &world, &world.initech, json!({ "methods": ["email_otp", "magic_link"] })).await;
    let silent = browser.get(&world.web.authorize_path("v", &[INITECH[0], ("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
    let page = browser.get(&world.web.authorize_path("v", INITECH)).await;
    offers(&page, &["narrowed", "email-otp-link", "magic-link-link"], &["login-submit"]);
    let entered = by_code(&h, &mut browser, &page, &world.ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert!(browser.get(&world.web.authorize_path("v", INITECH)).await.is_signed_in());
}

#[tokio::test]
async fn a_link_that_was_mailed_before_the_rule_signs_no_one_in() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let page = browser.get(&world.web.authorize_path("v", INITECH)).await.expect(200);
    let form = browser.get(&page.link("magic-link-link")).await.expect(200);
    let _ = browser.submit(&form, &[("username", &world.ada.email)]).await.expect(200);
    set_rules(&h, &world, &world.initech, json!({ "methods": ["passkey"] })).await;
    let mail = h.mails().await.pop().unwrap();
    let link = mail.links.iter().find(|link| link.contains("/auth/sign-in-link?token=")).unwrap().clone();
    let opened = browser.get(link.strip_prefix(world.site.issuer()).unwrap()).await.expect(200);
    let entered = browser.submit(&opened, &[]).await;
    assert!(!entered.begins_session(), "{entered:?}");
    offers(&entered, &["narrowed", "passkey-submit", "form-error"], &["login-submit", "magic-link-link"]);
}

#[tokio::test]
async fn where_no_way_is_left_the_page_says_so_and_a_second_step_keeps_the_first_ones() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let path = world.web.authorize_path("v", INITECH);
    set_rules(&h, &world, &world.initech, json!({ "methods": ["kerberos"] })).await;
    let page = world.site.browser().get(&path).await;
    offers(&page, &["narrowed"], &["login-submit", "email-otp-link", "magic-link-link", "passkey-submit"]);
    assert!(page.body.contains("Ask an administrator"), "{page:?}");
    set_rules(&h, &world, &world.initech, json!({ "methods": ["totp"] })).await;
    let page = world.site.browser().get(&path).await;
    offers(&page, &["login-submit", "email-otp-link", "passkey-submit"], &["narrowed"]);
    set_rules(&h, &world, &world.initech, json!({ "methods": ["passkey"] })).await;
    let elsewhere = world.web.authorize_path("v", &[("organization", "hooli")]);
    for path in [world.web.authorize_path("v", &[]), elsewhere] {
        offers(&world.site.browser().get(&path).await, &["login-submit"], &["narrowed"]);
    }
}

#[tokio::test]
async fn the_provider_of_an_organization_that_accepts_nothing_else_is_the_way_at_once() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    for rules in [json!({ "sso": "required" }), json!({ "methods": ["sso"] })] {
        set_rules(&h, &world, &world.initech, rules).await;
        let mut browser = world.site.browser();
        let page = browser.get(&world.web.authorize_path("v", INITECH)).await;
        offers(&page, &["sso-continue"], &["login-submit"]);
        let asked = follow(&mut browser, &page).await;
        assert!(asked.0.as_str().starts_with(&provider.issuer), "{}", asked.0);
        let back = provider.vouch(&asked, &h, |_| ());
        assert!(browser.get(&back).await.is_signed_in());
    }
}

#[tokio::test]
async fn an_address_of_the_organizations_domain_leads_to_its_ways_whether_it_has_an_account_or_not() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let app = world.requiring("portal").await;
    prove(&world.site, &world.initech, "main.example").await;
    set_rules(&h, &world, &world.initech, json!({ "methods": ["email_otp"] })).await;
    let mut seen = Vec::new();
    for address in [world.ada.email.as_str(), "nobody@main.example"] {
        let mut browser = world.site.browser();
        let page = browser.get(&app.authorize_path("v", &[])).await;
        offers(&page, &["login-submit"], &["narrowed"]);
        let fields = [("username", address), ("password", world.ada.password.as_str())];
        let led = browser.submit(&page, &fields).await;
        offers(&led, &["narrowed", "email-otp-link", "switch-link"], &["login-submit"]);
        assert!(!led.begins_session(), "{led:?}");
        seen.push(led.shown(address));
        let back = browser.follow(&led.link("switch-link")).await;
        offers(&back, &["login-submit"], &["narrowed"]);
        if address == world.ada.email {
            let entered = by_code(&h, &mut browser, &led, address).await;
            assert!(entered.is_signed_in(), "{entered:?}");
        }
    }
    assert_eq!(seen[0], seen[1], "the page tells nothing of accounts");
    // An address of another domain leads nowhere, and neither does one of an application whose tokens need not count in one.
    let mut browser = world.site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await;
    let other = browser.submit(&page, &[("username", "eve@other.example"), ("password", "wrong")]).await;
    offers(&other, &["login-submit"], &["narrowed"]);
    let page = browser.get(&world.web.authorize_path("v", &[])).await;
    let fields = [("username", world.ada.email.as_str()), ("password", world.ada.password.as_str())];
    assert!(browser.submit(&page, &fields).await.is_signed_in());
}

#[tokio::test]
async fn an_organization_that_is_known_after_the_sign_in_asks_for_another_one() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let app = world.requiring("portal").await;
    set_rules(&h, &world, &world.initech, json!({ "methods": ["email_otp"] })).await;
    let mut browser = world.site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await;
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    // The only organization of the person.
    let again = browser.submit(&page, &fields).await;
    offers(&again, &["narrowed", "email-otp-link", "switch-link"], &["login-submit"]);
    let flow = flow_of(&again);
    let skipped = browser.get(&format!("/auth/continue?flow={flow}")).await;
    assert_ne!(skipped.status, 303, "{skipped:?}");
    let entered = by_code(&h, &mut browser, &again, &world.ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // One of several, by choice; the next code is the newest.
    h.advance(1);
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let mut browser = world.site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await;
    let chooser = browser.submit(&page, &fields).await.expect(200);
    let choice = world.initech.id.to_string();
    let chosen = [("decision", "continue"), ("organization", choice.as_str())];
    let again = browser.submit(&chooser, &chosen).await;
    offers(&again, &["narrowed", "email-otp-link"], &["login-submit"]);
    let entered = by_code(&h, &mut browser, &again, &world.ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn who_goes_on_as_another_person_is_not_held_to_the_organization_that_the_first_one_chose() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let (app, eve) = (world.requiring("portal").await, world.site.user("eve").await);
    for person in [&world.ada, &eve] {
        join(&world.site, &world.hooli, person, &[]).await;
    }
    set_rules(&h, &world, &world.initech, json!({ "methods": ["email_otp"] })).await;
    let mut browser = world.site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await;
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    let chooser = browser.submit(&page, &fields).await.expect(200);
    let choice = world.initech.id.to_string();
    let chosen = [("decision", "continue"), ("organization", choice.as_str())];
    let again = browser.submit(&chooser, &chosen).await;
    offers(&again, &["narrowed", "switch-link"], &["login-submit"]);
    let other = browser.follow(&again.link("switch-link")).await;
    offers(&other, &["login-submit"], &["narrowed"]);
    let fields = [("username", eve.username.as_str()), ("password", eve.password.as_str())];
    assert!(browser.submit(&other, &fields).await.is_signed_in());
}

#[tokio::test]
async fn who_is_led_by_their_only_organization_can_give_way_to_another_person() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let (app, eve) = (world.requiring("portal").await, world.site.user("eve").await);
    join(&world.site, &world.hooli, &eve, &[]).await;
    set_rules(&h, &world, &world.initech, json!({ "methods": ["email_otp"] })).await;
    let mut browser = world.site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await;
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    let led = browser.submit(&page, &fields).await;
    offers(&led, &["narrowed", "switch-link"], &["login-submit"]);
    // Ada is signed in in this browser, only not as her organization wants it.
    let other = browser.follow(&led.link("switch-link")).await;
    offers(&other, &["login-submit"], &["narrowed"]);
    let again = browser.submit(&other, &fields).await;
    offers(&again, &["narrowed", "switch-link"], &["login-submit"]);
    let fields = [("username", eve.username.as_str()), ("password", eve.password.as_str())];
    assert!(browser.submit(&other, &fields).await.is_signed_in());
}

#[tokio::test]
async fn who_makes_an_account_is_not_held_to_the_organization_of_the_person_who_is_signed_in() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let app = world.requiring("portal").await;
    let mut browser = world.site.sign_in(&world.web, &world.ada).await;
    set_rules(&h, &world, &world.initech, json!({ "methods": ["passkey"] })).await;
    let page = browser.get(&app.authorize_path("v", &[("prompt", "create")])).await;
    offers(&page, &["register-submit"], &["narrowed"]);
    let page = browser.get(&app.authorize_path("v", &[])).await;
    offers(&page, &["narrowed"], &["register-submit"]);
}

#[tokio::test]
async fn a_second_factor_that_one_persons_organization_demands_is_not_demanded_of_the_next_person() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (app, eve) = (world.requiring("portal").await, world.site.user("eve").await);
    join(&world.site, &world.hooli, &eve, &[]).await;
    set_rules(&h, &world, &world.initech, json!({ "second_factor": "required" })).await;
    let mut browser = world.site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await;
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    let asked = browser.submit(&page, &fields).await;
    offers(&asked, &["set-up-totp-begin", "switch-link"], &["login-submit"]);
    let other = browser.follow(&asked.link("switch-link")).await;
    offers(&other, &["login-submit"], &["set-up-totp-begin"]);
    let fields = [("username", eve.username.as_str()), ("password", eve.password.as_str())];
    assert!(browser.submit(&other, &fields).await.is_signed_in());
}

/// Gives a person a security key.
async fn with_key(world: &World<'_>, person: &Person) -> Authenticator {
    let (site, asked) = (&world.site, json!({ "use": "security_key" }));
    let begun = own(site, person, (Method::POST, "/passkeys"), Some(asked)).await.expect(200).json();
    let mut key = Authenticator::new(1);
    let answer = key.create(&begun["options"], site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Key" });
    let _ = own(site, person, (Method::POST, "/passkeys/confirm"), Some(proof)).await.expect(204);
    key
}

#[tokio::test]
async fn a_sign_in_counts_by_what_it_began_with_and_not_by_what_followed() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let mut key = with_key(&world, &world.ada).await;
    let mut browser = world.site.browser();
    let page = browser.get(&world.web.authorize_path("v", INITECH)).await.expect(200);
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    let page = browser.submit(&page, &fields).await.expect(200);
    let flow = page.body.split("name=\"flow\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let begun = browser.post("/auth/challenge", &[("flow", flow), ("method", "passkey")]).await.json();
    let answer = key.get(&begun["shown"], world.site.issuer()).unwrap().to_string();
    let flow = begun["flow"].as_str().unwrap();
    let fields = [("flow", flow), ("method", "passkey"), ("answer", answer.as_str())];
    assert!(browser.post("/auth/sign-in", &fields).await.is_signed_in());
    let path = world.web.authorize_path("v", INITECH);
    for (rules, is_accepted) in [
        (json!({ "methods": ["password"], "second_factor": "required" }), true),
        (json!({ "methods": ["passkey"] }), false),
        (json!({ "methods": ["totp"] }), false),
        (json!({ "methods": ["password", "passkey"] }), true),
    ] {
        set_rules(&h, &world, &world.initech, rules.clone()).await;
        let answer = browser.get(&path).await;
        assert_eq!(answer.is_signed_in(), is_accepted, "{rules}: {answer:?}");
    }
}
