//! Registration by a mailed code, without a password: nothing is kept before the address is proven, and nothing is told of accounts.

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_http::Method;

use crate::account::own;
use crate::changes::left_by;
use crate::harness::browser::Form;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness, Site};
use crate::sent_codes::{at_once, digits_in, refused, wrong};

const GRACE: &str = "grace@new.example";

async fn harness_with(settings: &[(&str, &str)]) -> Harness {
    Harness::with(&[&[("SVC_EMAIL_OTP__ENABLED", "true")], settings].concat()).await
}

struct World<'h> {
    site: Site<'h>,
    web: Client<'h>,
}

async fn world(h: &Harness) -> World<'_> {
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    World { site, web }
}

impl<'h> World<'h> {
    async fn form(&self, browser: &mut Browser<'h>, verifier: &str) -> Answer {
        let page = browser.get(&self.web.authorize_path(verifier, &[])).await.expect(200);
        browser.get(&page.link("register-link")).await.expect(200)
    }

    /// The page that asks for the code.
    async fn asked(&self, browser: &mut Browser<'h>, address: &str) -> Answer {
        let form = self.form(browser, &self.web.verifier()).await;
        browser.submit(&form, &[("email", address), ("by", "code")]).await
    }

    /// The page that asks for the name of a newcomer.
    async fn proven(&self, browser: &mut Browser<'h>, address: &str) -> Answer {
        let page = self.asked(browser, address).await.expect(200);
        browser.submit(&page, &[("code", &self.code().await)]).await.expect(200)
    }

    /// The code of the newest mail.
    async fn code(&self) -> String {
        let newest = self.site.harness.newest_mail().await;
        digits_in(&newest.text).unwrap_or_else(|| panic!("no code in {newest:?}"))
    }
}

async fn accounts(h: &Harness) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    tx.one(SystemSql::new("SELECT COUNT(*) AS n FROM accounts"), args![]).await.unwrap().int("n").unwrap()
}

fn state(page: &Answer) -> String {
    Form::of(page).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1
}

async fn told(home: &World<'_>, entered: &Answer, verifier: String) -> Value {
    let code = Code { code: entered.redirect_param("code").unwrap(), verifier };
    claims(home.web.exchange(&code).await.expect(200).json()["id_token"].as_str().unwrap())
}

#[tokio::test]
async fn a_newcomer_registers_with_an_address_and_its_code_and_comes_back_by_another() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let (mut browser, verifier) = (home.site.browser(), home.web.verifier());
    let before = accounts(&h).await;
    let form = home.form(&mut browser, &verifier).await;
    let page = browser.submit(&form, &[("email", GRACE), ("by", "code")]).await.expect(200);
    let mail = h.mails().await.remove(0);
    assert_eq!((mail.to.as_str(), mail.links.is_empty()), (GRACE, true), "{mail:?}");
    assert_eq!(mail.subject, "Tenant main: your code to create an account");
    let code = home.code().await;
    refused(&browser.submit(&page, &[("code", &wrong(&code))]).await);
    let named = browser.submit(&page, &[("code", &code)]).await.expect(200);
    assert!(!named.begins_session() && named.body.contains("register-name-submit"), "{named:?}");
    assert_eq!(accounts(&h).await, before, "no account before its name is known");
    let nameless = browser.submit(&named, &[("name", " ")]).await.expect(200);
    assert!(nameless.body.contains("name-fault"), "{nameless:?}");
    let mut entered = None;
    let [actions, events] = left_by(&h, async {
        entered = Some(browser.submit(&nameless, &[("name", "Grace Hopper")]).await);
    })
    .await;
    let entered = entered.unwrap();
    assert!(entered.is_signed_in() && entered.begins_session(), "{entered:?}");
    assert!(actions.iter().any(|action| action == "tenant_user.created"), "{actions:?}");
    assert!(events.iter().any(|event| event == "admin.user.created"), "{events:?}");
    let first = told(&home, &entered, verifier).await;
    assert_eq!((&first["amr"], &first["acr"]), (&json!(["otp"]), &json!("urn:svc:aal1")));
    // The next time a code signs in.
    h.advance(60);
    let (mut other, verifier) = (home.site.browser(), home.web.verifier());
    let page = other.get(&home.web.authorize_path(&verifier, &[])).await.expect(200);
    let form = other.get(&page.link("email-otp-link")).await.expect(200);
    let page = other.submit(&form, &[("username", GRACE)]).await.expect(200);
    let entered = other.submit(&page, &[("code", &home.code().await)]).await;
    assert_eq!(told(&home, &entered, verifier).await["sub"], first["sub"]);
}

