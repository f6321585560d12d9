//! A phone number for an account: after a recent sign-in, proven by a texted code, told to the owner, and taken back.

use serde_json::json;
use svc_http::Method;
use url::form_urlencoded::Serializer;

use super::{own, token_of};
use crate::harness::browser::Form;
use crate::harness::{Answer, Browser, Harness, Person, Site};

const NEW: &str = "+442079460777";

async fn harness() -> Harness {
    Harness::with(&[("SVC_SMS__ENABLED", "true")]).await
}

/// Asks for a code on the page of the account centre.
async fn asked<'h>(browser: &mut Browser<'h>, number: &str) -> Answer {
    let page = browser.get("/account/phone").await.expect(200);
    browser.submit(&page, &[("action", "send"), ("phone", number)]).await
}

/// The code of the newest text message to a number.
async fn code(h: &Harness, to: &str) -> String {
    let texts = h.texts().await;
    let text = texts.iter().find(|text| text.to == to).expect("a text message");
    assert!(text.body.contains("confirms your phone number at Tenant main"), "{text:?}");
    text.body.split(' ').next().unwrap().to_owned()
}

async fn number_of(site: &Site<'_>, person: &Person) -> Option<String> {
    let read = own(site, person, (Method::GET, "/phone"), None).await.expect(200).json();
    read["phone_number"].as_str().map(str::to_owned)
}

async fn profile_of(site: &Site<'_>, person: &Person) -> (serde_json::Value, serde_json::Value) {
    let data = own(site, person, (Method::GET, "/data"), None).await.expect(200).json();
    let profile = &data["profile"];
    (profile["phone_number"].clone(), profile["phone_number_verified"].clone())
}

#[tokio::test]
async fn a_number_counts_once_its_code_was_typed_and_the_owner_is_told() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    let page = asked(&mut browser, "+44 (20) 7946-0777").await.expect(200);
    for id in ["phone-confirm", "phone-resend", "phone-other"] {
        assert!(page.body.contains(id), "no {id}: {page:?}");
    }
    let code = code(&h, NEW).await;
    assert_eq!(number_of(&site, &ada).await, None, "asking changes nothing");
    let bad = if code == "000000" { "000001" } else { "000000" };
    let again = browser.submit(&page, &[("action", "confirm"), ("code", bad)]).await.expect(200);
    assert!(again.body.contains("That code is wrong") && again.body.contains("phone-confirm"), "{again:?}");
    let done = browser.submit(&again, &[("action", "confirm"), ("code", &code)]).await.expect(303);
    assert!(done.location().contains("notice-phone-added"), "{done:?}");
    assert_eq!(number_of(&site, &ada).await.as_deref(), Some(NEW));
    assert_eq!(profile_of(&site, &ada).await, (json!(NEW), json!(true)));
    let mails = h.mails().await;
    assert!(mails[0].to == ada.email && mails[0].text.contains("phone number"), "{mails:?}");
    let again = browser.submit(&page, &[("action", "confirm"), ("code", &code)]).await.expect(200);
    assert!(again.body.contains("That code is wrong"), "a code counts once: {again:?}");
    let same = asked(&mut browser, NEW).await.expect(200);
    assert!(same.body.contains("has this number already"), "{same:?}");
}

#[tokio::test]
async fn the_page_that_asks_for_the_code_can_be_reloaded_and_sends_no_other() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    let form = Form::of(&browser.get("/account/phone").await.expect(200));
    let hidden = form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let typed = [("action", "send"), ("phone", NEW)];
    let body = Serializer::new(String::new()).extend_pairs(hidden.chain(typed)).finish();
    let origin = site.issuer().to_owned();
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("origin", origin.as_str()),
        ("sec-fetch-site", "same-origin"),
    ];
    let moved = browser.exchange(Method::POST, "/account/phone", &headers, body).await.expect(303);
    let address = moved.location().to_owned();
    for _ in 0..2 {
        let page = browser.get(&address).await.expect(200);
        assert!(page.body.contains("phone-confirm"), "{page:?}");
    }
    assert_eq!(h.texts().await.len(), 1);
    let (page, code) = (browser.get(&address).await, code(&h, NEW).await);
    let _ = browser.submit(&page, &[("action", "confirm"), ("code", &code)]).await.expect(303);
    assert_eq!(number_of(&site, &ada).await.as_deref(), Some(NEW));
}

