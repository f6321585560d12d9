//! Newcomers are asked on the page that makes the account, or behind it, on every way.

use serde_json::json;

use super::{
    LONG_AGO, PASSWORD, add_field, add_terms, asks, bought, box_of, company, document, kept, led, link, rows,
    state,
};
use crate::changes::left_by;
use crate::harness::browser::Form;
use crate::harness::provider::AuthorizationRequest;
use crate::harness::{Answer, Browser, Client, Harness, Site};
use crate::social::{named, with_google};

const GRACE: &str = "grace@new.example";

/// The page behind the link of a registration mail.
async fn verify_page<'h>(browser: &mut Browser<'h>, web: &Client<'h>, verifier: &str) -> Answer {
    let page = browser.get(&web.authorize_path(verifier, &[])).await.expect(200);
    let form = browser.get(&page.link("register-link")).await.expect(200);
    let _ = browser.submit(&form, &[("email", GRACE)]).await.expect(200);
    let path = link(&browser.site.clone(), GRACE).await;
    browser.get(&path).await.expect(200)
}

/// A tenant that asks for a document and for a company.
async fn asking<'h>(site: &Site<'h>) -> String {
    let _ = add_field(site, company(&[("required", json!(true))])).await;
    add_terms(site, document("privacy", "1", LONG_AGO)).await
}

#[tokio::test]
async fn who_registers_by_a_link_accepts_and_answers_where_the_account_is_made() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let terms = asking(&site).await;
    let (mut browser, verifier) = (site.browser(), web.verifier());
    let page = verify_page(&mut browser, &web, &verifier).await;
    assert!(
        page.body.contains("The privacy policy") && page.body.contains("id=\"field-company\""),
        "{page:?}"
    );
    assert!(!page.body.contains("checked"), "nothing is accepted beforehand: {page:?}");
    let typed = [("name", "Grace <b>Hopper</b>"), ("password", PASSWORD), ("field_company", "Navy \"<i>\"")];
    let refused = browser.submit(&page, &typed).await.expect(200);
    assert!(refused.body.contains("id=\"terms-0-fault\"") && refused.body.contains("id=\"form-error\""));
    assert!(refused.body.contains("Navy &quot;&lt;i&gt;&quot;"), "what was typed stays: {refused:?}");
    assert!(refused.body.contains("Grace &lt;b&gt;Hopper&lt;"), "{refused:?}");
    assert!(kept(&site, GRACE).await.is_none() && rows(&h, "terms_acceptances").await == 0);
    let accepted = box_of(&terms);
    let empty = [("name", "Grace"), ("password", PASSWORD), (accepted.as_str(), "yes")];
    let refused = browser.submit(&page, &empty).await.expect(200);
    assert!(refused.body.contains("field-company-fault") && refused.body.contains(" checked"), "{refused:?}");
    let mut entered = None;
    let [actions, events] = left_by(&h, async {
        let all = [&empty[..], &[("field_company", " Navy ")]].concat();
        entered = Some(browser.submit(&page, &all).await);
    })
    .await;
    let _ = bought(&web, &entered.unwrap(), verifier).await;
    for (name, all) in [("terms.accepted", &actions), ("terms.accepted", &events)] {
        assert_eq!(all.iter().filter(|one| *one == name).count(), 1, "{all:?}");
    }
    assert!(actions.iter().any(|action| action == "tenant_user.metadata_changed"), "{actions:?}");
    let (metadata, accepted) = kept(&site, GRACE).await.unwrap();
    assert_eq!(metadata.public["company"], "Navy");
    let shown = serde_json::to_value(&accepted[0]).unwrap();
    assert_eq!(
        [&shown["key"], &shown["label"], &shown["language"], &shown["title"], &shown["url"], &shown["at"]],
        ["privacy", "1", "en", "The privacy policy", "https://acme.example/privacy", "sign_up"]
    );
    assert_eq!((&shown["application_id"], accepted.len()), (&json!(web.id), 1));
}

