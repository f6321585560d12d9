//! Second factors that are demanded of the people of a role, and of everyone who comes to an application.

use serde_json::{Value, json};
use svc_domain::people::changes;
use svc_domain::people::credentials::passkeys;
use svc_http::Method;
use svc_testkit::Authenticator;

use crate::account::factors::{code, with_app};
use crate::account::own;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness, Person, Site};
use crate::organizations::accepted_ways::offers;
use crate::polling::{decide, enter, poll_device, signed_in, start};
use crate::without_passwords::state_of;

const SETTINGS: &str = "/api/v1/tenant-settings";
const SETS_UP: &str = "id=\"set-up-totp-begin\"";

async fn set(site: &Site<'_>, settings: Value) -> Answer {
    let change = json!({ "settings": settings });
    site.call(Method::PATCH, SETTINGS, Some(&site.mint(|_| ())), Some(change)).await
}

/// What follows the password of a person at an application, in a new browser.
async fn after_password(site: &Site<'_>, app: &Client<'_>, person: &Person) -> Answer {
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await.expect(200);
    let fields = [("username", person.username.as_str()), ("password", &person.password)];
    let answer = browser.submit(&page, &fields).await;
    browser.settled(answer).await
}

/// The page behind the password of a person where a second factor is demanded of everyone, and the browser that shows it.
async fn asked_for_more<'h>(site: &Site<'h>, person: &Person) -> (Browser<'h>, Answer) {
    let web = site.app("web").await;
    let _ = set(site, json!({ "second_factor_required": true })).await.expect(200);
    let _ = site.harness.informed_app().await;
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path("v", &[])).await;
    let fields = [("username", person.username.as_str()), ("password", &person.password)];
    let page = browser.submit(&page, &fields).await;
    (browser, page)
}

