//! The preview of looks and texts: who sees it, what it shows, and that nothing comes of it.

use serde_json::{Value, json};
use svc_domain::apis::management::ADMIN;
use svc_http::Method;

use crate::changes::left_by;
use crate::harness::{Answer, Browser, Harness, Person, Site};

const PREVIEW: &str = "/account/preview";

/// The preview, opened by a person who signs in for it.
async fn opened<'h>(site: &Site<'h>, person: &Person) -> (Browser<'h>, Answer) {
    let mut browser = site.browser();
    let page = browser.get(PREVIEW).await.expect(200);
    let typed = [("username", person.username.as_str()), ("password", person.password.as_str())];
    let answer = browser.submit(&page, &typed).await.expect(303);
    let path = answer.location();
    assert!(path.ends_with(PREVIEW), "{path}");
    let page = browser.get(PREVIEW).await;
    (browser, page)
}

/// The document in the frame.
fn frame(page: &Answer) -> String {
    let frame = page.body.split("srcdoc=\"").nth(1).unwrap_or_else(|| panic!("no frame: {page:?}"));
    let frame = frame.split('"').next().unwrap();
    let entities = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    entities.into_iter().fold(frame.to_owned(), |text, (entity, char)| text.replace(entity, char))
}

async fn call(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await.expect(200)
}

#[tokio::test]
async fn an_administrator_sees_a_draft_of_any_page_and_nothing_of_it_is_saved() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let _ = call(&site, Method::PATCH, "/api/v1/branding", Some(json!({ "radius": 3 }))).await;
    let texts = json!({ "texts": { "en": { "signin-submit": "Saved" }, "ar": { "signin-title": "محفوظ" } } });
    let _ = call(&site, Method::PUT, "/api/v1/texts", Some(texts)).await;
    let _ = h.informed_app().await;
    let (mut browser, page) = opened(&site, &ada).await;
    let saved = frame(&page.clone().expect(200));
    assert!(saved.contains("--radius:3px") && saved.contains("Saved"), "{saved}");
    assert!(page.body.contains("signin-submit = Saved") && page.body.contains("value=\"3\""), "{page:?}");
    let [audit, events] = left_by(&h, async {
        let draft = [
            ("accent", "#8a2be2"),
            ("font", "serif"),
            ("sample", "sign_in"),
            ("scheme", "dark"),
            ("width", "phone"),
            ("locale", "en"),
            ("texts", "signin-title = Hello <b>you</b>\n\nsignin-to = for {app}"),
        ];
        let shown = browser.submit(&page, &draft).await.expect(200);
        let inside = frame(&shown);
        for part in
            ["--accent:#8a2be2", "--font:Charter", "Hello &lt;b&gt;you&lt;/b&gt;", "for Example", "Saved"]
        {
            assert!(inside.contains(part), "{part}: {inside}");
        }
        assert!(!inside.contains("--radius:3px"), "what the draft leaves out is as it is without: {inside}");
        assert!(inside.contains("<body inert") && inside.contains("@media all"), "{inside}");
        assert!(!inside.contains("<script") && !inside.contains("prefers-color-scheme"), "{inside}");
        assert!(shown.body.contains("preview-phone") && shown.body.contains(" sandbox srcdoc="), "{shown:?}");
        assert!(shown.headers.get("set-cookie").is_none(), "{shown:?}");
        let policy = shown.header("content-security-policy");
        for part in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"]
        {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe-"), "{policy}");
        for (sample, part) in [
            ("register", "register-submit"),
            ("consent", "consent-allow"),
            ("account", "profile-submit"),
            ("organization_invitation", "invitation-submit"),
            ("mail_verify", "https://example.com/link"),
        ] {
            let shown = browser.submit(&page, &[("sample", sample), ("locale", "ar")]).await.expect(200);
            let inside = frame(&shown);
            assert!(inside.contains(part) && inside.contains("dir=\"rtl\""), "{sample}: {inside}");
        }
        let arabic = browser.submit(&page, &[("sample", "sign_in"), ("locale", "ar")]).await.expect(200);
        assert!(frame(&arabic).contains("محفوظ"), "{arabic:?}");
    })
    .await;
    assert_eq!((audit, events), (Vec::new(), Vec::new()));
    let branding = call(&site, Method::GET, "/api/v1/branding", None).await.json();
    assert_eq!((&branding["accent"], &branding["radius"]), (&Value::Null, &json!(3)));
    let web = site.app("web").await;
    let plain = site.browser().follow(&web.authorize_path("v", &[])).await.body;
    assert!(!plain.contains("#8a2be2") && plain.contains("--radius:3px"), "{plain}");
}