#[tokio::test]
async fn who_registers_by_a_code_is_asked_with_the_name() {
    let h = Harness::with(&[("SVC_EMAIL_OTP__ENABLED", "true")]).await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let terms = asking(&site).await;
    let (mut browser, verifier) = (site.browser(), web.verifier());
    let page = browser.get(&web.authorize_path(&verifier, &[])).await.expect(200);
    let form = browser.get(&page.link("register-link")).await.expect(200);
    let page = browser.submit(&form, &[("email", GRACE), ("by", "code")]).await.expect(200);
    let mail = h.mails().await.remove(0);
    let code = crate::sent_codes::digits_in(&mail.text).unwrap();
    let page = browser.submit(&page, &[("code", &code)]).await.expect(200);
    let refused = browser.submit(&page, &[("name", "Grace"), ("field_company", "Navy")]).await.expect(200);
    assert!(refused.body.contains("terms-0-fault") && refused.body.contains("value=\"Navy\""), "{refused:?}");
    let accepted = box_of(&terms);
    let all = [("name", "Grace"), ("field_company", "Navy"), (accepted.as_str(), "yes")];
    let entered = browser.submit(&refused, &all).await;
    let _ = bought(&web, &entered, verifier).await;
    let (metadata, accepted) = kept(&site, GRACE).await.unwrap();
    assert_eq!((&metadata.public["company"], accepted.len()), (&json!("Navy"), 1));
}

#[tokio::test]
async fn who_comes_by_another_provider_is_asked_before_the_application_learns_of_them() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let terms = asking(&site).await;
    let optional = company(&[("name", json!("team")), ("order", json!(1))]);
    let _ = add_field(&site, optional).await;
    let mut browser = site.browser();
    let asked = social(&mut browser, &web).await;
    let answer = browser.get(&provider.vouch(&asked, &h, named(GRACE, true))).await;
    assert!(answer.begins_session() && answer.location().starts_with("/auth/complete?"), "{answer:?}");
    let page = led(&mut browser, answer).await;
    assert!(
        asks(&page) && page.body.contains("field-company") && page.body.contains("field-team"),
        "{page:?}"
    );
    assert!(page.body.contains("complete-deny") && !page.body.contains("complete-later"), "{page:?}");
    assert!(page.body.contains("needs this from you"), "{page:?}");
    let accepted = box_of(&terms);
    let all = [("decision", "continue"), ("field_company", "Navy"), (accepted.as_str(), "yes")];
    let entered = browser.submit(&page, &all).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let (metadata, accepted) = kept(&site, GRACE).await.unwrap();
    assert_eq!((&metadata.public["company"], metadata.public.get("team")), (&json!("Navy"), None));
    assert_eq!(serde_json::to_value(&accepted[0]).unwrap()["at"], "sign_in");
    // What may be left out is not asked again at once.
    assert!(super::again(&mut browser, &web, &[]).await.is_signed_in());
}

async fn social<'h>(browser: &mut Browser<'h>, web: &Client<'h>) -> AuthorizationRequest {
    let page = browser.get(&web.authorize_path(&"v".repeat(43), &[])).await.expect(200);
    let url = page.link("social-google");
    AuthorizationRequest(url::Url::parse(browser.get(&url).await.expect(303).location()).unwrap())
}

#[tokio::test]
async fn a_passkey_instead_of_a_password_leads_to_the_page_of_what_is_owed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let _ = asking(&site).await;
    let (mut browser, verifier) = (site.browser(), web.verifier());
    let page = verify_page(&mut browser, &web, &verifier).await;
    let begun = browser.post("/auth/verify/passkey", &[("flow", &state(&page)), ("name", "Grace")]).await;
    let begun = begun.expect(200).json();
    let answer = svc_testkit::Authenticator::synced(1).create(&begun["shown"], site.issuer()).unwrap();
    let fields =
        [("flow", begun["flow"].as_str().unwrap()), ("name", "Grace"), ("answer", &answer.to_string())];
    let entered = browser.post("/auth/verify", &fields).await;
    assert!(entered.begins_session() && entered.location().starts_with("/auth/complete?"), "{entered:?}");
    assert!(asks(&led(&mut browser, entered).await));
}

#[tokio::test]
async fn answers_that_were_not_asked_for_or_do_not_fit_are_not_kept() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let terms = asking(&site).await;
    let plan = json!({
        "name": "plan", "type": "choice", "language": "en", "choices": [{ "value": "small" }, { "value": "large" }],
        "texts": { "en": { "label": "Plan" } }, "kept_in": "private_metadata",
    });
    let _ = add_field(&site, plan).await;
    let (mut browser, verifier) = (site.browser(), web.verifier());
    let page = verify_page(&mut browser, &web, &verifier).await;
    let accepted = box_of(&terms);
    let base = [("name", "Grace"), ("password", PASSWORD), (accepted.as_str(), "yes")];
    let long = "x".repeat(21);
    for (name, value) in [
        ("field_company", long.as_str()),
        ("field_company", "a\u{202E}b"),
        ("field_company", "a\tb"),
        ("field_company", &"x".repeat(2_000)),
    ] {
        let refused = browser.submit(&page, &[&base[..], &[(name, value)]].concat()).await;
        let is_refused = refused.status == 200 && refused.body.contains("field-company-fault");
        assert!(is_refused && kept(&site, GRACE).await.is_none(), "{}: {}", value.len(), refused.status);
        assert!(!refused.body.contains('\u{202E}'), "{refused:?}");
    }
    let none = [&base[..], &[("field_company", "Navy"), ("field_plan", "huge")]].concat();
    let refused = browser.submit(&page, &none).await.expect(200);
    assert!(refused.body.contains("field-plan-fault"), "{refused:?}");
    let more = [
        ("field_company", "Navy"),
        ("field_plan", "small"),
        ("field_roles", "admin"),
        ("roles", "admin"),
        ("public_metadata", "{}"),
    ];
    let entered = browser.submit(&page, &[&base[..], &more].concat()).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let (metadata, _) = kept(&site, GRACE).await.unwrap();
    let found = serde_json::to_value(&metadata).unwrap();
    assert_eq!(found, json!({ "public": { "company": "Navy" }, "private": { "plan": "small" } }));
}

