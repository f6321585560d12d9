//! What is asked of the people of organizations alone: on every way that leads into one, of no other person, and kept as the rest is.

use serde_json::{Value, json};
use svc_domain::organizations::Organization;
use svc_http::Method;

use super::{
    LONG_AGO, PASSWORD, add, add_field, add_terms, again, asks, begin, box_of, company, document, kept, led,
    link, rows,
};
use crate::account::own;
use crate::harness::provider::Provider;
use crate::harness::{Answer, Harness, Site};
use crate::organizations::World;
use crate::organizations::sso_sign_in::{LOOPBACK, connect, led as to_provider, prove};
use crate::polling::{ask, decide, poll_ciba, signed_in};

const INITECH: [(&str, &str); 1] = [("organization", "initech")];

/// A record for the people of organizations.
fn of(organizations: &[&Organization], mut record: Value) -> Value {
    record["organization_ids"] = organizations.iter().map(|organization| json!(organization.id)).collect();
    record
}

async fn initech_terms(world: &World<'_>) -> String {
    add_terms(&world.site, of(&[&world.initech], document("initech-dpa", "1", LONG_AGO))).await
}

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, &format!("/api/v1/{path}"), Some(&site.mint(|_| ())), body).await
}

#[tokio::test]
async fn members_are_asked_on_the_way_to_their_organization_in_addition_to_what_everyone_is() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let everyone = add_terms(&world.site, document("privacy", "1", LONG_AGO)).await;
    let dpa = initech_terms(&world).await;
    let _ = add_field(&world.site, of(&[&world.initech], company(&[("required", json!(true))]))).await;
    let mut browser = world.site.browser();
    let (page, _) = begin(&mut browser, &world.web, &world.ada).await;
    assert!(asks(&page) && page.body.contains(&box_of(&everyone)), "{page:?}");
    assert!(!page.body.contains(&box_of(&dpa)) && !page.body.contains("field-company"), "{page:?}");
    let entered = browser.submit(&page, &[("decision", "continue"), (&box_of(&everyone), "yes")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let silent = [INITECH[0], ("prompt", "none")];
    let refused = again(&mut browser, &world.web, &silent).await;
    assert_eq!(refused.redirect_param("error").as_deref(), Some("interaction_required"));
    let page = again(&mut browser, &world.web, &INITECH).await;
    assert!(asks(&page) && page.body.contains(&box_of(&dpa)), "{page:?}");
    assert!(page.body.contains("field-company") && !page.body.contains(&box_of(&everyone)), "{page:?}");
    let refused = browser.submit(&page, &[("decision", "continue")]).await.expect(200);
    assert!(
        refused.body.contains("terms-0-fault") && refused.body.contains("field-company-fault"),
        "{refused:?}"
    );
    let accepted = box_of(&dpa);
    let all = [("decision", "continue"), ("field_company", "Acme"), (accepted.as_str(), "yes")];
    let entered = browser.submit(&page, &all).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert!(again(&mut browser, &world.web, &silent).await.is_signed_in());
    let (metadata, accepted) = kept(&world.site, &world.ada.email).await.unwrap();
    assert_eq!(metadata.public["company"], "Acme");
    let mut keys: Vec<_> = accepted.iter().map(|one| one.shown.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["initech-dpa", "privacy"]);
}

#[tokio::test]
async fn one_organization_s_people_are_not_asked_on_the_way_to_another() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let dpa = initech_terms(&world).await;
    let mut browser = world.site.browser();
    assert!(begin(&mut browser, &world.web, &world.bob).await.0.is_signed_in());
    assert!(again(&mut browser, &world.web, &[("organization", "hooli")]).await.is_signed_in());
    let id = world.initech.id.to_string();
    let page = again(&mut browser, &world.web, &[("organization", &id)]).await;
    assert!(asks(&page) && page.body.contains(&box_of(&dpa)), "{page:?}");
}