#[tokio::test]
async fn the_claims_of_the_scope_phone_follow_the_proven_number() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let before = web.tokens(&ada).await;
    let mut browser = site.sign_in(&web, &ada).await;
    let page = asked(&mut browser, NEW).await.expect(200);
    let code = code(&h, NEW).await;
    let _ = browser.submit(&page, &[("action", "confirm"), ("code", &code)]).await.expect(303);
    let told =
        site.call(Method::GET, "/userinfo", Some(before.access_token()), None).await.expect(200).json();
    assert_eq!((&told["phone_number"], &told["phone_number_verified"]), (&json!(NEW), &json!(true)));
}

#[tokio::test]
async fn the_api_proves_reads_and_removes_a_number_and_the_profile_follows() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let body = json!({ "phone_number": NEW });
    let begun = own(&site, &ada, (Method::POST, "/phone"), Some(body.clone())).await.expect(200).json();
    let code = code(&h, NEW).await;
    let proof = json!({ "flow": begun["flow"], "code": code });
    let eve = site.user("eve").await;
    let _ = own(&site, &eve, (Method::POST, "/phone/confirm"), Some(proof.clone()))
        .await
        .expect_problem(400, "bad_request");
    let _ = own(&site, &ada, (Method::POST, "/phone/confirm"), Some(proof.clone())).await.expect(204);
    let _ = own(&site, &ada, (Method::POST, "/phone/confirm"), Some(proof))
        .await
        .expect_problem(400, "bad_request");
    assert_eq!(number_of(&site, &ada).await.as_deref(), Some(NEW));
    let _ = own(&site, &ada, (Method::POST, "/phone"), Some(body)).await.expect_problem(409, "conflict");
    let kept = own(&site, &ada, (Method::GET, "/credentials"), None).await.expect(200).json();
    assert_eq!((&kept["data"][0]["kind"], &kept["data"][0]["name"]), (&json!("phone"), &json!(NEW)));
    let _ = own(&site, &ada, (Method::DELETE, "/phone"), None).await.expect(204);
    assert_eq!(number_of(&site, &ada).await, None);
    assert_eq!(profile_of(&site, &ada).await, (json!(null), json!(null)));
    let _ = own(&site, &ada, (Method::DELETE, "/phone"), None).await.expect(404);
}

#[tokio::test]
async fn another_number_replaces_the_one_before() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    for number in [NEW, "+33199001234"] {
        let page = asked(&mut browser, number).await.expect(200);
        let code = code(&h, number).await;
        let _ = browser.submit(&page, &[("action", "confirm"), ("code", &code)]).await.expect(303);
    }
    let kept = own(&site, &ada, (Method::GET, "/credentials"), None).await.expect(200).json();
    assert_eq!(kept["data"].as_array().unwrap().len(), 1, "{kept}");
    assert_eq!(number_of(&site, &ada).await.as_deref(), Some("+33199001234"));
}

#[tokio::test]
async fn a_browser_is_trusted_no_longer_than_the_account_has_the_number_that_stood_for_it() {
    let h = Harness::with(&[
        ("SVC_SMS__ENABLED", "true"),
        ("SVC_TWO_FACTOR__REQUIRED", "true"),
        ("SVC_TWO_FACTOR__TRUSTED_DEVICE_DAYS", "30"),
    ])
    .await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    site.phone(ada.id, NEW).await;
    let again = web.authorize_path("v", &[("prompt", "login")]);
    let by_password = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let mut browser = site.browser();
    let page = browser.get(&again).await.expect(200);
    let next = browser.submit(&page, &by_password).await.expect(200);
    let page = browser.submit(&next, &[("method", "sms"), ("begin", "yes")]).await.expect(200);
    let texts = h.texts().await;
    let digits = texts[0].body.split(' ').next().unwrap();
    assert!(browser.submit(&page, &[("code", digits), ("trust", "yes")]).await.is_signed_in());
    let page = browser.get(&again).await.expect(200);
    assert!(browser.submit(&page, &by_password).await.is_signed_in(), "the browser is trusted");
    site.phone(ada.id, "+33199001234").await;
    let page = browser.get(&again).await.expect(200);
    let asked = browser.submit(&page, &by_password).await.expect(200);
    assert!(!asked.begins_session() && asked.body.contains("sms-begin"), "{asked:?}");
}

