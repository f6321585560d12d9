//! How pages and mails look for the people of an organization, and what a stranger does not learn from it.

use serde_json::{Value, json};
use svc_domain::organizations::Status;
use svc_http::Method;

use super::sso_sign_in::{LOOPBACK, connect, prove};
use super::{World, join};
use crate::changes::left_by;
use crate::harness::provider::Provider;
use crate::harness::{Answer, Browser, Harness, Site};

const ACCENT: &str = "--accent:#8a2be2";

pub async fn send(site: &Site<'_>, method: Method, path: &str, body: Value) -> Answer {
    let body = Some(body).filter(|_| method != Method::GET);
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

pub fn path_of(world: &World<'_>, below: &str) -> String {
    format!("/api/v1/organizations/{}/{below}", world.initech.id)
}

async fn brand(world: &World<'_>, branding: Value) -> Value {
    let path = path_of(world, "branding");
    let changed = send(&world.site, Method::PUT, &path, branding).await.expect(200).json();
    let _ = world.site.harness.informed_app().await;
    changed
}

/// The sign-in page of a request that names an organization.
pub async fn page(world: &World<'_>, browser: &mut Browser<'_>, organization: &str) -> Answer {
    browser.follow(&world.web.authorize_path("v", &[("organization", organization)])).await.expect(200)
}

/// A page without what differs from one request to the next.
fn settled(page: &Answer) -> String {
    let without = |text: &str, start: &str| {
        let mut parts = text.split(start);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('"').map_or(part, |(_, rest)| rest))
    };
    ["nonce=\"", "value=\"", "href=\"/auth/"]
        .iter()
        .fold(page.body.clone(), |text, start| without(&text, start))
}

#[tokio::test]
async fn an_organization_looks_as_it_has_chosen_and_else_as_its_tenant() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let tenant = json!({ "accent": "#112233", "radius": 3, "tos_uri": "https://main.example/terms" });
    let _ = send(&world.site, Method::PUT, "/api/v1/branding", tenant.clone()).await.expect(200);
    let logo = "https://initech.example/logo.svg";
    let [audit, events] = left_by(&h, async {
        let shown = brand(&world, json!({ "accent": "#8a2be2", "logo_uri": logo, "font": "serif" })).await;
        assert_eq!((&shown["accent"], &shown["radius"]), (&json!("#8a2be2"), &Value::Null));
        assert_eq!(
            shown["effective"],
            json!({
                "accent": "#8a2be2", "logo_uri": logo, "font": "serif", "radius": 3, "policy_uri": null,
                "sender_name": null, "tos_uri": "https://main.example/terms",
            })
        );
    })
    .await;
    assert_eq!(audit, ["organization.updated"]);
    assert_eq!(events, ["org.updated"]);
    for name in ["initech".to_owned(), world.initech.id.to_string()] {
        let shown = page(&world, &mut world.site.browser(), &name).await.body;
        for part in [ACCENT, "--radius:3px", "--font:Charter", logo, "https://main.example/terms"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }
    let plain = world.site.browser().follow(&world.web.authorize_path("v", &[])).await.body;
    assert!(plain.contains("--accent:#112233") && !plain.contains(logo), "{plain}");
    let of_other = page(&world, &mut world.site.browser(), "hooli").await.body;
    assert!(of_other.contains("--accent:#112233") && !of_other.contains(logo), "{of_other}");
}

#[tokio::test]
async fn the_look_stays_through_the_pages_after_forms_and_the_page_of_consent() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    brand(&world, json!({ "accent": "#8a2be2" })).await;
    let mut browser = world.site.browser();
    let shown = page(&world, &mut browser, "initech").await;
    let wrong = browser.submit(&shown, &[("username", "ada"), ("password", "wrong wrong wrong")]).await;
    assert!(wrong.body.contains("form-error") && wrong.body.contains(ACCENT), "{wrong:?}");
    let consent =
        browser.submit(&wrong, &[("username", &world.ada.username), ("password", &world.ada.password)]).await;
    let consent = browser.settled(consent).await;
    assert!(
        consent.body.contains("consent-allow") || consent.redirect_param("code").is_some(),
        "{consent:?}"
    );
    assert!(consent.redirect_param("code").is_some() || consent.body.contains(ACCENT), "{consent:?}");
}

