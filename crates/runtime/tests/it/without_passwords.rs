//! A tenant without passwords: no one is asked for one, is mailed one or chooses one there, and who has nothing else gets in by mail.

use serde_json::{Value, json};
use svc_domain::people::credentials::Owner;
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::tenant_users;
use svc_http::Method;
use svc_testkit::Authenticator;

use crate::account::factors::{code, with_app};
use crate::account::own;
use crate::apply::apply_text;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};
use crate::organizations::accepted_ways::{by_code, flow_of, offers};
use crate::organizations::join;
use crate::social::connectors::connect;

const MAILED: &[(&str, &str)] = &[("SVC_EMAIL_OTP__ENABLED", "true"), ("SVC_MAGIC_LINK__ENABLED", "true")];
const SETTINGS: &str = "/api/v1/tenant-settings";

async fn set(site: &Site<'_>, settings: Value) -> Answer {
    let body = json!({ "settings": settings });
    site.call(Method::PATCH, SETTINGS, Some(&site.mint(|_| ())), Some(body)).await
}

async fn without(site: &Site<'_>, names: &[&str]) -> Answer {
    let answer = set(site, json!({ "registration": true, "disabled_capabilities": names })).await;
    let _ = site.harness.informed_app().await;
    answer
}

/// A tenant that goes without passwords, an application of it, and Ada, who has one and nothing else.
struct World<'h> {
    site: Site<'h>,
    web: Client<'h>,
    ada: Person,
}

impl<'h> World<'h> {
    async fn new(h: &'h Harness) -> Self {
        let site = h.tenant("acme").await;
        let (web, ada) = (site.app("web").await, site.user("ada").await);
        let _ = without(&site, &["password"]).await.expect(200);
        Self { site, web, ada }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.site.call(method, path, Some(&self.site.mint(|_| ())), body).await
    }

    async fn sign_in_page(&self, browser: &mut Browser<'h>) -> Answer {
        browser.get(&self.web.authorize_path("v", &[])).await
    }

    /// The path of the link in the newest mail.
    async fn link(&self) -> String {
        let newest = self.site.harness.newest_mail().await;
        let link = newest.text.split_whitespace().find(|word| word.contains("?token=")).unwrap();
        link.strip_prefix(self.site.issuer()).unwrap().to_owned()
    }

    async fn has_password(&self, address: &str) -> bool {
        let mut tx = self.site.harness.app().db.read(self.site.tenant.id).await.unwrap();
        let found = tenant_users::find_by_identifier(&mut tx, address).await.unwrap().unwrap();
        found.password.is_some()
    }
}

#[tokio::test]
async fn who_has_a_password_alone_gets_in_by_mail() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    offers(&page, &["email-otp-link", "magic-link-link"], &["login-submit", "password", "forgot-link"]);
    let flow = flow_of(&page);
    let known = [("username", world.ada.username.as_str()), ("password", &world.ada.password)];
    for method in [None, Some("password")] {
        let fields = [("flow", flow.as_str())].into_iter().chain(known);
        let fields: Vec<_> = fields.chain(method.map(|method| ("method", method))).collect();
        let refused = browser.post("/auth/sign-in", &fields).await;
        assert!(refused.status == 404 && !refused.begins_session(), "{refused:?}");
    }
    let entered = by_code(&h, &mut browser, &page, &world.ada.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // The other tenant of the deployment is as it was.
    let other = h.tenant("other").await;
    let (web, bob) = (other.app("web").await, other.user("bob").await);
    assert!(!web.tokens(&bob).await.access_token().is_empty());
}

#[tokio::test]
async fn the_form_to_register_by_a_code_speaks_of_no_password() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("acme").await;
    let web = site.app("web").await;
    for (switched_off, expected) in [(0, "instead of a password"), (1, "Email me a code")] {
        let _ = without(&site, &["password"][..switched_off]).await.expect(200);
        let mut browser = site.browser();
        let page = browser.get(&web.authorize_path("v", &[])).await.expect(200);
        let form = browser.get(&page.link("register-link")).await.expect(200);
        assert!(form.body.contains("id=\"register-code\"") && form.body.contains(expected), "{form:?}");
    }
}

