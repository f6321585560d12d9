//! A person who has an account is led to the page of what they owe: after the proofs, before consent, and not past it.

use serde_json::json;
use svc_http::Method;

use super::{
    LONG_AGO, add_field, add_terms, again, asks, begin, bought, box_of, company, document, kept, led, rows,
    state,
};
use crate::changes::left_by;
use crate::harness::{Client, Harness, Person, Site};

const DAY: i64 = 24 * 3600;

async fn world(h: &Harness) -> (Site<'_>, Client<'_>, Person) {
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    // A person who joined just now is asked what others are not.
    h.advance(2 * 3600);
    (site, web, ada)
}

#[tokio::test]
async fn a_sign_in_goes_on_when_the_person_has_accepted_and_is_not_asked_again() {
    let h = Harness::new().await;
    let (site, web, ada) = world(&h).await;
    let terms = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let mut browser = site.browser();
    let (page, verifier) = begin(&mut browser, &web, &ada).await;
    assert!(asks(&page) && page.body.contains("The privacy policy"), "{page:?}");
    let refused = browser.submit(&page, &[("decision", "continue")]).await.expect(200);
    assert!(refused.body.contains("terms-0-fault"), "{refused:?}");
    let later = browser.submit(&page, &[("decision", "later")]).await.expect(200);
    assert!(asks(&later), "what is required cannot be put off: {later:?}");
    assert_eq!(rows(&h, "terms_acceptances").await, 0);
    let mut entered = None;
    let [actions, events] = left_by(&h, async {
        entered = Some(browser.submit(&refused, &[("decision", "continue"), (&box_of(&terms), "yes")]).await);
    })
    .await;
    let _ = bought(&web, &entered.unwrap(), verifier).await;
    assert!(actions.contains(&"terms.accepted".to_owned()) && events.contains(&"terms.accepted".to_owned()));
    assert!(again(&mut browser, &web, &[("prompt", "none")]).await.is_signed_in());
    let (entered, _) = begin(&mut site.browser(), &web, &ada).await;
    assert!(entered.is_signed_in(), "another browser is not asked either: {entered:?}");
    // The same form again changes nothing.
    let _ = browser.submit(&page, &[("decision", "continue"), (&box_of(&terms), "yes")]).await;
    assert_eq!(rows(&h, "terms_acceptances").await, 1);
}

#[tokio::test]
async fn nothing_leads_past_the_page() {
    let h = Harness::new().await;
    let (site, _, ada) = world(&h).await;
    let foreign = site.app_with("partner", |app| app.first_party = false).await;
    let mut browser = site.browser();
    // A page of consent that was shown before there was anything to accept.
    let (consent, _) = begin(&mut browser, &foreign, &ada).await;
    assert!(consent.body.contains("consent-allow"), "{consent:?}");
    let terms = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;
    let page = led(&mut browser, allowed).await;
    assert!(asks(&page), "{page:?}");
    // Going on with the flow, a second tab, and a request that shows no page.
    let onward = browser.get(&format!("/auth/continue?flow={}", state(&consent))).await;
    assert!(asks(&led(&mut browser, onward).await));
    assert!(asks(&again(&mut browser, &foreign, &[]).await));
    let silent = again(&mut browser, &foreign, &[("prompt", "none")]).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("interaction_required"));
    // The state of the page opens in this browser alone, for this person alone, and as nothing else.
    let mut other = site.browser();
    let _ = other.get("/").await;
    let (flow, accepted) = (state(&page), box_of(&terms));
    let stolen = [("flow", flow.as_str()), ("decision", "continue"), (accepted.as_str(), "yes")];
    assert_eq!(other.post("/auth/complete", &stolen).await.status, 403);
    assert_eq!(
        browser.post("/auth/consent", &[("flow", &state(&page)), ("decision", "allow")]).await.status,
        403
    );
    assert_eq!(
        browser.post("/auth/complete", &[("flow", &state(&consent)), ("decision", "later")]).await.status,
        403
    );
    assert_eq!(rows(&h, "terms_acceptances").await, 0);
    // Consent comes after it, and the application learns of who does not accept only that.
    let declined = browser.submit(&page, &[("decision", "deny")]).await;
    assert_eq!(declined.redirect_param("error").as_deref(), Some("access_denied"));
    let accepted = browser.submit(&page, &[("decision", "continue"), (&box_of(&terms), "yes")]).await;
    assert!(accepted.body.contains("consent-allow") || accepted.is_signed_in(), "{accepted:?}");
}

