//! The page on which people choose the organization that they act in.

use serde_json::Value;

use super::{World, access, join};
use crate::harness::{Answer, Browser, Client, Harness, Person};
use crate::par::{push, request_uri, signing_in, with_reference};

async fn asked<'h>(
    browser: &mut Browser<'h>,
    app: &Client<'h>,
    person: &Person,
    changes: &[(&str, &str)],
) -> (Answer, String) {
    let verifier = app.verifier();
    let mut answer = browser.get(&app.authorize_path(&verifier, changes)).await;
    if answer.body.contains("id=\"login-submit\"") {
        let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
        answer = browser.submit(&answer, &fields).await;
    }
    (answer, verifier)
}

async fn tokens(app: &Client<'_>, (answer, verifier): (Answer, String)) -> Value {
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("no code in {answer:?}"));
    let code = crate::harness::client::Code { code, verifier };
    app.exchange(&code).await.expect(200).json()
}

/// The value of the radio button that is checked.
fn preselected(page: &Answer) -> String {
    let checked = page
        .body
        .split("<input type=\"radio\"")
        .find(|input| input.split('>').next().unwrap().contains(" checked"));
    let value = checked.unwrap().split("value=\"").nth(1).unwrap();
    value.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_only_organization_is_taken_and_of_several_the_person_chooses_one() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let app = world.requiring("portal").await;
    let mut browser = world.site.browser();
    let only = tokens(&app, asked(&mut browser, &app, &world.ada, &[]).await).await;
    assert_eq!(access(&only)["org"]["slug"], "initech");

    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let (page, verifier) = asked(&mut browser, &app, &world.ada, &[]).await;
    let page = page.expect(200);
    let (initech, hooli) = (world.initech.id.to_string(), world.hooli.id.to_string());
    for part in ["id=\"organization-0\"", "id=\"organization-1\"", "id=\"organization-submit\"", &initech] {
        assert!(page.body.contains(part), "{part} in {}", page.body);
    }
    assert_eq!(preselected(&page), hooli, "the first by name");
    let silent = browser.get(&app.authorize_path("v", &[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("interaction_required"));
    let chosen = browser.submit(&page, &[("decision", "continue"), ("organization", &initech)]).await;
    assert_eq!(access(&tokens(&app, (chosen, verifier)).await)["org"]["slug"], "initech");

    let (again, _) = asked(&mut browser, &app, &world.ada, &[]).await;
    assert_eq!(preselected(&again.expect(200)), initech, "the last choice of the session");
    let silent = tokens(&app, asked(&mut browser, &app, &world.ada, &[("prompt", "none")]).await).await;
    assert_eq!(access(&silent)["org"]["slug"], "initech");
    let named = tokens(&app, asked(&mut browser, &app, &world.ada, &[("organization", "hooli")]).await).await;
    assert_eq!(access(&named)["org"]["slug"], "hooli");
    let (elsewhere, _) = asked(&mut world.site.browser(), &app, &world.ada, &[]).await;
    assert_eq!(preselected(&elsewhere.expect(200)), hooli, "another session has chosen nothing");
}

#[tokio::test]
async fn a_choice_of_what_is_not_the_persons_own_leads_to_the_page_again() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let app = world.requiring("portal").await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let foreign = world.site.organization("umbrella", world.bob.id).await.id.to_string();
    let mut browser = world.site.browser();
    let (page, _) = asked(&mut browser, &app, &world.ada, &[]).await;
    for choice in [foreign.as_str(), "initech", "", "org_x"] {
        let again = browser.submit(&page, &[("decision", "continue"), ("organization", choice)]).await;
        assert!(again.expect(200).body.contains("id=\"organization-submit\""), "{choice}");
    }
    let missing = browser.submit(&page, &[("organization", foreign.as_str())]).await;
    assert_eq!(missing.status, 400);
    let back = browser.submit(&page, &[("decision", "deny")]).await;
    assert_eq!(back.redirect_param("error").as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn who_goes_back_from_the_choice_has_answered_a_pushed_request() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let app = world.requiring("portal").await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let path = with_reference(&app.id, &request_uri(&push(&app, &[]).await));
    let mut browser = world.site.browser();
    let page = signing_in(&mut browser, &path, &world.ada).await.expect(200);
    let back = browser.submit(&page, &[("decision", "deny")]).await;
    assert_eq!(back.redirect_param("error").as_deref(), Some("access_denied"));
    let again = browser.get(&path).await;
    assert!(again.status == 400 && again.body.contains("invalid_request_uri"), "{again:?}");
}

#[tokio::test]
async fn a_person_without_an_organization_is_told_so() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let app = world.requiring("portal").await;
    let eve = world.site.user("eve").await;
    let mut browser = world.site.browser();
    let (page, _) = asked(&mut browser, &app, &eve, &[]).await;
    let page = page.expect(200);
    assert!(page.body.contains("id=\"organization-none\"") && page.body.contains("id=\"switch-account\""));
    assert!(!page.body.contains("id=\"organization-submit\""));
    let silent = browser.get(&app.authorize_path("v", &[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("access_denied"));
    let back = browser.submit(&page, &[("decision", "deny")]).await;
    assert_eq!(back.redirect_param("error").as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn the_choice_comes_before_consent_and_opens_what_the_person_has_there() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let app = world
        .site
        .app_with("stranger", |configuration| {
            configuration.first_party = false;
            configuration.organization_usage = Some(svc_domain::apps::OrganizationUsage::Require);
        })
        .await;
    let mut browser = world.site.browser();
    let changes = [("scope", super::SCOPE), ("resource", super::NOTES)];
    let (page, verifier) = asked(&mut browser, &app, &world.ada, &changes).await;
    let hooli = world.hooli.id.to_string();
    let consent = browser.submit(&page, &[("decision", "continue"), ("organization", &hooli)]).await;
    let consent = consent.expect(200);
    assert!(consent.body.contains("id=\"consent-allow\"") && !consent.body.contains("notes:write"));
    assert!(consent.body.contains("<strong><bdi>hooli</bdi></strong>"), "{}", consent.body);
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;
    let told = access(&tokens(&app, (allowed, verifier)).await);
    assert_eq!(
        (&told["org"]["slug"], told["scope"].as_str()),
        (&"hooli".into(), Some("notes:read offline_access openid"))
    );
    // What opens with the other organization has not been consented to.
    let (page, _) = asked(&mut browser, &app, &world.ada, &changes).await;
    let initech = world.initech.id.to_string();
    let consent = browser.submit(&page, &[("decision", "continue"), ("organization", &initech)]).await;
    assert!(consent.expect(200).body.contains("id=\"consent-allow\""));
}
