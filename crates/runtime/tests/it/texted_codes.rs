//! Sign-in and second factor by a code sent by text message: used once on every node, bounded, bound to the browser, and silent about
//! accounts; and how the messages leave.

use serde_json::{Value, json};
use svc_domain::claims::assurance::Level;
use svc_http::Method;
use svc_keys::webhook::Signed;

use crate::account::own;
use crate::harness::client::claims;
use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Browser, Client, Code, Harness, Person, Site};
use crate::sent_codes::{at_once, refused, wrong};

const NUMBER: &str = "+442079460777";
const UNKNOWN: &str = "+442079460778";

struct World<'h> {
    site: Site<'h>,
    client: Client<'h>,
    ada: Person,
}

async fn harness_with(settings: &[(&str, &str)]) -> Harness {
    Harness::with(&[&[("SVC_SMS__ENABLED", "true")], settings].concat()).await
}

async fn harness() -> Harness {
    harness_with(&[]).await
}

async fn world(h: &Harness) -> World<'_> {
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let ada = site.user("ada").await;
    site.phone(ada.id, NUMBER).await;
    World { site, client, ada }
}

impl<'h> World<'h> {
    /// The form that asks for the number.
    async fn form(&self, browser: &mut Browser<'h>, verifier: &str) -> Answer {
        let page = browser.get(&self.client.authorize_path(verifier, &[])).await.expect(200);
        browser.get(&page.link("sms-link")).await.expect(200)
    }

    /// The page that asks for the code.
    async fn asked(&self, browser: &mut Browser<'h>, number: &str) -> Answer {
        let form = self.form(browser, &self.client.verifier()).await;
        browser.submit(&form, &[("phone", number)]).await
    }

    /// The code of the newest text message.
    async fn code(&self) -> String {
        let texts = self.site.harness.texts().await;
        let newest = texts.iter().max_by_key(|text| (text.sent_at, text.id)).expect("a text message");
        newest.body.split(' ').next().unwrap().to_owned()
    }

    /// Sends the password, and asks for a code as the second proof.
    async fn second(&self, browser: &mut Browser<'h>, verifier: &str) -> Answer {
        let page = browser.get(&self.client.authorize_path(verifier, &[])).await.expect(200);
        let fields = [("username", self.ada.username.as_str()), ("password", self.ada.password.as_str())];
        let next = browser.submit(&page, &fields).await.expect(200);
        assert!(!next.begins_session() && next.body.contains("sms-begin"), "{next:?}");
        browser.submit(&next, &[("method", "sms"), ("begin", "yes")]).await.expect(200)
    }
}

async fn claims_of(home: &World<'_>, entered: &Answer, verifier: String) -> Value {
    let code = Code { code: entered.redirect_param("code").unwrap(), verifier };
    claims(home.client.exchange(&code).await.expect(200).json()["id_token"].as_str().unwrap())
}

/// How the attempts in Ada's history were made, the latest first.
async fn noted(home: &World<'_>) -> Vec<Value> {
    let path = format!("/api/v1/tenant-users/{}/login-history", home.ada.id);
    let token = home.site.mint(|_| ());
    let history = home.site.call(Method::GET, &path, Some(&token), None).await.expect(200).json();
    history["data"].as_array().unwrap().iter().map(|login| login["amr"].clone()).collect()
}

#[tokio::test]
async fn a_texted_code_signs_in_once_and_counts_as_one_factor() {
    let h = harness().await;
    let home = world(&h).await;
    let (mut browser, verifier) = (home.site.browser(), home.client.verifier());
    let form = home.form(&mut browser, &verifier).await;
    let page = browser.submit(&form, &[("phone", "+44 20 7946 0777")]).await.expect(200);
    assert!(page.body.contains("autocomplete=\"one-time-code\""), "{page:?}");
    let texts = h.texts().await;
    assert_eq!((texts.len(), texts[0].to.as_str()), (1, NUMBER));
    let (code, rest) = texts[0].body.split_once(' ').unwrap();
    let expected = "is your code to sign in at Tenant main. It works for 5 minutes. Give it to no one.";
    assert_eq!((code.len(), rest), (6, expected));
    let mut other = browser.clone();
    let entered = browser.submit(&page, &[("code", &format!("{} {}", &code[..3], &code[3..]))]).await;
    assert!(entered.begins_session(), "{entered:?}");
    let claims = claims_of(&home, &entered, verifier).await;
    assert_eq!((&claims["amr"], &claims["acr"]), (&json!(["sms"]), &json!(Level::Aal1.acr())));
    refused(&other.submit(&page, &[("code", code)]).await);
}