#[tokio::test]
async fn labels_and_links_are_in_the_language_of_the_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let terms = asking(&site).await;
    let (mut browser, verifier) = (site.browser(), web.verifier());
    let _ = verify_page(&mut browser, &web, &verifier).await;
    let path = link(&site, GRACE).await;
    let page = browser.get(&format!("{path}&lang=de")).await.expect(200);
    for text in ["Die Regeln privacy", "Firma", "lang=\"de\""] {
        assert!(page.body.contains(text), "{text} in {}", page.body);
    }
    let accepted = box_of(&terms);
    let all =
        [("name", "Grace"), ("password", PASSWORD), ("field_company", "Navy"), (accepted.as_str(), "yes")];
    let _ = browser.submit(&page, &all).await;
    let (_, accepted) = kept(&site, GRACE).await.unwrap();
    assert_eq!(
        (accepted[0].shown.language.as_str(), accepted[0].shown.title.as_str()),
        ("de", "Die Regeln privacy")
    );
}

#[tokio::test]
async fn a_guest_is_asked_when_they_keep_the_account_and_not_before() {
    let h = Harness::with(&[("SVC_ANONYMOUS__ENABLED", "true")]).await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let terms = asking(&site).await;
    let (mut browser, verifier) = (site.browser(), web.verifier());
    let page = browser.get(&web.authorize_path(&verifier, &[])).await.expect(200);
    let entered = browser.post("/auth/sign-in", &[("flow", &state(&page)), ("method", "anonymous")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert!(super::again(&mut browser, &web, &[("prompt", "none")]).await.is_signed_in());
    let page = browser.get("/account/keep").await.expect(200);
    assert!(!page.body.contains("/account/terms"), "a guest has accepted nothing: {page:?}");
    let _ = browser.submit(&page, &[("email", GRACE)]).await.expect(200);
    let path = link(&site, GRACE).await;
    let page = browser.get(&path).await.expect(200);
    let refused = browser.submit(&page, &[("name", "Grace"), ("password", PASSWORD)]).await.expect(200);
    assert!(refused.body.contains("terms-0-fault") && refused.body.contains("field-company-fault"));
    let accepted = box_of(&terms);
    let all =
        [("name", "Grace"), ("password", PASSWORD), ("field_company", "Navy"), (accepted.as_str(), "yes")];
    let done = browser.submit(&page, &all).await;
    assert_eq!(done.location(), "/account");
    let (metadata, accepted) = kept(&site, GRACE).await.unwrap();
    assert_eq!((&metadata.public["company"], accepted.len()), (&json!("Navy"), 1));
}

#[tokio::test]
async fn who_accepts_an_invitation_without_an_account_is_asked_behind_its_link() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("owner").await;
    let organization = site.organization("initech", owner.id).await;
    let terms = asking(&site).await;
    let path = format!("organizations/{}/invitations", organization.id);
    let _ = super::add(&site, &path, json!({ "email": GRACE })).await;
    let mut browser = site.browser();
    let path = link(&site, GRACE).await;
    let page = browser.get(&path).await.expect(200);
    assert!(Form::of(&page).action.contains("organization-invitation"), "{page:?}");
    let refused = browser.submit(&page, &[("name", "Grace"), ("password", PASSWORD)]).await.expect(200);
    assert!(refused.body.contains("terms-0-fault"), "{refused:?}");
    let accepted = box_of(&terms);
    let all =
        [("name", "Grace"), ("password", PASSWORD), ("field_company", "Navy"), (accepted.as_str(), "yes")];
    let done = browser.submit(&refused, &all).await.expect(200);
    assert!(done.body.contains("You are a member of the organization now"), "{done:?}");
    assert_eq!(kept(&site, GRACE).await.unwrap().1.len(), 1);
}
