//! Applications that accept some ways to sign in alone: what the page offers, what a session is good for, and who says so.

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::provider::Provider;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};
use crate::organizations::accepted_ways::{by_code, flow_of, offers};
use crate::organizations::sso_sign_in::{LOOPBACK, connect, follow, led, prove};
use crate::organizations::{World, sso};
use crate::polling::{ask, decide, enter, poll_ciba, poll_device, signed_in, start};

const INITECH: &[(&str, &str)] = &[("organization", "initech")];
const MAILED: &[(&str, &str)] = &[("SVC_EMAIL_OTP__ENABLED", "true"), ("SVC_MAGIC_LINK__ENABLED", "true")];

/// An application that accepts these ways.
async fn accepting<'h>(site: &Site<'h>, handle: &str, ways: &[&'static str]) -> Client<'h> {
    let ways = ways.iter().copied().collect();
    site.app_with(handle, |configuration| configuration.sign_in_methods = Some(ways)).await
}

async fn change(app: &Client<'_>, wanted: Value) -> Answer {
    let path = format!("/api/v1/applications/{}", app.id);
    let answer = app.site.call(Method::PATCH, &path, Some(&app.site.mint(|_| ())), Some(wanted)).await;
    let _ = app.site.harness.informed_app().await;
    answer
}

/// The error of a request for which no page may be shown.
async fn silently(browser: &mut Browser<'_>, app: &Client<'_>) -> Option<String> {
    let answer = browser.get(&app.authorize_path("v", &[("prompt", "none")])).await;
    answer.redirect_param("error")
}

fn by_password(person: &Person) -> [(&'static str, &str); 2] {
    [("username", &person.username), ("password", &person.password)]
}

#[tokio::test]
async fn the_page_offers_what_the_application_accepts_and_judges_nothing_else() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("main").await;
    let (web, vault) = (site.app("web").await, accepting(&site, "vault", &["email_otp"]).await);
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let page = browser.get(&vault.authorize_path("v", &[])).await;
    offers(&page, &["narrowed", "email-otp-link"], &["login-submit", "passkey-submit", "magic-link-link"]);
    let flow = flow_of(&page);
    let mut seen = Vec::new();
    for name in [ada.username.as_str(), "nobody"] {
        let fields = [("flow", flow.as_str()), ("username", name), ("password", ada.password.as_str())];
        let posted = browser.post("/auth/sign-in", &fields).await;
        offers(&posted, &["narrowed", "form-error"], &["login-submit"]);
        assert!(posted.body.contains("not accepted here") && !posted.begins_session(), "{posted:?}");
        seen.push(posted.shown(name));
    }
    assert_eq!(seen[0], seen[1], "the page tells nothing of accounts");
    let challenge = [("flow", flow.as_str()), ("method", "passkey")];
    assert_eq!(browser.post("/auth/challenge", &challenge).await.status, 404);
    let entered = by_code(&h, &mut browser, &page, &ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // Others accept what they did.
    offers(&site.browser().get(&web.authorize_path("v", &[])).await, &["login-submit"], &["narrowed"]);
}

#[tokio::test]
async fn a_session_of_another_kind_serves_the_other_applications_alone() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("main").await;
    let (web, vault) = (site.app("web").await, accepting(&site, "vault", &["passkey", "email_otp"]).await);
    let ada = site.user("ada").await;
    let mut browser = site.sign_in(&web, &ada).await;
    assert_eq!(silently(&mut browser, &vault).await.as_deref(), Some("login_required"));
    let page = browser.get(&vault.authorize_path("v", &[])).await;
    offers(&page, &["narrowed", "email-otp-link", "passkey-submit"], &["login-submit"]);
    let skipped = browser.get(&format!("/auth/continue?flow={}", flow_of(&page))).await;
    assert_ne!(skipped.status, 303, "{skipped:?}");
    let entered = by_code(&h, &mut browser, &page, &ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    for app in [&vault, &web] {
        assert_eq!(silently(&mut browser, app).await, None);
    }
}

#[tokio::test]
async fn a_way_that_only_follows_is_accepted_behind_any_other() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("main").await;
    let vault = accepting(&site, "vault", &["totp"]).await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    site.second_factor(bob.id).await;
    let mut browser = site.browser();
    let page = browser.get(&vault.authorize_path("v", &[])).await;
    offers(&page, &["login-submit", "email-otp-link", "passkey-submit"], &["narrowed"]);
    // Without an app for codes the same sign-in again would not be accepted either.
    let refused = browser.submit(&page, &by_password(&ada)).await;
    assert_eq!(refused.redirect_param("error").as_deref(), Some("unmet_authentication_requirements"));
    let mut browser = site.browser();
    let page = browser.get(&vault.authorize_path("v", &[])).await;
    let asked = browser.submit(&page, &by_password(&bob)).await;
    offers(&asked, &["totp-code"], &[]);
}

#[tokio::test]
async fn the_word_of_a_provider_alone_opens_what_accepts_nothing_else() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let vault = accepting(&world.site, "vault", &["sso"]).await;
    let mut browser = world.site.sign_in(&world.web, &world.ada).await;
    assert_eq!(silently(&mut browser, &vault).await.as_deref(), Some("login_required"));
    // Where the request names the organization, the way to its provider is the first page.
    let page = world.site.browser().get(&vault.authorize_path("v", INITECH)).await;
    offers(&page, &["sso-continue"], &["login-submit"]);
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
    assert_eq!(silently(&mut browser, &vault).await, None);
    let mut browser = world.site.browser();
    let page = browser.get(&vault.authorize_path("v", &[])).await;
    offers(&page, &["narrowed"], &["login-submit", "passkey-submit"]);
    let fields = [("username", "grace@acme.example"), ("method", "sso")];
    let form = browser.get(&page.link("sso-link")).await.expect(200);
    let page = browser.submit(&form, &fields).await.expect(200);
    let asked = follow(&mut browser, &page).await;
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
}