#[tokio::test]
async fn a_new_version_is_accepted_again_when_it_says_so_also_with_a_session_that_is_there() {
    let h = Harness::new().await;
    let (site, web, ada) = world(&h).await;
    let first = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let mut browser = site.browser();
    let (page, _) = begin(&mut browser, &web, &ada).await;
    let entered = browser.submit(&page, &[("decision", "continue"), (&box_of(&first), "yes")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let now = h.operator().now;
    let at = |seconds| serde_json::to_value(now + svc_core::Seconds(seconds)).unwrap();
    // A version that no one is asked to accept again, and then one that does, an hour after it takes effect.
    let minor = add_terms(&site, document("privacy", "2", at(60).as_str().unwrap())).await;
    let mut major = document("privacy", "3", at(120).as_str().unwrap());
    major["accept_again_from"] = at(3720);
    let major = add_terms(&site, major).await;
    for seconds in [0, 60, 60] {
        h.advance(seconds);
        assert!(again(&mut browser, &web, &[]).await.is_signed_in(), "after {seconds}");
    }
    h.advance(3600);
    let page = again(&mut browser, &web, &[]).await;
    assert!(asks(&page) && page.body.contains(&box_of(&major)) && !page.body.contains(&box_of(&minor)));
    let silent = again(&mut browser, &web, &[("prompt", "none")]).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("interaction_required"));
    // What an earlier page has shown is not what counts now.
    let stale =
        browser.submit(&page, &[("decision", "continue"), (&box_of(&first), "yes")]).await.expect(200);
    assert!(stale.body.contains("terms-0-fault"), "{stale:?}");
    let entered = browser.submit(&page, &[("decision", "continue"), (&box_of(&major), "yes")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let labels: Vec<_> =
        kept(&site, &ada.email).await.unwrap().1.into_iter().map(|one| one.shown.label).collect();
    assert_eq!(labels, ["1", "3"]);
}

#[tokio::test]
async fn a_field_that_becomes_required_is_asked_of_everyone_and_an_optional_one_of_no_one() {
    let h = Harness::new().await;
    let (site, web, ada) = world(&h).await;
    let id = add_field(&site, company(&[])).await;
    let mut browser = site.browser();
    let (entered, _) = begin(&mut browser, &web, &ada).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let body = json!({ "required": true });
    let path = format!("/api/v1/sign-up-fields/{id}");
    let _ = site.call(Method::PATCH, &path, Some(&site.mint(|_| ())), Some(body)).await.expect(200);
    let page = again(&mut browser, &web, &[]).await;
    assert!(asks(&page) && page.body.contains("aria-describedby=\"field-company-hint\""), "{page:?}");
    let refused =
        browser.submit(&page, &[("decision", "continue"), ("field_company", " ")]).await.expect(200);
    let described = "aria-describedby=\"field-company-fault field-company-hint\" aria-invalid=\"true\"";
    assert!(refused.body.contains(described), "{refused:?}");
    let entered = browser.submit(&page, &[("decision", "continue"), ("field_company", "Acme")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert_eq!(kept(&site, &ada.email).await.unwrap().0.public["company"], "Acme");
}

#[tokio::test]
async fn what_is_asked_later_waits_for_so_many_sign_ins_and_can_be_put_off_for_so_many_days() {
    let h = Harness::new().await;
    let (site, web, ada) = world(&h).await;
    let later = [("asked", json!("later")), ("after_sign_ins", json!(2)), ("again_after_days", json!(10))];
    let _ = add_field(&site, company(&later)).await;
    let (first, _) = begin(&mut site.browser(), &web, &ada).await;
    assert!(first.is_signed_in(), "{first:?}");
    let mut browser = site.browser();
    let (page, verifier) = begin(&mut browser, &web, &ada).await;
    assert!(asks(&page) && page.body.contains("complete-later"), "{page:?}");
    assert!(page.body.contains("asks you for") && !page.body.contains("needs this"), "{page:?}");
    assert!(again(&mut browser, &web, &[("prompt", "none")]).await.is_signed_in(), "nothing is missing");
    let entered = browser.submit(&page, &[("decision", "later")]).await;
    let _ = bought(&web, &entered, verifier).await;
    let (entered, _) = begin(&mut site.browser(), &web, &ada).await;
    assert!(entered.is_signed_in(), "it was put off: {entered:?}");
    h.advance(10 * DAY + 1);
    let mut browser = site.browser();
    let (page, _) = begin(&mut browser, &web, &ada).await;
    assert!(asks(&page), "{page:?}");
    let entered = browser.submit(&page, &[("decision", "continue"), ("field_company", "Acme")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    h.advance(20 * DAY);
    let (entered, _) = begin(&mut site.browser(), &web, &ada).await;
    assert!(entered.is_signed_in(), "it is answered: {entered:?}");
}

#[tokio::test]
async fn a_field_of_one_application_is_not_asked_on_the_way_to_another() {
    let h = Harness::new().await;
    let (site, web, ada) = world(&h).await;
    let shop = site.app("shop").await;
    let narrow = [("required", json!(true)), ("application_ids", json!([shop.id]))];
    let _ = add_field(&site, company(&narrow)).await;
    let mut browser = site.browser();
    assert!(begin(&mut browser, &web, &ada).await.0.is_signed_in());
    assert!(asks(&again(&mut browser, &shop, &[]).await));
}

#[tokio::test]
async fn another_tenant_asks_for_nothing_of_it() {
    let h = Harness::new().await;
    let (site, ..) = world(&h).await;
    let terms = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let other = h.tenant("other").await;
    let (web, bob) = (other.app("web").await, other.user("bob").await);
    assert!(begin(&mut other.browser(), &web, &bob).await.0.is_signed_in());
    let own =
        crate::account::own(&other, &bob, (Method::POST, "/terms"), Some(json!({ "terms_id": terms }))).await;
    assert_eq!(own.status, 404);
}
