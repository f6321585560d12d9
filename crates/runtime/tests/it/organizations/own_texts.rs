//! Texts in place of messages of pages and mails, of a tenant and of an organization.

use serde_json::{Value, json};
use svc_http::Method;

use super::World;
use super::looks::{page, path_of, send};
use crate::changes::left_by;
use crate::harness::{Harness, Site};

const TEXTS: &str = "/api/v1/texts";

async fn reword(site: &Site<'_>, path: &str, texts: Value) {
    let _ = send(site, Method::PATCH, path, json!({ "texts": texts })).await.expect(200);
    let _ = site.harness.informed_app().await;
}

#[tokio::test]
async fn a_text_of_the_organization_comes_before_the_tenant_s_and_that_before_the_catalogue_s() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let [audit, events] = left_by(&h, async {
        let texts = json!({ "en": { "signin-title": "Tenant here", "signin-submit": "Go on" }, "de": { "signin-title": "Mandant" } });
        reword(&world.site, TEXTS, texts).await;
    })
    .await;
    assert_eq!(
        (audit, events),
        (vec!["tenant.texts_changed".to_owned()], vec!["admin.tenant.updated".to_owned()])
    );
    let [audit, events] = left_by(&h, async {
        let texts = json!({ "en": { "signin-title": "Initech <b>staff</b> & friends" } });
        reword(&world.site, &path_of(&world, "texts"), texts).await;
    })
    .await;
    assert_eq!(
        (audit, events),
        (vec!["organization.texts_changed".to_owned()], vec!["org.updated".to_owned()])
    );
    let of = async |organization: Option<&str>, language: &str| {
        let named = organization.map(|name| ("organization", name));
        let changes: Vec<_> = named.into_iter().chain([("ui_locales", language)]).collect();
        world.site.browser().follow(&world.web.authorize_path("v", &changes)).await.expect(200).body
    };
    let initech = of(Some("initech"), "en").await;
    assert!(initech.contains("Initech &lt;b&gt;staff&lt;/b&gt; &amp; friends"), "{initech}");
    assert!(initech.contains("Go on") && !initech.contains("Tenant here"), "{initech}");
    let plain = of(None, "en-GB").await;
    assert!(plain.contains("Tenant here") && !plain.contains("Initech"), "{plain}");
    let german = of(Some("initech"), "de").await;
    assert!(
        german.contains("Mandant") && german.contains("Anmelden") && !german.contains("Initech"),
        "{german}"
    );
    assert!(of(None, "fr").await.contains("Se connecter"));
    // A text that is taken back is the message again.
    reword(&world.site, TEXTS, json!({ "en": { "signin-title": null }, "de": null })).await;
    assert_eq!(
        send(&world.site, Method::GET, TEXTS, Value::Null).await.expect(200).json(),
        json!({ "texts": { "en": { "signin-submit": "Go on" } } })
    );
    assert!(of(None, "de").await.contains("Anmelden"));
}

#[tokio::test]
async fn mails_are_worded_by_tenant_and_organization_too() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let subject = "mail-organization-invitation-subject";
    reword(&world.site, TEXTS, json!({ "en": { subject: "Welcome to {organization} at {tenant}", "mail-reset-subject": "{tenant} <says>" } }))
        .await;
    let invite = async |email: &str| {
        let body = json!({ "email": email });
        let _ = send(&world.site, Method::POST, &path_of(&world, "invitations"), body).await.expect(201);
        h.mails().await.remove(0)
    };
    assert_eq!(invite("a@new.example").await.subject, "Welcome to initech at Tenant main");
    let text = "mail-organization-invitation-text";
    reword(&world.site, &path_of(&world, "texts"), json!({ "en": { subject: "Join {organization} ({tenant})", text: "{tenant}, {organization}: <i>come</i>." } }))
        .await;
    let mail = invite("b@new.example").await;
    assert_eq!(mail.subject, "Join initech (Tenant main)");
    assert!(mail.text.contains("Tenant main, initech: <i>come</i>."), "{}", mail.text);
    assert!(mail.html.contains("&lt;i&gt;come&lt;/i&gt;") && !mail.html.contains("<i>"), "{}", mail.html);
    let mut browser = world.site.browser();
    let shown = page(&world, &mut browser, "initech").await;
    let form = browser.get(&shown.link("forgot-link")).await.expect(200);
    let _ = browser.submit(&form, &[("username", &world.ada.username)]).await;
    assert_eq!(h.mails().await.remove(0).subject, "Tenant main <says>");
}