#[tokio::test]
async fn application_and_organization_accept_what_both_do() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let vault = accepting(&world.site, "vault", &["email_otp", "passkey"]).await;
    let rules = async |methods: Value| {
        sso::set_rules(&world, &world.initech, json!({ "methods": methods })).await;
        let _ = h.informed_app().await;
    };
    rules(json!(["email_otp", "password"])).await;
    let path = vault.authorize_path("v", INITECH);
    let mut browser = world.site.browser();
    let page = browser.get(&path).await;
    offers(&page, &["narrowed", "email-otp-link"], &["login-submit", "passkey-submit"]);
    let entered = by_code(&h, &mut browser, &page, &world.ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // A password is enough for the organization, and not for the application.
    let mut browser = world.site.sign_in(&world.web, &world.ada).await;
    assert!(browser.get(&world.web.authorize_path("v", INITECH)).await.is_signed_in());
    offers(&browser.get(&path).await, &["narrowed", "email-otp-link"], &["login-submit"]);
    rules(json!(["password"])).await;
    let page = browser.get(&path).await;
    let none = ["login-submit", "email-otp-link", "magic-link-link", "passkey-submit"];
    offers(&page, &["narrowed"], &none);
    assert!(page.body.contains("none of the accepted ways to sign in is available"), "{page:?}");
    // Where the organization is known after the sign-in only, the second one is held to both.
    rules(json!(["email_otp"])).await;
    let portal = world.requiring("portal").await;
    let wanted = json!({ "sign_in_methods": ["password", "email_otp"] });
    let _ = change(&portal, wanted).await.expect(200);
    let mut browser = world.site.browser();
    let page = browser.get(&portal.authorize_path("v", &[])).await;
    let again = browser.submit(&page, &by_password(&world.ada)).await;
    offers(&again, &["narrowed", "email-otp-link"], &["login-submit"]);
    h.advance(1);
    let entered = by_code(&h, &mut browser, &again, &world.ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn what_is_decided_elsewhere_asks_for_the_same_sign_in() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("main").await;
    let (vault, ada) = (accepting(&site, "vault", &["email_otp"]).await, site.user("ada").await);
    let (device, request) = (start(&vault, "openid").await, ask(&vault, "ada", &[]).await);
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, &device.user_code).await.expect(200);
    let refused = decide(&mut browser, &page, "allow").await.expect(403);
    assert!(refused.body.contains("the application asks for another sign-in"), "{refused:?}");
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(403);
    let _ = poll_ciba(&vault, &request).await.expect_problem(400, "authorization_pending");
    // The page leads to a sign-in that is accepted; by a mailed code both are allowed.
    let page = browser.get(&refused.link("retry-link")).await;
    offers(&page, &["narrowed", "email-otp-link"], &["login-submit", "passkey-submit"]);
    let entered = by_code(&h, &mut browser, &page, &ada.email).await;
    assert_eq!(entered.location(), "/auth/approvals");
    let page = enter(&mut browser, &device.user_code).await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    h.advance(10);
    let _ = poll_device(&vault, &device.device_code).await.expect(200);
    let _ = poll_ciba(&vault, &request).await.expect(200);
}