#[tokio::test]
async fn who_has_an_app_for_codes_is_asked_for_one_behind_the_mailed_code() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let key = with_app(&world.site, &world.ada).await;
    h.advance(30);
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let asked = by_code(&h, &mut browser, &page, &world.ada.email).await.expect(200);
    offers(&asked, &["totp-code"], &["login-submit", "set-up-totp-begin"]);
    assert!(!asked.begins_session(), "{asked:?}");
    let refused = browser.submit(&asked, &[("code", "000000")]).await;
    offers(&refused, &["totp-code"], &[]);
    let skipped = browser.get(&format!("/auth/continue?flow={}", flow_of(&page))).await;
    assert_ne!(skipped.status, 303, "{skipped:?}");
    let entered = browser.submit(&refused, &[("code", &code(&world.site, &key))]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // A mailbox is none of two factors, and the session says so.
    let strong = ("claims", r#"{"id_token":{"acr":{"essential":true,"value":"urn:svc:aal2"}}}"#);
    let again = browser.get(&world.web.authorize_path("v", &[strong])).await;
    assert!(!again.is_signed_in(), "{again:?}");
}

/// The state that the forms of a page send on.
pub fn state_of(page: &Answer) -> String {
    let after = page.body.split("name=\"flow\" value=\"").nth(1).unwrap_or_else(|| panic!("{page:?}"));
    after.split('"').next().unwrap().to_owned()
}

/// What the script of a page with a passkey sends: the state of the challenge and the answer of a new device.
async fn passkey_of(
    world: &World<'_>,
    browser: &mut Browser<'_>,
    (path, fields): (&str, &[(&str, &str)]),
    seed: u8,
) -> (String, String) {
    let begun = browser.post(path, fields).await.expect(200).json();
    let made = Authenticator::new(seed).create(&begun["shown"], world.site.issuer()).unwrap();
    (begun["flow"].as_str().unwrap().to_owned(), made.to_string())
}

/// A tenant that demands two factors besides, which no mailed code can be.
async fn demanding(h: &Harness) -> World<'_> {
    let world = World::new(h).await;
    let _ = set(&world.site, json!({ "second_factor_required": true })).await.expect(200);
    let _ = h.informed_app().await;
    world
}

#[tokio::test]
async fn where_more_is_demanded_than_mail_a_newcomer_makes_a_passkey() {
    let h = Harness::with(MAILED).await;
    let world = demanding(&h).await;
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let form = browser.get(&page.link("register-link")).await.expect(200);
    let _ = browser.submit(&form, &[("email", "grace@new.example")]).await.expect(200);
    let page = browser.get(&world.link().await).await;
    offers(&page, &["name", "verify-passkey"], &["password", "verify-submit"]);
    let sent = [("flow", state_of(&page)), ("name", "Grace".to_owned())];
    let fields = sent.each_ref().map(|(name, value)| (*name, value.as_str()));
    let without = browser.post("/auth/verify", &fields).await;
    offers(&without, &["verify-passkey"], &["verify-submit"]);
    let (flow, answer) = passkey_of(&world, &mut browser, ("/auth/verify/passkey", &fields), 1).await;
    let fields = [("flow", flow.as_str()), ("name", "Grace"), ("answer", &answer)];
    let entered = browser.post("/auth/verify", &fields).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert!(!world.has_password("grace@new.example").await);
}

#[tokio::test]
async fn where_more_is_demanded_than_mail_who_is_invited_makes_a_passkey() {
    let h = Harness::with(MAILED).await;
    let world = demanding(&h).await;
    let body = json!({ "email": "grace@new.example", "invite": true });
    let _ = world.call(Method::POST, "/api/v1/tenant-users", Some(body)).await.expect(201);
    let mut browser = world.site.browser();
    let page = browser.get(&world.link().await).await;
    offers(&page, &["verify-passkey"], &["password", "verify-submit", "name"]);
    let flow = state_of(&page);
    let challenge = ("/auth/verify/passkey", &[("flow", flow.as_str())][..]);
    let (flow, answer) = passkey_of(&world, &mut browser, challenge, 1).await;
    let done = browser.post("/auth/verify", &[("flow", flow.as_str()), ("answer", &answer)]).await;
    assert_eq!(done.status, 200, "{done:?}");

    let organization = world.site.organization("initech", world.ada.id).await;
    let path = format!("/api/v1/organizations/{}/invitations", organization.id);
    h.advance(1);
    let body = json!({ "email": "alan@new.example", "roles": [] });
    let _ = world.call(Method::POST, &path, Some(body)).await.expect(201);
    let page = browser.get(&world.link().await).await;
    offers(&page, &["verify-passkey", "name"], &["password", "invitation-submit"]);
    let flow = state_of(&page);
    let path = "/auth/organization-invitation";
    let fields = [("flow", flow.as_str()), ("name", "Alan")];
    let challenge = format!("{path}/passkey");
    let (flow, answer) = passkey_of(&world, &mut browser, (&challenge, &fields), 2).await;
    let fields = [("flow", flow.as_str()), ("name", "Alan"), ("answer", &answer)];
    let done = browser.post(path, &fields).await.expect(200);
    assert!(done.body.contains("member of the organization now"), "{done:?}");
    assert!(!world.has_password("alan@new.example").await);
}

