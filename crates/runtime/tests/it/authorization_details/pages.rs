//! What people read and decide: the sentence of the type, and nothing granted but what was shown.

use serde_json::json;
use svc_http::Method;

use super::{ACCOUNTS, World, account, asking, carried, payment};
use crate::harness::{Answer, Browser, Code, Harness};
use crate::polling;

/// The sentence of a page, as its source has it.
fn sentence(amount: &str, to: &str) -> String {
    let value = |text: &str| format!("<strong><bdi>{text}</bdi></strong>");
    format!("<span>Pay {} {} to {}</span>", value(amount), value("EUR"), value(to))
}

/// Opens a request of the third party's in a browser, and signs in where that is asked for.
async fn open(
    world: &World<'_>,
    browser: &mut Browser<'_>,
    details: &str,
    changes: &[(&str, &str)],
) -> Answer {
    let changes: Vec<_> = asking(details).into_iter().chain(changes.iter().copied()).collect();
    let page = browser.get(&world.shop.authorize_path(crate::par::VERIFIER, &changes)).await;
    if !page.body.contains("login-submit") {
        return page;
    }
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    browser.submit(&page, &fields).await
}

async fn exchange(world: &World<'_>, answer: &Answer) -> serde_json::Value {
    let code = answer.redirect_param("code").unwrap();
    let code = Code { code, verifier: crate::par::VERIFIER.to_owned() };
    world.shop.exchange(&code).await.expect(200).json()
}

#[tokio::test]
async fn consent_shows_the_sentence_grants_what_it_said_and_is_remembered_for_exactly_that() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let asked = json!([payment("123.50", "Merchant & Sons")]);
    let text = asked.to_string();
    let page = open(&world, &mut browser, &text, &[]).await.expect(200);
    assert!(page.body.contains(&sentence("123.50", "Merchant &amp; Sons")), "{}", page.body);
    assert!(page.body.contains("data-scope=\"bank:use\""), "{}", page.body);
    let answer = browser.submit(&page, &[("decision", "allow")]).await;
    assert_eq!(carried(&exchange(&world, &answer).await), asked);

    let again = open(&world, &mut browser, &text, &[("prompt", "none")]).await;
    assert!(again.redirect_param("code").is_some(), "{again:?}");
    let other = json!([payment("123.51", "Merchant & Sons")]).to_string();
    let page = open(&world, &mut browser, &other, &[]).await.expect(200);
    assert!(page.body.contains(&sentence("123.51", "Merchant &amp; Sons")), "{}", page.body);
    assert!(!page.body.contains("data-scope"), "scopes are remembered: {}", page.body);
    let answer = browser.submit(&page, &[("decision", "deny")]).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("access_denied"));
    let silent = open(&world, &mut browser, &other, &[("prompt", "none")]).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("consent_required"));
    let asked_anew = open(&world, &mut browser, &text, &[("prompt", "consent")]).await.expect(200);
    assert!(asked_anew.body.contains(&sentence("123.50", "Merchant &amp; Sons")), "{}", asked_anew.body);
    let without = open(&world, &mut browser, "[]", &[]).await;
    assert!(without.redirect_param("code").is_some(), "{without:?}");
}

#[tokio::test]
async fn an_answer_to_one_page_does_not_allow_what_another_asks() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let (small, large) =
        (json!([payment("1.00", "A")]).to_string(), json!([payment("9.00", "A")]).to_string());
    let first = open(&world, &mut browser, &small, &[]).await.expect(200);
    let _ = browser.submit(&first, &[("decision", "allow")]).await;
    let second = open(&world, &mut browser, &large, &[]).await.expect(200);
    assert!(second.body.contains(&sentence("9.00", "A")), "{}", second.body);
    let answer = browser.submit(&first, &[("decision", "allow")]).await;
    assert_eq!(carried(&exchange(&world, &answer).await), json!([payment("1.00", "A")]));
}