#[tokio::test]
async fn the_look_stays_on_the_pages_for_a_forgotten_password_and_behind_its_mail() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    brand(&world, json!({ "accent": "#8a2be2" })).await;
    let carol = world.site.user("carol").await;
    let mut browser = world.site.browser();
    let shown = page(&world, &mut browser, "initech").await;
    let form = browser.get(&shown.link("forgot-link")).await.expect(200);
    assert!(form.body.contains(ACCENT), "{form:?}");
    let missing = browser.submit(&form, &[("username", "")]).await.expect(200);
    assert!(missing.body.contains(ACCENT), "{missing:?}");
    let sent = browser.submit(&form, &[("username", &carol.username)]).await.expect(200);
    assert!(sent.body.contains(ACCENT), "{sent:?}");
    let mail = h.mails().await.remove(0);
    let link = mail.links[0].strip_prefix(world.site.issuer()).unwrap().to_owned();
    let behind = browser.get(&link).await.expect(200);
    assert!(behind.body.contains(ACCENT), "{behind:?}");
    let weak = browser.submit(&behind, &[("password", "short")]).await;
    assert!(weak.body.contains(ACCENT), "{weak:?}");
    let elsewhere = world.site.browser().get(&link).await.expect(200);
    assert!(!elsewhere.body.contains(ACCENT), "who has asked for the mail does not choose it: {elsewhere:?}");
}

#[tokio::test]
async fn the_look_stays_behind_the_mail_of_a_registration_in_the_browser_that_asked() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    brand(&world, json!({ "accent": "#8a2be2" })).await;
    let mut browser = world.site.browser();
    let path = world.web.authorize_path("v", &[("organization", "initech"), ("prompt", "create")]);
    let form = browser.follow(&path).await.expect(200);
    let sent = browser.submit(&form, &[("email", "new@main.example")]).await.expect(200);
    assert!(form.body.contains(ACCENT) && sent.body.contains(ACCENT), "{sent:?}");
    let mail = h.mails().await.remove(0);
    let link = mail.links[0].strip_prefix(world.site.issuer()).unwrap().to_owned();
    let behind = browser.get(&link).await.expect(200);
    assert!(behind.body.contains(ACCENT), "{behind:?}");
    let elsewhere = world.site.browser().get(&link).await.expect(200);
    assert!(!elsewhere.body.contains(ACCENT), "{elsewhere:?}");
}

#[tokio::test]
async fn who_does_not_belong_cannot_tell_an_organization_without_a_look_from_one_that_is_not_there() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let [plain, unknown] = [
        page(&world, &mut world.site.browser(), "hooli").await,
        page(&world, &mut world.site.browser(), "nothing-here").await,
    ];
    assert_eq!(settled(&plain), settled(&unknown));
    brand(&world, json!({ "accent": "#8a2be2" })).await;
    assert!(page(&world, &mut world.site.browser(), "initech").await.body.contains(ACCENT));
    world.set_status(&world.initech, Status::Suspended).await;
    let _ = h.informed_app().await;
    let suspended = page(&world, &mut world.site.browser(), "initech").await;
    assert_eq!(settled(&suspended), settled(&unknown));
    world.set_status(&world.initech, Status::Active).await;
    let _ = h.informed_app().await;
    assert!(page(&world, &mut world.site.browser(), "initech").await.body.contains(ACCENT));
    let path = format!("/api/v1/organizations/{}", world.initech.id);
    let _ = send(&world.site, Method::DELETE, &path, Value::Null).await.expect(204);
    let _ = h.informed_app().await;
    assert_eq!(settled(&page(&world, &mut world.site.browser(), "initech").await), settled(&unknown));
}

#[tokio::test]
async fn an_organization_that_comes_later_is_seen_at_once() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let _ = page(&world, &mut world.site.browser(), "late").await;
    let new = json!({ "slug": "late", "name": "Late", "owner_id": world.bob.id, "accent": "#8a2be2" });
    let _ = send(&world.site, Method::POST, "/api/v1/organizations", new).await.expect(201);
    let _ = h.informed_app().await;
    assert!(page(&world, &mut world.site.browser(), "late").await.body.contains(ACCENT));
}