#[tokio::test]
async fn where_more_is_demanded_than_mail_a_passkey_is_set_up_behind_it() {
    let h = Harness::with(MAILED).await;
    let world = demanding(&h).await;
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let asked = by_code(&h, &mut browser, &page, &world.ada.email).await;
    offers(&asked, &["set-up-passkey-submit"], &["login-submit", "set-up-totp-begin"]);
    assert!(!asked.begins_session(), "{asked:?}");
    let flow = state_of(&asked);
    let fields = [("flow", flow.as_str()), ("method", "set_up_passkey")];
    let (flow, answer) = passkey_of(&world, &mut browser, ("/auth/challenge", &fields), 1).await;
    let fields = [("flow", flow.as_str()), ("method", "set_up_passkey"), ("answer", answer.as_str())];
    let entered = browser.post("/auth/sign-in", &fields).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // The answer counts once.
    let again = world.site.browser().post("/auth/sign-in", &fields).await;
    assert!(!again.begins_session(), "{again:?}");
}

#[tokio::test]
async fn passwords_stay_where_no_mailed_way_does() {
    let h = Harness::new().await;
    let site = h.tenant("acme").await;
    let refused = without(&site, &["password"]).await.expect_problem(400, "bad_request").json();
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.starts_with("disabled_capabilities: ") && detail.contains("keep one of them"), "{detail}");
    let file =
        "[[tenant]]\nslug = 'globex'\nname = 'Globex'\nsettings = { disabled_capabilities = ['password'] }\n";
    let refused = apply_text(&h, file).await.unwrap_err();
    assert!(refused.contains("disabled_capabilities: "), "{refused}");

    let h = Harness::with(MAILED).await;
    let site = h.tenant("acme").await;
    let _ = without(&site, &["password", "magic_link"]).await.expect(200);
    let refused = without(&site, &["password", "magic_link", "email_otp"]).await.expect(400);
    assert!(refused.body.contains("keep one of them"), "{refused:?}");
    let told = site.call(Method::GET, SETTINGS, Some(&site.mint(|_| ())), None).await.expect(200).json();
    let is_password = |one: &&Value| one["name"] == "password";
    let told = told["capabilities"].as_array().unwrap().iter().find(is_password).cloned();
    assert_eq!(told, Some(json!({ "name": "password", "enabled": false })));
    assert!(apply_text(&h, file).await.is_ok());
    // Switched on again, the old password counts again.
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let _ = without(&site, &[]).await.expect(200);
    assert!(!web.tokens(&ada).await.access_token().is_empty());
}

