//! The language that a person chooses at the account centre, which is that of the account from then on.

use serde_json::{Value, json};
use svc_domain::people::tenant_users;
use svc_http::Method;

use super::factors::with_app;
use super::own;
use crate::changes::left_by;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

async fn choose(browser: &mut Browser<'_>, path: &str, site: &str) -> Answer {
    browser.send(Method::GET, path, &[("sec-fetch-site", site)], String::new()).await
}

async fn language_of(site: &Site<'_>, person: &Person) -> Option<String> {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    tenant_users::find(&mut tx, person.id).await.unwrap().unwrap().profile.locale
}

#[tokio::test]
async fn the_language_that_a_person_chooses_is_that_of_the_account_in_every_browser() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let before = language_of(&site, &ada).await;
    // A link of another site chooses for the page, and not for the account.
    let shown = choose(&mut browser, "/account/profile?lang=fr", "cross-site").await.expect(200);
    assert!(shown.body.contains("<html lang=\"fr\""), "{shown:?}");
    assert_eq!(language_of(&site, &ada).await, before);
    let [audit, _] = left_by(&h, async {
        let shown = choose(&mut browser, "/account/profile?lang=de", "same-origin").await.expect(200);
        assert!(shown.body.contains("<html lang=\"de\""), "{shown:?}");
        assert!(
            shown
                .headers
                .get_all("set-cookie")
                .iter()
                .any(|cookie| { cookie.to_str().unwrap().starts_with("__Host-svc_language=de") })
        );
    })
    .await;
    assert_eq!(audit.len(), 1, "{audit:?}");
    assert_eq!(language_of(&site, &ada).await.as_deref(), Some("de"));
    let [audit, _] = left_by(&h, choose(&mut browser, "/account?lang=de", "same-origin")).await;
    assert!(audit.is_empty(), "nothing changed: {audit:?}");
    let junk = choose(&mut browser, "/account/profile?lang=tlh", "same-origin").await.expect(200);
    assert!(junk.body.contains("<html lang=\"de\""), "{junk:?}");
    assert_eq!(language_of(&site, &ada).await.as_deref(), Some("de"));
    // Another browser of the person speaks the language of the account, unless another one was chosen there.
    let mut other = site.sign_in(&app, &ada).await;
    assert!(other.get("/account/profile").await.expect(200).body.contains("<html lang=\"de\""));
    let chosen = choose(&mut other, "/account/profile?lang=es", "cross-site").await.expect(200);
    assert!(chosen.body.contains("<html lang=\"es\""), "{chosen:?}");
    assert!(other.get("/account/profile").await.expect(200).body.contains("<html lang=\"es\""));
}

#[tokio::test]
async fn the_api_sets_the_language_of_the_account_as_the_account_centre_does() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let set =
        |locale: Value| own(&site, &ada, (Method::PATCH, "/profile"), Some(json!({ "locale": locale })));
    for (sent, kept) in
        [(json!("pt-br"), json!("pt-BR")), (json!(null), json!(null)), (json!("DE"), json!("de"))]
    {
        let changed = set(sent.clone()).await.expect(200).json();
        assert_eq!(changed["names"]["locale"], kept, "{sent}");
    }
    for bad in [json!("no tag"), json!("d"), json!("x".repeat(36))] {
        let refused = set(bad.clone()).await;
        assert!(refused.status == 400 && refused.body.contains("locale"), "{bad}: {refused:?}");
    }
    assert_eq!(language_of(&site, &ada).await.as_deref(), Some("de"));
    let mut browser = site.sign_in(&app, &ada).await;
    assert!(browser.get("/account/profile").await.expect(200).body.contains("<html lang=\"de\""));
    let page = browser.get("/account/profile").await.expect(200);
    let _ = browser.submit(&page, &[("nickname", "Countess")]).await.expect(303);
    assert_eq!(language_of(&site, &ada).await.as_deref(), Some("de"), "the form of the names keeps it");
}

/// An application, a person who has chosen German, and the browser in which she is signed in.
async fn with_german(h: &Harness) -> (Client<'_>, Person, Browser<'_>) {
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let _ = choose(&mut browser, "/account/profile?lang=de", "same-origin").await.expect(200);
    let _ = h.informed_app().await;
    (app, ada, browser)
}

