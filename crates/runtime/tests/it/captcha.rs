//! Challenges against automated registration, recovery and guessing, of our own and of a provider.

use serde_json::json;
use svc_keys::sha256;

use crate::harness::browser::Form;
use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Browser, Harness};

const OWN: &[(&str, &str)] = &[
    ("SVC_CAPTCHA__ENABLED", "true"),
    ("SVC_CAPTCHA__SECRET_KEY", "a-long-random-text-of-the-deployment"),
    ("SVC_CAPTCHA__PROOF_OF_WORK_BITS", "8"),
    ("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "true"),
];

/// The challenge of a page.
fn challenge(page: &Answer) -> String {
    let hidden = Form::of(page).hidden;
    hidden.into_iter().find(|(name, _)| name == "captcha_challenge").expect("a challenge").1
}

/// The number that a browser would find.
fn solved(challenge: &str) -> String {
    let (salt, bits) = (challenge.split('.').next().unwrap(), challenge.split('.').nth(2).unwrap());
    let bits: u32 = bits.parse().unwrap();
    let is_enough = |n: &u64| {
        let digest = sha256(format!("{salt}.{n}").as_bytes());
        u64::from_be_bytes(*digest.first_chunk().unwrap()).leading_zeros() >= bits
    };
    (0_u64..1_000_000).find(is_enough).unwrap().to_string()
}

async fn forgot(browser: &mut Browser<'_>, answer: Option<&str>) -> Answer {
    let page = browser.get("/auth/forgot").await.expect(200);
    ask(browser, &page, answer).await
}

async fn ask(browser: &mut Browser<'_>, page: &Answer, answer: Option<&str>) -> Answer {
    let answer = answer.map(|answer| ("captcha_answer", answer));
    let fields: Vec<_> = [("username", "ada@main.example")].into_iter().chain(answer).collect();
    browser.submit(page, &fields).await
}

fn is_sent(answer: &Answer) -> bool {
    answer.body.contains("resend-submit")
}

async fn wrong(browser: &mut Browser<'_>, page: &Answer) -> Answer {
    browser.submit(page, &[("username", "ada"), ("password", "wrong horse")]).await
}

#[tokio::test]
async fn recovery_asks_for_work_once_and_remembers_the_browser_for_a_while() {
    let h = Harness::with(OWN).await;
    let site = h.tenant("main").await;
    site.user("ada").await;
    let mut browser = site.browser();
    let page = browser.get("/auth/forgot").await.expect(200);
    let challenge = challenge(&page);
    let missing = ask(&mut browser, &page, None).await;
    assert!(missing.body.contains("confirm that you are not a robot"), "{missing:?}");
    let wrong = ask(&mut browser, &page, Some("1x")).await;
    assert!(wrong.body.contains("That check failed"), "{wrong:?}");
    assert!(h.mails().await.is_empty());
    let answer = solved(&challenge);
    assert!(is_sent(&ask(&mut browser, &page, Some(&answer)).await));
    // In the same browser nothing has to be shown for ten minutes; then the same answer counts no more.
    assert!(is_sent(&ask(&mut browser, &page, None).await));
    h.advance(601);
    assert!(!is_sent(&ask(&mut browser, &page, Some(&answer)).await));
}

#[tokio::test]
async fn a_challenge_comes_with_the_words_for_a_script_that_does_not_load() {
    let h = Harness::with(OWN).await;
    let site = h.tenant("main").await;
    let page = site.browser().get("/auth/forgot").await.expect(200);
    let line = "<p class=\"captcha-failed\" role=\"status\" hidden>The check for robots could not be loaded.";
    assert!(page.body.contains(line), "{page:?}");
}

#[tokio::test]
async fn an_answer_counts_once_in_its_own_browser_and_tenant_only() {
    let h = Harness::with(OWN).await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let mut browser = site.browser();
    let page = browser.get("/auth/forgot").await.expect(200);
    let (challenge, answer) = (challenge(&page), solved(&challenge(&page)));
    for stranger in [&site, &other] {
        let mut browser = stranger.browser();
        let page = browser.get("/auth/forgot").await.expect(200);
        let mut form = Form::of(&page);
        form.hidden.retain(|(name, _)| name != "captcha_challenge");
        let fields: Vec<_> =
            form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let stolen =
            [("captcha_challenge", challenge.as_str()), ("captcha_answer", &answer), ("username", "ada")];
        let refused = browser.post("/auth/forgot", &[&fields[..], &stolen].concat()).await;
        assert!(!is_sent(&refused));
    }
    assert!(is_sent(&ask(&mut browser, &page, Some(&answer)).await));
}

#[tokio::test]
async fn a_challenge_that_was_changed_or_is_too_old_is_refused() {
    let h = Harness::with(OWN).await;
    let site = h.tenant("main").await;
    let mut browser = site.browser();
    let page = browser.get("/auth/forgot").await.expect(200);
    let given = challenge(&page);
    let easier = given.replacen(".8.", ".0.", 1);
    let flow = Form::of(&page).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1;
    let fields = [
        ("flow", flow.as_str()),
        ("username", "ada"),
        ("captcha_challenge", &easier),
        ("captcha_answer", "1"),
    ];
    let refused = browser.post("/auth/forgot", &fields).await;
    assert!(!is_sent(&refused));
    h.advance(601);
    let late = ask(&mut browser, &page, Some(&solved(&given))).await;
    assert!(!is_sent(&late) && late.body.contains("That check failed"), "{late:?}");
}

#[tokio::test]
async fn sign_in_asks_after_a_few_wrong_passwords_and_judges_nothing_before_the_answer() {
    let h = Harness::with(&[OWN, &[("SVC_CAPTCHA__AFTER_WRONG_PASSWORDS", "2")]].concat()).await;
    let site = h.tenant("main").await;
    let (ada, client) = (site.user("ada").await, site.app("web").await);
    let mut browser = site.browser();
    let verifier = client.verifier();
    let mut page = browser.follow(&client.authorize_path(&verifier, &[])).await;
    for _ in 0..2 {
        page = wrong(&mut browser, &page).await;
        assert!(!page.body.contains("captcha_challenge"), "{page:?}");
    }
    // Not even the right password is judged now.
    let right = [("username", ada.username.as_str()), ("password", &ada.password)];
    let page = browser.submit(&page, &right).await;
    assert!(page.body.contains("confirm that you are not a robot"), "{page:?}");
    let answer = solved(&challenge(&page));
    let entered = browser.submit(&page, &[&right[..], &[("captcha_answer", &answer)]].concat()).await;
    assert!(entered.redirect_param("code").is_some(), "{entered:?}");
    // Where a person has signed in before, wrong passwords are counted by themselves.
    let mut page = browser.follow(&client.authorize_path(&verifier, &[("prompt", "login")])).await;
    for _ in 0..3 {
        page = wrong(&mut browser, &page).await;
        assert!(!page.body.contains("captcha_challenge"), "{page:?}");
    }
}

#[tokio::test]
async fn a_form_that_asks_where_to_send_a_message_has_the_browser_work_at_once() {
    let more = [
        ("SVC_MAGIC_LINK__ENABLED", "true"),
        ("SVC_EMAIL_OTP__ENABLED", "true"),
        ("SVC_SMS__ENABLED", "true"),
    ];
    let h = Harness::with(&[OWN, &more].concat()).await;
    let site = h.tenant("main").await;
    let (ada, client) = (site.user("ada").await, site.app("web").await);
    for (link, field, to) in [
        ("magic-link-link", "username", ada.email.as_str()),
        ("email-otp-link", "username", ada.email.as_str()),
        ("sms-link", "phone", "+44 20 7946 0123"),
    ] {
        let (mut browser, verifier) = (site.browser(), client.verifier());
        let page = browser.follow(&client.authorize_path(&verifier, &[])).await;
        assert!(!page.body.contains("captcha_challenge"), "{page:?}");
        let form = browser.get(&page.link(link)).await.expect(200);
        let answer = solved(&challenge(&form));
        let missing = browser.submit(&form, &[(field, to)]).await;
        assert!(missing.body.contains("confirm that you are not a robot"), "{missing:?}");
        let sent = browser.submit(&form, &[(field, to), ("captcha_answer", &answer)]).await;
        assert!(sent.body.contains("-resend") && !sent.body.contains("captcha_challenge"), "{sent:?}");
    }
}

#[tokio::test]
async fn a_provider_is_asked_and_what_it_says_counts() {
    let provider = Publisher::start().await;
    let url = provider.url("/siteverify");
    let settings = [
        ("SVC_CAPTCHA__ENABLED", "true"),
        ("SVC_CAPTCHA__PROVIDER", "turnstile"),
        ("SVC_CAPTCHA__SECRET_KEY", "turnstile-secret"),
        ("SVC_CAPTCHA__SITE_KEY", "site-key"),
        ("SVC_CAPTCHA__VERIFY_URL", url.as_str()),
    ];
    let h = Harness::with(&settings).await;
    let site = h.tenant("main").await;
    let mut browser = site.browser();
    let page = browser.get("/auth/forgot").await.expect(200);
    assert!(page.body.contains("class=\"cf-turnstile\" data-sitekey=\"site-key\""), "{page:?}");
    assert!(page.header("content-security-policy").contains("frame-src https://challenges.cloudflare.com"));
    let answered = async |browser: &mut Browser<'_>, page: &Answer| {
        let fields = [("username", "ada"), ("cf-turnstile-response", "token-of-the-widget")];
        browser.submit(page, &fields).await
    };
    let unknown = answered(&mut browser, &page).await;
    assert!(unknown.body.contains("cannot be made right now"), "{unknown:?}");
    provider.publish("/siteverify", &json!({ "success": false, "error-codes": ["timeout-or-duplicate"] }), 0);
    let refused = answered(&mut browser, &page).await;
    assert!(refused.body.contains("That check failed"), "{refused:?}");
    provider.publish("/siteverify", &json!({ "success": true }), 0);
    assert!(is_sent(&answered(&mut browser, &page).await));
    let asked = provider.posted("/siteverify").pop().unwrap();
    for part in ["secret=turnstile-secret", "response=token-of-the-widget", "remoteip="] {
        assert!(asked.contains(part), "{asked}");
    }
}

#[tokio::test]
async fn without_the_provider_a_form_goes_through_only_where_the_configuration_says_so() {
    let settings = [
        ("SVC_CAPTCHA__ENABLED", "true"),
        ("SVC_CAPTCHA__PROVIDER", "hcaptcha"),
        ("SVC_CAPTCHA__SECRET_KEY", "hcaptcha-secret"),
        ("SVC_CAPTCHA__SITE_KEY", "site-key"),
        ("SVC_CAPTCHA__VERIFY_URL", "http://127.0.0.1:1/siteverify"),
        ("SVC_CAPTCHA__FAIL_MODE", "fail-open"),
    ];
    let h = Harness::with(&settings).await;
    let site = h.tenant("main").await;
    let mut browser = site.browser();
    assert!(!is_sent(&forgot(&mut browser, None).await), "an answer is asked for all the same");
    let page = browser.get("/auth/forgot").await.expect(200);
    let fields = [("username", "ada"), ("h-captcha-response", "token")];
    assert!(is_sent(&browser.submit(&page, &fields).await));
}
