//! Second factors where people go without passwords: what demands one is refused where who has nothing but mail could have none.

use serde_json::{Value, json};
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};
use svc_http::Method;
use svc_testkit::Authenticator;

use crate::account::own;
use crate::apply::apply_text;
use crate::harness::{Answer, Browser, Harness, Person, Site};
use crate::organizations::accepted_ways::{by_code, offers};
use crate::without_passwords::state_of;

const CODES: (&str, &str) = ("SVC_EMAIL_OTP__ENABLED", "true");
const APPS: &str = "/api/v1/applications";

async fn call(site: &Site<'_>, method: Method, path: &str, body: Value) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), Some(body)).await
}

async fn set(site: &Site<'_>, settings: Value) -> Answer {
    let answer = call(site, Method::PATCH, "/api/v1/tenant-settings", json!({ "settings": settings })).await;
    let _ = site.harness.informed_app().await;
    answer
}

/// A tenant in which people sign in by mailed codes, and make no passkeys.
async fn by_mail_alone(h: &Harness) -> Site<'_> {
    let site = h.tenant("acme").await;
    let _ = set(&site, json!({ "disabled_capabilities": ["password", "passkeys"] })).await.expect(200);
    site
}

#[track_caller]
fn refused(answer: Answer, beginning: &str) {
    let told = answer.expect(400).json();
    let detail = told["detail"].as_str().unwrap_or_else(|| panic!("{told}"));
    assert!(
        detail.starts_with(beginning) && detail.contains("keep \"passkeys\" or \"password\" on"),
        "{detail}"
    );
}

#[tokio::test]
async fn a_tenant_without_passwords_and_passkeys_demands_no_second_factor() {
    let h = Harness::with(&[CODES]).await;
    let site = by_mail_alone(&h).await;
    refused(set(&site, json!({ "second_factor_required": true })).await, "second_factor_required: ");
    refused(set(&site, json!({ "second_factor_roles": ["admin"] })).await, "second_factor_roles: ");
    let passkeys = json!({ "disabled_capabilities": ["password"], "second_factor_required": true });
    let _ = set(&site, passkeys).await.expect(200);
    let neither = json!({ "disabled_capabilities": ["password", "passkeys"] });
    refused(set(&site, neither).await, "second_factor_required: ");
    let passwords = json!({ "disabled_capabilities": ["passkeys"] });
    let _ = set(&site, passwords).await.expect(200);
}

#[tokio::test]
async fn an_application_demands_a_second_factor_where_people_can_have_one() {
    let h = Harness::with(&[CODES]).await;
    let site = by_mail_alone(&h).await;
    let vault = |ways: Value| {
        json!({ "handle": "vault", "name": "Vault", "type": "web", "redirect_uris": ["https://vault.example/callback"],
            "scope": "openid", "second_factor_required": true, "sign_in_methods": ways })
    };
    for ways in [Value::Null, json!(["email_otp"]), json!(["sso", "totp"])] {
        refused(call(&site, Method::POST, APPS, vault(ways)).await, "second_factor_required: ");
    }
    // Behind the word of a provider an app for codes is enough.
    let made = call(&site, Method::POST, APPS, vault(json!(["sso", "social"]))).await.expect(201).json();
    let path = format!("{APPS}/{}", made["id"].as_str().unwrap());
    let every = json!({ "sign_in_methods": null });
    refused(call(&site, Method::PATCH, &path, every.clone()).await, "second_factor_required: ");
    let _ = set(&site, json!({ "disabled_capabilities": ["password"] })).await.expect(200);
    let _ = call(&site, Method::PATCH, &path, every).await.expect(200);
    let neither = json!({ "disabled_capabilities": ["password", "passkeys"] });
    refused(set(&site, neither).await, "disabled_capabilities: the application \"vault\" demands");
}

#[tokio::test]
async fn an_organization_demands_a_second_factor_where_people_can_have_one() {
    let h = Harness::with(&[CODES]).await;
    let site = by_mail_alone(&h).await;
    let ada = site.user("ada").await;
    let organization = site.organization("initech", ada.id).await;
    let path = format!("/api/v1/organizations/{}", organization.id);
    let rules = |rules: Value| json!({ "sign_in": rules });
    let demanding = rules(json!({ "second_factor": "required" }));
    refused(call(&site, Method::PATCH, &path, demanding.clone()).await, "sign_in.second_factor: ");
    let by_provider = rules(json!({ "second_factor": "required", "sso": "required" }));
    let _ = call(&site, Method::PATCH, &path, by_provider).await.expect(200);
    let _ = set(&site, json!({ "disabled_capabilities": ["password"] })).await.expect(200);
    let optional = rules(json!({ "second_factor": "required", "sso": "optional" }));
    let _ = call(&site, Method::PATCH, &path, optional).await.expect(200);
    let neither = json!({ "disabled_capabilities": ["password", "passkeys"] });
    refused(set(&site, neither).await, "disabled_capabilities: the organization \"initech\" demands");
}