#[tokio::test]
async fn people_are_mailed_in_their_language_whatever_the_page_speaks() {
    let h = Harness::new().await;
    let (app, ada, mut browser) = with_german(&h).await;
    let _ = with_app(&app.site, &ada).await;
    let _ = choose(&mut browser, "/account/profile?lang=fr", "cross-site").await.expect(200);
    let page = browser.get("/account/deletion").await.expect(200);
    assert!(page.body.contains("<html lang=\"fr\""), "{page:?}");
    let _ = browser.submit(&page, &[("sure", "yes"), ("action", "delete")]).await.expect(200);
    let mails = h.mails().await;
    for (subject, button) in [
        ("Tenant main: Ihrem Konto wurde eine Authenticator-App hinzugefügt", "Das war ich nicht"),
        ("Tenant main: Ihr Konto wird gelöscht", "Konto behalten"),
    ] {
        let mail = mails.iter().find(|mail| mail.subject == subject);
        let mail = mail.unwrap_or_else(|| panic!("{subject} in {mails:?}"));
        assert!(mail.to == ada.email && mail.html.contains(button), "{mail:?}");
    }
}

#[tokio::test]
async fn every_page_of_the_person_speaks_their_language_also_after_a_form() {
    let h = Harness::new().await;
    let (app, ada, _) = with_german(&h).await;
    let mut browser = app.site.sign_in(&app, &ada).await;
    let body = Some(json!({ "email": "new@main.example" }));
    let _ = own(&app.site, &ada, (Method::POST, "/email"), body).await.expect(204);
    let initech = app.site.organization("initech", app.site.user("bob").await.id).await;
    let invitations = format!("/api/v1/organizations/{}/invitations", initech.id);
    let (admin, invited) = (app.site.mint(|_| ()), Some(json!({ "email": ada.email })));
    let _ = app.site.call(Method::POST, &invitations, Some(&admin), invited).await.expect(201);
    let (confirms, invites) =
        (h.newest_mail_to("new@main.example").await, h.newest_mail_to(&ada.email).await);
    let [confirms, invites] =
        [&confirms, &invites].map(|mail| mail.links[0].strip_prefix(app.site.issuer()).unwrap());
    for path in [
        "/auth/access",
        "/auth/approvals",
        "/oauth/device/verify",
        "/account/password",
        "/oauth/end-session",
        confirms,
        invites,
    ] {
        let page = browser.get(path).await.expect(200);
        assert!(page.body.contains("<html lang=\"de\""), "{path}: {page:?}");
    }
    let page = browser.get("/oauth/device/verify").await.expect(200);
    let wrong = browser.submit(&page, &[("user_code", "BCDF-GHJK")]).await.expect(200);
    assert!(wrong.body.contains("<html lang=\"de\""), "{wrong:?}");
    let page = browser.get("/account/password").await.expect(200);
    let weak = browser.submit(&page, &[("password", "kurz")]).await;
    assert!(weak.body.contains("<html lang=\"de\""), "{weak:?}");
    // What was chosen in this browser comes before it.
    let chosen = choose(&mut browser, "/auth/access?lang=es", "cross-site").await.expect(200);
    assert!(chosen.body.contains("<html lang=\"es\""), "{chosen:?}");
    assert!(browser.get("/auth/approvals").await.expect(200).body.contains("<html lang=\"es\""));
}

#[tokio::test]
async fn the_page_after_a_form_speaks_the_language_that_the_application_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path("v", &[("ui_locales", "fr")])).await.expect(200);
    let wrong = [("username", ada.username.as_str()), ("password", "wrong horse")];
    let refused = browser.submit(&page, &wrong).await;
    assert!(refused.body.contains("<html lang=\"fr\"") && refused.body.contains("form-error"), "{refused:?}");
}

#[tokio::test]
async fn a_stranger_does_not_choose_the_language_in_which_the_owner_is_warned() {
    let h = Harness::new().await;
    let (app, ada, _) = with_german(&h).await;
    let mut stranger = app.site.browser();
    let page = stranger.get(&app.authorize_path("v", &[("ui_locales", "fr")])).await.expect(200);
    assert!(page.body.contains("<html lang=\"fr\""), "{page:?}");
    for _ in 0..6 {
        let wrong = [("username", ada.username.as_str()), ("password", "wrong horse")];
        let _ = stranger.submit(&page, &wrong).await;
    }
    let mails = h.mails().await;
    let warning = "Tenant main: zu viele falsche Passwörter für Ihr Konto";
    assert!(mails.iter().any(|mail| mail.subject == warning && mail.to == ada.email), "{mails:?}");
}