#[tokio::test]
async fn a_number_of_another_account_is_refused_only_to_who_has_the_phone() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let (web, ada, eve) = (site.app("web").await, site.user("ada").await, site.user("eve").await);
    let mut hers = site.sign_in(&web, &ada).await;
    let page = asked(&mut hers, NEW).await.expect(200);
    let first = code(&h, NEW).await;
    let _ = hers.submit(&page, &[("action", "confirm"), ("code", &first)]).await.expect(303);
    h.advance(1);
    let mut browser = site.sign_in(&web, &eve).await;
    let page = asked(&mut browser, NEW).await.expect(200);
    assert!(page.body.contains("phone-confirm"), "asking tells nothing: {page:?}");
    let second = code(&h, NEW).await;
    let taken = browser.submit(&page, &[("action", "confirm"), ("code", &second)]).await.expect(200);
    assert!(taken.body.contains("Another account has this number"), "{taken:?}");
    assert_eq!(number_of(&site, &eve).await, None);
}

#[tokio::test]
async fn a_number_needs_a_recent_sign_in_and_codes_and_guesses_are_counted() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    for bad in ["", "02079460777", "+44 20 x", "+1"] {
        let again = asked(&mut browser, bad).await.expect(200);
        assert!(again.body.contains("Enter a phone number"), "{again:?}");
    }
    let page = asked(&mut browser, NEW).await.expect(200);
    let right = code(&h, NEW).await;
    let bad = if right == "000000" { "000001" } else { "000000" };
    for _ in 0..5 {
        let _ = browser.submit(&page, &[("action", "confirm"), ("code", bad)]).await.expect(200);
    }
    let late = browser.submit(&page, &[("action", "confirm"), ("code", &right)]).await.expect(200);
    assert!(late.body.contains("That code is wrong"), "{late:?}");
    for _ in 0..4 {
        let _ = asked(&mut browser, NEW).await.expect(200);
    }
    let sixth = asked(&mut browser, NEW).await.expect(200);
    assert!(sixth.body.contains("Too many attempts"), "{sixth:?}");
    let body = Some(json!({ "phone_number": NEW }));
    let refused = own(&site, &ada, (Method::POST, "/phone"), body.clone()).await;
    assert!(!refused.expect_problem(429, "rate_limited").header("retry-after").is_empty());
    let old = token_of(&site, &ada, 16 * 60);
    let _ = site.call(Method::POST, "/api/v1/identity/phone", Some(&old), body).await.expect(401);
    h.advance(15 * 60 + 1);
    let late = browser.get("/account/phone").await.expect(200);
    assert!(late.body.contains("login-submit"), "{late:?}");
}

#[tokio::test]
async fn where_text_messages_are_off_there_are_no_numbers() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    let _ = browser.get("/account/phone").await.expect(404);
    let overview = browser.get("/account").await.expect(200);
    assert!(!overview.body.contains("/account/phone"), "{overview:?}");
    let _ = own(&site, &ada, (Method::GET, "/phone"), None).await.expect(404);
}

#[tokio::test]
async fn where_a_tenant_has_switched_text_messages_off_nothing_is_sent_or_proven_by_the_api_either() {
    let h = harness().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let asked = |number: &str| Some(json!({ "phone_number": number }));
    let begun = own(&site, &ada, (Method::POST, "/phone"), asked(NEW)).await.expect(200).json();
    let proof = Some(json!({ "flow": begun["flow"], "code": code(&h, NEW).await }));
    let off = json!({ "settings": { "disabled_capabilities": ["sms"] } });
    let token = site.mint(|_| ());
    let _ = site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), Some(off)).await.expect(200);
    let _ = h.informed_app().await;
    let sent = h.texts().await.len();
    for (call, body) in [
        ((Method::GET, "/phone"), None),
        ((Method::POST, "/phone"), asked("+442079460778")),
        ((Method::POST, "/phone/confirm"), proof),
        ((Method::DELETE, "/phone"), None),
    ] {
        let _ = own(&site, &ada, call, body).await.expect_problem(404, "not_found");
    }
    assert_eq!(h.texts().await.len(), sent);
}