#[tokio::test]
async fn a_newcomer_confirms_the_address_and_chooses_no_password() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let form = browser.get(&page.link("register-link")).await.expect(200);
    let _ = browser.submit(&form, &[("email", "grace@new.example")]).await.expect(200);
    let page = browser.get(&world.link().await).await;
    offers(&page, &["name", "verify-submit", "verify-passkey"], &["password"]);
    let fields = [("name", "Grace"), ("password", "compiler nanosecond moth")];
    let entered = browser.submit(&page, &fields).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert!(!world.has_password("grace@new.example").await);
    h.advance(1);
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let entered = by_code(&h, &mut browser, &page, "grace@new.example").await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn who_is_invited_chooses_no_password_and_gets_in_by_mail() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let body = json!({ "email": "grace@new.example", "invite": true });
    let _ = world.call(Method::POST, "/api/v1/tenant-users", Some(body)).await.expect(201);
    let mut browser = world.site.browser();
    let page = browser.get(&world.link().await).await;
    offers(&page, &["verify-submit"], &["password"]);
    let _ = browser.submit(&page, &[]).await.expect(200);
    h.advance(1);
    let page = world.sign_in_page(&mut browser).await;
    let entered = by_code(&h, &mut browser, &page, "grace@new.example").await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn who_is_invited_to_an_organization_chooses_no_password_either() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let organization = world.site.organization("initech", world.ada.id).await;
    let path = format!("/api/v1/organizations/{}/invitations", organization.id);
    let body = json!({ "email": "grace@new.example", "roles": [] });
    let _ = world.call(Method::POST, &path, Some(body)).await.expect(201);
    let mut browser = world.site.browser();
    let page = browser.get(&world.link().await).await;
    offers(&page, &["name", "invitation-submit"], &["password"]);
    let _ = browser.submit(&page, &[("name", "Grace")]).await.expect(200);
    assert!(!world.has_password("grace@new.example").await);
    h.advance(1);
    let page = world.sign_in_page(&mut browser).await;
    let entered = by_code(&h, &mut browser, &page, "grace@new.example").await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn what_another_person_may_have_chosen_for_an_address_opens_it_nowhere() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("acme").await;
    let web = site.app("web").await;
    let admin = site.mint(|_| ());
    let body = json!({ "email": "grace@new.example" });
    let made = site.call(Method::POST, "/api/v1/tenant-users", Some(&admin), Some(body)).await.expect(201);
    let path = format!("/api/v1/tenant-users/{}/password", made.json()["id"].as_str().unwrap());
    let known = "compiler nanosecond moth";
    let _ = site.call(Method::PUT, &path, Some(&admin), Some(json!({ "password": known }))).await.expect(204);
    let _ = without(&site, &["password"]).await.expect(200);
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path("v", &[])).await;
    let form = browser.get(&page.link("register-link")).await.expect(200);
    let _ = browser.submit(&form, &[("email", "grace@new.example")]).await.expect(200);
    let mail = h.mails().await.remove(0);
    let link = mail.text.split_whitespace().find(|word| word.contains("?token=")).unwrap();
    let page = browser.get(link.strip_prefix(site.issuer()).unwrap()).await;
    offers(&page, &["verify-submit"], &["password"]);
    let entered = browser.submit(&page, &[]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // Where passwords count again, the one that an administrator knew is gone.
    let _ = without(&site, &[]).await.expect(200);
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path("v", &[])).await;
    let refused = browser.submit(&page, &[("username", "grace@new.example"), ("password", known)]).await;
    assert!(!refused.begins_session(), "{refused:?}");
}

#[tokio::test]
async fn who_has_an_app_proves_it_before_a_passkey_is_set_up() {
    let h = Harness::with(MAILED).await;
    let world = demanding(&h).await;
    let key = with_app(&world.site, &world.ada).await;
    h.advance(30);
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let asked = by_code(&h, &mut browser, &page, &world.ada.email).await;
    offers(&asked, &["totp-code"], &["set-up-passkey-submit"]);
    let flow = state_of(&asked);
    let fields = [("flow", flow.as_str()), ("method", "set_up_passkey")];
    assert_eq!(browser.post("/auth/challenge", &fields).await.status, 404);
    let asked = browser.submit(&asked, &[("code", &code(&world.site, &key))]).await;
    offers(&asked, &["set-up-passkey-submit"], &["totp-code"]);
    let flow = state_of(&asked);
    let fields = [("flow", flow.as_str()), ("method", "set_up_passkey")];
    let (flow, answer) = passkey_of(&world, &mut browser, ("/auth/challenge", &fields), 1).await;
    let fields = [("flow", flow.as_str()), ("method", "set_up_passkey"), ("answer", answer.as_str())];
    let entered = browser.post("/auth/sign-in", &fields).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn a_member_whose_address_is_not_proven_proves_it_by_the_mailed_code() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let body = json!({ "email": "grace@new.example", "name": "Grace" });
    let made = world.call(Method::POST, "/api/v1/tenant-users", Some(body)).await.expect(201).json();
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let entered = by_code(&h, &mut browser, &page, "grace@new.example").await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let path = format!("/api/v1/tenant-users/{}", made["id"].as_str().unwrap());
    let person = world.call(Method::GET, &path, None).await.expect(200).json();
    assert_eq!(person["email_verified"], true, "{person}");
    // Where there are passwords, a code goes to proven addresses alone.
    let _ = without(&world.site, &[]).await.expect(200);
    let body = json!({ "email": "alan@new.example", "name": "Alan" });
    let _ = world.call(Method::POST, "/api/v1/tenant-users", Some(body)).await.expect(201);
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let form = browser.get(&page.link("email-otp-link")).await.expect(200);
    let _ = browser.submit(&form, &[("username", "alan@new.example")]).await.expect(200);
    assert!(h.mails().await.iter().all(|mail| mail.to != "alan@new.example"));
}