#[tokio::test]
async fn an_address_that_has_an_account_gets_the_code_that_signs_in_and_the_page_is_the_same() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let ada = home.site.user("ada").await;
    let unproven = home.site.user("bob").await;
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = SystemSql::new("UPDATE accounts SET email_verified = $1 WHERE email = $2");
    tx.execute(update, args![false, unproven.email.as_str()]).await.unwrap();
    tx.commit().await.unwrap();
    let mut seen = Vec::new();
    for address in [GRACE, ada.email.as_str(), unproven.email.as_str()] {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, address).await;
        let again = browser.submit(&page, &[("code", "not a code")]).await;
        refused(&again);
        seen.push(((page.status, page.shown(address)), (again.status, again.shown(address))));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
    let mut subjects: Vec<_> = h.mails().await.into_iter().map(|mail| (mail.to, mail.subject)).collect();
    subjects.sort();
    let subject = |to: &str| subjects.iter().find(|(known, _)| known == to).unwrap().1.clone();
    assert_eq!(subjects.len(), 3, "{subjects:?}");
    assert_eq!(subject(&ada.email), "Tenant main: your code to sign in");
    assert_eq!(subject(&unproven.email), "Tenant main: sign in with your account");

    h.advance(1);
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &ada.email).await.expect(200);
    let entered = browser.submit(&page, &[("code", &home.code().await)]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn an_account_with_a_second_factor_is_asked_for_more_than_the_code() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let ada = home.site.user("ada").await;
    home.site.second_factor(ada.id).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &ada.email).await.expect(200);
    let next = browser.submit(&page, &[("code", &home.code().await)]).await.expect(200);
    assert!(!next.begins_session() && next.body.contains("totp-submit"), "{next:?}");
}

#[tokio::test]
async fn a_code_and_a_name_count_once_whatever_is_sent_at_once_or_again() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let before = accounts(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, GRACE).await.expect(200);
    let code = home.code().await;
    let mut browsers: Vec<_> = (0..4).map(|_| browser.clone()).collect();
    let answers = at_once(&mut browsers, (&page, &code)).await;
    let won: Vec<_> = answers.iter().filter(|answer| answer.body.contains("register-name-submit")).collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    let mut tab = browser.clone();
    let (a, b) = tokio::join!(
        browser.submit(won[0], &[("name", "Grace")]),
        tab.submit(won[0], &[("name", "Grace too")])
    );
    assert_eq!([&a, &b].iter().filter(|answer| answer.begins_session()).count(), 1, "{a:?} {b:?}");
    let again = browser.submit(won[0], &[("name", "Grace")]).await;
    assert!(!again.begins_session(), "{again:?}");
    assert_eq!(accounts(&h).await, before + 1);
}

#[tokio::test]
async fn two_browsers_that_prove_the_same_address_make_one_account() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let (mut one, mut two) = (home.site.browser(), home.site.browser());
    let first = home.proven(&mut one, GRACE).await;
    h.advance(1);
    let second = home.proven(&mut two, GRACE).await;
    let (a, b) =
        tokio::join!(one.submit(&first, &[("name", "Grace")]), two.submit(&second, &[("name", "Grace")]));
    assert_eq!([&a, &b].iter().filter(|answer| answer.begins_session()).count(), 1, "{a:?} {b:?}");
}

#[tokio::test]
async fn no_step_is_skipped_and_every_step_stays_in_its_browser_and_its_time() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, GRACE).await.expect(200);
    let flow = state(&page);
    let _ = browser.post("/auth/register/name", &[("flow", &flow), ("name", "Grace")]).await.expect(403);
    let code = home.code().await;
    let _ = home.site.browser().submit(&page, &[("code", &code)]).await.expect(403);
    let named = browser.submit(&page, &[("code", &code)]).await.expect(200);
    let _ = home.site.browser().submit(&named, &[("name", "Grace")]).await.expect(403);
    let flow = state(&named);
    let _ = browser.post("/auth/register/code", &[("flow", &flow), ("code", &code)]).await.expect(403);
    h.advance(16 * 60);
    let late = browser.submit(&named, &[("name", "Grace")]).await;
    assert!(late.status >= 400 && !late.begins_session(), "{late:?}");
    let mut other = home.site.browser();
    let page = home.asked(&mut other, GRACE).await.expect(200);
    h.advance(301);
    refused(&other.submit(&page, &[("code", &home.code().await)]).await);
}