#[tokio::test]
async fn a_file_is_held_to_the_same() {
    let h = Harness::with(&[CODES]).await;
    let file = "[[tenant]]\nslug = 'globex'\nname = 'Globex'\n\
        settings = { disabled_capabilities = ['password', 'passkeys'] }\n\
        [[tenant.application]]\nhandle = 'vault'\nname = 'Vault'\ntype = 'spa'\nredirect_uris = ['https://vault.example/callback']\n\
        second_factor_required = true\n";
    let told = apply_text(&h, file).await.unwrap_err();
    assert!(told.contains("the application \"vault\" demands a second factor"), "{told}");
    let demanding = file.replace("settings = { ", "settings = { second_factor_required = true, ");
    let told = apply_text(&h, &demanding).await.unwrap_err();
    assert!(told.contains("second_factor_required: people sign in by a mailed code"), "{told}");
    assert!(apply_text(&h, &file.replace("'password', ", "")).await.is_ok());
}

#[tokio::test]
async fn passwords_count_again_where_passkeys_go_and_a_second_factor_is_demanded() {
    let h = Harness::with(&[CODES, ("SVC_PASSKEY__ENABLED", "false")]).await;
    let site = h.tenant("acme").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    // As it is where the deployment has switched passkeys off since.
    let settings = TenantSettings {
        second_factor_required: true,
        disabled_capabilities: ["password"].into_iter().collect(),
        ..TenantSettings::default()
    };
    let (slug, name) = (site.tenant.slug.clone(), site.tenant.name.clone());
    let mut tx = h.app().db.begin_system().await.unwrap();
    let new = NewTenant { slug, name, custom_domain: None, settings };
    let _ = tenants::update(&mut tx, &h.operator(), site.tenant.id, &new).await.unwrap();
    tx.commit().await.unwrap();
    let _ = h.informed_app().await;
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path("v", &[])).await;
    offers(&page, &["login-submit", "forgot-link"], &[]);
    let fields = [("username", ada.username.as_str()), ("password", &ada.password)];
    let asked = browser.submit(&page, &fields).await;
    offers(&asked, &["set-up-totp-begin"], &["set-up-passkey-submit"]);
}

/// Gives a person a security key that its holder can only touch.
async fn with_stick(site: &Site<'_>, person: &Person) -> Authenticator {
    let asked = json!({ "use": "security_key" });
    let begun = own(site, person, (Method::POST, "/passkeys"), Some(asked)).await.expect(200).json();
    let mut stick = Authenticator::touched(1);
    let answer = stick.create(&begun["options"], site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Stick" });
    let _ = own(site, person, (Method::POST, "/passkeys/confirm"), Some(proof)).await.expect(204);
    site.harness.advance(1);
    stick
}

/// What follows a mailed code of a person who has a stick, and then its touch.
async fn touched(site: &Site<'_>, browser: &mut Browser<'_>, whose: (&Person, &mut Authenticator)) -> Answer {
    let (person, stick) = whose;
    let page = browser.get(&site.app("web").await.authorize_path("v", &[])).await;
    let asked = by_code(site.harness, browser, &page, &person.email).await;
    offers(&asked, &["passkey-submit"], &["login-submit", "set-up-passkey-submit"]);
    let flow = state_of(&asked);
    let fields = [("flow", flow.as_str()), ("method", "passkey")];
    let begun = browser.post("/auth/challenge", &fields).await.expect(200).json();
    assert_eq!(begun["shown"]["userVerification"], "preferred", "{begun}");
    let answer = stick.get(&begun["shown"], site.issuer()).unwrap().to_string();
    let state = begun["flow"].as_str().unwrap();
    browser.post("/auth/sign-in", &[("flow", state), ("method", "passkey"), ("answer", &answer)]).await
}

#[tokio::test]
async fn a_security_key_is_touched_behind_a_mailed_code() {
    let h = Harness::with(&[CODES]).await;
    let site = h.tenant("acme").await;
    let ada = site.user("ada").await;
    let mut stick = with_stick(&site, &ada).await;
    let _ = set(&site, json!({ "disabled_capabilities": ["password"] })).await.expect(200);
    let mut browser = site.browser();
    let entered = touched(&site, &mut browser, (&ada, &mut stick)).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn who_has_a_touched_key_alone_makes_a_passkey_where_more_is_demanded() {
    let h = Harness::with(&[CODES]).await;
    let site = h.tenant("acme").await;
    let ada = site.user("ada").await;
    let mut stick = with_stick(&site, &ada).await;
    let demanding = json!({ "disabled_capabilities": ["password"], "second_factor_required": true });
    let _ = set(&site, demanding).await.expect(200);
    let mut browser = site.browser();
    let asked = touched(&site, &mut browser, (&ada, &mut stick)).await;
    offers(&asked, &["set-up-passkey-submit"], &["passkey-submit"]);
    assert!(!asked.begins_session(), "{asked:?}");
    let flow = state_of(&asked);
    let fields = [("flow", flow.as_str()), ("method", "set_up_passkey")];
    let begun = browser.post("/auth/challenge", &fields).await.expect(200).json();
    let made = Authenticator::new(2).create(&begun["shown"], site.issuer()).unwrap().to_string();
    let state = begun["flow"].as_str().unwrap();
    let fields = [("flow", state), ("method", "set_up_passkey"), ("answer", made.as_str())];
    let entered = browser.post("/auth/sign-in", &fields).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}