#[tokio::test]
async fn administrators_say_which_ways_and_lift_that_again() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    for bad in [json!([]), json!(["Pass word"]), json!([""]), json!(vec!["passkey"; 21])] {
        let refused = change(&web, json!({ "sign_in_methods": bad })).await;
        let refused = refused.expect(400).json();
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.starts_with("sign_in_methods: "), "{bad}: {refused}");
    }
    let refused = change(&web, json!({ "sign_in_methods": "passkey" })).await.expect(400);
    assert!(refused.body.contains("sign_in_methods"), "{refused:?}");
    let changed = change(&web, json!({ "sign_in_methods": ["email_otp"] })).await.expect(200).json();
    assert_eq!(changed["sign_in_methods"], json!(["email_otp"]));
    let mut browser = site.browser();
    offers(&browser.get(&web.authorize_path("v", &[])).await, &["narrowed"], &["login-submit"]);
    let lifted = change(&web, json!({ "sign_in_methods": null })).await.expect(200).json();
    assert_eq!(lifted.get("sign_in_methods"), None, "{lifted}");
    let page = browser.get(&web.authorize_path("v", &[])).await;
    offers(&page, &["login-submit"], &["narrowed"]);
    assert!(browser.submit(&page, &by_password(&ada)).await.is_signed_in());
    // A replacement without the member lifts it too, and another scope does not do.
    let _ = change(&web, json!({ "sign_in_methods": ["email_otp"] })).await.expect(200);
    let path = format!("/api/v1/applications/{}", web.id);
    let reader = site.mint(|claims| claims["scope"] = json!("applications:read"));
    let body = json!({ "sign_in_methods": null });
    let _ = site.call(Method::PATCH, &path, Some(&reader), Some(body)).await.expect(403);
    let present = site.call(Method::GET, &path, Some(&reader), None).await.expect(200).json();
    assert_eq!(present["sign_in_methods"], json!(["email_otp"]));
    let mut whole = present.as_object().unwrap().clone();
    for ours in ["id", "handle", "created_at", "updated_at", "sign_in_methods"] {
        whole.remove(ours);
    }
    let admin = site.mint(|_| ());
    let replaced = site.call(Method::PUT, &path, Some(&admin), Some(Value::Object(whole))).await.expect(200);
    assert_eq!(replaced.json().get("sign_in_methods"), None, "{replaced:?}");
}

#[tokio::test]
async fn a_newcomer_registers_by_a_code_where_a_code_is_accepted() {
    let h =
        Harness::with(&[("SVC_EMAIL_OTP__ENABLED", "true"), ("SVC_EMAIL_OTP__REGISTRATION_ENABLED", "true")])
            .await;
    let site = h.tenant("main").await;
    for (handle, ways, is_offered) in [("a", "email_otp", true), ("b", "passkey", false)] {
        let app = accepting(&site, handle, &[ways]).await;
        let page = site.browser().get(&app.authorize_path("v", &[("prompt", "create")])).await.expect(200);
        assert_eq!(page.body.contains("name=\"by\" value=\"code\""), is_offered, "{ways}: {page:?}");
    }
}

/// The page behind the link by which a newcomer registers on the way to an application.
async fn registering(h: &Harness, browser: &mut Browser<'_>, app: &Client<'_>) -> Answer {
    let page = browser.get(&app.authorize_path("v", &[])).await;
    let form = browser.get(&page.link("register-link")).await.expect(200);
    let _ = browser.submit(&form, &[("email", "grace@new.example")]).await.expect(200);
    let mail = h.mails().await.remove(0);
    let link = mail.text.split_whitespace().find(|word| word.contains("?token=")).unwrap();
    browser.get(link.strip_prefix(app.site.issuer()).unwrap()).await
}

#[tokio::test]
async fn a_newcomer_gets_a_way_to_sign_in_that_the_application_accepts() {
    for (ways, offered, left_out) in [
        (&["passkey"][..], &["verify-passkey", "name"][..], &["password", "verify-submit"][..]),
        (&["password"], &["password", "verify-submit"], &["verify-passkey"]),
        (&["email_otp"], &["verify-submit"], &["password", "verify-passkey"]),
        (&["passkey", "magic_link"], &["verify-submit", "verify-passkey"], &["password"]),
        (&["password", "passkey"], &["password", "verify-submit", "verify-passkey"], &[]),
    ] {
        let h = Harness::with(MAILED).await;
        let site = h.tenant("acme").await;
        opening(&site).await;
        let app = accepting(&site, "vault", ways).await;
        let mut browser = site.browser();
        let page = registering(&h, &mut browser, &app).await;
        offers(&page, offered, left_out);
        if !offered.contains(&"password") && offered.contains(&"verify-submit") {
            let entered = browser.submit(&page, &[("name", "Grace")]).await;
            assert!(entered.is_signed_in(), "{ways:?}: {entered:?}");
        }
    }
}

#[tokio::test]
async fn where_providers_alone_lead_in_no_form_registers() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("acme").await;
    opening(&site).await;
    let app = accepting(&site, "vault", &["social", "sso"]).await;
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await;
    offers(&page, &["narrowed"], &["register-link", "login-submit"]);
    let asked = browser.get(&app.authorize_path("v", &[("prompt", "create")])).await;
    offers(&asked, &["narrowed"], &["register-submit"]);
}

/// Lets people register themselves.
async fn opening(site: &Site<'_>) {
    let body = json!({ "settings": { "registration": true } });
    let path = "/api/v1/tenant-settings";
    let _ = site.call(Method::PATCH, path, Some(&site.mint(|_| ())), Some(body)).await.expect(200);
    let _ = site.harness.informed_app().await;
}