#[tokio::test]
async fn a_code_to_an_account_is_over_with_the_credentials_of_the_time_when_it_was_sent() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let ada = home.site.user("ada").await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, &ada.email).await.expect(200);
    let code = home.code().await;
    h.advance(1);
    let other = Some(json!({ "password": "relay tangerine lighthouse" }));
    let _ = own(&home.site, &ada, (Method::PUT, "/password"), other).await.expect(204);
    assert!(!browser.submit(&page, &[("code", &code)]).await.expect(200).begins_session());
}

#[tokio::test]
async fn a_new_code_ends_the_one_that_it_replaces() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, GRACE).await.expect(200);
    let earlier = home.code().await;
    h.advance(1);
    let renewed = browser.submit(&page, &[("begin", "yes")]).await.expect(200);
    let newer = home.code().await;
    refused(&browser.submit(&page, &[("code", &earlier)]).await);
    let named = browser.submit(&renewed, &[("code", &newer)]).await.expect(200);
    assert!(named.body.contains("register-name-submit"), "{named:?}");
}

#[tokio::test]
async fn it_is_offered_where_codes_and_registration_are_and_a_code_would_be_enough() {
    for settings in [
        &[("SVC_EMAIL_OTP__ENABLED", "false")][..],
        &[("SVC_EMAIL_OTP__REGISTRATION_ENABLED", "false")],
        &[("SVC_TWO_FACTOR__REQUIRED", "true")],
    ] {
        let h = harness_with(settings).await;
        let home = world(&h).await;
        let mut browser = home.site.browser();
        let form = home.form(&mut browser, &home.web.verifier()).await;
        assert!(!form.body.contains("register-code"), "{settings:?}: {form:?}");
        // A person who asks for it all the same gets the link.
        let sent = browser.submit(&form, &[("email", GRACE), ("by", "code")]).await.expect(200);
        assert!(!sent.body.contains("register-code"), "{settings:?}: {sent:?}");
        assert_eq!(h.mails().await[0].links.len(), 1, "{settings:?}");
    }
}

#[tokio::test]
async fn what_is_switched_off_meanwhile_ends_registrations_under_way() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let (mut one, mut two) = (home.site.browser(), home.site.browser());
    let named = home.proven(&mut one, GRACE).await;
    let asked = home.asked(&mut two, "new@new.example").await.expect(200);
    let token = home.site.mint(|_| ());
    let body = json!({ "settings": { "registration": false } });
    let call = (Method::PATCH, "/api/v1/tenant-settings");
    let _ = home.site.call(call.0, call.1, Some(&token), Some(body)).await.expect(200);
    let _ = h.informed_app().await;
    let before = accounts(&h).await;
    let _ = one.submit(&named, &[("name", "Grace")]).await.expect(404);
    let _ = two.submit(&asked, &[("code", "123456")]).await.expect(404);
    assert_eq!(accounts(&h).await, before);
}

#[tokio::test]
async fn codes_bear_few_guesses_and_an_inbox_is_not_flooded() {
    let h = harness_with(&[("SVC_EMAIL_OTP__MAX_ATTEMPTS", "2")]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, GRACE).await.expect(200);
    let code = home.code().await;
    for _ in 0..2 {
        refused(&browser.submit(&page, &[("code", &wrong(&code))]).await);
    }
    refused(&browser.submit(&page, &[("code", &code)]).await);
    for _ in 0..6 {
        let _ = home.asked(&mut home.site.browser(), GRACE).await.expect(200);
    }
    assert_eq!(h.mails().await.len(), 5);
}

#[tokio::test]
async fn a_guest_keeps_the_account_by_a_code() {
    let h = harness_with(&[("SVC_ANONYMOUS__ENABLED", "true")]).await;
    let home = world(&h).await;
    let (mut browser, verifier) = (home.site.browser(), home.web.verifier());
    let page = browser.get(&home.web.authorize_path(&verifier, &[])).await.expect(200);
    let entered = browser.submit(&page, &[("method", "anonymous")]).await;
    let guest = told(&home, &entered, verifier).await;
    h.advance(1);
    let before = accounts(&h).await;
    let verifier = home.web.verifier();
    let path = home.web.authorize_path(&verifier, &[("prompt", "create")]);
    let form = browser.get(&path).await.expect(200);
    let page = browser.submit(&form, &[("email", GRACE), ("by", "code")]).await.expect(200);
    let named = browser.submit(&page, &[("code", &home.code().await)]).await.expect(200);
    let entered = browser.submit(&named, &[("name", "Grace")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert_eq!(told(&home, &entered, verifier).await["sub"], guest["sub"]);
    assert_eq!(accounts(&h).await, before);
}
