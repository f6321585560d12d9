//! Sign-in by a code sent by mail: used once on every node, bounded, bound to the browser, and silent about accounts.

use serde_json::json;
use svc_db::{args, quiet_system_sql};
use svc_domain::claims::assurance::Level;
use svc_http::Method;

use crate::account::factors::{code as app_code, with_app};
use crate::account::own;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness, Person, Site};
use crate::organizations::accepted_ways::offers;
use crate::sent_codes::{at_once, digits_in, refused, wrong};

struct World<'h> {
    site: Site<'h>,
    client: Client<'h>,
    ada: Person,
}

async fn harness() -> Harness {
    Harness::with(&[("SVC_EMAIL_OTP__ENABLED", "true")]).await
}

async fn world(h: &Harness) -> World<'_> {
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let ada = site.user("ada").await;
    World { site, client, ada }
}

impl<'h> World<'h> {
    /// The form that asks for the address.
    async fn form(&self, browser: &mut Browser<'h>, verifier: &str) -> Answer {
        let page = browser.get(&self.client.authorize_path(verifier, &[])).await.expect(200);
        browser.get(&page.link("email-otp-link")).await.expect(200)
    }

    /// The page that asks for the code.
    async fn asked(&self, browser: &mut Browser<'h>, address: &str) -> Answer {
        let form = self.form(browser, &self.client.verifier()).await;
        browser.submit(&form, &[("username", address)]).await
    }

    /// The code of the newest mail.
    async fn code(&self) -> String {
        let newest = self.site.harness.newest_mail().await;
        digits_in(&newest.text).unwrap_or_else(|| panic!("no code in {newest:?}"))
    }
}

/// As it is where the person has made no password.
async fn without_password(world: &World<'_>) {
    let forget = quiet_system_sql!("a test", "UPDATE accounts SET password = NULL WHERE email = $1");
    let mut tx = world.site.harness.app().db.begin_system().await.unwrap();
    tx.execute(forget, args![&world.ada.email]).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_mailed_code_signs_in_once_and_counts_as_one_factor() {
    let h = harness().await;
    let home = world(&h).await;
    let (mut browser, verifier) = (home.site.browser(), home.client.verifier());
    let form = home.form(&mut browser, &verifier).await;
    let page = browser.submit(&form, &[("username", &home.ada.email)]).await.expect(200);
    assert!(page.body.contains("autocomplete=\"one-time-code\""), "{page:?}");
    let mails = h.mails().await;
    let mailed = digits_in(&mails[0].text).unwrap();
    assert!(mails[0].html.contains(&mailed) && mails[0].links.is_empty(), "{:?}", mails[0]);
    let mut other = browser.clone();
    let entered = browser.submit(&page, &[("code", &format!("{} {}", &mailed[..3], &mailed[3..]))]).await;
    assert!(entered.begins_session(), "{entered:?}");
    let code = Code { code: entered.redirect_param("code").unwrap(), verifier };
    let claims = claims(home.client.exchange(&code).await.expect(200).json()["id_token"].as_str().unwrap());
    assert_eq!((&claims["amr"], &claims["acr"]), (&json!(["otp"]), &json!(Level::Aal1.acr())));
    refused(&other.submit(&page, &[("code", &mailed)]).await);
}

#[tokio::test]
async fn of_many_answers_at_once_one_enters() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &home.ada.email).await.expect(200);
    let code = home.code().await;
    let mut browsers: Vec<_> = (0..4).map(|_| browser.clone()).collect();
    let answers = at_once(&mut browsers, (&page, &code)).await;
    assert_eq!(answers.iter().filter(|answer| answer.begins_session()).count(), 1, "{answers:?}");
}

#[tokio::test]
async fn asking_and_guessing_tell_nothing_about_accounts() {
    let h = harness().await;
    let home = world(&h).await;
    let mut seen = Vec::new();
    for address in [home.ada.email.as_str(), "eve@main.example"] {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, address).await;
        let again = browser.submit(&page, &[("code", "not a code")]).await;
        refused(&again);
        seen.push((
            (page.status, page.shown(address)),
            (again.status, again.shown(address)),
            page.body.len(),
        ));
    }
    assert_eq!(seen[0], seen[1]);
    let mails = h.mails().await;
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), [home.ada.email.as_str()]);
}