#[tokio::test]
async fn single_sign_on_leads_into_the_organization_of_the_provider_and_so_does_its_session() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let dpa = initech_terms(&world).await;
    let mut browser = world.site.browser();
    let asked = to_provider(&mut browser, &world, "grace@acme.example").await;
    let answer = browser.get(&provider.vouch(&asked, &h, |_| ())).await;
    let page = led(&mut browser, answer).await;
    assert!(asks(&page) && page.body.contains(&box_of(&dpa)), "{page:?}");
    assert!(asks(&again(&mut browser, &world.web, &[]).await), "another request leads past it");
    let entered = browser.submit(&page, &[("decision", "continue"), (&box_of(&dpa), "yes")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    assert!(again(&mut browser, &world.web, &[]).await.is_signed_in());
    assert_eq!(rows(&h, "terms_acceptances").await, 1);
}

#[tokio::test]
async fn a_newcomer_accepts_the_terms_of_the_organization_that_invites_with_its_invitation() {
    const GRACE: &str = "grace@new.example";
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let dpa = initech_terms(&world).await;
    let foreign = add_terms(&world.site, of(&[&world.hooli], document("hooli-dpa", "1", LONG_AGO))).await;
    let path = format!("organizations/{}/invitations", world.initech.id);
    let _ = add(&world.site, &path, json!({ "email": GRACE })).await;
    let mut browser = world.site.browser();
    let page = browser.get(&link(&world.site, GRACE).await).await.expect(200);
    assert!(page.body.contains(&box_of(&dpa)) && !page.body.contains(&box_of(&foreign)), "{page:?}");
    let typed = [("name", "Grace"), ("password", PASSWORD)];
    let refused = browser.submit(&page, &typed).await.expect(200);
    assert!(refused.body.contains("terms-0-fault"), "{refused:?}");
    let accepted = box_of(&dpa);
    let all = [&typed[..], &[(accepted.as_str(), "yes")]].concat();
    let done = browser.submit(&refused, &all).await.expect(200);
    assert!(done.body.contains("You are a member of the organization now"), "{done:?}");
    assert_eq!(kept(&world.site, GRACE).await.unwrap().1[0].shown.key, "initech-dpa");
}

#[tokio::test]
async fn a_person_with_an_account_accepts_the_terms_before_the_invitation() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let dpa = initech_terms(&world).await;
    let carol = world.site.user("carol").await;
    let path = format!("organizations/{}/invitations", world.initech.id);
    let _ = add(&world.site, &path, json!({ "email": carol.email })).await;
    let mut browser = world.site.sign_in(&world.web, &carol).await;
    let answer = browser.get(&link(&world.site, &carol.email).await).await;
    let owed = led(&mut browser, answer).await;
    assert!(asks(&owed) && owed.body.contains(&box_of(&dpa)), "{owed:?}");
    let refused = browser.submit(&owed, &[("decision", "continue")]).await.expect(200);
    assert!(refused.body.contains("terms-0-fault"), "{refused:?}");
    let onward = browser.submit(&owed, &[("decision", "continue"), (&box_of(&dpa), "yes")]).await.expect(303);
    let page = browser.get(onward.location()).await.expect(200);
    assert!(page.body.contains("invitation-submit"), "{page:?}");
    let done = browser.submit(&page, &[]).await.expect(200);
    assert!(done.body.contains("You are a member of the organization now"), "{done:?}");
    assert!(again(&mut browser, &world.web, &INITECH).await.is_signed_in());
}

#[tokio::test]
async fn a_request_from_elsewhere_for_an_organization_is_approved_by_those_who_have_accepted_there() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let dpa = initech_terms(&world).await;
    let request = ask(&world.web, &world.ada.email, &INITECH).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    let inbox = browser.get("/auth/approvals").await.expect(200);
    assert_eq!(decide(&mut browser, &inbox, "allow").await.status, 403);
    let accept = Some(json!({ "terms_id": dpa }));
    let _ = own(&world.site, &world.ada, (Method::POST, "/terms"), accept).await.expect(204);
    let inbox = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &inbox, "allow").await.expect(200);
    let _ = poll_ciba(&world.web, &request).await.expect(200);
}

#[tokio::test]
async fn the_account_centre_has_what_the_person_s_own_organizations_ask() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, carol) = (&world.site, world.site.user("carol").await);
    let dpa = initech_terms(&world).await;
    let _ = add_field(site, of(&[&world.initech], company(&[]))).await;
    let accept = || Some(json!({ "terms_id": dpa }));
    let answer = || Some(json!({ "values": { "company": "Acme" } }));
    let listed = own(site, &world.ada, (Method::GET, "/terms"), None).await.expect(200).json();
    assert_eq!(listed["current"][0]["terms_id"], json!(dpa));
    let _ = own(site, &world.ada, (Method::POST, "/terms"), accept()).await.expect(204);
    let shown = own(site, &world.ada, (Method::PUT, "/details"), answer()).await.expect(200).json();
    assert_eq!(shown["fields"][0]["value"], "Acme");
    let mut browser = site.sign_in(&world.web, &world.ada).await;
    assert!(browser.get("/account/terms").await.expect(200).body.contains("The initech-dpa policy"));
    assert!(browser.get("/account/details").await.expect(200).body.contains("value=\"Acme\""));
    let listed = own(site, &carol, (Method::GET, "/terms"), None).await.expect(200).json();
    assert_eq!(listed["current"], json!([]));
    assert_eq!(own(site, &carol, (Method::POST, "/terms"), accept()).await.status, 404);
    let refused = own(site, &carol, (Method::PUT, "/details"), answer()).await.expect(400).json();
    assert!(refused["detail"].as_str().unwrap().contains("this is not asked for"), "{refused}");
    // What was answered stays the person's after they have left.
    world.remove(&world.initech, &world.ada).await;
    let data = own(site, &world.ada, (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!((&data["details"]["company"], data["terms"].as_array().unwrap().len()), (&json!("Acme"), 1));
}

#[tokio::test]
async fn what_was_asked_of_a_deleted_organization_s_people_is_not_asked_of_everyone() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let _ = initech_terms(&world).await;
    let _ = add_field(site, of(&[&world.initech], company(&[("required", json!(true))]))).await;
    let shared =
        add_terms(site, of(&[&world.initech, &world.hooli], document("shared", "1", LONG_AGO))).await;
    let path = format!("organizations/{}", world.initech.id);
    let _ = send(site, Method::DELETE, &path, None).await.expect(204);
    assert_eq!((rows(&h, "terms").await, rows(&h, "sign_up_fields").await), (1, 0));
    let left = send(site, Method::GET, &format!("terms/{shared}"), None).await.expect(200).json();
    assert_eq!(left["organization_ids"], json!([world.hooli.id]));
    let mut browser = site.browser();
    assert!(begin(&mut browser, &world.web, &world.bob).await.0.is_signed_in());
    assert!(asks(&again(&mut browser, &world.web, &[("organization", "hooli")]).await));
}