#[tokio::test]
async fn what_stands_in_place_of_no_message_is_refused_with_its_place_and_changes_nothing() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let other = h.tenant("other").await;
    reword(&world.site, TEXTS, json!({ "en": { "signin-title": "Before" } })).await;
    let of_organization = path_of(&world, "texts");
    let oversize = json!({ "en": { "signin-title": "x".repeat(1001) } });
    let control = json!({ "en": { "signin-title": "a\u{202e}b" } });
    for (texts, named) in [
        (json!({ "tlh": { "signin-title": "x" } }), "texts.tlh"),
        (json!({ "../../etc": { "signin-title": "x" } }), "texts.../../etc"),
        (json!({ "en": { "signin-titel": "x" } }), "texts.en.signin-titel"),
        (json!({ "en": { "signin-title": "{app}" } }), "texts.en.signin-title"),
        (json!({ "en": { "signin-to": "no value" } }), "texts.en.signin-to"),
        (json!({ "en": { "signin-title": "{{7*7}}" } }), "texts.en.signin-title"),
        (json!({ "en": { "signin-title": "{ $app }" } }), "texts.en.signin-title"),
        (json!({ "en": { "signin-title": "{" } }), "texts.en.signin-title"),
        (json!({ "en": { "signin-title": "" } }), "texts.en.signin-title"),
        (json!({ "en": { "signin-title": "see https://evil.example" } }), "texts.en.signin-title"),
        (json!({ "en": { "signin-title": "a\r\nBcc: b" } }), "texts.en.signin-title"),
        (control, "texts.en.signin-title"),
        (oversize, "texts.en.signin-title"),
        (json!({ "en": { "consent-unverified": "All is well" } }), "texts.en.consent-unverified"),
        (json!({ "en": { "scope-email": "Nothing" } }), "texts.en.scope-email"),
        (json!({ "de": { "was-this-you-no": "Ja" } }), "texts.de.was-this-you-no"),
        (json!({ "en": { "mail-new-device-subject": "{tenant}" } }), "texts.en.mail-new-device-subject"),
    ] {
        for (site, path) in [(&world.site, TEXTS), (&world.site, of_organization.as_str())] {
            let body = json!({ "texts": texts });
            let refused =
                send(site, Method::PATCH, path, body.clone()).await.expect_problem(400, "bad_request");
            assert!(refused.body.contains(named), "{texts}: {}", refused.body);
            let _ = send(site, Method::PUT, path, body).await.expect_problem(400, "bad_request");
        }
    }
    let kept = send(&world.site, Method::GET, TEXTS, Value::Null).await.expect(200);
    assert_eq!(kept.json(), json!({ "texts": { "en": { "signin-title": "Before" } } }));
    for method in [Method::GET, Method::PUT, Method::PATCH] {
        let _ = send(&other, method, &of_organization, json!({})).await.expect_problem(404, "not_found");
    }
    assert_eq!(
        send(&other, Method::GET, TEXTS, Value::Null).await.expect(200).json(),
        json!({ "texts": {} })
    );
    // Rewording changes nothing else, and a change that another one has overtaken is refused.
    let writer = world.site.mint(|claims| claims["scope"] = json!("texts:read texts:write"));
    let call = async |method, path, body| world.site.call(method, path, Some(&writer), body).await;
    let _ = call(Method::GET, "/api/v1/branding", None).await.expect_problem(403, "insufficient_scope");
    let _ = call(Method::GET, &of_organization, None).await.expect_problem(403, "insufficient_scope");
    let (stale, body) = (("if-match", kept.header("etag")), json!({ "texts": {} }));
    let _ = call(Method::PUT, TEXTS, Some(body.clone())).await.expect(200);
    let late = world.site.call_with(Method::PUT, TEXTS, &writer, stale, body).await;
    let _ = late.expect_problem(409, "conflict");
}

#[tokio::test]
async fn the_messages_that_can_be_reworded_are_listed_in_each_language() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let listed = async |query: &str| {
        send(&world.site, Method::GET, &format!("{TEXTS}/originals{query}"), Value::Null).await
    };
    let german = listed("?language=de").await.expect(200).json();
    assert_eq!(german["language"], "de");
    let of = |key: &str| {
        let messages = german["messages"].as_array().unwrap();
        messages.iter().find(|message| message["key"] == key).unwrap().clone()
    };
    assert_eq!(
        of("signin-to"),
        json!({ "key": "signin-to", "text": "um mit {app} fortzufahren", "values": ["app"], "replaceable": true })
    );
    assert_eq!(of("scope-email")["replaceable"], false);
    assert_eq!(listed("").await.expect(200).json()["language"], "en");
    let _ = listed("?language=tlh").await.expect_problem(400, "bad_request");
    // Every message that is listed as replaceable can be replaced by what is listed.
    let texts: serde_json::Map<_, _> = german["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["replaceable"] == true)
        .map(|message| (message["key"].as_str().unwrap().to_owned(), message["text"].clone()))
        .collect();
    assert!(texts.len() > 150, "{}", texts.len());
    let _ = send(&world.site, Method::PUT, TEXTS, json!({ "texts": { "de": texts } })).await.expect(200);
}