#[tokio::test]
async fn a_texted_code_counts_with_marks_of_direction_around_it_and_in_the_digits_of_any_keyboard() {
    let h = harness().await;
    let home = world(&h).await;
    for is_marked in [true, false] {
        h.advance(1);
        let mut browser = home.site.browser();
        let path = home.client.authorize_path(&home.client.verifier(), &[("ui_locales", "ar")]);
        let page = browser.get(&path).await.expect(200);
        let form = browser.get(&page.link("sms-link")).await.expect(200);
        let number = [("phone", "\u{202A}+44 20 7946 0777\u{202C}")];
        let page = browser.submit(&form, &number).await.expect(200);
        let code = home.code().await;
        let digits = code.chars().filter_map(|letter| letter.to_digit(10));
        let wide: String = digits.filter_map(|digit| char::from_u32(0xFF10 + digit)).collect();
        let typed = if is_marked { format!("\u{2068}{code}\u{2069}") } else { wide };
        let entered = browser.submit(&page, &[("code", &typed)]).await;
        assert!(entered.begins_session(), "{typed:?}: {entered:?}");
    }
}

#[tokio::test]
async fn a_code_is_texted_in_the_language_of_the_account_also_where_a_stranger_asks() {
    let h = harness().await;
    let home = world(&h).await;
    let change = Some(json!({ "locale": "de" }));
    let _ = own(&home.site, &home.ada, (Method::PATCH, "/profile"), change).await.expect(200);
    let mut browser = home.site.browser();
    let path = home.client.authorize_path(&home.client.verifier(), &[("ui_locales", "fr")]);
    let page = browser.get(&path).await.expect(200);
    let form = browser.get(&page.link("sms-link")).await.expect(200);
    let asked = browser.submit(&form, &[("phone", NUMBER)]).await.expect(200);
    assert!(asked.body.contains("<html lang=\"fr\""), "{asked:?}");
    let texts = h.texts().await;
    assert!(texts[0].body.contains("ist Ihr Code zur Anmeldung"), "{texts:?}");
}

#[tokio::test]
async fn of_many_texted_answers_at_once_one_enters() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, NUMBER).await.expect(200);
    let code = home.code().await;
    let mut browsers: Vec<_> = (0..4).map(|_| browser.clone()).collect();
    let answers = at_once(&mut browsers, (&page, &code)).await;
    assert_eq!(answers.iter().filter(|answer| answer.begins_session()).count(), 1, "{answers:?}");
}

#[tokio::test]
async fn asking_for_texts_and_guessing_tell_nothing_about_accounts() {
    let h = harness().await;
    let home = world(&h).await;
    let mut seen = Vec::new();
    for number in [NUMBER, UNKNOWN] {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, number).await;
        let again = browser.submit(&page, &[("code", "not a code")]).await;
        refused(&again);
        seen.push(((page.status, page.shown(number)), (again.status, again.shown(number)), page.body.len()));
    }
    assert_eq!(seen[0], seen[1]);
    let texts = h.texts().await;
    assert_eq!(texts.iter().map(|text| text.to.as_str()).collect::<Vec<_>>(), [NUMBER]);
}