#[tokio::test]
async fn an_invitation_looks_like_the_organization_in_the_mail_on_its_page_and_in_the_sign_in_on_the_way() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let logo = "https://initech.example/logo.png";
    let chosen = json!({ "accent": "#8a2be2", "logo_uri": logo, "radius": 7, "sender_name": "Initech" });
    brand(&world, chosen).await;
    let carol = world.site.user("carol").await;
    for email in ["new@initech.example", &carol.email] {
        let body = json!({ "email": email });
        let _ = send(&world.site, Method::POST, &path_of(&world, "invitations"), body).await.expect(201);
        let mail = h.mails().await.remove(0);
        assert_eq!((mail.to.as_str(), mail.sender_name.as_deref()), (email, Some("Initech")));
        for part in [logo, "background:#8a2be2", "border-radius:7px"] {
            assert!(mail.html.contains(part), "{part}: {}", mail.html);
        }
        let link = mail.links[0].strip_prefix(world.site.issuer()).unwrap().to_owned();
        let mut browser = world.site.browser();
        let shown = browser.get(&link).await.expect(200);
        assert!(shown.body.contains(ACCENT) && shown.body.contains(logo), "{shown:?}");
        if email == carol.email {
            let wrong = browser.submit(&shown, &[("username", "carol"), ("password", "wrong wrong")]).await;
            assert!(wrong.body.contains("form-error") && wrong.body.contains(ACCENT), "{wrong:?}");
        }
    }
    let mut browser = world.site.browser();
    let shown = page(&world, &mut browser, "initech").await;
    let form = browser.get(&shown.link("forgot-link")).await.expect(200);
    let _ = browser.submit(&form, &[("username", &carol.username)]).await.expect(200);
    let mail = h.mails().await.remove(0);
    assert_eq!(mail.sender_name, None, "what concerns the account is the tenant's: {mail:?}");
    assert!(!mail.html.contains("#8a2be2"), "{}", mail.html);
}

#[tokio::test]
async fn the_page_that_leads_to_the_provider_of_an_organization_looks_like_it() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({ "enforced": true })).await;
    prove(&world.site, &world.initech, "acme.example").await;
    brand(&world, json!({ "accent": "#8a2be2" })).await;
    for method in ["sso", "password"] {
        let mut browser = world.site.browser();
        let plain = browser.get(&world.web.authorize_path("v", &[])).await.expect(200);
        assert!(!plain.body.contains(ACCENT));
        let typed = [("username", "grace@acme.example"), ("password", "whatever"), ("method", method)];
        let led = browser.submit(&plain, &typed).await.expect(200);
        assert!(led.body.contains("sso-continue") && led.body.contains(ACCENT), "{method}: {led:?}");
    }
}

#[tokio::test]
async fn mails_come_from_the_name_that_the_tenant_has_chosen() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let _ = send(&world.site, Method::PATCH, "/api/v1/branding", json!({ "sender_name": "Acme Support" }))
        .await
        .expect(200);
    let _ = h.informed_app().await;
    let body = json!({ "email": "new@initech.example" });
    let _ = send(&world.site, Method::POST, &path_of(&world, "invitations"), body).await.expect(201);
    assert_eq!(h.mails().await.remove(0).sender_name.as_deref(), Some("Acme Support"));
}

#[tokio::test]
async fn looks_that_no_page_can_have_are_refused_and_those_of_another_tenant_are_not_there() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let other = h.tenant("other").await;
    let path = path_of(&world, "branding");
    let before = send(&world.site, Method::GET, &path, Value::Null).await.expect(200).json();
    for (bad, named) in [
        (json!({ "accent": "#12345g" }), "accent"),
        (json!({ "accent": "red;}body{display:none" }), "accent"),
        (json!({ "font": "x;}*{background:url(https://evil.example)}" }), "font"),
        (json!({ "radius": 25 }), "radius"),
        (json!({ "radius": -1 }), "radius"),
        (json!({ "logo_uri": "javascript:alert(1)" }), "logo_uri"),
        (json!({ "logo_uri": "https://x.example/\"><script>" }), ""),
        (json!({ "sender_name": "Bank <a@bank.example>" }), "sender_name"),
        (json!({ "css": "body{}" }), "css"),
        (json!({ "logo_uri": format!("https://x.example/{}", "a".repeat(3000)) }), "logo_uri"),
    ] {
        let answer = send(&world.site, Method::PATCH, &path, bad.clone()).await;
        if named.is_empty() {
            let shown = page(&world, &mut world.site.browser(), "initech").await;
            assert!(!shown.body.contains("\"><script>"), "{shown:?}");
            let _ = send(&world.site, Method::PATCH, &path, json!({ "logo_uri": null })).await.expect(200);
            continue;
        }
        let refused = answer.expect_problem(400, "bad_request");
        assert!(refused.body.contains(named), "{bad}: {}", refused.body);
    }
    assert_eq!(send(&world.site, Method::GET, &path, Value::Null).await.expect(200).json(), before);
    for method in [Method::GET, Method::PUT, Method::PATCH] {
        let _ = send(&other, method, &path, json!({})).await.expect_problem(404, "not_found");
    }
    // A request at another tenant does not get the look of this one.
    brand(&world, json!({ "accent": "#8a2be2" })).await;
    let web = other.app("web").await;
    for name in ["initech".to_owned(), world.initech.id.to_string()] {
        let shown = other.browser().follow(&web.authorize_path("v", &[("organization", &name)])).await;
        assert!(!shown.body.contains(ACCENT), "{shown:?}");
    }
    join(&world.site, &world.hooli, &world.ada, &[]).await;
}