#[tokio::test]
async fn codes_and_links_are_mailed_in_the_language_of_the_account_also_where_a_stranger_asks() {
    let h = Harness::with(&[("SVC_EMAIL_OTP__ENABLED", "true"), ("SVC_MAGIC_LINK__ENABLED", "true")]).await;
    let (app, ada, _) = with_german(&h).await;
    let mut stranger = app.site.browser();
    let page = stranger.get(&app.authorize_path("v", &[("ui_locales", "fr")])).await.expect(200);
    for (link, field) in [
        ("forgot-link", "username"),
        ("email-otp-link", "username"),
        ("magic-link-link", "username"),
        ("register-link", "email"),
    ] {
        let form = stranger.get(&page.link(link)).await.expect(200);
        assert!(form.body.contains("<html lang=\"fr\""), "{form:?}");
        for address in [ada.email.as_str(), "new@main.example"] {
            let _ = stranger.submit(&form, &[(field, address)]).await.expect(200);
        }
    }
    let (own, others): (Vec<_>, Vec<_>) = h.mails().await.into_iter().partition(|mail| mail.to == ada.email);
    assert_eq!((own.len(), others.len()), (4, 1), "{own:?} {others:?}");
    assert!(own.iter().all(|mail| mail.html.contains("<html lang=\"de\"")), "{own:?}");
    assert!(others[0].html.contains("<html lang=\"fr\""), "{others:?}");
}

#[tokio::test]
async fn a_tenant_speaks_its_own_language_to_people_of_whom_no_other_is_known() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, admin) = (site.app("web").await, site.mint(|_| ()));
    let set = async |locale: Value| {
        let change = Some(json!({ "settings": { "default_locale": locale } }));
        site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&admin), change).await
    };
    let _ = set(json!("de-AT")).await.expect(200);
    let _ = h.informed_app().await;
    for (accepted, spoken) in [("", "de"), ("tlh", "de"), ("fr", "fr"), ("en;q=0.1", "en")] {
        let headers = [("accept-language", accepted)];
        let path = app.authorize_path("v", &[]);
        let page = site.browser().send(Method::GET, &path, &headers, String::new()).await.expect(200);
        assert!(page.body.contains(&format!("<html lang=\"{spoken}\"")), "{accepted}: {page:?}");
    }
    let invited = Some(json!({ "email": "new@main.example", "invite": true }));
    let _ = site.call(Method::POST, "/api/v1/tenant-users", Some(&admin), invited).await.expect(201);
    let mail = h.newest_mail().await;
    assert!(mail.html.contains("<html lang=\"de\""), "{mail:?}");
    for bad in [json!("no tag"), json!("-de"), json!("x".repeat(36))] {
        let refused = set(bad.clone()).await.expect_problem(400, "bad_request");
        assert!(refused.body.contains("default_locale"), "{bad}: {refused:?}");
    }
}

#[tokio::test]
async fn pages_behind_mailed_links_speak_the_language_that_the_application_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for (link, field, address) in
        [("forgot-link", "username", ada.email.as_str()), ("register-link", "email", "new@main.example")]
    {
        let mut browser = site.browser();
        let page = browser.get(&app.authorize_path("v", &[("ui_locales", "fr")])).await.expect(200);
        let form = browser.get(&page.link(link)).await.expect(200);
        let _ = browser.submit(&form, &[(field, address)]).await.expect(200);
        let mail = h.newest_mail_to(address).await;
        let path = mail.links[0].strip_prefix(site.issuer()).unwrap().to_owned();
        let behind = browser.get(&path).await.expect(200);
        assert!(behind.body.contains("<html lang=\"fr\""), "{behind:?}");
        let elsewhere = site.browser().get(&path).await.expect(200);
        assert!(elsewhere.body.contains("<html lang=\"en\""), "{elsewhere:?}");
    }
}

#[tokio::test]
async fn the_language_in_which_a_person_registers_by_choice_is_that_of_the_account() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for (address, chosen) in [("grace@main.example", Some("de")), ("alan@main.example", None)] {
        let mut browser = site.browser();
        let path = app.authorize_path("v", &[("prompt", "create"), ("ui_locales", "fr")]);
        let choice = chosen.map(|tag| format!("&lang={tag}")).unwrap_or_default();
        let form = browser.follow(&format!("{path}{choice}")).await.expect(200);
        let _ = browser.submit(&form, &[("email", address)]).await.expect(200);
        let mail = h.newest_mail_to(address).await;
        let link = mail.links[0].strip_prefix(site.issuer()).unwrap();
        let page = browser.get(link).await.expect(200);
        let fields = [("name", "Grace"), ("password", "compiler nanosecond moth")];
        let entered = browser.submit(&page, &fields).await;
        assert!(entered.is_signed_in(), "{entered:?}");
        let mut tx = h.app().db.read(site.tenant.id).await.unwrap();
        let found = tenant_users::find_by_identifier(&mut tx, address).await.unwrap().unwrap();
        assert_eq!(found.profile.locale.as_deref(), chosen);
    }
}