#[tokio::test]
async fn a_code_bears_few_guesses_even_at_once() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &home.ada.email).await.expect(200);
    let code = home.code().await;
    let bad = wrong(&code);
    let mut browsers: Vec<_> = (0..5).map(|_| browser.clone()).collect();
    for answer in at_once(&mut browsers, (&page, &bad)).await {
        refused(&answer);
    }
    refused(&browser.submit(&page, &[("code", &code)]).await);
}

#[tokio::test]
async fn a_code_is_over_in_time_and_works_in_its_own_browser_only() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &home.ada.email).await.expect(200);
    let code = home.code().await;
    let foreign = home.site.browser().submit(&page, &[("code", &code)]).await;
    assert!(!foreign.begins_session() && foreign.status == 403, "{foreign:?}");
    h.advance(301);
    refused(&browser.submit(&page, &[("code", &code)]).await);
}

#[tokio::test]
async fn a_code_is_over_with_the_credentials_of_the_time_when_it_was_sent() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &home.ada.email).await.expect(200);
    let code = home.code().await;
    h.advance(1);
    let other = Some(json!({ "password": "relay tangerine lighthouse" }));
    let _ = own(&home.site, &home.ada, (Method::PUT, "/password"), other).await.expect(204);
    assert!(!browser.submit(&page, &[("code", &code)]).await.expect(200).begins_session());
}

#[tokio::test]
async fn a_new_code_ends_the_one_that_it_replaces() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &home.ada.email).await.expect(200);
    let earlier = home.code().await;
    h.advance(1);
    let renewed = browser.submit(&page, &[("begin", "yes"), ("username", &home.ada.email)]).await.expect(200);
    let newer = home.code().await;
    refused(&browser.submit(&page, &[("code", &earlier)]).await);
    let entered = browser.submit(&renewed, &[("code", &newer)]).await;
    assert!(entered.begins_session(), "{entered:?}");
}

#[tokio::test]
async fn who_has_a_second_factor_is_asked_for_password_and_factor_after_a_mailed_code() {
    let h = harness().await;
    let home = world(&h).await;
    home.site.second_factor(home.ada.id).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &home.ada.email).await.expect(200);
    let next = browser.submit(&page, &[("code", &home.code().await)]).await.expect(200);
    assert!(!next.begins_session(), "{next:?}");
    assert!(["login-submit", "totp-submit"].iter().all(|id| next.body.contains(id)), "{next:?}");
    let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
    let last = browser.submit(&next, &fields).await.expect(200);
    assert!(!last.begins_session() && last.body.contains("totp-submit"), "{last:?}");
    assert!(!last.body.contains("login-submit"), "{last:?}");
}

#[tokio::test]
async fn who_has_an_app_and_no_password_proves_the_app_before_a_passkey_is_set_up() {
    let h = harness().await;
    let world = world(&h).await;
    let key = with_app(&world.site, &world.ada).await;
    h.advance(30);
    without_password(&world).await;
    let mut browser = world.site.browser();
    let page = world.asked(&mut browser, &world.ada.email).await;
    let asked = browser.submit(&page, &[("code", &world.code().await)]).await;
    offers(&asked, &["totp-code"], &["set-up-passkey-submit", "login-submit"]);
    let code = app_code(&world.site, &key);
    let asked = browser.submit(&asked, &[("code", &code)]).await;
    offers(&asked, &["set-up-passkey-submit"], &["totp-code"]);
    assert!(!asked.begins_session(), "{asked:?}");
}