#[tokio::test]
async fn nothing_recovers_a_password_and_no_link_from_before_sets_one() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("acme").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let form = browser.get("/auth/forgot").await.expect(200);
    let _ = browser.submit(&form, &[("username", &ada.email)]).await.expect(200);
    let _ = without(&site, &["password"]).await.expect(200);
    let world = World { site, web, ada };
    let link = world.link().await;
    assert!(link.starts_with("/auth/reset?token="), "{link}");
    let guardians = "/auth/guardians/ask";
    for path in ["/auth/forgot", "/auth/forgot/password", "/.well-known/change-password", &link, guardians] {
        let _ = browser.get(path).await.expect(404);
    }
    assert_eq!(browser.submit(&form, &[("username", &world.ada.email)]).await.status, 404);
    let person = format!("/api/v1/tenant-users/{}", world.ada.id);
    let body = Some(json!({ "password": "compiler nanosecond moth" }));
    let _ = world.call(Method::PUT, &format!("{person}/password"), body).await.expect(404);
    let _ = world.call(Method::POST, &format!("{person}/recovery"), None).await.expect(404);
}

#[tokio::test]
async fn the_account_centre_and_its_api_know_no_password() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let page = world.sign_in_page(&mut browser).await;
    assert!(by_code(&h, &mut browser, &page, &world.ada.email).await.is_signed_in());
    let page = browser.get("/account").await.expect(200);
    assert!(!page.body.contains("/account/password") && !page.body.contains("Password"), "{page:?}");
    let _ = browser.get("/account/password").await.expect(404);
    let body = Some(json!({ "password": "compiler nanosecond moth" }));
    let _ = own(&world.site, &world.ada, (Method::PUT, "/password"), body).await.expect(404);
    // A passkey is the last way in, though there is a password that nothing asks for.
    let asked = Some(json!({ "use": "passkey" }));
    let begun = own(&world.site, &world.ada, (Method::POST, "/passkeys"), asked).await.expect(200).json();
    let answer = Authenticator::new(1).create(&begun["options"], world.site.issuer()).unwrap();
    let proof = Some(json!({ "flow": begun["flow"], "answer": answer, "name": "Key" }));
    let _ = own(&world.site, &world.ada, (Method::POST, "/passkeys/confirm"), proof).await.expect(204);
    let kept = own(&world.site, &world.ada, (Method::GET, "/credentials"), None).await.expect(200).json();
    let id = kept["data"][0]["id"].as_str().unwrap_or_else(|| panic!("{kept}"));
    // A provider of the tenant's own opens the account here alone.
    let wanted = json!({ "name": "acme", "issuer": "https://login.acme.example", "client_id": "svc", "enabled": true });
    let connector = connect(&world.site, wanted).await;
    let at_provider = Identity {
        provider: connector,
        provider_name: None,
        issuer: "https://login.acme.example".to_owned(),
        subject: "ada".to_owned(),
        label: "ada".to_owned(),
    };
    let mut tx = h.app().db.begin(world.site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, world.ada.id).await.unwrap().unwrap();
    identities::link(&mut tx, &h.operator(), Owner::from(&person), &at_provider).await.unwrap();
    tx.commit().await.unwrap();
    let removed = own(&world.site, &world.ada, (Method::DELETE, &format!("/credentials/{id}")), None).await;
    assert!(removed.status >= 400 && removed.body.contains("last way"), "{removed:?}");
}

#[tokio::test]
async fn operators_keep_their_passwords() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("main").await;
    let refused = without(&site, &["password"]).await.expect(400);
    assert!(refused.body.contains("operators sign in at this tenant"), "{refused:?}");
}

#[tokio::test]
async fn a_member_signs_in_for_an_organization_without_a_password() {
    let h = Harness::with(MAILED).await;
    let world = World::new(&h).await;
    let organization = world.site.organization("hooli", world.ada.id).await;
    let bob = world.site.user("bob").await;
    join(&world.site, &organization, &bob, &[]).await;
    let mut browser = world.site.browser();
    let page = browser.get(&world.web.authorize_path("v", &[("organization", "hooli")])).await;
    offers(&page, &["email-otp-link"], &["login-submit"]);
    let entered = by_code(&h, &mut browser, &page, &bob.email).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}