#[tokio::test]
async fn the_people_of_a_role_need_a_second_factor_and_others_do_not() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    site.role("billing", &[]).await;
    let ada = site.user_with_roles("ada", &["billing"]).await;
    let (bob, cyd) = (site.user("bob").await, site.user("cyd").await);
    let accountants = site.group("accountants", &["billing"]).await;
    site.add(&accountants, cyd.id).await;
    let mut earlier = site.sign_in(&web, &ada).await;
    let _ = set(&site, json!({ "second_factor_roles": ["billing"] })).await.expect(200);
    let _ = h.informed_app().await;
    for (person, is_asked) in [(&ada, true), (&bob, false), (&cyd, true)] {
        let page = after_password(&site, &web, person).await;
        assert_eq!(page.body.contains(SETS_UP), is_asked, "{}: {page:?}", person.username);
    }
    let silent = earlier.get(&web.authorize_path("v", &[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
    let page = earlier.get(&web.authorize_path("v", &[])).await.expect(200);
    assert!(page.body.contains(SETS_UP) && !page.body.contains("name=\"password\""), "{page:?}");
    let many: Vec<_> = (0..51).map(|number| format!("role-{number}")).collect();
    let refused = set(&site, json!({ "second_factor_roles": many })).await.expect(400);
    assert!(refused.body.contains("second_factor_roles"), "{refused:?}");
}

#[tokio::test]
async fn an_application_may_demand_a_second_factor_of_everyone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let vault = site.app_with("vault", |app| app.second_factor_required = true).await;
    let ada = site.user("ada").await;
    let page = after_password(&site, &vault, &ada).await;
    assert!(page.body.contains(SETS_UP), "{page:?}");
    let mut browser = site.sign_in(&web, &ada).await;
    let silent = browser.get(&vault.authorize_path("v", &[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
    let page = browser.get(&vault.authorize_path("v", &[])).await.expect(200);
    assert!(page.body.contains(SETS_UP) && !page.body.contains("name=\"password\""), "{page:?}");
    let elsewhere = browser.get(&web.authorize_path("v", &[])).await;
    assert!(elsewhere.redirect_param("code").is_some(), "{elsewhere:?}");
}

#[tokio::test]
async fn a_second_factor_that_an_application_demands_is_asked_for_before_its_device_is_let_in() {
    let h = Harness::with(&[("SVC_TWO_FACTOR__TRUSTED_DEVICE_DAYS", "30")]).await;
    let site = h.tenant("main").await;
    let vault = site.app_with("vault", |app| app.second_factor_required = true).await;
    let ada = site.user("ada").await;
    let key = with_app(&site, &ada).await;
    h.advance(30);
    let by_password = [("username", ada.username.as_str()), ("password", &ada.password)];
    let mut browser = site.browser();
    let page = browser.get("/auth/approvals").await.expect(200);
    let asked = browser.submit(&page, &by_password).await;
    let entered = browser.submit(&asked, &[("code", &code(&site, &key)), ("trust", "yes")]).await;
    assert_eq!(entered.location(), "/auth/approvals");
    // The browser is trusted: the next time the password is enough, but not for this application.
    browser.cookies.retain(|name, _| !name.contains("session"));
    let page = browser.get("/auth/approvals").await.expect(200);
    let entered = browser.submit(&page, &by_password).await;
    assert_eq!(entered.location(), "/auth/approvals");
    let device = start(&vault, "openid").await;
    let page = enter(&mut browser, &device.user_code).await.expect(200);
    let asked = decide(&mut browser, &page, "allow").await.expect(200);
    offers(&asked, &["totp-code"], &["login-submit"]);
    h.advance(30);
    let entered = browser.submit(&asked, &[("code", &code(&site, &key))]).await;
    assert_eq!(entered.location(), "/auth/approvals");
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    h.advance(10);
    let _ = poll_device(&vault, &device.device_code).await.expect(200);
}

#[tokio::test]
async fn who_has_no_second_factor_sets_one_up_before_such_a_device_is_let_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let vault = site.app_with("vault", |app| app.second_factor_required = true).await;
    let ada = site.user("ada").await;
    let device = start(&vault, "openid").await;
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, &device.user_code).await.expect(200);
    let asked = decide(&mut browser, &page, "allow").await.expect(200);
    offers(&asked, &["set-up-totp-begin", "set-up-passkey-submit"], &["login-submit"]);
    let flow = state_of(&asked);
    let begin = [("flow", flow.as_str()), ("method", "set_up_passkey")];
    let begun = browser.post("/auth/challenge", &begin).await.expect(200).json();
    let answer = Authenticator::new(1).create(&begun["shown"], site.issuer()).unwrap().to_string();
    let state = begun["flow"].as_str().unwrap();
    let fields = [("flow", state), ("method", "set_up_passkey"), ("answer", answer.as_str())];
    let entered = browser.post("/auth/sign-in", &fields).await;
    assert_eq!(entered.location(), "/auth/approvals");
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    h.advance(10);
    let _ = poll_device(&vault, &device.device_code).await.expect(200);
    // Long after the sign-in nothing is set up before the person has signed in once more.
    let bob = site.user("bob").await;
    let mut browser = signed_in(&site, &bob).await;
    h.advance(16 * 60);
    let device = start(&vault, "openid").await;
    let page = enter(&mut browser, &device.user_code).await.expect(200);
    let asked = decide(&mut browser, &page, "allow").await.expect(200);
    offers(&asked, &["login-submit"], &["set-up-totp-begin"]);
    let by_password = [("username", bob.username.as_str()), ("password", &bob.password)];
    let asked = browser.submit(&asked, &by_password).await.expect(200);
    offers(&asked, &["set-up-totp-begin"], &["login-submit"]);
}

#[tokio::test]
async fn of_two_tabs_that_ask_for_a_second_factor_the_later_goes_on_by_what_the_first_has_proven() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let vault = site.app_with("vault", |app| app.second_factor_required = true).await;
    let ada = site.user("ada").await;
    let mut browser = site.sign_in(&web, &ada).await;
    let key = with_app(&site, &ada).await;
    h.advance(30);
    let verifier = vault.verifier();
    let path = vault.authorize_path(&verifier, &[]);
    let first = browser.get(&path).await.expect(200);
    let [second, third] = [browser.get(&path).await.expect(200), browser.get(&path).await.expect(200)];
    offers(&second, &["totp-code"], &["login-submit"]);
    let entered = browser.submit(&first, &[("code", &code(&site, &key))]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    h.advance(30);
    let later = browser.submit(&second, &[("code", &code(&site, &key))]).await;
    assert!(later.is_signed_in(), "{later:?}");
    // Another person uses the browser by now.
    let bob = site.user("bob").await;
    let page = browser.get(&web.authorize_path("v", &[("prompt", "login")])).await.expect(200);
    let by_password = [("username", bob.username.as_str()), ("password", &bob.password)];
    assert!(browser.submit(&page, &by_password).await.is_signed_in());
    h.advance(30);
    let later = browser.submit(&third, &[("code", &code(&site, &key))]).await;
    let code = Code { code: later.redirect_param("code").unwrap(), verifier };
    let tokens = vault.exchange(&code).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["sub"], json!(ada.subject));
}

#[tokio::test]
async fn a_second_factor_that_is_asked_for_in_the_middle_of_a_session_is_recorded() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let vault = site.app_with("vault", |app| app.second_factor_required = true).await;
    let ada = site.user("ada").await;
    let mut browser = site.sign_in(&web, &ada).await;
    let (path, token) = ("/api/v1/audit?action=second_factor.asked", site.mint(|_| ()));
    let none = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(none["data"], json!([]));
    let silent = browser.get(&vault.authorize_path("v", &[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
    let page = browser.get(&vault.authorize_path("v", &[])).await.expect(200);
    assert!(page.body.contains(SETS_UP), "{page:?}");
    let one = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(one["data"].as_array().unwrap().len(), 1, "{one}");
}

#[tokio::test]
async fn where_second_factors_are_off_an_application_that_demands_one_says_so_and_lets_passkeys_in() {
    let h = Harness::with(&[("SVC_TWO_FACTOR__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let vault = site.app_with("vault", |app| app.second_factor_required = true).await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let told = "it is not set up in your account";
    // More often than a password may be wrong.
    for _ in 0..12 {
        let refused = after_password(&site, &vault, &ada).await;
        assert!(!refused.begins_session() && refused.body.contains(told), "{refused:?}");
    }
    let mut browser = site.sign_in(&web, &ada).await;
    let refused = browser.get(&vault.authorize_path("v", &[])).await.expect(200);
    assert!(refused.body.contains(told), "{refused:?}");
    // Who has a passkey is asked for it, as ever.
    let begun = own(&site, &bob, (Method::POST, "/passkeys"), Some(json!({ "use": "passkey" }))).await;
    let begun = begun.expect(200).json();
    let answer = Authenticator::new(1).create(&begun["options"], site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Phone" });
    let _ = own(&site, &bob, (Method::POST, "/passkeys/confirm"), Some(proof)).await.expect(204);
    h.advance(1);
    let asked = after_password(&site, &vault, &bob).await;
    offers(&asked, &["passkey-submit"], &["login-submit"]);
}

#[tokio::test]
async fn a_tenant_narrows_how_long_a_browser_is_trusted_also_where_it_is_trusted_already() {
    let h = Harness::with(&[("SVC_TWO_FACTOR__TRUSTED_DEVICE_DAYS", "30")]).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let key = with_app(&site, &ada).await;
    h.advance(30);
    let again = web.authorize_path("v", &[("prompt", "login")]);
    let by_password = [("username", ada.username.as_str()), ("password", &ada.password)];
    let mut browser = site.browser();
    let page = browser.get(&again).await;
    let asked = browser.submit(&page, &by_password).await;
    let entered = browser.submit(&asked, &[("code", &code(&site, &key)), ("trust", "yes")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    h.advance(2 * 86_400);
    for (days, is_trusted) in [(3, true), (2, false), (0, false), (90, true)] {
        let limits = json!({ "limits": { "two_factor": { "trusted_device_days": days } } });
        let told = set(&site, limits).await.expect(200).json();
        let counts = &told["effective_limits"]["two_factor"]["trusted_device_days"];
        assert_eq!(counts, &json!(days.min(30)), "{told}");
        let _ = h.informed_app().await;
        let page = browser.get(&again).await;
        let answer = browser.submit(&page, &by_password).await;
        assert_eq!(answer.is_signed_in(), is_trusted, "{days}: {answer:?}");
        assert_eq!(answer.body.contains("name=\"trust\""), !is_trusted && days > 0, "{days}: {answer:?}");
    }
    let refused = set(&site, json!({ "limits": { "two_factor": { "trusted_device_days": 91 } } })).await;
    assert!(refused.expect(400).body.contains("limits.two_factor.trusted_device_days"));
}

#[tokio::test]
async fn where_a_second_factor_is_demanded_a_passkey_serves_instead_of_an_app() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let (mut browser, page) = asked_for_more(&site, &ada).await;
    offers(&page, &["set-up-totp-begin", "set-up-passkey-submit"], &["login-submit"]);
    let flow = state_of(&page);
    let begin = [("flow", flow.as_str()), ("method", "set_up_passkey")];
    let begun = browser.post("/auth/challenge", &begin).await.expect(200).json();
    let state = begun["flow"].as_str().unwrap();
    let answered = |origin| Authenticator::new(1).create(&begun["shown"], origin).unwrap().to_string();
    // Any answer uses up the challenge.
    for (origin, message) in
        [("https://evil.example", "could not be checked"), (site.issuer(), "took too long")]
    {
        let answer = answered(origin);
        let fields = [("flow", state), ("method", "set_up_passkey"), ("answer", answer.as_str())];
        let refused = browser.post("/auth/sign-in", &fields).await;
        assert!(!refused.begins_session() && refused.body.contains(message), "{refused:?}");
    }
    let begun = browser.post("/auth/challenge", &begin).await.expect(200).json();
    let answer = Authenticator::new(1).create(&begun["shown"], site.issuer()).unwrap().to_string();
    let state = begun["flow"].as_str().unwrap();
    let fields = [("flow", state), ("method", "set_up_passkey"), ("answer", answer.as_str())];
    let entered = browser.post("/auth/sign-in", &fields).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // It is the owner who is mailed about it.
    assert!(h.mails().await.iter().any(|mail| mail.to == ada.email), "{:?}", h.mails().await);
}

#[tokio::test]
async fn a_sign_in_from_before_a_new_password_sets_nothing_up_after_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let (mut browser, page) = asked_for_more(&site, &ada).await;
    let flow = state_of(&page);
    let begin = [("flow", flow.as_str()), ("method", "set_up_passkey")];
    h.advance(1);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let found = changes::candidate_named(&mut tx, &ada.email).await.unwrap().unwrap();
    changes::end_everything(&mut tx, &h.operator(), &found.account).await.unwrap();
    tx.commit().await.unwrap();
    let begun = browser.post("/auth/challenge", &begin).await.expect(200).json();
    let answer = Authenticator::new(1).create(&begun["shown"], site.issuer()).unwrap().to_string();
    let state = begun["flow"].as_str().unwrap();
    let fields = [("flow", state), ("method", "set_up_passkey"), ("answer", answer.as_str())];
    let refused = browser.post("/auth/sign-in", &fields).await;
    assert!(!refused.begins_session(), "{refused:?}");
    assert!(refused.body.contains("Please sign in again to continue."), "{refused:?}");
    let mut tx = h.app().db.read(site.tenant.id).await.unwrap();
    assert!(passkeys::list(&mut tx, found.account.id).await.unwrap().is_empty());
}