#[tokio::test]
async fn values_cannot_reorder_or_break_the_sentence() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let hostile =
        json!([payment("1.00", "Bob\u{202E}\u{2066}<b>\n{creditorName}"), account(&[])]).to_string();
    let page = open(&world, &mut world.site.browser(), &hostile, &[]).await.expect(200);
    assert!(page.body.contains(&sentence("1.00", "Bob&lt;b&gt; {creditorName}")), "{}", page.body);
    assert!(page.body.contains("<bdi>–</bdi>"), "{}", page.body);
    let long = json!([payment("1.00", &"x".repeat(300))]).to_string();
    let page = open(&world, &mut world.site.browser(), &long, &[]).await.expect(200);
    assert!(page.body.contains(&sentence("1.00", &format!("{}…", "x".repeat(200)))), "{}", page.body);
}

#[tokio::test]
async fn first_parties_do_not_ask() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.sign_in(&world.web, &world.ada).await;
    let details = json!([payment("1.00", "Merchant")]).to_string();
    let answer = browser.get(&world.web.authorize_path(&world.web.verifier(), &asking(&details))).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    let changes: Vec<_> = asking(&details).into_iter().chain([("prompt", "consent")]).collect();
    let page = browser.get(&world.web.authorize_path(&world.web.verifier(), &changes)).await.expect(200);
    assert!(page.body.contains(&sentence("1.00", "Merchant")), "{}", page.body);
}

#[tokio::test]
async fn the_device_page_the_inbox_and_its_api_show_the_same_sentence() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let details = json!([payment("7.00", "Merchant")]).to_string();
    let started = world.shop.post("/oauth/device/code", &[], &asking(&details)).await.expect(200).json();
    let mut browser = polling::signed_in(&world.site, &world.ada).await;
    let page = polling::enter(&mut browser, started["user_code"].as_str().unwrap()).await.expect(200);
    assert!(page.body.contains(&sentence("7.00", "Merchant")), "{}", page.body);
    let _ = polling::decide(&mut browser, &page, "deny").await.expect(200);
    let auth_req_id = polling::ask(&world.shop, "ada", &asking(&details)).await;
    let inbox = browser.get("/auth/approvals").await.expect(200);
    assert!(inbox.body.contains(&sentence("7.00", "Merchant")), "{}", inbox.body);
    let token = world.site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(world.ada.subject), json!("human"));
        claims["scope"] = json!("identity:approve");
    });
    let path = "/api/v1/identity/ciba/requests";
    let list = world.site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(list["data"][0]["details"], json!(["Pay 7.00 EUR to Merchant"]));
    assert_eq!(list["data"][0]["authorization_details"], json!([payment("7.00", "Merchant")]));
    let _ = polling::decide(&mut browser, &inbox, "deny").await.expect(200);
    let refused = polling::poll_ciba(&world.shop, &auth_req_id).await;
    let _ = refused.expect_problem(400, "access_denied");
}

#[tokio::test]
async fn details_that_are_no_longer_offered_cannot_be_decided() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let details = json!([payment("7.00", "Merchant")]).to_string();
    let page = open(&world, &mut world.site.browser(), &details, &[]).await.expect(200);
    assert!(page.body.contains("consent-allow"));
    let auth_req_id = polling::ask(&world.shop, "ada", &asking(&details)).await;
    let mut browser = polling::signed_in(&world.site, &world.ada).await;
    let inbox = browser.get("/auth/approvals").await.expect(200);
    let token = world.site.mint(|_| ());
    let mut configuration = serde_json::to_value(&world.shop.configuration).unwrap();
    configuration["authorization_details_types"] = json!([ACCOUNTS]);
    let path = format!("/api/v1/applications/{}", world.shop.id);
    let _ = world.site.call(Method::PUT, &path, Some(&token), Some(configuration)).await.expect(200);
    let decided = polling::decide(&mut browser, &inbox, "allow").await;
    assert_eq!(decided.status, 404, "{decided:?}");
    assert!(inbox.body.contains(&sentence("7.00", "Merchant")), "{}", inbox.body);
    assert!(!browser.get("/auth/approvals").await.expect(200).body.contains("Merchant"));
    let _ = polling::poll_ciba(&world.shop, &auth_req_id).await.expect_problem(400, "authorization_pending");
    let again = open(&world, &mut browser, &details, &[]).await;
    assert_eq!(again.redirect_param("error").as_deref(), Some("invalid_authorization_details"));
}