#[tokio::test]
async fn a_texted_code_bears_few_guesses_even_at_once_and_a_number_locks_for_everybody_alike() {
    let h =
        harness_with(&[("SVC_SMS__MAX_ATTEMPTS", "3"), ("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "6")]).await;
    let home = world(&h).await;
    let mut locked = Vec::new();
    for number in [NUMBER, UNKNOWN] {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, number).await.expect(200);
        let code = if number == NUMBER { home.code().await } else { "123456".to_owned() };
        let mut browsers: Vec<_> = (0..4).map(|_| browser.clone()).collect();
        for answer in at_once(&mut browsers, (&page, &wrong(&code))).await {
            refused(&answer);
        }
        refused(&browser.submit(&page, &[("code", &code)]).await);
        refused(&browser.submit(&page, &[("code", &code)]).await);
        let last = browser.submit(&page, &[("code", &code)]).await;
        refused(&last);
        locked.push((last.status, last.shown(number)));
    }
    assert_eq!(locked[0].0, 429, "{locked:?}");
    assert_eq!(locked[0], locked[1]);
    // The lock is of texted codes only.
    let _ = home.site.sign_in(&home.client, &home.ada).await;
}

#[tokio::test]
async fn a_texted_code_is_over_in_time_and_works_in_its_own_browser_only() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, NUMBER).await.expect(200);
    let code = home.code().await;
    let foreign = home.site.browser().submit(&page, &[("code", &code)]).await;
    assert!(!foreign.begins_session() && foreign.status == 403, "{foreign:?}");
    h.advance(301);
    refused(&browser.submit(&page, &[("code", &code)]).await);
}

#[tokio::test]
async fn a_texted_code_is_over_with_the_credentials_of_the_time_when_it_was_sent() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, NUMBER).await.expect(200);
    let code = home.code().await;
    h.advance(1);
    let other = Some(json!({ "password": "relay tangerine lighthouse" }));
    let _ = own(&home.site, &home.ada, (Method::PUT, "/password"), other).await.expect(204);
    assert!(!browser.submit(&page, &[("code", &code)]).await.expect(200).begins_session());
}

#[tokio::test]
async fn a_new_texted_code_ends_the_one_that_it_replaces() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, NUMBER).await.expect(200);
    let earlier = home.code().await;
    h.advance(1);
    let renewed = browser.submit(&page, &[("begin", "yes"), ("phone", NUMBER)]).await.expect(200);
    let newer = home.code().await;
    refused(&browser.submit(&page, &[("code", &earlier)]).await);
    let entered = browser.submit(&renewed, &[("code", &newer)]).await;
    assert!(entered.begins_session(), "{entered:?}");
}

#[tokio::test]
async fn a_phone_is_not_flooded_and_the_page_does_not_say_so() {
    let h = harness_with(&[("SVC_SMS__MAX_PER_HOUR", "3")]).await;
    let home = world(&h).await;
    let mut seen = Vec::new();
    for _ in 0..5 {
        let page = home.asked(&mut home.site.browser(), NUMBER).await;
        seen.push((page.status, page.shown(NUMBER)));
    }
    assert_eq!(h.texts().await.len(), 3);
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
    h.advance(3601);
    let _ = home.asked(&mut home.site.browser(), NUMBER).await;
    assert_eq!(h.texts().await.len(), 4);
}

#[tokio::test]
async fn one_requester_gets_few_texts_whatever_the_numbers() {
    let h = harness_with(&[("SVC_AUTH__REGISTRATION_RATE_LIMIT_MAX", "2")]).await;
    let home = world(&h).await;
    for number in ["+442079460001", "+442079460002"] {
        let _ = home.asked(&mut home.site.browser(), number).await.expect(200);
    }
    let _ = home.asked(&mut home.site.browser(), NUMBER).await.expect(429);
    assert_eq!(h.texts().await.len(), 0);
}