#[tokio::test]
async fn who_has_an_app_and_can_add_nothing_is_asked_for_none_and_sent_to_choose_a_password() {
    let h = Harness::with(&[("SVC_EMAIL_OTP__ENABLED", "true"), ("SVC_PASSKEY__ENABLED", "false")]).await;
    let world = world(&h).await;
    let key = with_app(&world.site, &world.ada).await;
    h.advance(30);
    without_password(&world).await;
    let mut browser = world.site.browser();
    let page = world.asked(&mut browser, &world.ada.email).await;
    let page = browser.submit(&page, &[("code", &world.code().await)]).await;
    offers(&page, &["login-submit", "forgot-link"], &["totp-code"]);
    assert!(page.body.contains("it has no password yet") && !page.begins_session(), "{page:?}");
    let path = "/api/v1/audit?action=session.created";
    let token = world.site.mint(|_| ());
    let list = world.site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    let entries = list["data"].as_array().unwrap();
    let outcomes: Vec<_> = entries.iter().map(|entry| &entry["outcome"]).collect();
    assert_eq!(outcomes, ["denied"], "{entries:?}");

    h.advance(30);
    let forgot = browser.get(&page.link("forgot-link")).await.expect(200);
    let _ = browser.submit(&forgot, &[("username", &world.ada.username)]).await.expect(200);
    let newest = h.newest_mail().await;
    let link = newest.links.iter().find(|link| link.contains("token=")).expect("a link");
    let secret = link.split_once("token=").unwrap().1;
    let choosing = browser.get(&format!("/auth/reset?token={secret}")).await.expect(200);
    let _ = browser.submit(&choosing, &[("password", "another long passphrase")]).await.expect(200);
    let mails = h.mails().await;
    let told = |words: &str| mails.iter().filter(|mail| mail.subject.contains(words)).count();
    assert_eq!((told("your account has a password now"), told("was changed")), (1, 0), "{mails:?}");
    let page = browser.get(&world.client.authorize_path(&world.client.verifier(), &[])).await.expect(200);
    let fields = [("username", world.ada.username.as_str()), ("password", "another long passphrase")];
    let asked = browser.submit(&page, &fields).await;
    offers(&asked, &["totp-code"], &[]);
    let entered = browser.submit(&asked, &[("code", &app_code(&world.site, &key))]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn an_inbox_is_not_flooded_and_the_page_does_not_say_so() {
    let h = harness().await;
    let home = world(&h).await;
    let mut seen = Vec::new();
    for _ in 0..7 {
        let page = home.asked(&mut home.site.browser(), &home.ada.email).await;
        seen.push((page.status, page.shown(&home.ada.email)));
    }
    assert_eq!(h.mails().await.len(), 5);
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[tokio::test]
async fn where_mailed_codes_are_off_there_is_no_way_to_ask_for_one() {
    let h = Harness::new().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = browser.get(&home.client.authorize_path(&home.client.verifier(), &[])).await.expect(200);
    assert!(!page.body.contains("email-otp"), "{page:?}");
    let fields = [("method", "email_otp"), ("begin", "yes"), ("username", home.ada.email.as_str())];
    let refused = browser.submit(&page, &fields).await;
    assert_eq!((refused.status, h.mails().await.len()), (404, 0), "{refused:?}");
}

#[tokio::test]
async fn a_mailed_code_is_as_long_and_counts_for_as_long_as_the_deployment_says() {
    let h = Harness::with(&[
        ("SVC_EMAIL_OTP__ENABLED", "true"),
        ("SVC_EMAIL_OTP__CODE_LENGTH", "8"),
        ("SVC_EMAIL_OTP__LIFETIME_SECS", "120"),
    ])
    .await;
    let home = world(&h).await;
    for (later, is_taken) in [(119, true), (120, false)] {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, &home.ada.email).await.expect(200);
        let mail = h.newest_mail().await;
        let is_code = |line: &&str| line.len() == 8 && line.bytes().all(|letter| letter.is_ascii_digit());
        let code = mail.text.lines().find(is_code).unwrap_or_else(|| panic!("no code in {mail:?}"));
        assert!(mail.text.contains("2 minutes"), "{mail:?}");
        h.advance(later);
        let answer = browser.submit(&page, &[("code", code)]).await;
        assert_eq!(answer.begins_session(), is_taken, "{later}: {answer:?}");
    }
}