#[tokio::test]
async fn pages_mails_and_typefaces_are_called_as_people_know_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let (_, page) = opened(&site, &ada).await;
    let choices = page.body.split("<option value=\"").skip(1);
    let choices: Vec<_> =
        choices.filter_map(|rest| rest.split("</option>").next()?.split_once('"')).collect();
    let named = |value: &str| choices.iter().find(|(known, _)| *known == value).map(|(_, name)| *name);
    assert_eq!(named("sign_in"), Some(" selected>Sign in"));
    assert_eq!(named("reset_password"), Some(">Choose a new password"));
    assert_eq!(named("serif"), Some(">With serifs"));
    let technical = |(value, name): &&(&str, &str)| !value.is_empty() && name.ends_with(&format!(">{value}"));
    let left: Vec<_> = choices.iter().filter(technical).collect();
    assert!(choices.len() > 22 && left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn a_draft_for_an_organization_stands_above_what_its_tenant_has() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let initech = site.organization("initech", ada.id).await;
    let _ = call(&site, Method::PATCH, "/api/v1/branding", Some(json!({ "accent": "#112233" }))).await;
    let path = format!("/api/v1/organizations/{}/texts", initech.id);
    let texts = json!({ "texts": { "en": { "signin-title": "Initech here" } } });
    let _ = call(&site, Method::PUT, &path, Some(texts)).await;
    let _ = h.informed_app().await;
    let (mut browser, page) = opened(&site, &ada).await;
    let named = browser.get(&format!("{PREVIEW}?organization=initech")).await.expect(200);
    assert!(
        frame(&named).contains("Initech here") && frame(&named).contains("--accent:#112233"),
        "{named:?}"
    );
    let shown = browser.submit(&page, &[("organization", "initech"), ("radius", "5")]).await.expect(200);
    let inside = frame(&shown);
    for part in ["--accent:#112233", "--radius:5px", "Initech here"] {
        assert!(inside.contains(part), "{part}: {inside}");
    }
    let unknown = browser.submit(&page, &[("organization", "hooli")]).await.expect(200);
    assert!(unknown.body.contains("preview-fault") && !unknown.body.contains("srcdoc"), "{unknown:?}");
}

#[tokio::test]
async fn a_draft_that_could_not_be_saved_is_not_shown() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let (mut browser, page) = opened(&site, &ada).await;
    for (name, value, told) in [
        ("accent", "red;}body{", "accent: "),
        ("font", "x;}body{", "font: "),
        ("radius", "999", "radius: "),
        ("radius", "<script>", "radius: "),
        ("logo_uri", "javascript:alert(1)", "logo_uri: "),
        ("sender_name", "a@b.example", "sender_name: "),
        ("texts", "no equals sign", "texts: "),
        ("texts", "consent-unverified = All is well", "texts.en.consent-unverified: "),
        ("texts", "signin-title = {{7*7}}", "texts.en.signin-title: "),
        ("texts", "signin-to = to {tenant}", "texts.en.signin-to: "),
    ] {
        let shown = browser.submit(&page, &[("locale", "en"), (name, value)]).await.expect(200);
        assert!(shown.body.contains("preview-fault") && shown.body.contains(told), "{told}: {shown:?}");
        assert!(!shown.body.contains("srcdoc") && !shown.body.contains("\"<script>"), "{shown:?}");
    }
}

#[tokio::test]
async fn no_other_person_sees_a_preview() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let api = site.tenant.api_audience();
    site.role("designer", &[(&api, &["branding:write"])]).await;
    site.role("reader", &[(&api, &["branding:read", "texts:write"])]).await;
    let designer = site.user_with_roles("dora", &["designer"]).await;
    let reader = site.user_with_roles("rita", &["reader"]).await;
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let member = site.user("mia").await;
    let (_, page) = opened(&site, &designer).await;
    let _ = page.expect(200);
    for person in [&reader, &member] {
        let (mut browser, page) = opened(&site, person).await;
        let page = page.expect(403);
        assert!(!page.body.contains("srcdoc"), "{page:?}");
        // The form of another person opens nothing in this browser.
        let (_, theirs) = opened(&site, &ada).await;
        let refused = browser.submit(&theirs, &[("accent", "#8a2be2")]).await;
        assert!(refused.status == 403 && !refused.body.contains("srcdoc"), "{refused:?}");
    }
    let bob = other.user("bob").await;
    let (_, page) = opened(&other, &bob).await;
    let _ = page.expect(403);
    let page = site.browser().get(PREVIEW).await.expect(200);
    assert!(page.body.contains("login-submit") && !page.body.contains("srcdoc"), "{page:?}");
}