#[tokio::test]
async fn a_document_is_for_everyone_or_for_organizations_which_can_change_while_it_is_in_effect() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let id = initech_terms(&world).await;
    let all = document("initech-dpa", "2", "2999-01-01T00:00:00Z");
    let refused = send(site, Method::POST, "terms", Some(all)).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("organization_ids"), "{refused:?}");
    let path = format!("terms/{id}");
    let both = json!({ "organization_ids": [world.initech.id, world.hooli.id] });
    let _ = send(site, Method::PATCH, &path, Some(both)).await.expect(200);
    let twice = json!({ "organization_ids": [world.initech.id, world.initech.id] });
    let refused = send(site, Method::PATCH, &path, Some(twice)).await.expect_problem(400, "bad_request");
    assert!(refused.body.contains("organization_ids"), "{refused:?}");
}

#[tokio::test]
async fn what_was_accepted_in_one_organization_does_not_stand_for_what_another_asks_under_the_same_key() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let initech = add_terms(&world.site, of(&[&world.initech], document("dpa", "1", LONG_AGO))).await;
    let later = document("dpa", "2", "2021-01-01T00:00:00Z");
    let hooli = add_terms(&world.site, of(&[&world.hooli], later)).await;
    let mut browser = world.site.browser();
    assert!(begin(&mut browser, &world.web, &world.bob).await.0.is_signed_in());
    for (organization, version) in [("initech", initech), ("hooli", hooli)] {
        let way = [("organization", organization)];
        let page = again(&mut browser, &world.web, &way).await;
        let accepted = box_of(&version);
        assert!(asks(&page) && page.body.contains(&accepted), "{organization}: {page:?}");
        let entered = browser.submit(&page, &[("decision", "continue"), (&accepted, "yes")]).await;
        assert!(entered.is_signed_in(), "{organization}: {entered:?}");
        assert!(again(&mut browser, &world.web, &way).await.is_signed_in(), "{organization}");
    }
}

#[tokio::test]
async fn nor_does_it_when_the_version_that_was_accepted_is_deleted() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let accepted = add_terms(&world.site, of(&[&world.initech], document("dpa", "1", LONG_AGO))).await;
    let mut browser = world.site.browser();
    assert!(begin(&mut browser, &world.web, &world.bob).await.0.is_signed_in());
    let page = again(&mut browser, &world.web, &INITECH).await;
    let entered = browser.submit(&page, &[("decision", "continue"), (&box_of(&accepted), "yes")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let _ = send(&world.site, Method::DELETE, &format!("terms/{accepted}"), None).await.expect(204);
    let both = of(&[&world.initech, &world.hooli], document("dpa", "2", "2021-01-01T00:00:00Z"));
    let newer = add_terms(&world.site, both).await;
    assert!(again(&mut browser, &world.web, &INITECH).await.is_signed_in(), "it stays accepted there");
    let page = again(&mut browser, &world.web, &[("organization", "hooli")]).await;
    assert!(asks(&page) && page.body.contains(&box_of(&newer)), "{page:?}");
}

#[tokio::test]
async fn there_is_an_end_to_what_the_people_of_one_organization_are_asked() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let named = |name: &str| company(&[("name", json!(name))]);
    for number in 0..19 {
        let _ = add_field(site, named(&format!("field_{number}"))).await;
    }
    let _ = add_field(site, of(&[&world.initech], named("initech_team"))).await;
    let hooli = add_field(site, of(&[&world.hooli], named("hooli_team"))).await;
    for one_more in [named("team"), of(&[&world.initech], named("initech_desk"))] {
        let _ =
            send(site, Method::POST, "sign-up-fields", Some(one_more)).await.expect_problem(409, "conflict");
    }
    let everyone = json!({ "organization_ids": [] });
    let path = format!("sign-up-fields/{hooli}");
    let _ = send(site, Method::PATCH, &path, Some(everyone)).await.expect_problem(409, "conflict");
}