#[tokio::test]
async fn where_a_second_factor_is_demanded_a_texted_code_is_one() {
    let h = harness_with(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let home = world(&h).await;
    let (mut browser, verifier) = (home.site.browser(), home.client.verifier());
    let page = home.second(&mut browser, &verifier).await;
    assert!(!page.body.contains(NUMBER) && page.body.contains("777"), "{page:?}");
    let code = home.code().await;
    refused(&browser.submit(&page, &[("code", &wrong(&code))]).await);
    let mut other = browser.clone();
    let entered = browser.submit(&page, &[("code", &code)]).await;
    assert!(entered.begins_session(), "{entered:?}");
    let claims = claims_of(&home, &entered, verifier).await;
    assert_eq!(claims["amr"], json!(["pwd", "sms", "mfa"]));
    assert_eq!(claims["acr"], json!(Level::Aal2.acr()));
    assert!(!other.submit(&page, &[("code", &code)]).await.begins_session());
}

#[tokio::test]
async fn a_texted_code_alone_is_not_enough_where_a_second_factor_is_demanded() {
    let h = harness_with(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, NUMBER).await.expect(200);
    let next = browser.submit(&page, &[("code", &home.code().await)]).await.expect(200);
    assert!(!next.begins_session() && next.body.contains("login-submit"), "{next:?}");
    let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
    assert!(browser.submit(&next, &fields).await.begins_session());
}

#[tokio::test]
async fn guesses_at_a_second_factor_by_text_lock_the_account_s_second_factor() {
    let h = harness_with(&[
        ("SVC_TWO_FACTOR__REQUIRED", "true"),
        ("SVC_SMS__MAX_ATTEMPTS", "10"),
        ("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "3"),
    ])
    .await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.second(&mut browser, &home.client.verifier()).await;
    let code = home.code().await;
    for _ in 0..3 {
        refused(&browser.submit(&page, &[("code", &wrong(&code))]).await);
    }
    let locked = browser.submit(&page, &[("code", &code)]).await;
    assert_eq!(locked.status, 429, "{locked:?}");
    assert_eq!(noted(&home).await, vec![json!(["sms"]); 3]);
}

#[tokio::test]
async fn where_text_messages_are_off_there_is_no_way_to_ask_for_one() {
    for settings in [&[][..], &[("SVC_SMS__ENABLED", "true"), ("SVC_PHONE__PROVIDER", "none")]] {
        let h = Harness::with(settings).await;
        let home = world(&h).await;
        let mut browser = home.site.browser();
        let page = browser.get(&home.client.authorize_path(&home.client.verifier(), &[])).await.expect(200);
        assert!(!page.body.contains("sms-"), "{page:?}");
        let fields = [("method", "sms"), ("begin", "yes"), ("phone", NUMBER)];
        let refused = browser.submit(&page, &fields).await;
        assert_eq!((refused.status, h.texts().await.len()), (404, 0), "{refused:?}");
    }
}

#[tokio::test]
async fn a_gateway_gets_each_message_with_its_token_and_a_signature_and_is_asked_again() {
    let gateway = Publisher::start().await;
    gateway.answer_with("/sms", "503 Service Unavailable\r\nretry-after: 7", "");
    let url = gateway.url("/sms");
    let h = harness_with(&[
        ("SVC_PHONE__PROVIDER", "http"),
        ("SVC_PHONE__HTTP__URL", &url),
        ("SVC_PHONE__HTTP__BEARER_TOKEN", "a-token-of-the-gateway"),
        ("SVC_PHONE__HTTP__SIGNING_SECRET", "a-secret-for-signatures"),
    ])
    .await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, NUMBER).await.expect(200);
    h.run_jobs().await;
    gateway.answer_with("/sms", "202 Accepted", "{}");
    h.advance(8);
    h.run_jobs().await;
    let posted = gateway.requests("/sms");
    assert_eq!(posted.len(), 2, "{posted:?}");
    let head = posted[1].head.to_ascii_lowercase();
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap();
    assert_eq!(header("authorization"), "bearer a-token-of-the-gateway");
    let signed = Signed {
        timestamp: header("x-svc-timestamp").parse().unwrap(),
        max_age: 300,
        event: "sms",
        delivery: header("x-svc-delivery"),
        body: &posted[1].bytes,
    };
    assert_eq!(header("x-svc-signature-256"), signed.signatures(["a-secret-for-signatures"]));
    assert!(posted[0].head.to_ascii_lowercase().contains(header("idempotency-key")));
    let body: Value = serde_json::from_str(&posted[1].content).unwrap();
    assert_eq!((body["to"].as_str(), body.as_object().unwrap().len()), (Some(NUMBER), 2));
    let code = body["body"].as_str().unwrap().split(' ').next().unwrap();
    assert!(browser.submit(&page, &[("code", code)]).await.begins_session());
}

#[tokio::test]
async fn a_message_that_a_full_disk_does_not_take_waits_and_the_page_does_not_say_so() {
    if !cfg!(target_os = "linux") {
        return;
    }
    // Every write to it fails as one to a full disk does.
    let h = harness_with(&[("SVC_PHONE__LOG__SINK", "file:/dev/full")]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let (known, unknown) =
        (home.asked(&mut browser, NUMBER).await, home.asked(&mut home.site.browser(), UNKNOWN).await);
    assert_eq!((known.status, unknown.status), (200, 200));
    for _ in 0..2 {
        h.run_jobs().await;
        h.advance(8);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("texts.jsonl");
    let sink = format!("file:{}", file.display());
    let settings = [("SVC_SMS__ENABLED", "true"), ("SVC_PHONE__LOG__SINK", &sink)];
    let with_room = h.restarted_with(&settings).await;
    with_room.advance(60);
    for _ in 0..2 {
        with_room.run_jobs().await;
    }
    let written = std::fs::read_to_string(&file).unwrap();
    let [line] = written.lines().collect::<Vec<_>>().try_into().unwrap();
    let text: Value = serde_json::from_str(line).unwrap();
    assert_eq!(text["to"], NUMBER);
    let code = text["body"].as_str().unwrap().split(' ').next().unwrap();
    assert!(browser.submit(&known, &[("code", code)]).await.begins_session());
}

#[tokio::test]
async fn a_message_that_comes_too_late_is_not_sent_any_more() {
    let gateway = Publisher::start().await;
    gateway.answer_with("/sms", "503 Service Unavailable", "");
    let url = gateway.url("/sms");
    let h = harness_with(&[("SVC_PHONE__PROVIDER", "http"), ("SVC_PHONE__HTTP__URL", &url)]).await;
    let home = world(&h).await;
    let _ = home.asked(&mut home.site.browser(), NUMBER).await.expect(200);
    h.run_jobs().await;
    h.advance(301);
    h.run_jobs().await;
    assert_eq!(gateway.requests("/sms").len(), 1);
}

#[tokio::test]
async fn strangers_use_up_nothing_of_what_the_owner_of_a_number_gets() {
    let h = harness_with(&[("SVC_SMS__MAX_PER_HOUR", "3"), ("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let home = world(&h).await;
    for _ in 0..5 {
        let _ = home.asked(&mut home.site.browser(), NUMBER).await.expect(200);
    }
    assert_eq!(h.texts().await.len(), 3);
    h.advance(1);
    // After a first proof.
    let (mut browser, verifier) = (home.site.browser(), home.client.verifier());
    let page = home.second(&mut browser, &verifier).await;
    assert_eq!(h.texts().await.len(), 4);
    let code = home.code().await;
    let entered = browser.submit(&page, &[("method", "sms"), ("code", &code)]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // In a browser of former sign-ins.
    browser.cookies.retain(|name, _| !name.contains("session"));
    let _ = home.asked(&mut browser, NUMBER).await.expect(200);
    assert_eq!(h.texts().await.len(), 5);
    let _ = home.asked(&mut home.site.browser(), NUMBER).await.expect(200);
    assert_eq!(h.texts().await.len(), 5);
}

#[tokio::test]
async fn a_texted_code_is_as_long_and_counts_for_as_long_as_the_deployment_says() {
    let h = harness_with(&[("SVC_SMS__CODE_LENGTH", "8"), ("SVC_SMS__LIFETIME_SECS", "120")]).await;
    let home = world(&h).await;
    for (later, is_taken) in [(119, true), (120, false)] {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, NUMBER).await.expect(200);
        let code = home.code().await;
        assert!(code.len() == 8 && code.bytes().all(|letter| letter.is_ascii_digit()), "{code}");
        let texts = h.texts().await;
        let text = texts.iter().max_by_key(|text| (text.sent_at, text.id)).unwrap();
        assert!(text.body.contains("2 minutes"), "{text:?}");
        h.advance(later);
        let answer = browser.submit(&page, &[("code", &code)]).await;
        assert_eq!(answer.begins_session(), is_taken, "{later}: {answer:?}");
    }
}
